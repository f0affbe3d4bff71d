"""Integer ranges of a network: which integers every value can be, whatever arrives.

A forward data-flow analysis over intervals. A value starts as everything that its type holds, and each op narrows its result: a sum to what
its weights make of its operands (`synapse_ranges.py`), a population to what its update emits (`neuron_ranges.py`). Delays and reshapes keep a
range; a delay adds 0, its output before the first tick.

Strongly connected components are taken in the order of execution. Those with a loop are narrowed until nothing changes, at most `NARROWING_ROUNDS`
times. Every round is sound, since a value is always within the range that the round before found.

A value of reals has a range where it only passes on or adds integers: the sum of spikes in f64, for example. The range of terms that are not added yet is
that of their sum.
"""

from __future__ import annotations

from itertools import chain

from xdsl.ir import Operation, SSAValue

from ..core.arrays.numeric import AnyArray
from ..core.fixed_point import Interval
from ..core.ir.graph_region import components, schedule, sources
from ..core.ir.operation import element_type
from ..dialects.ntensor import (
    DelayOp,
    MaxPool2dOp,
    NetworkOp,
    NeuronOp,
    ReshapeOp,
    SumOp,
    SynapseOpInterface,
    TermsType,
    UpdateOp,
    breaks_loops,
    interval_of,
    updates_of,
)
from .neuron_ranges import range_of_emission, within
from .synapse_ranges import ZERO, SumRange, add_weights, range_of_sums

NARROWING_ROUNDS = 16
"""How often the ops of a loop are narrowed; most settle after two or three rounds."""


class IntegerRanges:
    """The integer ranges of the values of a network."""

    def __init__(self, network: NetworkOp):
        block = network.body.block
        ops = [op for op in block.ops if op.results]
        self.updates: dict[str, UpdateOp] = updates_of(network)
        self.weights: dict[Operation, tuple[AnyArray, AnyArray] | None] = {}
        self.known: dict[SSAValue, Interval | None] = {}
        for value in (*block.args, *(op.results[0] for op in ops)):
            self.known[value] = declared(value)
        place = {op: k for k, op in enumerate(chain.from_iterable(schedule(block, breaks_loops)))}
        for group in components(ops, sources):
            self.narrow(sorted(group, key=place.__getitem__), len(group) > 1)

    def __getitem__(self, value: SSAValue) -> Interval | None:
        """Returns the integers that a value can be; None for reals."""
        return self.known.get(value, declared(value))

    def narrow(self, group: list[Operation], is_loop: bool) -> None:
        seen: dict[Operation, list[Interval | None]] = {}
        for _ in range(NARROWING_ROUNDS if is_loop else 1):
            has_changed = False
            for op in group:
                xs = [self.known[x] for x in op.operands]
                if seen.get(op) != xs:
                    seen[op], has_changed = xs, True
                    self.known[op.results[0]] = self.result(op)
            if not has_changed:
                return

    def result(self, op: Operation) -> Interval | None:
        """Returns the result range of an op, computed from the operand ranges."""
        y, xs = op.results[0], [self.known[x] for x in op.operands]
        held = declared(y)
        found: Interval | None = None
        match op:
            case NeuronOp():
                update = self.updates.get(op.update_name)
                found = None if update is None else range_of_emission(op, update, xs)
            case DelayOp():
                found = None if xs[0] is None else xs[0].join(ZERO)
            case ReshapeOp() | MaxPool2dOp():
                found = xs[0]
            case _:
                sums = self.sums(op)
                found = None if sums is None else sums.result
        return found if held is None else within(found, held)

    def sums(self, op: Operation) -> SumRange | None:
        """Returns the integers that the sums of an op can be, whether its type holds them or not; None where it adds no integers."""
        is_whole = isinstance(element_type(op.results[0]), TermsType) or declared(op.results[0]) is not None
        is_plain = isinstance(op, SumOp) or (isinstance(op, SynapseOpInterface) and op.is_plain_sum)
        if isinstance(op, NeuronOp) or not (is_whole or is_plain):
            return None
        xs = [x for operand in op.operands if (x := self.known[operand]) is not None]
        if not xs or len(xs) < len(op.operands):
            return None
        if op not in self.weights:
            self.weights[op] = add_weights(op)
        return range_of_sums(op, xs, self.weights[op])


def declared(value: SSAValue) -> Interval | None:
    """Returns the range of the integer type of a value; None for reals, and for terms, because a sum adds any number of terms."""
    element = element_type(value)
    return None if isinstance(element, TermsType) else interval_of(element)
