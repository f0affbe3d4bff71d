"""Connectivity of slices: synapses, axons, fan-in and fan-out, counted without a matrix of sources and targets.

For each slice of a target, the paths into its neurons are followed backwards along each chain, op by op, as an array of counts: through
rows of a linear map, through the windows of a convolution or pool. Pools are folded into the ops after them. Weights are read once and
in slices.

| word | counts |
| --- | --- |
| synapses | paths from a neuron to a neuron over weights that are not zero; a pool has one for each of its inputs |
| axons | source neurons of a slice with a synapse into another slice |
| fan_in | synapses of one neuron, over all chains that reach it |
| fan_out | slices that one neuron has synapses into, its own included |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...core.arrays.numeric import Ints
from ._cache_keys import Content
from .chains import Chain, ChainCounts, count_chain
from .lines import Line, masks_of, ranked_chains
from .slicing import Slicing, place_in


@frozen(eq=False, slots=False)
class Arrivals:
    """The synapses of all chains into the slices of a population."""

    chains: list[ChainCounts]
    synapses: Ints
    """[slices]"""
    input_axons: Ints
    """[slices]: source neurons, each once for all of its chains."""
    fan_in: Ints
    """[slices], of the neuron with most."""
    axons: dict[str, NDArray[np.uint8]]
    """By source: a bit for each neuron with a synapse into a slice over any chain, as `ChainCounts.packed`. [slices, bytes]"""
    learning_axons: dict[str, NDArray[np.uint8]]
    """The same over the chains whose weights change; only sources of such chains."""
    target: Slicing
    paths: Sequence[tuple[str, Chain]]
    sources: Mapping[str, Slicing]

    @cached_property
    def content(self) -> Content:
        """Returns a key that is equal for equal synapses."""
        paths = tuple((name, chain.content, self.sources[name].content) for name, chain in self.paths)
        return Content((self.target.content, paths))

    @cached_property
    def lines(self) -> dict[str, dict[Line, NDArray[np.uint8]]]:
        """Returns by source and line a bit for each neuron with a synapse into a slice, as `axons`. Shapes: [slices, bytes]."""
        slice_of, slices = place_in(self.target), len(self.target.boxes)
        found: dict[str, dict[Line, NDArray[np.uint8]]] = {}
        for name, one in ranked_chains([(name, chain.line_synapses) for name, chain in self.paths]):
            arranged = self.sources[name].arranged
            place = np.empty(len(arranged), np.int64)
            place[arranged] = np.arange(len(arranged))
            own = found.setdefault(name, {})
            for line, masks in masks_of(one, slice_of, slices, place, len(arranged)).items():
                own[line] = masks if line not in own else own[line] | masks
        return found

    @cached_property
    def line_fan_in(self) -> Ints:
        """Returns the axons of the neuron with most, in each slice."""
        total = np.zeros(self.target.size, np.int64)
        for _, chain in self.paths:
            total += np.bincount(chain.line_synapses.target, minlength=len(total))
        return np.array([total[own].max(initial=0) for own in self.target.members], np.int64)

    @cached_property
    def line_axons(self) -> Ints:
        """Returns the number of axons of each slice; a source neuron has one axon for each line."""
        total = np.zeros(len(self.target.boxes), np.int64)
        for lines in self.lines.values():
            for masks in lines.values():
                total += count_bits(masks)
        return total


def count_arrivals(
    target: Slicing,
    chains: Sequence[tuple[str, Chain]],
    sources: Mapping[str, Slicing],
    reached: Mapping[str, Ints] | None = None,
) -> Arrivals:
    """Counts the synapses into each slice of a population, over chains from sources by name.

    `reached` [neurons of a source], if given, grows by 1 for each slice that a neuron has synapses into.
    """
    found = [count_chain(chain, target, sources[name]) for name, chain in chains]
    by_source: dict[str, list[ChainCounts]] = {}
    for (name, _), one in zip(chains, found, strict=True):
        by_source.setdefault(name, []).append(one)
    synapses, input_axons = np.zeros(len(target.boxes), np.int64), np.zeros(len(target.boxes), np.int64)
    fan_in, axons, learning = np.zeros(target.size), dict[str, NDArray[np.uint8]](), dict[str, NDArray[np.uint8]]()
    for one in found:
        synapses += one.slice_synapses
        fan_in += one.fan_in
    for name, several in by_source.items():
        first, *others = several
        masks = join_masks(several)
        if changing := [one for one in several if one.learns]:
            learning[name] = join_masks(changing)
        input_axons += first.slice_axons if not others else count_bits(masks)
        axons[name] = masks
        if reached is not None:
            first.add_reached(reached[name], masks)
    most = np.array([fan_in[own].max(initial=0) for own in target.members]).astype(np.int64)
    return Arrivals(found, synapses, input_axons, most, axons, learning, target, chains, sources)


def count_destinations(
    arrivals: Iterable[Arrivals], slices: Mapping[str, Slicing], outputs: Iterable[str]
) -> dict[str, Ints]:
    """Returns the number of axons that each neuron sends to, by source. A network output counts as one axon.

    `outputs` names the source of each output. Shapes: [neurons].
    """
    found = {name: np.zeros(slicing.size, np.int64) for name, slicing in slices.items()}
    for one in arrivals:
        for name, lines in one.lines.items():
            arranged = slices[name].arranged
            for mask in (mask for masks in lines.values() for mask in masks):
                found[name][arranged] += np.unpackbits(mask, count=len(arranged))
    for name in {*outputs}:
        found[name] += 1
    return found


def join_masks(chains: Sequence[ChainCounts]) -> NDArray[np.uint8]:
    """Returns a bit for each source neuron with a synapse into a slice over any of some chains. Shapes: [slices, bytes]."""
    masks = chains[0].packed
    for one in chains[1:]:
        masks = masks | one.packed
    return masks


def count_bits(masks: Iterable[NDArray[np.uint8]]) -> Ints:
    """Returns the number of bits that are set in each mask."""
    return np.array([np.unpackbits(mask).sum(dtype=np.int64) for mask in masks], np.int64)


@frozen
class Joint:
    """The synapses of one chain between two slices."""

    chain: int
    source: int
    target: int
    """Indices of the chain and of both slices."""
    synapses: int
    axons: int
    delays: tuple[int, int]
    """The shortest and the longest of these synapses [ticks]."""


def joints(found: Arrivals) -> Iterator[Joint]:
    """Yields the pairs of connected slices, by target, then by chain, then by source."""
    places = [(t, c, s) for c, one in enumerate(found.chains) for t, s in one.places]
    for t, c, s in sorted(places):
        one = found.chains[c]
        delays = int(one.low[t, s]), int(one.high[t, s])
        yield Joint(c, s, t, int(one.synapses[t, s]), int(one.axons[t, s]), delays)
