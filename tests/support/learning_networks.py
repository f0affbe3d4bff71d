"""Random networks that learn, from a seed, for tests that compare two ways of running one.

    case = learning_network(7)
    case.network, case.inputs, case.record

Rules of pairs, triplets, eligibility and a modulator, observed states, random numbers and short-term plasticity, in f32, f64 and integers. Plastic
synapses are dense or sparse, forward and recurrent, with delays of the op, of each synapse, before it and after it, axonal or dendritic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, f32, f64

import nopt.api as nopt
from nopt.core.neuron.neuron import parse_neurons
from nopt.core.synapse.synapse import parse_synapses
from nopt.dialects.equations.build import build_update
from nopt.dialects.equations.rules import build_rule
from nopt.dialects.ntensor import NetworkOp

HEAD = """
option delay = axonal | dendritic
"""
PAIR = """
param a, b, d in 0..1, low, high
weight w in low..high
pre state x
post state y
on tick
x = x * d
y = y * d
on post
w = w + a * x * (high - w)
on pre
w = w - b * y
x = x + 1
on post
y = y + 1
"""
TRIPLET = """
param a, b, d in 0..1, low, high
weight w in low..high
pre state x, x2
post state y, y2
on tick
x = x * d
x2 = x2 * 0.9
y = y * d
y2 = y2 * 0.95
on pre
w = w - y * (b + a * x2)
x = 1
x2 = x2 + 1
on post
w = w + x * (a + b * y2)
y = 1
y2 = y2 + 1
"""
REWARD = """
param a, b, d in 0..1, low, high
weight w in low..high
pre state x
post state y
synapse state c
modulator m
on tick
x = x * d
y = y * d
c = c * 0.98
on pre
c = c - b * y
x = x + 1
on post
c = c + a * x
y = y + 1
on m
w = w + m * c
"""
OBSERVED = """
param a, b, d in 0..1, low, high
weight w in low..high
post state y
observe v
modulator m
on tick
y = y * d + 0.1 * v * m
on pre
w = w + a * (v - 0.3) - b * y
"""
RANDOM = """
param a, b, d in 0..1, low, high
weight w in low..high
pre state x
random r, q
on tick
x = x * d
on post
w = w + a * x if r < 0.4 else w - b * q
on pre
x = x + 1
"""
SHORT = """
param a, b, d in 0..1, low, high
weight w in low..high
synapse state u = 0.5, r = 1
on tick
u = u + b * (0.5 - u)
r = r + a * (1 - r)
on pre
r = r - u * r * d
u = u + 0.1 * (1 - u)
on post
w = w + a
efficacy = w * u * r
"""
REALS = {"pair": PAIR, "triplet": TRIPLET, "reward": REWARD, "observed": OBSERVED, "random": RANDOM, "short": SHORT}
SHIFTS = """
param a: u4, b: u4, low: s8, high: s8
weight w: s8 saturate in low..high
pre state x: u8 saturate
post state y: u8 saturate
on tick
x = x - (x >> 3)
y = y - (y >> 2)
on post
w = w + ((a * x) >> 4)
on pre
w = w - ((b * y) >> 4)
x = x + 64
on post
y = y + 64
"""
ROUNDED = """
param a: u4, b: u4, low: s8, high: s8
weight w: s8 saturate in low..high
pre state x: u8 saturate
synapse state c: s12 saturate
random r: u6
modulator m
on tick
x = x - (x >> 3)
c = c - (c >> 4)
on post
c = c + a * x
on pre
w = w + ((c + r) >> 6)
x = x + 100
on m
w = w - b
"""
HALVED = """
param a: u4, b: u4, low: s8, high: s8
weight w: s8 saturate in low..high
synapse state u: u5 saturate = 16
on tick
u = u + 1
on pre
u = u - a
on post
w = w + b
efficacy = (w * u) >> 5
"""
INTEGERS = {"shifts": SHIFTS, "rounded": ROUNDED, "halved": HALVED}
LIF = """neuron lif
param k
state v = 0
input x
v = v + k * (x - v)
z = v > 0.3
v = 0 if z else v
emit spike z
"""
INTEGER_LIF = """neuron lif
param k: u4
state v: s16 saturate = 0
input x: s14 saturate
v = v - (v >> k) + x
z = v > 120
v = 0 if z else v
emit spike z
"""


@frozen
class Case:
    """A network that learns, its inputs, and all names that can be recorded."""

    text: str
    module: ModuleOp
    network: NetworkOp
    inputs: dict[str, np.ndarray]
    """By input, `[samples, ticks, *shape]`."""
    record: list[str]


class Builder:
    """A network under construction, as text."""

    def __init__(self, rng: np.random.Generator, element: str):
        self.rng, self.element, self.is_integer = rng, element, element.startswith("i")
        self.ops: list[str] = []
        self.rules: dict[str, str] = {}
        self.record: list[str] = []
        self.count = 0

    def array(self, values: Any, kind: str | None = None) -> str:
        held = np.asarray(values)
        kind = kind or ("i64" if self.is_integer else self.element)
        shape = "".join(f"{n}x" for n in held.shape)
        number = held.tolist() if kind.startswith("i") else held.astype("f4" if kind == "f32" else "f8").tolist()
        return f"#nopt.array<{number} : tensor<{shape}{kind}>>"

    def rule(self) -> tuple[str, dict[str, Any]]:
        """Returns the symbol of a random rule, and its parameters."""
        rng = self.rng
        texts = INTEGERS if self.is_integer else REALS
        name = str(rng.choice([*texts]))
        delay = str(rng.choice(["axonal", "dendritic"]))
        precision: Float32Type | Float64Type = f32 if self.element == "f32" else f64
        text = f"synapse {name}{HEAD}{texts[name].lstrip()}"
        rule = build_rule(
            parse_synapses(text, f"{name}.synapse").synapses[0], options={"delay": delay}, precision=precision
        )
        self.rules[rule.sym_name.data] = str(rule)
        if self.is_integer:
            given: dict[str, Any] = {"a": rng.integers(1, 16), "b": rng.integers(1, 16), "low": -40, "high": 90}
        else:
            given = {
                "a": rng.uniform(0, 0.2),
                "b": rng.uniform(0, 0.2),
                "d": rng.uniform(0.5, 1),
                "low": -0.5,
                "high": 1.0,
            }
        given = {key: value for key, value in given.items() if key in {one.data for one in rule.raw}}
        if len(rule.randoms):
            given["seed"] = rng.integers(-5, 1000)
        signals = "m" if "modulator m" in text else ""
        entries = ", ".join(f"{key} = {float(value)!r} : f64" for key, value in given.items())
        modulators = f', {{m = "{rng.choice(["m", "each"])}"}}' if signals else ""
        return f"#ntensor.learning<@{rule.sym_name.data}, {{{entries}}}{modulators}>", given

    def weights(self, count: int) -> np.ndarray:
        rng = self.rng
        return rng.integers(-20, 80, count) if self.is_integer else rng.uniform(-0.1, 0.9, count)

    def late(self, x: str, size: int, element: str, least: int = 0) -> str:
        """Returns a signal after a delay, of one number or one for each neuron."""
        rng, name = self.rng, f"%d{len(self.ops)}"
        ticks = np.asarray(
            rng.integers(max(1, least), 5) if rng.random() < 0.5 else rng.integers(max(1, least), 5, size)
        )
        shape = f"tensor<{size}x{element}>"
        self.ops.append(f'{name} = ntensor.delay "{name[1:]}" {x} {{ticks = {self.array(ticks, "i64")}}} : {shape}')
        return name

    def synapse(self, x: str, sources: int, targets: int, is_plastic: bool = True) -> str:
        """Adds a dense or sparse op, and returns its sums."""
        rng, element = self.rng, self.element
        self.count += 1
        name, node = f"%s{self.count}", f"fc{self.count}"
        rule = self.rule()[0] if is_plastic else ""
        tail = (
            f", plasticity = {rule}" if is_plastic else ""
        ) + f"}} : tensor<{sources}xi1> -> tensor<{targets}x{element}>"
        if is_plastic:
            self.record.append(f"{node}.weight")
        if rng.random() < 0.4:
            weight = self.weights(targets * sources).reshape(targets, sources)
            more = (
                f", bias = {self.array(self.weights(targets) // 8 if self.is_integer else self.weights(targets) / 8)}"
                if rng.random() < 0.3
                else ""
            )
            self.ops.append(f'{name} = ntensor.linear "{node}" {x} {{weight = {self.array(weight)}{more}{tail}')
            return name
        count = int(rng.integers(1, sources * targets + 1))
        source, target = rng.integers(0, sources, count), rng.integers(0, targets, count)
        if rng.random() < 0.7:
            pairs = np.unique(np.stack([source, target]), axis=1)
            source, target = pairs[0], pairs[1]
        order = np.lexsort((target, source))
        source, target = source[order], target[order]
        late = f", delay = {self.array(rng.integers(0, 5, len(order)), 'i64')}" if rng.random() < 0.7 else ""
        self.ops.append(
            f'{name} = ntensor.sparse_linear "{node}" {x} {{weight = {self.array(self.weights(len(order)))},'
            f" source = {self.array(source, 'i32')}, target = {self.array(target, 'i32')}{late}{tail}"
        )
        return name

    def neuron(self, k: int, x: str, size: int) -> str:
        symbol = "lif.f32" if self.element == "f32" else "lif"
        given = 3 if self.is_integer else self.rng.uniform(0.2, 0.9)
        first = "i32" if self.is_integer else self.element
        self.ops.append(
            f'%n{k} = ntensor.neuron "n{k}" @{symbol}({x}) {{params = {{k = {self.array(given, first)}}}, initial = {{v ='
            f" {self.array(0, first)}}}}} : (tensor<{size}x{self.element}>) -> tensor<{size}xi1>"
        )
        self.record += [f"n{k}", f"n{k}.v"]
        return f"%n{k}"

    def layer(self, k: int, x: str, sources: int, targets: int) -> str:
        """Adds a population with plastic synapses forward and, often, to itself."""
        rng = self.rng
        before = self.late(x, sources, "i1") if rng.random() < 0.3 else x
        terms = [self.synapse(before, sources, targets)]
        if rng.random() < 0.3:
            terms.append(self.synapse(x, sources, targets, is_plastic=False))
        if rng.random() < 0.6:
            late = self.late(f"%n{k}", targets, "i1", 1)
            terms.append(self.synapse(late, targets, targets))
        terms = [self.late(one, targets, self.element) if rng.random() < 0.2 else one for one in terms]
        total = terms[0]
        if len(terms) > 1:
            total, type = f"%t{k}", f"tensor<{targets}x{self.element}>"
            types = ", ".join([type] * len(terms))
            self.ops.append(f"{total} = ntensor.sum {', '.join(terms)} : ({types}) -> {type}")
        return self.neuron(k, total, targets)


def learning_network(seed: int, *, samples: int = 2, ticks: int = 40) -> Case:
    """Returns the network of a seed."""
    rng = np.random.default_rng(seed)
    element = ("f64", "i16", "f32")[seed % 3]
    builder = Builder(rng, element)
    sizes = rng.integers(2, 9, 3)
    targets = int(sizes[1])
    signal = ("i1", "f64" if element == "f64" else "f32")[rng.integers(2)] if element != "i16" else "i1"
    value = "%in"
    layers = int(rng.integers(1, 3))
    sizes[2] = targets  # both populations can have the same modulators
    for k in range(layers):
        value = builder.layer(k, value, int(sizes[k]), int(sizes[k + 1]))
    neuron = INTEGER_LIF if builder.is_integer else LIF
    precision: Float32Type | Float64Type = f32 if element == "f32" else f64
    update = str(build_update(parse_neurons(neuron).neurons[0], options={}, precision=precision))
    text = written(builder, [update, *builder.rules.values()], int(sizes[0]), targets, signal, value)
    module = nopt.parse(text)
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    shape = samples, ticks
    inputs: dict[str, np.ndarray] = {"in": rng.random((*shape, sizes[0])) < 0.35}
    for name, size in (("m", 1), ("each", targets)):
        given = rng.random((*shape, size)) < 0.2
        inputs[name] = given if signal == "i1" else given * rng.uniform(-0.5, 1, given.shape)
    return Case(text, module, network, inputs, builder.record)


def written(builder: Builder, symbols: Sequence[str], sources: int, targets: int, signal: str, out: str) -> str:
    """Returns the text of a module."""
    takes = f'"in" %in: tensor<{sources}xi1>, "m" %m: tensor<1x{signal}>, "each" %each: tensor<{targets}x{signal}>'
    body = "\n  ".join([*builder.ops, f"ntensor.output {out} : tensor<{targets}xi1>"])
    head = f'ntensor.network @net({takes}) -> ("out": tensor<{targets}xi1>) attributes {{tick_ns = 1000000}}'
    return "\n".join(symbols) + f"\n{head} {{\n  {body}\n}}\n"
