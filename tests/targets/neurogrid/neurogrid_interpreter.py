"""An independent integrator of Neurogrid artefacts: it uses `network.json` and `terminals.bin` alone.

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


def array(node: dict[str, Any]) -> Any:
    return np.array(node["values"], float).reshape(node["shape"])


class Somas:
    """The neurons of a population on a core."""

    def __init__(self, core: int, node: dict[str, Any]):
        self.core, self.population, self.index = core, node["population"], array(node["index"]).astype(int)
        self.sites = {
            site: k for k, site in enumerate(zip(node["row"]["values"], node["column"]["values"], strict=True))
        }
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
    network = json.loads((folder / "network.json").read_text())
    rows, ticks = np.fromfile(folder / "terminals.bin", "<i4").reshape(-1, 6), len(next(iter(spikes.values())))
    groups: list[Somas] = []
    senders: list[tuple[str, Any, dict[str, Any]]] = []
    for node in network["inputs"]:
        senders.append((node["input"], array(node["index"]).astype(int), node))
    for core in network["cores"]:
        for node in core["neurons"]:
            groups.append(Somas(core["core"], node))
            senders.append((node["population"], groups[-1].index, node))
    wires: list[tuple[str, Somas, int, Any]] = []
    for source, index, node in senders:
        count = sum(one["terminals"] for one in node["terminals"])
        mine, rows = rows[:count], rows[count:]
        for group in groups:
            for number, radius in enumerate(group.radii.tolist()):
                parts = arbor(radius, network["levels"])
                own = mine[(mine[:, 1] == group.core) & (mine[:, 2] == number)]
                found = [
                    (index[neuron], site, events * part)
                    for neuron, _, _, row, column, events in own.tolist()
                    for y, x, part in parts
                    if (site := group.sites.get((row + y, column + x))) is not None
                ]
                if found:
                    wires.append((source, group, number, np.array(found)))
    assert not len(rows), "terminals of no sender"
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
