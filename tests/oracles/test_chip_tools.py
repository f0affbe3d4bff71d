"""The tools that targets name as their oracles exist, with their tests, and `make test` does not run them."""

from __future__ import annotations

from pathlib import Path

import pytest
from environments import CHIP_TOOLS, HERE, UnavailableError
from installation import Installation, is_of_chip

from nopt.core import registry

NAMED = {slug: dict(load().oracles) for slug, load in registry.targets().items()}


@pytest.mark.parametrize("slug", [slug for slug, named in NAMED.items() if named])
def test_a_target_names_tools_and_their_tests(slug: str, root: Path) -> None:
    files = {*(HERE / slug).glob("test_*.py")}
    named = [root / path for path in NAMED[slug].values()]
    assert {file for path in named for file in ([path] if path.is_file() else path.glob("test_*.py"))} == files
    assert CHIP_TOOLS.keys() >= NAMED[slug].keys()


def test_every_folder_of_tests_is_of_a_target() -> None:
    folders = {path.parent.name for path in HERE.glob("*/test_*.py")}
    assert folders == {slug for slug, named in NAMED.items() if named}


def test_only_the_tests_of_targets_are_left_to_make_oracles() -> None:
    assert all(is_of_chip(path) for path in HERE.glob("*/test_*.py"))
    assert not any(is_of_chip(path) for path in HERE.glob("*.py"))


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
