"""What the documents print comes out, number by number and line by line.

Berrar's threshold t_5 has four cases above it, so here it is top=4; row i of his Figure 2 is top=i.
Where a document is wrong (kappa, KS), the value that follows from its own definition stands here.
"""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
import sympy

import binteach as bt
from binteach.derivation import Table
from binteach.render.text import write

TEN = bt.load("ten_cases")
ARBEL_2, ARBEL_3 = bt.load("arbel_2"), bt.load("arbel_3")
ABC = bt.load("murphy_abc")


def fractions(text: str) -> list[Fraction]:
    return [Fraction(part) for part in text.split()]


def line(text: str) -> str:
    """The text on one line, however it was broken."""
    return " ".join(text.split())


def shown(name: str, data: Any = TEN, **params: Any) -> str:
    return line(str(bt.explain(name, data, **params)))


def cells(table: Table, head: str) -> list[str]:
    """A column of a table, by what stands above it."""
    place = [part if isinstance(part, str) else write(part) for part in table.heads].index(head)
    column = [row[place] for row in table.rows if not isinstance(row, int)]
    return [cell if isinstance(cell, str) else write(cell) for cell in column]


def table_of(derivation: bt.Derivation) -> Table:
    (table,) = [step.table for step in derivation.steps if step.table is not None]
    return table


# Values ---------------------------------------------------------------------------------------

AT_T5 = {
    "accuracy": "7/10",
    "error_rate": "3/10",
    "sensitivity": "3/5",
    "specificity": "4/5",
    "precision": "3/4",
    "negative_predictive_value": "2/3",
    "false_discovery_rate": "1/4",
    "youden_index": "2/5",
    "positive_likelihood_ratio": "3",
    "negative_likelihood_ratio": "1/2",
    "balanced_accuracy": "7/10",
    "f_measure": "2/3",
    "lift": "3/2",
    "gain": "1",
    "cohens_kappa": "2/5",
}

OF_THE_RANKING = {
    "mean_absolute_error": "37/100",
    "brier_score": "24/125",
    "auc": "4/5",
    "gini": "3/5",
    "auch": "22/25",
    "ks": "3/5",
    "taks": "1/3",
    "max_youden": "3/5",
    "average_precision": "167/200",
    "average_gain": "3/4",
    "average_lift": "17981/12600",
    "mean_precision": "17981/25200",
    "aucpr_min": "68/105",
    "aucpr_minmax": "6017/8400",
    "aucpr_max": "309/400",
    "equal_error_rate": "1/5",
    "pem": "3/5",
}


@pytest.mark.parametrize(("name", "printed"), AT_T5.items())
def test_berrars_values_at_t5_are_exact(name: str, printed: str) -> None:
    assert bt.value(name, TEN, top=4) == Fraction(printed)
    assert bt.value(name, bt.Counts(tp=3, fp=1, fn=2, tn=4)) == Fraction(printed)
    assert type(bt.value(name, TEN, top=4)) is Fraction


@pytest.mark.parametrize(("name", "printed"), OF_THE_RANKING.items())
def test_berrars_values_of_the_whole_ranking_are_exact(name: str, printed: str) -> None:
    assert bt.value(name, TEN) == Fraction(printed)
    assert type(bt.value(name, TEN)) is Fraction


def test_g_measure_and_matthews_correlation_are_exact_roots() -> None:
    assert bt.value("g_measure", TEN, top=4) == sympy.sqrt(sympy.Rational(9, 20))
    assert bt.value("matthews_correlation", TEN, top=4) == 1 / sympy.sqrt(6)
    assert bt.value("root_mean_square_error", TEN) == sympy.sqrt(sympy.Rational(24, 125))


def test_hinge_loss_with_fourfold_distances_is_33_50ths() -> None:
    assert bt.value("hinge_loss", TEN, scale=4) == Fraction(33, 50)


@pytest.mark.parametrize(
    ("name", "params", "digits"),
    [
        ("g_measure", {"top": 4}, "0.671"),
        ("matthews_correlation", {"top": 4}, "0.408"),
        ("negative_predictive_value", {"top": 4}, "0.67"),
        ("f_measure", {"top": 4}, "0.67"),
        ("mean_absolute_error", {}, "0.370"),
        ("brier_score", {}, "0.192"),
        ("root_mean_square_error", {}, "0.438"),
        ("log_loss", {}, "0.798"),
        ("relative_information_score", {}, "0.2846"),
        ("average_lift", {}, "1.427"),
        ("mean_precision", {}, "0.714"),
        ("taks", {}, "0.33"),
        ("average_precision", {}, "0.835"),
        ("aucpr_min", {}, "0.6476"),
        ("auch", {}, "0.88"),
    ],
)
def test_berrars_printed_digits_come_out(name: str, params: dict[str, Any], digits: str) -> None:
    places = len(digits.partition(".")[2])
    assert bt.explain(name, TEN, **params).decimal(places) == digits


