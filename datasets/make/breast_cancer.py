"""Make breast_cancer.csv: what a logistic regression says about 569 real tumours.

The data are scikit-learn's copy of the Wisconsin Diagnostic Breast Cancer set. Each probability of
malignancy comes from a model that did not see the case: ten stratified folds, shuffled with a fixed
seed, scaling learnt on the training part alone. Label 1 means malignant; scikit-learn codes it 0.

Probabilities have four decimals and are clipped to 0.0001 and 0.9999, so that no logarithm of a
score is infinite. The fit is run until it has converged well beyond those four decimals, so
that the file does not depend on where the optimiser happens to stop.
"""

from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

TARGET = Path(__file__).resolve().parents[1] / "breast_cancer.csv"
SEED = 1
LOWEST, HIGHEST = 0.0001, 0.9999


def main() -> None:
    """Write the file."""
    features, benign = load_breast_cancer(return_X_y=True)
    malignant = 1 - benign
    model = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-10, max_iter=10_000))
    folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=SEED)
    scores = cross_val_predict(model, features, malignant, cv=folds, method="predict_proba")[:, 1]
    lines = ["case,label,score"]
    for case, (label, score) in enumerate(zip(malignant, scores, strict=True), start=1):
        lines.append(f"{case},{label},{min(max(score, LOWEST), HIGHEST):.4f}")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
