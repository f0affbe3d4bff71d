"""Conversion of the synapses before a population to integers: the value of one unit of their sum, its width, and the new types.

    %x = ntensor.linear "fc" %s {weight = w, quantized = <8, s>} : i1 -> f64    w = s n
 => %x = ntensor.linear "fc" %s {weight = n, quantized = <8, s>} : i1 -> i16    the integer 1 in %x has the value s

The search starts at the operand of a neuron. It goes upstream through sums, reshapes, delays and pools to the synapse ops that read events, and
further if a synapse op reads the sum of another. Every op that it meets becomes one of integers:

1. Weights are `quantized`: integers times a scale. The weights of an op of integers stay as they are. A zero point is subtracted, exactly:
   `quantized` then has the bits of the differences, which may be one more.
2. The scale is the same for all synapses of a neuron (`per = neuron` or `population`), in every operand of a sum.
3. A bias is an integer times that scale.
4. The operand is an event or an integer, not a real.
5. An exponent becomes part of the scale: the integers are those before it.
6. A mean of n operands becomes a sum, in which the integer 1 has 1 / n of its value.
7. The result holds the worst case: all positive terms, or all negative ones, at the largest operands.
8. No other op reads a value that becomes integers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import NoReturn

import numpy as np
from attrs import define, evolve, field
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....analysis.calibration_records import OBSERVED
from ....analysis.synapse_ranges import add_affine, add_weights, bound_sums
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.diagnostics import Code, Finding, Refused, describe_op, refuse
from ....core.fixed_point import Interval
from ....core.help_text import Passes, Phrase
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import option_text
from ....dialects import ntensor
from ...pipelines import MERGE_SYNAPSES
from ..delays.ntensor_hoist_delays import can_move
from ._weight_bits import Change, Scaled, bits_of_weights, bits_that_fit, fewer_bits

LEG026 = Code("LEG026", "integer-neuron-reads-reals", "an integer neuron reads reals")
LEG027 = Code("LEG027", "integer-neuron-real-weights", "synapses of an integer neuron have real weights")
LEG028 = Code("LEG028", "synapse-scales-differ", "synapses of one neuron have different scales")
LEG029 = Code("LEG029", "bias-not-on-weight-scale", "a bias is not an integer times the scale of its synapses")
LEG030 = Code("LEG030", "integer-sum-exceeds-accumulator", "a sum of integers is wider than its accumulator")
LEG031 = Code("LEG031", "integer-value-has-other-readers", "a value that becomes integers has other readers")
LEG032 = Code("LEG032", "op-without-integer-form", "an op before an integer neuron has no integer form")


EXPECTED = {
    LEG027: "weights that are integers times their scale",
    LEG028: "one scale for all synapses of a neuron",
    LEG029: "a multiple of the scale of the weights",
    LEG031: "readers that become integers, too",
    LEG032: "an op with an integer form",
}
"""The expected property, by code."""

WIDTHS = (8, 16, 32, 64)


def populations_downstream(op: Operation) -> list[str]:
    """Returns the names of the populations that read an op; for a population, its name alone."""
    values = walk_downstream(op.results, lambda reader: not isinstance(reader, ntensor.NeuronOp))
    readers = (use.operation for value in values for use in value.uses)
    found = (op,) if isinstance(op, ntensor.NeuronOp) else readers
    return list(dict.fromkeys(one.node.data for one in found if isinstance(one, ntensor.NeuronOp)))


def describe_value(value: SSAValue) -> tuple[str, str | None]:
    """Returns the description and the name of the op or input that produces a value."""
    network = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if isinstance(value, BlockArgument) and isinstance(network, ntensor.NetworkOp):
        name = network.input_names.data[value.index].data
        return f'input "{name}"', name
    assert isinstance(value.owner, Operation)  # arguments belong to a network
    return describe_op(value.owner)


def integer_width(bits: int) -> int:
    """Returns the narrowest width that holds some bits."""
    return next(width for width in WIDTHS if bits <= width)


def range_of(array: AnyArray) -> Interval:
    """Returns the smallest interval with zero and all integers of an array."""
    return Interval(int(array.min(initial=0)), int(array.max(initial=0)))


def are_equal(a: Reals, b: Reals) -> bool:
    """Returns whether two scales are equal in all entries that both define. NaN marks an undefined entry."""
    return bool(((a == b) | np.isnan(a) | np.isnan(b)).all())


def per_neuron(*ops: Operation) -> str:
    """Returns the quantization pass with one scale per neuron and the weight bits of the ops."""
    return fewer_bits(max(map(bits_of_weights, ops), default=0) or 8)


@define
class Integers:
    """Finds the integer form of the operands of converted neurons, then changes the ops.

    `type_of` returns the element type of a value after the conversion; `accumulator` is the width of sums, else the narrowest of `WIDTHS`.
    """

    type_of: Callable[[SSAValue], Attribute]
    accumulator: int | None
    nodes: tuple[str, ...]
    """Names of the selected populations."""
    changes: dict[Operation, Change] = field(factory=dict[Operation, Change])
    wants_terms: dict[Operation, bool] = field(factory=dict[Operation, bool])
    open: set[Operation] = field(factory=set[Operation])
    overflows: list[tuple[Finding, int]] = field(factory=list[tuple[Finding, int]])
    """Sums that are too wide for a population, each with the bits of weights that fit."""

    # ---- analysis

    def operand(self, value: SSAValue, terms: bool) -> Scaled:
        """Returns the integer form of a value, as terms or as a sum. Errors: LEG026, LEG027, LEG028, LEG029, LEG030, LEG031, LEG032."""
        op, element = value.owner, self.type_of(value)
        at, node = describe_value(value)
        held = ntensor.interval_of(element) if ntensor.is_event(element) or not isinstance(op, Operation) else None
        if held is None and isinstance(op, Operation) and not isinstance(op, ntensor.NeuronOp):
            return self.result_of(op, terms)
        if held is None:
            message = f"an integer neuron reads {at}, which produces reals" if node else ""
            is_op = isinstance(op, Operation)
            help = self.with_nodes(str(node)) if is_op else "ntensor-quantize-inputs{kind=spike}"
            expected = "spikes, counts or integers"
            refuse(LEG026, message, at=at, node=node, expected=expected, found=str(element), help=help)
        if terms:
            refuse(
                LEG032,
                "a neuron that accumulates event by event reads a signal without synapses",
                at=at,
                node=node,
                expected="synapses between them",
                found=str(element),
                help="put an ntensor.linear with the weight 1 between them",
            )
        return Scaled(element, np.asarray(1.0), held)

    def result_of(self, op: Operation, terms: bool) -> Scaled:
        """Returns the integer form of the result of an op."""
        if op in self.open:
            self.refuse(LEG032, "a cycle of integers contains no neuron", op, "a loop", "break the loop")
        if op in self.changes:
            if self.wants_terms[op] != terms:
                help = "convert one population at a time"
                self.refuse(LEG032, "a sum is needed, and its terms too", op, "both", help)
            return self.changes[op].result
        self.open.add(op)
        self.wants_terms[op] = terms
        change = self.change(op, terms)
        self.open.discard(op)
        self.changes[op] = change
        return change.result

    def change(self, op: Operation, terms: bool) -> Change:
        match op:
            case ntensor.SynapseOpInterface() if op.has_quantized_weights:
                return self.weighted(op, self.operand(op.x, False), terms)
            case ntensor.SynapseOpInterface() if op.weights is None and not terms:
                return Change(self.added(op, self.operand(op.x, False)))
            case ntensor.SumOp():
                return Change(self.sum(op, [self.operand(x, terms) for x in op.xs], terms))
            case ntensor.ReshapeOp():
                given = self.operand(op.x, terms)
                scale = given.scale if not given.scale.ndim else given.scale.reshape(shape_of(op.y))
                return Change(evolve(given, scale=scale))
            case ntensor.MaxPool2dOp() if not terms:  # the greatest integer is that of the greatest value
                given = self.operand(op.x, False)
                if (scale := op.carry_scale(given.scale)) is None:
                    self.refuse_scales(op)
                return Change(evolve(given, scale=scale))
            case ntensor.DelayOp() if not terms:
                return Change(self.operand(op.x, False))
            case _:
                help = Phrase(Passes("ntensor-hoist-delays")) if can_move(op) else "put it before the synapses"
                kind = "terms that are added one by one" if terms else "integers"
                self.refuse(LEG032, f"{op.name} cannot produce {kind}", op, op.name, help)

    def weighted(self, op: ntensor.SynapseOpInterface, x: Scaled, terms: bool) -> Change:
        weight = self.integer_weights(op)
        carried, own = op.carry_scale(x.scale), op.output_scale()  # 2
        if carried is None:
            self.refuse_scales(op)
        if own is None:
            assert op.quantized_weights is not None  # integer_weights
            shape = op.quantized_weights.scale.shape
            found = "one for each synapse" if len(shape) == 1 else f"scales of shape {shape}"
            self.refuse(LEG028, "synapses of one neuron have different scales", op, found, per_neuron(op))
        scale = op.spread_outputs(own) * carried
        is_real = ntensor.interval_of(element_type(op.y)) is None
        bias = self.bias(op, scale, is_real)
        sums = add_weights(op, weight)
        assert sums is not None  # quantized weights are added
        range = add_affine(*bound_sums(*sums, x.range), bias).partial  # 7
        assert op.WEIGHTS is not None
        properties: dict[str, Attribute] = {op.WEIGHTS: ArrayAttr.of(weight)}
        if (quantized := op.quantized_weights) is not None and quantized.has_zero:
            bits = max(quantized.bits.data, range_of(weight).signed_bits)
            properties["quantized"] = ntensor.QuantizedAttr.of(bits, quantized.scale.values)
        if bias is not None:
            properties["bias"] = ArrayAttr.of(bias.astype(f"i{integer_width(range_of(bias).signed_bits) // 8}"))
        if terms:
            self.narrow(op.x, x.range.signed_bits)  # the type of the operand bounds a term
            given = ntensor.interval_of(self.operand(op.x, False).element) or x.range
            each = (range_of(weight) * given).join(Interval(0, 0))
            if bias is not None:
                each = each.join(range_of(bias))
            element: Attribute = ntensor.TermsType(each.signed_bits)
            self.check(op, range)
        else:
            element = self.element(op, range, x)
        if (exponent := op.optional_array("exponent")) is not None:  # 5
            if not is_real:
                self.refuse(LEG032, "an op of integers has an exponent already", op, "an exponent", "convert once")
            scale = scale * 2.0 ** op.spread_outputs(exponent.values.astype(np.float64))
        return Change(Scaled(element, scale, range), properties)

    def integer_weights(self, op: ntensor.SynapseOpInterface) -> AnyArray:
        """Returns the integers of quantized weights, without a zero point. Errors: LEG027."""  # 1
        node, quantized, given = describe_op(op)[1], op.quantized_weights, op.weights
        assert given is not None  # has_quantized_weights
        weight = given.values
        help = "ntensor-quantize-weights{bits=8 per=neuron}"
        if quantized is None:
            message = f'the weights of "{node}" are not quantized'
            self.refuse(LEG027, message, op, f"{op.WEIGHTS}s of {weight.dtype}", help)
        steps = quantized.steps_of(weight)
        return steps.astype(np.int8) if range_of(steps).signed_bits <= 8 and quantized.has_zero else steps

    def bias(self, op: ntensor.SynapseOpInterface, scale: Reals, is_real: bool) -> Ints | None:
        """Returns the bias in units of the sum, in the shape of `bias`; None if it is zero everywhere. Errors: LEG029."""  # 3
        given = op.optional_array("bias")
        if given is None or not given.values.any():
            return None
        bias = given.values
        if not is_real:
            return bias.astype(np.int64)
        unit = scale.reshape(*bias.shape, -1)[..., 0] if scale.ndim else scale
        unit = np.where(np.isnan(unit), 1.0, unit)
        with np.errstate(over="ignore", invalid="ignore"):  # a bias of infinitely many units is not an integer
            whole = np.rint(bias.astype(np.float64) / unit)
            is_whole = bool(((whole * unit).astype(bias.dtype) == bias).all())
            away = np.abs(bias - whole * unit) / unit
        if not is_whole:
            message = f'the bias of "{describe_op(op)[1]}" is not an integer times the scale of its weights'
            found = f"up to {float(away.max()):.2g} units away from an integer"
            self.refuse(LEG029, message, op, found, "ntensor-quantize-bias")
        return whole.astype(np.int64)

    def sum(self, op: ntensor.SumOp, given: list[Scaled], terms: bool) -> Scaled:
        scale = given[0].scale
        for other in given[1:]:
            if not are_equal(scale, other.scale):  # 2
                nodes = ", ".join(dict.fromkeys(self.sources(op)))
                is_bare = any(ntensor.is_event(self.type_of(x)) for x in op.xs)
                has_mean = any(isinstance(one, ntensor.AvgPool2dOp) for one in self.changes)
                help = per_neuron(*self.changes)
                if is_bare:
                    help = "give the events synapses of weight 1"
                elif has_mean:
                    help = MERGE_SYNAPSES
                self.refuse(
                    LEG028,
                    "synapses that meet in one neuron have different scales",
                    op,
                    f"different ones in {nodes}" + (", and events without synapses, whose scale is 1" * is_bare),
                    help,
                )
            scale = np.where(np.isnan(scale), other.scale, scale) if np.isnan(scale).any() else scale
        range = reduce(Interval.__add__, (one.range for one in given))
        if not terms:
            return Scaled(self.element(op, range, *given), scale, range)
        self.check(op, range)
        bits = [other.element.bits.data for other in given if isinstance(other.element, ntensor.TermsType)]
        return Scaled(ntensor.TermsType(max(bits)), scale, range)

    def sources(self, op: Operation) -> list[str]:
        """Returns the quoted names of the ops that a sum adds; an unnamed op is replaced by the ops that it reads."""
        found: list[str] = []
        for x in op.operands:
            if isinstance(x.owner, Operation):
                name = describe_op(x.owner)[1]
                found += [f'"{name}"'] if name is not None else self.sources(x.owner)
        return found

    def added(self, op: ntensor.SynapseOpInterface, x: Scaled) -> Scaled:
        """Returns the integer form of a sum without weights."""  # 6
        scale, sums = op.carry_scale(x.scale), op.add_weights()
        if scale is None:
            self.refuse_scales(op)
        assert sums is not None  # an op without weights is a sum or a mean
        range = add_affine(*bound_sums(*sums, x.range)).partial
        return Scaled(self.element(op, range, x), scale, range)

    # ---- widths

    def element(self, op: Operation, range: Interval, *given: Scaled) -> IntegerType:
        """Returns the integer type of a sum, which holds the worst case and the types of its operands."""
        self.check(op, range)
        held = [ntensor.interval_of(x.element) for x in given if not ntensor.is_event(x.element)]
        least = max((interval.signed_bits for interval in held if interval is not None), default=0)
        if self.accumulator is not None:
            return IntegerType(max(self.accumulator, least))
        return IntegerType(integer_width(max(range.signed_bits, least)))

    def with_nodes(self, *others: str) -> str:
        """Returns the option that selects further populations."""
        return f"nodes={option_text((*self.nodes, *others))}"

    def check(self, op: Operation, range: Interval) -> None:
        """Refuses a sum that its accumulator does not hold. Errors: LEG030."""
        bits, most = range.signed_bits, self.accumulator or WIDTHS[-1]
        if bits > most:
            self.refuse(
                LEG030,
                f"a sum needs {bits} bits, and its accumulator has {most}",
                op,
                f"{range}: {bits} bits",
                f"accumulator={bits}"
                if bits <= WIDTHS[-1]
                else fewer_bits(bits_that_fit(self.type_of, self.changes, op.results[0], Interval.signed(most))),
                expected=f"{Interval.signed(most)}: {most} bits",
            )

    def refuse_scales(self, op: ntensor.SynapseOpInterface | ntensor.MaxPool2dOp) -> NoReturn:
        names = ",".join(option_text(name.strip('"')) for name in dict.fromkeys(self.sources(op)))
        bits = max(map(bits_of_weights, self.changes), default=8)
        help = f"ntensor-quantize-weights{{bits={bits} nodes={names}}}"
        self.refuse(LEG028, f'"{describe_op(op)[1]}" adds operands of several scales', op, "several", help)

    def refuse(
        self, code: Code, message: str, op: Operation, found: object, help: str, expected: str | None = None
    ) -> NoReturn:
        at, node = describe_op(op)
        if node is None and (names := self.sources(op)):
            at = f"{at} of {', '.join(names)}"
        refuse(code, message, at=at, node=node, expected=expected or EXPECTED[code], found=str(found), help=help)

    def verify_overflows(self) -> None:
        """Refuses the sums that are too wide, with the bits of weights that fit all of them. Errors: LEG030."""
        if self.overflows:
            help = fewer_bits(min(bits for _, bits in self.overflows))
            raise Refused(*(finding if finding.help else evolve(finding, help=help) for finding, _ in self.overflows))

    def narrow(self, value: SSAValue, bits: int) -> int:
        """Narrows a sum and its operands to some bits or their worst case, and returns the bits that it has afterwards."""
        op = value.owner
        if not isinstance(op, Operation) or (change := self.changes.get(op)) is None:
            element = self.type_of(value)
            held = None if ntensor.is_event(element) else ntensor.interval_of(element)  # an event fits into every type
            return 0 if held is None else held.signed_bits
        held = ntensor.interval_of(change.result.element)
        if held is None or held.signed_bits <= bits or isinstance(change.result.element, ntensor.TermsType):
            return bits if held is None else held.signed_bits
        inside = max(self.narrow(x, bits) for x in op.operands)
        width = max(2, bits, inside, change.result.range.signed_bits)
        change.result = evolve(change.result, element=IntegerType(width))
        return width

    # ---- rewrite

    def verify_readers(self, neurons: set[Operation]) -> None:
        """Refuses values with readers that are not converted. Errors: LEG031."""  # 8
        for op in self.changes:
            for use in op.results[0].uses:
                reader = use.operation
                if reader not in self.changes and reader not in neurons:
                    at, _ = describe_op(reader)
                    message = f"{at} reads a value that becomes integers"
                    self.refuse(LEG031, message, op, at, self.with_nodes(*populations_downstream(reader)))

    def apply(self) -> None:
        """Sets the new properties and result types of the ops."""
        for op, change in self.changes.items():
            op.attributes.pop(OBSERVED, None)
            op.properties.update(change.properties)
            if "bias" in op.properties and "bias" not in change.properties and change.properties:
                del op.properties["bias"]
            if change.properties:
                op.properties.pop("exponent", None)
            type = TensorType(change.result.element, shape_of(op.results[0]))
            if isinstance(op, ntensor.SynapseOpInterface) and op.SUMS is not None:  # 6
                sums = op.SUMS.create(operands=[op.x], result_types=[type], properties=dict(op.properties))
                Rewriter.replace_op(op, sums)
            else:
                retype(op.results[0], type)


def retype(value: SSAValue, type: Attribute) -> None:
    """Replaces the type of a value."""
    hint = value.name_hint
    new = Rewriter.replace_value_with_new_type(value, type)
    new.name_hint = hint
