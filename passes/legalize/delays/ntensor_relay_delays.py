"""Splits delays that are too long into shorter ones, with populations between them that relay events.

    %y = ntensor.delay "late" %x {ticks = 40}
      =>  (max-delay = 15)
    %a = ntensor.delay "late.delay1" %x {ticks = 15}
    %b = ntensor.neuron "late.relay1" @relay_spike(%a)
    %c = ntensor.delay "late.delay2" %b {ticks = 15}
    %d = ntensor.neuron "late.relay2" @relay_spike(%c)
    %y = ntensor.delay "late" %d {ticks = 10}

1. A delay beyond `max-delay` reads events: a relay passes on spikes, counts and graded spikes. It takes no tick itself.
2. Only what is late passes relays: synapses whose events need fewer of them read the source itself, or an earlier relay
   (`_late_synapses.py`). So a loop whose delays differ keeps the shortest one.
3. That is exact where integers are added, and where all synapses of a neuron need the same number of relays. Other reals, terms and sums
   that are rounded by a negative exponent would be added in another order. `reorder` permits that, and the change is recorded. Without it
   such a delay is relayed as a whole, if it is before the op.
4. Delays of sums, and those before and after an op, are added up, and come before it (`_late_chains.py`).
5. The integers of every part fit into the type of the sum.
6. The delays on a path from one population to the next add up, so that a delay leaves room for those after it. Where only some of its readers are on
   too long a path, it stays, and a relay follows it for these.
7. There are at most 256 relays in a row.

Exactness: all values of populations and of ops with synapses stay, to the bit; nothing is recorded without `reorder`. A delay that is divided, or that
moves before an op, is not a node any more.

Errors: NTE009 a network in continuous time;
LEG022 `max-delay` below one tick; LEG035 a delay of values; LEG036 a sum in another order; LEG037 a part wider than the sum; LEG038
a long delay that is part of another node; LEG039 a delay of too many relays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ....analysis.node_selection import name_of
from ....core.arrays.arrays import ArrayAttr
from ....core.diagnostics import Code, refuse_op
from ....core.ir.operation import element_type
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..fan._option_limits import LEG022, verify_most
from ..relays._relays import NodeNames, relay
from ._late_chains import is_link
from ._late_synapses import LEG038, LateSynapses, Relays
from ._retiming import greatest_ticks, later_delays, path_delay

LEG035 = Code("LEG035", "long-delay-holds-values", "a long delay holds values")
LEG039 = Code("LEG039", "delay-needs-too-many-relays", "a delay takes too many relays")

CHAIN = 256
"""Relays in a row at most."""


@dataclass
class RelayDelay(RewritePattern):
    """delay(x, 40) => delay(relay(delay(relay(delay(x, 15)), 15)), 10)"""

    relays: Relays
    later: dict[Operation, int]
    """The longest delay between each op and the next population."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.DelayOp, rewriter: PatternRewriter, /) -> None:
        most, names = self.relays.most, self.relays.names
        if path_delay(op, self.later, most) <= most:
            return
        verify_events(op, most, "a long delay holds values")
        ticks = op.ticks.values.astype(np.int64)
        if op.part_of is not None and ticks.max() <= most:
            return self.relay_result(op, op.part_of.data)
        if op.part_of is not None:
            help = f"ntensor-clamp-delays{{max-delay={most}}}"
            message, expected = f"a long delay is part of {op.part_of}", f"at most {most} ticks"
            refuse_op(op, LEG038, message, expected=expected, found=str(ticks.max()), help=help)
        far = [use for use in op.y.uses if ticks.max() + self.ticks_from(use.operation) > most]
        if ticks.max() <= most and len(far) < len(list(op.y.uses)):
            return self.relay_some_readers(op, far)
        x, count, room = op.x, 0, max(0, most - self.later.get(op, 0))  # 6
        while ticks.max() > room:
            count += 1
            waiting = self.relays.delay(f"{name_of(op)}.delay{count}", x, np.minimum(ticks, most), op)
            x = relay(names, f"{name_of(op)}.relay{count}", waiting, op)
            ticks = np.maximum(ticks - most, 0)
        op.operands = [x]
        op.ticks = ArrayAttr.of(ticks)
        rewriter.notify_op_modified(op)

    def ticks_from(self, reader: Operation) -> int:
        """Returns the longest delay from a reader to the next population, including the delay of the reader [ticks]."""
        is_end = isinstance(reader, ntensor.NeuronOp | ntensor.OutputOp)
        return 0 if is_end else greatest_ticks(reader) + self.later.get(reader, 0)

    def relay_some_readers(self, op: ntensor.DelayOp, far: list[Use]) -> None:
        """Inserts a relay after a delay, which some of its readers read from then on."""
        after = op.next_op
        assert after is not None  # a terminator
        whole = relay(self.relays.names, f"{name_of(op)}.relay1", op.y, after)
        for use in far:
            use.operation.operands[use.index] = whole

    def relay_result(self, op: ntensor.DelayOp, node: str) -> None:
        """Inserts a relay after the delay of a node. The output of the node is unchanged."""
        after = op.next_op
        assert after is not None  # a terminator
        whole = relay(self.relays.names, f"{node}.relay1", op.y, after)
        for use in list(op.y.uses):
            if not isinstance(use.operation, ntensor.OutputOp) and use.operation is not whole.owner:
                use.operation.operands[use.index] = whole


