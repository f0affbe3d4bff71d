"""Vertices that keep the core of an earlier mapping (`ntensor-keep-mapping`), and the refusal of cores that no longer hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from attrs import evolve

from ...analysis.placement.placement_problem import Problem, pins_array
from ...core.device.named_device import device_of
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, Finding, Refused, describe_op, quote_names, refuse_op
from ...core.help_text import Phrase
from ...core.number_texts import counted_text
from ...dialects import machine
from ...dialects.machine.kept_mapping import MACHINE_KEPT, WITHOUT_MAPPING, KeptMapping, cores_of_places, kept_places
from ._initial_placement import first_places

MAP030 = Code("MAP030", "kept-core-unsuitable", "a core no longer holds the vertices that it keeps")
MAP031 = Code("MAP031", "kept-cores-leave-no-room", "kept cores leave no room for other vertices")

Fault = tuple[str, int, str, str]
"""A vertex, its core, why it cannot be there, and what is expected."""


def kept_pins(graph: machine.GraphOp) -> dict[str, int]:
    """Returns the cores of the vertices of a partitioned graph that keep theirs. Errors: MAP030 the device has no such core."""
    if MACHINE_KEPT not in graph.attributes or graph.stage.data is not machine.Stage.PARTITIONED:
        return {}
    topology = topology_of(device_of(graph), len(graph.vertices))
    cores = cores_of_places(topology)
    found, faults = dict[str, int](), list[Fault]()
    for name, place in kept_places(graph):
        if (core := cores.get(place)) is not None:
            found[name] = core
        else:
            chip, x, y, slot = place
            where = f"chip {chip}, x {x}, y {y}" + (f", slot {slot}" if topology.slots > 1 else "")
            faults.append((name, -1, f"the device has no core at {where}", f"one of {topology.cores} cores"))
    if faults:
        refuse_kept(graph, faults)
    return found


def refuse_kept(graph: machine.GraphOp, faults: Sequence[Fault]) -> NoReturn:
    """Raises a finding for the first such vertex of each layer. Errors: MAP030."""
    kept, vertices, populations = kept_mapping(graph), graph.vertices, graph.populations
    first: dict[str, Fault] = {}
    for fault in faults:
        first.setdefault(vertices[fault[0]].source.data, fault)
    help = kept.move_help(first)
    raise Refused(
        *(
            Finding(
                MAP030,
                f'"{layer}" cannot keep its mapping of {kept.file}: {message}',
                at=f'{describe_op(populations.get(layer, graph))[0]}, vertex "{name}"',
                node=layer,
                expected=expected,
                found=f"core {core} of the earlier mapping" if core >= 0 else "a core of the earlier mapping",
                help=help,
            )
            for layer, (name, core, message, expected) in first.items()
        )
    )


def refuse_crowded(graph: machine.GraphOp, problem: Problem, kept: Mapping[str, int], pins: Mapping[str, int]) -> None:
    """Refuses vertices that fit on the device, but not with those that keep their cores. Errors: MAP031."""
    places = {name: k for k, name in enumerate(problem.vertices)}
    inputs = graph.inputs
    other = {places[name]: core for name, core in pins.items() if name not in kept}
    entries = {
        places[name]: int(problem.pin[places[name]])
        for name, one in graph.vertices.items()
        if one.source.data in inputs
    }
    free = evolve(problem, pin=pins_array(len(problem.vertices), entries | other))
    if not kept or first_places(free) is None:
        return
    mapping, count = kept_mapping(graph), int(problem.topology.is_usable.sum())
    moving = [
        one.source.data for name, one in graph.vertices.items() if name not in pins and one.source.data not in inputs
    ]
    layers = dict.fromkeys(one.source.data for name, one in graph.vertices.items() if name in kept)
    refuse_op(
        graph,
        MAP031,
        f"no room for {quote_names(dict.fromkeys(moving))} among the layers that keep the mapping of {mapping.file}",
        expected=f"cores with room for {counted_text(len(moving), 'vertex')}",
        found=f"{count - len({*kept.values()})} of {counted_text(count, 'core')} without a vertex that keeps its core",
        help=Phrase(
            WITHOUT_MAPPING,
            ", or ",
            mapping.move_help(layers),
        ),
    )


def kept_mapping(graph: machine.GraphOp) -> KeptMapping:
    """Returns the mapping that a graph keeps, which it has."""
    kept = KeptMapping.of(graph)
    assert kept is not None
    return kept
