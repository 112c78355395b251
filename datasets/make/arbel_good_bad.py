"""Make arbel_good.csv and arbel_bad.csv: a model better and a model worse than guessing.

Both have 100 cases, 20 of them positive, as in Figures 6 and 7 of Arbel & Rokach. Those figures
are pictures without numbers, so the cases here are ours and only illustrate the same idea.

The ranking is drawn from the top down: each positive still to be placed is `weight` times as likely
to come next as each negative. A positive then precedes a negative with probability
weight / (weight + 1), so the expected PEM, which is 2 AUC - 1, is (weight - 1) / (weight + 1):
0.6 for weight 4 and -0.4 for weight 3/7. Each seed was chosen so that the PEM is exactly that and
the Qrecall curve is on the wrong side of the diagonal just once, for a few places at the top.

Only Random.random is called: Python promises its sequence for a given seed.
"""

from pathlib import Path
from random import Random

FOLDER = Path(__file__).resolve().parents[1]
CASES, POSITIVES = 100, 20
MODELS = {"arbel_good": (4.0, 266), "arbel_bad": (3 / 7, 2602)}  # name: weight, seed


def draw_ranking(rng: Random, weight: float) -> list[int]:
    """The labels from the top of the list to the bottom."""
    positives, negatives = POSITIVES, CASES - POSITIVES
    labels: list[int] = []
    while positives + negatives:
        pull = weight * positives
        label = int(rng.random() * (pull + negatives) < pull)
        positives -= label
        negatives -= 1 - label
        labels.append(label)
    return labels


def draw_scores(rng: Random) -> list[str]:
    """Distinct scores of three decimals between 0.001 and 0.999, highest first."""
    thousandths: set[int] = set()
    while len(thousandths) < CASES:
        thousandths.add(1 + int(rng.random() * 999))
    return [f"0.{score:03}" for score in sorted(thousandths, reverse=True)]


def main() -> None:
    """Write both files."""
    for name, (weight, seed) in MODELS.items():
        rng = Random(seed)
        ranked = zip(draw_ranking(rng, weight), draw_scores(rng), strict=True)
        lines = ["case,label,score"]
        for place, (label, score) in enumerate(ranked, start=1):
            lines.append(f"{place},{label},{score}")
        text = "\n".join(lines) + "\n"
        (FOLDER / f"{name}.csv").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
