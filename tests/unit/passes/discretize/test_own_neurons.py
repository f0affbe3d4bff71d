"""Neurons of a user's own file take the same path as the presets', and equal a plain loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from graphs import f32, graph, lif, linear, run

from nopt.core.diagnostics import Diagnostics, Refused

ADAPTIVE = """
preset mine
loop_delay = spikes
beta = strong

neuron adaptive for nir.lif
option beta = weak | strong
param tau [s], r, v_threshold
param k = dt / tau, fade = exp(-dt / 0.05), jump = 0.3
state v = 0, h = 0
input x
v = v + k * (r * x - v)
th = v_threshold + (h if beta is strong else 0.1 * h)
z = v > th
v = v - th if z else v
h = fade * h + (jump if z else 0)
emit spike z
"""

REFRACTORY = """
neuron patient for nir.lif
param tau [s], r, v_threshold, v_reset
param k = dt / tau
param period: u6 = clip(round(0.005 / dt), 0, 63)
state v = 0, rest: u6 = 0
input x
ready = rest == 0
v = v + k * (r * x - v) if ready else v
z = ready and v > v_threshold
v = v_reset if z else v
rest = period if z else max(rest - 1, 0)
emit spike z
record left = real(rest) * dt
"""

TICKS = 200


def recurrent(rng: np.random.Generator, n: int) -> nir.NIRGraph:
    nodes = {"fc": linear(rng, n, 3, 4), "rec": linear(rng, n, n, 1), "lif": lif(rng, n)}
    edges = [("in", "fc"), ("fc", "lif"), ("lif", "rec"), ("rec", "lif"), ("lif", "out")]
    return graph(nodes, edges, {"in": 3}, {"out": n})


def case(tmp_path: Path, text: str, n: int = 5) -> tuple[Any, Any, str]:
    path = tmp_path / "mine.neuron"
    path.write_text(text, encoding="utf-8")
    rng = np.random.default_rng(5)
    return recurrent(rng, n), rng.normal(size=(TICKS, 3)), str(path)


@pytest.mark.parametrize(("choices", "share"), [({}, 1.0), ({"options": "beta=weak"}, 0.1)])
def test_adaptive_threshold(tmp_path: Path, choices: Any, share: float) -> None:
    net, x, path = case(tmp_path, ADAPTIVE)
    found = run(net, x, ["lif", "lif.v", "lif.h"], like=path, dt="1ms", **choices)
    node = net.nodes["lif"]
    tau, r, threshold = (getattr(node, name).astype(float) for name in ("tau", "r", "v_threshold"))
    v, h, z = np.zeros((3, 5))
    spikes, states = [], []
    for tick in x:
        arrived = net.nodes["fc"].weight @ tick + net.nodes["rec"].weight @ z
        for k in range(5):
            v[k] += 1e-3 / tau[k] * (r[k] * arrived[k] - v[k])
            th = threshold[k] + share * h[k]
            z[k] = v[k] > th
            v[k] -= th * z[k]
            h[k] = np.exp(-1e-3 / 0.05) * h[k] + 0.3 * z[k]
        spikes.append(z.copy())
        states.append((v.copy(), h.copy()))
    assert np.any(spikes)
    np.testing.assert_array_equal(found["lif"], spikes)
    np.testing.assert_allclose(found["lif.v"], [v for v, _ in states], rtol=0, atol=1e-10)
    np.testing.assert_allclose(found["lif.h"], [h for _, h in states], rtol=0, atol=1e-10)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_refractory_period(tmp_path: Path, precision: str) -> None:
    """The timer is an integer: five ticks of 1 ms, in both precisions."""
    net, x, path = case(tmp_path, REFRACTORY)
    record = ["lif", "lif.rest", "lif.left"]
    found = run(net, x, record, like=path, dt="1ms", loop_delay="spikes", precision=precision)
    node = net.nodes["lif"]
    tau, r, threshold, reset = (getattr(node, name).astype(float) for name in ("tau", "r", "v_threshold", "v_reset"))
    v, z, rest = np.zeros(5), np.zeros(5), [0] * 5
    spikes, rests = [], []
    for tick in x:
        arrived = net.nodes["fc"].weight @ tick + net.nodes["rec"].weight @ z
        for k in range(5):
            ready = rest[k] == 0
            if ready:
                v[k] += 1e-3 / tau[k] * (r[k] * arrived[k] - v[k])
            z[k] = ready and v[k] > threshold[k]
            if z[k]:
                v[k] = reset[k]
            rest[k] = 5 if z[k] else max(rest[k] - 1, 0)
        spikes.append(z.copy())
        rests.append(list(rest))
    assert np.any(spikes)
    np.testing.assert_array_equal(found["lif"], spikes)
    np.testing.assert_array_equal(found["lif.rest"], rests)
    assert found["lif.rest"].dtype == np.int32
    np.testing.assert_allclose(found["lif.left"], np.array(rests) * 1e-3, rtol=0, atol=1e-9)


def test_bounds_of_raw_parameters_hold(tmp_path: Path) -> None:
    """A parameter that only others are derived from has bounds, too."""
    text = REFRACTORY.replace("param tau [s],", "param tau [s] in 0.001..0.005,")
    net, x, path = case(tmp_path, text)
    with pytest.raises(Refused, match=r"NEU006.*tau"):
        run(net, x, like=path, dt="1ms", loop_delay="spikes")


def test_an_option_that_changes_nothing_is_said(tmp_path: Path) -> None:
    net, x, path = case(tmp_path, REFRACTORY)
    findings = Diagnostics()
    run(net, x[:3], findings=findings, like=path, dt="1ms", loop_delay="spikes", reset="zero")
    assert [(finding.code.id, finding.at) for finding in findings.findings] == [("ANA022", "reset=zero")]


def test_numbers_beyond_the_precision_are_refused() -> None:
    net = graph({"w": nir.Linear(np.array([[1e300]]))}, [("in", "w"), ("w", "out")], {"in": 1}, {"out": 1})
    assert run(net, np.ones((1, 1)), like="norse", dt="1ms")["out"][0, 0] == 1e300
    with pytest.raises(Refused, match="DIS004"):
        run(net, f32(np.ones((1, 1))), like="norse", dt="1ms", precision="f32")
