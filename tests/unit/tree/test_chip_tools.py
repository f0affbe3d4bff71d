"""The tools that targets name as their oracles exist, with their tests and pinned packages."""

from __future__ import annotations

from pathlib import Path

import pytest
from environments import CHIP_TOOLS, FRAMEWORKS, HERE, IMPORTS, Tool, UnavailableError, is_current, prepare
from installation import Installation

from nopt.core import registry

NAMED = {slug: dict(load().oracles) for slug, load in registry.targets().items()}


@pytest.mark.parametrize("slug", [slug for slug, named in NAMED.items() if named])
def test_a_target_names_tools_and_their_tests(slug: str, root: Path) -> None:
    files = {*(HERE / slug).glob("test_*.py")}
    named = [root / path for path in NAMED[slug].values()]
    assert {file for path in named for file in ([path] if path.is_file() else path.glob("test_*.py"))} == files
    assert CHIP_TOOLS.keys() >= NAMED[slug].keys()


OF_ENGINES = {"nestml", "plasticity"}
"""Folders of tests that compare the engines, not a chip, with other simulators."""


def test_every_folder_of_tests_is_of_a_target() -> None:
    folders = {path.parent.name for path in HERE.glob("*/test_*.py")}
    assert folders == {slug for slug, named in NAMED.items() if named} | OF_ENGINES


def test_a_tool_that_cannot_be_installed_is_skipped_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def fail(tool: object, folder: Path) -> Path:
        calls.append(str(folder))
        raise UnavailableError("no matching distribution")

    monkeypatch.setattr("installation.prepare", fail)
    installation = Installation(tmp_path)
    for _ in range(2):
        with pytest.raises(pytest.skip.Exception, match="Lava cannot be installed: no matching distribution"):
            installation.python("lava")
    assert calls == [str(tmp_path)]


def test_a_tool_that_cannot_be_installed_is_no_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = Tool("snntorch", "snnTorch", "snntorch_networks.py", newest=(3, 0))
    with pytest.raises(UnavailableError, match=r"Python 3\.0 or older is needed"):
        prepare(tool, tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(UnavailableError, match="torch"):
        prepare(FRAMEWORKS["snntorch"], tmp_path)
    assert not is_current(tool, tmp_path)


@pytest.mark.parametrize("tool", [*FRAMEWORKS.values(), *CHIP_TOOLS.values(), IMPORTS], ids=lambda tool: tool.name)
def test_every_package_is_pinned(tool: Tool) -> None:
    lines = tool.requirements.read_text(encoding="utf-8").splitlines()
    assert all(line.startswith("#") or "==" in line for line in lines)
