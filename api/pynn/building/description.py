"""The network of a script as records, and the spikes of its sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from ....core.arrays.numeric import Ints, Reals
from ....simulation.signals import EventSignal
from ..models.currents import currents_of
from ..models.sources import has_counts, key_of, spikes_of
from ..models.synapses import TsodyksMarkramSynapse, refuse_rule
from ..populations import parameter_arrays, parts
from ..projections import DELAY, POST, PRE, WEIGHT
from .records import EXCITATORY, INHIBITORY, Cells, Matrix, Net, Rule, Source, Synapses

MOST_RULES = 64
"""Largest number of sets of numbers of the rule of a projection: each is a synapse op of its own."""


def describe(state: Any, outputs: Sequence[str] | None = None) -> Net:
    """Returns the records of the network. `outputs` are labels of populations, by default all with neurons."""
    name_populations(state.populations)
    cells = tuple(
        Cells(
            one.label,
            one.size,
            type(one.celltype).__name__,
            parameter_arrays(one),
            copies(one.initial),
            is_injected(state, one),
        )
        for one in state.populations
        if not one.is_source
    )
    sources = tuple(
        Source(one.label, one.size, has_counts(one, state.dt)) for one in state.populations if one.is_source
    )
    projections = tuple(part for number, one in enumerate(state.projections) for part in split(one, number))
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


def split(projection: Any, owner: int) -> Iterator[Synapses | Matrix]:
    """Yields the synapses of a projection for each pair of populations that its groups of neurons consist of, and for each set of numbers of its rule. Errors: PYN006."""
    label, receptor = str(projection.label).replace("→", " to "), projection.receptor_type
    if projection.weights is not None:
        source, target = projection.pre.label, projection.post.label
        yield Matrix(label, source, target, receptor, projection.weights, projection.constant("delay"))
        return
    columns = projection.columns()
    pre, post, weight, delay = (columns[name] for name in (PRE, POST, WEIGHT, DELAY))
    for source, first, sources in spans(projection.pre):
        for target, start, targets in spans(projection.post):
            inside = (pre >= first) & (pre < first + len(sources)) & (post >= start) & (post < start + len(targets))
            number = np.flatnonzero(inside)
            if not number.size:
                continue
            own_pre, own_post = sources[pre[number] - first], targets[post[number] - start]
            given = label, source.label, target.label, receptor
            if not projection.has_rule:
                yield Synapses(*given, own_pre, own_post, weight[number], delay[number])
                continue
            for at, rule in rules_of(projection, number, target, own_post):
                require_bounds(label, rule, weight[number[at]])
                chosen = own_pre[at], own_post[at], weight[number[at]], delay[number[at]]
                yield Synapses(*given, *chosen, rule, owner, number[at])


def rules_of(projection: Any, number: Ints, target: Any, post: Ints) -> Iterator[tuple[Ints, Rule]]:
    """Yields the places of synapses with one set of numbers, and their rule. `post` are their neurons in the target. Errors: PYN006."""
    columns, synapse = projection.columns(), projection.synapse_type
    names = synapse.rule_parameters
    receptor = {EXCITATORY: "tau_syn_E", INHIBITORY: "tau_syn_I"}.get(projection.receptor_type, "")
    times = target.values.get(receptor)
    tau_syn = np.zeros(len(post)) if times is None else np.asarray(times, np.float64)[post]
    depends = isinstance(synapse, TsodyksMarkramSynapse)
    table = np.stack([*(columns[name][number] for name in names), tau_syn if depends else np.zeros(len(post))], axis=1)
    rows, group = np.unique(table, axis=0, return_inverse=True)
    if len(rows) > MOST_RULES:
        refuse_rule(f"{len(rows)} sets of numbers", f"at most {MOST_RULES} sets of numbers in a projection")
    for k, row in enumerate(rows.tolist()):
        yield (
            np.flatnonzero(group.reshape(-1) == k),
            synapse.rule(dict(zip(names, row, strict=False)), None if times is None else row[-1]),
        )


def require_bounds(label: str, rule: Rule, weight: Reals) -> None:
    """Refuses weights beyond the bounds of their rule. Errors: PYN006."""
    low, high = (rule.values.get(name) for name in ("w_min", "w_max"))
    if low is None or high is None:
        return
    if (beyond := weight[(weight < low) | (weight > high)]).size:
        refuse_rule(f"a weight of {beyond[0]:g} in {label}", f"weights from w_min, {low:g}, to w_max, {high:g}")


def spans(group: Any) -> Iterator[tuple[Any, int, Ints]]:
    """Yields each population of a group, the index of its first neuron in the group, and the indices of its neurons."""
    first = 0
    for population, index in parts(group):
        yield population, first, np.asarray(index, np.int64)
        first += len(index)


def inputs_of(state: Any, ticks: int) -> dict[str, EventSignal | Reals]:
    """Returns the spikes of all sources and the injected currents as inputs of the network."""
    found: dict[str, EventSignal | Reals] = {}
    for number, one in enumerate(state.populations):
        if one.is_source:
            spikes = spikes_of(one, number, ticks, state)
            value = spikes.count if has_counts(one, state.dt) else None
            found[one.label] = EventSignal(spikes.tick, spikes.index, value=value, shape=[one.size], ticks=ticks)
        elif is_injected(state, one):
            found[f"{one.label}.current"] = currents_of(state, one, ticks)
    return found


def is_injected(state: Any, population: Any) -> bool:
    """Returns whether a source of currents is injected into a neuron of a population."""
    return any(population is other for source in state.currents for other, _ in source.targets)


def copies(arrays: Mapping[str, Reals]) -> dict[str, Reals]:
    return {name: array.copy() for name, array in arrays.items()}


def sources_key(state: Any) -> bytes:
    """Returns a hash of the parameters of all sources."""
    digest = blake2b()
    for one in state.populations:
        if one.is_source:
            digest.update(key_of(one))
    for source in state.currents:
        digest.update(source.key())
    return digest.digest()


def records_variable(population: Any, name: str) -> bool:
    """Returns whether a variable of some neuron of a population is recorded."""
    given = population.recorder.recorded.items()
    return any(variable.name == name and ids for variable, ids in given)


def recorded_states(state: Any) -> list[str]:
    """Returns the names of the recorded states, such as potentials."""
    return [
        f"{one.label}.{name}"
        for one in state.populations
        if not one.is_source
        for name in one.celltype.recordable
        if name != "spikes" and records_variable(one, name)
    ]
