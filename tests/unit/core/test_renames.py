"""Old names lead to new ones, and no old name has another meaning today."""

from __future__ import annotations

from pathlib import Path

import nopt.api as nopt
from nopt.core import registry
from nopt.core.renames import renamed


def test_no_old_code_has_another_meaning() -> None:
    codes = {*nopt.codes()}
    assert {*renamed()["codes"]} & codes == set()
    assert {*renamed()["codes"].values()} - codes == set()


def test_no_old_pass_has_another_meaning() -> None:
    passes = {*registry.passes()}
    assert {*renamed()["passes"]} & passes == set()
    assert {*renamed()["passes"].values()} - passes == set()


def test_the_changelog_lists_every_old_code(root: Path) -> None:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [old for old, new in renamed()["codes"].items() if f"| {old} | {new} |" not in text] == []
