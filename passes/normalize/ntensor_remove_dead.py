"""Removes ops that no output of the network depends on, and updates without a user.

    %y = ntensor.neuron "watched" @lif(%x) …    =>    nothing, where no output depends on %y

An op stays if

1. it is an output of the network, or `keep` lists it,
2. an op that stays reads it,
3. or it is a delay that is part of an op that stays: the output of that node, in records, is the output of the delay.

Inputs of the network stay, also unused ones. An update stays if any op of the module names it.

Exactness: outputs, and the records of what stays, are the same bit for bit.

Errors: NRM001 a name in `keep` that no node has. Remarks: NRM002 removed populations, which can no longer be recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import ntensor
from ...dialects.ntensor.network import erase_unused_updates
from ._liveness import remove_dead_ops


@dataclass(frozen=True)
class NtensorRemoveDeadPass(NoptPass):
    """Removes dead ops of every `ntensor.network`.

    Options:
        keep: nodes that stay with all that they depend on, `keep=lif1,"lif2.lif"`; default none. It takes the names that `--record` takes.
    """

    name = "ntensor-remove-dead"
    keep: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        networks = [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]
        if not networks:
            return
        remove_dead_ops(networks, self.keep, self.name, diagnostics_of(ctx))
        erase_unused_updates(op, ntensor.find_updates(op).values())
