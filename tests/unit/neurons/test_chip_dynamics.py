"""The two neurons of analog chips: against plain loops of the same steps, against closed solutions, and as the step gets finer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from chips import run, update_of

from nopt.simulation.update import derive

VECTORS = 10_000

DYNAP = {
    "i_0": 5e-13,
    "i_tau_mem": 5e-12,
    "i_gain_mem": 2e-11,
    "i_tau_syn": 1e-11,
    "i_gain_syn": 1e-10,
    "i_tau_ahp": 1e-12,
    "i_gain_ahp": 4e-12,
    "i_w_ahp": 1e-12,
    "i_dc": 5e-13,
    "i_spkthr": 1e-7,
    "i_ref": 2.1e-9,
    "i_pulse": 1.05e-7,
    "i_pulse_ahp": 3.5e-7,
    "i_scale": 1e-8,
    "c_mem": 3e-12,
    "c_syn": 2.45e-11,
    "c_ahp": 4e-11,
    "c_ref": 1.5e-12,
    "c_pulse": 5e-13,
    "c_pulse_ahp": 5e-13,
    "kappa_n": 0.75,
    "kappa_p": 0.66,
    "u_t": 0.025,
    "v_th": 0.7,
}
"""Currents [A], capacitances [F] and voltages [V] similar to the simulator's defaults."""


def are_close(found: Sequence[float], wanted: Sequence[float], absolute: float) -> bool:
    """Returns whether the numbers of one neuron differ by a relative error of 1e-9 at most, or by an absolute one."""
    return all(abs(a - b) <= absolute + 1e-9 * abs(b) for a, b in zip(found, wanted, strict=True))


def dynap_se2(c: dict[str, float], held: list[Any], x: float, dt: float) -> list[Any]:
    """Computes one tick of DynapSim in the order of its equations."""
    mem, syn, ahp, vmem, timer, fired = held
    kappa, u_t, i_0 = (c["kappa_n"] + c["kappa_p"]) / 2, c["u_t"], c["i_0"]

    def tau(current: float, capacitance: float) -> float:
        return capacitance * u_t / (kappa * current)

    tau_syn, tau_ahp = tau(c["i_tau_syn"], c["c_syn"]), tau(c["i_tau_ahp"], c["c_ahp"])
    pulse, pulse_ahp = c["v_th"] * c["c_pulse"] / c["i_pulse"], c["v_th"] * c["c_pulse_ahp"] / c["i_pulse_ahp"]
    t_ref = np.float32(c["v_th"]) * np.float32(c["c_ref"]) / np.float32(c["i_ref"])
    syn = syn * math.exp(-dt / tau_syn)
    syn += (1 - math.exp(-pulse / tau_syn)) * max(i_0, c["i_gain_syn"] / c["i_tau_syn"] * c["i_scale"] * x)
    ahp = ahp * math.exp(-dt / tau_ahp)
    ahp += (1 - math.exp(-pulse_ahp / tau_ahp)) * (c["i_gain_ahp"] / c["i_tau_ahp"]) * c["i_w_ahp"] * fired
    ahp = max(i_0, ahp)
    leak = c["i_tau_mem"] + ahp
    drive = max(i_0, (syn - leak + c["i_dc"]) * (timer == 0))
    steady = c["i_gain_mem"] / c["i_tau_mem"] * (drive - leak)
    f = i_0 * math.exp(kappa**2 / (kappa + 1) * vmem / u_t) / leak * (mem + c["i_gain_mem"])
    change = steady + f - mem * (1 + ahp / c["i_tau_mem"])
    mem += dt * mem / (tau(leak, c["c_mem"]) * (mem + c["i_gain_mem"])) * change
    mem = max(i_0, mem)
    vmem = u_t / kappa * math.log(mem / i_0)
    fired = max(0, math.ceil(math.log(mem / c["i_spkthr"])))
    timer = t_ref if fired else np.float32(max(np.float32(0), np.float32(timer - np.float32(dt))))
    return [i_0 if fired else mem, syn, ahp, vmem, timer, fired]


