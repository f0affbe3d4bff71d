"""The output on the pages is real: every ```console block of README.md, docs/ and examples/ is run and compared.

In such a block the shell runs each line `$ command`, in a folder that holds only `examples/`. The lines up to the next command are
its expected output, including standard error. `…` in a line matches any text; a line that is only `…` matches any number of lines.
Blocks that are not run (`make`, an installation) are marked ```sh.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    return sorted([ROOT / "README.md", *ROOT.glob("examples/**/*.md"), *ROOT.glob("docs/**/*.md")])


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yields every command of a page with its expected output."""
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.split("\n")
            size = 1
            while lines[size - 1].endswith("\\"):
                size += 1
            yield "\n".join(lines[:size]), "\n".join(lines[size:]).rstrip()


def pattern(expected: str) -> str:
    """Converts a page's output to a regular expression."""
    lines = expected.split("\n") if expected else []
    parts = [
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r" *\n" for line in lines
    ]
    return "".join(parts)


SHOWN = [path for path in pages() if path.is_file() and any(commands(path.read_text(encoding="utf-8")))]


@pytest.mark.parametrize("page", SHOWN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_shown_output_is_real(page: Path, tmp_path: Path, nopt_folder: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = os.pathsep.join([str(nopt_folder), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    for command, expected in commands(page.read_text(encoding="utf-8")):
        done = subprocess.run(
            command,
            shell=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            cwd=tmp_path,
            env=environment,
        )
        printed = done.stdout.rstrip() + "\n" if done.stdout.strip() else ""
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
