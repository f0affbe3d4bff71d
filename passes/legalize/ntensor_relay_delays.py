"""Splits delays that are too long into shorter ones, with populations between them that relay events.

    %y = ntensor.delay "late" %x {ticks = 40}
      =>  (most = 15)
    %a = ntensor.delay "late.delay1" %x {ticks = 15}
    %b = ntensor.neuron "late.relay1" @relay_spike(%a)
    %c = ntensor.delay "late.delay2" %b {ticks = 15}
    %d = ntensor.neuron "late.relay2" @relay_spike(%c)
    %y = ntensor.delay "late" %d {ticks = 10}

1. A delay beyond `most` reads events: a relay passes on spikes, counts and graded spikes. It takes no tick itself.
2. Synapses of a sparse op with such a delay read a relayed copy of their source, which all late synapses of that source share. The op
   becomes one for each number of relays, `NODE.part0` and on; their sum has its name. A bias is added with the last.
3. That is exact where integers are added, and where all synapses of a neuron have the same delay. Other reals, terms and sums
   that are rounded by a negative exponent would be added in another order. `reorder` permits that, and the change is recorded.
4. The integers of every part fit into the type of the sum.
5. The delays on a path from one population to the next add up, so that a delay leaves room for those after it. A delay of values within `most` stays.
6. There are at most 256 relays in a row.

Exactness: all values of existing nodes stay, to the bit; nothing is recorded without `reorder`.

Errors: QNO002 a network in continuous time;
LGD001 `most` below one tick; LGR001 a delay of values; LGR002 a sum in another order; LGR003 a part wider than the sum; LGR004
a long delay that is part of another node; LGR005 a delay of too many relays.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.synapse_ranges import range_of_sums
from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, refuse_op
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from ..node_selection import name_of, networks
from ._option_limits import LGD001, verify_most
from ._relays import NodeNames, insert, relay
from ._retiming import greatest_ticks, later_delays, path_delay

LGR001 = Code("LGR001", "a long delay holds values")
LGR002 = Code("LGR002", "relays would change the order of a sum")
LGR003 = Code("LGR003", "a part of a sum may leave the type of the sum")
LGR004 = Code("LGR004", "a long delay is part of a node")
LGR005 = Code("LGR005", "a delay takes too many relays")

CHAIN = 256
"""Relays in a row at most."""


@dataclass(eq=False)
class Relays:
    """The relayed copies of one network's signals, by signal and number of relays."""

    names: NodeNames
    most: int
    later: dict[Operation, int]
    """The longest delay between each op and the next population."""
    copies: dict[tuple[SSAValue, int], SSAValue] = field(default_factory=dict[tuple[SSAValue, int], SSAValue])

    def copy(self, x: SSAValue, count: int, at: Operation) -> SSAValue:
        """Returns `x` after a chain of delays of `most` ticks, each with a relay."""
        before, name = x, self.names.source_name(x)
        for k in range(1, count + 1):
            if (x, k) not in self.copies:
                waiting = self.delay(f"{name}.delay{k}", before, self.most, at)
                self.copies[x, k] = relay(self.names, f"{name}.relay{k}", waiting, at)
            before = self.copies[x, k]
        return before

    def delay(self, name: str, x: SSAValue, ticks: ArrayLike, at: Operation) -> SSAValue:
        return insert(ntensor.DelayOp(self.names.take(name), x, ticks), InsertPoint.before(at), at)

    def room(self, op: Operation) -> int:
        """Returns the longest delay that an op may have."""  # 5
        return max(0, self.most - self.later.get(op, 0))

    def has_excess(self, op: Operation) -> bool:
        """Returns whether the delay of an op needs a relay."""
        return path_delay(op, self.later, self.most) > self.most

    def verify_events(self, op: ntensor.DelayOp | ntensor.SparseLinearOp, message: str) -> None:
        """Refuses a long delay of values. Errors: LGR001."""  # 1
        if not ntensor.is_event(element := element_type(op.x)):
            help = f"ntensor-clamp-delays{{most={self.most}}}"
            refuse_op(op, LGR001, message, expected="events", found=str(element), help=help)


