"""Nets that represent all nets of a large network while its placement is searched.

Of each vertex with many nets, every k-th is taken, and the events of all nets of the vertex are shared among them in proportion to their own. The number of
targets is bounded, so that time and memory of the search do not grow with the number of synapses.
"""

from __future__ import annotations

import numpy as np
from attrs import evolve

from ...analysis.placement.placement_problem import Problem
from ...core.arrays.runs import indices_of_runs

MOST_PAIRS = 1 << 20
"""Pairs of a net and a target that a search looks at; of more, a sample."""


def sampled_problem(problem: Problem) -> Problem:
    """Returns the problem with as many nets of each vertex as `MOST_PAIRS` allows, at least one of each that sends; without neurons of nets."""
    step = -(-len(problem.target) // MOST_PAIRS)
    if step <= 1:
        return problem
    counts = np.bincount(problem.source, minlength=len(problem.vertices))
    order = np.argsort(problem.source, kind="stable")
    rank = np.empty(problem.nets, np.int64)
    rank[order] = np.arange(problem.nets) - np.repeat(np.cumsum(counts) - counts, counts)
    nets = np.flatnonzero(rank % step == 0)
    source, sizes = problem.source[nets], np.diff(problem.start)[nets]
    events = np.bincount(problem.source, problem.activity, len(problem.vertices))
    taken = np.bincount(source, problem.activity[nets], len(problem.vertices))
    scale = np.divide(events, taken, out=np.ones_like(events), where=taken > 0)
    return evolve(
        problem,
        source=source,
        activity=problem.activity[nets] * scale[source],
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        target=problem.target[indices_of_runs(problem.start[:-1][nets], sizes)],
        member_start=np.zeros(len(nets) + 1, np.int64),
        member=np.zeros(0, np.int64),
    )
