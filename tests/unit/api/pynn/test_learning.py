"""Plastic synapses of scripts: changes of weights against closed forms, engines, callbacks, and the exported network."""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt
from nopt import pynn as sim

STRONG = 60.0
"""A weight that makes the default cell with steps spike at once; 10 times of it, one with currents."""


def pairs(dependence: Any = None, **options: Any) -> Any:
    """Returns a synapse that learns from pairs."""
    chosen = {"weight": 1.0, "delay": 2.0} | options
    timing = sim.SpikePairRule(tau_plus=10.0, tau_minus=20.0, A_plus=0.1, A_minus=0.05)
    weights = sim.AdditiveWeightDependence(w_min=0.0, w_max=4.0) if dependence is None else dependence
    return sim.STDPMechanism(timing_dependence=timing, weight_dependence=weights, **chosen)


def learn(cell: Any, drive: list[float], spikes: list[float], synapse: Any, stop: float) -> tuple[float, list[float]]:
    """Returns the weight of a synapse after its source has spiked, and the spikes of its target, which a driver causes."""
    sim.setup(timestep=0.5)
    source = sim.Population(1, sim.SpikeSourceArray(spike_times=spikes))
    driver = sim.Population(1, sim.SpikeSourceArray(spike_times=drive))
    target = sim.Population(1, cell)
    strong = STRONG if isinstance(cell, sim.IF_curr_delta) else 10 * STRONG
    sim.Projection(driver, target, sim.AllToAllConnector(), sim.StaticSynapse(weight=strong, delay=0.5))
    projection = sim.Projection(source, target, sim.AllToAllConnector(), synapse)
    target.record("spikes")
    sim.run(stop)
    (weight,) = projection.get("weight", format="list", with_address=False)
    return weight, np.asarray(target.get_data().segments[0].spiketrains[0]).tolist()


@pytest.mark.parametrize("cell", [sim.IF_curr_exp, sim.IF_curr_delta])
@pytest.mark.parametrize("fraction", [1.0, 0.5, 0.0])
@pytest.mark.parametrize("interval", [6.0, 1.5, -1.5, -6.0])
def test_a_pair_changes_the_weight_by_its_interval(cell: Any, fraction: float, interval: float) -> None:
    """The postsynaptic spike reaches the synapse after the dendritic part of the delay, the presynaptic one after the rest."""
    model = cell(tau_refrac=30.0, tau_syn_E=0.5, tau_syn_I=0.5) if cell is sim.IF_curr_exp else cell(tau_refrac=30.0)
    at = 20.0
    _, (post,) = learn(model, [at], [], pairs(weight=0.01), 30.0)
    pre = post + 2.0 * fraction - 2.0 * (1 - fraction) - interval
    weight, spikes = learn(model, [at], [pre], pairs(weight=0.01, dendritic_delay_fraction=fraction), 40.0)
    assert spikes == [post]
    change = 0.4 * exp(-interval / 10) if interval > 0 else -0.2 * exp(interval / 20)
    assert weight == pytest.approx(max(0.01 + change, 0.0), abs=1e-12)


DEPENDENCES: dict[str, tuple[Any, float, float]] = {
    "multiplicative": (sim.MultiplicativeWeightDependence(w_min=0.0, w_max=4.0), 3.0, 1.0),
    "mixed": (sim.AdditivePotentiationMultiplicativeDepression(w_min=0.0, w_max=4.0), 4.0, 1.0),
    "power": (sim.GutigWeightDependence(w_min=0.0, w_max=4.0, mu_plus=2.0, mu_minus=0.5), 4 * 0.75**2, 4 * 0.25**0.5),
}


