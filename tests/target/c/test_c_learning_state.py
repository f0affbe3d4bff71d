"""Learning of a C program at run time: on and off, reset, and saved states with weights, traces and terms under way."""

from __future__ import annotations

import numpy as np
import pytest
from learning_networks import Case, learning_network
from programs import library, needs_compiler
from xdsl.dialects.builtin import UnitAttr

from nopt.dialects.ntensor import LEARNS_ON
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.library import Instance, Library, address
from nopt.targets.c.model import NativeModel
from nopt.targets.c.source import CSource, generate
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler
TICKS = 40


def rows_of(case: Case, source: CSource, first: int, last: int) -> list[np.ndarray]:
    """Returns the rows of the first sample's inputs in some ticks, in their C types."""
    return [
        np.ascontiguousarray(case.inputs[row["name"]][0, first:last].astype(row["dtype"]))
        for row in source.manifest["inputs"]
    ]


def run(instance: Instance, case: Case, source: CSource, first: int, last: int) -> dict[str, np.ndarray]:
    """Runs some ticks, and returns outputs and records."""
    rows = [*source.manifest["outputs"], *source.manifest["records"]]
    found = {row["name"]: np.zeros((last - first, *row["shape"]), row["dtype"]) for row in rows}
    given = rows_of(case, source, first, last)
    instance.run(last - first, [address(x) for x in given], [address(x) for x in found.values()])
    return found


@pytest.fixture(scope="module", params=[0, 1, 2, 4])
def program(request: pytest.FixtureRequest) -> tuple[Case, CSource, Library]:
    case = learning_network(request.param)
    source = generate(case.network, record=case.record)
    return case, source, library(source, "-O1")


def weights(found: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [array for name, array in found.items() if name.endswith(".weight")]


def test_weights_keep_their_values_without_learning(program: tuple[Case, CSource, Library]) -> None:
    case, source, made = program
    instance = made.instance()
    learnt = run(instance, case, source, 0, 20)
    instance.learn(False)
    kept = run(instance, case, source, 20, TICKS)
    for before, after in zip(weights(learnt), weights(kept), strict=True):
        assert (after == before[-1]).all()
    instance.learn(True)
    again = run(instance, case, source, 0, 20)
    assert any((after[-1] != before[-1]).any() for before, after in zip(weights(kept), weights(again), strict=True))


def test_a_saved_state_continues_with_the_same_bits(program: tuple[Case, CSource, Library]) -> None:
    case, source, made = program
    whole = run(made.instance(), case, source, 0, TICKS)
    first, second = made.instance(), made.instance()
    run(first, case, source, 0, 17)
    second.load(first.save())
    rest = run(second, case, source, 17, TICKS)
    assert all(rest[name].tobytes() == whole[name][17:].tobytes() for name in whole)


def test_a_reset_restores_weights_and_learning(program: tuple[Case, CSource, Library]) -> None:
    case, source, made = program
    instance = made.instance()
    first = run(instance, case, source, 0, TICKS)
    instance.learn(False)
    instance.reset()
    again = run(instance, case, source, 0, TICKS)
    assert all(first[name].tobytes() == again[name].tobytes() for name in first)


@pytest.mark.parametrize(("every", "threads"), [(1, 1), (7, 1), (7, 2), (TICKS, 1), (TICKS + 1, 1)])
def test_records_in_intervals_have_the_bits_of_the_reference(every: int, threads: int) -> None:
    case = learning_network(0)
    record = [f"{name}@{every}ticks" for name in case.record if name.endswith(".weight")] + case.record[:1]
    signals = {name: DenseSignal(values[:, :TICKS]) for name, values in case.inputs.items()}
    expected = ReferenceModel(case.network, record=record).run(signals, ticks=TICKS)
    found = NativeModel(case.network, record=record, threads=threads, least_synapses=1).run(signals, ticks=TICKS)
    assert [*found] == [*expected]
    for name, values in expected.items():
        assert found[name].tobytes() == values.tobytes(), name


@pytest.mark.parametrize("seed", range(6))
def test_samples_that_continue_have_the_bits_of_the_reference(seed: int) -> None:
    case = learning_network(seed, samples=3)
    case.network.attributes[LEARNS_ON] = UnitAttr()
    signals = {name: DenseSignal(values) for name, values in case.inputs.items()}
    expected = ReferenceModel(case.network, record=case.record).run(signals)
    found = NativeModel(case.network, record=case.record, threads=2).run(signals)
    assert [name for name, values in expected.items() if found[name].tobytes() != values.tobytes()] == []


def test_a_restart_keeps_weights_and_the_switch(program: tuple[Case, CSource, Library]) -> None:
    case, source, made = program
    instance = made.instance()
    learnt = run(instance, case, source, 0, TICKS)
    instance.learn(False)
    instance.restart()
    again = run(instance, case, source, 0, TICKS)
    for before, after in zip(weights(learnt), weights(again), strict=True):
        assert (after == before[-1]).all()
