"""The two networks that NeuroBench ships as states of snnTorch, as JSON graphs: keywords in four layers, gestures in three convolutions with max pools."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

TICK = 1e-4
"""The time step of snnTorch's exporter. Units: [s]."""


class Graph:
    """A graph under construction in a folder, from the arrays of a state."""

    def __init__(self, folder: Path, state: Path, shape: tuple[int, ...]):
        self.folder, self.state = folder, np.load(state)
        self.nodes: dict[str, Any] = {"input": {"type": "Input", "shape": shape}}

    def array(self, name: str) -> dict[str, Any]:
        values = self.state[name]
        np.save(self.folder / f"{name}.npy", values)
        return {"dtype": str(values.dtype), "shape": values.shape, "file": f"{name}.npy"}

    def add_weights(self, name: str, type: str, **options: Any) -> None:
        weight, bias = self.array(f"{name}.weight"), self.array(f"{name}.bias")
        self.nodes[f"layer{name}"] = {"type": type, "weight": weight, "bias": bias, **options}

    def add_neurons(self, name: str) -> None:
        """Adds neurons whose membranes keep `beta` of their value in a tick."""
        tau = TICK / (1 - float(self.state[f"{name}.beta"]))
        threshold = float(self.state[f"{name}.threshold"])
        values = {"tau": tau, "r": tau / TICK, "v_leak": 0.0, "v_threshold": threshold, "v_reset": 0.0}
        self.nodes[f"neurons{name}"] = {"type": "LIF", **values}

    def write(self, name: str) -> Path:
        nodes = self.nodes | {"output": {"type": "Output"}}
        path = self.folder / f"{name}.graph.json"
        graph = {"schema": "nopt.graph/1", "nodes": nodes, "edges": [*pairwise(nodes)]}
        path.write_text(json.dumps(graph), encoding="utf-8")
        return path


def write_keywords(folder: Path, state: Path) -> Path:
    """Writes the network for keywords. Returns its path."""
    graph = Graph(folder, state, (20,))
    for number in range(1, 9, 2):
        graph.add_weights(str(number), "Affine")
        graph.add_neurons(str(number + 1))
    return graph.write("keywords")


def write_gestures(folder: Path, state: Path) -> Path:
    """Writes the network for gestures. Returns its path."""
    graph = Graph(folder, state, (2, 32, 32))
    for number in range(1, 4):
        graph.add_weights(f"conv{number}", "Conv2d", stride=[1, 1], padding=[2, 2], dilation=[1, 1], groups=1)
        graph.nodes[f"pool{number}"] = {
            "type": "MaxPool2d",
            "kernel_size": [2, 2],
            "stride": [2, 2],
            "padding": [0, 0],
        }
        graph.add_neurons(f"lif{number}")
    graph.nodes["flatten"] = {"type": "Flatten", "start_dim": 0, "end_dim": -1}
    graph.add_weights("linear1", "Affine")
    graph.add_neurons("lif4")
    return graph.write("gestures")
