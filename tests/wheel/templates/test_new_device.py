"""The device that `nopt new device` writes: trained networks with biases, delays and wide fan-in compile and keep their classes."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
import pytest
from both_models import run_equal
from places import EXAMPLES

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

SAMPLES, TAIL = 50, 32
"""Digits, and ticks after the last input, in which late spikes arrive."""
COPIES = 12
"""Inputs for each pixel: 768 in all, more than a neuron of the device takes."""
MOST_LOST = 0.02


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return nopt.new_device("my_chip", tmp_path_factory.mktemp("device"))[0]


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> tuple[np.ndarray, np.ndarray]:
    """Returns spikes of handwritten digits, and their classes."""
    folder = tmp_path_factory.mktemp("digits")
    x, labels = folder / "x.npy", folder / "labels.npy"
    subprocess.run([sys.executable, EXAMPLES / "encoder.py", "fc", x, labels], check=True, timeout=120)
    spikes = np.load(x)[:SAMPLES]
    return np.pad(spikes, ((0, 0), (0, TAIL), (0, 0))), np.load(labels)[:SAMPLES]


def network(bias: float, ticks: int, copies: int) -> nir.NIRGraph:
    """Returns the trained network of the digits with biases, a delay between its layers, and several inputs for each pixel."""
    given = nir.read(EXAMPLES / "digits" / "fc.nir", type_check=False).nodes
    wide = np.repeat(given["0"].weight / copies, copies, axis=1)
    rng = np.random.default_rng(0)
    nodes = {"in": nir.Input({"input": np.array([wide.shape[1]])})}
    for layer, neuron, weight in (("0", "1", wide), ("2", "3", given["2"].weight)):
        n = len(weight)
        nodes[layer] = nir.Affine(weight=weight, bias=rng.normal(0, bias, n))
        fields = ("tau", "r", "v_leak", "v_threshold", "v_reset")
        nodes[neuron] = nir.LIF(**{field: np.full(n, getattr(given[neuron], field)) for field in fields})
        if ticks and neuron == "1":
            nodes["late"] = nir.Delay(delay=np.full(n, ticks * 1e-3))
    nodes["out"] = nir.Output({"output": np.array([10])})
    return nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes)))


NETWORKS = {
    "biases": (0.05, 0, 1),
    "a delay": (0.0, 3, 1),
    "a delay beyond the longest": (0.0, 20, 1),
    "wide fan-in": (0.0, 0, COPIES),
    "all": (0.05, 17, COPIES),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_keeps_its_classes(
    name: str, device: Path, digits: tuple[np.ndarray, np.ndarray], tmp_path: Path
) -> None:
    spikes, labels = digits
    bias, ticks, copies = NETWORKS[name]
    module = nopt.from_nir(network(bias, ticks, copies), diagnostics=Diagnostics())
    x = np.repeat(spikes, copies, axis=2)
    found = nopt.execute(module, x, choices={"dt": "1ms", "like": "norse"}, diagnostics=Diagnostics()).arrays
    right = accuracy(found, labels)
    assert right > 0.9
    build = tmp_path / "build"
    nopt.compile(module, device=device, dt="1ms", like="norse", out=build, diagnostics=Diagnostics())
    assert accuracy(run_equal(build, x), labels) >= right - MOST_LOST


def test_a_recurrent_network_has_one_scale_for_both_synapses(device: Path, tmp_path: Path) -> None:
    """Weights from outside and from the population itself differ in size, and meet in one sum of integers."""
    rng, n = np.random.default_rng(0), 8
    values = {"tau": 0.02, "r": 1.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0}
    nodes = {
        "in": nir.Input({"input": np.array([4])}),
        "w": nir.Affine(weight=rng.normal(0, 8, (n, 4)), bias=rng.normal(0, 1, n)),
        "rec": nir.Linear(weight=rng.normal(0, 3, (n, n))),
        "lif": nir.LIF(**{name: np.full(n, value) for name, value in values.items()}),
        "out": nir.Output({"output": np.array([n])}),
    }
    edges = [*pairwise(["in", "w", "lif", "out"]), *pairwise(["lif", "rec", "lif"])]
    module = nopt.from_nir(nir.NIRGraph(nodes=nodes, edges=edges), diagnostics=Diagnostics())
    build = tmp_path / "build"
    nopt.compile(module, device=device, dt="1ms", like="norse", out=build, diagnostics=Diagnostics())
    assert sum(map(np.count_nonzero, run_equal(build, rng.random((2, 30, 4)) < 0.5).values())) > 0


@pytest.mark.parametrize("networks", [1, 2, 3])
def test_the_device_conforms(networks: int, device: Path) -> None:
    (found,) = nopt.conform(device, networks=networks).devices
    unanswered = {one.name: one.status for one in found.questions if one.status != "passed"}
    assert unanswered == {"learning": "not_applicable"}  # the device declares no learning rule


def accuracy(found: dict[str, np.ndarray], labels: np.ndarray) -> float:
    """Returns the part of samples whose class has most spikes."""
    (counts,) = (array.sum(axis=1) for array in found.values())
    return float((counts.argmax(axis=1) == labels).mean())
