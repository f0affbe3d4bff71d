"""Verification of the tables of a machine graph: a walk of the keys of every vertex through the tables of all routers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.device.topology import Topology, kind_of
from ...core.diagnostics import Code, invalid
from ...core.routing.walk import walk
from .mapping import EdgeOp, VertexOp
from .parts import verify_known
from .tables import MCH015, KeyOp, TableOp

MCH016 = Code(
    "MCH016", "routing-key-misses-core", "a key does not reach the cores of its targets, or reaches another core"
)


def first_processor(device: Device) -> int:
    """Returns the number of the processor of the first core of a position."""
    return device.whole("topology.torus.first_processor") or 0


def targets_of(edges: Sequence[EdgeOp], vertices: Mapping[str, VertexOp]) -> dict[str, Ints]:
    """Returns the cores that need the spikes of each vertex, sorted; of placed vertices."""
    found: dict[str, set[int]] = {}
    for edge in edges:
        if edge.axons.value.data and (core := vertices[edge.target.data].place) is not None:
            found.setdefault(edge.source.data, set()).add(core)
    return {name: np.array(sorted(cores), np.int64) for name, cores in found.items()}


def verify_tables(
    keys: Sequence[KeyOp],
    tables: Sequence[TableOp],
    edges: Sequence[EdgeOp],
    vertices: Mapping[str, VertexOp],
    topology: Topology,
    device: Device,
) -> None:
    """Refuses keys that overlap, and keys that do not reach exactly the cores of their targets. Errors: MCH001, MCH015, MCH016."""
    if not keys and not tables:
        return
    help = "make the tables again: machine-make-tables"
    if not topology.is_keyed:
        message, expected = (
            "routers of the device do not select routes by keys",
            "a kind of topology with keys: hex-torus",
        )
        invalid(
            (*keys, *tables)[0],
            MCH015,
            message,
            expected=expected,
            found=kind_of(device),
            help="remove keys and tables",
        )
    for op in keys:
        verify_known(op, "vertex", op.source.data, vertices)
        if (most := vertices[op.source.data].neurons) > op.size:
            expected = f"{most} keys, one for each neuron"
            invalid(op, MCH015, "a block of keys is too small", expected=expected, found=f"{op.size}", help=help)
    verify_apart(keys, help)
    for op in tables:
        if op.position.value.data >= topology.positions:
            expected, found = f"positions 0 to {topology.positions - 1}", str(op.position.value.data)
            invalid(op, MCH015, "the device has no such router", expected=expected, found=found, help=help)
    targets, held = targets_of(edges, vertices), {op.source.data: op for op in keys}
    for name in targets:
        if name not in held:
            expected = "a block of keys for each vertex with targets"
            invalid(vertices[name], MCH015, "the vertex has no keys", expected=expected, found="none", help=help)
    names = list(held)
    key, mask = (
        np.array([getattr(held[name], part).value.data for name in names], np.int64) for part in ("key", "mask")
    )
    place = np.array([vertices[name].place for name in names], np.int64) // topology.slots
    found = walk({op.position.value.data: op.entries for op in tables}, topology.neighbours, key, mask, place)
    if (fault := found.fault) is not None:
        router = topology.format_router(fault.position * topology.slots)
        expected = "a path to the core of each target"
        invalid(held[names[fault.block]], MCH016, fault.message, expected=expected, found=f"at {router}", help=help)
    slot = found.processor - first_processor(device)
    if len(out := np.flatnonzero((slot < 0) | (slot >= topology.slots))):
        k = int(out[0])
        router = topology.format_router(int(found.position[k]) * topology.slots)
        first = first_processor(device)
        expected = f"processors {first} to {first + topology.slots - 1} of {router}"
        message = "a key reaches a processor without a core"
        invalid(
            held[names[int(found.block[k])]],
            MCH016,
            message,
            expected=expected,
            found=f"processor {int(found.processor[k])}",
            help=help,
        )
    reached = found.position * topology.slots + slot
    starts = np.searchsorted(found.block, np.arange(len(names) + 1))
    for k, name in enumerate(names):
        mine, wanted = reached[starts[k] : starts[k + 1]], targets.get(name, np.zeros(0, np.int64))
        if not np.array_equal(mine, wanted):
            only = np.setxor1d(mine, wanted)
            core = int(only[0])
            message = "a key reaches a core without its targets" if core in mine else "a key does not reach a target"
            where = topology.format_core(core) if core < topology.cores else f"core {core}"
            invalid(held[name], MCH016, message, expected=f"{len(wanted)} cores", found=where, help=help)


def verify_apart(keys: Sequence[KeyOp], help: str) -> None:
    """Refuses blocks with common keys. Errors: MCH015."""
    ordered = sorted(keys, key=lambda op: op.key.value.data)
    for first, second in pairwise(ordered):
        end = first.key.value.data + first.size
        if second.key.value.data < end:
            expected = f"keys from {end:#x}, above those of {first.source.data}"
            invalid(
                second,
                MCH015,
                "two vertices have common keys",
                expected=expected,
                found=f"{second.key.value.data:#x}",
                help=help,
            )