def walk_delays(x: SSAValue) -> SSAValue:
    """Returns the value before the delays and reshapes that produce `x`."""
    while isinstance(op := x.owner, Operation) and is_link(op):
        x = op.operands[0]
    return x


def verify_events(op: ntensor.DelayOp | ntensor.SynapseOpInterface, most: int, message: str) -> None:
    """Refuses a long delay of values. Errors: LEG035."""  # 1
    if not ntensor.is_event(element := element_type(op.x)):
        is_input = not isinstance(walk_delays(op.x).owner, Operation)
        spikes = "ntensor-quantize-inputs{kind=spike}, or " if is_input else ""
        help = f"{spikes}ntensor-clamp-delays{{max-delay={most}}}"
        refuse_op(op, LEG035, message, expected="events", found=str(element), help=help)


@dataclass(frozen=True)
class NtensorRelayDelaysPass(NoptPass):
    """Relays the long delays of every `ntensor.network`.

    Options:
        max-delay: the longest delay [ticks], 1 or more; default 15.
        reorder: also where sums are added in another order, and record it; default false.
    """

    name = "ntensor-relay-delays"
    max_delay: int = 15
    reorder: bool = False

    @property
    def approximations(self) -> tuple[str, ...]:
        return ("order",) if self.reorder else ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most("max-delay", self.max_delay, 1, LEG022, "the longest delay is at least one tick", self.name)
        for network in networks(op):
            for inner in network.body.block.ops:
                self.verify_chain(inner)
            relays = Relays(NodeNames(network), self.max_delay)
            late = LateSynapses(network, relays, self.reorder)
            late.rewrite()
            for inner in network.body.block.ops:
                if isinstance(inner, ntensor.SparseLinearOp) and greatest_ticks(inner) > self.max_delay:
                    verify_events(inner, self.max_delay, "synapses with long delays read values")
            pattern = RelayDelay(relays, later_delays(network))
            PatternRewriteWalker(pattern, apply_recursively=False).rewrite_region(network.body)
            if late.reordered:
                what = "late synapses relayed: sums are added in another order"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, late.reordered, unit="none"))

    def verify_chain(self, op: Operation) -> None:
        """Refuses a delay that would become an endless row of populations. Errors: LEG039."""  # 7
        longest = greatest_ticks(op)
        count = (longest - 1) // self.max_delay
        if count > CHAIN:
            reach = self.max_delay * (CHAIN + 1)
            expected = f"at most {CHAIN} relays in a row, {reach} ticks"
            found = f"{count} relays for {longest} ticks"
            help = f"ntensor-clamp-delays{{max-delay={reach}}},{pass_text(self)}"
            refuse_op(op, LEG039, expected=expected, found=found, help=help)
