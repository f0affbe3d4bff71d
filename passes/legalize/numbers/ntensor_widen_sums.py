"""Widens sums of integers that can leave their type, so that no check is needed while the network runs.

    %y = ntensor.linear "fc" %x {weight = [[100, 100]]} : tensor<2xi1> -> tensor<1xi8>      sums in 0..200
 => %y = ntensor.linear "fc" %x {weight = [[100, 100]]} : tensor<2xi1> -> tensor<1xi16>

1. The analysis of integer ranges finds the sums that can leave their type. Each gets the narrowest of 8, 16, 32 and 64 bits that holds it, or
   the bits of the population that reads it, where these are fewer and hold it.
2. All readers of such a sum hold its type: other sums are widened with it; delays, reshapes and outputs take the new type.
3. A population takes the wider type, or the sum is refused: its input has as many bits as its neuron declares.

Wider ranges make others wide, so this is repeated until every sum fits.

Exactness: no number changes. Errors: NTE009 a network in continuous time; LEG052 a sum that no type, or no input of a population, holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue

from ....analysis.integer_ranges import IntegerRanges
from ....core.diagnostics import Code, refuse_op
from ....core.fixed_point import Interval
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass
from ....core.number_texts import counted_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ._integer_synapses import WIDTHS, integer_width, retype

LEG052 = Code("LEG052", "integer-sum-not-widenable", "a sum of integers cannot be widened")

Updates = Mapping[str, ntensor.UpdateOp]
"""The updates of a module by symbol."""


@dataclass(frozen=True)
class NtensorWidenSumsPass(NoptPass):
    """Widens the sums of every `ntensor.network` that can leave their integer type."""

    name = "ntensor-widen-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            while widen(network):
                pass
            network.update_signature()
            for reader, taken, sums in wide_sums(network):
                refuse_sum(reader, taken, sums)


def widen(network: ntensor.NetworkOp) -> bool:
    """Widens the results of all ops that need it once; returns whether there were any."""
    ranges, updates, has_changed = IntegerRanges(network), ntensor.updates_of(network), False
    every = {op: ranges.sums(op) for op in network.body.block.ops if op.results}  # before a result is replaced
    for op in network.body.block.ops:
        if not op.results or isinstance(op, ntensor.NeuronOp):
            continue
        element = new = element_type(op.results[0])
        held = ntensor.interval_of(element) if ntensor.is_value(element) else None
        if held is None:
            continue
        given = [element_type(x) for x in op.operands]
        if isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp | ntensor.MaxPool2dOp):
            new = given[0]
        else:
            sums = every[op]  # 1
            values = [ntensor.interval_of(one) for one in given if not ntensor.is_event(one)]
            bits = max([held.signed_bits, *(one.signed_bits for one in values if one is not None)])  # 2
            if sums is not None:
                bits = max(bits, sums.result.signed_bits)
            if bits > WIDTHS[-1]:
                refuse_sum(op, Interval.signed(WIDTHS[-1]), held if sums is None else sums.result)
            if bits > held.signed_bits:
                new = IntegerType(width_of(op.results[0], bits, updates))
        if new != element:
            retype(op.results[0], TensorType(new, shape_of(op.results[0])))
            has_changed = True
    return has_changed


def width_of(sums: SSAValue, bits: int, updates: Updates) -> int:
    """Returns the width of a sum that needs some bits."""
    readers = walk_downstream([sums], lambda op: not isinstance(op, ntensor.NeuronOp | ntensor.OutputOp))
    held = [
        min(taken.high + 1, -taken.low).bit_length()
        for value in readers
        for use in value.uses
        if (taken := taken_by(use.operation, use.index, updates)) is not None
    ]
    width = integer_width(bits)
    return min(held) if held and bits <= min(held) < width else width


def taken_by(op: Operation, index: int, updates: Updates) -> Interval | None:
    """Returns the integers that an input of a population takes; None for reals, and for an input that accumulates."""
    if not isinstance(op, ntensor.NeuronOp) or op.update_name not in updates:
        return None
    types = updates[op.update_name].input_types
    return ntensor.interval_of(types[index]) if index < len(types) else None


def wide_sums(network: ntensor.NetworkOp) -> Iterator[tuple[ntensor.NeuronOp, Interval, Interval]]:
    """Yields the populations that read a sum that is too wide, with the integers that they take, and the range of the sum."""  # 3
    ranges, updates = IntegerRanges(network), ntensor.updates_of(network)
    for op in network.populations:
        for k, x in enumerate(op.xs):
            taken, held = taken_by(op, k, updates), ntensor.interval_of(element_type(x))
            if taken is not None and held is not None and not taken.holds(held):
                yield op, taken, ranges[x] or held


def refuse_sum(op: Operation, held: Interval, sums: Interval) -> NoReturn:
    bits = max(1, sums.signed_bits - held.signed_bits)
    refuse_op(
        op,
        LEG052,
        "a sum is wider than what holds it",
        expected=str(held),
        found=f"sums in {sums}: {sums.signed_bits} bits",
        help=f"quantize the weights to {counted_text(bits, 'bit')} fewer, on the network of reals",
    )
