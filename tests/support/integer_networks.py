"""Random networks of integers, from a seed, for tests that compare two ways of running one.

    case = integer_network(7)
    case.network, case.inputs, case.record

A network has inputs of spikes, counts, graded spikes and integers. Its populations have random updates in the neuron language,
with all modes, roundings and operations, and inputs that are sums or accumulate event by event. Synapses of every kind connect them,
forward, recurrent and backward, with exponents, biases and delays. Types are wide enough for every sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp, f64

import nopt.api as nopt
from nopt.core.diagnostics import Refused
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects.equations.build import build_update
from nopt.dialects.fixed import IntType
from nopt.dialects.ntensor import NetworkOp, UpdateOp, emission_type, interval_of

KINDS = ("linear", "conv", "pool", "scale", "sparse_linear", "direct")
ROUNDINGS = ("floor", "ceil", "truncate", "round")


@frozen
class Case:
    """A network, in its module and as text, its inputs, and all names that can be recorded."""

    text: str
    module: ModuleOp
    network: NetworkOp
    inputs: dict[str, np.ndarray]
    """By input, `[samples, ticks, *shape]`."""
    record: list[str]
    """Every neuron with its states and records."""


@frozen
class Source:
    """A signal that synapses can read."""

    name: str
    shape: tuple[int, ...]
    element: str
    low: int
    high: int
    layer: int
    """-1 for an input of the network."""


def array(values: np.ndarray | int) -> str:
    held = np.asarray(values)
    shape = "x".join(map(str, held.shape))
    return f"#nopt.array<{held.tolist()} : tensor<{shape}{'x' if shape else ''}i{8 * held.dtype.itemsize}>>"


def tensor(shape: Sequence[int], element: str) -> str:
    return f"tensor<{'x'.join(map(str, shape))}{'x' if shape else ''}{element}>"


def bits_of(low: int, high: int) -> int:
    """Returns the number of signed bits for these integers."""
    return 1 + max(high.bit_length() if high > 0 else 0, (~low).bit_length() if low < 0 else 0)


def value_bits(element: str) -> int:
    """Returns the bits of a type of values; 0 for events, which fit into every type."""
    return int(element[1:]) if element.startswith("i") and element != "i1" else 0


# ---- neurons


class Equations:
    """A random neuron as text."""

    def __init__(self, rng: np.random.Generator, name: str, each: bool, wide: bool = False):
        self.rng = rng
        chosen = rng.integers
        self.states = [f"s{k}" for k in range(chosen(1, 4))]
        widths = [f"s{chosen(5, 21)}" if rng.random() < 0.8 else f"u{chosen(4, 17)}" for _ in self.states]
        widths = [f"s{chosen(34, 46)}" for _ in self.states] if wide else widths
        modes = [rng.choice(["saturate", "wrap"]) for _ in self.states]
        inputs = [f"x{k}: s{chosen(6, 21)} {rng.choice(['saturate', 'wrap'])}" for k in range(chosen(0, 3))]
        adding = [
            f"e{k}: s{chosen(4, 15)} {rng.choice(['saturate', 'wrap'])} each into {rng.choice(self.states)}"
            for k in range(chosen(0 if inputs else 1, 3) if each else 0)
        ]
        if not inputs and not adding:
            inputs = ["x0: s12 saturate"]
        self.names = [*self.states, *(text.split(":")[0] for text in inputs), "p", "q"]
        starts = [f"{s}: {w} {m} = {chosen(0, 8)}" for s, w, m in zip(self.states, widths, modes, strict=True)]
        lines = [f"neuron {name}", "param p: s9, q: u6 in 1..50, e: u3", f"state {', '.join(starts)}"]
        # in any order: an update sorts its inputs, accumulating ones last
        lines.append(f"input {', '.join(rng.permutation([*inputs, *adding]))}")
        body = [f"{s} = {self.expr(3)}" for s in self.states]
        first = self.names[len(self.states)] if inputs else "p"
        body.append(f"{rng.choice(self.states)} = {first} + {self.expr(2)}")
        read = [text.split(":")[0] for text in inputs] + self.states
        body.append(f"t: s24 {rng.choice(['saturate', 'wrap'])} = {' + '.join([*read, 'p', 'q', 'e'])}")
        kind = rng.choice(["spike", "count", "graded"])
        emitted = {
            "spike": f"t > {self.expr(1)}",
            "count": f"clip(t >> {chosen(0, 5)}, 0, {chosen(1, 9)})",
            "graded": f"clip(truncate(t / q), -{chosen(1, 20)}, {chosen(1, 20)})",
        }[kind]
        self.text = (
            "\n".join([*lines, *body, f"record {self.states[0]} = {self.expr(1)}", f"emit {kind} {emitted}"]) + "\n"
        )

    def expr(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return str(rng.choice(self.names)) if rng.random() < 0.8 else str(rng.integers(0, 40))
        a, b = self.expr(depth - 1), self.expr(depth - 1)
        match rng.integers(0, 12):
            case 0 | 1 | 2:
                return f"({a} + {b})"
            case 3 | 4:
                return f"({a} - {b})"
            case 5:
                return f"({a} * {self.expr(0)})"
            case 6:
                return (
                    f"{rng.choice(ROUNDINGS)}({a} / {rng.choice(['q', f'max(abs({b}), 1)', f'-{rng.integers(1, 9)}'])})"
                )
            case 7:
                return f"({a} {rng.choice(['<<', '>>'])} {rng.choice(['e', str(rng.integers(0, 5))])})"
            case 8:
                return f"{rng.choice(['min', 'max'])}({a}, {b})"
            case 9:
                return f"{rng.choice(['abs', 'sign', '-'])}({a})"
            case 10:
                return f"clip({a}, -{rng.integers(1, 99)}, {rng.integers(1, 99)})"
            case _:
                test = f"{a} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {self.expr(0)}"
                if rng.random() < 0.3:
                    test = f"{test} {rng.choice(['and', 'or'])} not {b} > 3"
                return f"({self.expr(depth - 1)} if {test} else {b})"


def random_update(rng: np.random.Generator, name: str, *, each: bool = True, wide: bool = False) -> UpdateOp:
    """Returns an update of random equations; equations that the language refuses (more than 64 bits) are drawn again."""
    while True:
        text = Equations(rng, name, each, wide).text
        try:
            update = build_update(parse_neurons(text).neurons[0], options={}, precision=f64)
        except Refused:
            continue
        return update


# ---- networks


class Builder:
    def __init__(self, rng: np.random.Generator, kinds: Sequence[str], each: bool, tight: bool = False):
        self.rng, self.kinds, self.each, self.tight = rng, kinds, each, tight
        self.ops: list[str] = []
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def node(self) -> str:
        return f'"syn{self.count}"'

    def some_shape(self) -> tuple[int, ...]:
        rank = int(self.rng.integers(1, 4))
        return tuple(self.rng.integers(1, {1: 7, 2: (3, 6), 3: (3, 5, 5)}[rank], size=rank).tolist())

    # -- synapses

    def result(self, terms: bool, bound: int) -> tuple[str, int]:
        """Returns a type that holds this magnitude, and the largest magnitude that it holds."""
        wide = max(2, bits_of(-bound, bound) + int(self.rng.integers(0, 3)))
        assert wide < 62, "numbers of a generated network stay small"
        return f"!ntensor.terms<{wide}>" if terms else f"i{wide}", 2 ** (wide - 1)

    def weights(self, shape: Sequence[int]) -> np.ndarray:
        bits = int(self.rng.choice([2, 4, 8, 12]))
        found = self.rng.integers(-(2 ** (bits - 1)), 2 ** (bits - 1), size=tuple(shape))
        found[self.rng.random(found.shape) < 0.2] = 0
        return found.astype(np.int8 if bits <= 8 else np.int16)

    def beside(self, bias: Sequence[int], exponent: Sequence[int]) -> tuple[str, int, int]:
        """Returns an optional bias and exponent as text, the largest magnitude of the bias, and the largest exponent."""
        text, most, power = "", 0, 0
        if self.rng.random() < 0.5:
            held = self.rng.integers(-100, 100, size=tuple(bias)).astype(np.int8)
            text, most = f", bias = {array(held)}", int(np.abs(held.astype(int)).max(initial=0))
        if self.rng.random() < 0.5:
            shape = tuple(exponent) if self.rng.random() < 0.5 else ()
            powers = np.asarray(self.rng.integers(-4, 3, size=shape)).astype(np.int8)
            text, power = f"{text}, exponent = {array(powers)}", max(0, int(powers.max(initial=0)))
        return text, most, power

    def emit(
        self, op: str, x: Source, attributes: str, shape: Sequence[int], terms: bool, most: int, term: int
    ) -> tuple[str, str, int]:
        """Adds a synapse. `most` bounds the magnitudes of its sums, `term` those of its terms."""
        name = self.fresh()
        element, bound = self.result(terms, max(-x.low, x.high, term if terms else most))
        if self.tight and not terms:  # the input bounds the sum, and its type holds that of the operand
            element, bound = f"i{max(bits_of(-most, most), value_bits(x.element), 2)}", most
        types = f"{tensor(x.shape, x.element)} -> {tensor(shape, element)}"
        self.ops.append(f"{name} = ntensor.{op} {self.node()} {x.name} {{{attributes}}} : {types}")
        return name, element, bound

    def through(self, x: Source) -> Source:
        """Adds a sum pool, or a layer of weights, with the range of its sums; synapses read it before a population does."""
        if len(x.shape) == 3 and min(x.shape[1:]) >= 2 and self.rng.random() < 0.8:
            shape = (x.shape[0], x.shape[1] - 1, x.shape[2] - 1)
            one, none = array(np.ones(2, int)), array(np.zeros((2, 2), int))
            attributes = f"kernel = {array(np.full(2, 2))}, stride = {one}, padding = {none}"
            name, element, most = self.emit("sum_pool2d", x, attributes, shape, False, 4 * max(-x.low, x.high), 0)
        else:
            flat = self.flat(x, (math.prod(x.shape),))
            weight = self.weights((3, *flat.shape))
            most = int(np.abs(weight.astype(int)).sum(-1).max(initial=0)) * max(-x.low, x.high)
            shape = (3,)
            name, element, most = self.emit("linear", flat, f"weight = {array(weight)}", shape, False, most, 0)
        return Source(name, shape, element, -most if x.low < 0 or len(shape) == 1 else 0, most, x.layer)

    def flat(self, x: Source, shape: tuple[int, ...]) -> Source:
        if x.shape == shape:
            return x
        name = self.fresh()
        types = f"{tensor(x.shape, x.element)} -> {tensor(shape, x.element)}"
        self.ops.append(f"{name} = ntensor.reshape {self.node()} {x.name} : {types}")
        return Source(name, shape, x.element, x.low, x.high, x.layer)

    def branch(self, x: Source, shape: tuple[int, ...], terms: bool) -> tuple[str, str, int]:
        """Adds an op between a signal and a population; returns its name, element type and largest magnitude."""
        rng, reach = self.rng, max(-x.low, x.high)
        kinds: list[str] = rng.permutation(self.kinds).tolist()
        if len(x.shape) == len(shape) >= 2 and rng.random() < 0.6:  # few shapes allow these ops
            kinds.sort(key=lambda kind: kind not in ("conv", "pool"))
        for kind in kinds:
            if kind == "direct" and x.shape == shape:
                return x.name, x.element, reach
            if kind == "scale" and x.shape == shape:
                scale = self.weights(shape if rng.random() < 0.5 else ())
                most = int(np.abs(scale.astype(int)).max(initial=0)) * reach
                return self.emit("scale", x, f"scale = {array(scale)}", shape, terms, most, most)
            if kind == "sparse_linear":
                return self.sparse(x, shape, terms, reach)
            if kind in ("conv", "pool") and len(x.shape) == len(shape) >= 2:
                found = self.window(kind, x, shape, terms, reach)
                if found is not None:
                    return found
            if kind == "linear":
                return self.linear(x, shape, terms, reach)
        return self.linear(x, shape, terms, reach)

    def linear(self, x: Source, shape: tuple[int, ...], terms: bool, reach: int) -> tuple[str, str, int]:
        if len(shape) > 1 and x.shape[:-1] == shape[:-1]:
            weight, result = self.weights((*shape, x.shape[-1])), shape
        else:
            x = self.flat(x, (math.prod(x.shape),))
            result = (math.prod(shape),)
            weight = self.weights((*result, *x.shape))
        text, added, power = self.beside(result, result)
        magnitudes = np.abs(weight.astype(int))
        most = (int(magnitudes.sum(-1).max(initial=0)) * reach + added) << power
        term = max(int(magnitudes.max(initial=0)) * reach, added) << power
        name, element, bound = self.emit("linear", x, f"weight = {array(weight)}{text}", result, terms, most, term)
        if result != shape:
            name = self.flat(Source(name, result, element, 0, 0, 0), shape).name
        return name, element, bound

    def sparse(self, x: Source, shape: tuple[int, ...], terms: bool, reach: int) -> tuple[str, str, int]:
        rng, sources, targets = self.rng, math.prod(x.shape), math.prod(shape)
        count = int(rng.integers(1, 3 * targets + 2))
        source, target = rng.integers(0, sources, count), rng.integers(0, targets, count)
        order = np.lexsort((target, source))
        weight, late = self.weights((count,)), rng.integers(0, 4, count).astype(np.int8)
        attributes = f"weight = {array(weight)}"
        for name, values in (("source", source[order]), ("target", target[order])):
            attributes += f", {name} = {array(values.astype(np.int32))}"
        if rng.random() < 0.8:
            attributes += f", delay = {array(late if rng.random() < 0.8 else late[0])}"
        text, added, power = self.beside(shape, shape)
        magnitudes = np.abs(weight.astype(int))
        most = (int(magnitudes.sum()) * reach + added) << power
        term = max(int(magnitudes.max()) * reach, added) << power
        return self.emit("sparse_linear", x, attributes + text, shape, terms, most, term)

    def window(
        self, kind: str, x: Source, shape: tuple[int, ...], terms: bool, reach: int
    ) -> tuple[str, str, int] | None:
        rng, rank = self.rng, len(shape) - 1
        if kind == "pool" and (rank != 2 or x.shape[0] != shape[0]):
            return None
        kernel, stride = rng.integers(1, 4, rank), rng.integers(1, 3, rank)
        dilation = rng.integers(1, 3, rank) if kind == "conv" else np.ones(rank, int)
        needed = (np.array(shape[1:]) - 1) * stride + dilation * (kernel - 1) + 1 - np.array(x.shape[1:])
        if needed.min() < 0:
            return None
        before = rng.integers(0, needed + 1)
        padding = np.stack([before, needed - before], axis=1)
        attributes = f"stride = {array(stride)}, padding = {array(padding)}"
        if kind == "pool":
            most = int(kernel.prod()) * reach
            return self.emit("sum_pool2d", x, f"kernel = {array(kernel)}, {attributes}", shape, terms, most, reach)
        groups = math.gcd(x.shape[0], shape[0]) if rng.random() < 0.5 else 1
        weight = self.weights((shape[0], x.shape[0] // groups, *kernel.tolist()))
        text, added, power = self.beside(shape[:1], shape[:1])
        magnitudes = np.abs(weight.astype(int)).reshape(len(weight), -1)
        most = (int(magnitudes.sum(-1).max(initial=0)) * reach + added) << power
        term = max(int(magnitudes.max(initial=0)) * reach, added) << power
        attributes = (
            f"weight = {array(weight)}, {attributes}, dilation = {array(dilation)}, groups = {groups} : i64{text}"
        )
        return self.emit(f"conv{rank}d", x, attributes, shape, terms, most, term)

    def arriving(self, sources: Sequence[Source], layer: int, shape: tuple[int, ...], terms: bool) -> tuple[str, str]:
        """Adds the input of a population: one branch, or a sum of several."""
        rng = self.rng
        found: list[tuple[str, str, int]] = []
        for _ in range(rng.integers(1, 4)):
            near = [source for source in sources if source.layer in (layer - 1, -1)]
            x = near[rng.integers(len(near))] if rng.random() < 0.6 else sources[rng.integers(len(sources))]
            if x.layer >= layer or rng.random() < 0.1:  # backward, recurrent, or delayed
                ticks = rng.integers(1, 4, x.shape if rng.random() < 0.5 else ()).astype(np.int8)
                name = self.fresh()
                self.ops.append(
                    f"{name} = ntensor.delay {self.node()} {x.name} {{ticks = {array(ticks)}}} : {tensor(x.shape, x.element)}"
                )
                x = Source(name, x.shape, x.element, x.low, x.high, layer - 1)
            if self.tight and not terms and rng.random() < 0.6:
                x = self.through(x)
            found.append(self.branch(x, shape, terms))
        only_terms = found[0][1].startswith("!ntensor.terms")
        if len(found) == 1 and (only_terms or not terms):
            return found[0][:2]
        total = max(one[2] for one in found) if terms else sum(one[2] for one in found)
        element, _ = self.result(terms, total)
        if self.tight and not terms:
            element = f"i{max(bits_of(-total, total), *(value_bits(one[1]) for one in found), 2)}"
        name = self.fresh()
        names, types = ", ".join(one[0] for one in found), ", ".join(tensor(shape, one[1]) for one in found)
        self.ops.append(f"{name} = ntensor.sum {names} : ({types}) -> {tensor(shape, element)}")
        return name, element


def integer_network(
    seed: int,
    *,
    kinds: Sequence[str] = KINDS,
    each: bool = True,
    samples: int = 2,
    ticks: int = 10,
    tight: bool = False,
    wide: bool = False,
) -> Case:
    """Returns the network of a seed. Options: kinds of synapses; whether inputs may accumulate event by event; the size of its inputs.

    With `wide`, states have 34 to 45 bits.

    With `tight`, types are as narrow as the inputs allow, and synapses also read pools and sums. A sum then fits although the types
    of its operands would allow an overflow.
    """
    rng = np.random.default_rng(seed)
    builder = Builder(rng, kinds, each, tight)
    sources: list[Source] = []
    inputs: dict[str, np.ndarray] = {}
    for k in range(rng.integers(1, 3)):
        shape = builder.some_shape()
        element, low, high = [
            ("i1", 0, 1),
            ("!ntensor.count<3>", 0, 7),
            ("!ntensor.graded<5>", -16, 15),
            ("i6", -32, 31),
        ][rng.integers(0, 4)]
        sources.append(Source(f"%in{k}", shape, element, low, high, -1))
        share = rng.random((samples, ticks, *shape)) < 0.6
        inputs[f"in{k}"] = rng.integers(low, high, (samples, ticks, *shape), endpoint=True) * share
    givers = list(sources)
    updates: list[UpdateOp] = []
    for k in range(rng.integers(1, 4)):
        update = random_update(rng, f"rule{k}", each=each, wide=wide)
        element = emission_type(update)
        held = interval_of(element)
        assert held is not None
        low, high = held.low, held.high
        updates.append(update)
        sources.append(Source(f"%n{k}", builder.some_shape(), str(element), low, high, k))
    record: list[str] = []
    for k, update in enumerate(updates):
        own = sources[len(givers) + k]
        plain = len(update.inputs)
        operands = [builder.arriving(sources, k, own.shape, terms=m >= plain) for m in range(len(update.operand_names))]
        builder.ops.append(neuron(rng, k, update, own, operands))
        states = dict.fromkeys([*(name.data for name in update.states), *(name.data for name in update.records)])
        record += [f"node{k}", *(f"node{k}.{name}" for name in states)]
    text = "\n".join(map(str, updates)) + "\n" + network_text(givers, sources[len(givers) :], builder.ops)
    module = nopt.parse(text)
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    return Case(text, module, network, inputs, record)


def neuron(rng: np.random.Generator, k: int, update: UpdateOp, own: Source, operands: Sequence[tuple[str, str]]) -> str:
    def entries(types: dict[str, Any], low: int, high: int) -> str:
        found: list[str] = []
        for name, type in types.items():
            assert isinstance(type, IntType)
            shape = own.shape if rng.random() < 0.5 else ()
            values = rng.integers(max(low, type.lower), min(high, type.upper), shape, endpoint=True)
            found.append(f"{name} = {array(np.asarray(values, np.int32))}")
        return ", ".join(found)

    names, types = ", ".join(name for name, _ in operands), ", ".join(tensor(own.shape, type) for _, type in operands)
    attributes = (
        f"params = {{{entries(update.param_types, -60, 60)}}}, initial = {{{entries(update.state_types, -30, 30)}}}"
    )
    symbol = f"@{update.sym_name.data}"
    return f'%n{k} = ntensor.neuron "node{k}" {symbol} ({names}) {{{attributes}}} : ({types}) -> {tensor(own.shape, own.element)}'


def network_text(givers: Sequence[Source], neurons: Sequence[Source], ops: Sequence[str]) -> str:
    takes = ", ".join(f'"{x.name[1:]}" {x.name}: {tensor(x.shape, x.element)}' for x in givers)
    gives = ", ".join(f'"out{k}": {tensor(x.shape, x.element)}' for k, x in enumerate(neurons))
    last = f"ntensor.output {', '.join(x.name for x in neurons)} : {', '.join(tensor(x.shape, x.element) for x in neurons)}"
    body = "\n  ".join([*ops, last])
    return f"ntensor.network @net({takes}) -> ({gives}) attributes {{tick_ns = 1000000}} {{\n  {body}\n}}\n"