@dataclass
class RelayDelay(RewritePattern):
    """delay(x, 40) => delay(relay(delay(relay(delay(x, 15)), 15)), 10)"""

    relays: Relays

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.DelayOp, rewriter: PatternRewriter, /) -> None:
        if not self.relays.has_excess(op):
            return
        self.relays.verify_events(op, "a long delay holds values")
        ticks = op.ticks.values.astype(np.int64)
        if op.part_of is not None and ticks.max() <= self.relays.most:
            return self.relay_result(op, op.part_of.data)
        if op.part_of is not None:
            help = f"ntensor-clamp-delays{{most={self.relays.most}}}"
            message, expected = f"a long delay is part of {op.part_of}", f"at most {self.relays.most} ticks"
            refuse_op(op, LGR004, message, expected=expected, found=str(ticks.max()), help=help)
        x, count, room = op.x, 0, self.relays.room(op)
        while ticks.max() > room:
            count += 1
            waiting = self.relays.delay(f"{name_of(op)}.delay{count}", x, np.minimum(ticks, self.relays.most), op)
            x = relay(self.relays.names, f"{name_of(op)}.relay{count}", waiting, op)
            ticks = np.maximum(ticks - self.relays.most, 0)
        op.operands = [x]
        op.ticks = ArrayAttr.of(ticks)
        rewriter.notify_op_modified(op)

    def relay_result(self, op: ntensor.DelayOp, node: str) -> None:
        """Inserts a relay after the delay of a node, whose output stays as it is."""
        after = op.next_op
        assert after is not None  # a terminator
        whole = relay(self.relays.names, f"{node}.relay1", op.y, after)
        for use in list(op.y.uses):
            if not isinstance(use.operation, ntensor.OutputOp) and use.operation is not whole.owner:
                use.operation.operands[use.index] = whole


