"""Distal reward (Izhikevich, Cerebral Cortex 17:2443, 2007): a dopamine pulse one second after a pre-post pair strengthens the synapse of the pair.

1,000 synapses between 100 Poisson neurons and 10 neurons with noise, for one hour. A detector in the network spikes if the neurons of one chosen synapse
spike within 9 ms, the presynaptic one first; its spike is the reward, one second later. Other pairs are not rewarded. The rates are 4 Hz, so there are about
950 rewards; pairs by chance make all other synapses weaker. No tool is needed: the engine `native` takes ten seconds for an hour.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from plastic_networks import array_text, entries_text

import nopt

SOURCES, TARGETS, SEEDS, TICKS = 100, 10, 10, 3_600_000
INTERVAL = 250
"""Every neuron has a spike in one of these ticks on average."""
CHOSEN = 3, 17
"""Target and source of the rewarded synapse."""
RULE: dict[str, float | str] = {
    "a_plus": 0.03,
    "a_minus": 0.0345,
    "tau_plus": 0.02,
    "tau_minus": 0.02,
    "tau_c": 1.0,
    "tau_d": 0.2,
    "baseline": 0.0,
    "w_min": 0.0,
    "w_max": 0.4,
    "reward": "dopamine",
}


def one_hot(size: int, index: int, value: float) -> NDArray[Any]:
    return np.where(np.arange(size) == index, value, 0.0)[None, :]


def network() -> str:
    target, source = CHOSEN
    cell = ", ".join(
        f"{name} = {array_text(np.array(value))}"
        for name, value in {"tau": 0.01, "r": 10.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0}.items()
    )
    weight = np.full((TARGETS, SOURCES), 0.1)
    x, z, one, many = f"tensor<{SOURCES}xi1>", f"tensor<{TARGETS}xi1>", "tensor<1xf32>", f"tensor<{TARGETS}xf32>"
    return f"""
nir.graph @net("in" %x: {x}, "noise" %n: {z}) -> ("out": {z}) {{
  %0 = nir.linear "fc" %x {{weight = {array_text(weight)}, plasticity = {entries_text("reward", RULE)}}} : {x} -> {many}
  %1 = nir.linear "drive" %n {{weight = {array_text(2.0 * np.eye(TARGETS))}}} : {z} -> {many}
  %2 = nir.sum %0, %1 : ({many}, {many}) -> {many}
  %3 = nir.lif "cell" %2 {{{cell}}} : {many} -> {z}
  %4 = nir.linear "pre" %x {{weight = {array_text(one_hot(SOURCES, source, 0.8))}}} : {x} -> {one}
  %5 = nir.li "trace" %4 {{tau = {array_text(np.array(0.01))}, r = {array_text(np.array(10.0))}, v_leak = {array_text(np.array(0.0))}}} : {one} -> {one}
  %9 = nir.linear "post" %3 {{weight = {array_text(one_hot(TARGETS, target, 1.0))}}} : {z} -> {one}
  %6 = nir.sum %5, %9 : ({one}, {one}) -> {one}
  %7 = nir.threshold "pair" %6 {{threshold = {array_text(np.array(1.3))}}} : {one} -> tensor<1xi1>
  %8 = nir.delay "dopamine" %7 {{delay = {array_text(np.array(1.0))}}} : tensor<1xi1> -> tensor<1xi1>
  nir.output %3 : {z}
}}
"""


def rank(seed: int) -> int:
    """Returns how many synapses are at least as strong as the chosen one after an hour."""
    random = np.random.default_rng(seed)
    x, noise = (random.integers(0, INTERVAL, (1, TICKS, n), dtype=np.uint8) < 1 for n in (SOURCES, TARGETS))
    record = f"fc.weight@{TICKS}ticks"
    module = nopt.parse(network())
    results = nopt.run(module, {"in": x, "noise": noise}, dt="1ms", like="norse", record=[record], engine="native")
    weight = results[record][0, 0]
    return int((weight >= weight[CHOSEN]).sum())


def test_the_rewarded_synapse_ends_among_the_strongest() -> None:
    ranks = [rank(seed) for seed in range(SEEDS)]
    assert sum(one <= SOURCES * TARGETS // 100 for one in ranks) >= 9, ranks
