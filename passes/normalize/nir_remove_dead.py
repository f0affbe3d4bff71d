"""Removes nodes that no output of the network depends on.

    %a = nir.linear "fc" %x …           =>    %a = nir.linear "fc" %x …
    %b = nir.lif "watched" %a …               nir.output %a
    nir.output %a

A node stays if

1. it is an output of the network, or `keep` lists it,
2. a node that stays reads it,
3. or it is in a nested graph that stays, and an output of that graph depends on it. A nested graph stays as a whole node: all its
   inputs and outputs stay. After `nir-flatten` nothing stays for that reason.

Inputs of the network stay, also unused ones.

Exactness: outputs, and the records of what stays, are the same, bit for bit, with one exception: the conversion to `ntensor` orders sums
of three or more operands by their surroundings, so a last bit can differ there (`docs/rationale/exactness.md`).

Errors: NRM001 a name in `keep` that no node has. Remarks: NRM002 removed populations, which can no longer be recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import nir
from .ntensor_remove_dead import remove_dead_ops


@dataclass(frozen=True)
class NirRemoveDeadPass(NoptPass):
    """Removes dead nodes of every `nir.graph`, nested ones included.

    Options:
        keep: nodes that stay with all that they depend on, `keep=lif1,"lif2.lif"`; default none. It takes the names that `--record` takes.
    """

    name = "nir-remove-dead"
    keep: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        graphs = [inner for inner in op.ops if isinstance(inner, nir.GraphOp)]
        remove_dead_ops(graphs, self.keep, self.name, diagnostics_of(ctx))