@pytest.mark.parametrize("name", list(DEPENDENCES))
@pytest.mark.parametrize("interval", [3.0, -3.0])
def test_a_change_depends_on_the_weight(name: str, interval: float) -> None:
    """From a weight of 1: the change is a share of 3 or 1 of the span of 4, of the whole of 4, or of powers of both shares."""
    dependence, up, down = DEPENDENCES[name]
    cell = sim.IF_curr_delta(tau_refrac=30.0)
    _, (post,) = learn(cell, [20.0], [], pairs(dependence), 30.0)
    weight, _ = learn(cell, [20.0], [post + 2.0 - interval], pairs(dependence), 40.0)
    change = 0.1 * up * exp(-interval / 10) if interval > 0 else -0.05 * down * exp(interval / 20)
    assert weight == pytest.approx(1 + change, abs=1e-12)


def test_a_spike_transmits_the_weight_after_its_own_depression() -> None:
    """The target spikes at 20.5 ms; the spike at 24 ms arrives 1.5 ms after the postsynaptic one has reached the synapse."""
    sim.setup(timestep=0.5)
    source = sim.Population(1, sim.SpikeSourceArray(spike_times=[24.0]))
    driver = sim.Population(1, sim.SpikeSourceArray(spike_times=[20.0]))
    target = sim.Population(1, sim.IF_curr_delta(tau_refrac=0.5, tau_m=1e9, v_reset=-65.0))
    sim.Projection(driver, target, sim.AllToAllConnector(), sim.StaticSynapse(weight=STRONG, delay=0.5))
    sim.Projection(source, target, sim.AllToAllConnector(), pairs())
    target.record("v")
    sim.run(30.0)
    v = np.asarray(target.get_data().segments[0].analogsignals[0])[:, 0]
    assert v[-1] == pytest.approx(-65 + 1 - 0.2 * exp(-1.5 / 20), abs=1e-6)


def test_depression_and_facilitation_follow_their_equations() -> None:
    """After a long time resources are whole: the second of two spikes transmits u x with u = U + U (1 - U) exp(-t / tau_facil) and what is left and recovered."""
    sim.setup(timestep=0.5)
    source = sim.Population(1, sim.SpikeSourceArray(spike_times=[5.0, 25.0]))
    target = sim.Population(2, sim.IF_curr_delta(tau_m=1e9))
    for k, (recovery, facilitation) in enumerate(((50.0, 0.0), (50.0, 100.0))):
        synapse = sim.TsodyksMarkramSynapse(U=0.4, tau_rec=recovery, tau_facil=facilitation, weight=2.0, delay=1.0)
        sim.Projection(source, target[k : k + 1], sim.AllToAllConnector(), synapse)
    target.record("v")
    sim.run(40.0)
    v = np.asarray(target.get_data().segments[0].analogsignals[0]) + 65
    assert v[20] == pytest.approx([0.8, 0.8], abs=1e-6)
    used = [0.4, 0.4 + 0.6 * 0.4 * exp(-20 / 100)]
    left = 1 - 0.4 * exp(-20 / 50)
    assert v[-1] - v[20] == pytest.approx([2 * u * left for u in used], abs=1e-6)


def network(engine: str = "numpy") -> tuple[Any, Any]:
    """Starts a recurrent network whose synapses learn, with two sets of numbers."""
    sim.setup(timestep=0.5, engine=engine)
    draw = np.random.default_rng(2)
    times = [sorted((0.5 * draw.choice(200, 20, replace=False)).tolist()) for _ in range(8)]
    source = sim.Population(8, sim.SpikeSourceArray(spike_times=times))
    cells = sim.Population(6, sim.IF_curr_exp(tau_refrac=1.0, cm=0.3), label="cells")
    some = sim.FixedProbabilityConnector(0.7, rng=sim.NumpyRNG(seed=4))
    sim.Projection(source, cells, some, pairs(weight=2.0, delay=1.0))
    projection = sim.Projection(cells, cells, some, pairs(weight=0.5, delay=1.5))
    projection.set(tau_plus=np.where(np.arange(6) % 2, 5.0, 15.0)[:, None].repeat(6, axis=1))
    cells.record("spikes")
    return cells, projection


