"""Pins: integers of a network that are set by hand, as the user types them, and the numbers that they mean.

    1.dv=163, lif1.lif.vth=25    a parameter of the update of a population
    0.weight=10                  the weights of a synapse op, by their own name: `weight`, or `scale` of a scale op

The node of a pin is the longest name of a node that it starts with, since names may contain dots. A name may contain commas and equality
signs, too. All findings are reported together.

Errors: LEG072 another text; LEG073 a node; LEG074 a parameter; LEG075 a value out of range; LEG076 a number that is not an integer; LEG077 two pins of
one number; LEG078 an op without synapses.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from attrs import define, evolve, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.node_selection import LISTED, name_of
from ....core.device.named_device import device_named
from ....core.diagnostics import Code, ExitCode, Finding, Refused, describe_op, first_of
from ....core.fixed_point import Interval
from ....core.help_text import Option, Phrase, WithoutOptions
from ....core.ir.operation import element_type, texts_of
from ....dialects import fixed, ntensor
from ....dialects.ntensor.network import networks

LEG072 = Code("LEG072", "pin-unparsable", "a pin is not NODE.PARAM=INTEGER", exit_code=ExitCode.MISUSED)
LEG073 = Code("LEG073", "pinned-node-missing", "a pinned node does not exist", exit_code=ExitCode.MISUSED)
LEG074 = Code("LEG074", "pinned-parameter-missing", "a pinned parameter does not exist", exit_code=ExitCode.MISUSED)
LEG075 = Code("LEG075", "pinned-value-out-of-range", "a pinned value is out of range")
LEG076 = Code("LEG076", "pinned-number-not-integer", "a pinned number is not an integer of a device")
LEG077 = Code("LEG077", "number-pinned-twice", "a number is pinned twice", exit_code=ExitCode.MISUSED)
LEG078 = Code("LEG078", "pinned-weights-without-synapses", "an op with pinned weights has no synapses")

ASSIGNMENT = r"[^.=,]*=(?P<value>[^=,]*)(?:,|$)"
"""A parameter with its value, up to the next pin."""
OTHER = re.compile(rf".+?{ASSIGNMENT}|.*")
"""A pin of a node that does not exist, or another text."""
INTEGER = re.compile(r"[+-]?\d{1,19}")
OPTION = "--pin"


@frozen
class Pin:
    """An integer that is set by hand."""

    key: str
    """NODE.PARAM."""
    value: int
    at: int
    """Its place among all pins."""

    def __str__(self) -> str:
        return f"{self.key}={self.value}"

    def split(self, nodes: Mapping[str, Operation]) -> tuple[str, str]:
        """Returns the node and the parameter: the longest of some nodes, else the text before the last dot."""
        found = [node for node in nodes if self.key.startswith(f"{node}.")]
        node = max(found, key=len, default=self.key.rpartition(".")[0])
        return node, self.key[len(node) + 1 :]


@define
class PinnedNumbers:
    """The numbers that pins mean."""

    weights: list[tuple[Pin, ntensor.SynapseOpInterface]] = field(factory=list[tuple[Pin, ntensor.SynapseOpInterface]])
    params: dict[ntensor.NeuronOp, dict[str, Pin]] = field(factory=dict[ntensor.NeuronOp, dict[str, Pin]])
    """Of each population the pins of its parameters, by name."""


def split_pins(text: str, nodes: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yields the pins of a text: each as it is typed, its key, and its value; the last two are empty where it is none."""
    place = 0
    while place < len(text) or place == 0:
        place = len(text) - len(text[place:].lstrip())
        known = (f"{re.escape(node)}\\.{ASSIGNMENT}" for node in nodes if text.startswith(f"{node}.", place))
        found = [match for each in known if (match := re.compile(each).match(text, place))]
        match = max(found, key=lambda match: match.start("value"), default=None) or OTHER.match(text, place)
        assert match is not None  # it matches any text
        key = text[place : match.start("value") - 1] if match["value"] is not None else ""
        yield match[0].removesuffix(",").strip(), key.strip(), (match["value"] or "").strip()
        place = max(match.end(), place + 1)


def spell_pins(step: str, texts: Sequence[str], empty: str) -> Phrase:
    """Formats pins for a help line: as the pass `step` or as an option of a verb. Without pins, the line advises to leave `empty` out."""
    if not texts:
        return Phrase(WithoutOptions((OPTION,), in_pipeline=f"leave {empty} out"))
    return Phrase(Option(step, f"{OPTION} {shlex.quote(','.join(texts))}"))


