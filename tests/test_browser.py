"""What a browser makes of derivations: formulas are drawn, nothing is cut off or asked for."""

from typing import Any

import pytest

import binteach as bt
from binteach.cli import main

TEN = bt.load("ten_cases")
DERIVATIONS = {
    "precision": bt.explain("precision", TEN, top=4),
    "kappa": bt.explain("kappa", bt.Counts(3, 1, 2, 4)),
    "matthews": bt.explain("MCC", TEN, top=4),
    "f_measure": bt.explain("F", TEN, at="0.55"),
    "log_loss": bt.explain("log_loss", TEN),
    "information": bt.explain("relative_information_score", TEN),
    "auc": bt.explain("auc", TEN, method="trapezoids"),
    "pem": bt.explain("pem", bt.load("arbel_2")),
    "pearson": bt.explain("quota_pearson", TEN, top=4),
    "long": bt.explain("auc", bt.load("breast_cancer"), method="pairs"),
    "undefined": bt.explain("precision", TEN, top=0),
    "definition": bt.explain("information_score"),
}

MEASURE_PAGE = """() => {
  const formulas = [...document.querySelectorAll('math')];
  const wide = [...document.querySelectorAll('div.binteach > :not(.chain)')]
    .filter(e => e.getBoundingClientRect().right > innerWidth);
  return {
    formulas: formulas.length,
    invisible: formulas.filter(m => m.getBoundingClientRect().height < 5).length,
    flat: [...document.querySelectorAll('mfrac')].filter(f =>
      f.firstElementChild.getBoundingClientRect().bottom >
      f.lastElementChild.getBoundingClientRect().top + 2).length,
    fractions: document.querySelectorAll('mfrac').length,
    cutOff: wide.map(e => e.outerHTML.slice(0, 80)),
    text: document.body.innerText,
  };
}"""


def open_page(chromium: Any, markup: str, width: int) -> tuple[Any, list[str]]:
    """A page with this markup, and whatever it complained about or tried to fetch."""
    page = chromium.new_page(viewport={"width": width, "height": 800})
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("request", lambda request: trouble.append(request.url))
    page.set_content(markup)
    return page, trouble


def page_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main(arguments)
    return capsys.readouterr().out


@pytest.mark.parametrize("name", DERIVATIONS)
def test_html_is_drawn_without_script_network_or_loss(chromium: Any, name: str) -> None:
    for width in (1000, 480):
        page, trouble = open_page(chromium, DERIVATIONS[name].html(), width)
        seen = page.evaluate(MEASURE_PAGE)
        page.close()
        assert trouble == []
        assert seen["formulas"] > 1
        assert seen["invisible"] == 0
        assert seen["flat"] == 0, "a numerator stands over its denominator"
        if width == 1000:
            assert seen["cutOff"] == []


@pytest.mark.parametrize("name", DERIVATIONS)
def test_mathml_alone_is_drawn(chromium: Any, name: str) -> None:
    page, trouble = open_page(chromium, DERIVATIONS[name].mathml(), 1400)
    box = page.evaluate("() => document.querySelector('math').getBoundingClientRect().toJSON()")
    page.close()
    assert trouble == []
    assert box["height"] > 100
    assert box["width"] > 200


def test_the_page_of_the_command_shows_every_sign_in_any_encoding(
    chromium: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    markup = page_of(["explain", "mae", "--data", "ten_cases", "--format", "html"], capsys)
    page, trouble = open_page(chromium, markup, 1000)
    text = page.evaluate("() => document.body.innerText")
    page.close()
    assert trouble == []
    assert "Mean absolute error" in text
    assert "∑" in text
    assert "−" in text
    assert "�" not in text


def test_hostile_names_do_not_run_in_a_page(chromium: Any) -> None:
    names = [
        "<img src=x onerror=document.title='owned'>",
        "</math><script>document.title=1</script>",
    ]
    cases = bt.Cases([1, 0], [0.9, 0.2], names=names)
    for markup in (
        bt.explain("precision", cases, top=1).html(),
        bt.explain("precision", cases, top=1).mathml(),
        bt.curve("roc", cases)._repr_html_(),
    ):
        page, trouble = open_page(chromium, markup, 1000)
        title, images = page.evaluate(
            "() => [document.title, document.querySelectorAll('img, script').length]"
        )
        page.close()
        assert (title, images, trouble) == ("", 0, [])
