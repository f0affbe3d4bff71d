"""An independent integrator of Neurogrid artefacts: it uses `network.json` and its arrays alone.

It imports nothing of nopt. The equations are those of `docs/targets/neurogrid.md`, with one step of forward Euler in each tick: conductances, dendrite, soma,
each with the new values of those before. Pulses of events follow each other; an event arrives in the tick after its spike.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

SYNAPSES = ("exc", "inh", "exc_2", "inh_2")
PEAK, FULL = 10, 65535


LEVELS = 15
PLACES = ("neuron", "core", "synapse", "row", "column", "events")


class Arrays:
    """The arrays of a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __call__(self, node: dict[str, Any]) -> Any:
        held = np.load(self.folder / node["file"]) if "file" in node else np.array(node["values"], float)
        return held.astype(float).reshape(node["shape"])

    def terminals(self, op: dict[str, Any]) -> Any:
        """Returns the terminals of a sender, in the order of `PLACES`."""
        each = [np.stack([self(one[name]) for name in PLACES], 1) for one in ops_in(op, "terminals")]
        return np.concatenate([np.zeros((0, len(PLACES))), *each]).astype(int)


def ops_in(op: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [inner for inner in op["body"] if inner["op"] == f"neurogrid.{kind}"]


class Somas:
    """The neurons of a population on a core."""

    def __init__(self, core: int, node: dict[str, Any], array: Arrays):
        self.core, self.population, self.index = core, node["source"], array(node["index"]).astype(int)
        rows, columns = (array(node[name]).astype(int).tolist() for name in ("row", "column"))
        self.sites = {site: k for k, site in enumerate(zip(rows, columns, strict=True))}
        self.radii = array(node["arbors"])
        self.p = {name: array(one) for name, one in node["params"].items()}
        self.s = {name: np.broadcast_to(array(one), len(self.index)).copy() for name, one in node["initial"].items()}
        self.events = np.zeros((len(self.radii), len(self.index)))

    def update(self) -> Any:
        p, s, dt = self.p, self.s, self.p["dt"]
        drive: Any = None
        for k in range(len(self.radii)):
            name = SYNAPSES[k]
            left = s[f"left_{name}"] + np.minimum(self.events[k], FULL) * p[f"rise_{name}"]
            pulse = p[f"sat_{name}"] * np.minimum(left / dt, 1)
            s[f"g_{name}"] = s[f"g_{name}"] + dt * (pulse - s[f"g_{name}"]) / p[f"tau_{name}"]
            s[f"left_{name}"] = np.maximum(left - dt, 0)
            current = s[f"g_{name}"] * (p[f"e_{name}"] - s["v"])
            drive = current if drive is None else drive + current
        s["v_d"] = s["v_d"] + dt * (drive - s["v_d"]) / p["tau_d"]
        rest = np.where(s["wait"] > 0, 1.0, 0.0)
        s["g_k"] = s["g_k"] + dt * (p["g_inf"] * rest - s["g_k"]) / p["tau_k"]
        v = s["v"]
        v = v + dt * (p["i_in"] - v + v * v / 2 - (s["g_k"] + p["g_res"] * rest) * v + s["v_d"]) / p["tau_s"]
        z = v >= PEAK
        s["v"] = np.where(z, p["v_reset"], v)
        s["wait"] = np.where(z, p["lasts"], np.maximum(s["wait"] - 1, 0))
        self.events[:] = 0
        return z


def arbor(radius: float, levels: int) -> list[tuple[int, int, int]]:
    """Returns the parts of an event by rows and columns."""
    if radius <= 0:
        return [(0, 0, 1)]
    reach = int(np.floor(radius * np.log(2 * levels)))
    parts = np.arange(-reach, reach + 1)
    found = [(y, x, int(np.rint(levels * np.exp(-np.hypot(y, x) / radius)))) for y in parts for x in parts]
    return [one for one in found if one[2]]


def run(folder: Path, spikes: dict[str, Any]) -> dict[str, Any]:
    """Returns the spikes of each population. Shapes: spikes [ticks, entries] for each input."""
    chip, array = json.loads((folder / "network.json").read_text())["chip"], Arrays(folder)
    ticks = len(next(iter(spikes.values())))
    groups: list[Somas] = []
    senders: list[tuple[str, Any, dict[str, Any]]] = []
    for node in ops_in(chip, "input"):
        senders.append((node["source"], array(node["index"]).astype(int), node))
    for core in ops_in(chip, "core"):
        for node in ops_in(core, "somas"):
            groups.append(Somas(core["place"], node, array))
            senders.append((node["source"], groups[-1].index, node))
    wires: list[tuple[str, Somas, int, Any]] = []
    for source, index, node in senders:
        mine = array.terminals(node)
        for group in groups:
            for number, radius in enumerate(group.radii.tolist()):
                parts = arbor(radius, LEVELS)
                own = mine[(mine[:, 1] == group.core) & (mine[:, 2] == number)]
                found = [
                    (index[neuron], site, events * part)
                    for neuron, _, _, row, column, events in own.tolist()
                    for y, x, part in parts
                    if (site := group.sites.get((row + y, column + x))) is not None
                ]
                if found:
                    wires.append((source, group, number, np.array(found)))
    sizes: dict[str, int] = {}
    for group in groups:
        sizes[group.population] = max(sizes.get(group.population, 0), int(group.index.max()) + 1)
    sent = {name: np.zeros((ticks, size), np.int64) for name, size in sizes.items()} | spikes
    for tick in range(ticks):
        for group in groups:
            sent[group.population][tick, group.index] = group.update()
        for source, group, number, found in wires:
            pre, post, events = found.T
            arriving = sent[source][tick, pre]
            if arriving.any():
                np.add.at(group.events[number], post, events * arriving)
    return sent
