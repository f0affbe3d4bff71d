"""Weights as events: the sites and numbers of events whose arbors have given weights.

    weight[neuron] = sum over sites of events[site] * part(distance from the site to the neuron)

Weights and parts are integers. Each site with an event has a weight of at least one whole event, so only these sites are unknowns of the linear
system. Its rounded solution is accepted if it has exactly the given weights.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays.numeric import Ints
from ...dialects.neurogrid.arbors import parts_between, parts_of_event


def events_for(weight: Ints, sites: Ints, radius: float) -> Ints | None:
    """Returns the numbers of events at the site of each neuron that produce the weights of one source; None if no numbers produce them.

    Shapes: weight and result [neurons]; sites [2, neurons].
    """
    if (weight < 0).any():
        return None
    if radius <= 0:
        return weight
    chosen = np.flatnonzero(weight >= parts_of_event(radius))
    found = np.zeros(len(weight), np.int64)
    if len(chosen):
        inner = parts_between(radius, *(sites[:, chosen, None] - sites[:, None, chosen]))
        solution = np.linalg.lstsq(inner.astype(np.float64), weight[chosen].astype(np.float64), rcond=None)[0]
        found[chosen] = np.maximum(np.rint(solution), 0).astype(np.int64)
    used = np.flatnonzero(found)
    spread = parts_between(radius, *(sites[:, :, None] - sites[:, None, used])) @ found[used]
    return found if np.array_equal(spread, weight) else None
