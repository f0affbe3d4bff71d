"""An independent reader of SpiNNaker 2 artefacts: it uses `network.json` and its arrays alone.

It imports nothing of nopt. A tick in single precision: weights that arrived are added, neurons are updated, and a spike arrives after the delay and one tick.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

F = np.float32


class Arrays:
    """The arrays of a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __call__(self, node: dict[str, Any]) -> Any:
        return (
            np.load(self.folder / node["file"]) if "file" in node else np.array(node["values"]).reshape(node["shape"])
        )


def ops_in(op: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [inner for inner in op["body"] if inner["op"] == f"spinnaker2.{kind}"]


class Neurons:
    """The slice of a population on a core."""

    def __init__(self, node: dict[str, Any], array: Arrays, ticks: int):
        self.population, self.index = node["source"], array(node["index"])
        self.subtracts, self.params = (
            node["reset"] == "reset_by_subtraction",
            {name: array(one).astype(F) for name, one in node["params"].items()},
        )
        size = len(self.index)
        self.states = {
            name: np.broadcast_to(array(one).astype(F), size).copy() for name, one in node["initial"].items()
        }
        self.arrived = np.zeros((ticks + 64, size), np.int64)
        self.tables: list[tuple[str, Any]] = []
        for one in ops_in(node, "connections"):
            columns = [array(one[name]).astype(np.int64) for name in ("pre", "post", "weight", "delay")]
            self.tables.append((one["source"], np.stack(np.broadcast_arrays(*columns), 1)))

    def update(self, tick: int) -> Any:
        p, s, x = self.params, self.states, self.arrived[tick].astype(F)
        if "syn_decay" in p:
            s["i"] = p["syn_decay"] * s["i"] + x
            x = s["i"]
        v = p["alpha_decay"] * s["v"] + p["i_offset"] + x
        z = v > p["v_threshold"]
        s["v"] = np.where(z, v - p["v_threshold"] if self.subtracts else F(0), v)
        assert s["v"].dtype == F, "single precision"
        return z


def run(folder: Path, spikes: dict[str, Any]) -> dict[str, Any]:
    """Returns the spikes of each population. Shapes: spikes [ticks, entries] for each input."""
    chip, array = json.loads((folder / "network.json").read_text())["chip"], Arrays(folder)
    ticks = len(next(iter(spikes.values())))
    slices = [Neurons(node, array, ticks) for core in ops_in(chip, "core") for node in ops_in(core, "neurons")]
    sizes = {one.population: 0 for one in slices}
    for one in slices:
        sizes[one.population] = max(sizes[one.population], int(one.index.max()) + 1)
    sent = {name: np.zeros((ticks, size), np.int64) for name, size in sizes.items()} | spikes
    for tick in range(ticks):
        for one in slices:
            sent[one.population][tick, one.index] = one.update(tick)
        for one in slices:
            for source, rows in one.tables:
                pre, post, weight, delay = rows.T
                np.add.at(one.arrived, (tick + 1 + delay, post), weight * sent[source][tick, pre])
    return sent
