"""Crossbars of a routed machine graph: the axons of each core with their types, and the synapses of its neurons.

1. A core has an axon for each source neuron and line (`dialects/chip_base/lines.py`): its delay, and the type of its axon.
2. Axons without types get one by graph colouring (`analysis/axon_types.py`).

Errors: TRN009 a core needs more types than it has.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from ...analysis.axon_types import colour_axons
from ...core.arrays.numeric import Ints
from ...core.arrays.unique_rows import unique_rows
from ...core.device.records import Device
from ...core.diagnostics import Code, refuse
from ...dialects import machine
from ...dialects.chip_base.chains import Chain
from ...dialects.chip_base.lines import LineSynapses, ranked_chains

TRN009 = Code("TRN009", "core-axon-types-exceeded", "the weights of a core need more types of axons than it has")


@frozen(eq=False)
class Crossbar:
    """The axons and neurons of a core.

    Shapes: source (an index of inputs and populations), neuron (flat) and delay [axons]; types [axons]; switches [neurons, axons];
    weights [neurons, types]. Units: delay [ticks].
    """

    source: Ints
    neuron: Ints
    delay: Ints
    types: Ints
    switches: Ints
    weights: Ints


class CrossbarBuilder:
    """Builder of the crossbars of a graph."""

    def __init__(self, graph: machine.GraphOp, device: Device):
        self.graph, self.device = graph, device
        self.populations = graph.populations
        self.sources = [*graph.inputs, *self.populations]
        self.synapses: dict[str, list[tuple[int, LineSynapses]]] = {}
        """By population: the index of the source and the synapses of each projection."""
        chains = {name: (one.source.data, Chain(tuple(one.steps))) for name, one in graph.projections.items()}
        for name, population in self.populations.items():
            given = [chains[one] for one in population.projections]
            ranked = ranked_chains([(source, chain.line_synapses) for source, chain in given])
            self.synapses[name] = [(self.sources.index(source), one) for source, one in ranked]

    def crossbar(self, core: int, groups: list[tuple[str, Ints]]) -> Crossbar:
        """Returns the crossbar of a core; `groups` are its populations with the flat indices of their neurons. Errors: TRN009."""
        columns: list[Ints] = []
        first = 0
        for name, own in groups:
            place = np.full(self.size(name), -1, np.int64)
            place[own] = first + np.arange(len(own))
            for source, one in self.synapses[name]:
                used = (place[one.target] >= 0) & (one.weight != 0)
                some = one.chosen(np.flatnonzero(used))
                key = [np.full(len(some.source), source), some.source, some.delay, some.type, some.rank]
                columns.append(np.stack([*key, place[some.target], some.weight], axis=1))
            first += len(own)
        table = np.concatenate([np.zeros((0, 7), np.int64), *columns]).astype(np.int64)
        axons, axon = unique_rows(table[:, :5])
        matrix = np.zeros((first, len(axons)), np.int64)
        matrix[table[:, 5], axon] = table[:, 6]
        types = colour_axons(matrix, axons[:, 3])
        names = [name for name, _ in groups]
        limit = self.device.integer("core.crossbar.axon_types")
        count = int(types.max(initial=0)) + 1
        if limit is not None and count > limit:
            path = "core.crossbar.axon_types"
            refuse(
                TRN009,
                at=f"core {core}, which serves {', '.join(names)}",
                node=names[0] if len(names) == 1 else None,
                expected=f"at most {limit} types, a weight of each neuron for each",
                found=f"{count} types",
                **self.device.limit_facts(path, count, limit),
                help="ntensor-fit-axon-types",
            )
        weights = np.zeros((first, limit or count), np.int64)
        row, column = np.nonzero(matrix)
        weights[row, types[column]] = matrix[row, column]
        return Crossbar(axons[:, 0], axons[:, 1], axons[:, 2], types, (matrix != 0).astype(np.int8), weights)

    def size(self, name: str) -> int:
        return machine.size_of(self.populations[name].type)
