"""Populations that become silent, saturated or bursting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute

import nopt.api as nopt
from nopt.api.judging.population_changes import ActivityTally, Firing, changed_state
from nopt.dialects.ntensor import CountType, GradedType

TICKS = 40
COARSE = "ntensor-quantize-weights{bits=2}"


def firing(fires: Any, element: Attribute = i1) -> Firing:
    """Returns the firing of a population. Shapes: [ticks, neurons]."""
    array = np.asarray(fires)[None]
    runs = ActivityTally(element)
    runs.add(array)
    events = float(np.count_nonzero(array) if isinstance(element, GradedType) else array.sum())
    return Firing.of(element, events, array.sum((0, 1)).astype(np.float64), array.size, runs.runs)


def train(*ticks: int, neurons: int = 1) -> np.ndarray[Any, np.dtype[Any]]:
    """Returns equal spikes of some neurons at some ticks."""
    found = np.zeros((TICKS, neurons), bool)
    found[list(ticks)] = True
    return found


REGULAR = train(*range(0, TICKS, 4), neurons=2)
"""20 spikes of two neurons, none directly after another."""
PAIRS = train(*(tick for tick in range(0, TICKS, 8) for tick in (tick, tick + 1)), neurons=2)
"""20 spikes, too, half of which are followed by another one."""
FAST = train(*range(0, TICKS, 2), *range(1, 8, 2), neurons=2)
"""48 spikes: more than twice as many, a sixth of them followed by another one at once."""
FULL = train(*range(TICKS), neurons=2)


@pytest.mark.parametrize(
    ("before", "after", "state"),
    [
        (REGULAR, REGULAR, None),
        (REGULAR, train(neurons=2), "silent"),
        (train(neurons=2), train(neurons=2), None),
        (REGULAR, PAIRS, "bursting"),
        (PAIRS, PAIRS, None),
        (PAIRS, REGULAR, None),
        (REGULAR, FAST, "bursting"),
        (train(0, 4), train(0, 4, 8, 12, 16), None),  # more than twice as many, but only 3 more
        (train(neurons=2), REGULAR, "bursting"),
        (REGULAR, FULL, "saturated"),
        (FULL, FULL, None),
        (FULL, REGULAR, None),
        (REGULAR, np.concatenate([FULL[:, :1], REGULAR[:, :1]], 1), "saturated"),  # one of two neurons
        (
            np.tile(REGULAR, 2),
            np.concatenate([FULL[:, :1], np.tile(REGULAR, 2)[:, 1:]], 1),
            "bursting",
        ),  # one of four: no saturation, but runs of spikes
        (REGULAR, np.concatenate([FULL[:, :1], train()], 1), "saturated"),  # the only one that fires
    ],
)
def test_states_of_spiking_populations(before: Any, after: Any, state: str | None) -> None:
    assert changed_state(firing(before), firing(after)) == state


def test_counts_saturate_at_the_largest_count() -> None:
    """90 % of 15 are 13.5 spikes per tick."""
    before = firing(np.full((TICKS, 2), 8), CountType(4))
    assert changed_state(before, firing(np.full((TICKS, 2), 15), CountType(4))) == "saturated"
    assert changed_state(before, firing(np.full((TICKS, 2), 13), CountType(4))) is None
    frames = Firing.of(i1, 30, np.array([30.0]), 3, None, ticks=10)  # each of 3 frames has 10 spikes, one per tick
    assert frames.is_saturated
    assert not Firing.of(i1, 26, np.array([26.0]), 3, None, ticks=10).is_saturated


def test_graded_spikes_do_not_saturate() -> None:
    graded = np.full((TICKS, 2), -7)
    assert changed_state(firing(REGULAR * -7, GradedType(8)), firing(graded, GradedType(8))) == "bursting"


def test_levels_name_populations_with_their_rates(root: Path) -> None:
    """Two bits leave most weights of the hidden layer 0."""
    x = np.random.default_rng(0).random((5, 30, 64)) < 0.3
    found = nopt.levels(root / "examples/digits/fc.nir", x, passes=COARSE, dt="1ms", like="norse").levels
    assert [level.loss.populations for level in found[:-1]] == [(), ()]
    last = found[-1]
    assert last.loss.populations
    for one in last.loss.populations:
        population = last.populations[one.population]
        assert (one.before, one.after) == (population.rate_before, population.rate)
        assert one.state == "silent" if not one.after else one.after > 2 * one.before
