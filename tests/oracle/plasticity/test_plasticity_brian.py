"""Brian 2 computes the weights of pairs and triplets of 1,000 trains, with the presynaptic spike of a tick first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from plasticity_trains import Trains, greatest_error, run_nopt, run_tool
from test_plasticity_nest import MOST, PAIR, TRIPLET

Record = Callable[[str, object], None]
TOOL, SCRIPT = "brian2", "plasticity_brian.py"
TRACE = "d{0}/dt = -{0} / {1} : 1 (event-driven)\n"


def equations(**traces: str) -> str:
    return "w : 1\n" + "".join(TRACE.format(name, tau) for name, tau in traces.items())


CASES = {
    "stdp": (
        {**PAIR, "coincidence": "pre"},
        equations(x="tau_plus", y="tau_minus"),
        "x += 1\nw = clip(w - a_minus * y, w_min, w_max)",
        "y += 1\nw = clip(w + a_plus * x, w_min, w_max)",
    ),
    "stdp_multiplicative": (
        {**PAIR, "coincidence": "pre", "dependence": "multiplicative"},
        equations(x="tau_plus", y="tau_minus"),
        "x += 1\nw = clip(w - a_minus * y * (w - w_min), w_min, w_max)",
        "y += 1\nw = clip(w + a_plus * x * (w_max - w), w_min, w_max)",
    ),
    "triplet": (
        TRIPLET,
        equations(r1="tau_plus", r2="tau_x", o1="tau_minus", o2="tau_y"),
        "w = clip(w - o1 * (a2_minus + a3_minus * r2), w_min, w_max)\nr1 += 1\nr2 += 1",
        "w = clip(w + r1 * (a2_plus + a3_plus * o2), w_min, w_max)\no1 += 1\no2 += 1",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_brian_changes_weights_alike(
    name: str, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    entries, text, on_pre, on_post = CASES[name]
    trains = Trains.draw(1000, 56, (0,))
    if name == "triplet":  # two spikes of one tick: Brian 2 runs the presynaptic code first, the rule of nopt neither
        trains.post[:] &= ~trains.pre
    found = run_nopt(trains, name.partition("_")[0], entries)
    parameters = {
        key: 1e3 * value if key.startswith("tau") else value
        for key, value in entries.items()
        if key not in ("coincidence", "dependence")
    }
    parts = {"equations": text, "on_pre": on_pre, "on_post": on_post, "parameters": parameters}
    wanted = run_tool(python_of(TOOL), SCRIPT, tmp_path, trains, **parts)
    assert np.std(wanted) > 0.05
    record_property("values", wanted.size)
    error = greatest_error(found, wanted)
    assert error < MOST, error
