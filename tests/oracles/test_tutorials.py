"""The commands of docs/tutorials/ run from top to bottom in a fresh environment, in an empty folder, with nopt from a wheel.

A block ```python NAME is written to the file NAME first. `make frameworks` installs the frameworks (`--oracles=DIR`).
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from console_blocks import commands, pattern
from import_environment import ROOT

PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
FILE = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = 240
"""Time limit of one command. A training takes less than a minute on two processors."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_of_a_tutorial_print_what_it_shows(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name, content in FILE.findall(text):
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = list(commands(text))
    assert len(found) >= 5
    for command, expected in found:
        done = subprocess.run(
            command,
            shell=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=SECONDS,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        assert re.fullmatch(pattern(expected), done.stdout), f"{command}\n{done.stdout}"
        assert "[BUG001]" not in done.stdout


def test_every_tutorial_has_a_script_and_commands() -> None:
    """These tests run without frameworks, so that a page does not lose its commands unseen."""
    assert [page.stem for page in PAGES] == ["norse", "snntorch"]
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert FILE.search(text)
        typed = [command for command, _ in commands(text)]
        for start in (
            "python train.py",
            "nopt import train.py:make_network",
            "nopt run digits.nir",
            "nopt compile digits.nir",
        ):
            assert any(command.startswith(start) for command in typed), start
