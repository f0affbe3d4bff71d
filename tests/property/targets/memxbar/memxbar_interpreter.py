"""A second reader of the artefact of crossbars: products from the conductances of cells, the periphery from its ops in `network.json`.

`run(artefact, inputs)` returns the results of all ops by node. The reader knows numpy alone. It computes a value when it is asked for, so that the
order of ops does not matter.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray]
OP = re.compile(r"^(?:(%\S+) = )?([a-z_]+\.[a-z_0-9]+)(.*)$")
INT = re.compile(r"!fixed\.int<(-?\d+), (-?\d+)>")


def array_of(record: Mapping[str, Any], files: Path) -> np.ndarray:
    """Returns an array from its list or its file."""
    if "file" in record:
        return np.load(files / record["file"])
    return np.array(record["values"], np.int64).reshape(record["shape"])


def shape_of(type: str) -> list[int]:
    return [int(n) for n in re.findall(r"(\d+)x", type)]


class Op:
    """An op of the network: its result, name, node, operands and arrays."""

    def __init__(self, record: dict[str, Any], files: Path):
        ((self.result, type),) = record["results"].items()
        self.name, self.operands, self.record = record["op"], record["operands"], record
        self.node, self.update = record.get("node", ""), record.get("update", "")
        self.shape = shape_of(type)

        def arrays(entries: Mapping[str, Any]) -> Arrays:
            return {
                name: array_of(entry, files)
                for name, entry in entries.items()
                if isinstance(entry, dict) and "shape" in entry
            }

        self.arrays = arrays(record)
        self.params, self.initial = (arrays(record.get(group, {})) for group in ("params", "initial"))


# ---- updates


def limits(text: str) -> tuple[int, int]:
    """Returns the interval of the last integer type of a line."""
    low, high = INT.findall(text)[-1]
    return int(low), int(high)


def wrap(x: Any, low: int, high: int) -> Any:
    return (x - low) % (high - low + 1) + low


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "fixed.add": lambda a, b: a + b,
    "fixed.sub": lambda a, b: a - b,
    "fixed.mul": lambda a, b: a * b,
    "fixed.min": np.minimum,
    "fixed.max": np.maximum,
    "fixed.shl": np.left_shift,
    "fixed.shr": lambda a, b: np.right_shift(a, np.minimum(b, 63)),
    "arith.andi": np.logical_and,
    "arith.ori": np.logical_or,
    "arith.xori": np.logical_xor,
}
RELATIONS = {
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}


class Update:
    """The step of a rule, from its text."""

    def __init__(self, head: str, lines: list[str]):
        self.inputs, self.states, self.params = (
            re.findall(r'"([^"]*)"', found[1]) if (found := re.search(rf"{what} \[(.*?)\]", head)) else []
            for what in ("inputs", "states", "params")
        )
        self.arguments = re.findall(r"(%[\w$.]+):", lines[0])
        self.lines = lines[1:]

    def __call__(self, xs: list[Any], states: list[Any], params: Arrays) -> tuple[Any, list[Any]]:
        """Returns the result, and the new states."""
        held = dict(zip(self.arguments, [*xs, *states, *(params[name] for name in self.params)], strict=True))
        for line in self.lines:
            found = OP.match(line.strip())
            assert found is not None, line
            names = re.findall(r"%[\w$.]+", found[3])
            values = [held[name] for name in names]
            if found[2] == "ntensor.emit":
                return values[0], values[1 : 1 + len(self.states)]
            held[found[1]] = self.computed(found[2], found[3], values)
        raise AssertionError("no emit")

    def computed(self, name: str, rest: str, values: list[Any]) -> Any:
        if name in BINARY:
            return BINARY[name](*values)
        if name in ("fixed.constant", "arith.constant"):
            word = rest.split()[0]
            return np.asarray({"true": 1, "false": 0}.get(word) if word in ("true", "false") else int(word))
        if name == "fixed.cmp":
            return RELATIONS[rest.split()[0]](*values)
        if name in ("fixed.select", "arith.select"):
            return np.where(values[0], values[1], values[2])
        if name == "fixed.saturate":
            return np.clip(values[0], *limits(rest))
        if name == "fixed.wrap":
            return wrap(values[0], *limits(rest))
        if name == "fixed.neg":
            return -values[0]
        if name == "fixed.abs":
            return np.abs(values[0])
        if name == "fixed.sign":
            return np.sign(values[0])
        if name == "fixed.div":
            quotient = np.abs(values[0]) // np.abs(values[1])
            assert "floor" in rest or not (values[0] < 0).any(), rest
            return quotient if "floor" not in rest else values[0] // values[1]
        assert name in ("ntensor.let", "fixed.widen", "fixed.refine"), name
        return values[0]


# ---- arrays


class Layer:
    """A layer, with its matrix from the levels of cells. Shapes: [groups, rows, outputs]."""

    def __init__(self, op: Op, inputs: list[int], cells: Mapping[str, np.ndarray], low: float, step: float):
        self.arrays, record = op.arrays, op.record
        self.groups, self.positions = record.get("groups", 1), record.get("positions", 0)
        if self.positions:
            (self.sx, self.dx), (ky, kx) = (
                (self.arrays[name][1] for name in ("stride", "dilation")),
                self.arrays["kernel"],
            )
            self.offsets = sorted({p * self.sx + k * self.dx for p in range(self.positions) for k in range(kx)})
            rows, outputs = (
                inputs[0] // self.groups * ky * len(self.offsets),
                op.shape[0] // self.groups * self.positions,
            )
        else:
            sources = self.arrays.get("sources")
            rows, outputs = math.prod(inputs) if sources is None else len(sources), math.prod(op.shape)
        self.matrix = np.zeros((self.groups, rows, outputs), np.int64)
        slices = record["slices"]
        factors = 2 ** (record["cell_bits"] * np.arange(slices))
        for tile in record["body"]:
            targets = cells[f"array-{tile['array']}/target"]
            levels = np.rint((targets - low) / step).astype(np.int64)
            (row, height), (column, width) = (tile[name]["values"] for name in ("rows", "columns"))
            if record["encoding"] == "differential":
                parts = levels.reshape(height, width, slices, 2)
                values = parts[..., 0] - parts[..., 1]
            else:
                parts = levels[:, : width * slices].reshape(height, width, slices)
                values = parts - levels[:, None, width * slices :]
            self.matrix[tile["group"], row : row + height, column : column + width] += values @ factors

    def products(self, x: np.ndarray, shape: list[int]) -> np.ndarray:
        """Returns the products of one tick in the shape of the result."""
        if not self.positions:
            return (x.reshape(-1) @ self.matrix[0]).reshape(shape)
        groups, positions, offsets, sx = self.groups, self.positions, self.offsets, self.sx
        sy, dy, ky = (self.arrays[name][0] for name in ("stride", "dilation", "kernel"))
        padded = np.pad(x, ((0, 0), *map(tuple, self.arrays["padding"])))
        padded = np.pad(padded, ((0, 0), (0, 0), (0, positions * sx + max(offsets) + 1)))
        result, channels = np.zeros(shape, np.int64), len(x) // groups
        for row in range(shape[1]):
            for first in range(0, shape[2], positions):
                ys = row * sy + dy * np.arange(ky)
                xs = first * sx + np.array(offsets)
                for group in range(groups):
                    part = padded[group * channels : (group + 1) * channels]
                    found = part[:, ys[:, None], xs].reshape(-1) @ self.matrix[group]
                    each = found.reshape(-1, positions)
                    count = min(positions, shape[2] - first)
                    mine = slice(group * len(each), (group + 1) * len(each))
                    result[mine, row, first : first + count] = each[:, :count]
        return result


# ---- the network


class Chip:
    """A network in ticks."""

    def __init__(self, artefact: Path):
        network = json.loads((artefact / "network.json").read_text(encoding="utf-8"))["network"]
        device = json.loads((artefact / "device.json").read_text(encoding="utf-8"))
        low, high, bits = (device["features"][name]["value"] for name in ("g_min", "g_max", "cell_bits"))
        types = network["arguments"] | {
            name: type for op in network["body"] for name, type in op.get("results", {}).items()
        }
        self.inputs = dict(zip(network["arguments"], network["input_names"], strict=True))
        self.shapes = {name: shape_of(types[value]) for value, name in self.inputs.items()}
        ops = [Op(record, artefact) for record in network["body"] if record["op"] != "memxbar.output"]
        with np.load(artefact / "conductances.npz") as cells:
            self.layers = {
                op.node: Layer(op, shape_of(types[op.operands[0]]), cells, low, (high - low) / (2**bits - 1))
                for op in ops
                if op.name.startswith("memxbar.")
            }
        self.ops = {op.result: op for op in ops}
        self.updates: dict[str, Update] = {}
        lines = (artefact / "updates.mlir").read_text(encoding="utf-8").splitlines()
        for at, line in enumerate(lines):
            if line.strip().startswith("ntensor.update"):
                first = next(k for k in range(at, len(lines)) if lines[k].strip().startswith("} step"))
                last = next(k for k in range(first, len(lines)) if lines[k].strip().startswith("ntensor.emit"))
                name = re.search(r"@(\S+)", line)
                assert name is not None
                self.updates[name[1]] = Update(line, lines[first + 1 : last + 1])

    def run(self, inputs: Mapping[str, np.ndarray], ticks: int) -> Arrays:
        """Returns the results of all ticks by node."""
        past: dict[str, list[np.ndarray]] = {value: [] for value in (*self.ops, *self.inputs)}
        states: dict[str, list[np.ndarray]] = {}
        for result, op in self.ops.items():
            if op.update:
                update = self.updates[op.update]
                states[result] = [
                    np.broadcast_to(op.initial[name].astype(np.int64), op.shape) for name in update.states
                ]
        for tick in range(ticks):
            for value in past:
                self.value(value, tick, past, states, inputs)
        return {op.node: np.array(past[value]) for value, op in self.ops.items() if op.node}

    def value(self, name: str, tick: int, past: Any, states: Any, inputs: Mapping[str, np.ndarray]) -> np.ndarray:
        """Returns a value of a tick, which is computed when it is asked for."""
        if tick < len(past[name]):
            return past[name][tick]
        if name in self.inputs:
            found = inputs[self.inputs[name]][tick]
        else:
            found = self.computed(
                self.ops[name], lambda x, t=tick: self.value(x, t, past, states, inputs), tick, states
            )
        assert len(past[name]) == tick, name
        past[name].append(np.asarray(found).astype(np.int64))
        return past[name][tick]

    def late(self, get: Any, source: str, ticks: np.ndarray, tick: int) -> np.ndarray:
        """Returns entries of a value, each of its own ticks ago; 0 before the first tick."""
        found = np.zeros(ticks.shape, np.int64)
        for late in np.unique(ticks).tolist():
            if late <= tick:
                held = get(source, tick - late).reshape(ticks.shape)
                found = np.where(ticks == late, held, found)
        return found

    def computed(self, op: Op, get: Any, tick: int, states: Any) -> Any:
        if op.name in ("memxbar.dense", "memxbar.convolution"):
            return self.layer(op, get, tick)
        if op.name == "ntensor.delay":
            return self.late(get, op.operands[0], np.broadcast_to(op.arrays["ticks"], op.shape).astype(np.int64), tick)
        xs = [get(x) for x in op.operands]
        if op.name == "ntensor.neuron":
            params = {name: values.astype(np.int64) for name, values in op.params.items()}
            found, states[op.result] = self.updates[op.update](xs, states[op.result], params)
            return np.broadcast_to(found, op.shape)
        if op.name == "ntensor.reshape":
            return xs[0].reshape(op.shape)
        if op.name == "ntensor.sum":
            return sum(xs)
        if op.name == "ntensor.scale":
            return xs[0] * op.arrays["scale"].astype(np.int64)
        assert op.name == "ntensor.sum_pool2d", op.name
        return self.pool(op, xs[0])

    def layer(self, op: Op, get: Any, tick: int) -> np.ndarray:
        layer, source = self.layers[op.node], op.operands[0]
        if "delay" in op.arrays:
            delays, sources = op.arrays["delay"].astype(np.int64), op.arrays["sources"].astype(np.int64)
            x = np.zeros(len(delays), np.int64)
            for late in np.unique(delays).tolist():
                if late <= tick:
                    x = np.where(delays == late, get(source, tick - late).reshape(-1)[sources], x)
        else:
            x = get(source)
            x = x.reshape(-1)[op.arrays["sources"].astype(np.int64)] if "sources" in op.arrays else x
        found = layer.products(x, op.shape)

        def spread(values: np.ndarray) -> np.ndarray:
            held = values.astype(np.int64)
            return held.reshape(*held.shape, *(1,) * (found.ndim - held.ndim)) if held.ndim else held

        if "bias" in op.arrays:
            found = found + spread(op.arrays["bias"])
        if "exponent" in op.arrays:
            exponent = spread(op.arrays["exponent"])
            found = (found << np.maximum(exponent, 0)) >> np.maximum(-exponent, 0)
        return found

    def pool(self, op: Op, x: np.ndarray) -> np.ndarray:
        (ky, kx), (sy, sx) = op.arrays["kernel"].tolist(), op.arrays["stride"].tolist()
        padded = np.pad(x, ((0, 0), *map(tuple, op.arrays["padding"].tolist())))
        found = np.zeros(op.shape, np.int64)
        for dy in range(ky):
            for dx in range(kx):
                found += padded[:, dy::sy, dx::sx][:, : op.shape[1], : op.shape[2]]
        return found


def run(artefact: Path, inputs: Mapping[str, np.ndarray]) -> Arrays:
    """Returns the results of all nodes, one axis for the entries of each. Shapes: inputs [ticks, entries]."""
    chip = Chip(artefact)
    shaped = {name: x.reshape(len(x), *chip.shapes[name]) for name, x in inputs.items()}
    found = chip.run(shaped, len(next(iter(shaped.values()))))
    return {name: values.reshape(len(values), -1) for name, values in found.items()}