def result(cells: Any, projection: Any) -> tuple[list[list[float]], list[float]]:
    trains = [np.asarray(one).tolist() for one in cells.get_data().segments[-1].spiketrains]
    return trains, projection.get("weight", format="list", with_address=False)


def test_engines_have_equal_weights() -> None:
    found: list[Any] = []
    for engine in ("numpy", "native"):
        cells, projection = network(engine)
        sim.run(100.0)
        found.append(result(cells, projection))
    assert found[0] == found[1]
    assert sum(map(len, found[0][0])) > 50
    assert len(set(found[0][1])) > 5


def test_callbacks_read_the_weights_of_their_time() -> None:
    _, projection = network()
    seen: list[list[float]] = []

    def read(time: float) -> float:
        seen.append(projection.get("weight", format="list", with_address=False))
        return time + 12.5

    sim.run(50.0, callbacks=[read])
    assert len(seen) == 5
    for count, weights in enumerate(seen):
        _, projection = network()
        sim.run(12.5 * count)
        assert projection.get("weight", format="list", with_address=False) == weights


def test_a_reset_restores_the_weights() -> None:
    cells, projection = network()
    before = projection.get("weight", format="list", with_address=False)
    sim.run(40.0)
    first = result(cells, projection)
    assert first[1] != before
    sim.reset()
    assert projection.get("weight", format="list", with_address=False) == before
    sim.run(40.0)
    assert result(cells, projection) == first


def test_the_exported_network_learns_as_the_script(tmp_path: Path) -> None:
    cells, projection = network()
    sim.run(60.0)
    trains, _ = result(cells, projection)
    sim.export(tmp_path / "net.mlir", input=tmp_path / "input.npz")
    spikes = nopt.run(tmp_path / "net.mlir", tmp_path / "input.npz")["cells_out"]
    assert [(0.5 * (np.flatnonzero(column) + 1)).tolist() for column in spikes.T] == trains


def test_pairs_are_exported_for_chips() -> None:
    """A_plus and A_minus are shares of w_max."""
    cells, _ = network()
    ops = [op for op in sim.export(learning="pairs").walk() if "plasticity" in op.properties]
    assert len(ops) == 3
    assert ops[0].properties["plasticity"].values == {
        "a_plus": 0.4,
        "a_minus": 0.2,
        "tau_plus": 0.01,
        "tau_minus": 0.02,
        "w_min": 0.0,
        "w_max": 4.0,
    }
    assert not [op for op in sim.export(learning="pairs").walk() if op.name == "ntensor.rule"]
    assert cells.size == 6


def test_a_script_that_learns_compiles_for_spinnaker(tmp_path: Path) -> None:
    """The loss is measured on the model of the chip: engines have no rules on weights with a scale."""
    sim.setup(timestep=1.0)
    times = [[float(5 + n % 13), 40.0 + n % 7] for n in range(20)]
    source = sim.Population(20, sim.SpikeSourceArray(spike_times=times), label="source")
    cells = sim.Population(10, sim.IF_curr_exp(tau_refrac=2.0, cm=0.2), label="cells")
    sim.Projection(source, cells, sim.AllToAllConnector(), pairs(weight=0.6), label="plastic")
    cells.record("spikes")
    sim.run(80.0)
    sim.export(tmp_path / "net.mlir", input=tmp_path / "input.npz", learning="pairs")
    made = nopt.compile(tmp_path / "net.mlir", target="spinnaker", calib=tmp_path / "input.npz", out=tmp_path / "build")
    assert made.report["loss"]["spike_agreement"] is not None
    spikes = nopt.run(tmp_path / "build", tmp_path / "input.npz")["cells_out"]
    total = sum(len(train) for train in trains_of(cells))
    assert spikes.sum() == pytest.approx(total, rel=0.1)


def trains_of(cells: Any) -> list[Any]:
    return [*cells.get_data().segments[0].spiketrains]
