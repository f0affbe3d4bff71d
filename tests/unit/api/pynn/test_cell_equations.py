"""The cells of PyNN: their potentials against solutions that another method computes."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from nopt import pynn as sim

Volts = np.ndarray[Any, np.dtype[np.float64]]


def recorded(cell: Any, weight: float, ticks: int, dt: float = 0.1) -> tuple[Volts, list[float]]:
    """Returns the potentials and spikes of one neuron that receives a spike at 1 ms, with a delay of 1 ms."""
    sim.setup(timestep=dt)
    source = sim.Population(1, sim.SpikeSourceArray(spike_times=[1.0]))
    neuron = sim.Population(1, cell)
    receptor = "excitatory" if weight > 0 else "inhibitory"
    sim.Projection(
        source, neuron, sim.OneToOneConnector(), sim.StaticSynapse(weight=weight, delay=1.0), receptor_type=receptor
    )
    neuron.record(["spikes", "v"])
    sim.run(ticks * dt)
    found = neuron.get_data().segments[0]
    return np.asarray(found.analogsignals[0])[:, 0], [float(time) for time in found.spiketrains[0]]


@pytest.mark.parametrize("taus", [(20.0, 5.0), (10.0, 10.0), (10.0, 10.0001), (3.0, 50.0), (20.0, 19.5)])
@pytest.mark.parametrize("other", [0.0, 3.0])
def test_a_current_is_the_difference_of_two_exponentials(taus: tuple[float, float], other: float) -> None:
    """v - v_rest = w/cm (exp(-t/tau_m) - exp(-t/tau_s)) tau_m tau_s / (tau_m - tau_s) after the arrival at 2 ms. With `other`, receptors have two time constants."""
    tau_m, tau_s = taus
    cell = sim.IF_curr_exp(tau_m=tau_m, tau_syn_E=tau_s, tau_syn_I=tau_s + other, cm=0.5)
    v, spikes = recorded(cell, 0.1, 400)
    t = np.maximum(0.1 * np.arange(401) - 2, 0)
    if tau_m == tau_s:
        expected = -65 + 0.1 / 0.5 * t * np.exp(-t / tau_m)
    else:
        expected = -65 + 0.1 / 0.5 * (np.exp(-t / tau_m) - np.exp(-t / tau_s)) * tau_m * tau_s / (tau_m - tau_s)
    rounding = 1e-9 if 0 < abs(tau_m - tau_s) < 1e-3 else 1e-12  # of the difference in the formula
    assert np.abs(v - expected).max() < rounding
    assert not spikes


def initial() -> float:
    """The default potential of PyNN before the first tick [mV]."""
    return -65.0


def test_a_step_relaxes() -> None:
    v, _ = recorded(sim.IF_curr_delta(tau_m=10.0), 4.0, 100)
    assert np.abs(v[:20] - initial()).max() == 0
    assert np.abs(v[20:] - (-65 + 4 * np.exp(-0.01 * np.arange(81)))).max() < 1e-12


def test_a_constant_current_charges_and_spikes_periodically() -> None:
    """v reaches -50 mV from -65 mV at tau ln(30 / 15) = 13.86 ms with 30 mV of drive: at 13.9 ms; then 2 ms of refractory period."""
    _, spikes = recorded(sim.IF_curr_exp(i_offset=1.5, tau_refrac=2.0, cm=1.0, tau_m=20.0), 1e-9, 400)
    assert spikes == pytest.approx([13.9, 13.9 + 15.9])


@pytest.mark.parametrize(
    ("cell", "weight", "expected"),
    [
        (sim.IF_curr_delta(tau_refrac=5.0), 20.0, [2.0]),
        (sim.IF_curr_exp(tau_refrac=5.0, tau_syn_E=1000.0), 200.0, [2.1, 7.2]),
    ],
)
def test_weights_in_the_refractory_period(cell: Any, weight: float, expected: list[float]) -> None:
    """Weights arrive at 2 ms and at 4 ms. Steps are lost within 5 ms of a spike; a current lasts, and the next spike is a tick after the period."""
    sim.setup(timestep=0.1)
    source = sim.Population(1, sim.SpikeSourceArray(spike_times=[1.0, 3.0]))
    neuron = sim.Population(1, cell)
    sim.Projection(source, neuron, sim.OneToOneConnector(), sim.StaticSynapse(weight=weight, delay=1.0))
    neuron.record(["spikes", "v"])
    sim.run(8.0)
    found = neuron.get_data().segments[0]
    assert np.asarray(found.spiketrains[0]).tolist() == pytest.approx(expected)
    v = np.asarray(found.analogsignals[0])[:, 0]
    first = round(10 * expected[0])
    assert (v[first : first + 51] == -65).all()


@pytest.mark.parametrize("dt", [0.1, 0.05])
def test_a_conductance_follows_its_differential_equation(dt: float) -> None:
    """The error of a tick is of third order, so that the largest one falls by four when the tick is halved."""
    cell = sim.IF_cond_exp(tau_syn_E=3.0, cm=0.5, tau_m=15.0, v_thresh=0.0)
    v, _ = recorded(cell, 0.05, round(40 / dt), dt)
    leak = 0.5 / 15

    def slope(t: float, state: Volts) -> list[float]:
        return [(leak * (-65 - state[0]) + 0.05 * exp(-t / 3) * (0 - state[0])) / 0.5]

    times = dt * np.arange(round(38 / dt) + 1)
    exact = solve_ivp(slope, (0, times[-1]), [-65.0], t_eval=times, rtol=1e-10, atol=1e-10).y[0]
    error = float(np.abs(v[round(2 / dt) :] - exact).max())
    assert 0 < error < 0.03 * dt**2


def test_potentials_start_where_they_are_initialised() -> None:
    sim.setup(timestep=1.0)
    neurons = sim.Population(3, sim.IF_curr_exp(tau_m=10.0))
    neurons.initialize(v=[-65.0, -60.0, -52.0])
    neurons.record("v")
    sim.run(2.0)
    v = np.asarray(neurons.get_data().segments[0].analogsignals[0])
    decay = np.exp(-0.1 * np.arange(3))[:, None]
    assert np.abs(v - (-65 + decay * np.array([0.0, 5.0, 13.0]))).max() < 1e-12
