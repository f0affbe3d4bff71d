"""Synapses in front of a population as integers: what one unit of their sum is worth, how wide it can become, and their new types.

    %x = ntensor.linear "fc" %s {weight = w, quantized = <8, s>} : i1 -> f64    w = s n
 => %x = ntensor.linear "fc" %s {weight = n, quantized = <8, s>} : i1 -> i16    %x is worth s

From the operand of a neuron the walk goes back through sums, reshapes, delays and pools to the synapse ops that read events, and,
where one reads the sum of another, further. Every op there becomes one of integers:

1. Weights are `quantized`: integers times a scale. Integers of another op are its weights as they are.
2. The scale is the same for all synapses of a neuron (`per = neuron` or `population`), in every operand of a sum.
3. A bias is an integer times that scale.
4. What is read is an event or an integer, no real.
5. An exponent goes into the scale: the integers are those before it.
6. A mean becomes a sum that is worth 1 / n as much.
7. The result holds the worst case: all positive terms, or all negative ones, at the largest operands.
8. Nobody else reads what becomes integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import numpy as np
from attrs import define, evolve, field, frozen
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.synapse_ranges import add_affine, add_weights, bound_sums
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints, Reals
from ...core.diagnostics import Code, Finding, Refused, described, refuse
from ...core.fixed_point import Interval
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import option_text
from ...dialects import ntensor
from ._weight_bits import bits_that_fit, fewer_bits

LGI001 = Code(
    "LGI001",
    "an integer neuron reads reals",
    cause="The new update adds integers. A synapse that reads real numbers gives no integers, whatever its weights are.",
    remedy="Turn the inputs of the network into spikes, counts or integers (`ntensor-quantize-inputs`), and convert the populations in front too.",
)
LGI002 = Code(
    "LGI002",
    "synapses of an integer neuron have real weights",
    cause="The new update adds integers. The weights of this op are real numbers with no common unit.",
    remedy="Quantise the weights first: `ntensor-quantize-weights{bits=8 per=neuron}`.",
)
LGI003 = Code(
    "LGI003",
    "synapses of one neuron have different scales",
    cause="A sum of integers has one unit. Synapses with different scales that meet in one neuron cannot be added as integers.",
    remedy="Choose one scale for all synapses of a neuron: `ntensor-quantize-weights{bits=8 per=neuron}`, or `per=population`.",
)
LGI004 = Code(
    "LGI004",
    "a bias is no integer times the scale of its synapses",
    cause="The bias is added to a sum of integers, whose unit is the scale of the weights. This one is a fraction of it.",
    remedy="Quantise the bias: `ntensor-quantize-bias`.",
)
LGI005 = Code(
    "LGI005",
    "a sum of integers is wider than its accumulator",
    cause="If all positive (or all negative) synapses of a neuron have their largest input in one tick, the sum does not fit. "
    "What happens then the network does not say, so it is refused.",
    remedy="Give the accumulator more bits, or weights or inputs fewer.",
)
LGI006 = Code(
    "LGI006",
    "what becomes integers is read by others",
    cause="Synapses that become integers change what they give. A population, output or synapse that still expects reals reads them too.",
    remedy="Convert the populations that read them together: `nodes=A,B`.",
)
LGI007 = Code(
    "LGI007",
    "an op in front of an integer neuron has no integer form",
    cause="The op cannot give integers, or terms that are added one by one, with the same meaning.",
    remedy="Put delays and pools in front of the synapses, so that nothing stands between synapses and neuron.",
)


WIDTHS = (8, 16, 32, 64)
UNKNOWN = np.nan
"""The scale of a neuron without synapses: any will do."""


@frozen
class Scaled:
    """What a value becomes: its element type, what one unit is worth (() or the shape of the value), and the worst case."""

    element: Attribute
    scale: Reals
    range: Interval


@define
class Change:
    """An op that becomes one of integers: its new properties and result."""

    result: Scaled
    properties: dict[str, Attribute] = field(factory=dict[str, Attribute])


def input_name(value: SSAValue) -> str:
    """The name of a network's input."""
    block = value.owner
    network = block.parent_op() if isinstance(block, Block) else None
    index = block.args.index(value) if isinstance(block, Block) else 0  # pyright: ignore[reportArgumentType]
    return network.input_names.data[index].data if isinstance(network, ntensor.NetworkOp) else ""


