"""Runs an `ntensor.network` in plain Python: one event, one neuron and one scalar operation at a time, on unbounded integers.

It is written from the definitions of the ops alone, as a reference for engines. It shares no kernel, schedule
or evaluator with them. Every integer is asserted to be in the interval of its type.

    found = run(network, {"x": array})           # by node, output and NODE.STATE: [samples, ticks, *shape]
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from nopt.core.ir.operation import element_type, shape_of
from nopt.dialects import fixed
from nopt.dialects.ntensor import NetworkOp, TermsType, UpdateOp

# ---- scalar ops


def rounded(rounding: str, x: Fraction) -> int:
    return {"floor": math.floor, "ceil": math.ceil, "truncate": math.trunc, "round": round}[rounding](x)


def sign(x: int) -> int:
    return 1 if x > 0 else -1 if x < 0 else 0


def saturated(x: int, low: int, high: int) -> int:
    return low if x < low else high if x > high else x


def wrapped(x: int, low: int, high: int) -> int:
    while x > high or x < low:
        x -= (high - low + 1) * ((x - low) // (high - low + 1))
    return x


COMPARE = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
ORDERED = {1: "eq", 2: "gt", 3: "ge", 4: "lt", 5: "le", 13: "ne"}
PLAIN: dict[str, Callable[..., Any]] = {
    "fixed.add": lambda a, b: a + b,
    "fixed.sub": lambda a, b: a - b,
    "fixed.mul": lambda a, b: a * b,
    "fixed.neg": lambda a: -a,
    "fixed.abs": abs,
    "fixed.sign": sign,
    "fixed.min": min,
    "fixed.max": max,
    "fixed.shl": lambda a, b: a * 2**b,
    "fixed.shr": lambda a, b: math.floor(Fraction(a, 2**b)),
    "fixed.widen": lambda a: a,
    "fixed.select": lambda z, a, b: a if z else b,
    "fixed.to_real": float,
    "arith.select": lambda z, a, b: a if z else b,
    "arith.andi": lambda a, b: a and b,
    "arith.ori": lambda a, b: a or b,
    "arith.xori": lambda a, b: a != b,
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": lambda a, b: a / b,
    "arith.negf": lambda a: -a,
    "arith.minimumf": min,
    "arith.maximumf": max,
    "ntensor.let": lambda a: a,
}


def scalar(op: Any, *args: Any) -> Any:
    """Returns the result of one op. Reals are f64."""
    name = op.name
    if name in ("fixed.constant", "arith.constant"):
        value = op.value.value.data
        return bool(value) if str(op.results[0].type) == "i1" else value
    if name == "fixed.cmp":
        return COMPARE[str(op.relation.data)](*args)
    if name == "arith.cmpf":
        return COMPARE[ORDERED[op.predicate.value.data]](*args)
    if name == "fixed.div":
        return rounded(str(op.rounding.data), Fraction(args[0], args[1]))
    if name in ("fixed.saturate", "fixed.refine"):
        return saturated(args[0], op.y.type.lower, op.y.type.upper)
    if name == "fixed.wrap":
        return wrapped(args[0], op.y.type.lower, op.y.type.upper)
    if name == "fixed.from_real":
        low, high = op.y.type.lower, op.y.type.upper
        if math.isnan(args[0]) or args[0] <= low:
            return low
        return high if args[0] >= high else saturated(rounded(str(op.rounding.data), Fraction(args[0])), low, high)
    return PLAIN[name](*args)


def evaluate(block: Block, args: list[Any]) -> list[Any]:
    """Returns the results of a region for these arguments."""
    held: dict[SSAValue, Any] = {}

    def hold(value: SSAValue, found: Any) -> None:
        if isinstance(value.type, fixed.IntType):
            assert isinstance(found, int), (value, found)
            assert value.type.lower <= found <= value.type.upper, (value, found)
        held[value] = found

    for arg, given in zip(block.args, args, strict=True):
        hold(arg, given)
    for op in block.ops:
        if op is not block.last_op:
            hold(op.results[0], scalar(op, *(held[x] for x in op.operands)))
    assert block.last_op is not None
    return [held[x] for x in block.last_op.operands]


# ---- synapses: for every target its (source, weight, delay), in the order of the sum


def linear(op: Any) -> list[list[tuple[int, Any, int]]]:
    weight = op.weight.values
    *lead, outputs, inputs = weight.shape
    flat = weight.reshape(-1, outputs, inputs).tolist()
    return [[(n * inputs + i, w, 0) for i, w in enumerate(row)] for n in range(math.prod(lead)) for row in flat[n]]


def sparse_linear(op: Any) -> list[list[tuple[int, Any, int]]]:
    found: list[list[tuple[int, Any, int]]] = [[] for _ in range(math.prod(shape_of(op.y)))]
    delay = op.delay.values if op.delay is not None else np.array(0)
    delays = np.broadcast_to(delay, op.source.shape).tolist()
    lists = (array.values.tolist() for array in (op.source, op.target, op.weight))
    for source, target, weight, late in zip(*lists, delays, strict=True):
        found[target].append((source, weight, late))
    return found


def window(op: Any, kernel: list[int], dilation: list[int], weight: Any) -> list[list[tuple[int, Any, int]]]:
    """Returns, for each presynaptic neuron, the tap that leads to a target, if any. `weight(target channel, channel, *tap)` or None."""
    x, y = shape_of(op.x), shape_of(op.y)
    stride, padding = op.stride.values.tolist(), op.padding.values.tolist()
    found: list[list[tuple[int, Any, int]]] = []
    for channel, *place in product(*map(range, y)):
        terms: list[tuple[int, Any, int]] = []
        for source, (c, *at) in enumerate(product(*map(range, x))):
            taps = [
                divmod(a + before - p * s, d)
                for a, p, s, d, (before, _) in zip(at, place, stride, dilation, padding, strict=True)
            ]
            if all(rest == 0 and 0 <= tap < k for (tap, rest), k in zip(taps, kernel, strict=True)):
                w = weight(channel, c, *(tap for tap, _ in taps))
                if w is not None:
                    terms.append((source, w, 0))
        found.append(terms)
    return found


def convolution(op: Any) -> list[list[tuple[int, Any, int]]]:
    held, groups = op.weight.values, op.groups.value.data
    outputs, inside = held.shape[:2]

    def weight(channel: int, c: int, *tap: int) -> Any:
        group = channel // (outputs // groups)
        return held[(channel, c - group * inside, *tap)].item() if c // inside == group else None

    return window(op, list(held.shape[2:]), op.dilation.values.tolist(), weight)


def pool(op: Any) -> list[list[tuple[int, Any, int]]]:
    return window(op, op.kernel.values.tolist(), [1, 1], lambda channel, c, *tap: 1 if c == channel else None)


def scale(op: Any) -> list[list[tuple[int, Any, int]]]:
    flat = np.broadcast_to(op.scale.values, shape_of(op.x)).ravel().tolist()
    return [[(n, w, 0)] for n, w in enumerate(flat)]


SYNAPSES: dict[str, Callable[[Any], list[list[tuple[int, Any, int]]]]] = {
    "ntensor.linear": linear,
    "ntensor.sparse_linear": sparse_linear,
    "ntensor.conv1d": convolution,
    "ntensor.conv2d": convolution,
    "ntensor.sum_pool2d": pool,
    "ntensor.scale": scale,
}


def number_in(element: Any) -> Callable[[Any], Any]:
    """Returns a conversion to a value type: NumPy's scalars round as their type does."""
    return np.float32 if isinstance(element, Float32Type) else np.float64 if isinstance(element, Float64Type) else int


