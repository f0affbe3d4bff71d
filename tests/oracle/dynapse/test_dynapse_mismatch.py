"""Manufactured chips spread as DynapSim's neurons do: mean and spread of the rates over chips and over neurons.

A mismatch of 30 % are three standard deviations in DynapSim, so `imperfections.mismatch` is 0.1. Both multiply the same numbers of each neuron, from other
generators. The currents of weights are exact in both.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from dynapse_networks import call_tool, results_of, soma_network, write_case

import nopt.api as nopt
from nopt.api.running.run import CHIP, open_build
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.imperfections import Imperfections

CHIPS, NEURONS, SEED, TICKS = 20, 240, 6, 80
ERRORS, SPREADS = 2, 0.25
"""Standard errors of the difference of means; share by which spreads may differ."""


def of_chips(build: Path, x: np.ndarray, population: str) -> np.ndarray:
    """Returns the spikes of each neuron on each chip. Shapes: [chips, neurons]."""
    module, model = open_build(build, CHIP, Diagnostics())
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    assert model is not None
    rows: list[Any] = []
    for chip in range(CHIPS):
        running = model(network, imperfections=Imperfections(0, chip)).grid.start(1)
        counts = np.zeros(NEURONS, np.int64)
        for t in range(len(x)):
            found = running.tick(t, {"x": x[t][None]}).outputs
            counts += sum(values[0].astype(np.int64) for name, values in found.items() if name.startswith(population))
        rows.append(counts)
    return np.array(rows)


def test_chips_spread_as_the_tool(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    drawn = soma_network(SEED, sizes=[NEURONS], ticks=TICKS)
    build, folder = tmp_path / "build", tmp_path / "tool"
    folder.mkdir()
    nopt.compile(drawn.module, target="dynapse/se2", out=build, diagnostics=Diagnostics())
    write_case(folder, 0, build, drawn.x, drawn.dt, has_refractory=1, chips=CHIPS)
    call_tool(python_of("dynapsim"), "run", folder)
    mine, theirs = of_chips(build, drawn.x, "n0"), results_of(folder, 0)["counts"]
    assert mine.shape == theirs.shape
    means = [counts.mean(1) for counts in (mine, theirs)]
    error = np.hypot(*(one.std(ddof=1) / np.sqrt(CHIPS) for one in means))
    difference = means[0].mean() - means[1].mean()
    print("means", means[0].mean(), means[1].mean(), "standard error", error)
    assert abs(difference) < ERRORS * error
    for name, spread in {
        "of a neuron over chips": lambda counts: float(counts.std(0, ddof=1).mean()),
        "over the neurons of a chip": lambda counts: float(counts.std(1, ddof=1).mean()),
    }.items():
        ours, other = spread(mine), spread(theirs)
        print(name, ours, other)
        assert abs(ours / other - 1) < SPREADS, (name, ours, other)
