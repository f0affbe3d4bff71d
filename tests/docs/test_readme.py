"""The output on the pages is real: every ```console block of README.md, docs/ and examples/ is run and compared, with nopt from a wheel.

In such a block the shell runs each line `$ command`, in a folder that holds only `examples/`. The lines up to the next command are
its expected output, including standard error. `…` in a line matches any text; a line that is only `…` matches any number of lines.
Blocks that are not run (`make`, an installation) are marked ```sh.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console_blocks import commands, pattern
from page_commands import run_command
from places import EXAMPLES, ROOT

TUTORIALS = ROOT / "docs" / "tutorials"
"""Pages that need frameworks; tests/oracle/test_tutorials.py runs them."""


def pages() -> list[Path]:
    docs = [path for path in ROOT.glob("docs/**/*.md") if not path.is_relative_to(TUTORIALS)]
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("examples/**/*.md"), *docs])


SHOWN = [path for path in pages() if path.is_file() and any(commands(path.read_text(encoding="utf-8")))]


SECONDS = 60
"""Time limit of one command."""


@pytest.mark.parametrize("page", SHOWN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_shown_output_is_real(page: Path, tmp_path: Path, wheel_environment: dict[str, str]) -> None:
    (tmp_path / "examples").symlink_to(EXAMPLES)
    for command, expected in commands(page.read_text(encoding="utf-8")):
        output = run_command(command, tmp_path, wheel_environment, SECONDS)
        printed = output.rstrip() + "\n" if output.strip() else ""
        assert re.fullmatch(pattern(expected), printed), f"$ {command}\nprints\n{printed}\nnot\n{expected}"


@pytest.mark.parametrize(
    ("expected", "printed", "fits"),
    [
        ("a\nb", "a\nb\n", True),
        ("a\nb", "a\nc\n", False),
        ("a … c", "a 0.1 c\n", True),
        ("a\n…\nz", "a\nb\nc\nz\n", True),
        ("a\n…\nz", "a\nb\nc\n", False),
        ("", "", True),
    ],
)
def test_elisions_stand_for_text(expected: str, printed: str, fits: bool) -> None:
    assert bool(re.fullmatch(pattern(expected), printed)) is fits
