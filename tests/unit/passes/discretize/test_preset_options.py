"""Options and initial states of presets: each against a loop in this file, written from the source in the preset's header."""

from __future__ import annotations

from math import exp, floor
from typing import Any

import nir
import numpy as np
import pytest
from graphs import f32, graph, run

DT = 1e-3
TICKS = 120


def lif(n: int = 1, **changed: Any) -> nir.LIF:
    given = {"tau": 0.01, "r": 1.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0} | changed
    return nir.LIF(**{name: f32(np.full(n, value)) for name, value in given.items()})


def cell(node: Any, x: np.ndarray, **choices: Any) -> dict[str, np.ndarray]:
    """Returns the output and v of one isolated population."""
    net = graph({"cell": node}, [("in", "cell"), ("cell", "out")], {"in": x.shape[1]}, {"out": x.shape[1]})
    return run(net, x, ["cell", "cell.v"], dt="1ms", **choices)


def drive(seed: int = 3, size: float = 1.5) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.3, size, (TICKS, 1))


# ---- sinabs


@pytest.mark.parametrize(("norm_input", "gain"), [("euler", 0.1), ("yes", 1 - exp(-0.1)), ("no", 1.0)])
@pytest.mark.parametrize("min_v_mem", ["none", "threshold"])
@pytest.mark.parametrize(("spike_fn", "most"), [("multi", 2**31), ("single", 1), ("max2", 2), ("max16", 16)])
def test_sinabs_lif(norm_input: str, gain: float, min_v_mem: str, spike_fn: str, most: int) -> None:
    """r has an effect only in `euler`; layers of sinabs have no r."""
    x = drive(size=40) * (0.1 / gain)
    r = 1.0 if norm_input == "euler" else 7.0
    options = f"norm_input={norm_input},min_v_mem={min_v_mem},spike_fn={spike_fn}"
    found = cell(lif(r=r), x, like="sinabs", options=options)
    tau, v, counts, shown = float(np.float32(0.01)), 0.0, [], []
    g = {"euler": DT / tau, "yes": 1 - exp(-DT / tau), "no": 1.0}[norm_input]
    for arrived in x[:, 0]:
        v = exp(-DT / tau) * v + g * arrived
        n = min(max(floor(v), 0), most)
        v -= n
        v = max(v, -1.0) if min_v_mem == "threshold" else v
        counts.append(n)
        shown.append(v)
    assert max(counts) > 1 if most > 1 else max(counts) == 1
    np.testing.assert_array_equal(found["cell"][:, 0], counts)
    np.testing.assert_allclose(found["cell.v"][:, 0], shown, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("bound", "most"), [("all", 65536), ("max1", 1), ("max15", 15), ("max31", 31)])
def test_rockpool_has_the_bound_of_spikes_in_a_tick(bound: str, most: int) -> None:
    x = np.array([[400.0], [0.0], [20.0]])  # 40, then the rest, and 2 thresholds: the gain is dt / tau = 0.1
    found = cell(lif(), x, like="rockpool", options=f"max_spikes_per_dt={bound}")
    v, counts = 0.0, []
    for arrived in x[:, 0]:
        v = exp(-DT / float(np.float32(0.01))) * v + 0.1 * arrived
        counts.append(min(floor(v + 1e-6), most))
        v -= counts[-1]
    assert counts[0] == min(40, most)
    np.testing.assert_array_equal(found["cell"][:, 0], counts)


def test_sinabs_if_has_no_bound_where_none_is_chosen() -> None:
    node = nir.IF(r=f32([1.0]), v_threshold=f32([1.0]), v_reset=f32([0.0]))
    x = np.full((5, 1), -1.0)
    assert cell(node, x, like="sinabs")["cell.v"][-1, 0] == -1
    assert cell(node, x, like="sinabs", options="min_v_mem=none")["cell.v"][-1, 0] == -5


def test_sinabs_li() -> None:
    node = nir.LI(tau=f32([0.01]), r=f32([7.0]), v_leak=f32([0.0]))
    x, tau = np.array([[1.0], [0.0]]), float(np.float32(0.01))
    for norm_input, gain in (("euler", 7 * DT / tau), ("no", 1.0), ("yes", 1 - exp(-DT / tau))):
        found = cell(node, x, like="sinabs", options=f"norm_input={norm_input}")["cell"][:, 0]
        np.testing.assert_allclose(found, [gain, gain * exp(-DT / tau)], rtol=1e-12)


# ---- Norse


def test_norse_leak_pulls_the_current() -> None:
    """`leaky_current = yes` is the LIBox of its importer: v_leak pulls the current, which starts there."""
    parts = {
        "tau_syn": 0.005,
        "tau_mem": 0.01,
        "r": 1.5,
        "v_leak": 0.2,
        "v_threshold": 1.0,
        "v_reset": 0.0,
        "w_in": 2.0,
    }
    node = nir.CubaLIF(**{name: f32([value]) for name, value in parts.items()})
    x = drive()
    found = cell(node, x, like="norse", options="leaky_current=yes")
    p = {name: float(np.float32(value)) for name, value in parts.items()}
    i = v = p["v_leak"]
    spikes, shown = [], []
    for arrived in x[:, 0]:
        i += DT / p["tau_syn"] * (p["v_leak"] - i + p["w_in"] * arrived)
        v += DT / p["tau_mem"] * (p["v_leak"] - v + p["r"] * i)
        z = v > p["v_threshold"]
        v = p["v_reset"] if z else v
        spikes.append(z)
        shown.append(v)
    assert any(spikes)
    np.testing.assert_array_equal(found["cell"][:, 0], spikes)
    np.testing.assert_allclose(found["cell.v"][:, 0], shown, rtol=0, atol=1e-12)
    assert not np.array_equal(cell(node, x, like="norse")["cell.v"], found["cell.v"])


