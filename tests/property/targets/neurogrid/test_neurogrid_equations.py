"""Spike times of the model converge to the differential equations as the tick gets shorter, and the model equals the network in ticks."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from extent import seeds
from neurogrid_native import PARAMETERS, SYNAPSES, native_network
from scipy.integrate import solve_ivp

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

COARSE_NS, HALVINGS, SECONDS = 100_000, 4, 0.25
MARGIN, MOST = 0.01, 1.5e-4
"""Seconds at the end whose spikes are not compared, as some come too late; and the largest mean error of the shortest tick [s]."""


def draw_events(seed: int) -> list[np.ndarray]:
    """Returns the times at which events arrive at each synapse population, multiples of the coarse tick. Units: [s]."""
    rng = np.random.default_rng(seed)
    coarse, rates = COARSE_NS / 1e9, (200, 40, 80, 30)
    ticks = int(SECONDS / coarse)
    return [np.flatnonzero(rng.random(ticks) < rate * coarse)[1:] * coarse for rate in rates]


def pulses(times: np.ndarray, rise: float) -> list[tuple[float, float]]:
    """Returns the start and end of the pulses of events: one that arrives during a pulse follows it."""
    found: list[tuple[float, float]] = []
    for time in times.tolist():
        if found and time < found[-1][1]:
            found[-1] = found[-1][0], found[-1][1] + rise
        else:
            found.append((time, time + rise))
    return found


def solve(events: list[np.ndarray]) -> np.ndarray:
    """Returns the spike times of the differential equations, solved by Runge-Kutta of order 8 from switch to switch."""
    p = PARAMETERS
    active = [pulses(times, p[f"rise_{name}"]) for times, name in zip(events, SYNAPSES, strict=True)]
    switches = sorted({time for listed in active for pulse in listed for time in pulse if time < SECONDS} | {SECONDS})

    def slope(t: float, y: np.ndarray, p_syn: list[float], p_res: float) -> np.ndarray:
        v, v_d, g_k, *g = y
        drive = sum(one * (p[f"e_{name}"] - v) for one, name in zip(g, SYNAPSES, strict=True))
        return np.array(
            [
                (p["i_in"] - v + v * v / 2 - (g_k + p["g_res"] * p_res) * v + v_d) / p["tau_s"],
                (drive - v_d) / p["tau_d"],
                (p["g_inf"] * p_res - g_k) / p["tau_k"],
                *((p[f"sat_{n}"] * on - one) / p[f"tau_{n}"] for one, on, n in zip(g, p_syn, SYNAPSES, strict=True)),
            ]
        )

    def diverged(t: float, y: np.ndarray, *_: object) -> float:
        return y[0] - 10

    diverged.terminal, diverged.direction = True, 1  # type: ignore[attr-defined]
    t, y, until, spikes = 0.0, np.zeros(7), 0.0, list[float]()
    while t < SECONDS:
        end = next(time for time in switches if time > t)
        end = min(end, until) if until > t else end
        on = [float(any(a <= t < b for a, b in listed)) for listed in active]
        done = solve_ivp(
            slope, (t, end), y, "DOP853", events=diverged, args=(on, float(t < until)), rtol=1e-10, atol=1e-12
        )
        t, y = float(done.t[-1]), done.y[:, -1]
        if done.status == 1:
            spikes.append(t)
            y[0], until = p["v_reset"], t + p["t_res"]
    return np.array(spikes)


def run_model(events: list[np.ndarray], tick_ns: int, folder: Path) -> np.ndarray:
    """Returns the spike times of the model of the chip. An event that arrives in a tick was sent in the tick before."""
    dt = tick_ns / 1e9
    x = np.zeros((round(SECONDS / dt), 4), np.bool_)
    for k, times in enumerate(events):
        x[np.rint(times / dt).astype(int) - 1, k] = True
    source = folder / "native.mlir"
    source.write_text(native_network(tick_ns), encoding="utf-8")
    nopt.compile(source, target="neurogrid", out=folder / "build", diagnostics=Diagnostics())
    found = nopt.run(folder / "build", x, record=["soma"], diagnostics=Diagnostics())["soma"][:, 0]
    return (np.flatnonzero(found) + 1) * dt


@pytest.mark.parametrize("seed", seeds(1))
def test_spike_times_converge_to_the_differential_equations(seed: int, tmp_path: Path) -> None:
    events = draw_events(seed)
    exact = solve(events)
    exact = exact[exact < SECONDS - MARGIN]
    assert len(exact) >= 5
    errors: list[float] = []
    for k in range(HALVINGS):
        folder = tmp_path / str(k)
        folder.mkdir()
        found = run_model(events, COARSE_NS >> k, folder)[: len(exact)]
        assert len(found) == len(exact), f"{COARSE_NS >> k} ns"
        errors.append(float(np.abs(found - exact).mean()))
    # of first order: a half each time, but for spikes that are rounded to ticks
    assert all(after < 0.75 * before for before, after in pairwise(errors[1:])), f"mean errors {errors}"
    assert errors[-1] < 0.2 * errors[0], f"mean errors {errors}"
    assert errors[-1] < MOST, f"mean errors {errors}"
