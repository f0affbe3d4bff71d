"""Rates of hidden neurons differ less from the network in reals than with rockpool's `global_quantize`, in xylosim on the same input.

Networks have 16 inputs and 40 hidden neurons with decays that the chip has exactly, every second one with recurrence, and were drawn for at most 31 spikes in a tick.
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

TOOL = TESTS / "oracle" / "tools" / "xylo_quantizer.py"
NETWORKS, INPUTS, HIDDEN, TICKS = 10, 16, 40, 1000
CHOICES: nopt.Choices = {"dt": "1ms", "like": "rockpool", "options": "max_spikes_per_dt=max31"}


def draw(seed: int) -> tuple[nir.NIRGraph, dict[str, Any], Any]:
    """Returns a network, its weights [sources, hidden] and thresholds, and its input."""
    rng = np.random.default_rng([44, seed])
    reals = {
        "weights_in": rng.normal(0.05, 0.3, (INPUTS, HIDDEN)) * rng.uniform(0.5, 1.5),
        "weights_rec": rng.normal(-0.01, 0.05, (HIDDEN, HIDDEN)) * (seed % 2),
        "threshold": np.ones(HIDDEN),
    }
    ones = np.ones(HIDDEN)
    tau_mem, tau_syn = (-1e-3 / np.log(1 - 0.5 ** rng.integers(*ends)) * ones for ends in ((3, 6), (1, 4)))
    neuron = nir.CubaLIF(
        tau_mem=tau_mem, tau_syn=tau_syn, r=ones, w_in=ones, v_leak=0 * ones, v_reset=0 * ones, v_threshold=ones
    )
    nodes = {
        "input": nir.Input(np.array([INPUTS])),
        "fc": nir.Linear(reals["weights_in"].T),
        "h": neuron,
        "output": nir.Output(np.array([HIDDEN])),
    }
    edges = [("input", "fc"), ("fc", "h"), ("h", "output")]
    if seed % 2:
        nodes["rec"] = nir.Linear(reals["weights_rec"].T)
        edges += [("h", "rec"), ("rec", "h")]
    return nir.NIRGraph(nodes, edges), reals, rng.random((TICKS, INPUTS)) < 0.1


def simulated(folder: Path, python: Path, x: Any) -> Any:
    """Returns the spikes of the hidden neurons in xylosim."""
    np.savez(folder / "in.npz", input=x)
    call(folder, python, "xylo_network.py", "in.npz", "out.npz", "--record", "h")
    with np.load(folder / "out.npz") as found:
        return found["h"]


def call(folder: Path, python: Path, *words: str) -> None:
    done = subprocess.run([str(python), *words], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_rates_are_nearer_than_those_of_global_quantize(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    python = python_of("xylosim")
    for seed in range(NETWORKS):
        graph, reals, x = draw(seed)
        build = tmp_path / str(seed)
        nopt.compile(graph, target="xylo/audio3", out=build, calib=x, diagnostics=Diagnostics(), **CHOICES)
        wanted = nopt.run(graph, x, diagnostics=Diagnostics(), **CHOICES)["output"].mean(0)
        artefact = build / "artefact"
        own = simulated(artefact, python, x).mean(0)
        np.savez(artefact / "reals.npz", **reals)
        call(artefact, python, str(TOOL), str(artefact), "reals.npz")
        vendor = simulated(artefact, python, x).mean(0)
        errors = [float(np.abs(rates - wanted).sum() / wanted.sum()) for rates in (own, vendor)]
        assert wanted.mean() > 0.005
        assert errors[0] <= errors[1], (seed, errors)