def per_target(array: Any, y: tuple[int, ...]) -> list[Any] | None:
    """Returns a bias or exponent for every target. A convolution has one per channel."""
    if array is None:
        return None
    values = array.values
    values = values.reshape(*values.shape, *(1,) * (len(y) - values.ndim)) if values.ndim else values
    return np.broadcast_to(values, y).ravel().tolist()


class Run:
    """One sample."""

    def __init__(self, network: NetworkOp, inputs: Mapping[str, Any]):
        module = network.parent_op()
        assert isinstance(module, ModuleOp)
        self.ops = [op for op in network.body.block.ops if op.results]
        self.updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
        self.inputs = {
            arg: inputs[name.data] for name, arg in zip(network.input_names, network.body.block.args, strict=True)
        }
        self.synapses = {op: SYNAPSES[op.name](op) for op in self.ops if op.name in SYNAPSES}
        self.held: dict[tuple[SSAValue, int], list[Any]] = {}
        self.states: dict[tuple[Operation, int], list[dict[str, Any]]] = {}
        """Values after a tick, by neuron."""
        self.records: dict[tuple[Operation, int], list[dict[str, Any]]] = {}

    def value(self, value: SSAValue, tick: int) -> list[Any]:
        """Returns the elements of a signal in one tick, flat; for terms, a list per element."""
        if tick < 0:
            return [0] * math.prod(shape_of(value))
        if (value, tick) not in self.held:
            if value in self.inputs:
                found = [number_in(element_type(value))(x) for x in self.inputs[value][tick].ravel().tolist()]
            else:
                found = self.result(value.owner, tick)
            self.held[value, tick] = found
        return self.held[value, tick]

    def result(self, op: Any, tick: int) -> list[Any]:
        y = shape_of(op.results[0])
        element = element_type(op.results[0])
        is_terms, number = isinstance(element, TermsType), number_in(element)
        if op.name == "ntensor.reshape":
            return self.value(op.x, tick)
        if op.name == "ntensor.delay":
            late = np.broadcast_to(op.ticks.values, y).ravel().tolist()
            return [self.value(op.x, tick - d)[n] for n, d in enumerate(late)]
        if op.name == "ntensor.neuron":
            return self.neurons(op, tick)
        if op.name == "ntensor.sum":
            return [self.added(op, n, tick, is_terms, number) for n in range(math.prod(y))]
        bias, exponent = (per_target(getattr(op, name, None), y) for name in ("bias", "exponent"))
        return [
            self.synapse(op, n, tick, is_terms, number, bias and bias[n], exponent and exponent[n])
            for n in range(math.prod(y))
        ]

    def added(self, op: Any, n: int, tick: int, is_terms: bool, number: Any) -> Any:
        if is_terms:
            return [term for x in op.xs for term in listed(self.value(x, tick)[n])]
        total = number(self.value(op.xs[0], tick)[n])
        for x in op.xs[1:]:
            total = total + number(self.value(x, tick)[n])
        return total

    def synapse(self, op: Any, n: int, tick: int, is_terms: bool, number: Any, bias: Any, exponent: Any) -> Any:
        terms: list[Any] = []
        for source, weight, late in self.synapses[op][n]:
            x = self.value(op.x, tick - late)[source]
            if x != 0:
                terms.append(number(weight) * number(x))
        if is_terms:
            terms += [] if bias is None else [bias]
            return [math.floor(Fraction(2) ** (exponent or 0) * term) for term in terms]
        total = number(0)
        for term in terms:
            total = total + term
        total = total if bias is None else total + number(bias)
        if exponent is None:
            return total
        return math.floor(Fraction(2) ** exponent * total) if number is int else number(total * number(2.0**exponent))

    def neurons(self, op: Any, tick: int) -> list[Any]:
        update = self.updates[op.update.root_reference.data]
        size = math.prod(shape_of(op.z))
        params, starts = (
            {name: np.broadcast_to(array.values, shape_of(op.z)).ravel().tolist() for name, array in op.arrays(given)}
            for given in (op.params, op.initial)
        )
        names = [name.data for name in update.states]
        if tick:
            self.value(op.z, tick - 1)
        before = self.states[op, tick - 1] if tick else [{name: starts[name][n] for name in names} for n in range(size)]
        given = [self.value(x, tick) for x in op.xs]
        found: list[Any] = []
        self.states[op, tick], self.records[op, tick] = [], []
        for n in range(size):
            states = dict(before[n])
            for (_, into, block), terms in zip(update.accumulators, given[len(update.inputs) :], strict=True):
                for term in terms[n]:
                    if term != 0:
                        (states[into],) = evaluate(block, [term, states[into]])
            inputs = [
                int(x[n]) if isinstance(type, fixed.IntType) else float(x[n])
                for x, type in zip(given, update.input_types, strict=False)
            ]
            held = [params[name.data][n] for name in update.params]
            emitted, *rest = evaluate(update.step.block, [*inputs, *states.values(), *held])
            found.append(emitted)
            self.states[op, tick].append(dict(zip(names, rest, strict=False)))
            records = zip((name.data for name in update.records), rest[len(names) :], strict=True)
            self.records[op, tick].append(dict(records))
        return found

    def tick(self, tick: int) -> Iterator[tuple[str, list[Any], tuple[int, ...]]]:
        """Yields all named values of one tick, flat."""
        for op in self.ops:
            found = self.value(op.results[0], tick)
            node: Any = op.properties.get("node")
            if node is None or isinstance(element_type(op.results[0]), TermsType):
                continue
            shape = shape_of(op.results[0])
            yield node.data, found, shape
            if op.name == "ntensor.neuron":
                shown = [{**a, **b} for a, b in zip(self.states[op, tick], self.records[op, tick], strict=True)]
                for name in shown[0] if shown else ():
                    yield f"{node.data}.{name}", [one[name] for one in shown], shape


def listed(x: Any) -> list[Any]:
    return x if isinstance(x, list) else [int(x)]


def run(network: NetworkOp, inputs: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Returns every node with a signal, every `NODE.STATE` and every output, `[samples, ticks, *shape]`."""
    samples, ticks = next(iter(inputs.values())).shape[:2]
    found: dict[str, list[list[np.ndarray]]] = {}
    for s in range(samples):
        one = Run(network, {name: array[s] for name, array in inputs.items()})
        for t in range(ticks):
            for name, values, shape in one.tick(t):
                found.setdefault(name, [[] for _ in range(samples)])[s].append(np.array(values).reshape(shape))
            last: Any = network.body.block.last_op
            for name, value in zip(network.output_names, last.operands, strict=True):
                shown = np.array(one.value(value, t)).reshape(shape_of(value))
                found.setdefault(name.data, [[] for _ in range(samples)])[s].append(shown)
    return {name: np.array(values) for name, values in found.items()}
