"""The Python of docs/python.md, docs/check.md, docs/choosing.md and README.md runs, from top to bottom of a page, in one namespace."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("docs/python.md", 8),
        ("README.md", 1),
        ("docs/check.md", 1),
        ("docs/choosing.md", 2),
    ],
)
def test_python_of_page_runs(root: Path, name: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (root / name).read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) >= least
    monkeypatch.chdir(root)
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks:
        before = "\n" * text.count("\n", 0, block.start(1))  # so that errors name the page's line
        exec(compile(before + block[1], str(root / name), "exec", dont_inherit=True), names)


MATRIX = (
    *("matrix", "capabilities", "capability_totals", "pending_capabilities", "readiness_ranking"),
    *("op_support", "feature_choices", "select_device", "engines", "extras", "neurons", "presets", "targets"),
)
"""Functions of `nopt.api` about capabilities, the choice of a device, and what is installed."""


def test_one_page_uses_every_function_of_the_matrix(root: Path) -> None:
    text = (root / "docs" / "choosing.md").read_text(encoding="utf-8")
    used = {name for block in BLOCK.findall(text) for name in re.findall(r"\bnopt\.(\w+)\(", block)}
    assert {*MATRIX} - used == set()
