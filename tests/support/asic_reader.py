"""A second, independent reader of asic artefacts: it uses `chip.json`, its arrays and the memory images alone.

It imports nothing of nopt. The neurons are written by hand from the equations of `edge.neuron`, `bus.neuron` and `mesh.neuron`.
"""

from __future__ import annotations

import json
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np


def clip(values: Any, bits: int) -> Any:
    return np.clip(values, -(1 << bits - 1), (1 << bits - 1) - 1)


def scaled(values: Any, numerator: Any, denominator: int) -> Any:
    product = values * numerator
    return np.sign(product) * (np.abs(product) // denominator)  # rounds toward zero


def edge_lif(s: dict[str, Any], p: dict[str, Any], x: Any, subtracts: bool) -> Any:
    v = clip(clip(scaled(s["v"], 256 - p["k"], 256), 16) + clip(x, 16), 16)
    z = v > p["vth"]
    s["v"] = np.where(z, clip(v - p["vth"], 16) if subtracts else 0, v)
    return z


def mesh_cuba(s: dict[str, Any], p: dict[str, Any], x: Any, subtracts: bool) -> Any:
    s["i"] = clip(scaled(s["i"], 4096 - p["di"], 4096) + clip(x, 24), 24)
    v = clip(scaled(s["v"], 4096 - p["dv"], 4096) + s["i"] + p["bias"], 24)
    z = v > p["vth"]
    s["v"] = np.where(z, clip(v - p["vth"], 24) if subtracts else 0, v)
    return z


def bus_lif(s: dict[str, Any], p: dict[str, Any], x: Any, subtracts: bool) -> Any:
    v = clip(scaled(s["v"], 256 - p["k"], 256) + clip(x, 20) + p["bias"], 20)
    z = v > p["vth"]
    s["v"] = np.where(z, clip(v - p["vth"], 20) if subtracts else 0, v)
    return z


def mesh_sum(s: dict[str, Any], p: dict[str, Any], x: Any, subtracts: bool) -> Any:
    return clip(x, 16)


NEURONS = {"edge_lif": edge_lif, "mesh_cuba": mesh_cuba, "bus_lif": bus_lif, "mesh_sum": mesh_sum}


def ops_in(op: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    return [inner for inner in op["body"] if inner["op"].partition(".")[2] in kinds]


class Files:
    """The images and arrays of an artefact."""

    def __init__(self, folder: Path, images: dict[str, Any]):
        self.folder, self.columns = folder, dict[tuple[str, str], Any]()
        for name, image in images.items():
            words = [int(line, 16) for line in (folder / name).read_text().split()]
            shift = 0
            for field in image["fields"]:
                bits = field["bits"]
                values = [word >> shift & (1 << bits) - 1 for word in words]
                signed = [value - (value >> bits - 1 << bits) for value in values]
                self.columns[name, field["name"]] = np.array(signed if field["is_signed"] else values)
                shift += bits

    def array(self, given: dict[str, Any] | None) -> Any:
        if given is None:
            return np.array(0)
        if "file" in given:
            return np.load(self.folder / given["file"]).astype(np.int64)
        if "values" in given:
            return np.array(given["values"], np.int64).reshape(given["shape"])
        column = self.columns[given["image"], given["field"]][given["first"] :]
        if "runs" in given:
            return np.repeat(range(given["runs"]), column[: given["runs"]])
        return column[: prod(given["shape"])].reshape(given["shape"]) - given["base"]


class Core:
    """A core, and the events on its axons."""

    def __init__(self, files: Files, record: dict[str, Any], ticks: int):
        self.array, self.arrived = files.array, np.zeros((ticks, record["axons"]), np.int64)

    def matrices(self, table: dict[str, Any], index: list[int]) -> dict[int, Any]:
        """Returns for each delay the weights from each axon of the core to each neuron."""
        axons, weight = self.array(table["axons"]), self.array(table["weight"]) << table.get("weight_exponent", 0)
        shape = len(axons), len(index)
        delay = self.array(table["delay"])
        if table["op"] == "asic.sparse":
            row, neuron = self.array(table["axon"]), self.array(table["neuron"])
        elif table["op"] == "asic.dense":
            row, neuron = (part.reshape(-1) for part in np.indices(shape))
        else:
            paths = [(a, s, 1) for a, s in enumerate(self.array(table["sources"]))]
            for window in table["windows"]:
                sizes = {
                    name: self.array(one).tolist() if isinstance(one, dict) else one for name, one in window.items()
                }
                paths = [(a, t, w * v) for a, s, w in paths for t, v in through(sizes, s, weight.reshape(-1))]
            places = {flat: k for k, flat in enumerate(index)}
            row, neuron, weight = (
                np.array(part) for part in zip(*[(a, places[t], w) for a, t, w in paths if t in places], strict=True)
            )
        ticks = np.broadcast_to(delay, shape)[row, neuron] if delay.ndim != 1 else delay
        found = {int(d): np.zeros((self.arrived.shape[1], len(index)), np.int64) for d in np.unique(ticks)}
        for a, k, w, d in zip(axons[row], neuron, weight.reshape(-1), ticks, strict=True):
            found[int(d)][a, k] += w
        return found


def through(window: dict[str, Any], source: int, weight: Any) -> list[tuple[int, int]]:
    """Returns target and weight of each path of one operand through a window."""
    channels, *size = window["size"]
    c, *spot = (int(n) for n in np.unravel_index(source, (channels, *size)))
    taps, strides, steps, pads = (window[name] for name in ("kernel", "stride", "dilation", "padding"))
    out = [(size[k] + sum(pads[k]) - steps[k] * (taps[k] - 1) - 1) // strides[k] + 1 for k in (0, 1)]
    inputs, results = channels // window["groups"], window["channels"] // window["groups"]
    found: list[tuple[int, int]] = []
    for tap in product(range(taps[0]), range(taps[1])):
        at = [spot[k] + pads[k][0] - tap[k] * steps[k] for k in (0, 1)]
        if any(at[k] % strides[k] or not 0 <= at[k] // strides[k] < out[k] for k in (0, 1)):
            continue
        for o in range(c // inputs * results, (c // inputs + 1) * results):
            target = (o * out[0] + at[0] // strides[0]) * out[1] + at[1] // strides[1]
            place = ((o * inputs + c % inputs) * taps[0] + tap[0]) * taps[1] + tap[1]
            found.append((target, 1 if window["is_pool"] else int(weight[place])))
    return found


def destinations(files: Files, op: dict[str, Any]) -> list[Any]:
    """Returns neuron, core and axon of each destination of a sender."""
    listed = ops_in(op, "output_axons")
    return [files.array(listed[0][key]) if listed else np.zeros(0, int) for key in ("neuron", "core", "axon")]


def run(folder: Path, spikes: dict[str, Any]) -> dict[str, Any]:
    """Returns the spikes of each output. Shapes: spikes [ticks, entries] for each input."""
    sent = run_all(folder, spikes)
    chip = json.loads((folder / "chip.json").read_text())["chip"]
    return {one["node"]: sent[one["source"]] for one in ops_in(chip, "output")}


def run_all(folder: Path, spikes: dict[str, Any]) -> dict[str, Any]:
    """Returns the spikes of each population. Shapes: spikes [ticks, entries] for each input."""
    record = json.loads((folder / "chip.json").read_text())
    chip, files, ticks = record["chip"], Files(folder, record["images"]), len(next(iter(spikes.values())))
    cores = {one["place"]: Core(files, one, ticks) for one in ops_in(chip, "core")}
    waiting = [(cores[one["place"]], group) for one in ops_in(chip, "core") for group in ops_in(one, "neurons")]
    sent = {group["source"]: np.zeros((ticks, 4096), np.int64) for _, group in waiting}
    for one in ops_in(chip, "input"):
        index = files.array(one["index"])
        for k, core, axon in zip(*destinations(files, one), strict=True):
            cores[core].arrived[:, axon] += spikes[one["source"]][:, index[k]]
    parts: list[Any] = []
    for core, group in waiting:
        targets, index = destinations(files, group), files.array(group["index"]).tolist()
        tables = [
            (core.matrices(t, index), *(core.array(t.get(name)) for name in ("bias", "first", "exponent")))
            for t in ops_in(group, "dense", "sparse", "kernel")
        ]
        states, params = (
            {n: core.array(a) + 0 * np.array(index) for n, a in group[w].items()} for w in ("initial", "params")
        )
        immediate = {(id(core), a) for m, *_ in tables if 0 in m for a in np.flatnonzero(m[0].any(axis=1))}
        group["index"] = index
        parts.append((core, group, targets, tables, states, params, immediate))
    feeds = [{(id(cores[c]), a) for c, a in zip(part[2][1].tolist(), part[2][2], strict=True)} for part in parts]
    for t in range(ticks):
        left = list(range(len(parts)))
        while left:  # a group is updated after those whose events reach it without a delay
            k = next(k for k in left if not any(feeds[j] & parts[k][6] for j in left))
            left.remove(k)
            core, group, (neuron, to, axon), tables, states, params, _ = parts[k]
            total = np.zeros(len(group["index"]), np.int64)
            for matrices, bias, first, exponent in tables:
                added = np.where(t >= first, bias, 0) + 0 * total
                own = sum((core.arrived[t - d] @ m for d, m in matrices.items() if t >= d), added)
                total += np.where(exponent >= 0, own << np.maximum(exponent, 0), own >> np.maximum(-exponent, 0))
            name, _, rule = group["update"].partition(".")
            z = NEURONS[name](states, params, total, rule.startswith("subtract"))
            sent[group["source"]][t, group["index"]] = z
            for n, where, a in zip(neuron, to.tolist(), axon, strict=True):
                cores[where].arrived[t, a] += z[n]
    return sent
