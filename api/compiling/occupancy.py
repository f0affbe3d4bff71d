"""Use of the cores and links of a device by a mapped network: `occupancy`, `links` and `projections` of `mapping` in the record `nopt.report/1`.

A chip that computes layers has no mapping; the record `units` has the uses of its cores, processors or arrays.

    "occupancy": [{"core": 7, "chip": 0, "x": 1, "y": 1, "vertices": ["lif1/0"], "uses": [
        {"quantity": "neurons", "used": 38, "limit": 256, "fields": ["core.neurons"]},
        {"quantity": "synapse_bytes", "used": 1368, "limit": 524288, "fields": ["core.memory.synapses.bytes"]}, …]}, …],
    "links": {"loads": [{"link": [0, 0, 1, 0], "load": 12.0}, …], "total": 24.0,
              "busiest": {"link": [0, 0, 1, 0], "name": "(0, 0) to (1, 0)", "load": 12.0, "sources": ["input/0"]}},
    "projections": [{"projection": "fc1", "target": "lif1", "synapses": 456, "weight_bits": 8, "bytes": 456,
                     "formats": [{"format": "dense8", "layout": "dense", "vertices": 1, "bytes": 456}, {"format": "sparse8", …}]}, …]

A core uses the sum of the needs of its vertices, their union for input axons and classes, or their maximum for a need of one neuron (fan-in,
delay). The limit is null if the device specifies none. Memory follows `memory_limits`: contents that can be stored in the same region share its bytes.

Each vertex stores a projection in the format with the least memory. `bytes` of a format is its memory for all vertices of the projection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.device.core_kinds import kind_at, kinds_of, path_in_kind
from ...core.device.device import Device
from ...core.device.features import LIMITS
from ...core.device.limits import ADDED, JOINED, class_limits, memory_limits
from ...core.device.outside_memory import CONTENTS, STORE, WHOLE_MEMORY, OutsideUse, outside_uses
from ...core.device.topology import Topology, topology_of
from ...dialects import machine
from ...dialects.chip_base.formats import memory_of_formats
from ...dialects.chip_base.user import ResourceUserOpInterface
from .mapping import place_fields

ALWAYS = ("neurons", "synapses", "input_axons", "output_axons")
"""Quantities that are reported without a limit, too."""


# ---- cores


def occupancy(graph: machine.GraphOp, device: Device) -> list[dict[str, Any]]:
    """Returns the use of each core that computes neurons, in the order of the cores."""
    topology = topology_of(device, len(graph.vertices))
    cores = graph.vertices_by_core()
    rows: list[dict[str, Any]] = []
    for core, uses in core_uses(graph, device).items():
        rows.append(
            {
                "core": core % topology.own,
                **place_fields(topology, core),
                "vertices": cores[core],
                "uses": uses,
            }
        )
    return rows


def core_uses(graph: machine.GraphOp, device: Device) -> dict[int, list[dict[str, Any]]]:
    """Returns the uses of each core: neurons, synapses, axons, memory, and all other limits of the device."""
    topology, kinds = topology_of(device, len(graph.vertices)), kinds_of(device)
    found: dict[int, list[dict[str, Any]]] = {}
    for core, needs in sorted(graph.core_needs(device).items()):
        kind = kind_at(device, core, topology.own)
        found[core] = uses_of_needs(kinds[kind], needs)
        for use in found[core]:
            use["fields"] = [path_in_kind(device, kind, path) for path in use["fields"]]
    return found


def uses_outside(graph: machine.GraphOp, device: Device) -> list[OutsideUse]:
    """Returns the use of memory outside of the cores, by chip."""
    topology, needs = topology_of(device, len(graph.vertices)), graph.core_needs(device)
    return outside_uses(device, needs, {core: topology.place(core)[0] for core in needs})


def store_rows(graph: machine.GraphOp, device: Device) -> list[dict[str, Any]]:
    """Returns the use of memory outside of the cores for the report."""
    return [
        {"chip": one.chip, "used": one.used, "limit": one.limit.room, "fields": [*one.limit.paths]}
        for one in uses_outside(graph, device)
    ]


def unit_rows(module: ModuleOp, device: Device) -> list[dict[str, Any]] | None:
    """Returns the layers and the uses of each unit of a chip that computes layers: its cores, processors or arrays. None for other chips."""
    rows: list[dict[str, Any]] = []
    kinds, own = kinds_of(device), topology_of(device).own
    for op in module.walk():
        if isinstance(op, ResourceUserOpInterface) and (unit := op.unit()) is not None:
            name, core = unit
            kind = kind_at(device, 0 if core is None else core, own)
            uses = uses_of_needs(kinds[kind], op.quantities(device))
            for use in uses:
                use["fields"] = [path_in_kind(device, kind, path) for path in use["fields"]]
            rows.append({"unit": name, "layers": [*op.layers()], "uses": uses})
    return rows or None


def uses_of_needs(device: Device, total: Mapping[str, int]) -> list[dict[str, Any]]:
    """Returns the resource uses of one core, from the total needs of its vertices."""
    rows = [use_of(device, name, total[name]) for name in ALWAYS if name in total]
    rows += memory_uses(device, total)
    for name, n in total.items():
        if (
            name not in (*ADDED, JOINED)
            and not name.startswith(STORE)
            and (row := use_of(device, name, n))["limit"] is not None
        ):
            rows.append(row)
    return rows


def use_of(device: Device, name: str, used: int) -> dict[str, Any]:
    """Returns the use of a quantity, with the limiting device field if one exists."""
    kind, _, group = name.partition(".")
    path = class_limits(device).get(group) if kind == "classes" else LIMITS.get(name)
    return {
        "quantity": name,
        "used": used,
        "limit": None if path is None else device.integer(path),
        "fields": [] if path is None else [path],
    }


def memory_uses(device: Device, total: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """Yields the total bytes of all known contents, then the bytes of each set of contents that share regions."""
    known = {need: total[need] for need in CONTENTS if need in total}
    if not known:
        return
    limits = list(memory_limits(device))
    whole = next((room for paths, _, room in limits if paths == [WHOLE_MEMORY]), None)
    fields: list[str] = [] if whole is None else [WHOLE_MEMORY]
    yield {"quantity": "memory_bytes", "used": sum(known.values()), "limit": whole, "fields": fields}
    regions = {tuple(some): (paths, room) for paths, some, room in limits if paths != [WHOLE_MEMORY]}
    named: set[str] = set()
    for some, (paths, room) in largest_sets(regions).items():
        if held := [need for need in some if need in known]:
            named |= {*held}
            used = sum(known[need] for need in held)
            yield {"quantity": "+".join(held), "used": used, "limit": room, "fields": paths}
    for need in known:
        if need not in named:
            yield {"quantity": need, "used": known[need], "limit": None, "fields": []}


def largest_sets(
    regions: Mapping[tuple[str, ...], tuple[list[str], int]],
) -> dict[tuple[str, ...], tuple[list[str], int]]:
    """Returns the sets of contents whose limits are not implied by other limits.

    1. A larger set with the same regions implies the limit of a set.
    2. Two parts of a set without a common region imply the limit of the set.
    """
    kept: dict[tuple[str, ...], tuple[list[str], int]] = {}
    for some, (paths, room) in regions.items():
        has_larger = any({*some} < {*other} and paths == fields for other, (fields, _) in regions.items())
        parts = [part for n in range(1, len(some)) for part in combinations(some, n)]
        is_divided = any(
            part in regions
            and (rest := tuple(need for need in some if need not in part)) in regions
            and not {*regions[part][0]} & {*regions[rest][0]}
            for part in parts
        )
        if not has_larger and not is_divided:
            kept[some] = (paths, room)
    return kept


# ---- synapses


def projection_rows(graph: machine.GraphOp, device: Device) -> list[dict[str, Any]]:
    """Returns the memory of each projection in each suitable format of the device, and the number of vertices that use the format.

    Projections whose memory the device does not specify are left out.
    """
    counts, rows = graph.counts(), list[dict[str, Any]]()
    layouts = device.synapse.formats if device.synapse is not None else {}
    for name, population in graph.populations.items():
        for projection, one in zip(population.projections, counts.arrivals[name].chains, strict=True):
            known = memory_of_formats(one, counts.slices[name].sizes, device)
            if not known or not one.synapses.any():
                continue
            bits, is_used = np.stack([*known.values()]), one.slice_synapses > 0
            chosen = bits.argmin(axis=0)
            formats = [
                {
                    "format": format,
                    "layout": layouts[format].layout,
                    "vertices": int(((chosen == k) & is_used).sum()),
                    "bytes": -(-int(bits[k].sum()) // 8),
                }
                for k, format in enumerate(known)
            ]
            row = {
                "projection": projection,
                "target": name,
                "synapses": int(one.synapses.sum()),
                "weight_bits": one.weight_bits,
                "bytes": -(-int(bits.min(axis=0).sum()) // 8),
                "formats": formats,
            }
            rows.append(row)
    return rows


def storage_text(row: dict[str, Any]) -> str:
    """Returns a line about the formats of a projection, with the least memory in each other layout (in every layout if several formats are used)."""
    used = [one["format"] for one in row["formats"] if one["vertices"]]
    layouts = {one["layout"] for one in row["formats"] if used == [one["format"]]}
    least: dict[str, dict[str, Any]] = {}
    for one in sorted(row["formats"], key=lambda one: one["bytes"]):
        if one["layout"] not in layouts:
            least.setdefault(one["layout"], one)
    others = [f"{one['format']} alone {one['bytes']}" for one in least.values()]
    return f'synapses of "{row["projection"]}": {" and ".join(used)}, {row["bytes"]} bytes' + (
        f" ({', '.join(others)})" if others else ""
    )


# ---- links


def link_loads(routes: Sequence[Mapping[str, Any]], topology: Topology) -> dict[str, Any]:
    """Returns the events per tick on each used link, and the busiest link with the source vertices of its spikes.

    `routes` are those of `nopt.mapping/1`. Of equally loaded links, the first in the order of the list is the busiest.
    """
    loads: dict[tuple[int, ...], float] = {}
    users: dict[tuple[int, ...], dict[str, None]] = {}
    for route in routes:
        for link in map(tuple, route["links"]):
            loads[link] = loads.get(link, 0.0) + route["activity"]
            users.setdefault(link, {})[route["source"]] = None
    busiest = max(sorted(loads), key=lambda link: loads[link], default=None)
    return {
        "loads": [{"link": [*link], "load": loads[link]} for link in sorted(loads)],
        "total": sum(loads[link] for link in sorted(loads)),
        "busiest": None
        if busiest is None
        else {
            "link": [*busiest],
            "name": topology.format_link(np.array(busiest)),
            "load": loads[busiest],
            "sources": [*users[busiest]],
        },
    }