def test_the_threshold_above_the_fifth_score_is_t5() -> None:
    assert TEN.at("0.55") == TEN.at("0.5") == TEN.top(4) == bt.Counts(tp=3, fp=1, fn=2, tn=4)


def test_model_b_ranks_alike_but_its_losses_differ() -> None:
    other = bt.load("ten_cases_b")
    for name in ("auc", "average_precision", "taks", "average_lift", "pem"):
        assert bt.value(name, other) == bt.value(name, TEN)
    assert bt.value("brier_score", other) == bt.value("brier_score", TEN) + Fraction(
        79**2 - 75**2, 100_000
    )


# Tables ---------------------------------------------------------------------------------------

FIGURE_2 = {
    "sensitivity": "1/5 2/5 2/5 3/5 4/5 4/5 4/5 5/5 5/5 5/5",
    "false_positive_rate": "0 0 1/5 1/5 1/5 2/5 3/5 3/5 4/5 5/5",
    "precision": "1 1 2/3 3/4 4/5 4/6 4/7 5/8 5/9 5/10",
    "lift": "2 2 4/3 3/2 8/5 4/3 8/7 5/4 10/9 10/10",
}


@pytest.mark.parametrize(("name", "printed"), FIGURE_2.items())
def test_every_row_of_berrars_figure_2_comes_out(name: str, printed: str) -> None:
    assert [bt.value(name, TEN, top=i) for i in range(1, 11)] == fractions(printed)


def test_the_cumulative_class_of_figure_2_is_the_gain_curve() -> None:
    heights = [point.y for point in bt.curve("gain", TEN).points]
    assert heights == [0, 1, 2, 2, 3, 4, 4, 4, 5, 5, 5]
    assert [TEN.top(i).tp for i in range(11)] == heights


def test_the_curves_show_the_columns_of_figure_2() -> None:
    tpr, fpr = fractions(FIGURE_2["sensitivity"]), fractions(FIGURE_2["false_positive_rate"])
    precision, lift = fractions(FIGURE_2["precision"]), fractions(FIGURE_2["lift"])
    roc = bt.curve("roc", TEN).points
    assert [(point.x, point.y) for point in roc] == [(0, 0), *zip(fpr, tpr, strict=True)]
    pr = bt.curve("pr", TEN).points
    assert [(point.x, point.y) for point in pr] == list(zip(tpr, precision, strict=True))
    assert [point.y for point in bt.curve("lift", TEN).points] == lift


