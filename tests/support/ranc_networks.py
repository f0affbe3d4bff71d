"""Leaky networks for RANC, with an input of each, and the script of their artefacts.

Inhibition is weak and spikes are rare, so that only one network has potentials that leave the 9 bits of RANC: its simulator has no bound.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import nir
import numpy as np
from attrs import frozen

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

INPUTS, HIDDEN, OUTPUTS = 8, 10, 4
SAMPLES, TICKS = 6, 60


@frozen
class Leaky:
    """A network, and the reset of its neurons."""

    structure: str
    reset: str

    @property
    def name(self) -> str:
        return f"{self.structure}.{self.reset}"


STRUCTURES = ("layers", "taus", "bias", "loop", "current", "skip")
NETWORKS = tuple(Leaky(structure, reset) for structure in STRUCTURES for reset in ("value", "subtract"))
WITHIN_BITS = tuple(leaky for leaky in NETWORKS if leaky.name != "bias.subtract")
"""The networks whose potentials do not wrap."""


def population(rng: np.random.Generator, structure: str, size: int) -> nir.NIRNode:
    """Returns leaky neurons."""
    one = np.ones(size)
    tau = rng.uniform(0.01, 0.04, size) if structure == "taus" else 0.02 * one
    rest: dict[str, Any] = {"v_leak": 0 * one, "v_threshold": one, "v_reset": 0 * one}
    if structure == "current":
        return nir.CubaLIF(tau_syn=0.0012 * one, tau_mem=tau, r=one, w_in=one, **rest)
    return nir.LIF(tau=tau, r=one, **rest)


def write_network(leaky: Leaky, file: Path) -> np.ndarray:
    """Writes a network, and returns an input. Shapes: [samples, ticks, inputs]."""
    rng, structure = np.random.default_rng([48, STRUCTURES.index(leaky.structure)]), leaky.structure
    nodes: dict[str, nir.NIRNode] = {"in": nir.Input({"input": np.array([INPUTS])})}
    names = ["in"]
    for k, (sources, size) in enumerate(((INPUTS, HIDDEN), (HIDDEN, OUTPUTS))):
        weight = rng.normal(4.0, 6.0, (size, sources))
        bias = rng.uniform(0.2, 0.6, size)
        nodes[f"fc{k}"] = nir.Affine(weight, bias) if structure == "bias" else nir.Linear(weight)
        nodes[f"lif{k}"] = population(rng, structure, size)
        names += [f"fc{k}", f"lif{k}"]
    nodes["out"] = nir.Output({"output": np.array([OUTPUTS])})
    edges = list(zip(names, [*names[1:], "out"], strict=True))
    if structure == "loop":
        nodes["back"] = nir.Linear(rng.normal(0.0, 1.0, (HIDDEN, HIDDEN)))
        edges += [("lif0", "back"), ("back", "lif0")]
    if structure == "skip":
        nodes["over"] = nir.Linear(rng.normal(2.0, 3.0, (OUTPUTS, INPUTS)))
        edges += [("in", "over"), ("over", "lif1")]
    nir.write(file, nir.NIRGraph(nodes, edges, type_check=False))
    return rng.random((SAMPLES, TICKS, INPUTS)) < 0.08


def compile_leaky(leaky: Leaky, folder: Path) -> tuple[Path, np.ndarray]:
    """Compiles a network for `truenorth/ranc`, and returns the build and its input, which is in `build/in.npz`, too."""
    x = write_network(leaky, folder / "net.nir")
    np.save(folder / "x.npy", x)
    build = nopt.compile(
        folder / "net.nir",
        out=folder / "build",
        target="truenorth/ranc",
        approximate="all",
        calib=str(folder / "x.npy"),
        dt="1ms",
        like="norse",
        reset=leaky.reset,
        diagnostics=Diagnostics(),
    )
    leaks = [one["step"] for one in build.report["approximations"] if one["step"].startswith("ntensor-linearize-leak")]
    assert leaks == ["ntensor-linearize-leak{direction=down}"]
    np.savez(folder / "build" / "in.npz", **{"in": x})
    return folder / "build", x


def run_script(build: Path, simulator: Path, source: str = "in.npz") -> subprocess.CompletedProcess[str]:
    """Runs the script of an artefact, which writes `build/out.npz`."""
    script = build / "artefact" / "ranc_network.py"
    command = [sys.executable, str(script), source, "out.npz", "--simulator", str(simulator)]
    return subprocess.run(command, cwd=build, capture_output=True, text=True, check=False)


def compare_with_model(build: Path) -> tuple[int, str, int]:
    """Runs the model of the chip, and compares its output with that of the script. Returns the exit code and text of `nopt compare`, and the spikes."""
    outputs = nopt.run(build, build / "in.npz", diagnostics=Diagnostics())
    np.savez(build / "model.npz", **outputs)
    command = [sys.executable, "-m", "nopt", "compare", "model.npz", "out.npz"]
    done = subprocess.run(command, cwd=build, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr, int(sum(np.asarray(one).sum() for one in outputs.values()))
