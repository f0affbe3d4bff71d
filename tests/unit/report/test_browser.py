"""Pages of builds in headless Chromium, at the widths of a desktop and a phone, in a light and a dark theme.

No edge and no link is behind a box, every link with load is drawn, a click or a key selects a core with its vertices and routes, every text has enough contrast,
and nothing is loaded.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browser import BUILDS, WIDTHS, View, build, build_two_chips, chromium, observe

MOST_BYTES = 3 * 2**20
MOST_ELEMENTS = 5000
TWO_CHIPS = "two-chips"
NAMES = (*BUILDS, TWO_CHIPS)
UNITS = ("speck", "crossbars")
"""Builds for chips that compute layers, which have no mapping."""
CASES = list(product(NAMES, WIDTHS.values(), (False, True)))


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    return {name: build(folder, name) for name in BUILDS} | {TWO_CHIPS: build_two_chips(folder)}


@pytest.fixture(scope="session")
def seen(
    pages: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, int, bool], dict[str, Any]]:
    """What each page shows, by name, width, and whether the theme is dark."""
    program = chromium()
    if program is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    found: dict[tuple[str, int, bool], dict[str, Any]] = {}
    for is_dark in (False, True):
        cases = [case for case in CASES if case[2] == is_dark]
        views = [View(pages[name], width, chosen_core(name, pages[name])) for name, width, _ in cases]
        shown = observe(program, views, tmp_path_factory.mktemp("frames"), is_dark=is_dark)
        found |= dict(zip(cases, shown, strict=True))
    return found


def mapping_of(page: Path) -> dict[str, Any]:
    return json.loads((page.parent / "mapping.json").read_text())


def chosen_core(name: str, page: Path) -> str:
    """Returns the key of a core whose vertices have routes over links, or of the first unit."""
    if name in UNITS:
        return json.loads((page.parent / "report.json").read_text())["units"][0]["unit"]
    mapping = mapping_of(page)
    source = next(one["source"] for one in mapping["routes"] if one["links"])
    return next(f"{one['chip']}/{one['core']}" for one in mapping["vertices"] if one["id"] == source)


@pytest.mark.parametrize("name", NAMES)
def test_page_is_small_and_whole(name: str, pages: dict[str, Path]) -> None:
    text = pages[name].read_text(encoding="utf-8")
    assert len(text.encode()) < MOST_BYTES
    assert "data:image/png" in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text


@pytest.mark.parametrize(("name", "width", "is_dark"), CASES)
def test_page_in_a_browser(
    name: str, width: int, is_dark: bool, seen: dict[tuple[str, int, bool], dict[str, Any]]
) -> None:
    found = seen[name, width, is_dark]
    assert found["width"] == width
    assert found["is_dark"] == is_dark
    assert found["faults"] == []
    assert found["outside"] == 0
    assert found["charts"] > 4
    assert found["undrawn"] == 0
    assert found["elements"] <= MOST_ELEMENTS
    assert found["overflow"] <= 0
    assert found["graphs"] >= 1
    assert found["edges"] >= 4
    assert found["clashes"] == []
    assert found["faint"] == []


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNITS])
def test_links_and_routes(
    name: str, width: int, pages: dict[str, Path], seen: dict[tuple[str, int, bool], dict[str, Any]]
) -> None:
    """Every link with load is drawn, and a selected core shows its vertices and marks the links of their routes."""
    found, mapping = seen[name, width, False], mapping_of(pages[name])
    core = chosen_core(name, pages[name])
    held = {one["id"] for one in mapping["vertices"] if f"{one['chip']}/{one['core']}" == core}
    links = [{tuple(link) for link in one["links"]} for one in mapping["routes"]]
    routes = [some for one, some in zip(mapping["routes"], links, strict=True) if one["source"] in held]
    assert found["cores"] == len(mapping["cores"])
    assert found["chosen"] == 1
    assert all(f"vertex {vertex}:" in found["details"] for vertex in held)
    assert found["links"] == len(set().union(*links)) > 1
    assert found["routes"] == len(set().union(*routes)) > 0


@pytest.mark.parametrize("name", UNITS)
def test_units_of_layers(name: str, pages: dict[str, Path], seen: dict[tuple[str, int, bool], dict[str, Any]]) -> None:
    """Every core for a layer and every array is drawn, and a selected one shows its layer."""
    found = seen[name, WIDTHS["desktop"], False]
    units = json.loads((pages[name].parent / "report.json").read_text())["units"]
    assert found["cores"] == len(units) > 1
    assert found["links"] == 0
    assert f"layer {units[0]['layers'][0]}" in found["details"]


@pytest.mark.parametrize("name", NAMES)
def test_keys_lead_to_cores(name: str, seen: dict[tuple[str, int, bool], dict[str, Any]]) -> None:
    """An arrow key leads to another core, Enter selects it, and Escape ends the selection."""
    assert seen[name, WIDTHS["desktop"], False]["keys"] == {"moved": True, "entered": True, "left": 0}


def test_two_chips_are_used(pages: dict[str, Path]) -> None:
    assert {core["chip"] for core in mapping_of(pages[TWO_CHIPS])["cores"]} == {0, 1}


def test_hex_torus_uses_several_routers(pages: dict[str, Path]) -> None:
    assert len({core["chip"] for core in mapping_of(pages["hex-torus"])["cores"]}) > 2
