"""Make rare_events.csv: 2000 cases of which 20 are positive, with tied scores.

At one positive in a hundred a ROC curve can look good while most alarms are false, which is what
these cases are for. A negative scores the smallest of five uniform draws and a positive the middle
of three, so the expected AUC is 25/28 (about 0.89). Three decimals leave many ties, some of them
between a positive and a negative.

Only Random.random is called: Python promises its sequence for a given seed, and comparing draws
involves no rounding, so the file comes out the same everywhere.
"""

from pathlib import Path
from random import Random
from statistics import median

TARGET = Path(__file__).resolve().parents[1] / "rare_events.csv"
CASES, POSITIVES = 2000, 20
SEED = 2  # one of those that give an AUC between 0.85 and 0.9
LOWEST, HIGHEST = 0.001, 0.999  # no score is 0 or 1, so every logarithm exists


def draw_labels(rng: Random) -> list[int]:
    """Choose exactly POSITIVES of the CASES, every choice being equally likely."""
    labels: list[int] = []
    wanted = POSITIVES
    for left in range(CASES, 0, -1):
        label = int(rng.random() * left < wanted)
        wanted -= label
        labels.append(label)
    return labels


def draw_score(rng: Random, label: int) -> float:
    """The middle of three draws for a positive, the smallest of five for a negative."""
    if label:
        return median(rng.random() for _ in range(3))
    return min(rng.random() for _ in range(5))


def main() -> None:
    """Write the file."""
    rng = Random(SEED)
    lines = ["case,label,score"]
    for case, label in enumerate(draw_labels(rng), start=1):
        score = min(max(draw_score(rng, label), LOWEST), HIGHEST)
        lines.append(f"{case},{label},{score:.3f}")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
