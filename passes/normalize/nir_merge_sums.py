"""Makes one sum of sums of sums: an edge is an edge, however many hands it went through.

    %s = nir.sum %a, %b                =>    %t = nir.sum %a, %b, %c
    %t = nir.sum %s, %c

1. The inner sum gives what the outer one gives: values of the same shape.
2. Only the outer sum reads the inner one; else its additions would be done twice.
3. Some sum at the end of them is read by something else. A circle of sums that read only each other stays.

Exactness: NIR adds the edges of a node in no order, so the network is the same. Its order is chosen by the conversion to
`ntensor`, by structure: where three or more edges come together, it may add them in another order than before, and a last bit may
differ. A remark says where. Two operands have no order. `ntensor-merge-sums` keeps every bit.

Remarks: NMS001 a sum of three and more.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ...core.context import diagnostics_of
from ...core.diagnostics import Code, Diagnostics
from ...core.pipeline import NoptPass
from ...core.source import place_text
from ...dialects import nir

NMS001 = Code(
    "NMS001",
    "the order of a sum may change",
    cause="Several sums became one of three or more operands. The conversion to `ntensor` chooses their order by structure; before, "
    "the nesting of the sums decided part of it. In floating point the last bits depend on the order.",
    remedy="Nothing, if last bits do not matter; else convert first and use `ntensor-merge-sums`, which keeps every bit.",
)


@dataclass(frozen=True)
class NirMergeSumsPass(NoptPass):
    """Merges the sums of every `nir.graph`, nested ones included."""

    name = "nir-merge-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        sums = [inner for inner in op.walk() if isinstance(inner, nir.SumOp)]
        gone: set[nir.SumOp] = set()
        for outer in sums:
            if outer in gone or reader_of(outer) is not None:  # 3
                continue
            xs: list[SSAValue] = []
            work = list(outer.xs)[::-1]
            merged: list[nir.SumOp] = []
            while work:
                x = work.pop()
                inner = x.owner
                if isinstance(inner, nir.SumOp) and reader_of(inner) is not None:
                    merged.append(inner)
                    work += list(inner.xs)[::-1]
                else:
                    xs.append(x)
            if not merged:
                continue
            outer.operands = xs
            for inner in merged:  # each after its reader, so nobody reads it any more
                Rewriter.erase_op(inner)
            gone.update(merged)
            if len(xs) > 2:
                remark_order(outer, diagnostics_of(ctx))


def reader_of(inner: nir.SumOp) -> nir.SumOp | None:
    """The sum that a sum can become a part of."""
    use = inner.y.get_unique_use()  # 2
    reader = None if use is None else use.operation
    if not isinstance(reader, nir.SumOp) or reader.y.type != inner.y.type:  # 1
        return None
    return reader


def remark_order(outer: nir.SumOp, diagnostics: Diagnostics) -> None:
    """Says which sum has operands enough to have an order."""
    reader = next((use.operation for use in outer.y.uses if isinstance(use.operation, nir.NodeOp)), None)
    name = reader.node.data if reader is not None else None
    file = outer.location.filename.data if isinstance(outer.location, FileLineColLoc) else "FILE"
    diagnostics.remark(
        NMS001,
        "the order of a sum may change",
        at="nir.sum" + (f' before "{name}"' if name is not None else ""),
        node=name,
        place=place_text(outer.location),
        expected="at most 2 operands, which have no order",
        found=f"{len(outer.xs)} operands",
        help=f"nopt {file} -p 'convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},ntensor-merge-sums' keeps every bit",
    )
