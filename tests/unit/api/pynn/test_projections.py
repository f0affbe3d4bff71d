"""Synapses of connectors, against those that PyNN's own connectors list in its mock of a simulator."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from nopt import pynn as sim

MOCK: Any = import_module("pyNN.mock")

Connect = Callable[[Any, Any], Any]
"""A connector of a back end with a random number generator."""

CONNECTORS: dict[str, Connect] = {
    "all": lambda sim, rng: sim.AllToAllConnector(),
    "all-others": lambda sim, rng: sim.AllToAllConnector(allow_self_connections=False),
    "one": lambda sim, rng: sim.OneToOneConnector(),
    "probability": lambda sim, rng: sim.FixedProbabilityConnector(0.3, rng=rng),
    "default-generator": lambda sim, rng: sim.FixedProbabilityConnector(0.3),
    "pre": lambda sim, rng: sim.FixedNumberPreConnector(3, rng=rng),
    "post": lambda sim, rng: sim.FixedNumberPostConnector(3, rng=rng, with_replacement=True),
    "total": lambda sim, rng: sim.FixedTotalNumberConnector(17, rng=rng),
    "list": lambda sim, rng: sim.FromListConnector([(0, 1, 0.5, 2.0), (3, 1, 0.25, 1.0), (0, 1, 0.125, 3.0)]),
    "array": lambda sim, rng: sim.ArrayConnector(np.arange(64).reshape(8, 8) % 3 == 0),
    "distance": lambda sim, rng: sim.DistanceDependentProbabilityConnector("exp(-d / 3)", rng=rng),
}


def synapses(sim: Any, connect: Connect, weight: Any) -> list[tuple[float, ...]]:
    sim.setup(timestep=1.0)
    cells = sim.Population(8, sim.IF_curr_exp())
    rng = sim.NumpyRNG(seed=5)
    given = sim.RandomDistribution("uniform", low=0.1, high=0.9, rng=rng) if weight is None else weight
    projection = sim.Projection(cells, cells, connect(sim, rng), sim.StaticSynapse(weight=given, delay=2.0))
    names = ["weight", "delay"]
    found = projection.get(names, format="list")
    assert len(projection) == len(found)
    return sorted(tuple(map(float, one)) for one in found)


@pytest.mark.parametrize("weight", [0.5, "d + 1", None])
@pytest.mark.parametrize("name", list(CONNECTORS))
def test_connectors_list_the_synapses_of_pynn(name: str, weight: Any) -> None:
    expected = synapses(MOCK, CONNECTORS[name], weight)
    assert synapses(sim, CONNECTORS[name], weight) == expected
    assert expected


def test_weights_and_delays_can_be_read_and_set() -> None:
    sim.setup(timestep=1.0)
    cells = sim.Population(3, sim.IF_curr_exp())
    projection = sim.Projection(cells, cells, sim.AllToAllConnector(), sim.StaticSynapse(weight=1.0, delay=2.0))
    assert projection.weights is not None
    projection.set(weight=np.arange(9.0).reshape(3, 3))
    assert projection.get("weight", format="array").tolist() == np.arange(9.0).reshape(3, 3).tolist()
    projection.set(delay=3.0)
    assert {one.delay for one in projection} == {3.0}
    assert [(one.presynaptic_index, one.postsynaptic_index, one.weight) for one in projection][5] == (2, 1, 7.0)


def test_a_constant_matrix_takes_no_memory() -> None:
    sim.setup(timestep=1.0)
    cells = sim.Population(20_000, sim.IF_curr_exp())
    sim.Projection(cells, cells, sim.AllToAllConnector(), sim.StaticSynapse(weight=0.001, delay=1.0))
    module = sim.export()
    linear = next(op for op in module.walk() if op.name == "ntensor.linear")
    assert str(linear.properties["weight"]) == "#nopt.array<constant(value = 0.001) : tensor<20000x20000xf64>>"


def test_a_rule_of_nopt_draws_pairs_where_it_is_allowed() -> None:
    for has_rules in (False, True):
        sim.setup(timestep=1.0, array_rules=has_rules, rng_seed=7)
        cells = sim.Population(100, sim.IF_curr_exp())
        synapse = sim.StaticSynapse(weight=0.5, delay=1.0)
        projection = sim.Projection(cells, cells, sim.FixedProbabilityConnector(0.1), synapse)
        assert (projection.weights is not None) == has_rules
        assert len(projection) == pytest.approx(1000, abs=120)  # four standard deviations
        assert set(projection.get("weight", format="list", with_address=False)) == {0.5}


def test_parallel_synapses_keep_their_delays() -> None:
    sim.setup(timestep=1.0)
    source = sim.Population(1, sim.SpikeSourceArray(spike_times=[1.0]))
    cells = sim.Population(1, sim.IF_curr_delta(tau_m=1e9))
    pairs = [(0, 0, 1.0, 1.0), (0, 0, 2.0, 4.0), (0, 0, 4.0, 1.0)]
    sim.Projection(source, cells, sim.FromListConnector(pairs), sim.StaticSynapse())
    cells.record("v")
    sim.run(7.0)
    v = np.asarray(cells.get_data().segments[0].analogsignals[0])[:, 0] + 65
    assert v == pytest.approx([0, 0, 5, 5, 5, 7, 7, 7], abs=1e-6)
