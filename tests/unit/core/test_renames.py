"""Old names lead to new ones, and no old name has another meaning today."""

from __future__ import annotations

from pathlib import Path

import pytest

import nopt.api as nopt
from nopt.core import registry
from nopt.core.diagnostics import Refused
from nopt.core.ir.pipeline import options, parse_pipeline
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


def test_no_old_option_has_another_meaning() -> None:
    passes = {name: {option for option, _, _ in options(load())} for name, load in registry.passes().items()}
    for old, new in renamed()["options"].items():
        name, _, option = old.removesuffix("}").partition("{")
        assert option not in passes[name]
        assert new in passes[name]


def test_the_help_replaces_an_old_option() -> None:
    with pytest.raises(Refused, match=r"ntensor-clamp-delays\{max-delay=3\}"):
        parse_pipeline("ntensor-clamp-delays{most=3}", registry.passes())
