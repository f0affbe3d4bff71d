"""The tutorials that need no framework, in an environment with nopt from a wheel. tests/oracle/test_tutorials.py runs the others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from console_blocks import BLOCK, Command, steps
from tutorial_pages import OTHER_PAGES, ROOT, run_page

SECONDS = 120
"""Time limit of one command."""


@pytest.mark.parametrize("page", OTHER_PAGES, ids=lambda page: page.stem)
def test_commands_of_a_tutorial_print_what_it_shows(
    page: Path, wheel_environment: dict[str, str], tmp_path: Path
) -> None:
    run_page(page, tmp_path, wheel_environment, SECONDS)


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("embedded", ("nopt compile", "nopt run", "nopt compare", "cc -std=c99 -Wall -Wextra -Werror", "make")),
        (
            "chip-team",
            ("nopt new device", "nopt device check", "nopt device doc", "nopt check", "nopt conform", "nopt sweep"),
        ),
        ("learning", ("nopt run", "nopt import-weights", "nopt compile", "python glyphs.py")),
        ("pass", ("nopt new pass", "lit", "nopt digits.nir", "python prune.py")),
    ],
)
def test_a_tutorial_has_the_commands_of_its_reader(name: str, needed: tuple[str, ...]) -> None:
    text = (ROOT / "docs" / "tutorials" / f"{name}.md").read_text(encoding="utf-8")
    typed = [step.line for step in steps(text) if isinstance(step, Command)]
    assert [start for start in needed if not any(line.startswith(start) for line in typed)] == []


def test_commands_use_the_wheel(wheel_environment: dict[str, str], tmp_path: Path) -> None:
    """Neither Python nor the command finds nopt in the tree."""
    located = "import nopt.core.registry as registry; print(registry.ROOT)"
    python = subprocess.check_output(["python", "-c", located], env=wheel_environment, cwd=tmp_path, text=True)
    (tmp_path / "record.py").write_text(f"{located}\nraise SystemExit\n", encoding="utf-8")
    command = ["nopt", "targets", "--load-target", "record.py"]
    loaded = subprocess.run(command, env=wheel_environment, cwd=tmp_path, text=True, capture_output=True, check=False)
    assert python.strip() in loaded.stdout
    assert ROOT not in Path(python.strip()).parents
    assert Path(python.strip()) != ROOT


def test_python_of_the_readme_runs(wheel_programs: Path, wheel_environment: dict[str, str], tmp_path: Path) -> None:
    """It runs in a new process. tests/docs/test_python_page.py runs it in the tree."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    blocks = [content for kind, _, content in BLOCK.findall((ROOT / "README.md").read_text()) if kind == "python"]
    assert blocks
    subprocess.run(
        [wheel_programs / "python", "-c", "\n".join(blocks)], env=wheel_environment, cwd=tmp_path, check=True
    )
