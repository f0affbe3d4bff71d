"""The tutorials that train with PyTorch, in a fresh environment with nopt from a wheel. `make frameworks` installs the frameworks (`--oracles=DIR`)."""

from __future__ import annotations

import contextlib
import math
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


SAMPLES = 597
"""Number of test samples of the page that trains for chips."""


def standard_error(accuracy: float) -> float:
    """Returns the standard error of an accuracy of the test samples, both in percent."""
    return math.sqrt(accuracy * (100 - accuracy) / SAMPLES)


def require_gain(before: float, after: float, reals: float) -> None:
    """Requires a gain beyond the standard error where the chip costs more than that against the network in reals, and never such a loss."""
    error = standard_error(before)
    assert after - before > (error if reals - before > error else -error), (before, after, reals)


def require_gains(printed: str) -> None:
    """Requires that trainings bring back what chips cost, that each build has the accuracy of its loop, and that manufactured chips become better and more alike."""
    loops = [(float(a), float(b)) for a, b in re.findall(r"before: ([\d.]+)%\nafter: ([\d.]+)%", printed)]
    (start, reals), *chips = loops
    assert len(chips) == len(CHIPS)
    assert reals - start > standard_error(reals)
    for before, after in chips:
        require_gain(before, after, reals)
    assert [float(text) for text in re.findall(r"accuracy: ([\d.]+) %", printed)] == [after for _, after in chips[:3]]
    shares = re.findall(r"^20 chips +([\d.]+) +([\d.]+)", printed, re.MULTILINE)
    (mean, deviation), (trained_mean, trained_deviation) = [(100 * float(a), 100 * float(b)) for a, b in shares]
    require_gain(mean, trained_mean, reals)
    assert trained_deviation < deviation


@pytest.mark.parametrize(
    ("before", "after", "reals", "is_enough"),
    [(94.1, 94.0, 94.0, True), (94.1, 93.0, 94.0, False), (91.3, 93.8, 94.0, True), (91.3, 92.3, 94.0, False)],
)
def test_a_gain_is_required_where_a_chip_costs_accuracy(
    before: float, after: float, reals: float, is_enough: bool
) -> None:
    """sqrt(0.941 * 0.059 / 597) = 0.96 %, sqrt(0.913 * 0.087 / 597) = 1.15 %."""
    with contextlib.nullcontext() if is_enough else pytest.raises(AssertionError):
        require_gain(before, after, reals)


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
