"""NEST's neurons with exponential currents fire as often as those of the chip, in a balanced network of 1,000 neurons.

The network is a variant of Brunel's: 800 excitatory and 200 inhibitory neurons, a tenth of all connections, inhibition six times as strong, and
400 sources of random spikes. NEST integrates the membrane exactly in double precision, and the chip in s16.15 with the mean current of a tick. Such
a network is chaotic, so that spikes cannot be compared one by one.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nir
import numpy as np
from places import TESTS

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

TOOL = TESTS / "oracle" / "tools" / "nest_balanced.py"
NEURONS, EXCITATORY, SOURCES, TICKS = 1000, 800, 400, 1000
DENSITY, WEIGHT, INHIBITION, RATE = 0.1, 2.0, 6.0, 0.045
TAU_M, TAU_SYN, C_M, THRESHOLD = 20.0, 5.0, 20.0, 15.0
SEEDS = 5
LARGEST_DIFFERENCE = 0.02
"""Of the mean number of spikes."""
MINUTES = 5


def balanced(seed: int) -> dict[str, Any]:
    """Returns the weights (targets, sources) [nA] and the spikes of the sources [ticks, sources]."""
    rng = np.random.default_rng(seed)
    mask = rng.random((NEURONS, NEURONS)) < DENSITY
    np.fill_diagonal(mask, False)
    signs = np.where(np.arange(NEURONS) < EXCITATORY, WEIGHT, -INHIBITION * WEIGHT)
    external = (rng.random((NEURONS, SOURCES)) < DENSITY) * WEIGHT
    return {"recurrent": signs * mask, "external": external, "x": rng.random((TICKS, SOURCES)) < RATE}


def graph(network: dict[str, Any]) -> nir.NIRGraph:
    """Returns the network with the decays of an exact integration, as forward Euler steps of other time constants."""
    one = np.ones(NEURONS)
    tau_mem, tau_syn = (1e-3 / (1 - np.exp(-1 / tau)) for tau in (TAU_M, TAU_SYN))
    cells = nir.CubaLIF(
        tau_syn=one * tau_syn,
        tau_mem=one * tau_mem,
        r=one * TAU_M / C_M,
        v_leak=0 * one,
        v_threshold=one * THRESHOLD,
        v_reset=0 * one,
        w_in=one * TAU_SYN,
    )
    nodes = {
        "input": nir.Input({"input": np.array([SOURCES])}),
        "external": nir.Linear(network["external"]),
        "cells": cells,
        "recurrent": nir.Linear(network["recurrent"]),
        "output": nir.Output({"output": np.array([NEURONS])}),
    }
    edges = [("input", "external"), ("external", "cells"), ("cells", "recurrent"), ("recurrent", "cells")]
    return nir.NIRGraph(nodes, [*edges, ("cells", "output")], type_check=False)


def test_a_balanced_network_fires_as_often_as_in_nest(tmp_path: Path, python_of: Callable[[str], Path]) -> None:
    python, chip, tool = python_of("nest"), list[int](), list[int]()
    for seed in range(SEEDS):
        network = balanced(seed)
        file, build = tmp_path / f"{seed}.npz", tmp_path / f"{seed}"
        parameters = {"tau_m": TAU_M, "tau_syn": TAU_SYN, "c_m": C_M / 1e3, "threshold": THRESHOLD}
        np.savez(file, **{**network, **parameters, **{name: network[name] / 1e3 for name in ("recurrent", "external")}})
        done = subprocess.run(
            [str(python), str(TOOL), str(file)], capture_output=True, text=True, timeout=MINUTES * 60, check=False
        )
        assert not done.returncode, done.stderr[-2000:]
        tool.append(int(done.stdout.split()[-1]))
        module = nopt.from_nir(graph(network), diagnostics=Diagnostics())
        choices = {"dt": "1ms", "like": "norse", "reset": "zero"}
        nopt.compile(module, target="spinnaker", out=build, diagnostics=Diagnostics(), **choices)
        chip.append(int(nopt.run(build, network["x"], diagnostics=Diagnostics())["output"].sum()))
    assert min(tool) > 5 * NEURONS
    assert abs(np.mean(chip) / np.mean(tool) - 1) <= LARGEST_DIFFERENCE, (chip, tool)
