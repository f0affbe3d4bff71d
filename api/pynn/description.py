"""The network of a script as records, and the spikes of its sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...core.arrays.numeric import Ints
from ...simulation.signals import EventSignal
from .populations import numbers_of, parts
from .records import Cells, Matrix, Net, Source, Stdp, Synapses
from .sources import has_counts, spikes_of


def describe(state: Any, outputs: Sequence[str] | None = None) -> Net:
    """Returns the records of the network. `outputs` are labels of populations, by default all with neurons."""
    name_populations(state.populations)
    cells = tuple(
        Cells(one.label, one.size, type(one.celltype).__name__, numbers_of(one), one.v_init.copy())
        for one in state.populations
        if not one.is_source
    )
    sources = tuple(
        Source(one.label, one.size, has_counts(one, state.dt)) for one in state.populations if one.is_source
    )
    projections = tuple(part for one in state.projections for part in split(one))
    chosen = tuple(one.label for one in cells) if outputs is None else tuple(outputs)
    return Net(cells, sources, projections, chosen, state.dt)


def name_populations(populations: Sequence[Any]) -> None:
    """Makes the labels of populations unique: a later one with a label that exists gets its number."""
    seen: set[str] = set()
    for number, one in enumerate(populations):
        label = str(one.label)
        while label in seen:
            label = f"{label}_{number}"
        seen.add(label)
        one.label = label


def split(projection: Any) -> Iterator[Synapses | Matrix]:
    """Yields the synapses of a projection for each pair of populations that its groups of neurons consist of."""
    label, receptor = str(projection.label).replace("→", " to "), projection.receptor_type
    if projection.weights is not None:
        source, target = projection.pre.label, projection.post.label
        yield Matrix(label, source, target, receptor, projection.weights, projection.constant("delay"))
        return
    pre, post, weight, delay = projection.columns()
    rule: Stdp | None = projection.synapse_type.rule() if projection.learns else None
    for source, first, sources in spans(projection.pre):
        for target, start, targets in spans(projection.post):
            inside = (pre >= first) & (pre < first + len(sources)) & (post >= start) & (post < start + len(targets))
            if inside.any():
                own_pre, own_post = sources[pre[inside] - first], targets[post[inside] - start]
                yield Synapses(
                    label, source.label, target.label, receptor, own_pre, own_post, weight[inside], delay[inside], rule
                )


def spans(group: Any) -> Iterator[tuple[Any, int, Ints]]:
    """Yields each population of a group, the index of its first neuron in the group, and the indices of its neurons."""
    first = 0
    for population, index in parts(group):
        yield population, first, np.asarray(index, np.int64)
        first += len(index)


def inputs_of(state: Any, ticks: int) -> dict[str, EventSignal]:
    """Returns the spikes of all sources as inputs of the network."""
    found: dict[str, EventSignal] = {}
    for number, one in enumerate(state.populations):
        if one.is_source:
            spikes = spikes_of(one, number, ticks, state.seed, state.dt)
            value = spikes.count if has_counts(one, state.dt) else None
            found[one.label] = EventSignal(spikes.tick, spikes.index, value=value, shape=[one.size], ticks=ticks)
    return found


def records_variable(population: Any, name: str) -> bool:
    """Returns whether a variable of some neuron of a population is recorded."""
    given = population.recorder.recorded.items()
    return any(variable.name == name and ids for variable, ids in given)


def recorded_potentials(state: Any) -> list[str]:
    """Returns the names of the recorded potentials."""
    return [f"{one.label}.v" for one in state.populations if not one.is_source and records_variable(one, "v")]
