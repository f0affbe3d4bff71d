"""Parts of the script for Lava that need no Lava: matrices of synapses, and the updates that it knows."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from counted_work import NETWORKS

import nopt.api as nopt
from nopt.targets.loihi2.emitter import lava_program


def load_script(path: Path) -> Any:
    """Returns the module of a program, which needs Lava only when it runs."""
    spec = spec_from_loader("lava_network", SourceFileLoader("lava_network", str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("lava") / "lava_network.py"
    path.write_bytes(lava_program())
    return load_script(path)


def dense(script: Any, synapses: list[tuple[int, int, int, int]], sign: str) -> list[tuple[Any, Any]]:
    """Returns the matrices of synapses between 2 sources and 2 targets: source, target, weight and delay of each."""
    columns = np.array(synapses, np.int64).reshape(-1, 4).T
    return [(weights.tolist(), delays.tolist()) for weights, delays in script.matrices_of(*columns, (2, 2), sign)]


@pytest.mark.parametrize(
    ("synapses", "sign", "found"),
    [
        ([], "mixed", []),
        ([(1, 0, 4, 3)], "mixed", [([[0, 4], [0, 0]], [[0, 3], [0, 0]])]),
        # added: 100 + 100 <= 254
        ([(0, 1, 100, 2), (0, 1, 100, 2)], "mixed", [([[0, 0], [200, 0]], [[0, 0], [2, 0]])]),
        # 200 + 100 > 254 is not a weight
        ([(0, 1, 200, 0), (0, 1, 100, 0)], "mixed", [([[0, 0], [200, 0]], [[0, 0]] * 2), ([[0, 0], [100, 0]], [[0, 0]] * 2)]),
        ([(0, 0, -255, 0), (0, 0, -1, 0)], "inhibitory", [([[-255, 0], [0, 0]], [[0, 0]] * 2), ([[-1, 0], [0, 0]], [[0, 0]] * 2)]),
        ([(0, 0, 255, 0), (0, 0, 1, 0)], "excitatory", [([[255, 0], [0, 0]], [[0, 0]] * 2), ([[1, 0], [0, 0]], [[0, 0]] * 2)]),
        # other delays are other synapses
        ([(0, 0, 8, 1), (0, 0, 6, 2)], "mixed", [([[8, 0], [0, 0]], [[1, 0], [0, 0]]), ([[6, 0], [0, 0]], [[2, 0], [0, 0]])]),
    ],
)  # fmt: skip
def test_synapses_become_matrices(script: Any, synapses: Any, sign: str, found: Any) -> None:
    assert dense(script, synapses, sign) == found


def test_a_synapse_reads_every_neuron_of_its_axon(script: Any) -> None:
    """Neurons 0 and 1 send to axon 5, neuron 1 to axon 7; a weight of 0 makes no synapse."""
    array = script_array
    table = {
        "op": "loihi2.sparse",
        "axons": array([5, 7]),
        "axon": array([0, 0, 1, 1]),
        "compartment": array([0, 1, 0, 1]),
        "weight": array([4, 6, 8, 0]),
        "delay": array(3),
    }
    found = script.synapses_of(table, np.array([0, 1, 1]), np.array([5, 5, 7]))
    assert sorted(zip(*(one.tolist() for one in found), strict=True)) == [
        (0, 0, 4, 3),
        (0, 1, 6, 3),
        (1, 0, 4, 3),
        (1, 0, 8, 3),
        (1, 1, 6, 3),
    ]


def script_array(values: Any) -> dict[str, Any]:
    held = np.asarray(values)
    return {"type": "i64", "shape": list(held.shape), "values": held.reshape(-1).tolist()}


@pytest.mark.parametrize(("exponent", "is_rounded"), [(0, False), (-1, False), (-2, True)])
def test_sums_round_if_a_weight_is_no_multiple(script: Any, exponent: int, is_rounded: bool) -> None:
    assert script.rounds({"weight": script_array([4, -6]), "weight_exp": exponent}) is is_rounded


@pytest.mark.parametrize(("neurons", "cores"), [(5, 1), (40, 5)])  # a core has 8 thresholds
def test_neurons_that_all_differ_share_a_process(neurons: int, cores: int, tmp_path: Path) -> None:
    """The compiler of Lava walks all processes by recursion, and starts a process of the machine for each."""
    network, quiet = NETWORKS["different"](neurons), nopt.Diagnostics()
    nopt.compile(
        network, out=tmp_path, target="loihi2", dt="1ms", like="norse", options="reset=zero", diagnostics=quiet
    )
    (block,) = load_script(tmp_path / "artefact" / "lava_network.py").Network().blocks
    assert len(block.groups) == cores
    assert block.is_fixed
    assert len({*zip(block.params["dv"].tolist(), block.params["vth"].tolist(), strict=True)}) == neurons