@dataclass
class RelaySynapses(RewritePattern):
    """sparse_linear(x, w, delay = [3, 20]) => sparse_linear(x, w0, [3]) + sparse_linear(relay(delay(x, 15)), w1, [5])"""

    relays: Relays
    reorder: bool
    reordered: list[str] = field(default_factory=list[str])
    """The nodes where that changes the order of a sum."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.SparseLinearOp, rewriter: PatternRewriter, /) -> None:
        if op.delay is None or not self.relays.has_excess(op):
            return
        self.relays.verify_events(op, "synapses with long delays read values")
        ticks = np.broadcast_to(op.delay.values.astype(np.int64), op.weight.shape)
        count = np.maximum(-((self.relays.room(op) - ticks) // self.relays.most), 0)
        groups: list[int] = np.unique(count).tolist()
        is_moved = len(groups) > 1 and self.moves(op, count, groups[-1])
        if is_moved and not self.reorder:
            help = f"ntensor-relay-delays{{most={self.relays.most} reorder=true}}"
            refuse_op(op, LGR002, expected="sums of integers", found=str(element_type(op.y)), help=help)
        if len(groups) > 1:
            verify_parts(op)
        node, parts = name_of(op), list[SSAValue]()
        for group in groups:
            chosen = count == group
            properties = dict(op.properties)
            properties |= {
                name: ArrayAttr.of(array.values[chosen])
                for name, array in (("weight", op.weight), ("source", op.source), ("target", op.target))
            }
            properties["delay"] = ArrayAttr.of(np.maximum(ticks[chosen] - group * self.relays.most, 0))
            if (given := op.quantized) is not None:
                properties["quantized"] = given.of_some(lambda values, chosen=chosen: values[chosen])
            if group != groups[-1]:
                properties.pop("bias", None)
            if len(groups) > 1:
                properties["node"] = StringAttr(self.relays.names.take(f"{node}.part{len(parts)}"))
            x = self.relays.copy(op.x, group, op)
            part = ntensor.SparseLinearOp.create(operands=[x], result_types=[op.y.type], properties=properties)
            parts.append(insert(part, InsertPoint.before(op), op))
        if len(parts) > 1:
            whole = ntensor.SumOp.create(operands=parts, result_types=[op.y.type])
            Rewriter.insert_op(whole, InsertPoint.before(op))
            name: dict[str, Attribute] = {"node": StringAttr(node)}
            named = ntensor.ReshapeOp.create(operands=[whole.y], result_types=[op.y.type], properties=name)
            op.y.replace_all_uses_with(insert(named, InsertPoint.before(op), op))
        else:
            op.y.replace_all_uses_with(parts[0])
        rewriter.erase(op)
        if is_moved:
            self.reordered.append(node)

    def moves(self, op: ntensor.SparseLinearOp, count: NDArray[np.int64], last: int) -> bool:
        """Returns whether the parts are not simply added: some neuron has synapses in several of them."""  # 3
        is_whole = ntensor.interval_of(element_type(op.y)) is not None
        is_shifted = op.exponent is not None and bool((op.exponent.values < 0).any())
        if is_whole and not is_shifted and not isinstance(element_type(op.y), ntensor.TermsType):
            return False
        target, size = op.target.values.astype(np.int64), int(np.prod(shape_of(op.y)))
        least, most = np.full(size, last), np.zeros(size, np.int64)
        np.minimum.at(least, target, count)
        np.maximum.at(most, target, count)
        reached = np.bincount(target, minlength=size) > 0
        if is_whole and is_shifted and op.bias is not None:  # the bias is rounded with the last part
            most[op.bias.values.reshape(-1) != 0] = last
        return bool((reached & (least != most)).any())


def verify_parts(op: ntensor.SparseLinearOp) -> None:
    """Refuses integers of which a part may leave the type of the sum. Errors: LGR003."""  # 4
    held, given = ntensor.interval_of(element_type(op.y)), ntensor.interval_of(element_type(op.x))
    if held is None or given is None or isinstance(element_type(op.y), ntensor.TermsType):
        return
    sums = range_of_sums(op, [given])
    if sums is not None and not held.holds(worst := sums.partial):
        message, help = "a part of the sum may leave its type", "give the result a wider integer type"
        refuse_op(op, LGR003, message, expected=str(held), found=str(worst), help=help)


@dataclass(frozen=True)
class NtensorRelayDelaysPass(NoptPass):
    """Relays the long delays of every `ntensor.network`.

    Options:
        most: the longest delay [ticks], 1 or more; default 15.
        reorder: also where sums are added in another order, and record it; default false.
    """

    name = "ntensor-relay-delays"
    most: int = 15
    reorder: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most(self.most, 1, LGD001, "the longest delay is at least one tick", self.name)
        for network in networks(op):
            for inner in network.body.block.ops:
                self.verify_chain(inner)
            relays = Relays(NodeNames(network), self.most, later_delays(network))
            synapses = RelaySynapses(relays, self.reorder)
            for pattern in (RelayDelay(relays), synapses):
                PatternRewriteWalker(pattern, apply_recursively=False).rewrite_region(network.body)
            if synapses.reordered:
                what = "late synapses relayed: sums are added in another order"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, synapses.reordered, unit="none"))

    def verify_chain(self, op: Operation) -> None:
        """Refuses a delay that would become an endless row of populations. Errors: LGR005."""  # 6
        longest = greatest_ticks(op)
        count = (longest - 1) // self.most
        if count > CHAIN:
            reach = self.most * (CHAIN + 1)
            expected = f"at most {CHAIN} relays in a row, {reach} ticks"
            found = f"{count} relays for {longest} ticks"
            help = f"ntensor-clamp-delays{{most={reach}}},{pass_text(self)}"
            refuse_op(op, LGR005, expected=expected, found=found, help=help)
