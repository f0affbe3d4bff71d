"""Random networks of real numbers, from a seed, for tests that compare two ways of running one.

    case = real_network(7)
    case.network, case.inputs, case.record

Synapses of every kind with any stride, dilation, padding and groups, sums of several operands, delays of single neurons, cycles; and
populations of random updates that emit spikes, counts or values. The precision is f32 for odd seeds and f64 for even ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from nets import Net
from xdsl.dialects.builtin import StringAttr, TensorType, f32, f64, i1
from xdsl.ir import Attribute, SSAValue

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Refused
from nopt.core.ir.operation import element_type, shape_of
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects.equations.build import build_update
from nopt.dialects.ntensor import CountType, DelayOp, FanInLinearOp, NetworkOp, SparseLinearOp, UpdateOp

SHAPES: tuple[tuple[int, ...], ...] = ((6,), (17,), (3, 7), (2, 5, 6), (4, 4, 4))


@frozen
class Case:
    """A network, its inputs, and all names that can be recorded."""

    network: NetworkOp
    inputs: dict[str, np.ndarray]
    """By input, `[samples, ticks, *shape]`."""
    record: list[str]
    """Every neuron with its states and records."""


# ---- neurons


class Equations:
    """A random neuron as text. Its numbers stay finite for some tens of ticks."""

    def __init__(self, rng: np.random.Generator, name: str):
        self.rng = rng
        self.names = ["x", "v", "w", "k", "a"]
        kind = ["spike", "spike", "count", "value"][rng.integers(4)]
        body = [
            f"w = 0.5 * w + {self.expr(2)}",
            f"v = v + k * ({self.expr(1)} - v + a * x) - clip(w, -1, 1) * 0.25",
            *(["z = v > 0.6"] if kind == "spike" else []),
            *(["n = clip(floor(v / 0.7), 0, 7)", "v = v - real(n) * 0.7"] if kind == "count" else []),
            *([f"v = {rng.choice(['a', 'v - 0.6', '0'])} if z else v"] if kind == "spike" else []),
        ]
        emitted = {"spike": "z", "count": "n", "value": f"clip({self.expr(1)} + v, -4, 4)"}[kind]
        lines = [f"neuron {name}", "param k, a", "state v = 0, w = 0", "input x", *body]
        self.text = "\n".join([*lines, f"record seen = {self.expr(2)}", f"emit {kind} {emitted}"]) + "\n"
        self.kind = kind

    def expr(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            return str(rng.choice(self.names)) if rng.random() < 0.8 else str(rng.integers(1, 9) / 8)
        a, b = self.expr(depth - 1), self.expr(depth - 1)
        forms = (
            f"({a} + {b})",
            f"({a} - {b})",
            f"clip({a} * {b}, -8, 8)",
            f"{a} / (abs({b} + v) + 0.5)",
            f"{rng.choice(['min', 'max'])}({a}, {b})",
            f"{rng.choice(['abs', '-'])}({a})",
            f"sqrt(abs({a} - w))",
            f"({a} if {b} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {self.expr(0)} else {b})",
        )
        return forms[rng.integers(len(forms))]


def random_update(rng: np.random.Generator, name: str, precision: Attribute) -> tuple[UpdateOp, Attribute]:
    """Returns an update of random equations, and its output type; equations that the language refuses are drawn again."""
    while True:
        equations = Equations(rng, name)
        try:
            update = build_update(parse_neurons(equations.text).neurons[0], options={}, precision=precision)
        except Refused:
            continue
        return update, {"spike": i1, "count": CountType(3), "value": precision}[equations.kind]


# ---- networks


class Builder:
    def __init__(self, rng: np.random.Generator, precision: Attribute):
        self.rng, self.precision = rng, precision
        self.dtype = np.dtype(np.float32 if precision == f32 else np.float64)
        kind = [i1, precision, CountType(3)][rng.integers(3)]
        shape = SHAPES[rng.integers(len(SHAPES))]
        self.net = Net(precision, a=(shape, kind), b=((5,), precision))
        self.values = [self.net.input("a"), self.net.input("b")]
        self.count = 0
        self.record: list[str] = []

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def weights(self, *shape: int) -> np.ndarray:
        """Returns weights, sometimes narrower than the sums that they enter."""
        narrow = self.rng.random() < 0.5
        return np.asarray(self.rng.normal(0, 1, shape), np.float32 if narrow else self.dtype)

    def maybe(self, array: np.ndarray) -> np.ndarray | None:
        return array if self.rng.random() < 0.5 else None

    # -- synapses

    def synapse(self, x: SSAValue) -> SSAValue:
        shape = shape_of(x)
        kinds = ["linear", "scale", "sparse", "fan_in", "reshape", "delay"]
        kinds += {1: [], 2: ["convolution"] * 3, 3: ["convolution"] * 4 + ["pool"] * 3}[len(shape)]
        kind = kinds[self.rng.integers(len(kinds))]
        return getattr(self, kind)(x, shape)

    def linear(self, x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        rng = self.rng
        outputs, size = int(rng.integers(1, 20)), math.prod(shape)
        if len(shape) > 1 and rng.random() < 0.3:
            return self.net.linear(x, self.weights(*shape[:-1], outputs, shape[-1]), node=self.fresh("fc"))
        flat = x if len(shape) == 1 else self.net.reshape(x, (size,))
        bias = self.maybe(self.weights(outputs))
        return self.net.linear(flat, self.weights(outputs, size), bias, node=self.fresh("fc"))

    def scale(self, x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        return self.net.scale(x, self.weights(*(shape if self.rng.random() < 0.5 else ())))

    def sparse(self, x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        rng, size = self.rng, math.prod(shape)
        targets, count = int(rng.integers(1, 15)), int(rng.integers(1, 60))
        source, target = rng.integers(0, size, count), rng.integers(0, targets, count)
        order = np.lexsort((target, source))
        source, target = source[order], target[order]
        weight = [self.weights(count), self.weights(size)[source], np.full(count, self.weights(1)[0])][rng.integers(3)]
        return self.net.add(
            SparseLinearOp,
            [x],
            (targets,),
            node=StringAttr(self.fresh("sparse")),
            weight=weight,
            source=source.astype(np.int32),
            target=target.astype(np.int32),
            delay=self.maybe(rng.integers(0, 4, count).astype(np.int16)),
            bias=self.maybe(self.weights(targets)),
            exponent=self.maybe(np.asarray(rng.integers(-3, 3))),
        )

    def fan_in(self, x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        rng, size = self.rng, math.prod(shape)
        targets, each = int(rng.integers(1, 15)), int(rng.integers(0, 9))
        return self.net.add(
            FanInLinearOp,
            [x],
            (targets,),
            node=StringAttr(self.fresh("near")),
            weight=self.weights(targets, each),
            source=rng.integers(0, size, (targets, each)).astype(np.int32),
        )

    def reshape(self, x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        size = math.prod(shape)
        return self.net.reshape(
            x, ((size,), (2, size // 2), (2, 1, size // 2))[self.rng.integers(1, 3) * (size % 2 == 0)]
        )

    def delay(self, x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        rng = self.rng
        return self.net.delay(x, rng.integers(0, 4) if rng.random() < 0.5 else rng.integers(0, 4, shape))

    def kernel(self, shape: tuple[int, ...]) -> list[int]:
        return [int(min(self.rng.integers(1, 4), size)) for size in shape[1:]]

    def convolution(self, x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        rng, rank, kernel = self.rng, len(shape) - 1, self.kernel(shape)
        chosen = rng.random()
        groups = shape[0] if chosen < 0.2 else 2 if chosen < 0.5 and shape[0] % 2 == 0 else 1
        fits = [2 * (k - 1) + 1 <= size for k, size in zip(kernel, shape[1:], strict=True)]
        outputs = groups * int(rng.integers(1, 4))
        return self.net.conv(
            x,
            self.weights(outputs, shape[0] // groups, *kernel),
            self.maybe(self.weights(outputs)),
            stride=rng.integers(1, 4, rank).tolist(),
            padding=rng.integers(0, 3, (rank, 2)).tolist(),
            dilation=[int(rng.integers(1, 3)) if fit else 1 for fit in fits],
            groups=groups,
        )

    def pool(self, x: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        rng = self.rng
        padding = rng.integers(0, 2, (2, 2)).tolist()
        return self.net.pool(x, self.kernel(shape), rng.integers(1, 4, 2).tolist(), padding, mean=rng.random() < 0.5)

    # -- populations

    def population(self, x: SSAValue) -> SSAValue:
        rng, shape, node = self.rng, shape_of(x), self.fresh("pop")
        update, emitted = random_update(rng, f"rule_{node}", self.precision)

        def numbers(low: float, high: float) -> np.ndarray:
            return np.asarray(rng.uniform(low, high, shape if rng.random() < 0.4 else ()), self.dtype)

        params = {name.data: numbers(0.1, 0.9) for name in update.params}
        initial = {name.data: numbers(-0.5, 0.5) for name in update.states}
        arriving, loop = x, None
        if rng.random() < 0.5:
            ticks = rng.integers(1, 4, shape) if rng.random() < 0.5 else np.asarray(rng.integers(1, 4))
            held = {"node": StringAttr(self.fresh("late")), "ticks": ArrayAttr.of(ticks)}
            loop = DelayOp.create(operands=[x], result_types=[TensorType(emitted, shape)], properties=held)
            self.net.block.add_op(loop)
            size = math.prod(shape)
            flat = self.net.reshape(loop.results[0], (size,))
            back = self.net.linear(flat, self.weights(size, size) / np.float32(size), node=self.fresh("rec"))
            others = [
                value for value in self.values if shape_of(value) == shape and element_type(value) == self.precision
            ]
            arriving = self.net.sum(x, self.net.reshape(back, shape), *others[:2])
        z = self.net.neuron(node, update, [arriving], emitted, params, initial)
        if loop is not None:
            loop.operands = [z]
        self.record += [node, *(f"{node}.{name}" for name in (*initial, "seen"))]
        return z

    def grow(self) -> None:
        """Adds a synapse, and sometimes a population after it."""
        y = self.synapse(self.values[self.rng.integers(len(self.values))])
        if self.rng.random() < 0.7:
            y = self.population(y)
        self.values.append(y)


def real_network(seed: int, *, samples: int = 2, ticks: int = 20) -> Case:
    """Returns the network of a seed. Options: the size of its inputs."""
    rng = np.random.default_rng(seed)
    builder = Builder(rng, f32 if seed % 2 else f64)
    for _ in range(rng.integers(2, 7)):
        builder.grow()
    network = builder.net.network(**{f"out{k}": value for k, value in enumerate(builder.values[-2:])})
    inputs: dict[str, np.ndarray] = {}
    for name in ("a", "b"):
        value = builder.net.input(name)
        full = (samples, ticks, *shape_of(value))
        inputs[name] = given(rng, element_type(value), full) * (rng.random(full) < 0.4)
    return Case(network, inputs, builder.record)


def given(rng: np.random.Generator, element: Attribute, shape: Sequence[int]) -> Any:
    """Returns valid numbers for an input."""
    if element == i1:
        return np.ones(shape, np.bool_)
    if isinstance(element, CountType):
        return rng.integers(0, 8, shape)
    return rng.normal(0, 2, shape).astype(np.float32)
