"""Delays the biases of retimed sums: a constantly firing neuron feeds them.

    %y = ntensor.linear "fc" %x {weight, bias = b}        late by r ticks
      =>
    %w = ntensor.delay "clock.wait2" %clock {ticks = r}
    %a = ntensor.linear "fc" %x {weight}
    %b = ntensor.sparse_linear "fc.bias" %w {weight = b}
    %y = ntensor.sum %a, %b

1. A bias is added last, so the sum is the same to the bit. The result of the node itself then excludes its bias.
2. Where integers declare the bits of their weights, a larger bias becomes several weights, from the same number of clocks.
3. A sum that is rounded by a negative exponent stays as it is. So does a sum that would leave its type without its bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np
from attrs import define, field
from xdsl.dialects.builtin import Float32Type, IntegerType, StringAttr, TensorType, f64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.integer_ranges import IntegerRanges
from ....analysis.node_selection import name_of
from ....analysis.synapse_ranges import range_of_sums
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Ints
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type
from ....dialects import ntensor
from ..relays._relays import NodeNames, helper, insert

CLOCK = "clock"
"""Name of the neuron that feeds late biases."""


def delay_biases(network: ntensor.NetworkOp, lags: dict[SSAValue, int], *, is_late: bool = True) -> None:
    """Delays the biases of late ops, or of all ops, by the latency of each op, and adds the latencies of the new ops to `lags`."""
    late_ops = [op for op in network.body.block.ops if has_bias(op) and (lags[op.results[0]] > 0 or not is_late)]
    if not late_ops:
        return
    ranges = IntegerRanges(network)
    ops = [op for op in late_ops if may_part(op, ranges[op.x])]
    part_biases(network, ops, NodeNames(network), lags)


def part_biases(
    network: ntensor.NetworkOp,
    ops: Sequence[ntensor.SynapseOpInterface],
    names: NodeNames,
    lags: dict[SSAValue, int] | None = None,
) -> None:
    """Removes the biases of some ops, and adds them again from neurons that always fire, with the latency of each op; default none."""
    if lags is None:
        lags = {result: 0 for op in network.body.block.ops for result in op.results}
    clocks = max((len(pieces(bias_of(op).reshape(-1), widest(op))) for op in ops), default=0)
    late = LateBiases(network, lags, names, clocks)
    for op in ops:
        late.delay_biases(op)


@define(eq=False)
class LateBiases:
    """The clocks of one network."""

    network: ntensor.NetworkOp
    lags: dict[SSAValue, int]
    names: NodeNames
    clocks: int
    """Neurons that feed biases: the number of weights of the widest bias."""
    made: ntensor.NeuronOp | None = None
    waits: dict[int, SSAValue] = field(factory=dict[int, SSAValue])
    """The output of the clock, by its latency."""

    def delay_biases(self, op: ntensor.SynapseOpInterface) -> None:
        """Removes the bias of an op, and adds it again with the latency of the op."""  # 1
        y, lag = op.y, self.lags[op.y]
        rows = pieces(op.spread_outputs(bias_of(op)).reshape(-1), widest(op))
        source, target = np.nonzero(rows)
        made = ntensor.SparseLinearOp.of(
            self.names.take(f"{name_of(op)}.bias"),
            self.late_clock(op, lag),
            y.type,
            rows[source, target],
            source.astype(np.int32),
            target.astype(np.int32),
        )
        if (exponent := op.optional_array("exponent")) is not None:
            made.exponent = ArrayAttr.of(np.ascontiguousarray(op.spread_outputs(exponent.values)))
        made.quantized = row_scale(op, target)
        self.lags[made.y] = lag
        del op.properties["bias"]
        self.add(y, insert(made, InsertPoint.after(op), op), op)

    def add(self, value: SSAValue, bias: SSAValue, at: Operation) -> None:
        """Adds a bias after the delays and reshapes that a value alone passes, to an existing sum if that is exact."""  # 1
        while (reader := only_reader(value)) is not None and isinstance(reader, ntensor.DelayOp | ntensor.ReshapeOp):
            again = reader.clone()
            again.properties["node"] = StringAttr(self.names.take(f"{name_of(reader)}.bias"))
            again.properties.pop("part_of", None)
            again.operands = [bias]
            self.lags[again.results[0]] = self.lags[reader.results[0]]
            bias = insert(again, InsertPoint.after(reader), reader)
            value, at = reader.results[0], reader
        if isinstance(reader, ntensor.SumOp):
            place = list(reader.operands).index(value)
            is_first = place == 0 or len(reader.operands) == 2  # c + (a + b) == (a + b) + c
            if is_first and value.type == reader.y.type:
                others = [x for k, x in enumerate(reader.operands) if k != place]
                reader.operands = [value, bias, *others]
                return
            if ntensor.interval_of(element_type(value)) is not None:
                reader.operands = [*reader.operands[: place + 1], bias, *reader.operands[place + 1 :]]
                return
        whole = ntensor.SumOp.create(operands=[value, bias], result_types=[value.type])
        value.replace_all_uses_with(whole.y)
        whole.operands[0] = value
        self.lags[whole.y] = self.lags[value]
        insert(whole, InsertPoint.after(at), at)

    def late_clock(self, at: Operation, lag: int) -> SSAValue:
        """Returns the neuron that always fires, delayed by `lag` ticks."""
        if lag not in self.waits:
            if self.made is None:
                self.made = self.clock(at)
            wait = ntensor.DelayOp(self.names.take(f"{CLOCK}.wait{lag}"), self.made.z, 0)
            self.waits[lag] = insert(wait, InsertPoint.after(self.made), at)
            self.lags[wait.y] = lag
        return self.waits[lag]

    def clock(self, at: Operation) -> ntensor.NeuronOp:
        """Returns a neuron that fires in every tick; it reads an input through no synapses."""
        block = self.network.body.block
        x = next(iter(block.args), None) or self.network.populations[0].z
        given = element_type(x)
        is_whole = ntensor.interval_of(given) is not None
        element = IntegerType(8) if is_whole else given if isinstance(given, Float32Type) else f64
        nothing, weight = np.zeros(0, np.int32), np.zeros(0, np.int8 if is_whole else np.float32)
        result = TensorType(element, [self.clocks])
        start = ntensor.SparseLinearOp.of(self.names.take(f"{CLOCK}.start"), x, result, weight, nothing, nothing)
        rule = "clock_integer" if is_whole else "clock_real", element, None
        clock = helper(self.names, CLOCK, start.y, rule)
        first = block.first_op
        assert first is not None  # the op that asks for a clock
        self.lags |= {insert(made, InsertPoint.before(first), at): 0 for made in (start, clock)}
        return clock


def only_reader(value: SSAValue) -> Operation | None:
    """Returns the only op that reads a value, if it reads the value once; else None."""
    uses = list(value.uses)
    return uses[0].operation if len(uses) == 1 else None


def has_bias(op: Operation) -> TypeGuard[ntensor.SynapseOpInterface]:
    bias = op.optional_array("bias") if isinstance(op, ntensor.SynapseOpInterface) else None
    return bias is not None and bool((bias.values != 0).any())


def bias_of(op: ntensor.SynapseOpInterface) -> AnyArray:
    bias = op.optional_array("bias")
    assert bias is not None  # has_bias
    return bias.values


def widest(op: ntensor.SynapseOpInterface) -> int | None:
    """Returns the largest weight that the integers of an op may have, by the bits that they declare; None for reals."""
    given, element = op.quantized_weights, element_type(op.y)
    if given is None or ntensor.interval_of(element) is None:
        return None
    if isinstance(element, ntensor.TermsType):
        return None  # each of them may meet the width of a state
    return max(1, 2 ** (given.bits.data - 1) - 1)


def pieces(bias: AnyArray, most: int | None) -> AnyArray:
    """Returns a bias as a sum of weights of at most `most`. Shapes: bias [n], result [weights, n]."""
    if most is None:
        return bias[None]
    count = max(1, -(-int(np.abs(bias.astype(np.int64)).max(initial=0)) // most))
    left, rows = bias.astype(np.int64), list[AnyArray]()
    for _ in range(count):
        rows.append(np.clip(left, -most, most).astype(bias.dtype))
        left = left - rows[-1]
    return np.stack(rows)


def row_scale(op: ntensor.SynapseOpInterface, target: Ints) -> ntensor.QuantizedAttr | None:
    """Returns the weight format of some targets, if the op has one scale, or one scale for each row."""
    given, scale = op.quantized_weights, op.output_scale()
    if widest(op) is None or given is None or scale is None or np.isnan(scale).any():
        return None
    wide = op.spread_outputs(scale)
    return given.with_scale(wide.reshape(-1)[target] if wide.ndim else wide)


def may_part(op: ntensor.SynapseOpInterface, given: Interval | None) -> bool:
    """Returns whether an op without its bias stays in its type, and its bias can be added later to the same sum; its operand is in `given`."""
    element = element_type(op.y)
    held = ntensor.interval_of(element)
    if held is None or isinstance(element, ntensor.TermsType):
        return True
    exponent = op.optional_array("exponent")
    if given is None or (exponent is not None and bool((exponent.values < 0).any())):
        return False
    sums = range_of_sums(op, [given], has_bias=False)
    return sums is not None and held.holds(sums.partial)
