"""Synapses of late events read relays of their source, and the others the source itself.

    %a = ntensor.delay "d" %z {ticks = [1, 40]}                      %a = ntensor.delay "z.delay1" %z {ticks = 15}          (most = 15)
    %y = ntensor.linear "w" %a {weight = [[2, 3]]}          =>       %b = ntensor.neuron "z.relay1" @relay_some(…)          of neuron 1 alone
                                                                     …                                                      z.relay2
                                                                     %p = ntensor.sparse_linear "w.part0" %p' {weight = [2]}     %p' is %z after 1 tick
                                                                     %q = ntensor.sparse_linear "w.part1" %q' {weight = [3]}     %q' is z.relay2 after 10
                                                                     %y = ntensor.sum %p, %q

1. All late synapses of a source share its relays. Relays of spikes forward those that some synapse reads; counts and graded spikes are forwarded as a whole.
2. The op becomes one for each number of relays, `NODE.part0` and on; their sum has its name. A bias is added with the last.
3. Where there are delays before or after the op, a delay of at least one tick stays before each part, since a loop needs it.
4. A delay after a sum moves to its operands, and so before the ops that it adds. The bias of such an op comes from a neuron that always fires.
5. An op whose synapses need as many relays each stays one op, if no synapses of a source differ.

Errors: LEG036 a sum in another order; LEG037 a part wider than the sum; LEG038 a long delay that is part of another node.
"""

from __future__ import annotations

from math import prod

import numpy as np
from attrs import define, field
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import StringAttr, TensorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.integer_ranges import IntegerRanges
from ....analysis.node_selection import name_of
from ....analysis.synapse_ranges import range_of_sums
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Bools, Ints
from ....core.diagnostics import Code, refuse_op
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....dialects import ntensor
from ..relays._relays import NodeNames, insert, relay, relay_some
from ._bias_retiming import has_bias, may_part, part_biases
from ._late_chains import LateChain, earlier_delays, find_chains, is_by_source, is_link, is_owned, moves
from ._retiming import greatest_ticks, later_delays

LEG036 = Code("LEG036", "relays-change-sum-order", "relays would change the order of a sum")
LEG038 = Code("LEG038", "long-delay-inside-node", "a long delay is part of a node")
LEG037 = Code("LEG037", "partial-sum-exceeds-type", "a part of a sum may leave the type of the sum")

Signal = tuple[SSAValue, Ints]
"""A relayed signal, and the index of each neuron of its source in it; -1 for those that are not forwarded."""


@define(eq=False)
class Relays:
    """The relayed copies of one network's signals, by signal and number of relays."""

    names: NodeNames
    most: int
    needed: dict[tuple[SSAValue, int], Bools] = field(factory=dict[tuple[SSAValue, int], Bools])
    """The neurons of a signal that need a number of relays, or more."""
    copies: dict[tuple[SSAValue, int], Signal] = field(factory=dict[tuple[SSAValue, int], Signal])

    def need(self, chain: LateChain) -> None:
        """Adds the neurons that a chain reads to the needed neurons, for each number of relays."""  # 1
        size = prod(shape_of(chain.start))
        for count in range(1, int(chain.count.max()) + 1):
            mask = self.needed.setdefault((chain.start, count), np.zeros(size, np.bool_))
            is_whole = chain.can_keep_op or element_type(chain.start) != i1
            mask[slice(None) if is_whole else chain.source[chain.count >= count]] = True

    def copy(self, chain: LateChain, count: int) -> Signal:
        """Returns the signal at the start of a chain after `count` delays of at most `most` ticks. A relay follows each delay."""
        x, at = chain.start, chain.op
        name, every = self.names.source_name(x), np.arange(prod(shape_of(x)))
        before, index = x, every
        for k in range(1, count + 1):
            if (x, k) not in self.copies:
                ticks = np.full(shape_of(x), self.most) - chain.waited.reshape(shape_of(x)) if k == 1 else self.most
                waiting = self.delay(f"{name}.delay{k}", before, simplest(ticks), at)
                chosen = np.flatnonzero(self.needed[x, k])
                if len(chosen) == np.count_nonzero(index >= 0):
                    made, place = relay(self.names, f"{name}.relay{k}", waiting, at), index
                else:
                    made = relay_some(self.names, f"{name}.relay{k}", waiting, index[chosen], at)
                    place = np.full(len(every), -1)
                    place[chosen] = np.arange(len(chosen))
                self.copies[x, k] = made, place
            before, index = self.copies[x, k]
        return before, index

    def delay(self, name: str, x: SSAValue, ticks: ArrayLike, at: Operation) -> SSAValue:
        return insert(ntensor.DelayOp(self.names.take(name), x, ticks), InsertPoint.before(at), at)


