"""Networks whose last layers have values: readouts by leaky and other integrators, by synapses alone, of several populations, and several heads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import nir
import numpy as np

HIDDEN, CLASSES = 12, 4


def lif(neurons: int) -> nir.LIF:
    return nir.LIF(
        tau=np.full(neurons, 0.01),
        r=np.ones(neurons),
        v_leak=np.zeros(neurons),
        v_threshold=np.full(neurons, 0.2),
        v_reset=np.zeros(neurons),
    )


def li(neurons: int, leak: float = 0.0) -> nir.LI:
    return nir.LI(tau=np.full(neurons, 0.02), r=np.ones(neurons), v_leak=np.full(neurons, leak))


def cuba_li(neurons: int) -> nir.CubaLI:
    tau_syn, tau_mem = np.full(neurons, 0.005), np.full(neurons, 0.01)
    return nir.CubaLI(tau_syn=tau_syn, tau_mem=tau_mem, r=np.ones(neurons), v_leak=np.full(neurons, 0.05))


class Layers:
    """Layers with random weights from a seed."""

    def __init__(self, seed: int):
        self.rng = np.random.default_rng(seed)

    def weights(self, outputs: int, inputs: int) -> Any:
        return self.rng.normal(0, 2 / np.sqrt(inputs), (outputs, inputs)).astype(np.float32)

    def linear(self, outputs: int, inputs: int) -> nir.Linear:
        return nir.Linear(self.weights(outputs, inputs))

    def affine(self, outputs: int, inputs: int) -> nir.Affine:
        return nir.Affine(self.weights(outputs, inputs), self.rng.normal(0, 0.1, outputs).astype(np.float32))


def graph(nodes: Mapping[str, Any], edges: list[tuple[str, str]], *outputs: str) -> nir.NIRGraph:
    """Returns a network with the input `input` of 8 values, and outputs of `CLASSES` values."""
    ends = {name: nir.Output({"output": np.array([CLASSES])}) for name in outputs}
    return nir.NIRGraph({"input": nir.Input({"input": np.array([8])}), **nodes, **ends}, edges)


def chain(last: Mapping[str, Any]) -> nir.NIRGraph:
    """Returns a layer of spikes before some last layers."""
    nodes = {"fc1": Layers(0).linear(HIDDEN, 8), "lif1": lif(HIDDEN), **last}
    names = ["input", *nodes, "output"]
    return graph(nodes, list(pairwise(names)), "output")


def two_populations() -> nir.NIRGraph:
    """Returns a readout that adds spikes of two populations, of which one is a layer later."""
    make = Layers(1)
    nodes = {
        "fc1": make.linear(HIDDEN, 8),
        "lif1": lif(HIDDEN),
        "fc2": make.linear(HIDDEN, HIDDEN),
        "lif2": lif(HIDDEN),
        "of1": make.affine(CLASSES, HIDDEN),
        "of2": make.linear(CLASSES, HIDDEN),
        "li": li(CLASSES, 0.1),
    }
    edges = [("input", "fc1"), ("fc1", "lif1"), ("lif1", "fc2"), ("fc2", "lif2"), ("lif1", "of1"), ("lif2", "of2")]
    return graph(nodes, [*edges, ("of1", "li"), ("of2", "li"), ("li", "output")], "output")


def two_heads() -> nir.NIRGraph:
    """Returns two readouts of one population."""
    make = Layers(2)
    nodes = {
        "fc1": make.linear(HIDDEN, 8),
        "lif1": lif(HIDDEN),
        "a": make.affine(CLASSES, HIDDEN),
        "b": make.linear(CLASSES, HIDDEN),
        "li": li(CLASSES),
    }
    edges = [("input", "fc1"), ("fc1", "lif1"), ("lif1", "a"), ("lif1", "b"), ("b", "li")]
    return graph(nodes, [*edges, ("a", "one"), ("li", "two")], "one", "two")


NETWORKS: Mapping[str, Callable[[], nir.NIRGraph]] = {
    "li": lambda: chain({"fc2": Layers(3).linear(CLASSES, HIDDEN), "li": li(CLASSES)}),
    "li with biases": lambda: chain({"fc2": Layers(4).affine(CLASSES, HIDDEN), "li": li(CLASSES, 0.1)}),
    "affine": lambda: chain({"fc2": Layers(5).affine(CLASSES, HIDDEN)}),
    "integrator": lambda: chain({"fc2": Layers(6).linear(CLASSES, HIDDEN), "i": nir.I(r=np.ones(CLASSES))}),
    "cuba_li": lambda: chain({"fc2": Layers(7).affine(CLASSES, HIDDEN), "li": cuba_li(CLASSES)}),
    "late values": lambda: chain(
        {"fc2": Layers(8).affine(CLASSES, HIDDEN), "late": nir.Delay(np.full(CLASSES, 0.003)), "li": li(CLASSES)}
    ),
    "two layers of values": lambda: chain(
        {
            "fc2": Layers(9).affine(CLASSES, HIDDEN),
            "li": li(CLASSES),
            "fc3": Layers(10).affine(CLASSES, CLASSES),
            "li2": li(CLASSES),
        }
    ),
    "keywords as names": lambda: chain({"class": Layers(11).linear(CLASSES, HIDDEN), "lambda": li(CLASSES)}),
    "two populations": two_populations,
    "two heads": two_heads,
}
