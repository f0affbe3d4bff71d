"""Conductances of phase-change cells have the means and the spreads of aihwkit, when they are programmed, and after an hour, a day and a year."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from test_converters import run_tool

from nopt.core.device.named_device import resolve_device
from nopt.dialects.memxbar import Crossbar
from nopt.simulation.imperfections import Imperfections
from nopt.targets.memxbar.cells import CellPhysics, ManufacturedCells

SEEDS, CELLS, LEVELS = 20, 400, (0, 1, 4, 12, 20, 31)
AGES = {"hour": 3600.0, "day": 86400.0, "year": 365 * 86400.0}
SPREAD = 0.25


def conductances(physics: CellPhysics, crossbar: Crossbar, target: Any, age: float | None) -> Any:
    """Returns the conductances of the model for every seed. Shapes: [seeds, cells]."""
    found: list[Any] = []
    for seed in range(SEEDS):
        chip = Imperfections(seed, 0, age)
        cells = ManufacturedCells.of(physics, crossbar, target, chip, ("layer", "0"))
        found.append(cells.at(age, chip.generator("layer", "0", "read")))
    return np.array(found)


@pytest.fixture(scope="module")
def theirs(python_of: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Returns the conductances of the tool, [levels, seeds, (ages,) cells]."""
    crossbar = Crossbar.of(resolve_device("memxbar/array128"))
    given = {
        "target": np.repeat([level * crossbar.step for level in LEVELS], CELLS),
        "ages": np.array([*AGES.values()]),
        "seeds": np.arange(SEEDS),
        "g_max": crossbar.g_max,
    }
    found = run_tool(python_of("aihwkit"), "cells", given, tmp_path_factory.mktemp("cells"))
    programmed = found["programmed"].reshape(SEEDS, len(LEVELS), CELLS).swapaxes(0, 1)
    aged = found["aged"].reshape(SEEDS, len(AGES), len(LEVELS), CELLS).transpose(2, 0, 1, 3)
    return {"programmed": programmed, **{name: aged[:, :, k] for k, name in enumerate(AGES)}}


@pytest.mark.parametrize("age", ["programmed", *AGES])
@pytest.mark.parametrize("level", LEVELS)
def test_cells_have_the_distribution_of_the_tool(level: int, age: str, theirs: dict[str, Any]) -> None:
    """The mean over all seeds differs by at most two standard errors, and the spread of the cells by 25 %."""
    device = resolve_device("memxbar/array128")
    crossbar = Crossbar.of(device)
    target = np.full(CELLS, level * crossbar.step)
    mine = conductances(CellPhysics.of(device, crossbar), crossbar, target, AGES.get(age))
    wanted = theirs[age][LEVELS.index(level)]
    means = [values.mean(axis=1) for values in (mine, wanted)]  # one for each seed
    error = np.sqrt(sum(values.var(ddof=1) / SEEDS for values in means))
    assert abs(means[0].mean() - means[1].mean()) <= 2 * error
    spreads = [values.std(axis=1, ddof=1).mean() for values in (mine, wanted)]
    assert abs(spreads[0] / spreads[1] - 1) <= SPREAD


def test_a_factor_turns_an_imperfection_off(theirs: dict[str, Any]) -> None:
    """Without the drift, or without the noise of programming, the distribution is another one, so the comparison can fail."""
    device = resolve_device("memxbar/array128")
    crossbar = Crossbar.of(device)
    physics, target = CellPhysics.of(device, crossbar), np.full(CELLS, 12 * crossbar.step)
    wanted = theirs["day"][LEVELS.index(12)]
    still = conductances(evolve(physics, drift=0.0), crossbar, target, AGES["day"])
    quiet = conductances(evolve(physics, read_noise=0.0, programming_noise=0.0), crossbar, target, AGES["day"])
    assert still.mean() > 1.2 * wanted.mean()
    assert quiet.std() < (1 - SPREAD) * wanted.std()
