"""Room that a plan leaves for duplicated axons: of each source further axons in a slice, and the rows that they take of a neuron."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve, frozen

from ...analysis.wiring import Connection
from ...core.arrays.numeric import Ints
from ...dialects.chip_base.connectivity import Arrivals, count_bits, count_destinations
from ...dialects.chip_base.slicing import Slicing


@frozen
class Duplicates:
    """Axons beyond the first of a source in a slice, for which a plan leaves room."""

    copies: int = 1
    sources: frozenset[str] = frozenset()
    """Inputs and populations whose axons are duplicated."""

    def within(self, connections: Sequence[Connection], size: int, limit: int | None) -> Duplicates:
        """Returns as many copies as every single neuron of a population of `size` has room for."""
        total, copied = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for one in connections if self.copies > 1 and limit is not None else ():
            source, chain = one.path
            own = np.bincount(chain.line_synapses.target, minlength=size)
            total += own
            copied += own if source in self.sources else 0
        room = ((limit or 0) - total[copied > 0]) // copied[copied > 0]
        return evolve(self, copies=max(1, min(self.copies, 1 + int(room.min(initial=self.copies)))))

    def axons(self, found: Arrivals) -> Ints:
        """Returns the duplicates of each slice."""
        lines = [masks for name in self.sources & found.lines.keys() for masks in found.lines[name].values()]
        return (self.copies - 1) * sum((count_bits(one) for one in lines), np.zeros(len(found.target.boxes), np.int64))

    def destinations(
        self, arrived: Sequence[Arrivals], sources: Mapping[str, Slicing], outputs: list[str]
    ) -> dict[str, Ints]:
        """Returns the axons that each neuron sends to, with duplicates, and the outputs of the network."""
        found = count_destinations(arrived, sources, ())
        sent = count_destinations((), sources, outputs)
        return {name: sent[name] + one * (self.copies if name in self.sources else 1) for name, one in found.items()}
