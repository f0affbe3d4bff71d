"""Parts of a network on recorded values equal a run of the whole network, bit for bit, and contain no op whose value is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rate_networks import rate_network
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.graph_region import components
from nopt.dialects import ntensor
from nopt.simulation import recorded_run
from nopt.simulation.recorded_run import RecordedRun, arrivals

CHAIN, LOOP = 0, 2
"""Seeds of networks."""
LATE = 3


def operand_owners(op: Operation) -> list[Operation]:
    return [x.owner for x in op.operands if isinstance(x.owner, Operation)]


def network_of(seed: int, folder: Path) -> ntensor.NetworkOp:
    reals = nopt.apply(
        nopt.read(rate_network(seed, folder / "net.nir")), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
    )
    return next(op for op in reals.ops if isinstance(op, ntensor.NetworkOp))


def module_of(network: ntensor.NetworkOp) -> ModuleOp:
    module = network.get_toplevel_object()
    assert isinstance(module, ModuleOp)
    return module


def spikes_of(seed: int) -> np.ndarray:
    return np.random.default_rng([7, seed]).random((4, 60, 8)) < 0.15


def run_of(network: ntensor.NetworkOp, seed: int) -> RecordedRun:
    return RecordedRun.of(network, {network.input_names.data[0].data: spikes_of(seed)}, LATE)


@pytest.mark.parametrize("seed", [CHAIN, LOOP])
@pytest.mark.parametrize("most", [recorded_run.MOST_NUMBERS, 0])
def test_a_part_equals_the_whole_network(seed: int, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_run, "MOST_NUMBERS", most)
    network = network_of(seed, tmp_path)
    wanted = nopt.run(module_of(network), spikes_of(seed), record=["n1", "n2"], ticks=60 + LATE, engine="numpy")
    run, seen = run_of(network, seed), list[str]()
    for component in components(list(network.body.block.ops), operand_owners):
        populations = [op for op in component if isinstance(op, ntensor.NeuronOp)]
        if not populations:
            continue
        with run.alone(component, [op.z for op in populations]):
            for op in populations:
                spikes = run.values([op.z])[op.z]
                assert spikes.any()
                assert np.array_equal(spikes, wanted[op.node.data])
                assert np.array_equal(run.values([op.z], slice(1, 3))[op.z], spikes[1:3])
                seen.append(op.node.data)
        assert all(op.z in run.kept for op in populations) == (most > 0)
    assert seen == ["n1", "n2"]


@pytest.mark.parametrize("seed", [CHAIN, LOOP])
def test_a_trial_runs_its_component_alone(seed: int, tmp_path: Path) -> None:
    network = network_of(seed, tmp_path)
    run = run_of(network, seed)
    first, second = network.populations
    for component in components(list(network.body.block.ops), operand_owners):
        for op in (one for one in (first, second) if one in component):
            with run.alone(component, [op.z]):
                part, _ = run.part([op.z])
                assert len(list(part.body.block.ops)) == len(component) + 1  # and the output
    assert set(run.kept) == {*network.body.block.args, first.z, second.z}


def test_a_trial_has_the_parameters_of_its_time(tmp_path: Path) -> None:
    network = network_of(CHAIN, tmp_path)
    run, last = run_of(network, CHAIN), [*network.populations][-1]
    with run.alone([last], [last.z]):
        before = run.values([last.z])[last.z]
        given = {name: array.values for name, array in last.arrays(last.params)}
        halved = {name: x / 2 if name == "v_threshold" else x for name, x in given.items()}
        assert "v_threshold" in given
        last.params = ntensor.array_dictionary(halved)
        after = run.values([last.z])[last.z]
    assert after.sum() > before.sum()
    assert np.array_equal(run.kept[last.z], after)


def test_infinite_sums_are_not_kept(tmp_path: Path) -> None:
    network = network_of(CHAIN, tmp_path)
    linear = next(op for op in network.body.block.ops if isinstance(op, ntensor.LinearOp))
    weight = linear.weight_values().values.copy()
    weight[0] = np.inf
    linear.weight = ArrayAttr.of(weight)
    run, first = run_of(network, CHAIN), next(iter(network.populations))
    whole = run.values([first.z])[first.z]
    with run.alone([first], [first.z]):
        assert arrivals([first])[0] not in run.kept
        assert np.array_equal(run.values([first.z])[first.z], whole)
