"""The script of an artefact, run against a mock of sPyNNaker (`mock/`) that computes the equations of its neurons, against `nopt run`.

It proves that the script builds and records the network of the chip, sample by sample. That sPyNNaker accepts the script is tested with the tool itself (`make oracles`).
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from artefact_scripts import run_script, verify_script
from places import GOLDENS, ROOT

import nopt.api as nopt
from nopt import pynn as sim
from nopt.core.diagnostics import Diagnostics

MOCK = Path(__file__).parent / "mock"
INPUTS = GOLDENS / "targets" / "spinnaker" / "inputs"
SCRIPT = "spynnaker_network.py"
CHOICES = {"dt": "1ms", "like": "norse", "reset": "value"}


def run(build: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run_script(build, SCRIPT, MOCK, "in.npz", "out.npz", *options)


def compiled(path: Path, build: Path, **more: Any) -> dict[str, tuple[int, ...]]:
    """Compiles a network and returns the shapes of its inputs."""
    nopt.compile(path, target="spinnaker", out=build, diagnostics=Diagnostics(), **{**CHOICES, **more})
    chip = json.loads((build / "artefact" / "network.json").read_text())["chip"]
    shapes = {one["source"]: one["type"] for one in chip["body"] if one["op"] == "spinnaker.input"}
    return {name: tuple(int(n) for n in type[7:].split("x")[:-1]) for name, type in shapes.items()}


@pytest.mark.parametrize(
    ("path", "more"),
    [
        (INPUTS / "net.mlir", {}),
        (INPUTS / "delayed.mlir", {}),
        (INPUTS / "integrators.mlir", {"approximate": "decay"}),
        (ROOT / "examples" / "rhythm" / "rhythm.nir", {"approximate": "all"}),
        (ROOT / "examples" / "digits" / "rates.nir", {"like": "sinabs", "reset": None, "approximate": "all"}),
    ],
    ids=["net", "delayed", "integrators", "rhythm", "rates"],
)
def test_script_has_the_spikes_and_potentials_of_the_model(path: Path, more: dict[str, Any], tmp_path: Path) -> None:
    build, rng = tmp_path / "build", np.random.default_rng(5)
    given = {name: rng.random((3, 140, *shape)) < 0.7 for name, shape in compiled(path, build, **more).items()}
    chip = json.loads((build / "artefact" / "network.json").read_text())["chip"]
    names = {one["source"] for core in chip["body"] if core["op"] == "spinnaker.core" for one in core["body"]}
    records = [record for name in sorted(names) if "." not in name for record in (name, f"{name}.v")]
    arrays = verify_script(build, SCRIPT, MOCK, given, records)
    assert any(values.any() for values in arrays.values())
    assert json.loads((build / "calls.json").read_text())["resets"] == 2


def test_a_script_of_pynn_keeps_its_refractory_periods(tmp_path: Path) -> None:
    """Its neurons need no approximation: the comparison, the reset and the period are those of the chip."""
    sim.setup(timestep=1.0)
    source = sim.Population(6, sim.SpikeSourceArray(spike_times=[[]] * 6), label="source")
    currents = sim.Population(5, sim.IF_curr_exp(tau_refrac=[2.0, 3.0, 0.0, 1.0, 5.0], v_reset=-70.0), label="currents")
    steps = sim.Population(4, sim.IF_curr_delta(tau_refrac=4.0), label="steps")
    synapse = sim.StaticSynapse(weight=3.0, delay=2.0)
    sim.Projection(source, currents, sim.AllToAllConnector(), synapse)
    sim.Projection(currents, steps, sim.AllToAllConnector(), sim.StaticSynapse(weight=9.0, delay=1.0))
    inhibition = sim.StaticSynapse(weight=-4.0, delay=3.0)
    sim.Projection(steps, currents, sim.AllToAllConnector(), inhibition, receptor_type="inhibitory")
    for population in (currents, steps):
        population.record("spikes")
    build, network = tmp_path / "build", tmp_path / "net.mlir"
    sim.export(network)
    nopt.compile(network, target="spinnaker", out=build, diagnostics=Diagnostics())
    given = {"source": np.random.default_rng(3).random((2, 150, 6)) < 0.3}
    arrays = verify_script(build, SCRIPT, MOCK, given, ["currents", "currents.v", "steps", "steps.v"])
    spikes = arrays["currents"][:, :, 4]
    assert spikes.any()
    assert min(np.diff(np.flatnonzero(row)).min(initial=99) for row in spikes) > 5
    assert arrays["steps"].any()


def test_the_script_records_the_probes(tmp_path: Path) -> None:
    build, rng = tmp_path / "build", np.random.default_rng(5)
    shapes = compiled(INPUTS / "net.mlir", build, probe=["one:v", "two"])
    given = {name: rng.random((2, 40, *shape)) < 0.7 for name, shape in shapes.items()}
    assert verify_script(build, SCRIPT, MOCK, given, []).keys() == {"y", "one.v", "two"}


def test_sources_can_be_random_or_live(tmp_path: Path) -> None:
    build = tmp_path / "build"
    compiled(INPUTS / "net.mlir", build)
    np.savez(build / "in.npz")
    assert run(build, "--poisson", "x=50", "--ticks", "5").returncode == 0
    assert json.loads((build / "calls.json").read_text())["sources"] == {"x": {"kind": "poisson", "rate": 50.0}}
    assert run(build, "--live", "x=12345", "--ticks", "5").returncode == 0
    assert json.loads((build / "calls.json").read_text())["sources"] == {"x": {"kind": "live", "port": 12345}}


@pytest.mark.parametrize(
    ("options", "arrays", "said"),
    [
        ((), {}, "has other arrays than the inputs of the network\n  expected: x\n  found: none"),
        ((), {"x": np.zeros((4, 2))}, "the input x has another shape\n  expected: [ticks, 3] or [samples, ticks, 3]"),
        (
            ("--record", "one.i"),
            {"x": np.zeros((4, 3))},
            "this array cannot be recorded\n  expected: some of one, one.v",
        ),
        (
            ("--poisson", "x=50"),
            {},
            "the number of ticks is unknown, since no input is an array\n  expected: --ticks N",
        ),
        (
            ("--poisson", "z=50"),
            {"x": np.zeros((4, 3))},
            "--poisson z: the option needs an input that no other option has",
        ),
        (("--poisson", "x"), {}, "NAME=NUMBER is expected"),
        (("--ip", "10.0.0.1", "--spalloc", "host"), {}, "not allowed with argument"),
    ],
)
def test_what_the_script_refuses(
    options: tuple[str, ...], arrays: dict[str, np.ndarray], said: str, tmp_path: Path
) -> None:
    build = tmp_path / "build"
    compiled(INPUTS / "net.mlir", build)
    np.savez(build / "in.npz", **arrays)
    done = run(build, *options)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (build / "out.npz").exists()
