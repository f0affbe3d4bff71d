"""Assigns each vertex a block of keys, and each router a compressed table; for topologies whose routers select routes by keys.

    machine.graph @net {stage = routed}   =>    {stage = routed, machine.tabled = {entries = 40, most = 12, original = 97}}
                                                machine.key "lif1/0" {key = 128, mask = 4294967168}
                                                machine.table 0 {key = […], mask = […], route = […]}

1. Keys are allocated (`analysis/routing_tables.py`): a block for each vertex, contiguous for each population.
2. Each router has an entry for each vertex whose spikes pass it. Entries whose packets go straight on need none.
3. Tables are compressed (`core/routing/compression.py`): no key of a vertex changes its route. A key that does not come by a router can get any route there.

The verifier of the graph then sends the keys of every vertex through all tables. `machine.tabled` holds the entries of all tables, those of the largest
table, and the entries before compression.

Errors: MCH017 a graph that is not routed; MAP011 a topology without keys; MAP012 more keys than packets distinguish; MAP013 more entries than a table holds; MAP014 more
processors than a route has bits for; DEV023 no device is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.routing_tables import allocate_keys, router_entries
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.device.topology import Topology, kind_of, topology_of
from ...core.diagnostics import Code, refuse_op
from ...core.help_text import Phrase, WithoutPass
from ...core.ir.pipeline import NoptPass
from ...core.routing.compression import compress
from ...core.routing.table import KEY_BITS, MOST_PROCESSORS, Table
from ...dialects import machine
from ...dialects.machine.graph import routed_graphs
from ..pipelines import plan_with

MAP011 = Code("MAP011", "routing-keys-unsupported", "routers of the device do not select routes by keys")
MAP012 = Code("MAP012", "routing-keys-exhausted", "the vertices need more keys than there are")
MAP013 = Code("MAP013", "routing-table-full", "a routing table needs more entries than it holds")
MAP014 = Code("MAP014", "router-processors-exceed-route", "a router has more processors than a route has bits for")

KEY_BITS_FIELD = "topology.torus.key_bits"
ENTRIES = "topology.routers.entries"


@dataclass(frozen=True)
class MachineMakeTablesPass(NoptPass):
    """Makes keys and tables of every `machine.graph`; of one that has some, anew."""

    name = "machine-make-tables"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            make_tables(graph)


def make_tables(graph: machine.GraphOp) -> None:
    """Adds keys and tables to a routed graph. Errors: MAP011, MAP012, MAP013, MAP014, DEV023."""
    device = device_of(graph)
    topology = topology_of(device, len(graph.vertices))
    verify_topology(graph, device, topology)
    keys = allocate_keys(graph)  # 1
    verify_keys(graph, device, keys.end)
    original = router_entries(graph, keys)  # 2
    most = device.integer(ENTRIES)
    made = {position: compress(one.table, one.is_default, most) for position, one in original.items()}  # 3
    verify_size(graph, device, topology, made)
    for old in (*graph.keys.values(), *graph.tables.values()):
        Rewriter.erase_op(old)
    ops: list[machine.KeyOp | machine.TableOp] = [
        machine.KeyOp(*one) for one in zip(keys.names, keys.key.tolist(), keys.mask.tolist(), strict=True)
    ]
    ops += [machine.TableOp(position, table) for position, table in made.items() if len(table)]
    Rewriter.insert_op(ops, InsertPoint.at_end(graph.body.block))
    sizes = [len(table) for table in made.values()]
    counts = {
        "entries": sum(sizes),
        "most": max(sizes, default=0),
        "original": sum(len(one.table) for one in original.values()),
    }
    graph.attributes[machine.MACHINE_TABLED] = machine.number_dictionary(counts)


def verify_topology(graph: machine.GraphOp, device: Device, topology: Topology) -> None:
    """Refuses a device without keys. Errors: MAP011, MAP014."""
    if not topology.is_keyed:
        help = Phrase(WithoutPass("machine-make-tables"))
        refuse_op(graph, MAP011, expected="a topology with keys: hex-torus", found=kind_of(device), help=help)
    if (count := machine.first_processor(device) + topology.slots) > MOST_PROCESSORS:
        expected = f"at most {MOST_PROCESSORS} processors at each position"
        refuse_op(graph, MAP014, expected=expected, found=f"{count}", help="a device with fewer cores at each position")


def verify_keys(graph: machine.GraphOp, device: Device, needed: int) -> None:
    """Refuses more keys than packets distinguish. Errors: MAP012."""
    bits = device.integer(KEY_BITS_FIELD)
    most = 2 ** (KEY_BITS if bits is None else bits)
    if needed > most:
        refuse_op(
            graph,
            MAP012,
            expected=f"at most {most} keys",
            found=f"{needed} keys",
            source=None if bits is None else device.cite(KEY_BITS_FIELD),
            path=KEY_BITS_FIELD,
            limit=most,
            value=needed,
            help="a network with fewer or smaller populations, whose neurons need fewer keys",
        )


def verify_size(graph: machine.GraphOp, device: Device, topology: Topology, tables: Mapping[int, Table]) -> None:
    """Refuses a table with more entries than a router holds. Errors: MAP013."""
    if (most := device.integer(ENTRIES)) is None or not tables:
        return
    position = max(tables, key=lambda one: len(tables[one]))
    if (found := len(tables[position])) > most:
        router = topology.format_router(position * topology.slots)
        refuse_op(
            graph,
            MAP013,
            f"the table of the router of {router} needs more entries than it holds",
            expected=f"at most {most} entries after compression",
            found=f"{found} entries",
            **device.limit_facts(ENTRIES, found, most),
            help=plan_with(device, {ENTRIES: found}),
        )
