"""The tutorials that start with a framework, in a fresh environment with nopt from a wheel. `make frameworks` installs the frameworks (`--oracles=DIR`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_blocks import File, commands, steps
from tutorial_pages import FRAMEWORK_PAGES, run_page

SECONDS = 240
"""Time limit of one command. A training takes less than a minute on two processors."""


@pytest.mark.parametrize("page", FRAMEWORK_PAGES, ids=lambda page: page.stem)
def test_commands_of_a_tutorial_print_what_it_shows(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    run_page(page, tmp_path, environment, SECONDS)


def test_every_tutorial_has_a_script_and_commands() -> None:
    """These tests run without frameworks, so that a page does not lose its commands unseen."""
    assert [page.stem for page in FRAMEWORK_PAGES] == ["norse", "snntorch"]
    for page in FRAMEWORK_PAGES:
        text = page.read_text(encoding="utf-8")
        assert any(isinstance(step, File) for step in steps(text))
        typed = [command for command, _ in commands(text)]
        for start in (
            "python train.py",
            "nopt import train.py:make_network",
            "nopt run digits.nir",
            "nopt compile digits.nir",
        ):
            assert any(command.startswith(start) for command in typed), start
