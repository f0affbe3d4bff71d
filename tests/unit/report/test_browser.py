"""Pages of builds in headless Chromium: all figures are drawn, nothing is loaded, and a click on a core shows its vertices."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import WIDTHS, build_cnn, build_two_chips, chromium, observe

MOST_BYTES = 3 * 2**20
MOST_ELEMENTS = 5000


@pytest.fixture(scope="session")
def cnn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_cnn(tmp_path_factory.mktemp("cnn"))


@pytest.fixture(scope="session")
def two_chips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_two_chips(tmp_path_factory.mktemp("two_chips"))


@pytest.fixture(params=["cnn", "two_chips"], ids=["cnn-mesh", "digits-two-chips"])
def page(request: pytest.FixtureRequest) -> Path:
    return request.getfixturevalue(request.param)


def test_page_is_small_and_whole(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(text.encode()) < MOST_BYTES
    assert "data:image/png" in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_page_in_a_browser(page: Path, width: int, tmp_path: Path) -> None:
    program = chromium()
    if program is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    mapping = json.loads((page.parent / "mapping.json").read_text())
    route = next(one for one in mapping["routes"] if one["links"])
    sources = {one["id"]: one for one in mapping["vertices"]}
    place = (sources[route["source"]]["chip"], sources[route["source"]]["core"])
    held = [one["id"] for one in mapping["vertices"] if (one["chip"], one["core"]) == place]
    found = observe(program, page, width, tmp_path, "{}/{}".format(*place))
    assert found["width"] == width
    assert found["faults"] == []
    assert found["outside"] == 0
    assert found["charts"] > 4
    assert found["images"] > 1
    assert found["undrawn"] == 0
    assert found["elements"] <= MOST_ELEMENTS
    assert found["overflow"] <= 0
    assert found["cores"] == len(mapping["cores"])
    assert found["chosen"] == 1
    assert all(f"vertex {name}:" in found["details"] for name in held)
    assert found["links"] == len({tuple(link) for one in mapping["routes"] for link in one["links"]})
    assert found["routes"] == len(
        {tuple(link) for one in mapping["routes"] if one["source"] in held for link in one["links"]}
    )


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_texts_are_readable(page: Path, is_dark: bool, tmp_path: Path) -> None:
    """Every text has a contrast of at least 4.5 to 1 with its background, in both themes; the contents of folded parts, too."""
    program = chromium()
    if program is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    found = observe(program, page, WIDTHS["phone"], tmp_path, is_dark=is_dark)
    assert found["is_dark"] == is_dark
    assert found["faint"] == []


def test_two_chips_are_used(two_chips: Path) -> None:
    mapping = json.loads((two_chips.parent / "mapping.json").read_text())
    assert {core["chip"] for core in mapping["cores"]} == {0, 1}
