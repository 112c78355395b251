"""axe-core finds nothing serious in any page of an explorer, wide or narrow, whatever is chosen."""

from pathlib import Path
from typing import Any

import pytest
from every_explorer import EXPORTED, example, opened, press

# Formulas that are wider than a telephone.
WIDE = {"threshold": ("measure", "mutual_information"), "quota": ("measure", "quota_pearson")}


def serious(page: Any, axe: str, within: str = "html") -> list[str]:
    """What axe-core holds to be serious or critical in a part of the page, with the places."""
    page.evaluate(axe)
    found = page.evaluate(
        "(within) => axe.run(within, {resultTypes: ['violations']})",
        within,
    )
    return [
        f"{each['id']}: {each['help']}: {node['target']} {node['html'][:200]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("name", EXPORTED)
def test_a_page_keeps_nobody_out(chromium: Any, axe: str, name: str, tmp_path: Path) -> None:
    explorer = example(name)
    if name in WIDE:
        setattr(explorer, *WIDE[name])
    page, trouble = opened(chromium, explorer.save(tmp_path / "page.html"))
    found = serious(page, axe)
    page.set_viewport_size({"width": 400, "height": 900})
    press(page, "Home")
    found += serious(page, axe)
    page.close()
    assert found == []
    assert trouble == []


def test_what_keeps_people_out_is_found(chromium: Any, axe: str) -> None:
    page = chromium.new_page()
    page.set_content(
        "<html lang=en><title>x</title><p style='color: #aaa'>pale</p><select></select>"
    )
    found = serious(page, axe)
    page.close()
    assert {each.split(":")[0] for each in found} == {"color-contrast", "select-name"}
