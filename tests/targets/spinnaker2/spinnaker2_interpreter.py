"""An independent reader of SpiNNaker 2 artefacts: it uses `network.json` and the connections of the cores alone.

It imports nothing of nopt. A tick in single precision: weights that arrived are added, neurons are updated, and a spike arrives after the delay and one tick.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

F = np.float32


def array(node: dict[str, Any]) -> Any:
    return np.array(node["values"]).reshape(node["shape"])


class Neurons:
    """The slice of a population on a core."""

    def __init__(self, node: dict[str, Any], rows: Any, ticks: int):
        self.population, self.index = node["population"], array(node["index"])
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
        for one in node["connections"]:
            self.tables.append((one["source"], rows[: one["connections"]]))
            rows = rows[one["connections"] :]
        assert not len(rows), "connections of no table"

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
    network = json.loads((folder / "network.json").read_text())
    ticks = len(next(iter(spikes.values())))
    slices: list[Neurons] = []
    for core in network["cores"]:
        rows = np.fromfile(folder / f"cores/{core['core']:05}/connections.bin", "<i4").reshape(-1, 4)
        for node in core["neurons"]:
            count = sum(one["connections"] for one in node["connections"])
            slices.append(Neurons(node, rows[:count], ticks))
            rows = rows[count:]
        assert not len(rows), "connections of no neurons"
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
