"""Paths from populations and inputs to a value, with the delays on them.

    delayed_paths(%late)  ==  {%z: count [1, 1], ticks [1, 3], squares [1, 9]}     for  %late = ntensor.delay %z {ticks = [1, 3]}

A path passes synapses, sums, reshapes and delays, and begins at the output of a population or at an input of the network. Of each set of paths only
the number, and the sums of the delays and of their squares, are held: their variance is that of all paths together.
"""

from __future__ import annotations

from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import SSAValue

from ...core.arrays.numeric import AnyArray, Reals
from ...core.ir.operation import shape_of
from ...dialects import ntensor


@frozen(eq=False)
class Paths:
    """Some paths to each element of a value, flat. Units: ticks [ticks], squares [ticks^2]."""

    count: Reals
    ticks: Reals
    """The sum of the delays."""
    squares: Reals
    """The sum of the squares of the delays."""

    def __add__(self, other: Paths) -> Paths:
        return Paths(self.count + other.count, self.ticks + other.ticks, self.squares + other.squares)

    def at(self, index: AnyArray) -> Paths:
        return Paths(self.count[index], self.ticks[index], self.squares[index])

    def late(self, delay: Reals) -> Paths:
        """Returns the same paths with a further delay of each element."""
        squares = self.squares + 2 * delay * self.ticks + delay * delay * self.count
        return Paths(self.count, self.ticks + delay * self.count, squares)

    @property
    def variance(self) -> float:
        """The variance of all delays; exactly 0 if they are equal."""
        count, ticks, squares = (int(part.sum()) for part in (self.count, self.ticks, self.squares))
        return (count * squares - ticks * ticks) / (count * count)


def delayed_paths(value: SSAValue) -> dict[SSAValue, Paths]:
    """Returns the paths that end at each element of a value, by the value that they begin at."""
    op = value.owner
    match op:
        case ntensor.SynapseOpInterface():
            return {source: through(op, paths) for source, paths in delayed_paths(op.x).items()}
        case ntensor.SumOp():
            found: dict[SSAValue, Paths] = {}
            for x in op.xs:
                for source, paths in delayed_paths(x).items():
                    found[source] = found[source] + paths if source in found else paths
            return found
        case ntensor.ReshapeOp():
            return delayed_paths(op.x)
        case ntensor.DelayOp():
            delay = np.broadcast_to(op.ticks.values, shape_of(op.x)).reshape(-1).astype(np.float64)
            return {source: paths.late(delay) for source, paths in delayed_paths(op.x).items()}
        case _:
            size = prod(shape_of(value))
            return {value: Paths(np.ones(size), np.zeros(size), np.zeros(size))}


def through(op: ntensor.SynapseOpInterface, before: Paths) -> Paths:
    """Returns the paths through the synapses of an op."""
    source, target, place = op.used_pairs()
    given = before.at(source)
    if op.delays is not None and op.weights is not None:
        given = given.late(np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1).astype(np.float64)[place])
    size = prod(shape_of(op.y))
    each = (np.bincount(target, part, size).astype(np.float64) for part in (given.count, given.ticks, given.squares))
    return Paths(*each)
