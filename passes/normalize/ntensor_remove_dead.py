"""Removes ops that lead to no output of the network, and updates that nothing names.

    %y = ntensor.neuron "watched" @lif(%x) …    =>    nothing, where no output depends on %y

An op stays if

1. the network gives it, or `keep` names it,
2. an op that stays reads it,
3. or it is a delay that is part of an op that stays: what that node gives, in records, is what leaves the delay.

Inputs of the network stay, also those that nobody reads. An update stays if any op of the module names it.

Exactness: outputs, and the records of what stays, are the same bit for bit.

Errors: DEA001 a name in `keep` that is no node. Remarks: DEA002 populations that are removed, and so can no longer be recorded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...core.context import diagnostics_of
from ...core.graph_region import sources
from ...core.pipeline import NoptPass
from ...dialects import ntensor
from .rules.kept import kept, remark_removed
from .rules.owned import owned_delays


@dataclass(frozen=True)
class NtensorRemoveDeadPass(NoptPass):
    """Removes dead ops of every `ntensor.network`.

    Options:
        keep: nodes that stay with all that they need, `keep=lif1,"lif2.lif"`; default none. What `--record` names can stand here.
    """

    name = "ntensor-remove-dead"
    keep: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        networks = [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]
        if not networks:
            return
        nodes: dict[str, list[Operation]] = {}
        for network in networks:
            for inner in network.body.block.ops:
                if isinstance(name := inner.properties.get("node"), StringAttr):
                    nodes.setdefault(name.data, []).append(inner)
        roots = kept(self.keep, nodes)  # 1
        for network in networks:
            dead = dead_ops(network, roots)
            populations = [inner.node.data for inner in dead if isinstance(inner, ntensor.NeuronOp)]
            remark_removed(self.name, populations, diagnostics_of(ctx))
            for inner in dead:
                inner.operands = []  # dead ops may read each other in a circle
            for inner in dead:
                Rewriter.erase_op(inner)
        used = {
            name.root_reference.data
            for inner in op.walk()
            for name in (*inner.properties.values(), *inner.attributes.values())
            if isinstance(name, SymbolRefAttr)
        }
        for update in [inner for inner in op.ops if isinstance(inner, ntensor.UpdateOp)]:
            if update.sym_name.data not in used:
                Rewriter.erase_op(update)


def dead_ops(network: ntensor.NetworkOp, roots: Iterable[Operation]) -> list[Operation]:
    """What nothing needs, in the order of the IR."""
    block = network.body.block
    last = block.last_op
    assert last is not None  # the network verifies
    work = [last, *roots]
    live: set[Operation] = set()
    while work:
        at = work.pop()
        if at not in live:
            live.add(at)
            work += sources(at)  # 2
            work += owned_delays(at)  # 3
    return [inner for inner in block.ops if inner not in live]
