"""The tutorials that train with PyTorch, in a fresh environment with nopt from a wheel. `make frameworks` installs the frameworks (`--oracles=DIR`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console_blocks import File, commands, steps
from places import ROOT
from tutorial_pages import FRAMEWORK_PAGES, run_page

SECONDS = 240
"""Time limit of one command. A training takes less than a minute on two processors."""


@pytest.mark.parametrize("page", FRAMEWORK_PAGES, ids=lambda page: page.stem)
def test_commands_of_a_tutorial_print_what_it_shows(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    outputs = run_page(page, tmp_path, environment, SECONDS)
    if page.stem == "train-for-a-chip":
        require_gains("\n".join(outputs))


def require_gains(printed: str) -> None:
    """Requires that each training brings accuracy, that each build has that of the loop, and that manufactured chips become better and more alike."""
    loops = re.findall(r"before: ([\d.]+)%\nafter: ([\d.]+)%", printed)
    assert len(loops) == 5
    assert all(float(before) < float(after) for before, after in loops)
    assert re.findall(r"accuracy: ([\d.]+) %", printed) == [after for _, after in loops[1:4]]
    before, after = re.findall(r"^20 chips +([\d.]+) +([\d.]+)", printed, re.MULTILINE)
    assert float(before[0]) < float(after[0])
    assert float(before[1]) > float(after[1])


IMPORTS = ("python train.py", "nopt import train.py:make_network", "nopt run digits.nir", "nopt compile digits.nir")
CHIPS = ("truenorth/ns1e", "loihi2/oheo_gulch", "akida/akd1000", "dynapse/se2")
STARTS = {
    "norse": IMPORTS,
    "snntorch": IMPORTS,
    "train-for-a-chip": (*(f"nopt export digits.mlir --torch --target {chip}" for chip in CHIPS), "python loop.py"),
}
LONGEST_LOOP = 40
"""Lines of the loop that trains for a chip."""


def test_every_tutorial_has_a_script_and_commands() -> None:
    """These tests run without frameworks, so that a page does not lose its commands unseen."""
    assert [page.stem for page in FRAMEWORK_PAGES] == [*STARTS]
    for page in FRAMEWORK_PAGES:
        text = page.read_text(encoding="utf-8")
        assert any(isinstance(step, File) for step in steps(text))
        typed = [command for command, _ in commands(text)]
        for start in STARTS[page.stem]:
            assert any(command.startswith(start) for command in typed), start


def test_the_loop_for_a_chip_is_short() -> None:
    text = (ROOT / "docs" / "tutorials" / "train-for-a-chip.md").read_text(encoding="utf-8")
    files = {step.name: step.content for step in steps(text) if isinstance(step, File)}
    assert len(files["loop.py"].splitlines()) <= LONGEST_LOOP
