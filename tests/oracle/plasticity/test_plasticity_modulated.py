"""Brian 2 computes the weights of e-prop, homeostatic scaling and the reward rule: 200 synapses with random trains onto one neuron.

Brian integrates traces by differential equations, exactly between ticks; the spikes and the membrane of the neuron are those of nopt. Weights change by
one step of Euler in a tick, as the rules define, so that both compute the same numbers but for rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from plastic_networks import network_text
from plasticity_trains import greatest_error, run_tool

import nopt

Record = Callable[[str, object], None]
SYNAPSES, TICKS, MOST = 200, 2000, 1e-10
BOUNDS = {"w_min": 0.0, "w_max": 1.0}
REWARD = {
    "a_plus": 0.5,
    "a_minus": 0.55,
    "tau_plus": 0.02,
    "tau_minus": 0.03,
    "tau_c": 0.5,
    "tau_d": 0.2,
    "baseline": 0.1,
}
HOMEOSTATIC = {"gain": 0.02, "target": 30.0, "tau_rate": 0.5}
EPROP = {"rate": 0.05, "v_threshold": 6.0, "dampening": 0.3, "tau_m": 0.02, "tau_out": 0.03}
LEAK = "d{0}/dt = -{0} / {1} : {2}\n"
CLIP = "w = clip(w + {}, w_min, w_max)"

CASES = {
    "reward": (
        {**REWARD, "reward": "signal"},
        "w : 1\n"
        + "".join(
            LEAK.format(*one, "1") for one in (("x", "tau_plus"), ("y", "tau_minus"), ("c", "tau_c"), ("d", "tau_d"))
        ),
        ("c += a_plus * x", "c -= a_minus * y\nx += 1", "y += 1"),
        "d += signal(t)\n" + CLIP.format("c * (d + baseline) * dt / second"),
    ),
    "homeostatic": (
        HOMEOSTATIC,
        "w : 1\n" + LEAK.format("y", "tau_rate", "Hz"),
        ("y += 1 / tau_rate", "", ""),
        CLIP.format("gain * dt * (target * Hz - y) * w"),
    ),
    "eprop": (
        {**EPROP, "signal": "signal"},
        "w : 1\n" + LEAK.format("x", "tau_m", "1") + LEAK.format("eligibility", "tau_out", "1"),
        ("", "x += 1", ""),
        "eligibility += dampening / v_threshold * clip(1 - abs((seen(t) - v_threshold) / v_threshold), 0, 1) * x\n"
        + CLIP.format("-rate * signal(t) * eligibility"),
    ),
}


@pytest.mark.parametrize("rule", CASES)
def test_brian_changes_weights_alike(
    rule: str, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    entries, equations, (first, on_pre, last), end = CASES[rule]
    random = np.random.default_rng(57)
    pre = random.random((SYNAPSES, TICKS)) < random.uniform(0.002, 0.08, (SYNAPSES, 1))
    signal = np.where(random.random(TICKS) < 0.02, random.normal(0, 1, TICKS), 0.0)
    weight = random.uniform(0.05, 0.95, SYNAPSES)
    numbers = {**entries, **BOUNDS}
    text = network_text(weight[None], rule, numbers, inputs=', "signal" %s: tensor<1xf32>', threshold=6.0)
    given = {"in": pre.T, "signal": signal[:, None]}
    records = ["fc.weight", "lif.v"]
    results = nopt.run(nopt.parse(text), given, dt="1ms", like="norse", record=records, engine="numpy")
    found, post = results["fc.weight"].reshape(TICKS, SYNAPSES).T, results["out"][:, 0]
    assert post.sum() > 20
    parts = {"equations": equations, "on_post_first": first, "on_pre": on_pre, "on_post_last": last, "end": end}
    parameters = {name: value for name, value in numbers.items() if not isinstance(value, str)}
    arrays = {"pre": pre, "post": post, "weight": weight, "signal": signal, "v": results["lif.v"][:, 0]}
    wanted = run_tool(
        python_of("brian2"), "plasticity_modulated_brian.py", tmp_path, arrays, parameters=parameters, **parts
    )
    assert np.abs(wanted[:, -1] - weight).mean() > 0.02  # the weights move
    record_property("values", wanted.size)
    error = greatest_error(found, wanted)
    assert error < MOST, error
