"""Arbors: the part of an event that each neuron near its site gets, which decays exponentially with the distance.

    part(d) = round(ARBOR_LEVELS * exp(-d / radius)) / ARBOR_LEVELS, 0 beyond the distance at which this is 0

`ARBOR_LEVELS` is a choice of nopt, with which sums of parts are integers; the chip has none. With the radius 0 an event reaches the neuron at its site alone.

Source: B. V. Benjamin et al., Proc. IEEE 102(5), 2014: the shared dendrite of a synapse population is a resistive network.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints

ARBOR_LEVELS = 15
"""Parts of an event at its own site, where a synapse population has an arbor."""
LARGEST_RADIUS = 32.0
"""Radius [neurons] beyond which an arbor covers most of a Neurocore."""


def parts_of_event(radius: float) -> int:
    """Returns the number of parts of an event that arrive at the site of the event."""
    return ARBOR_LEVELS if radius > 0 else 1


@lru_cache(64)
def arbor(radius: float) -> Ints:
    """Returns the parts of an event by row and column. Shapes: [2 * reach + 1, 2 * reach + 1]; the site is in the middle."""
    if radius <= 0:
        return np.ones((1, 1), np.int64)
    reach = math.floor(radius * math.log(2 * ARBOR_LEVELS))
    side = np.arange(-reach, reach + 1)
    distance = np.hypot(side[:, None], side[None, :])
    return np.rint(ARBOR_LEVELS * np.exp(-distance / radius)).astype(np.int64)


def parts_between(radius: float, rows: Ints, columns: Ints) -> Ints:
    """Returns the parts of an event that reach neurons at some distances. Shapes: rows and columns broadcast."""
    kernel = arbor(radius)
    reach = kernel.shape[0] // 2
    is_near = (np.abs(rows) <= reach) & (np.abs(columns) <= reach)
    return np.where(is_near, kernel[np.clip(rows, -reach, reach) + reach, np.clip(columns, -reach, reach) + reach], 0)


ARBORS = "neurogrid.arbors"
"""Attribute of a population: the radius of the arbor of each of its synapse populations [neurons]."""


def radii_of(op: Operation, count: int) -> tuple[float, ...]:
    """Returns the radius of each synapse population of a population; 0 where it has no arbor."""
    held = op.attributes.get(ARBORS)
    given = held.values.astype(np.float64).reshape(-1).tolist() if isinstance(held, ArrayAttr) else []
    return tuple((given + [0.0] * count)[:count])