def test_norse_leaky_current_means_another_leak() -> None:
    """The canonical leak is the steady state of v without input: v_leak + r v_leak."""
    parts = {
        "tau_syn": 0.005,
        "tau_mem": 0.01,
        "r": 1.5,
        "v_leak": 0.2,
        "v_threshold": 9.0,
        "v_reset": 0.0,
        "w_in": 2.0,
    }
    node = nir.CubaLIF(**{name: f32([value]) for name, value in parts.items()})
    found = cell(node, np.zeros((400, 1)), like="norse", options="leaky_current=yes")
    np.testing.assert_allclose(found["cell.v"][-1, 0], float(np.float32(0.2)) * 2.5, rtol=1e-9)


def test_norse_integrator_starts_at_v_reset() -> None:
    node = nir.IF(r=f32([1.0]), v_threshold=f32([1.0]), v_reset=f32([-0.5]))
    np.testing.assert_allclose(cell(node, np.full((2, 1), 0.25), like="norse")["cell.v"][:, 0], [-0.25, 0.0])


# ---- snnTorch


def recurrent(like: str, reset: str, x: np.ndarray) -> np.ndarray:
    nodes = {"cell": lif(tau=0.005, r=5.0), "rec": nir.Linear(weight=f32([[0.5]]))}
    edges = [("in", "cell"), ("cell", "rec"), ("rec", "cell"), ("cell", "out")]
    return run(graph(nodes, edges, {"in": 1}, {"out": 1}), x, ["cell"], dt="1ms", like=like, reset=reset)["cell"][:, 0]


def test_snntorch_delayed_zero_of_a_recurrent_layer() -> None:
    """RLeaky has v = 0 in all of the tick after a spike, whose input is lost; Leaky starts that tick at 0 and takes its input."""
    x = drive(size=0.8)
    beta = 1 - DT / float(np.float32(0.005))
    v, z, spikes = 0.0, False, []
    for arrived in x[:, 0]:
        base = beta * v + arrived + 0.5 * z
        v = 0.0 if v > 1 else base
        z = v > 1
        spikes.append(z)
    assert any(spikes)
    np.testing.assert_array_equal(recurrent("snntorch", "zero_next", x), spikes)
    np.testing.assert_array_equal(recurrent("snntorch", "zero_hold", x), spikes)
    v, plain = 0.0, []
    for arrived in x[:, 0]:
        v = (0.0 if v > 1 else v) * beta + arrived
        plain.append(v > 1)
    found = cell(lif(tau=0.005, r=5.0), x, like="snntorch", reset="zero_next")
    np.testing.assert_array_equal(found["cell"][:, 0], plain)
    zero = cell(lif(tau=0.005, r=5.0), x, like="snntorch", reset="zero")
    np.testing.assert_array_equal(
        zero["cell"], found["cell"]
    )  # v = 0 at the end of a tick or at the start of the next one


# ---- initial states


def test_spinnaker2_starts_at_zero() -> None:
    """two_lif_neurons.nir of the NIR paper: the first neuron fires by its leak alone, first at 17 ms, 11 times in 0.2 s."""
    nodes = {
        "lif1": lif(v_leak=1.2),
        "linear2": nir.Linear(weight=f32([[1.0]])),
        "lif2": lif(v_threshold=20.0),
    }
    edges = [("in", "lif1"), ("lif1", "linear2"), ("linear2", "lif2"), ("lif2", "out")]
    net = graph(nodes, edges, {"in": 1}, {"out": 1})
    found = run(net, np.zeros((200, 1)), ["lif1", "lif2"], dt="1ms", like="spinnaker2")
    spikes = np.flatnonzero(found["lif1"][:, 0])
    assert len(spikes) == 11
    assert spikes[0] == 17
    assert not found["lif2"].any()
    assert np.flatnonzero(run(net, np.zeros((200, 1)), ["lif1"], dt="1ms", like="norse")["lif1"][:, 0])[0] == 0


@pytest.mark.parametrize(
    ("like", "start"),
    [
        ("norse", 0.4),
        ("euler", 0.4),
        ("spikingjelly", 0.4),
        *((name, 0.0) for name in ("lava", "nengo", "rockpool", "sinabs", "snntorch", "spyx")),
    ],
)
def test_start(like: str, start: float) -> None:
    """After one tick without input v has moved from its start towards v_leak."""
    v = cell(lif(v_leak=0.4), np.zeros((1, 1)), like=like)["cell.v"][0, 0]
    expected = 0.4 if start else {"lava": 0.04, "snntorch": 0.04, "spyx": 0.04}.get(like, 0.4 * (1 - exp(-0.1)))
    np.testing.assert_allclose(v, expected, rtol=1e-6)
