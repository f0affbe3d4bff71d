"""Numbers of channels, hidden neurons and output neurons.

1. Channels are numbered by input, then by entry.
2. Populations of single spikes become output neurons if only outputs of the network read them, and if they read hidden neurons alone through one
   current. Those with thresholds below 16384 come first, as hidden neurons would send several spikes.
3. Hidden neurons are numbered by population. The sources of a population have the order of its sums, as far as all populations agree.
4. Populations that read inputs come first, and those that reach output neurons last, as input and output expansion require.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from attrs import frozen

from ...analysis.core_tables import Part
from ...core.arrays.arrays import ArrayAttr
from ...core.device.records import Device
from ...core.ir.operation import element_type
from ...dialects import machine
from ...dialects.ntensor import interval_of
from ...dialects.xylo import LARGEST

Registers = Mapping[str, Mapping[str, ArrayAttr]]


@frozen
class Numbering:
    """The number of the first entry or neuron of each input and population."""

    channels: Mapping[str, int]
    hidden: Mapping[str, int]
    outputs: Mapping[str, int]
    count_channels: int


def number_neurons(graph: machine.GraphOp, parts: Sequence[Part], registers: Registers, device: Device) -> Numbering:
    """Returns the numbers of a graph."""
    sizes = {name: machine.size_of(one.type) for name, one in (*graph.inputs.items(), *graph.populations.items())}
    outputs = readout_populations(graph, parts, registers, sizes, device.integer("features.output_neurons"))
    hidden = order_hidden(graph, parts, outputs, sizes, device)
    return Numbering(
        cumulated(graph.inputs, sizes),
        cumulated(hidden, sizes),
        cumulated(outputs, sizes),
        sum(sizes[name] for name in graph.inputs),
    )


def cumulated(names: Iterable[str], sizes: Mapping[str, int]) -> dict[str, int]:
    found, first = dict[str, int](), 0
    for name in names:
        found[name] = first
        first += sizes[name]
    return found


def readout_populations(
    graph: machine.GraphOp, parts: Sequence[Part], registers: Registers, sizes: Mapping[str, int], room: int | None
) -> list[str]:
    """Returns the populations of output neurons, in the order of the graph."""  # 2
    read = {part.projection.source.data for part in parts}
    sources: dict[str, set[str]] = {}
    for part in parts:
        sources.setdefault(part.vertex.source.data, set()).add(part.projection.source.data)
    second = {part.vertex.source.data for part in parts if part.port}
    wanted = {output.source.data for output in graph.outputs.values()}
    inputs, populations = graph.inputs, graph.populations

    def can_be(name: str) -> bool:
        held = interval_of(element_type(populations[name].type))
        is_single = held is not None and held.high == 1
        given = sources.get(name, set())
        is_reached = bool(given) and given.isdisjoint(inputs)
        return name in wanted and name not in read and name not in second and is_single and is_reached

    candidates = [name for name in populations if can_be(name)]
    least = {name: int(registers[name]["threshold"].values.min(initial=LARGEST)) for name in candidates}
    chosen, used = set[str](), 0
    for name in sorted(candidates, key=lambda name: 2 * least[name] > LARGEST):
        if room is None or used + sizes[name] <= room:
            chosen.add(name)
            used += sizes[name]
    return [name for name in populations if name in chosen]


def order_hidden(
    graph: machine.GraphOp, parts: Sequence[Part], outputs: Sequence[str], sizes: Mapping[str, int], device: Device
) -> list[str]:
    """Returns the hidden populations in the order of their numbers."""  # 3, 4
    inputs, names = graph.inputs, [name for name in graph.populations if name not in outputs]
    reads = {part.vertex.source.data for part in parts if part.projection.source.data in inputs}
    sends = {part.projection.source.data for part in parts if part.vertex.source.data in outputs}
    before: dict[str, set[str]] = {name: set() for name in names}
    sums: dict[tuple[str, int], list[str]] = {}
    for part in parts:
        source = part.projection.source.data
        listed = sums.setdefault((part.vertex.node.data, part.port), [])
        if source in before and source not in listed:
            listed.append(source)
    for listed in sums.values():
        for k, name in enumerate(listed):
            before[name] |= set(listed[:k])
    found: list[str] = []
    for classes in ((0, 1, 2, 3), (0, 2, 1, 3)):
        rank = {name: classes.index(class_of(name, reads, sends)) for name in names}
        found = sorted_by(names, before, rank)
        if fits(found, reads, sends, sizes, device):
            break
    return found


def class_of(name: str, reads: set[str], sends: set[str]) -> int:
    """Returns the class of a population: 0 reads inputs, 1 reads inputs and reaches outputs, 2 neither, 3 reaches outputs."""
    if name in reads:
        return 1 if name in sends else 0
    return 3 if name in sends else 2


def sorted_by(names: Sequence[str], before: Mapping[str, set[str]], rank: Mapping[str, int]) -> list[str]:
    """Returns names in a topological order, the lowest rank first; a cycle is broken at the first name in the given order."""
    left, found = list(names), list[str]()
    while left:
        free = [name for name in left if before[name].isdisjoint(set(left) - {name})] or left[:1]
        chosen = min(free, key=lambda name: (rank[name], left.index(name)))
        found.append(chosen)
        left.remove(chosen)
    return found


def fits(order: Sequence[str], reads: set[str], sends: set[str], sizes: Mapping[str, int], device: Device) -> bool:
    """Returns whether inputs and outputs reach the expansions of the device alone."""
    first = cumulated(order, sizes)
    total = int(np.sum([sizes[name] for name in order], dtype=np.int64))
    last = max((first[name] + sizes[name] for name in order if name in reads), default=0)
    start = min((first[name] for name in order if name in sends), default=total)
    inputs, outputs = (device.integer(f"features.{kind}_expansion") for kind in ("input", "output"))
    return (inputs is None or last <= inputs) and (outputs is None or total - start <= outputs)
