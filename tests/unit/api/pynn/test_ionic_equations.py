"""Cells with conductances, alpha functions and ionic currents against solutions that SciPy computes, and their recordings."""

from __future__ import annotations

from math import e, exp
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from nopt import pynn as sim

Volts = np.ndarray[Any, np.dtype[np.float64]]


def run(cell: Any, weight: float, stop: float, dt: float, *, current: float = 0.0) -> Any:
    """Returns the recordings of a neuron that receives a spike at 2 ms."""
    sim.setup(timestep=dt)
    source = sim.Population(1, sim.SpikeSourceArray(spike_times=[1.0]))
    neuron = sim.Population(1, cell)
    sim.Projection(source, neuron, sim.AllToAllConnector(), sim.StaticSynapse(weight=weight, delay=1.0))
    if current:
        neuron.inject(sim.DCSource(amplitude=current))
    neuron.record([one for one in cell.recordable if one != "spikes"])
    neuron.record("spikes")
    sim.run(stop)
    return neuron.get_data().segments[0]


def recorded(segment: Any, name: str) -> Volts:
    return np.asarray(segment.filter(name=name)[0])[:, 0]


def alpha(time: Volts, tau: float) -> Volts:
    """Returns an alpha function that starts at 2 ms."""
    t = np.maximum(time - 2, 0) / tau
    return e * t * np.exp(-t)


@pytest.mark.parametrize("tau", [3.0, 10.0, 10.01, 30.0])
def test_a_current_of_an_alpha_function_is_exact(tau: float) -> None:
    segment = run(sim.IF_curr_alpha(tau_m=10.0, cm=0.5, tau_syn_E=tau, v_thresh=1e6), 0.5, 60.0, 0.1)
    v, time = recorded(segment, "v"), 0.1 * np.arange(601)
    solved = solve_ivp(
        lambda t, y: (0.5 * alpha(np.asarray(t), tau) - 0.5 / 10 * (y + 65)) / 0.5,
        (2, 60),
        [-65.0],
        t_eval=time[20:],
        rtol=1e-11,
        atol=1e-11,
    )
    assert np.abs(v[20:] - solved.y[0]).max() < 1e-8


def test_a_conductance_of_an_alpha_function_is_recorded() -> None:
    segment = run(sim.IF_cond_alpha(tau_syn_E=2.0, cm=0.5, v_thresh=1e6), 0.02, 30.0, 0.1)
    time = 0.1 * np.arange(301)
    assert recorded(segment, "gsyn_exc") == pytest.approx(0.02 * alpha(time, 2.0), abs=1e-12)
    assert not recorded(segment, "gsyn_inh").any()
    solved = solve_ivp(
        lambda t, y: (-0.02 * alpha(np.asarray(t), 2.0) * y - 0.5 / 20 * (y + 65)) / 0.5,
        (2, 30),
        [-65.0],
        t_eval=time[20:],
        rtol=1e-11,
        atol=1e-11,
    )
    assert np.abs(recorded(segment, "v")[20:] - solved.y[0]).max() < 1e-3


def test_a_recorded_conductance_has_the_weights_that_arrive() -> None:
    g = recorded(run(sim.IF_cond_exp(tau_syn_E=2.0, v_thresh=1e6), 0.02, 6.0, 0.5), "gsyn_exc")
    expected = [0.0] * 4 + [0.02 * exp(-0.25 * k) for k in range(9)]
    assert g == pytest.approx(expected, abs=1e-14)


def test_adaptation_follows_its_differential_equation() -> None:
    """Below the spike: C v' = -g v + g D exp((v - V_T) / D) - w + I, tau_w w' = a v - w, relative to rest."""
    segment = run(sim.EIF_cond_exp_isfa_ista(), 0.0, 40.0, 0.1, current=0.4)
    g = 0.281 / 9.3667

    time = 0.1 * np.arange(401)
    solved = solve_ivp(
        lambda t, y: [(g * (2 * exp((y[0] - 20.2) / 2) - y[0]) - y[1] + 0.4) / 0.281, (4e-3 * y[0] - y[1]) / 144],
        (0, 40),
        [0.0, 0.0],
        t_eval=time,
        rtol=1e-10,
        atol=1e-10,
    )
    v, w = recorded(segment, "v"), recorded(segment, "w")
    assert v[0] == -70.6
    assert np.abs(v + 70.6 - solved.y[0]).max() < 1e-5
    assert np.abs(w - solved.y[1]).max() < 1e-7


def test_gates_follow_their_differential_equations() -> None:
    """Two spikes of the model of Traub and Miles, whose errors fall with the square of the tick."""

    def slope(_: float, y: Volts) -> list[float]:
        v, m, n, h = y
        u = v + 63

        def ratio(x: float, scale: float) -> float:
            return x / (exp(x / scale) - 1) if abs(x) > 1e-9 else scale

        sodium, potassium = 20 * m**3 * h, 6 * n**4
        return [
            (0.01 * (-65 - v) + sodium * (50 - v) + potassium * (-90 - v) + 0.5) / 0.2,
            0.32 * ratio(13 - u, 4) * (1 - m) - 0.28 * ratio(u - 40, 5) * m,
            0.032 * ratio(15 - u, 5) * (1 - n) - 0.5 * exp((10 - u) / 40) * n,
            0.128 * exp((17 - u) / 18) * (1 - h) - 4 / (1 + exp((40 - u) / 5)) * h,
        ]

    solved = solve_ivp(slope, (0, 25), [-65.0, 0.0, 0.0, 1.0], rtol=1e-9, atol=1e-9, dense_output=True)
    errors: list[float] = []
    for dt in (0.05, 0.025):
        segment = run(sim.HH_cond_exp(), 0.0, 25.0, dt, current=0.5)
        v = recorded(segment, "v")
        errors.append(float(np.abs(v - solved.sol(dt * np.arange(len(v)))[0]).max()))
        assert len(segment.spiketrains[0]) == 2
    assert errors[1] < 1.5
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.25)


def test_a_step_of_izhikevich() -> None:
    """v = -70, u = -14: v' = 0.04 4900 - 350 + 140 + 14 + 10 = 10, u' = 0.02 (0.2 (-70) + 14) = 0."""
    segment = run(sim.Izhikevich(i_offset=0.01), 3.0, 2.0, 0.5)
    v, u = recorded(segment, "v"), recorded(segment, "u")
    assert v[:2] == pytest.approx([-70, -65])
    assert u[:3] == pytest.approx([-14, -14, -14 + 0.5 * 0.02 * (0.2 * -65 + 14)])
    later = run(sim.Izhikevich(i_offset=0.01), 0.0, 2.0, 0.5)
    assert v[4] - recorded(later, "v")[4] == pytest.approx(3)


def test_initial_values_are_those_of_the_script() -> None:
    sim.setup(timestep=0.5)
    cells = sim.Population(2, sim.EIF_cond_exp_isfa_ista())
    cells.initialize(v=[-70.0, -60.0], w=[0.1, 0.0])
    cells.record(["v", "w"])
    sim.run(1.0)
    segment = cells.get_data().segments[0]
    assert np.asarray(segment.filter(name="v")[0])[0].tolist() == [-70, -60]
    assert np.asarray(segment.filter(name="w")[0])[0].tolist() == [0.1, 0]
