"""Lower bound of the peak load of links, over all placements of a machine graph's vertices on a mesh.

1. The loads of all links add up to the sum over nets of activity * links of their tree. Each tree has at least the links of `links_needed`, and without a cost of crossings all
   trees together at least those of `bound_of`. The peak is at least the mean over all links of the mesh.
2. The events of a vertex that has targets on other cores in every placement leave its position, which has at most four links. The peak is at least their mean over these links.
"""

from __future__ import annotations

import numpy as np

from ...core.topology.mesh import MeshTopology
from .placement_cost import bound_of, links_needed
from .placement_problem import Problem


def peak_load_bound(problem: Problem) -> float | None:
    """Returns the least number of events per tick on the most loaded link; None for topologies other than meshes."""
    topology = problem.topology
    if not isinstance(topology, MeshTopology):
        return None
    width, height = topology.width * topology.chips_x, topology.height * topology.chips_y
    links = 2 * (width * (height - 1) + height * (width - 1))
    if links == 0 or problem.nets == 0:
        return 0.0
    needed = np.concatenate([links_needed(part) for part in problem.parts()])
    total = float(problem.activity @ needed)
    if topology.hop > 0 and topology.crossing == 0:
        total = max(total, bound_of(problem) / topology.hop)
    leaving = np.bincount(problem.source, problem.activity * (needed > 0), len(problem.vertices))
    exits = min(2, width - 1) + min(2, height - 1)
    return max(total / links, float(leaving.max()) / exits)
