"""An independent reader of artefacts of `loihi2/programmable`: it uses only `network.json` and the arrays of the same folder.

It imports nothing of nopt. A spike, or the count of a graded one, arrives a tick and the register of the delay later. The weights that arrive
in a tick after the same delay are added, and the exponent of the table is applied to the sum. The equations of the programmable neurons are
written here once more; the name of an update specifies its options.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

LIMIT = 2**23
PASS = "loihi2_pass"
"""The neuron that emits the payload that arrives."""


def saturate(x: Any) -> Any:
    return np.clip(x, -LIMIT, LIMIT - 1)


def truncate(x: Any) -> Any:
    """Returns x / 4096, rounded toward zero."""
    return np.sign(x) * (np.abs(x) >> 12)


def ops_in(op: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    """Returns the ops of some kinds in the body of an op."""
    return [inner for inner in op["body"] if inner["op"].partition(".")[2] in kinds]


class Reader:
    """The arrays of a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def array(self, node: dict[str, Any]) -> Any:
        if "file" in node:
            return np.load(self.folder / node["file"]).astype(np.int64)
        return np.array(node["values"], np.int64).reshape(node["shape"])


class Sender:
    """Neurons of an input or of a group, and the axons that their spikes reach: `axons[core] = (neuron, axon)`."""

    def __init__(self, reader: Reader, name: str, node: dict[str, Any], ticks: int):
        self.name, self.index = name, reader.array(node["index"])
        self.sent = np.zeros((ticks, len(self.index)), np.int64)
        self.axons: list[tuple[int, int, int]] = []
        for outputs in ops_in(node, "output_axons"):
            columns = (reader.array(outputs[name]).tolist() for name in ("neuron", "core", "axon"))
            self.axons = [*zip(*columns, strict=True)]


class Compartments(Sender):
    """A group of compartments."""

    def __init__(self, reader: Reader, core: dict[str, Any], node: dict[str, Any], ticks: int):
        super().__init__(reader, node["source"], node, ticks)
        self.core, self.axon_count, size = core["place"], core["axons"], len(self.index)
        self.kind, *self.options = node["update"].split(".")
        assert self.kind.removesuffix("_many") in ("loihi2_lif", "loihi2_cuba_lif", PASS), self.kind
        self.p = {name: np.broadcast_to(reader.array(one), size) for name, one in node["registers"].items()}
        self.s = {name: np.broadcast_to(reader.array(one), size).copy() for name, one in node["initial"].items()}
        self.tables = [self.table(reader, one, size) for one in ops_in(node, "dense", "sparse")]

    def table(self, reader: Reader, node: dict[str, Any], size: int) -> tuple[int, dict[int, Any]]:
        """Returns the exponent, and for each register of a delay a matrix [axons of the core, compartments]."""
        axons, weight = reader.array(node["axons"]), reader.array(node["weight"])
        delay, parts = np.broadcast_to(reader.array(node["delay"]), weight.shape), dict[int, Any]()
        if node["op"] == "loihi2.dense":
            at, target = (one.reshape(-1) for one in np.indices(weight.shape))
        else:
            at, target = reader.array(node["axon"]), reader.array(node["compartment"])
        for d in np.unique(delay).tolist():
            parts[d] = np.zeros((self.axon_count, size), np.int64)
            own = delay.reshape(-1) == d
            np.add.at(parts[d], (axons[at[own]], target[own]), weight.reshape(-1)[own])
        return node["weight_exp"], parts

    def arriving(self, arrived: Any, tick: int) -> Any:
        """Returns the sums of the synapses. Shapes: arrived [ticks, axons of the core]."""
        total = np.zeros(len(self.index), np.int64)
        for exponent, parts in self.tables:
            for delay, matrix in parts.items():
                if tick >= delay + 1:
                    added = arrived[tick - delay - 1] @ matrix
                    total += added << exponent if exponent >= 0 else added >> -exponent
        return total

    def update(self, x: Any) -> Any:
        if self.kind == PASS:
            return np.clip(saturate(x), 0, 4095)
        p, s, a = self.p, self.s, saturate(x) << 6
        if "cuba" in self.kind:
            a = truncate(s["i"] * (4095 - p["du"])) + a
            a = s["i"] = (a + LIMIT) % (2 * LIMIT) - LIMIT
        if self.kind.endswith("_many"):
            return self.emit_counts(truncate(s["v"] * (4096 - p["dv"])) + a)
        reset, late, v = self.options[0], s["v"] > p["th"], s["v"]
        if reset in ("value_next", "zero_next"):
            v = np.where(late, p["to"], v)
        elif reset == "subtract_before":
            v = np.where(late, v - p["amount"], v)
        w = truncate(v * (4096 - p["dv"])) + a
        if reset in ("subtract_next", "subtract_once"):
            w = np.where(late, w - p["amount"], w)
        elif reset == "zero_hold":
            w = np.where(late, p["to"], w)
        z = w > p["th"]
        if reset in ("value", "zero"):
            w = np.where(z, p["to"], w)
        elif reset == "subtract":
            w = np.where(z, w - p["amount"], w)
        elif reset == "subtract_once":  # a neuron that was above its threshold already is spared, in the next tick too
            w = np.where(z, np.where(late, w, w - p["amount"]), np.where(late, w + p["amount"], w))
        s["v"] = saturate(w)
        return z

    def emit_counts(self, w: Any) -> Any:
        reset, bound, most, _ = self.options
        p = self.p
        n = np.clip((w + p["rest"]) // p["th"], 0, 1 if most == "one" else 4095)
        w = w - n * p["th"] if reset == "subtract" else np.where(n > 0, p["to"], w)
        self.s["v"] = saturate(np.maximum(w, -p["th"] - p["rest"]) if bound == "threshold" else w)
        return n


def run(folder: Path, spikes: dict[str, Any]) -> dict[str, Any]:
    """Returns the spikes or counts of each population. Shapes: spikes [ticks, entries] for each input."""
    chip = json.loads((folder / "network.json").read_text(encoding="utf-8"))["chip"]
    reader, cores = Reader(folder), ops_in(chip, "neuro_core")
    ticks = len(next(iter(spikes.values())))
    inputs = [Sender(reader, one["source"], one, ticks) for one in ops_in(chip, "input")]
    groups = [Compartments(reader, core, node, ticks) for core in cores for node in ops_in(core, "compartments")]
    for one in inputs:
        one.sent = spikes[one.name][:, one.index]
    arrived = {core["place"]: np.zeros((ticks, core["axons"]), np.int64) for core in cores}
    for tick in range(ticks):
        for group in groups:
            group.sent[tick] = group.update(group.arriving(arrived[group.core], tick))
        for sender in [*inputs, *groups]:
            for neuron, core, axon in sender.axons:
                arrived[core][tick, axon] += sender.sent[tick, neuron]
    found: dict[str, Any] = {}
    for group in groups:
        whole = found.setdefault(group.name, np.zeros((ticks, 1), np.int64))
        size = max(whole.shape[1], int(group.index.max()) + 1)
        found[group.name] = np.pad(whole, ((0, 0), (0, size - whole.shape[1])))
        found[group.name][:, group.index] = group.sent
    return found
