"""Extras of the package: those of pyproject.toml, with their packages."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

import nopt.api as nopt
from nopt.api.catalogue import package_extras


def test_extras_are_those_of_the_project(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = project["optional-dependencies"]
    found = {one.name: one for one in nopt.extras()}
    assert {*found} == set(declared)
    for name, texts in declared.items():
        assert len(found[name].packages) == len(texts)


def test_every_target_of_the_tree_has_an_extra(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = {path.parent.name for path in root.glob("targets/*/target.py")}
    assert {name for name in project["optional-dependencies"] if name.startswith("backend_")} == {
        f"backend_{slug}" for slug in own
    }
    for slug in own:
        extra = package_extras.backend_extra(slug)
        assert extra is not None
        assert extra.is_installed


def test_missing_packages_have_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> Sequence[str]:
        return ["no-such-package>=1; extra == 'backend_asic'", "numpy>=1; extra == 'backend_asic'"]

    monkeypatch.setattr(package_extras, "requires", requires)
    monkeypatch.setattr(package_extras, "extra_names", lambda name: ["backend_asic"])
    extra = package_extras.backend_extra("asic")
    assert extra is not None
    assert not extra.is_installed
    assert extra.packages["no-such-package"] is None
    assert extra.packages["numpy"] is not None
    assert extra.command == "pip install 'nopt[backend_asic]'"
    assert package_extras.backend_extra("c") is None