def simplest(ticks: ArrayLike) -> ArrayLike:
    """Returns one integer if all ticks are equal, else the array."""
    values = np.asarray(ticks)
    return int(values.flat[0]) if values.size and (values == values.flat[0]).all() else values


@define(eq=False)
class LateSynapses:
    """The rewrite of one network."""

    network: ntensor.NetworkOp
    relays: Relays
    reorder: bool
    reordered: list[str] = field(factory=list[str])
    """The nodes where that changes the order of a sum."""

    def rewrite(self) -> None:
        """Rewrites all chains. Errors: LEG036, LEG037."""
        self.move_delays()
        chains = [chain for chain in self.find() if self.is_split(chain)]
        for chain in chains:
            self.relays.need(chain)
        for chain in chains:
            self.replace(chain)

    def find(self) -> list[LateChain]:
        return find_chains(self.network, later_delays(self.network), self.relays.most)

    def is_split(self, chain: LateChain) -> bool:
        """Returns whether a chain is rewritten here; else its delay is relayed as a whole. Errors: LEG036, LEG037."""
        if not chain.is_within and not chain.is_mixed and not chain.is_partial:
            return False
        if chain.has_later and (has_bias(chain.op) or chain.op.learning_rule is not None):  # 4
            return False
        is_dense = chain.op.SHARES_WEIGHTS or chain.op.weights is None  # worth more than some relays
        if not chain.is_within and (chain.op.learning_rule is not None or (is_dense and not chain.is_short)):
            return False
        if (chain.ticks < chain.count * self.relays.most).any():  # delays that cannot move follow
            if chain.is_within:
                help = f"ntensor-clamp-delays{{max-delay={self.relays.most}}}"
                expected, found = f"at most {self.relays.most} ticks to the next population", "more"
                refuse_op(chain.op, LEG038, "a long delay follows a sum", expected=expected, found=found, help=help)
            return False
        if not chain.is_mixed:
            return True
        is_moved, node = moves(chain), name_of(chain.op)
        if is_moved and not chain.is_within and not (self.reorder and chain.is_short):
            return False
        if is_moved and not self.reorder:
            help = f"ntensor-relay-delays{{max-delay={self.relays.most} reorder=true}}"
            refuse_op(chain.op, LEG036, expected="sums of integers", found=str(element_type(chain.op.y)), help=help)
        if (worst := self.wide_part(chain.op)) is not None:
            if not chain.is_within and not chain.is_short:
                return False
            message, help = "a part of the sum may leave its type", "give the result a wider integer type"
            expected = str(ntensor.interval_of(element_type(chain.op.y)))
            refuse_op(chain.op, LEG037, message, expected=expected, found=str(worst), help=help)
        if is_moved:
            self.reordered.append(node)
        return True

    def wide_part(self, op: ntensor.SynapseOpInterface) -> Interval | None:
        """Returns the range of the partial sums of an op if it exceeds the type of the sum, else None."""
        held, given = ntensor.interval_of(element_type(op.y)), ntensor.interval_of(element_type(op.x))
        if held is None or given is None or isinstance(element_type(op.y), ntensor.TermsType):
            return None
        sums = range_of_sums(op, [given])
        return None if sums is None or held.holds(sums.partial) else sums.partial

    # ---- delays of sums

    def move_delays(self) -> None:
        """Moves late biases to a neuron, and delays of sums to their operands."""  # 4
        while self.move_delay():
            pass
        late = list({chain.op: None for chain in self.find() if chain.has_later and has_bias(chain.op)})
        ranges = IntegerRanges(self.network) if late else None
        late = [op for op in late if ranges is not None and may_part(op, ranges[op.x])]
        if late:
            part_biases(self.network, late, self.relays.names)
            self.move_delays()

    def move_delay(self) -> bool:
        """Moves one delay after a sum to the operands of the sum if a path through both is too long. Returns whether a delay was moved."""
        earlier = earlier_delays(self.network)
        for op in self.network.body.block.ops:
            whole = op.operands[0].owner if isinstance(op, ntensor.DelayOp) and not is_owned(op) else None
            if not isinstance(op, ntensor.DelayOp) or not isinstance(whole, ntensor.SumOp):
                continue
            if not greatest_ticks(op) or earlier[op] <= self.relays.most:
                continue
            names, xs = self.relays.names, list[SSAValue]()
            for k, x in enumerate(whole.xs):
                made = ntensor.DelayOp(names.take(f"{name_of(op)}.{k}"), x, op.ticks.values)
                xs.append(insert(made, InsertPoint.before(whole), op))
            late = ntensor.SumOp.create(operands=xs, result_types=[whole.y.type])
            op.y.replace_all_uses_with(insert(late, InsertPoint.before(whole), whole))
            names.free(name_of(op))
            Rewriter.erase_op(op)
            if not whole.y.uses:
                Rewriter.erase_op(whole)
            return True
        return False

    # ---- the parts of a chain

    def replace(self, chain: LateChain) -> None:
        """Puts parts that read relays in the place of a chain."""  # 2
        node, op, parts = name_of(chain.op), chain.op, list[SSAValue]()
        counts: list[int] = np.unique(chain.count).tolist()
        bias = op.optional_array("bias")
        spread = None if bias is None else np.broadcast_to(op.spread_outputs(bias.values), shape_of(op.y))
        for count in counts:
            is_last = count == counts[-1]
            given = ArrayAttr.of(np.ascontiguousarray(spread)) if spread is not None and is_last else None
            name = f"{node}.part{len(parts)}" if len(counts) > 1 else node
            parts.append(self.part(chain, count, self.relays.names.take(name), given))
        made = parts[0]
        if len(parts) > 1:
            whole = ntensor.SumOp.create(operands=parts, result_types=[op.y.type])
            made = insert(whole, InsertPoint.before(op), op)
        if len(parts) > 1 or made.type != chain.end.type:
            named: dict[str, Attribute] = {"node": StringAttr(self.relays.names.take(node))}
            again = ntensor.ReshapeOp.create(operands=[made], result_types=[chain.end.type], properties=named)
            made = insert(again, InsertPoint.before(op), op)
        for use in list(chain.end.uses):
            if not is_link(use.operation):
                use.operation.operands[use.index] = made
        self.erase(chain)
        if op.parent is None and isinstance(made.owner, Operation):
            made.owner.properties["node"] = StringAttr(node)

    def part(self, chain: LateChain, count: int, node: str, bias: ArrayAttr | None) -> SSAValue:
        """Returns the synapses of a chain that need `count` relays."""
        op, chosen = chain.op, chain.count == count
        source, target, place = (values[chosen] for values in (chain.source, chain.target, chain.place))
        x, ticks = chain.start, chain.ticks[chosen] - chain.waited[source]
        if count:
            x, index = self.relays.copy(chain, count)
            source, ticks = index[source], np.maximum(chain.ticks[chosen] - count * self.relays.most, 0)
            assert (source >= 0).all()  # `need`
        properties = op.sparse_properties(source, target, place, bias)
        own: Ints = ticks
        if chain.has_delay and ticks.size:  # 3
            first = np.full(prod(shape_of(x)), ticks.min())
            if is_by_source(source, ticks):
                first[source] = ticks
            if first.any():
                name = f"{self.relays.names.source_name(x)}.late{int(first.max())}"
                x = self.relays.delay(name, x, simplest(first.reshape(shape_of(x))), op)
            own = ticks - first[source]
        if chain.can_keep_op and not isinstance(op, ntensor.SparseLinearOp):  # 5
            again = op.clone()
            again.properties["node"] = StringAttr(node)
            again.operands = [self.shaped(x, op)]
            return insert(again, InsertPoint.before(op), op)
        properties.pop("delay", None)
        if own.any() or op.delays is not None:
            properties["delay"] = ArrayAttr.of(own)
        properties["node"] = StringAttr(node)
        made = ntensor.SparseLinearOp.create(operands=[x], result_types=[op.y.type], properties=properties)
        return insert(made, InsertPoint.before(op), op)

    def shaped(self, x: SSAValue, op: ntensor.SynapseOpInterface) -> SSAValue:
        """Returns a signal in the shape that an op reads."""
        if shape_of(x) == shape_of(op.x):
            return x
        name: dict[str, Attribute] = {"node": StringAttr(self.relays.names.take(f"{name_of(op)}.flat"))}
        type = TensorType(element_type(x), shape_of(op.x))
        again = ntensor.ReshapeOp.create(operands=[x], result_types=[type], properties=name)
        return insert(again, InsertPoint.before(op), op)

    def erase(self, chain: LateChain) -> None:
        """Removes the unused ops at the end of a chain."""
        value = chain.end
        while value is not chain.start and isinstance(op := value.owner, Operation) and not value.uses:
            value = op.operands[0]
            Rewriter.erase_op(op)
