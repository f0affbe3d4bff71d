"""Changes the type of inputs from reals to integers: spikes, counts, graded spikes or numbers, so that their readers can add integers.

    ntensor.network @net("in" %x: tensor<2xf32>)  =>  ntensor.network @net("in" %x: tensor<2xi1>)

1. The input is f32 or f64; others have their type.
2. Reshapes and delays propagate the new type; synapses, sums, neurons and outputs accept it.
3. Every reader holds all numbers of the new type. A synapse of f32 holds integers of at most 25 bits, for example.
4. The observations of a calibration fit into the type. Without a calibration the options decide the type.

Exactness: data that fit produce the same results, bit for bit; other data are refused when the network runs (SIM021). This assumption
about data is recorded: with error 0 where a calibration observed it, without an error otherwise.

Errors: NTE009 a network in continuous time;
QUA014 a name in `inputs`; QUA015 a kind or bits that are not specified; QUA016 bits that the kind does not have; QUA017 observed numbers
that do not fit; QUA018 a reader that does not hold the type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from attrs import frozen
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DictionaryAttr,
    Float32Type,
    Float64Type,
    FunctionType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....analysis.calibration_records import find_observation
from ....core.arrays.arrays import ArrayAttr
from ....core.diagnostics import Code, ExitCode, Finding, Refused, finding_about, refuse
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, option_text, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks

QUA014 = Code("QUA014", "selected-input-missing", "a selected input does not exist", exit_code=ExitCode.MISUSED)
QUA015 = Code("QUA015", "input-type-missing", "the type of an input is not specified", exit_code=ExitCode.MISUSED)
QUA016 = Code("QUA016", "input-bits-out-of-range", "the bits of an input are out of range", exit_code=ExitCode.MISUSED)
QUA017 = Code("QUA017", "input-numbers-mismatch", "the numbers of an input do not fit")
QUA018 = Code("QUA018", "input-reader-not-integer", "a reader of an input does not hold its integers")


PASSING = (ntensor.ReshapeOp, ntensor.DelayOp, ntensor.MaxPool2dOp)
"""Ops whose result has the type of their operand."""
Kind = Literal["spike", "count", "graded", "integer"]
MOST_BITS = 63
LEAST = {"spike": 1, "count": 1, "graded": 1, "integer": 2}
MOST = {"spike": 1, "count": MOST_BITS, "graded": MOST_BITS, "integer": MOST_BITS}
"""Bits of each kind, the sign included."""


@frozen
class Observed:
    """The observations of an input from a calibration."""

    low: float
    high: float
    is_integral: bool

    @property
    def kind(self) -> Kind:
        return "integer" if self.low < 0 else "spike" if self.high <= 1 else "count"

    def bits(self, kind: Kind) -> int:
        """Returns the fewest bits that hold the observed values."""
        size = max(int(self.high).bit_length(), (~int(self.low)).bit_length() if self.low < 0 else 0)
        return max(size + (kind in ("graded", "integer")), LEAST[kind])


def inputs_of(network: ntensor.NetworkOp) -> Iterator[tuple[str, SSAValue]]:
    """Yields the inputs that take reals."""
    for name, arg in zip(network.input_names, network.body.block.args, strict=True):
        if isinstance(element_type(arg), Float32Type | Float64Type):
            yield name.data, arg


def observed(network: ntensor.NetworkOp, name: str) -> Observed | None:
    """Returns the observations that a calibration stored for an input."""
    entries = find_observation(network, "inputs", name)
    if not isinstance(entries, DictionaryAttr):
        return None
    span, integral = entries.data.get("range"), entries.data.get("integral")
    if not isinstance(span, ArrayAttr) or span.shape != (2,) or not isinstance(integral, IntegerAttr):
        return None
    low, high = (float(end) for end in span.values)
    return Observed(low, high, bool(integral.value.data))


def readers(value: SSAValue) -> Iterator[Operation]:
    """Yields the readers of a value, also through reshapes, delays and max pools, each op once."""
    seen: dict[Operation, None] = {}
    work = [value]
    while work:
        for use in work.pop().uses:
            if use.operation not in seen:
                seen[use.operation] = None
                if isinstance(use.operation, PASSING):
                    work.append(use.operation.y)
    yield from seen


def taken(reader: Operation, value: SSAValue) -> list[Attribute]:
    """Returns the types of reals that a reader computes in."""
    if isinstance(reader, ntensor.NeuronOp):
        return [element_type(x) for x in reader.xs if isinstance(element_type(x), Float32Type | Float64Type)]
    return [element_type(result) for result in reader.results]


def retype(value: SSAValue, element: Attribute) -> None:
    """Changes the element type of a value, and of the reshapes, delays and max pools of it."""
    passed = [op for op in readers(value) if isinstance(op, PASSING)]
    for each in (value, *(op.y for op in passed)):
        Rewriter.replace_value_with_new_type(each, TensorType(element, shape_of(each)))


@dataclass(frozen=True)
class NtensorQuantizeInputsPass(NoptPass):
    """Changes the inputs of every `ntensor.network` to integers.

    Options:
        kind: `spike` (0 or 1), `count` (0 or more), `graded` (an event with a signed payload) or `integer` (a signed value); default from
            the calibration: spikes, else counts, else integers.
        bits: 1 to 63 of a count or a payload, 2 to 63 of an integer, the sign included; default the fewest for the observed numbers.
            Wider inputs make wider sums.
        inputs: the inputs to work on; default all of reals.
    """

    name = "ntensor-quantize-inputs"
    kind: Kind | None = None
    bits: int | None = None
    inputs: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = [(network, name, arg) for network in networks(op) for name, arg in inputs_of(network)]  # 1
        known = [name for _, name, _ in found]
        for name in self.inputs:
            if name not in known:
                help = (
                    f"inputs={option_text(known[0])}" if known else f"{self.name} without inputs changes nothing here"
                )
                expected = f"one of {', '.join(known)}" if known else "an input of reals; there is none"
                refuse(
                    QUA014,
                    f'no input "{name}" of reals',
                    at="inputs",
                    expected=expected,
                    found=name,
                    help=help,
                )
        meant = [each for each in found if not self.inputs or each[1] in self.inputs]
        types = [self.type(network, name) for network, name, _ in meant]  # refuses before anything changes
        refused = [finding for (_, _, arg), type in zip(meant, types, strict=True) for finding in self.unfit(arg, type)]
        if refused:
            raise Refused(*refused)
        for network in networks(op):
            own = [(name, arg, type) for (at, name, arg), type in zip(meant, types, strict=True) if at is network]
            for _, arg, type in own:
                retype(arg, type)  # 2
            if own:
                self.record(network, {name: type for name, _, type in own})

    def record(self, network: ntensor.NetworkOp, types: Mapping[str, Attribute]) -> None:
        """Updates the signature of the network, and records the assumption on it."""
        last = network.body.block.last_op
        assert last is not None  # verified
        network.function_type = FunctionType.from_lists(network.body.block.arg_types, [*last.operand_types])
        is_seen = all(observed(network, name) is not None for name in types)
        kinds = ", ".join(dict.fromkeys(map(str, types.values())))
        what = f"inputs are assumed to hold {kinds}; other data are refused"
        step, error = pass_text(self), 0.0 if is_seen else None
        network.record(ntensor.ApproximationAttr.of(step, what, types, error, error, "1" if is_seen else "none"))

    def again(self, **options: Any) -> str:
        return pass_text(replace(self, **options))

    def type(self, network: ntensor.NetworkOp, name: str) -> Attribute:
        """Returns the new element type of an input. Errors: QUA015, QUA016, QUA017."""
        seen, at = observed(network, name), f'input "{name}"'  # 4
        if self.kind is None and seen is None:
            few = self.bits is None or self.bits < LEAST["integer"]
            meant = (
                {"kind": "spike", "bits": None}
                if few
                else {"kind": "count", "bits": min(self.bits or MOST_BITS, MOST_BITS)}
            )
            self.unknown(
                "the type of an input", at, name, "kind=spike, count, graded or integer, or a calibration", **meant
            )
        kind: Kind = self.kind or (seen.kind if seen is not None else "spike")
        if kind != "spike" and self.bits is None and seen is None:
            self.unknown("the width of an input", at, name, "bits, or a calibration", bits=8)
        bits = 1 if kind == "spike" else self.bits or (seen.bits(kind) if seen is not None else 1)
        if self.bits is not None and not LEAST[kind] <= self.bits <= MOST[kind]:
            allowed = "1" if kind == "spike" else f"{LEAST[kind]} to {MOST[kind]}"
            near = min(max(self.bits, LEAST[kind]), MOST[kind])
            refuse(
                QUA016,
                at=f"bits={self.bits}",
                node=name,
                expected=f"{allowed} bits of kind={kind}",
                found=str(self.bits),
                help=self.again(bits=near),
            )
        if seen is not None and bits > MOST_BITS:
            refuse(
                QUA017,
                at=at,
                node=name,
                expected=f"whole numbers of at most {MOST_BITS} bits",
                found=f"{seen.low:g} to {seen.high:g}",
                help=f"scale and round the data, then {self.name} after ntensor-calibrate",
            )
        types = {"spike": i1, "count": ntensor.CountType, "graded": ntensor.GradedType, "integer": IntegerType}
        made = types[kind]
        type = made(bits) if callable(made) else made
        held = ntensor.interval_of(type)
        if (
            seen is not None
            and held is not None
            and not (held.low <= seen.low <= seen.high <= held.high and seen.is_integral)
        ):
            fitting = (
                self.again(kind=seen.kind, bits=None)
                if seen.is_integral
                else "scale and round the data, then calibrate again"
            )
            refuse(
                QUA017,
                at=at,
                node=name,
                expected=f"whole numbers in {held}, for {type}",
                found=f"{seen.low:g} to {seen.high:g}{'' if seen.is_integral else ', with fractions'}",
                help=fitting,
            )
        return type

    def unknown(self, what: str, at: str, name: str, expected: str, **options: Any) -> None:
        help = self.again(**options)
        refuse(QUA015, f"{what} is not specified", at=at, node=name, expected=expected, found="neither", help=help)

    def unfit(self, arg: SSAValue, type: Attribute) -> Iterator[Finding]:  # 3
        """Yields errors for ops that read the input and cannot take the type."""
        held = ntensor.interval_of(type)
        for reader in readers(arg):
            if isinstance(reader, (ntensor.OutputOp, *PASSING)) or ntensor.is_event(type):
                continue
            takes = taken(reader, arg)
            if held is not None and not all(ntensor.represents_all(real, type) for real in takes):
                yield finding_about(
                    reader,
                    QUA018,
                    expected=f"integers that {', '.join(map(str, takes))} holds",
                    found=f"{type}, {held}",
                    help=self.again(kind="integer", bits=25 if any(isinstance(t, Float32Type) for t in takes) else 54),
                )
