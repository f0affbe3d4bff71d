"""Sets integers of a device by hand: parameters of its neurons, and weights of synapses.

    values="1.dv=163"       %z = ntensor.neuron "1" @loihi(%x) {params = {dv = 205, …}}      =>    {params = {dv = 163, …}}
    values="0.weight=10"    %x = ntensor.linear "0" %s {weight = [[64, 0], [54, 127]]}       =>    {weight = [[10, 0], [10, 10]]}

1. A parameter is one of the update of a population. All its neurons get the value, which the type of the parameter holds. Canonical values
   and initial states follow, as in `_pinned_parameters.py`.
2. Every weight of an op other than 0 gets the value, since a weight of 0 is not a synapse. It is the integer without a zero point, within the
   bits of the weights. Weights are quantized, or integers.
3. Sums of integers that pinned weights make larger are widened, as by `ntensor-widen-sums`, and so are terms. One that is too wide for the
   population that reads it is refused.

The record lists each pin and the values before it. Its errors are the largest and the mean difference of the integers. Pins that change
nothing are not recorded.

Errors: NTE009 a network in continuous time; LEG072, LEG073, LEG074, LEG075, LEG076, LEG077, LEG078 a pin (`_pins.py`); LEG079 a sum that is too wide; LEG052 a sum of more than 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from attrs import define, field
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, TensorType
from xdsl.ir import Operation

from ....analysis.approximation_errors import Errors
from ....analysis.integer_ranges import IntegerRanges
from ....analysis.node_selection import name_of
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray
from ....core.diagnostics import Code, Refused, finding_about
from ....core.fixed_point import Interval
from ....core.help_text import Phrase
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ._integer_synapses import retype
from ._pinned_parameters import follow_pins
from ._pins import Pin, PinnedNumbers, Pins, spell_pins
from .ntensor_widen_sums import taken_by, widen

LEG079 = Code("LEG079", "pinned-sum-too-wide", "pinned weights make a sum too wide")

HALVINGS = 16
"""The most halvings of pinned weights that are tried for a remedy: the bits of the widest weights."""


@define(eq=False)
class Pinning:
    """The change of the numbers of one network."""

    network: ntensor.NetworkOp
    pins: Pins
    numbers: PinnedNumbers
    updates: Mapping[str, ntensor.UpdateOp]
    errors: Errors = field(factory=Errors)
    texts: list[str] = field(factory=list[str])
    """The parts of the record."""

    def run(self, step: str) -> None:
        for pin, op in self.weights:
            steps = op.weight_steps().values
            self.note(op, pin, steps[steps != 0])
            set_weights(op, pin.value)
        if self.weights:
            self.widen()
        for op, pins in self.numbers.params.items():
            if op.parent_op() is self.network:
                self.pin_parameters(op, pins)
        self.errors.record(self.network, step, f"integers pinned: {'; '.join(self.texts)}")

    @property
    def weights(self) -> list[tuple[Pin, ntensor.SynapseOpInterface]]:
        return [(pin, op) for pin, op in self.numbers.weights if op.parent_op() is self.network]

    def note(self, op: Operation, pin: Pin, before: AnyArray) -> None:
        """Adds a pin to the approximation record if it changes a number."""
        old = before.astype(np.int64)
        if (differences := np.abs(old - pin.value)).any():
            low, high = int(old.min()), int(old.max())
            self.texts.append(f"{pin} instead of {low if low == high else f'{low} to {high}'}")
            self.errors.add(name_of(op), differences.astype(np.float64))

    def pin_parameters(self, op: ntensor.NeuronOp, pins: Mapping[str, Pin]) -> None:
        """Sets pinned parameters of a population, and the initial and canonical values that depend on them."""  # 1
        held = {name: array.values for name, array in op.arrays(op.params)}
        values = {name: pin.value for name, pin in pins.items()}
        for name, pin in pins.items():
            self.note(op, pin, np.broadcast_to(held[name], shape_of(op.z)))
        followed = follow_pins(op, self.updates[op.update_name], self.network.dt, values)
        made = {name: np.asarray(value, np.int64) for name, value in values.items()}
        op.params = with_arrays(op.params, made)
        op.initial = with_arrays(op.initial, followed.initial)
        if op.canonical is not None:
            op.canonical = with_arrays(op.canonical, followed.canonical)
        for names, verb in ((list(followed.canonical), "new"), (followed.kept, "old")):
            self.texts += [f"{verb} canonical values of {op.node.data}: {', '.join(names)}"] if names else []

    # ---- widths

    def widen(self) -> None:
        """Widens the types of terms and sums to the ranges that follow from pinned weights. Errors: LEG079."""  # 3
        for _, op in self.weights:
            widen_terms(op)
        while widen(self.network):
            pass
        self.network.update_signature()
        if found := list(self.wide()):
            help = self.smaller()
            raise Refused(
                *(
                    finding_about(op, LEG079, expected=str(taken), found=f"{sums}: {sums.signed_bits} bits", help=help)
                    for op, taken, sums in found
                )
            )

    def wide(self) -> Iterator[tuple[ntensor.NeuronOp, Interval, Interval]]:
        """Yields populations that read sums or terms outside of their input range, with the input range and the range of the sums or terms."""
        ranges = IntegerRanges(self.network)
        for op in self.network.populations:
            for k, x in enumerate(op.xs):
                taken, sums = taken_by(op, k, self.updates), ranges[x]
                if taken is not None and sums is not None and not taken.holds(sums):
                    yield op, taken, sums
        for _, op in self.weights:
            if (terms := terms_of(op)) is None:
                continue
            for value in walk_downstream([op.y], lambda op: not isinstance(op, ntensor.NeuronOp)):
                for use in value.uses:
                    if isinstance(reader := use.operation, ntensor.NeuronOp):
                        update = self.updates[reader.update_name]
                        _, _, block = update.accumulators[use.index - len(update.inputs)]
                        taken = ntensor.interval_of(block.args[0].type)
                        if taken is not None and not taken.holds(terms):
                            yield reader, taken, terms

    def smaller(self) -> str | None:
        """Returns the pins with the weight pins halved until every sum fits; None if no halving suffices."""
        texts = list(self.pins.texts)
        for halving in range(1, HALVINGS):
            for pin, op in self.weights:
                value = int(pin.value / 2**halving)
                texts[pin.at] = f"{pin.key}={value}"
                set_weights(op, value)
                if not value:
                    return None
            if not any(self.wide()):
                return self.pins.again(texts)
        return None


def set_weights(op: ntensor.SynapseOpInterface, value: int) -> None:
    """Sets all weights of an op other than 0."""  # 2
    given, quantized, steps = op.weights, op.quantized_weights, op.weight_steps().values
    assert given is not None  # pinned
    zero: AnyArray = np.zeros((), np.int64) if quantized is None else quantized.zero.values.astype(np.int64)
    made = np.where(steps != 0, value + zero, given.values.astype(np.int64))
    op.replace_weights(ArrayAttr.of(made.astype(given.data.dtype)), quantized)


def terms_of(op: ntensor.SynapseOpInterface) -> Interval | None:
    """Returns the terms of an op that adds them event by event; None for any other op."""
    given, weight, exponent = ntensor.interval_of(element_type(op.x)), op.weights, op.optional_array("exponent")
    if not isinstance(element_type(op.y), ntensor.TermsType) or given is None or weight is None:
        return None
    shift = int(exponent.data.greatest()) if exponent is not None and exponent.data.size else 0
    return ntensor.range_of_terms(given, weight, op.optional_array("bias"), shift)


def widen_terms(op: ntensor.SynapseOpInterface) -> None:
    """Widens the term type of an op, and the term types of the sums and reshapes after it."""
    if (terms := terms_of(op)) is None:
        return
    for value in [*walk_downstream([op.y], lambda op: not isinstance(op, ntensor.NeuronOp))]:
        element = element_type(value)
        if isinstance(element, ntensor.TermsType) and element.bits.data < terms.signed_bits:
            retype(value, TensorType(ntensor.TermsType(terms.signed_bits), shape_of(value)))


def with_arrays(entries: DictionaryAttr, new: Mapping[str, AnyArray]) -> DictionaryAttr:
    return DictionaryAttr({**entries.data, **ntensor.array_dictionary(new).data})


@dataclass(frozen=True)
class NtensorPinValuesPass(NoptPass):
    """Sets integers of the populations and synapses of every `ntensor.network`.

    Options:
        values: the pins, `values="1.dv=163,0.weight=10"`; required.
    """

    name = "ntensor-pin-values"
    values: tuple[str, ...]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pin_values(self, Pins(op, self.values, self.again))

    def again(self, texts: Sequence[str]) -> Phrase:
        """Formats this pass with other pins."""
        return spell_pins(pass_text(replace(self, values=(",".join(texts),))), texts, self.name)


def pin_values(step: NtensorPinValuesPass, pins: Pins, *only: ntensor.NetworkOp) -> bool:
    """Sets pinned values in all networks of the module, or only in some. Returns whether any value is pinned. Errors: those of the pass."""
    numbers, updates = pins.find(only), ntensor.find_updates(pins.module)
    for network in only or pins.networks:
        Pinning(network, pins, numbers, updates).run(pass_text(step))
    return bool(numbers.weights or numbers.params)
