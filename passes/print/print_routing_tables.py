"""Prints the routing tables of a machine graph; the graph stays as it is.

    remark[MAP023]: routing tables of @net
      note: position (0, 0) of chip 0: 2 entries
      note:   0x00000000/0xfffffffe: link 3
      note:   0x00000004/0xfffffffe: processor 1

Errors: MCH017 a graph that is not routed; DEV023 no device is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...core.device.named_device import device_of
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, describe_op
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...core.routing.table import LINK_BITS, MOST_PROCESSORS
from ...dialects import machine
from ...dialects.machine.graph import routed_graphs

MAP023 = Code("MAP023", "routing-tables-printed", "the routing tables of a machine graph")


@dataclass(frozen=True)
class PrintRoutingTablesPass(NoptPass):
    """Prints the entries of the table of each router of each `machine.graph`, as a remark."""

    name = "print-routing-tables"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            at, message = describe_op(graph)[0], f"routing tables of @{graph.sym_name.data}"
            diagnostics_of(ctx).remark(MAP023, message, at=at, notes=list(table_lines(graph)))


def table_lines(graph: machine.GraphOp) -> Iterator[str]:
    """Yields a line for each table, then for each of its entries."""
    topology = topology_of(device_of(graph), len(graph.vertices))
    for position, op in sorted(graph.tables.items()):
        table = op.entries
        entries = f"{len(table)} entr{'y' if len(table) == 1 else 'ies'}"
        yield f"{topology.format_router(position * topology.slots)}: {entries}"
        for key, mask, route in zip(table.key.tolist(), table.mask.tolist(), table.route.tolist(), strict=True):
            yield f"  {key:#010x}/{mask:#010x}: {route_text(route)}"


def route_text(route: int) -> str:
    """Formats a route: `links 0, 3; processor 4`."""
    links = [str(k) for k in range(LINK_BITS) if route >> k & 1]
    processors = [str(k) for k in range(MOST_PROCESSORS) if route >> (LINK_BITS + k) & 1]
    parts = [
        f"{name}{'s' * (len(some) > 1)} {', '.join(some)}"
        for name, some in (("link", links), ("processor", processors))
        if some
    ]
    return "; ".join(parts) or "nowhere"
