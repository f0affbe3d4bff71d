"""Names of approximations: those of passes are known, and the page on devices explains each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nopt.api as nopt
from nopt.api.permissions.approximation_names import permitted_names
from nopt.core import registry
from nopt.core.approximations import APPROXIMATIONS
from nopt.core.ir.pipeline import NoptPass
from nopt.passes.legalize.updates._update_comparison import PROPERTIES


def test_names_of_passes_are_known() -> None:
    passes = [made() for made in registry.passes().values()]
    named = {name for one in passes if issubclass(one, NoptPass) for name in one.APPROXIMATES}
    assert named | {*PROPERTIES} <= APPROXIMATIONS.keys()
    assert "precision" in named


def test_documentation_explains_each_name(root: Path) -> None:
    page = (root / "docs" / "choosing.md").read_text(encoding="utf-8")
    section = page.partition("### Approximations")[2].partition("\n### ")[0]
    assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", section, re.MULTILINE)) == APPROXIMATIONS


def test_permissions_are_sorted_names() -> None:
    assert permitted_names("reset, count,") == permitted_names(["count", "reset"]) == ("count", "reset")
    assert permitted_names("all,reset") == tuple(sorted(APPROXIMATIONS))
    assert permitted_names(()) == ()
    with pytest.raises(nopt.Refused, match="CMP015") as refused:
        permitted_names("refractry")
    assert "--approximate refractory" in str(refused.value)