@define
class Pins:
    """The pins of an option, and the findings about them. `again` formats other pins for a help line."""

    module: ModuleOp
    values: Sequence[str]
    again: Callable[[Sequence[str]], str]
    texts: list[str] = field(factory=list[str])
    findings: list[Finding] = field(factory=list[Finding])
    corrections: dict[int, str | None] = field(factory=dict[int, "str | None"])
    """Better pins by the place of those that are refused; None leaves one out."""
    nodes: dict[str, Operation] = field(factory=dict[str, Operation])

    @property
    def networks(self) -> list[ntensor.NetworkOp]:
        return list(networks(self.module))

    # ---- texts and nodes

    def parse(self) -> list[Pin]:
        """Returns the pins, whose nodes exist. Errors: LEG072, LEG073, LEG077."""
        self.nodes = {name_of(op): op for network in self.networks for op in pinnable(network)}
        parts = [part for value in self.values for part in split_pins(value, self.nodes)]
        self.texts = [text for text, _, _ in parts]
        found: dict[str, Pin] = {}
        for at, (_, key, value) in enumerate(parts):
            if "." not in key or not INTEGER.fullmatch(value):
                self.refuse_text(at, key, value)
            elif key in found:
                both = f"{found[key]} and {self.texts[at]}"
                self.add(at, LEG077, f"{key} is pinned twice", expected="one value", found=both)
            else:
                found[key] = Pin(key, int(value), at)
        for pin in found.values():
            node, name = pin.split(self.nodes)
            if node not in self.nodes:
                near = get_close_matches(node, self.alike(name), 1, 0)
                better = f"{near[0]}.{name}={pin.value}" if near else None
                expected = first_of(list(self.nodes), LISTED) or "a population, or synapses with weights"
                self.add(pin.at, LEG073, f'unknown node "{node}"', better, expected=expected, found=node)
        self.check()
        return list(found.values())

    def alike(self, name: str) -> list[str]:
        """Returns the nodes that can have a number of a name, else all."""
        weighted = [node for node, op in self.nodes.items() if getattr(op, "WEIGHTS", None) == name]
        return (
            weighted
            or [node for node, op in self.nodes.items() if isinstance(op, ntensor.NeuronOp)]
            or list(self.nodes)
        )

    def refuse_text(self, at: int, key: str, value: str) -> None:
        try:
            nearest = float(value)
        except ValueError:
            nearest = math.nan
        better = f"{key}={round(nearest)}" if math.isfinite(nearest) and "." in key else None
        expected = "NODE.PARAM=INTEGER, for example lif.vth=25"
        self.add(at, LEG072, better=better, expected=expected, found=value if better else self.texts[at])

    def add(
        self,
        at: int,
        code: Code,
        message: str = "",
        better: str | None = None,
        op: Operation | None = None,
        **parts: Any,
    ) -> None:
        """Adds a finding about a pin. If `parts` has no help, the help lines of all findings replace the pin by `better`, or leave it out."""
        if "help" not in parts:
            self.corrections[at] = better
        place, node = ("", None) if op is None else describe_op(op)
        where = ", ".join(filter(None, (self.texts[at], place)))
        self.findings.append(Finding(code, message or code.summary, at=where, node=node, **parts))

    def check(self) -> None:
        """Raises all findings, each with a help that removes all of them."""
        if self.findings:
            left = [self.corrections.get(at, text) for at, text in enumerate(self.texts)]
            help = self.again([text for text in left if text is not None])
            raise Refused(*(evolve(finding, help=finding.help or help) for finding in self.findings))

    # ---- numbers

    def find(self, only: Sequence[ntensor.NetworkOp] = ()) -> PinnedNumbers:
        """Returns the numbers of all pins, or only of the pins in some networks. Errors: LEG072, LEG073, LEG074, LEG075, LEG076, LEG077, LEG078."""
        found, updates = PinnedNumbers(), ntensor.find_updates(self.module)
        for pin in self.parse():
            node, name = pin.split(self.nodes)
            op = self.nodes[node]
            if only and op.parent_op() not in only:
                continue
            if isinstance(op, ntensor.NeuronOp):
                update = updates[op.update_name]
                if self.names(op, pin, name, texts_of(update.params)) and self.takes(op, update, pin, name):
                    found.params.setdefault(op, {})[name] = pin
            elif (
                isinstance(op, ntensor.SynapseOpInterface)
                and self.names(op, pin, name, [op.WEIGHTS or ""])
                and self.has_weights(op, pin)
            ):
                found.weights.append((pin, op))
        self.check()
        return found

    def names(self, op: Operation, pin: Pin, name: str, known: Sequence[str]) -> bool:
        """Returns whether a node has a number of a name. Errors: LEG074."""
        if name in known:
            return True
        near = get_close_matches(name, known, 1, 0)
        better = f"{name_of(op)}.{near[0]}={pin.value}" if near else None
        expected = ", ".join(known) or "no parameter, as the update has none"
        self.add(pin.at, LEG074, f'"{name_of(op)}" has no parameter {name}', better, op, expected=expected, found=name)
        return False

    def takes(self, op: ntensor.NeuronOp, update: ntensor.UpdateOp, pin: Pin, name: str) -> bool:
        """Returns whether a parameter can have the value of a pin. Errors: LEG075, LEG076."""
        type = update.param_types[name]
        if isinstance(type, fixed.IntType):
            network = op.parent_op()
            device = None if network is None else device_named(network)
            declared = None if device is None or not device.updates else device.cite("neuron.updates")
            return self.is_within(op, pin, type.interval, f"parameter {name} of {op.update}", declared)
        message = f"parameter {name} of {op.update} is not an integer"
        expected = (
            "a parameter of integers, as neurons of a chip have: a device with neurons, or ntensor-set-neuron-model"
        )
        self.add(pin.at, LEG076, message, op=op, expected=expected, found=str(type))
        return False

    def has_weights(self, op: ntensor.SynapseOpInterface, pin: Pin) -> bool:
        """Returns whether the weights of an op can have the value of a pin. Errors: LEG075, LEG076, LEG078."""
        given, quantized, node = op.weights, op.quantized_weights, name_of(op)
        assert given is not None  # pinnable
        if (
            quantized is None
            and ntensor.is_value(element_type(op.y))
            and ntensor.interval_of(element_type(op.y)) is None
        ):
            message, expected = f'the weights of "{node}" are not integers', "quantized weights, or a sum of integers"
            found = f"{given.element}, of a sum of {element_type(op.y)}"
            help = Phrase(Option("ntensor-quantize-weights{bits=8}", "--weight-bits 8"))
            self.add(pin.at, LEG076, message, op=op, expected=expected, found=found, help=help)
            return False
        if quantized is None:
            info = np.iinfo(given.data.dtype)
            held, what = Interval(int(info.min), int(info.max)), str(given.element)
        elif (bits := quantized.bits.data) == 1:
            held, what = Interval(-1, 1), "1 bit, which is the sign"
        else:
            ends, zero = Interval.signed(bits), quantized.zero.values.astype(np.int64)
            held, what = Interval(ends.low - int(zero.min()), ends.high - int(zero.max())), f"{bits} bits"
        if not self.is_within(op, pin, held, f'weights of "{node}" of {what}'):
            return False
        if what.startswith("1 bit") and pin.value == 0:
            self.refuse_value(op, pin, f'-1 or 1, weights of "{node}" of {what}', 1)
            return False
        if not op.weight_steps().values.any():
            message, expected = f'all weights of "{node}" are 0', "a weight other than 0: a zero is not a synapse"
            self.add(pin.at, LEG078, message, op=op, expected=expected, found=f"{given.data.size} zeros")
            return False
        return True

    def is_within(self, op: Operation, pin: Pin, held: Interval, what: str, declared: str | None = None) -> bool:
        """Returns whether the value of a pin is within an interval, which is declared somewhere. Errors: LEG075."""
        if held.holds(pin.value):
            return True
        nearest = min(max(pin.value, held.low), held.high)
        self.refuse_value(op, pin, f"{held}, {what}", nearest, declared)
        return False

    def refuse_value(self, op: Operation, pin: Pin, expected: str, nearest: int, declared: str | None = None) -> None:
        better, found = f"{pin.key}={nearest}", str(pin.value)
        self.add(pin.at, LEG075, better=better, op=op, expected=expected, found=found, source=declared)


def pinnable(network: ntensor.NetworkOp) -> list[Operation]:
    """Returns the populations, and the synapse ops with weights."""
    return [
        op
        for op in network.body.block.ops
        if isinstance(op, ntensor.NeuronOp) or (isinstance(op, ntensor.SynapseOpInterface) and op.weights is not None)
    ]