def test_dynap_se2_equals_a_loop() -> None:
    """10,000 neurons with individual currents for eight ticks: equal spike counts, currents with a relative error of 1e-9."""
    rng = np.random.default_rng(1)
    dt, update = 1e-3, update_of("dynap_se2")
    raw = {name: np.full(VECTORS, value) for name, value in DYNAP.items()}
    for name in DYNAP:
        if name[:2] in ("i_", "c_") and name != "i_0":
            raw[name] = raw[name] * np.exp(rng.uniform(-0.5, 0.5, VECTORS))
    mem = raw["i_spkthr"] * np.exp(rng.uniform(-8, 1, VECTORS))
    volts = DYNAP["u_t"] / 0.705 * np.log(mem / DYNAP["i_0"])
    start = {
        "mem": mem,
        "vmem": volts,
        "syn": np.exp(rng.uniform(-28, -16, VECTORS)),
        "fired": rng.integers(0, 2, VECTORS),
    }
    start |= {"ahp": np.exp(rng.uniform(-28, -22, VECTORS)), "timer": np.float32(1e-3) * rng.integers(0, 2, VECTORS)}
    x = rng.uniform(-0.1, 0.4, (8, VECTORS)) * (rng.random((8, VECTORS)) < 0.3)
    found = run(update, derive(update, dt, raw), {"x": x}, start)
    names = ("mem", "syn", "ahp", "vmem", "timer", "fired")
    for n in range(VECTORS):
        own = {name: float(value[n]) for name, value in raw.items()}
        held = [start[name][n].item() if name != "timer" else np.float32(start[name][n]) for name in names]
        for t in range(8):
            held = dynap_se2(own, held, float(x[t, n]), dt)
            got = [found[name][t, n] for name in names]
            assert got[-1] == held[-1] == found[""][t, n], (n, t)
            assert got[-2] == held[-2], (n, t)
            assert are_close(got[:4], held[:4], 0), (n, t)
    assert 0.02 < np.mean(found[""] > 0) < 0.98


NEUROGRID = {"tau_s": 0.02, "tau_k": 0.05, "tau_d": 0.01, "tau_exc": 0.005, "tau_inh": 0.02, "t_res": 0.002}
NEUROGRID |= {"g_inf": 0.5, "g_res": 5.0, "sat_exc": 2.0, "sat_inh": 3.0, "e_exc": 3.0, "e_inh": -1.0, "v_reset": 0.0}


def neurogrid(c: dict[str, float], held: list[Any], x: tuple[float, ...], dt: float) -> list[Any]:
    """Computes forward Euler: every derivative uses the values before the tick."""
    v, g_k, v_d, exc, inh, wait = held
    i, x_exc, x_inh = x
    p = 1.0 if wait > 0 else 0.0
    dv = (-v + i + v * v / 2 - (g_k + c["g_res"] * p) * v + v_d) / c["tau_s"]
    dg_k = (-g_k + c["g_inf"] * p) / c["tau_k"]
    dv_d = (-v_d + exc * (c["e_exc"] - v) + inh * (c["e_inh"] - v)) / c["tau_d"]
    dexc = (-exc + c["sat_exc"] * (x_exc > 0)) / c["tau_exc"]
    dinh = (-inh + c["sat_inh"] * (x_inh > 0)) / c["tau_inh"]
    v = v + dt * dv
    z = v >= 10
    wait = round(c["t_res"] / dt) if z else max(wait - 1, 0)
    return [z, c["v_reset"] if z else v, g_k + dt * dg_k, v_d + dt * dv_d, exc + dt * dexc, inh + dt * dinh, wait]


def test_neurogrid_equals_a_loop() -> None:
    rng = np.random.default_rng(2)
    dt, update = 1e-4, update_of("neurogrid")
    raw = {name: value * np.exp(rng.uniform(-0.5, 0.5, VECTORS)) for name, value in NEUROGRID.items()}
    raw["v_reset"] = rng.uniform(-1, 1, VECTORS)
    names = ("v", "g_k", "v_d", "exc", "inh", "wait")
    start = {"v": rng.uniform(-2, 10, VECTORS), "v_d": rng.uniform(-1, 3, VECTORS), "wait": rng.integers(0, 3, VECTORS)}
    start |= {name: rng.uniform(0, 2, VECTORS) for name in ("g_k", "exc", "inh")}
    inputs = {"i": rng.uniform(-1, 40, (8, VECTORS))}
    inputs |= {name: rng.integers(0, 2, (8, VECTORS)).astype(float) for name in ("x_exc", "x_inh")}
    found = run(update, derive(update, dt, raw), inputs, start)
    spikes = 0
    for n in range(VECTORS):
        own = {name: float(value[n]) for name, value in raw.items()}
        held = [start[name][n].item() for name in names]
        for t in range(8):
            z, *held = neurogrid(own, held, tuple(float(given[t, n]) for given in inputs.values()), dt)
            got = [found[name][t, n] for name in names]
            assert (found[""][t, n], got[-1]) == (z, held[-1]), (n, t)
            assert are_close(got, held, 1e-12), (n, t)
            spikes += z
    assert spikes > VECTORS / 50


