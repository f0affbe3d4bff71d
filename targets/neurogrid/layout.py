"""Sites of the neurons of a Neurocore.

1. Groups without arbors fill the array row by row, one after the other.
2. A group with an arbor is a rectangle: a population of two axes, apart from axes of one neuron, keeps its rows and columns. Another one is a row.
3. Between such a group and others there is a margin as wide as the reach of its arbor, so that its events reach no other group.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import Ints
from ...dialects.neurogrid.arbors import arbor


@frozen(eq=False)
class Extent:
    """The neurons of one group. Shapes: index [neurons]: flat indices in the population."""

    index: Ints
    shape: tuple[int, ...]
    """That of the population."""
    radius: float
    """The largest radius of its arbors."""


def sites_of(extents: Sequence[Extent], columns: int) -> list[Ints]:
    """Returns the row and column of each neuron of each group; rows beyond the array are refused by the verifier.

    Shapes: results [2, neurons].
    """
    found: dict[int, Ints] = {}
    plain = [k for k, one in enumerate(extents) if one.radius <= 0]
    first = 0
    for k in plain:  # 1
        size = len(extents[k].index)
        found[k] = np.stack(np.divmod(first + np.arange(size), columns))
        first += size
    row = -(-first // columns)
    for k, one in enumerate(extents):
        if one.radius > 0:  # 2, 3
            margin = arbor(one.radius).shape[0] // 2
            grid = grid_of(one)
            found[k] = grid + np.array([[row + margin], [0]])
            row += margin + int(grid[0].max(initial=0)) + 1 + margin
    return [found[k] for k in range(len(extents))]


def grid_of(extent: Extent) -> Ints:
    """Returns the row and column of each neuron within its rectangle. Shapes: [2, neurons]."""
    row, column = sheet(extent.shape)[:, extent.index]
    return np.stack([row - row.min(initial=int(row[0]) if len(row) else 0), column])


def sheet(shape: tuple[int, ...]) -> Ints:
    """Returns the row and column of each neuron. A population with two axes longer than 1 is a sheet, any other population is a row. Shapes: [2, neurons]."""
    long = [n for n in shape if n != 1]
    width = long[-1] if len(long) == 2 else int(np.prod(shape))
    return np.stack(np.divmod(np.arange(int(np.prod(shape))), max(width, 1)))