def same(a: Reals, b: Reals) -> bool:
    """Whether two scales are equal wherever both are known."""
    return bool(((a == b) | np.isnan(a) | np.isnan(b)).all())


def either(a: Reals, b: Reals) -> Reals:
    """What is known of two equal scales."""
    return a if not np.isnan(a).any() else np.where(np.isnan(a), b, a)


@define
class Integers:
    """Finds how the operands of converted neurons become integers, then changes the ops.

    `type_of` gives the element type that a value will have; `accumulator` is the width of sums, else the narrowest of `WIDTHS`.
    """

    type_of: Callable[[SSAValue], Attribute]
    accumulator: int | None
    changes: dict[Operation, Change] = field(factory=dict[Operation, Change])
    wants_terms: dict[Operation, bool] = field(factory=dict[Operation, bool])
    open: set[Operation] = field(factory=set[Operation])
    overflows: list[tuple[Finding, int]] = field(factory=list[tuple[Finding, int]])
    """Sums that are too wide for a population, each with the bits of weights that fit."""

    # ---- finding

    def operand(self, value: SSAValue, terms: bool) -> Scaled:
        """What a value becomes, as terms or as a sum. Errors: LGI001 to LGI007."""
        op, element = value.owner, self.type_of(value)
        whose = described(op) if isinstance(op, Operation) else (f'input "{input_name(value)}"', input_name(value))
        held = ntensor.interval_of(element) if ntensor.is_event(element) or not isinstance(op, Operation) else None
        if held is None and isinstance(op, Operation) and not isinstance(op, ntensor.NeuronOp):
            return self.found(op, terms)
        if held is None:
            refuse(
                LGI001,
                f"an integer neuron reads {whose[0]}, which gives reals"
                if whose[1]
                else "an integer neuron reads reals",
                at=whose[0],
                node=whose[1],
                expected="spikes, counts or integers",
                found=str(element),
                help=f"nodes={whose[1]},… converts it too"
                if isinstance(op, Operation)
                else "ntensor-quantize-inputs{kind=spike}",
            )
        if terms:
            refuse(
                LGI007,
                "a neuron that accumulates event by event reads a signal without synapses",
                at=whose[0],
                node=whose[1],
                expected="synapses between them",
                found=str(element),
                help="put an ntensor.linear with the weight 1 between them",
            )
        return Scaled(element, np.asarray(1.0), held)

    def found(self, op: Operation, terms: bool) -> Scaled:
        """What the result of an op becomes."""
        if op in self.open:
            self.refuse(LGI007, "integers go round in a circle without a neuron", op, "a loop", "break the loop")
        if op in self.changes:
            if self.wants_terms[op] != terms:
                self.refuse(
                    LGI007, "a sum is needed, and its terms too", op, "both", "convert one population at a time"
                )
            return self.changes[op].result
        self.open.add(op)
        self.wants_terms[op] = terms
        change = self.change(op, terms)
        self.open.discard(op)
        self.changes[op] = change
        return change.result

    def change(self, op: Operation, terms: bool) -> Change:
        match op:
            case ntensor.LinearOp() | ntensor.SparseLinearOp() | ntensor.ConvolutionOp():
                return self.weighted(op, self.operand(op.x, False), terms)
            case ntensor.ScaleOp():
                return self.scaled(op, self.operand(op.x, False), terms)
            case ntensor.SumOp():
                return Change(self.sum(op, [self.operand(x, terms) for x in op.xs], terms))
            case ntensor.ReshapeOp():
                given = self.operand(op.x, terms)
                scale = given.scale if not given.scale.ndim else given.scale.reshape(shape_of(op.y))
                return Change(Scaled(given.element, scale, given.range))
            case ntensor.DelayOp() if not terms:
                return Change(self.operand(op.x, False))
            case ntensor.PoolOp() if not terms:
                return Change(self.pooled(op, self.operand(op.x, False)))
            case _:
                is_late = isinstance(op, ntensor.DelayOp)
                help = "convert-nir-to-ntensor{loop-delay=spikes}" if is_late else "put it in front of the synapses"
                kind = "terms that are added one by one" if terms else "integers"
                self.refuse(LGI007, f"{op.name} does not give {kind}", op, op.name, help)

    def weighted(
        self, op: ntensor.LinearOp | ntensor.SparseLinearOp | ntensor.ConvolutionOp, x: Scaled, terms: bool
    ) -> Change:
        weight, quantized = self.whole(op, "weight", op.weight, op.quantized)
        node = described(op)[1]
        if x.scale.ndim and not same(x.scale, x.scale.reshape(-1)[:1]):
            self.refuse(LGI003, f'"{node}" adds what has several scales', op, "several", self.coarser(op))
        scale = np.asarray(quantized.scale.values, np.float64)
        rows = self.row_scale(op, scale) * (x.scale.reshape(-1)[0] if x.scale.ndim else x.scale)
        is_real = ntensor.interval_of(element_type(op.y)) is None
        bias = self.bias(op, rows, is_real)
        sums = add_weights(op, weight)
        assert sums is not None  # a synapse op
        range = add_affine(*bound_sums(*sums, x.range), bias).partial  # 7
        properties: dict[str, Attribute] = {"weight": ArrayAttr.of(weight)}
        if bias is not None:
            wide = Interval(int(bias.min(initial=0)), int(bias.max(initial=0))).signed_bits
            properties["bias"] = ArrayAttr.of(bias.astype(f"i{next(width for width in WIDTHS if wide <= width) // 8}"))
        if terms:
            self.narrow(op.x, x.range.signed_bits)  # a term is as wide as its operand's type lets it be
            ends = [int(weight.min(initial=0)), int(weight.max(initial=0))]
            given = ntensor.interval_of(self.operand(op.x, False).element) or x.range
            each = (Interval(*ends) * given).join(Interval(0, 0))
            if bias is not None:
                each = each.join(Interval(int(bias.min(initial=0)), int(bias.max(initial=0))))
            element: Attribute = ntensor.TermsType(each.signed_bits)
            self.check(op, range)
        else:
            element = self.element(op, range, x)
        if op.exponent is not None:  # 5
            if not is_real:
                self.refuse(LGI007, "an op of integers has an exponent already", op, "an exponent", "convert once")
            rows = rows * 2.0 ** self.spread(op, op.exponent.values)
        return Change(Scaled(element, rows, range), properties)

    def scaled(self, op: ntensor.ScaleOp, x: Scaled, terms: bool) -> Change:
        """Factors of single elements; what 1 is worth may differ from element to element."""
        factors, quantized = self.whole(op, "scale", op.scale, op.quantized)
        range = (Interval(int(factors.min(initial=0)), int(factors.max(initial=0))) * x.range).join(Interval(0, 0))
        scale = np.asarray(quantized.scale.values, np.float64) * x.scale
        element = ntensor.TermsType(range.signed_bits) if terms else self.element(op, range, x)
        if scale.ndim:
            scale = np.broadcast_to(scale, shape_of(op.y))
        return Change(Scaled(element, scale, range), {"scale": ArrayAttr.of(factors)})

    def whole(
        self, op: Operation, what: str, given: ArrayAttr, quantized: ntensor.QuantizedAttr | None
    ) -> tuple[AnyArray, ntensor.QuantizedAttr]:
        """The integers of quantized weights. Errors: LGI002."""  # 1
        node, weight = described(op)[1], given.values
        message = f'the weights of "{node}" are not quantized'
        help = "ntensor-quantize-weights{bits=8 per=neuron}"
        if quantized is None:
            self.refuse(LGI002, message, op, f"{what}s of {weight.dtype}", help)
        if ntensor.interval_of(element_type(op.results[0])) is not None:
            return weight, quantized
        scale = np.asarray(quantized.scale.values, np.float64)
        found = np.rint(weight.astype(np.float64) / scale)
        if not ((found * scale).astype(weight.dtype) == weight).all():
            self.refuse(LGI002, f'the weights of "{node}" are no multiples of their scale', op, f"other {what}s", help)
        return found.astype(np.int8 if quantized.bits.data <= 8 else np.int16), quantized

    def coarser(self, op: Operation) -> str:
        """What gives the ops in front of an op one scale each."""
        names = ",".join(option_text(name.strip('"')) for name in dict.fromkeys(self.sources(op)))
        return f"ntensor-quantize-weights{{bits=8 nodes={names}}}"

    def bias(
        self, op: ntensor.LinearOp | ntensor.SparseLinearOp | ntensor.ConvolutionOp, rows: Reals, is_real: bool
    ) -> Ints | None:
        """The bias in units of the sum, in the shape of `bias`; None where it is zero everywhere."""
        if op.bias is None or not op.bias.values.any():
            return None
        bias = op.bias.values
        if not is_real:
            return bias.astype(np.int64)
        unit = rows
        if isinstance(op, ntensor.ConvolutionOp) and rows.ndim:
            unit = rows.reshape(len(bias), -1)[:, 0]
        unit = np.where(np.isnan(unit), 1.0, unit)
        whole = np.rint(bias.astype(np.float64) / unit)
        if not ((whole * unit).astype(bias.dtype) == bias).all():
            away = np.abs(bias - whole * unit) / unit
            self.refuse(
                LGI004,
                f'the bias of "{described(op)[1]}" is no integer times the scale of its weights',
                op,
                f"up to {float(away.max()):.2g} units beside an integer",
                "ntensor-quantize-bias",
            )
        return whole.astype(np.int64)

    def row_scale(self, op: ntensor.LinearOp | ntensor.SparseLinearOp | ntensor.ConvolutionOp, scale: Reals) -> Reals:
        """What a weight of 1 is worth, for each result: () or the shape of the result. Errors: LGI003."""  # 2
        if not scale.ndim or scale.size == 1:
            return scale.reshape(())
        shape = shape_of(op.y)
        help = "ntensor-quantize-weights{bits=8 per=neuron}"
        if isinstance(op, ntensor.SparseLinearOp):
            target = op.target.values.astype(np.int64)
            rows = np.full(int(np.prod(shape)), UNKNOWN)
            rows[target] = np.broadcast_to(scale, target.shape)
            if not (rows[target] == scale).all():
                self.refuse(LGI003, "synapses of one neuron have different scales", op, "one for each synapse", help)
            return rows.reshape(shape)
        own = 1 if isinstance(op, ntensor.ConvolutionOp) else len(op.weight.shape) - 1
        if any(n != 1 for n in scale.shape[own:]):
            self.refuse(
                LGI003, "synapses of one neuron have different scales", op, f"scales of shape {scale.shape}", help
            )
        kept = scale.reshape(scale.shape[:own])
        if isinstance(op, ntensor.ConvolutionOp):
            return np.broadcast_to(kept.reshape(-1, *(1,) * (len(shape) - 1)), shape)
        return np.broadcast_to(kept, shape)

    def spread(self, op: ntensor.LinearOp | ntensor.SparseLinearOp | ntensor.ConvolutionOp, values: AnyArray) -> Reals:
        """One number for all, or for each channel or result, as () or the shape of the result."""
        values = values.astype(np.float64)
        if isinstance(op, ntensor.ConvolutionOp) and values.ndim:
            shape = shape_of(op.y)
            return np.broadcast_to(values.reshape(-1, *(1,) * (len(shape) - 1)), shape)
        return values

    def sum(self, op: ntensor.SumOp, given: list[Scaled], terms: bool) -> Scaled:
        scale = given[0].scale
        for other in given[1:]:
            if not same(scale, other.scale):  # 2
                nodes = ", ".join(dict.fromkeys(self.sources(op)))
                is_bare = any(ntensor.is_event(self.type_of(x)) for x in op.xs)
                self.refuse(
                    LGI003,
                    "synapses that meet in one neuron have different scales",
                    op,
                    f"different ones in {nodes}" + (", and events without synapses, which are worth 1" * is_bare),
                    "ntensor-quantize-weights{bits=8 per=neuron}"
                    if not is_bare
                    else "give the events synapses of weight 1",
                )
            scale = either(scale, other.scale)
        range = given[0].range
        for other in given[1:]:
            range = range + other.range
        if not terms:
            return Scaled(self.element(op, range, *given), scale, range)
        self.check(op, range)
        bits = [other.element.bits.data for other in given if isinstance(other.element, ntensor.TermsType)]
        return Scaled(ntensor.TermsType(max(bits)), scale, range)

    def sources(self, op: Operation) -> list[str]:
        """The named ops whose results meet in a sum."""
        found: list[str] = []
        for x in op.operands:
            if isinstance(x.owner, Operation):
                name = described(x.owner)[1]
                found += [f'"{name}"'] if name is not None else self.sources(x.owner)
        return found

    def pooled(self, op: ntensor.PoolOp, x: Scaled) -> Scaled:
        if x.scale.ndim and not same(x.scale, x.scale.reshape(x.scale.shape[0], -1)[:, :1, None]):
            self.refuse(LGI003, "a pool adds what has several scales", op, "several", self.coarser(op))
        kernel = int(np.prod(op.kernel.values))
        range = x.range * Interval(kernel, kernel)
        scale = x.scale / kernel if isinstance(op, ntensor.AvgPool2dOp) else x.scale  # 6
        if scale.ndim:
            scale = np.broadcast_to(scale[:, :1, :1], shape_of(op.y))
        return Scaled(self.element(op, range, x), scale, range)

    # ---- widths

    def element(self, op: Operation, range: Interval, *given: Scaled) -> IntegerType:
        """The integer type of a sum: it holds the worst case, and the types of its operands."""
        self.check(op, range)
        held = [ntensor.interval_of(x.element) for x in given if not ntensor.is_event(x.element)]
        least = max((interval.signed_bits for interval in held if interval is not None), default=0)
        if self.accumulator is not None:
            return IntegerType(max(self.accumulator, least))
        return IntegerType(next(width for width in WIDTHS if max(range.signed_bits, least) <= width))

    def check(self, op: Operation, range: Interval) -> None:
        """Errors: LGI005 a sum that its accumulator does not hold."""
        bits, most = range.signed_bits, self.accumulator or WIDTHS[-1]
        if bits > most:
            self.refuse(
                LGI005,
                f"a sum needs {bits} bits, and its accumulator has {most}",
                op,
                f"{range}: {bits} bits",
                f"accumulator={bits}"
                if bits <= WIDTHS[-1]
                else fewer_bits(bits_that_fit(self, op.results[0], Interval.signed(most))),
                expected=f"{Interval.signed(most)}: {most} bits",
            )

    def refuse(
        self, code: Code, message: str, op: Operation, found: object, help: str, expected: str | None = None
    ) -> NoReturn:
        at, node = described(op)
        if node is None and (names := self.sources(op)):
            at = f"{at} of {', '.join(names)}"
        refuse(code, message, at=at, node=node, expected=expected, found=str(found), help=help)

    def verify_overflows(self) -> None:
        """Refuses the sums that are too wide, with bits of weights that fit all of them. Errors: LGI005."""
        if self.overflows:
            help = fewer_bits(min(bits for _, bits in self.overflows))
            raise Refused(*(finding if finding.help else evolve(finding, help=help) for finding, _ in self.overflows))

    def narrow(self, value: SSAValue, bits: int) -> int:
        """Narrows a sum, and the sums that it is made of, to these bits or their worst case; returns the bits that it has then."""
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

    # ---- changing

    def verify_readers(self, neurons: set[Operation]) -> None:
        """Refuses what others read too. Errors: LGI006."""  # 8
        for op in self.changes:
            for use in op.results[0].uses:
                reader = use.operation
                if reader not in self.changes and reader not in neurons:
                    at, node = described(reader)
                    self.refuse(LGI006, f"{at} reads what becomes integers", op, at, f"nodes={node},… converts it too")

    def apply(self) -> None:
        """Gives the ops their new properties and results."""
        for op, change in self.changes.items():
            op.attributes.pop("ntensor.observed", None)
            op.properties.update(change.properties)
            if "bias" in op.properties and "bias" not in change.properties and change.properties:
                del op.properties["bias"]
            if change.properties:
                op.properties.pop("exponent", None)
            type = TensorType(change.result.element, shape_of(op.results[0]))
            if isinstance(op, ntensor.AvgPool2dOp):
                pool = ntensor.SumPool2dOp.create(operands=[op.x], result_types=[type], properties=dict(op.properties))
                pool.location = op.location
                pool.results[0].name_hint = op.y.name_hint
                Rewriter.replace_op(op, pool)
            else:
                retyped(op.results[0], type)


def retyped(value: SSAValue, type: Attribute) -> None:
    """Gives a value another type, where it stands."""
    hint = value.name_hint
    new = Rewriter.replace_value_with_new_type(value, type)
    new.name_hint = hint
