"""Networks of any size for `bench_growth.py` and the tests: chains, a star, cycles, fully connected populations, one dense layer, neurons that all differ.

Weights are drawn with a fixed seed, so a name and a size always denote the same network.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nir
import numpy as np

WIDTH = 8
"""Neurons of a population."""
FULL_WIDTH = 2
"""Neurons of a population in fully connected networks."""
DELAY_S = 0.003

Nodes = dict[str, Any]
Edges = list[tuple[str, str]]


def lif(width: int) -> nir.LIF:
    ones = np.ones(width)
    return nir.LIF(tau=0.02 * ones, r=ones, v_leak=0 * ones, v_threshold=ones)


def linear(rng: np.random.Generator, width: int) -> nir.Linear:
    return nir.Linear(rng.normal(0, 1, (width, width)).astype(np.float32))


def affine(rng: np.random.Generator, width: int) -> nir.Affine:
    return nir.Affine(linear(rng, width).weight, rng.normal(0, 0.1, width).astype(np.float32))


def delay(rng: np.random.Generator, width: int) -> nir.Delay:
    return nir.Delay(np.full(width, DELAY_S))


def chain(make: Callable[[np.random.Generator, int], Any]) -> Callable[[int], nir.NIRGraph]:
    """Returns the input, then `size` times a node and a population, then the output."""

    def made(size: int) -> nir.NIRGraph:
        rng, last = np.random.default_rng(0), "input"
        nodes: Nodes = {"input": nir.Input(np.array([WIDTH]))}
        edges: Edges = []
        for k in range(size):
            nodes |= {f"fc{k}": make(rng, WIDTH), f"lif{k}": lif(WIDTH)}
            edges += [(last, f"fc{k}"), (f"fc{k}", f"lif{k}")]
            last = f"lif{k}"
        nodes["output"] = nir.Output(np.array([WIDTH]))
        return nir.NIRGraph(nodes, [*edges, (last, "output")])

    return made


def star(size: int) -> nir.NIRGraph:
    """Returns one population and `size` others that read it; each has an output."""
    rng = np.random.default_rng(0)
    nodes: Nodes = {"input": nir.Input(np.array([WIDTH])), "fc": affine(rng, WIDTH), "hub": lif(WIDTH)}
    edges: Edges = [("input", "fc"), ("fc", "hub")]
    for k in range(size):
        nodes |= {f"fc{k}": affine(rng, WIDTH), f"lif{k}": lif(WIDTH), f"out{k}": nir.Output(np.array([WIDTH]))}
        edges += [("hub", f"fc{k}"), (f"fc{k}", f"lif{k}"), (f"lif{k}", f"out{k}")]
    return nir.NIRGraph(nodes, edges)


def gather(size: int) -> nir.NIRGraph:
    """Returns `size` populations, and one that reads them all."""
    rng = np.random.default_rng(0)
    nodes: Nodes = {"input": nir.Input(np.array([WIDTH])), "hub": lif(WIDTH)}
    edges: Edges = []
    for k in range(size):
        nodes |= {f"in{k}": affine(rng, WIDTH), f"lif{k}": lif(WIDTH), f"fc{k}": affine(rng, WIDTH)}
        edges += [("input", f"in{k}"), (f"in{k}", f"lif{k}"), (f"lif{k}", f"fc{k}"), (f"fc{k}", "hub")]
    nodes["output"] = nir.Output(np.array([WIDTH]))
    return nir.NIRGraph(nodes, [*edges, ("hub", "output")])


def loops(size: int) -> nir.NIRGraph:
    """Returns a chain in which every population also reads itself, through a delay."""
    rng, last = np.random.default_rng(0), "input"
    nodes: Nodes = {"input": nir.Input(np.array([WIDTH]))}
    edges: Edges = []
    for k in range(size):
        nodes |= {f"fc{k}": linear(rng, WIDTH), f"lif{k}": lif(WIDTH)}
        nodes |= {f"wait{k}": delay(rng, WIDTH), f"own{k}": linear(rng, WIDTH)}
        edges += [(last, f"fc{k}"), (f"fc{k}", f"lif{k}")]
        edges += [(f"lif{k}", f"wait{k}"), (f"wait{k}", f"own{k}"), (f"own{k}", f"lif{k}")]
        last = f"lif{k}"
    nodes["output"] = nir.Output(np.array([WIDTH]))
    return nir.NIRGraph(nodes, [*edges, (last, "output")])


def full(size: int) -> nir.NIRGraph:
    """Returns `size` populations that all read each other, and themselves, through a delay: `size` squared edges."""
    rng = np.random.default_rng(0)
    nodes: Nodes = {"input": nir.Input(np.array([FULL_WIDTH])), "fc": linear(rng, FULL_WIDTH)}
    edges: Edges = [("input", "fc"), ("fc", "lif0"), ("lif0", "output")]
    for k in range(size):
        nodes |= {f"lif{k}": lif(FULL_WIDTH), f"wait{k}": delay(rng, FULL_WIDTH), f"fc{k}": linear(rng, FULL_WIDTH)}
        edges += [(f"lif{k}", f"wait{k}"), (f"wait{k}", f"fc{k}")]
    edges += [(f"fc{a}", f"lif{b}") for a in range(size) for b in range(size)]
    nodes["output"] = nir.Output(np.array([FULL_WIDTH]))
    return nir.NIRGraph(nodes, edges)


def dense(size: int) -> nir.NIRGraph:
    """Returns one layer of `size` x `size` weights."""
    weight = np.random.default_rng(0).standard_normal((size, size), dtype=np.float32)
    nodes: Nodes = {
        "input": nir.Input(np.array([size])),
        "fc": nir.Linear(weight),
        "lif": lif(size),
        "output": nir.Output(np.array([size])),
    }
    return nir.NIRGraph(nodes, [("input", "fc"), ("fc", "lif"), ("lif", "output")])


def different(size: int) -> nir.NIRGraph:
    """Returns one population of `size` neurons that read each other, with a time constant and a threshold of their own."""
    rng, ones = np.random.default_rng(0), np.ones(size)
    tau, threshold = rng.uniform(0.005, 0.05, size), rng.uniform(0.5, 2, size)
    nodes: Nodes = {
        "input": nir.Input(np.array([WIDTH])),
        "fc": nir.Linear(rng.normal(0, 1, (size, WIDTH)).astype(np.float32)),
        "lif": nir.LIF(tau=tau, r=ones, v_leak=0 * ones, v_threshold=threshold),
        "own": nir.Linear(rng.normal(0, 0.2, (size, size)).astype(np.float32)),
        "output": nir.Output(np.array([size])),
    }
    return nir.NIRGraph(nodes, [("input", "fc"), ("fc", "lif"), ("lif", "own"), ("own", "lif"), ("lif", "output")])


NETWORKS: dict[str, Callable[[int], nir.NIRGraph]] = {
    "chain of linear layers": chain(linear),
    "chain of affine layers": chain(affine),
    "chain of delays": chain(delay),
    "star": star,
    "gather": gather,
    "loops": loops,
    "full": full,
    "dense": dense,
    "different": different,
}
