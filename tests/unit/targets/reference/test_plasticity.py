"""Plastic synapses of the reference model against rules that are written out spike by spike."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from plastic_networks import network_in_ticks, network_text, run_network

import nopt
from nopt.targets.reference.model import ReferenceModel

TICKS, SOURCES, TARGETS = 120, 5, 4
RULE = {"a_plus": 0.02, "a_minus": 0.025, "tau_plus": 0.015, "tau_minus": 0.03, "w_min": 0.0, "w_max": 1.0}


def pair_changes(
    pre: NDArray[np.bool_], post: NDArray[np.bool_], weight: float, delays: tuple[int, int], coincidence: str = "none"
) -> list[float]:
    """Returns the weight after each tick by sums over all earlier spikes; `delays` of the spikes of each side [ticks]."""
    dt, found = 1e-3, []
    before = {
        side: [t + late for t in np.flatnonzero(spikes)]
        for side, spikes, late in zip("xy", (pre, post), delays, strict=True)
    }

    def trace(side: str, t: int, tau: float, *, with_now: bool) -> float:
        return sum(np.exp(-(t - s) * dt / tau) for s in before[side] if s < t or (with_now and s == t))

    w = weight
    for t in range(len(pre)):
        changes = [
            (t in before["y"], RULE["a_plus"] * trace("x", t, RULE["tau_plus"], with_now=coincidence == "pre")),
            (t in before["x"], -RULE["a_minus"] * trace("y", t, RULE["tau_minus"], with_now=coincidence == "post")),
        ]
        for is_event, change in changes[:: -1 if coincidence == "pre" else 1]:
            w = min(max(w + change, 0.0), 1.0) if is_event else w
        found.append(w)
    return found


@pytest.mark.parametrize("coincidence", ["none", "pre", "post"])
@pytest.mark.parametrize("delay", ["axonal", "dendritic"])
@pytest.mark.parametrize("ticks", [0, 3])
def test_pairs_equal_sums_over_spikes(coincidence: str, delay: str, ticks: int) -> None:
    rng = np.random.default_rng(1)
    x = rng.random((1, TICKS, SOURCES)) < 0.15
    weight = rng.uniform(0.2, 0.8, (TARGETS, SOURCES))
    options = {"coincidence": coincidence, "delay": delay}
    found = run_network(network_text(weight, "stdp", RULE | options, delay_ms=ticks), x, ["lif", "fc.weight"])
    for target in range(TARGETS):
        post = found["lif"][0, :, target]
        for source in range(SOURCES):
            late = (ticks, 0) if delay == "axonal" else (0, ticks)
            wanted = pair_changes(x[0, :, source], post, weight[target, source], late, coincidence)
            np.testing.assert_allclose(found["fc.weight"][0, :, target, source], wanted, rtol=1e-12)


def test_nearest_pairs_equal_a_search_for_spikes() -> None:
    """The last spike of the target counts at a spike of the source, and its first one after the last spike of the source."""
    rng = np.random.default_rng(6)
    x, weight = rng.random((1, TICKS, SOURCES)) < 0.15, rng.uniform(0.2, 0.8, (TARGETS, SOURCES))
    found = run_network(network_text(weight, "stdp_nearest_pair", RULE), x, ["lif", "fc.weight"])
    for target, source in np.ndindex(TARGETS, SOURCES):
        w, wanted = weight[target, source], []
        pre, post = np.flatnonzero(x[0, :, source]), np.flatnonzero(found["lif"][0, :, target])
        for t in range(TICKS):
            last, known = pre[pre < t], post[post <= t]
            if t in post and len(last) and not ((post >= last[-1]) & (post < t) & (post != last[-1])).any():
                w = min(w + RULE["a_plus"] * np.exp((last[-1] - t) * 1e-3 / RULE["tau_plus"]), 1.0)
            if t in pre and len(known):
                w = max(w - RULE["a_minus"] * np.exp((known[-1] - t) * 1e-3 / RULE["tau_minus"]), 0.0)
            wanted.append(w)
        np.testing.assert_allclose(found["fc.weight"][0, :, target, source], wanted, rtol=1e-12)


def test_single_delays_equal_sums_over_spikes() -> None:
    rng = np.random.default_rng(2)
    x = rng.random((1, TICKS, SOURCES)) < 0.15
    weight, late = rng.uniform(0.2, 0.8, (TARGETS, SOURCES)), rng.integers(1, 6, (TARGETS, SOURCES))
    for delay in ("axonal", "dendritic"):
        text = network_text(weight, "stdp", {**RULE, "delay": delay}, delay_ms=late)
        found = run_network(text, x, ["lif", "fc.weight"])
        weights = found["fc.weight"].reshape(1, TICKS, -1)
        order = [(s, t) for s in range(SOURCES) for t in range(TARGETS)]
        for k, (source, target) in enumerate(order):
            ticks = int(late[target, source])
            delays = (ticks, 0) if delay == "axonal" else (0, ticks)
            wanted = pair_changes(x[0, :, source], found["lif"][0, :, target], weight[target, source], delays)
            np.testing.assert_allclose(weights[0, :, k], wanted, rtol=1e-12)


def test_rule_of_nir_is_the_shipped_rule() -> None:
    rng = np.random.default_rng(3)
    x, weight = rng.random((2, TICKS, SOURCES)) < 0.2, rng.uniform(0.2, 0.8, (TARGETS, SOURCES))
    numbers = ", ".join(f"{RULE[name]}" for name in ("a_plus", "a_minus", "tau_plus", "tau_minus", "w_min", "w_max"))
    one = run_network(network_text(weight, "stdp", RULE), x, ["fc.weight"])
    other = run_network(network_text(weight, f"#nir.stdp<{numbers}>"), x, ["fc.weight"])
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)


def test_blocks_of_samples_and_ticks_change_nothing() -> None:
    rng = np.random.default_rng(4)
    x, weight = rng.random((5, TICKS, SOURCES)) < 0.2, rng.uniform(0.2, 0.8, (TARGETS, SOURCES))
    text = network_text(weight, "stdp", RULE, delay_ms=2)
    whole = run_network(text, x, ["fc.weight"])
    network = network_in_ticks(text)
    for block in ((1, 7), (2, TICKS), (5, 1)):
        parts = ReferenceModel(network, record=["fc.weight"], block=block).run({"in": nopt.DenseSignal(x)})
        assert all(parts[name].tobytes() == whole[name].tobytes() for name in whole)