def first_spike(i: float, dt: float) -> float:
    """Returns the seconds to the first spike from rest under a constant input; infinite beyond half a second."""
    update = update_of("neurogrid")
    ticks = round(0.5 / dt)
    held = {"i": np.full((ticks, 1), i), "x_exc": np.zeros((ticks, 1)), "x_inh": np.zeros((ticks, 1))}
    z = run(update, derive(update, dt, NEUROGRID), held)[""][:, 0]
    return (int(z.argmax()) + 1) * dt if z.any() else math.inf


@pytest.mark.parametrize("i", [0.6, 1.0, 3.0])
def test_neurogrid_spikes_when_the_closed_solution_does(i: float) -> None:
    """tau v' = -v + i + v^2 / 2 from 0 reaches 10 after tau * 2 / q * (atan(9 / q) + atan(1 / q)), q = sqrt(2 i - 1).

    The error of forward Euler is proportional to dt, and the time is a multiple of dt: a tenth of the step has less than a third of the error.
    """
    q = math.sqrt(2 * i - 1)
    exact = NEUROGRID["tau_s"] * 2 / q * (math.atan(9 / q) + math.atan(1 / q))
    errors = [abs(first_spike(i, dt) - exact) for dt in (2e-4, 2e-5)]
    assert errors[0] < 0.03 * exact
    assert errors[1] < errors[0] / 3


def test_neurogrid_needs_more_than_one_half() -> None:
    """-v + i + v^2 / 2 has a root, at which v rests, up to i = 1/2."""
    assert math.isinf(first_spike(0.49, 1e-4))
    assert math.isfinite(first_spike(0.6, 1e-4))


def test_spinnaker_follows_the_real_solution() -> None:
    """PyNN's IF_curr_exp: tau_m = 20, tau_s = 5, dt = 1 [ms], c = 0.25 [nF], so R = 80 [MOhm]; weights up to 2 [nA].

    Every product loses up to 2^-15. A current accumulates this over 1 / (1 - exp(-1 / 5)) = 5.5 ticks, which R converts to
    5.5 * 80 * 2^-15 = 0.013 mV; together with the rounding of v itself, below 0.03 mV.
    """
    rng = np.random.default_rng(3)
    keep, syn, r, rest = math.exp(-1 / 20), math.exp(-1 / 5), 80.0, -65.0
    share = 5 * (1 - syn)
    params = {"shift_exc": 0, "shift_inh": 0, "offset": round(0.1 * 32768), "t_refract": 0}
    params |= {name: round(2**32 * share) for name in ("init_exc", "init_inh")}
    params |= {name: round(2**32 * syn) for name in ("decay_exc", "decay_inh")}
    params |= {"r_membrane": round(r * 32768), "v_rest": round(rest * 32768), "exp_tc": round(keep * 32768)}
    params |= {"v_threshold": 2**31 - 1, "v_reset": 0}
    weights = [rng.integers(0, 65536, (300, 100)) * (rng.random((300, 100)) < 0.1) for _ in range(2)]
    found = run(
        update_of("spinnaker", "spinnaker_curr_exp"), params, dict(zip(("ring_exc", "ring_inh"), weights, strict=True))
    )
    exc, inh, v = np.zeros(100), np.zeros(100), np.full(100, rest)
    for t in range(300):
        exc, inh = exc + share * weights[0][t] / 32768, inh + share * weights[1][t] / 32768
        alpha = (exc - inh + 0.1) * r + rest
        v = alpha - keep * (alpha - v)
        assert np.abs(found["v"][t] / 32768 - v).max() < 0.03, t
        exc, inh = exc * syn, inh * syn
    assert np.ptp(v) > 10
