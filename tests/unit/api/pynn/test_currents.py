"""Sources of currents: their values in time, injection into views and single neurons, changes between runs, and the exported network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt
from nopt import pynn as sim

Volts = np.ndarray[Any, np.dtype[np.float64]]


def integrator(size: int = 1, **options: Any) -> Any:
    """Returns cells whose potential in mV above -65 is the integral of the current in nA ms."""
    sim.setup(timestep=0.5, **options)
    cells = sim.Population(size, sim.IF_curr_exp(tau_m=1e9, cm=1.0, v_thresh=1e6), label="cells")
    cells.record("v")
    return cells


def flow(cells: Any) -> Volts:
    """Returns the current of each tick. Shapes: [ticks, neurons]."""
    return np.diff(np.asarray(cells.get_data().segments[-1].analogsignals[0]), axis=0) / 0.5


def test_a_constant_current_flows_from_its_start_to_its_stop() -> None:
    cells = integrator()
    cells.inject(sim.DCSource(amplitude=0.5, start=2.0, stop=6.0))
    sim.run(10.0)
    assert flow(cells)[:, 0] == pytest.approx([0.0] * 4 + [0.5] * 8 + [0.0] * 8, abs=1e-6)


def test_steps_keep_their_last_amplitude() -> None:
    cells = integrator()
    cells.inject(sim.StepCurrentSource(times=[1.0, 3.0], amplitudes=[0.5, -0.25]))
    sim.run(5.0)
    assert flow(cells)[:, 0] == pytest.approx([0.0] * 2 + [0.5] * 4 + [-0.25] * 4, abs=1e-6)


def test_a_sine_has_its_phase_at_its_start() -> None:
    cells = integrator()
    cells.inject(sim.ACSource(amplitude=2.0, offset=1.0, frequency=50.0, phase=90.0, start=5.0, stop=25.0))
    sim.run(30.0)
    time = 0.5 * np.arange(40)
    wave = 1 + 2 * np.cos(2 * np.pi * 0.05 * time)
    assert flow(cells)[:, 0] == pytest.approx([0.0] * 10 + wave.tolist() + [0.0] * 10, abs=1e-5)


def test_noise_has_its_moments_and_its_seed() -> None:
    def draw(seed: int) -> Volts:
        cells = integrator(rng_seed=seed)
        cells.inject(sim.NoisyCurrentSource(mean=0.5, stdev=0.2, start=10.0, dt=1.0))
        sim.run(2010.0)
        return flow(cells)[:, 0]

    first = draw(1)
    assert not first[:20].any()
    held = first[20:].reshape(-1, 2)
    assert held[:, 0] == pytest.approx(held[:, 1], abs=1e-6)
    assert held[:, 0].mean() == pytest.approx(0.5, abs=4 * 0.2 / 2000**0.5)
    assert held[:, 0].std() == pytest.approx(0.2, rel=0.1)
    assert (draw(1) == first).all()
    assert (draw(2) != first).any()


def test_currents_of_views_and_neurons_are_added() -> None:
    cells = integrator(4)
    cells[1:3].inject(sim.DCSource(amplitude=0.5))
    cells[2].inject(sim.DCSource(amplitude=0.25))
    sim.run(2.0)
    assert flow(cells) == pytest.approx(np.tile([0, 0.5, 0.75, 0], (4, 1)), abs=1e-6)


def test_an_amplitude_changes_from_its_time_on() -> None:
    cells = integrator()
    source = sim.DCSource(amplitude=0.5)
    cells.inject(source)
    sim.run(2.0)
    source.amplitude = 1.0
    sim.run(2.0)
    assert flow(cells)[:, 0] == pytest.approx([0.5] * 4 + [1.0] * 4, abs=1e-6)
    sim.reset()
    sim.run(1.0)
    assert flow(cells)[:, 0] == pytest.approx([1.0] * 2, abs=1e-6)


def test_spike_sources_take_no_current() -> None:
    sim.setup()
    source = sim.Population(2, sim.SpikeSourceArray(spike_times=[1.0]))
    for group in (source, source[0]):
        with pytest.raises(TypeError, match="spike"):
            group.inject(sim.DCSource())


def test_steps_without_an_order_are_refused() -> None:
    cells = integrator()
    cells.inject(sim.StepCurrentSource(times=[3.0, 1.0], amplitudes=[0.5, 0.5]))
    with pytest.raises(ValueError, match="increase"):
        sim.run(5.0)


def test_an_exported_network_has_the_current_as_an_input(tmp_path: Path) -> None:
    sim.setup(timestep=0.5)
    cells = sim.Population(3, sim.IF_curr_exp(tau_refrac=1.0), label="cells")
    cells[1:].inject(sim.ACSource(amplitude=2.0, offset=1.0, frequency=20.0))
    cells.record("spikes")
    sim.run(100.0)
    sim.export(tmp_path / "net.mlir", input=tmp_path / "input.npz")
    spikes = nopt.run(tmp_path / "net.mlir", tmp_path / "input.npz")["cells_out"]
    trains = [np.asarray(one).tolist() for one in cells.get_data().segments[0].spiketrains]
    assert [(0.5 * (np.flatnonzero(column) + 1)).tolist() for column in spikes.T] == trains
    assert not trains[0]
    assert len(trains[1]) > 2
    with pytest.raises(nopt.Refused, match="PYN007"):
        sim.export(tmp_path / "net.nir", approximate=["refractory", "initial"])