def test_the_information_scores_of_single_cases_are_berrars() -> None:
    table = table_of(bt.explain("information_score", TEN))
    assert cells(table, "case") == ["10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
    printed = fractions("0.926 0.678 -0.585 0.263 0 0.138 0.485 -0.585 0.678 0.848")
    # Four decimals are shown, three are printed.
    terms = [round(Decimal(cell.replace("−", "-")), 3) for cell in cells(table, "term")]
    assert [Fraction(term) for term in terms] == printed


QRECALL_2 = "0.25 0.25 0.5 0.75 0.75 0.75 1 1 1 1"
HIT_RATE_2 = "1 1/2 2/3 3/4 3/5 1/2 4/7 1/2 4/9 2/5"
QRECALL_3 = "0.25 0.5 0.75 1 1 1 1 1 1 1"
HIT_RATE_3 = "1 1 1 1 4/5 2/3 4/7 1/2 4/9 2/5"


@pytest.mark.parametrize(
    ("cases", "qrecall", "hit_rate"),
    [(ARBEL_2, QRECALL_2, HIT_RATE_2), (ARBEL_3, QRECALL_3, HIT_RATE_3)],
    ids=["Table 2", "Table 3"],
)
def test_every_row_of_arbels_tables_2_and_3_comes_out(
    cases: bt.Cases, qrecall: str, hit_rate: str
) -> None:
    assert [bt.value("qrecall", cases, top=j) for j in range(1, 11)] == fractions(qrecall)
    assert [bt.value("hit_rate", cases, top=j) for j in range(1, 11)] == fractions(hit_rate)
    assert [point.y for point in bt.curve("hit_rate", cases).points] == fractions(hit_rate)


def test_the_averages_of_arbels_tables_are_exact() -> None:
    assert bt.value("average_qrecall", ARBEL_2) == Fraction(25, 28)
    assert bt.explain("average_qrecall", ARBEL_2).decimal(3) == "0.893"
    assert bt.value("average_hit_rate", ARBEL_2) == Fraction(251, 336)
    assert bt.explain("average_hit_rate", ARBEL_2).decimal(3) == "0.747"
    assert bt.value("pem", ARBEL_2) == Fraction(7, 12)
    for name in ("average_qrecall", "average_hit_rate", "pem"):
        assert bt.value(name, ARBEL_3) == 1


def test_pem_prints_every_row_of_arbels_table_5() -> None:
    table = table_of(bt.explain("pem", ARBEL_2))
    printed = {
        "Qrecall(j)": QRECALL_2,
        "Qrandom(j)": "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1",
        "Qopt(j)": "0.25 0.5 0.75 1 1 1 1 1 1 1",
        "S₁": "0.15 0.05 0.2 0.35 0.25 0.15 0.3 0.2 0.1 0",
        "S₂": "0 0 0 0 0 0 0 0 0 0",
        "S₃": "0.15 0.3 0.45 0.6 0.5 0.4 0.3 0.2 0.1 0",
    }
    for head, column in printed.items():
        assert [Fraction(cell) for cell in cells(table, head)] == fractions(column), head
    assert table.totals is not None
    assert [write(cell) for cell in table.totals[-3:] if not isinstance(cell, str)] == [
        "7/4",
        "0",
        "3",
    ]


def called_positive(cases: bt.Cases, threshold: str, rule: str) -> list[int]:
    """Murphy's column of estimated labels, in the order of his table."""
    ranking = cases.ranking
    above = ranking.order[: ranking.cut_above(threshold, rule).k]
    return [int(place in above) for place in range(cases.n)]


def test_murphys_table_1_comes_out_with_scores_at_the_threshold_called_positive() -> None:
    cases = bt.load("murphy_1")
    assert called_positive(cases, "0", ">=") == [1] * 9
    assert called_positive(cases, "0.5", ">=") == [1, 1, 1, 1, 1, 0, 0, 0, 0]
    assert called_positive(cases, "1", ">=") == [0] * 9
    # By the rule that his text states, the fifth case would be missed.
    assert called_positive(cases, "0.5", ">") == [1, 1, 1, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("rule", [">", ">="])
def test_murphys_table_2_comes_out_by_either_rule(rule: str) -> None:
    cases = bt.load("murphy_2")
    assert called_positive(cases, "0", rule) == [1] * 9
    assert called_positive(cases, "0.5", rule) == [1, 1, 1, 1, 0, 1, 0, 0, 0]
    assert called_positive(cases, "1", rule) == [0] * 9
    assert bt.value("TPR", cases, at="0.5", rule=rule) == Fraction(4, 5)
    assert bt.value("FPR", cases, at="0.5", rule=rule) == Fraction(1, 4)


MURPHY_5 = {
    "accuracy": "0.9 0.9 0.88",
    "precision": "0.9 1 1",
    "recall": "1 8/9 13/15",
    "F score": "18/19 16/17 13/14",
}


@pytest.mark.parametrize(("name", "printed"), MURPHY_5.items())
def test_murphys_table_5_comes_out(name: str, printed: str) -> None:
    assert [bt.value(name, ABC[model]) for model in "ABC"] == fractions(printed)


def test_murphys_mutual_information_is_in_nats() -> None:
    log, rational = sympy.log, sympy.Rational
    model_b = rational(4, 5) * log(rational(10, 9)) + log(5) / 10 + log(rational(5, 9)) / 10
    assert bt.value("mutual_information", ABC["B"]) == sympy.expand_log(model_b, factor=True)
    assert bt.value("mutual_information", ABC["A"]) == Fraction(0)
    digits = [bt.explain("mutual_information", ABC[model]).decimal(4) for model in "ABC"]
    assert digits == ["0.0000", "0.1865", "0.1735"]


def test_murphys_retrieval_of_everything_has_the_harmonic_mean_0_00019998() -> None:
    everything = bt.Counts(tp=1, fp=9999, fn=0, tn=0)
    assert bt.value("F score", everything) == Fraction(2, 10001)
    assert bt.explain("F score", everything).decimal(8) == "0.00019998"


# Lines ----------------------------------------------------------------------------------------

PRINTED_LINES = {
    "mean_absolute_error": [
        "MAE = (1/10) × (|1 − 0.95| + |1 − 0.8| + |0 − 0.75| + |1 − 0.6| + |1 − 0.5| + "
        "|0 − 0.45| + |0 − 0.3| + |1 − 0.25| + |0 − 0.2| + |0 − 0.1|)",
        "= 0.37",
    ],
    "brier_score": [
        "MSE = (1/10) × ((1 − 0.95)² + (1 − 0.8)² + (0 − 0.75)² + (1 − 0.6)² + (1 − 0.5)² + "
        "(0 − 0.45)² + (0 − 0.3)² + (1 − 0.25)² + (0 − 0.2)² + (0 − 0.1)²)",
        "= 0.192",
    ],
    "root_mean_square_error": ["√(0.192) ≈ 0.4382"],
    "log_loss": [
        "logloss = −(1/10) × ((1 × log₂(0.95) + (1 − 1) × log₂(1 − 0.95)) + "
        "(1 × log₂(0.8) + (1 − 1) × log₂(1 − 0.8)) + "
        "(0 × log₂(0.75) + (1 − 0) × log₂(1 − 0.75)) + "
        "(1 × log₂(0.6) + (1 − 1) × log₂(1 − 0.6)) + "
        "(1 × log₂(0.5) + (1 − 1) × log₂(1 − 0.5)) + "
        "(0 × log₂(0.45) + (1 − 0) × log₂(1 − 0.45)) + "
        "(0 × log₂(0.3) + (1 − 0) × log₂(1 − 0.3)) + "
        "(1 × log₂(0.25) + (1 − 1) × log₂(1 − 0.25)) + "
        "(0 × log₂(0.2) + (1 − 0) × log₂(1 − 0.2)) + "
        "(0 × log₂(0.1) + (1 − 0) × log₂(1 − 0.1)))",
        "≈ 0.7984",
    ],
    "information_score": [
        "(−log₂(0.5) + log₂(0.95))",
        "(log₂(1 − 0.5) − log₂(1 − 0.25))",
        # Berrar prints log₂ 0.30 in this place, which is not 0.485.
        "(−log₂(0.5) + log₂(0.7))",
        "(0.9260 + 0.6781 − 0.5850 + 0.2630 + 0 + 0.1375 + 0.4854 − 0.5850 + 0.6781 + 0.8480)",
    ],
    "auc": [
        "S₋ = Σ(negatives) Rᵢ = 3 + 6 + 7 + 9 + 10 = 35",
        "AUC = (35 − 1/2 × 5 × (5 + 1)) / (5 × 5)",
        "= 4/5 = 0.8",
    ],
    "gini": ["2 × 4/5 − 1"],
    "average_gain": [
        "(1/10) × ((1 − 0.5) + (2 − 1) + (2 − 1.5) + (3 − 2) + (4 − 2.5) + (4 − 3) + (4 − 3.5) + "
        "(5 − 4) + (5 − 4.5) + (5 − 5))",
        "= 0.75",
    ],
    "average_lift": [
        "(1/10) × (2 + 2 + 4/3 + 3/2 + 8/5 + 4/3 + 8/7 + 5/4 + 10/9 + 1)",
        "≈ 1.4271",
    ],
    "mean_precision": [
        "(1/10) × (1 + 1 + 2/3 + 3/4 + 4/5 + 2/3 + 4/7 + 5/8 + 5/9 + 1/2)",
        "≈ 0.7135",
    ],
    "taks": [
        "(1/5 − 0) + (2/5 − 0) + (2/5 − 1/5) + (3/5 − 1/5) + (4/5 − 1/5) + (4/5 − 2/5) + "
        "(4/5 − 3/5) + (1 − 3/5) + (1 − 4/5)",
        "= 1/9 × 3 = 1/3",
    ],
    "average_precision": [
        "1 × (1/5 − 0) + 1 × (2/5 − 1/5) + 2/3 × (2/5 − 2/5) + 3/4 × (3/5 − 2/5) + "
        "4/5 × (4/5 − 3/5) + 2/3 × (4/5 − 4/5) + 4/7 × (4/5 − 4/5) + 5/8 × (1 − 4/5) + "
        "5/9 × (1 − 1) + 1/2 × (1 − 1)",
        "= 167/200 = 0.835",
    ],
    "aucpr_min": [
        "((0 + 1) / 2) × (1/5 − 0) + ((1 + 2/3) / 2) × (2/5 − 1/5) + "
        "((2/3 + 3/4) / 2) × (3/5 − 2/5) + ((3/4 + 4/7) / 2) × (4/5 − 3/5) + "
        "((4/7 + 1/2) / 2) × (1 − 4/5)",
        "= 68/105 ≈ 0.6476",
    ],
    "aucpr_minmax": ["((3/4 + 4/5) / 2) × (4/5 − 3/5) + ((4/7 + 5/8) / 2) × (1 − 4/5)"],
    "aucpr_max": ["((1 + 3/4) / 2) × (3/5 − 2/5)", "= 309/400 = 0.7725"],
}


@pytest.mark.parametrize(("name", "lines"), PRINTED_LINES.items(), ids=PRINTED_LINES)
def test_a_derivation_prints_the_worked_lines_of_the_document(name: str, lines: list[str]) -> None:
    text = shown(name)
    places = [text.find(printed) for printed in lines]
    assert -1 not in places, text
    assert places == sorted(places)


AT_T5_LINES = {
    "accuracy": "(3 + 4) / (3 + 1 + 2 + 4)",
    "positive_likelihood_ratio": "(3/5) / (1 − 4/5)",
    "negative_likelihood_ratio": "(1 − 3/5) / (4/5)",
    "f_measure": "2 × ((3/4 × 3/5) / (3/4 + 3/5))",
    "g_measure": "√(3/4 × 3/5)",
    "matthews_correlation": "(3 × 4 − 1 × 2) / √((3 + 2) (3 + 1) (4 + 1) (4 + 2))",
}


@pytest.mark.parametrize(("name", "printed"), AT_T5_LINES.items(), ids=AT_T5_LINES)
def test_a_derivation_at_t5_puts_in_berrars_numbers(name: str, printed: str) -> None:
    assert printed in shown(name, top=4)


def test_kappa_shows_observed_and_expected_agreement_apart() -> None:
    text = shown("cohens_kappa", top=4)
    observed = text.index("P₀ = (TP + TN) / n = (3 + 4) / 10 = 7/10 = 0.7")
    expected = text.index(
        "P_e = ((TP + FP) / n) × ((TP + FN) / n) + ((FN + TN) / n) × ((FP + TN) / n)"
    )
    # This is the number that Berrar prints as kappa itself.
    chance = text.index("((3 + 1) / 10) × ((3 + 2) / 10) + ((2 + 4) / 10) × ((1 + 4) / 10)")
    result = text.index("κ = (7/10 − 1/2) / (1 − 1/2)")
    assert observed < expected < chance < text.index("= 1/2 = 0.5") < result
    assert text.endswith("= 2/5 = 0.4")


def test_pem_prints_its_three_areas_with_their_totals() -> None:
    rows = str(bt.explain("pem", ARBEL_2)).splitlines()
    (heads,) = [
        row.split() for row in rows if "Qrandom(j)" in row and "S₃" in row and "score" in row
    ]
    assert heads[-3:] == ["S₁", "S₂", "S₃"]
    (totals,) = [row.split() for row in rows if row.split()[:1] == ["sum"]]
    assert totals == ["sum", "7/4", "0", "3"]
    assert "PEM = (7/4 − 0) / 3" in line("\n".join(rows))


def test_the_three_ways_to_the_auc_differ_and_give_one_value() -> None:
    ways = [bt.explain("auc", TEN, method=way) for way in ("ranks", "pairs", "trapezoids")]
    assert len({str(way) for way in ways}) == 3
    assert {way.value for way in ways} == {Fraction(4, 5)}
    ranks, pairs, trapezoids = (line(str(way)) for way in ways)
    assert "3 + 6 + 7 + 9 + 10" in ranks
    assert "(5 + 5 + 4 + 4 + 2) / 25" in pairs
    assert "0 + 0 + 2/25 + 0 + 0 + 4/25 + 4/25 + 0 + 1/5 + 1/5" in trapezoids


def test_the_cut_is_drawn_under_the_fourth_case() -> None:
    rows = str(bt.explain("precision", TEN, top=4)).splitlines()
    (cut,) = [
        place for place, row in enumerate(rows) if row.strip().startswith("===") and "cut" in row
    ]
    assert rows[cut - 1].split() == ["4", "7", "1", "0.6"]
    assert rows[cut + 1].split() == ["5", "6", "1", "0.5"]
    assert table_of(bt.explain("precision", TEN, top=4)).line == 4
