"""Networks with the forms of compartments and synapses that `lava_network.py` runs, by name: `case = NETWORKS["graded"]`.

build = compiled(case, folder)
x = case.inputs(samples)
case.record     # the states that are compared
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import nir
import numpy as np
from attrs import field, frozen
from places import GOLDENS

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

ADAPTIVE = GOLDENS / "targets" / "loihi2" / "inputs" / "adaptive.json"
"""A device with a neuron of a user."""
ENTRIES, WIDE, NARROW, TICKS = 6, 9, 4, 90
COUNTS: Mapping[str, Any] = {"like": "sinabs", "reset": "subtract"}
"""Choices of a network whose neurons spike several times in a tick."""


def lif(size: int, rng: np.random.Generator, *, is_cuba: bool = False, varies: bool = False) -> nir.NIRNode:
    """Returns leaky neurons; `varies`: each has its own time constant and threshold."""
    one = np.ones(size, np.float32)
    tau = rng.uniform(0.004, 0.02, size).astype(np.float32) if varies else 0.01 * one
    threshold = rng.uniform(0.6, 1.4, size).astype(np.float32) if varies else one
    given = {"r": 4 * one, "v_leak": 0 * one, "v_threshold": threshold, "v_reset": 0 * one}
    return nir.CubaLIF(tau_syn=0.004 * one, tau_mem=tau, w_in=one, **given) if is_cuba else nir.LIF(tau=tau, **given)


def weights(rng: np.random.Generator, targets: int, sources: int) -> np.ndarray:
    return rng.normal(0.4, 0.6, (targets, sources)).astype(np.float32)


def network(
    *, is_cuba: bool = False, varies: bool = False, loop: bool = False, delays: int = 0, bias: bool = False
) -> nir.NIRGraph:
    """Returns two populations; with a loop, the first one has synapses to itself; with delays, that loop and the second layer wait up to that many ticks."""
    rng = np.random.default_rng(7)
    first = (
        nir.Affine(weights(rng, WIDE, ENTRIES), rng.uniform(0, 0.2, WIDE).astype(np.float32))
        if bias
        else nir.Linear(weights(rng, WIDE, ENTRIES))
    )
    nodes: dict[str, nir.NIRNode] = {
        "input": nir.Input({"input": np.array([ENTRIES])}),
        "fc": first,
        "one": lif(WIDE, rng, is_cuba=is_cuba, varies=varies),
        "fc2": nir.Linear(weights(rng, NARROW, WIDE)),
        "two": lif(NARROW, rng, varies=varies),
        "output": nir.Output({"output": np.array([NARROW])}),
    }
    edges = [("input", "fc"), ("fc", "one"), ("fc2", "two"), ("two", "output")]
    source = "one"
    if delays:
        ticks = rng.integers(1, 1 + delays, WIDE)
        nodes["late"] = nir.Delay((ticks * 0.001).astype(np.float32))
        edges.append(("one", "late"))
        source = "late"
    edges.append((source, "fc2"))
    if loop:
        nodes["loop"] = nir.Linear(weights(rng, WIDE, WIDE) / 3)
        edges += [(source, "loop"), ("loop", "one")]
    return nir.NIRGraph(nodes, edges, type_check=False)


@frozen
class Case:
    """A network, its device and choices, and what is recorded."""

    graph: Callable[[], nir.NIRGraph]
    target: str = "loihi2/programmable"
    choices: Mapping[str, Any] = field(factory=dict[str, Any])
    record: tuple[str, ...] = ("one.v", "two.v")
    engine: str = "of updates.mlir"
    """The end of the line that the program prints about the first population."""
    most: int = 1
    """The largest payload of an input."""

    def inputs(self, samples: int, seed: int = 3) -> np.ndarray:
        """Returns spikes or payloads [samples, ticks, entries]."""
        rng = np.random.default_rng(seed)
        spikes = rng.random((samples, TICKS, ENTRIES)) < 0.3
        return spikes * rng.integers(1, self.most + 1, spikes.shape) if self.most > 1 else spikes


FIXED = {"target": "loihi2/oheo_gulch", "engine": "Lava's LIF", "record": ("one.i", "one.v", "two.v")}
NETWORKS: dict[str, Case] = {
    "lif": Case(network, **FIXED),
    "cuba_lif": Case(lambda: network(is_cuba=True), **FIXED),
    "all_differ": Case(
        lambda: network(varies=True, loop=True),
        **{**FIXED, "target": "loihi2/loihi1"},
        choices={"set": ["core.neurons=4"]},
    ),
    "fixed_delays": Case(lambda: network(loop=True, delays=8, bias=True), **FIXED),
    "fixed_refractory": Case(
        network,
        "loihi2/oheo_gulch",
        {"pin": ["one.refractory=4,two.refractory=2"]},
        ("one.v", "one.wait"),
    ),
    "value": Case(network, choices={"reset": "value"}),
    "subtract": Case(network, choices={"reset": "subtract"}),
    "cuba_subtract": Case(
        lambda: network(is_cuba=True, varies=True), choices={"reset": "subtract"}, record=("one.i", "one.v", "two.v")
    ),
    "zero_hold": Case(network, choices={"like": "snntorch", "reset": "zero_hold"}),
    "subtract_next": Case(lambda: network(loop=True), choices={"like": "snntorch", "reset": "subtract_next"}),
    "recurrent": Case(lambda: network(loop=True), choices={"reset": "subtract", "set": ["core.neurons=4"]}),
    "delays": Case(lambda: network(loop=True, delays=8, bias=True), choices={"reset": "subtract"}),
    "graded": Case(lambda: network(loop=True, varies=True), choices=COUNTS),
    "graded_delays": Case(lambda: network(delays=8), choices={**COUNTS, "set": ["core.neurons=4"]}),
    "graded_relays": Case(lambda: network(is_cuba=True, delays=70), choices={"like": "rockpool", "reset": "subtract"}),
    "graded_inputs": Case(network, choices={**COUNTS, "passes": "ntensor-quantize-inputs{kind=count bits=2}"}, most=3),
    "refractory": Case(network, str(ADAPTIVE), {"pin": ["one.refractory=5"]}, ("one.v", "one.wait", "one.free")),
    "adaptive": Case(
        lambda: network(loop=True),
        str(ADAPTIVE),
        {"pin": ["one.rise=4000,two.rise=900"]},
        ("one.v", "one.b"),
    ),
}


def compiled(case: Case, build: Path) -> Path:
    """Compiles a network."""
    device: dict[str, Any] = {"device": case.target} if case.target.endswith(".json") else {"target": case.target}
    choices = {"dt": "1ms", "like": "norse", "reset": "zero", **case.choices}
    nopt.compile(case.graph(), out=build, diagnostics=Diagnostics(), **device, **choices)
    return build
