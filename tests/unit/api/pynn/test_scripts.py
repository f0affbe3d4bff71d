"""Scripts of PyNN: runs, resets, recordings, views and assemblies, and the exported network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt
from nopt import pynn as sim


def build(seed: int = 0) -> tuple[Any, Any, Any]:
    """Starts a network of two populations that excite and inhibit each other, with a Poisson source."""
    sim.setup(timestep=0.5, rng_seed=seed)
    noise = sim.Population(20, sim.SpikeSourcePoisson(rate=100.0, start=5.0, duration=100.0), label="noise")
    excitatory = sim.Population(16, sim.IF_curr_exp(tau_refrac=1.0), label="excitatory")
    inhibitory = sim.Population(4, sim.IF_curr_exp(tau_syn_E=2.0, tau_syn_I=6.0), label="inhibitory")
    rng = sim.NumpyRNG(seed=3)
    some = sim.FixedProbabilityConnector(0.4, rng=rng)
    delays = sim.RandomDistribution("uniform", low=0.5, high=4.0, rng=rng)
    sim.Projection(noise, excitatory, some, sim.StaticSynapse(weight=2.0, delay=delays))
    sim.Projection(excitatory, inhibitory, some, sim.StaticSynapse(weight=3.0, delay=1.0))
    inhibition = sim.StaticSynapse(weight=-4.0, delay=0.5)
    sim.Projection(inhibitory, excitatory, sim.AllToAllConnector(), inhibition, receptor_type="inhibitory")
    for population in (excitatory, inhibitory):
        population.record(["spikes", "v"])
    noise.record("spikes")
    return noise, excitatory, inhibitory


def trains(population: Any, segment: int = 0) -> list[list[float]]:
    return [np.asarray(train).tolist() for train in population.get_data("spikes").segments[segment].spiketrains]


def test_two_runs_are_one_run() -> None:
    whole = build()
    sim.run(120.0)
    expected = [trains(one) for one in whole]
    parts = build()
    for _ in range(3):
        sim.run(40.0)
    assert [trains(one) for one in parts] == expected
    assert all(any(train) for train in expected)
    assert sim.get_current_time() == pytest.approx(120)
    v = parts[1].get_data("v").segments[0].analogsignals[0]
    assert v.shape == (241, 16)
    assert v.units.dimensionality.string == "mV"


def test_a_poisson_source_has_its_rate_within_its_time() -> None:
    noise, *_ = build()
    sim.run(120.0)
    times = [time for train in trains(noise) for time in train]
    assert min(times) >= 5
    assert max(times) < 105
    assert len(times) == pytest.approx(200, abs=4 * 200**0.5)  # 20 sources, 100 ms, 100 Hz


def test_a_fast_source_sends_several_spikes_in_a_tick() -> None:
    sim.setup(timestep=1.0)
    noise = sim.Population(10, sim.SpikeSourcePoisson(rate=2000.0))
    noise.record("spikes")
    sim.run(500.0)
    counts = [len(train) for train in trains(noise)]
    assert sum(counts) == pytest.approx(10_000, abs=400)
    assert len(set(trains(noise)[0])) < counts[0]


def test_a_reset_starts_a_segment() -> None:
    sim.setup(timestep=1.0)
    cells = sim.Population(2, sim.IF_curr_exp(i_offset=[1.0, 2.0]), label="cells")
    cells.record(["spikes", "v"])
    sim.run(50.0)
    first = trains(cells)
    sim.reset()
    cells.set(i_offset=3.0)
    sim.run(30.0)
    data = cells.get_data()
    assert len(data.segments) == 2
    assert trains(cells, 0) == first
    assert len(trains(cells, 1)[0]) > 0
    assert data.segments[1].analogsignals[0].shape == (31, 2)


def test_spikes_of_sources_may_change_between_runs() -> None:
    sim.setup(timestep=1.0)
    source = sim.Population(1, sim.SpikeSourceArray(spike_times=[1.0]))
    cells = sim.Population(1, sim.IF_curr_delta(), label="cells")
    sim.Projection(source, cells, sim.OneToOneConnector(), sim.StaticSynapse(weight=20.0, delay=1.0))
    cells.record("spikes")
    sim.run(10.0)
    source.set(spike_times=[1.0, 15.0])
    sim.run(10.0)
    assert trains(cells) == [[2.0, 16.0]]


def test_views_and_assemblies_connect_their_neurons() -> None:
    sim.setup(timestep=1.0)
    source = sim.Population(6, sim.SpikeSourceArray(spike_times=[[float(n + 1)] for n in range(6)]))
    first = sim.Population(2, sim.IF_curr_delta(), label="cells")
    second = sim.Population(4, sim.IF_curr_delta(), label="cells")
    synapse = sim.StaticSynapse(weight=20.0, delay=1.0)
    both = sim.Assembly(first, second[[1]])
    sim.Projection(source[[0, 2, 4]], both, sim.OneToOneConnector(), synapse, receptor_type="excitatory")
    for population in (first, second):
        population.record("spikes")
    sim.run(10.0)
    assert trains(first) == [[2.0], [4.0]]
    assert trains(second) == [[], [6.0], [], []]
    assert first.get_spike_counts() == {int(one): 1 for one in first.all_cells}


def test_parameters_of_a_view_are_those_of_its_population() -> None:
    sim.setup()
    cells = sim.Population(5, sim.IF_curr_exp(tau_m=10.0))
    cells[1:3].set(tau_m=15.0)
    assert cells.get("tau_m").tolist() == [10, 15, 15, 10, 10]
    assert cells[1:3].get("tau_m") == 15
    assert cells[[2, 3]].get("tau_m").tolist() == [15, 10]


def test_a_recording_has_a_sampling_interval_and_a_start() -> None:
    sim.setup(timestep=0.5)
    cells = sim.Population(3, sim.IF_curr_exp(i_offset=1.0))
    cells[1:].record("v", sampling_interval=2.0)
    sim.run(10.0)
    signal = cells.get_data().segments[0].analogsignals[0]
    assert signal.shape == (6, 2)
    with pytest.raises(ValueError, match="multiple of the time step"):
        sim.Population(1, sim.IF_curr_exp()).record("v", sampling_interval=0.7)


def test_the_exported_network_is_that_of_the_script(tmp_path: Path) -> None:
    _, excitatory, inhibitory = build()
    sim.run(100.0)
    module = sim.export(tmp_path / "net.mlir", input=tmp_path / "input.npz")
    nopt.verify(module)
    arrays = nopt.run(tmp_path / "net.mlir", tmp_path / "input.npz")
    for population in (excitatory, inhibitory):
        spikes = arrays[f"{population.label}_out"]
        assert spikes.shape == (200, population.size)
        times = [(0.5 * (np.flatnonzero(column) + 1)).tolist() for column in spikes.T]
        assert times == trains(population)


def test_outputs_are_the_populations_that_record_spikes() -> None:
    sim.setup(timestep=1.0)
    sim.Population(2, sim.IF_curr_exp(), label="silent")
    loud = sim.Population(3, sim.IF_curr_exp(), label="loud")
    assert [name.data for name in network(sim.export()).output_names] == ["silent_out", "loud_out"]
    loud.record("spikes")
    assert [name.data for name in network(sim.export()).output_names] == ["loud_out"]


def network(module: Any) -> Any:
    return next(op for op in module.ops if op.name == "ntensor.network")


@pytest.mark.parametrize("tau", [5.0, 20.0])
def test_a_nir_file_has_the_spikes_of_the_script(tau: float, tmp_path: Path) -> None:
    """Its time constants are those with which forward Euler has the decays of the exact solution."""
    sim.setup(timestep=0.5)
    rng = sim.NumpyRNG(seed=4)
    times = [sorted(set((0.5 * np.random.default_rng(n).integers(0, 200, 12)).tolist())) for n in range(8)]
    source = sim.Population(8, sim.SpikeSourceArray(spike_times=times), label="source")
    cell = sim.IF_curr_exp(tau_refrac=0.0, tau_syn_E=tau, tau_syn_I=tau, i_offset=0.3, v_reset=-70.0)
    currents = sim.Population(10, cell, label="currents", initial_values={"v": -59.0})  # where 0.3 nA lead
    steps = sim.Population(6, sim.IF_curr_delta(tau_refrac=0.0), label="steps")
    some = sim.FixedProbabilityConnector(0.5, rng=rng)
    sim.Projection(source, currents, some, sim.StaticSynapse(weight=1.5, delay=1.5))
    sim.Projection(source, steps, some, sim.StaticSynapse(weight=4.0, delay=0.5))
    sim.Projection(currents, steps, sim.AllToAllConnector(), sim.StaticSynapse(weight=2.5, delay=1.0))
    inhibition = sim.StaticSynapse(weight=-0.7, delay=0.5)
    sim.Projection(steps, currents, some, inhibition, receptor_type="inhibitory")
    for population in (currents, steps):
        population.record("spikes")
    sim.run(100.0)
    sim.export(tmp_path / "net.nir", input=tmp_path / "input.npz")
    choices = {"dt": "0.5ms", "like": "norse", "reset": "value"}
    arrays = nopt.run(tmp_path / "net.nir", tmp_path / "input.npz", **choices)
    for population in (currents, steps):
        spikes = arrays[f"{population.label}_out"]
        assert [(0.5 * (np.flatnonzero(column) + 1)).tolist() for column in spikes.T] == trains(population)
        assert spikes.any()


def test_what_nir_lacks_is_permitted_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sim.setup(timestep=1.0)
    cells = sim.Population(2, sim.IF_curr_exp(tau_refrac=2.0))
    cells.initialize(v=-60.0)
    assert sim.export("both.nir", approximate=["refractory", "initial"]) is not None
    assert Path("both.nir").exists()
    for permitted in ((), ("refractory",), ("initial",)):
        with pytest.raises(nopt.Refused, match="PYN007"):
            sim.export("never.nir", approximate=permitted)
    assert not Path("never.nir").exists()


def test_all_names_can_be_imported_at_once() -> None:
    """Scripts of PyNN begin with `from pyNN.nest import *`."""
    names: dict[str, Any] = {}
    exec("from nopt.pynn import *", names)
    assert {"setup", "IF_curr_exp", "FixedProbabilityConnector", "NumpyRNG", "Grid2D"} <= names.keys()
