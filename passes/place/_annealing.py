"""Simulated annealing of a placement: many trials are evaluated at once, and accepted if they do not affect each other.

A trial moves a vertex to another core: in addition to its vertices if the core has room, else in exchange for one of them. Its change is computed
for all nets of both vertices from scratch, so that the cost is exact at any time. Effort is counted in trials, never in time.

    taken if  change <= -temperature * ln(u),  u uniform in (0, 1]

The change includes that of the cost of input axons, if the device declares one; a trial is not taken for fewer axons alone.

The temperature falls geometrically from the mean change of random trials to less than any change; far trials end as it falls.

Source: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Optimization by Simulated Annealing, Science 220 (1983); the shrinking window
of trials is that of V. Betz, J. Rose, VPR (FPL 1997).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from attrs import define, field

from ...analysis.outside_load import OutsideFilling
from ...analysis.placement.placement_cost import cost_of
from ...analysis.placement.placement_problem import Problem
from ...core.arrays.numeric import Bools, Indices, Ints, Reals
from ...core.arrays.runs import indices_of_runs
from ...core.arrays.unique_integers import unique_integers
from ...core.diagnostics import Code, ExitCode, refuse
from ...core.progress import Progress, offset_progress
from ._sampled_nets import sampled_problem

MAP006 = Code("MAP006", "moves-or-seed-negative", "moves and seed are numbers from 0", exit_code=ExitCode.MISUSED)

MOST_TARGETS = 1 << 18
"""Targets and columns of trees that one round looks at: more cost memory and save no time."""
MOVES, LOOKS = 20_000, 4 * 10**8
"""Default number of trials, fewer where each evaluates more, so that the total effort is bounded."""
MOVES_EACH = 1000
"""Default number of trials for each free vertex, where this is less."""
SAMPLE = 256
LAST = 0.1
"""The last temperature, as a share of the first."""
HEAT = 0.15
"""The first temperature, as a share of the mean change of a random trial, where trials are many."""
FEW, FEW_HEAT = 8, 1.5
"""Vertices that are few, and the first temperature for them: each trial changes a large part of the cost, so that a cooler start stays in its valley."""
LONG = 500
"""Trials per vertex that are many; with fewer the start is cooler, so that what the first placement did well is kept."""
CALM = 0.05
"""Share of the trials at the end of which only better ones are taken."""
RESTARTS = 5
"""Searches with the default number of trials; the best one is taken. They end once a second one reaches the lowest cost."""
COLD = 16
"""Divisor of the trials where the placement is searched already, so that only better ones are taken."""
ROUNDING = 1e-9
"""Relative difference to a cost that is low enough; the current one is a sum of changes."""
SMOOTH = 0.1
"""Weight of the mean path to a target in addition to the cost: trees of many targets often cost the same for every place of one of them."""


class Trials(NamedTuple):
    """Trial moves: a vertex, its new core, and the vertex that it is exchanged with; -1 without an exchange."""

    vertex: Ints
    core: Ints
    other: Ints

    def part(self, chosen: Ints) -> Trials:
        return Trials(self.vertex[chosen], self.core[chosen], self.other[chosen])


class Changes(NamedTuple):
    """The change by each trial, and every affected net in its new state.

    Shapes: cost, mean_path [trials]; trial, net, net_cost, net_path [nets touched].
    """

    cost: Reals
    mean_path: Reals
    trial: Ints
    net: Ints
    net_cost: Reals
    net_path: Reals


@define(eq=False)
class Placement:
    """An assignment of vertices to cores, with its cost. Accepted trials change the arrays."""

    problem: Problem
    core: Ints
    size: Ints = field(init=False)
    net_cost: Reals = field(init=False)
    """The cost of the tree of each net for one event."""
    net_path: Reals = field(init=False)
    """The mean cost of the path to one of its targets."""
    cost: float = field(init=False)
    outside: OutsideFilling | None = field(init=False)
    used: Ints = field(init=False)
    """The sum of the loads of the vertices of each core, also of joined resources. Shapes: [cores, resources]."""
    free: Ints = field(init=False)
    """Vertices that are not pinned."""
    first: Ints = field(init=False)
    """Where the nets of each vertex start in `nets`, as source or target."""
    nets: Ints = field(init=False)
    net_counts: Ints = field(init=False)
    """The number of nets of each vertex, and 0 for vertex -1. Shapes: [vertices + 1]."""
    loads: Ints = field(init=False)
    """The load of each vertex, and 0 for vertex -1. Shapes: [vertices + 1, resources]."""
    pairs: Ints = field(init=False)
    """`vertex * nets + net` for every vertex of a net, ascending."""
    tried: int = field(init=False, default=0)
    taken: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        problem, count = self.problem, len(self.problem.vertices)
        self.size = np.diff(problem.start)
        tree = np.repeat(np.arange(problem.nets), self.size)
        source, target = self.core[problem.source], self.core[problem.target]
        self.net_cost, self.net_path = problem.topology.tree_costs(source, problem.start[:-1], tree, target)
        self.cost = float(problem.activity @ self.net_cost)
        self.used = np.zeros((problem.topology.cores, len(problem.room)), np.int64)
        np.add.at(self.used, self.core, problem.load)
        self.outside = None
        if problem.outside is not None:
            self.outside = OutsideFilling(problem.outside)
            for vertex, core in enumerate(self.core.tolist()):
                self.outside.move(vertex, core)
        self.free = np.flatnonzero(problem.pin < 0)
        net = np.arange(problem.nets)
        ends, owners = np.concatenate([problem.source, problem.target]), np.concatenate([net, net.repeat(self.size)])
        self.pairs = unique_integers(ends * problem.nets + owners)
        vertex, self.nets = np.divmod(self.pairs, max(problem.nets, 1))
        self.net_counts = np.bincount(vertex, minlength=count + 1)
        self.first = np.concatenate([[0], np.cumsum(self.net_counts[:count])])
        self.loads = np.concatenate([problem.load, np.zeros((1, problem.load.shape[1]), np.int64)])

    def touches(self, vertex: Ints, net: Ints) -> Bools:
        """Returns whether each vertex is of each net."""
        key = vertex * self.problem.nets + net
        place = np.minimum(self.pairs.searchsorted(key), len(self.pairs) - 1)
        return (self.pairs[place] == key) & (vertex >= 0)

    def possible(self, trials: Trials) -> Bools:
        """Returns whether each trial leaves every core with room."""
        problem, here = self.problem, self.core[trials.vertex]
        more = self.loads[trials.vertex] - self.loads[trials.other]
        there_fits = self.used[trials.core] + more <= problem.room_of(trials.core)
        here_fits = self.used[here] - more <= problem.room_of(here)
        moves = (trials.core != here) & problem.topology.is_usable[trials.core]
        if problem.kinds is not None:
            moves &= problem.allows(trials.vertex, trials.core) & problem.allows(trials.other, here)
        found = moves & (there_fits & here_fits).all(1)
        if problem.joined:  # sums of joined resources are upper bounds
            added = problem.is_added
            unclear = moves & ~found & (there_fits & here_fits)[:, added].all(1)
            found[unclear] = [self.has_joined_room(trials, one) for one in np.flatnonzero(unclear).tolist()]
        return found if self.outside is None else found & self.outside.allows(*trials, here)

    def has_joined_room(self, trials: Trials, trial: int) -> bool:
        """Returns whether both cores of a trial have room for the shared elements that their vertices use after the trial."""
        vertex, there, other = (int(part[trial]) for part in (trials.vertex, trials.core, trials.other))
        here = int(self.core[vertex])
        for core, comes, goes in ((there, vertex, other), (here, other, vertex)):
            vertices = [one for one in np.flatnonzero(self.core == core).tolist() if one != goes]
            vertices += [comes] if comes >= 0 else []
            room = self.problem.core_room[core]
            if any(one.count(vertices) > room[k] for k, one in self.problem.joined.items()):
                return False
        return True

    def nets_of(self, vertex: Ints) -> tuple[Ints, Ints]:
        """Returns the pairs of a trial and a net of its vertex. A vertex number below 0 has no nets."""
        size = self.net_counts[vertex]
        trial = np.arange(len(vertex)).repeat(size)
        return trial, self.nets[indices_of_runs(self.first[vertex], size)]

    def changes(self, trials: Trials) -> Changes:
        """Returns the change by each trial alone."""
        problem = self.problem
        trial, net = self.nets_of(trials.vertex)
        more, also = self.nets_of(trials.other)
        kept = ~self.touches(trials.vertex[more], also)
        trial, net = np.concatenate([trial, more[kept]]), np.concatenate([net, also[kept]])
        if not len(net):
            none = np.zeros(len(trials.vertex))
            return Changes(none, none, trial, net, np.zeros(0), np.zeros(0))
        size = self.size[net]
        tree = np.arange(len(net)).repeat(size)
        start = size.cumsum() - size
        source = self.moved(problem.source[net], trials, trial)
        target = self.moved(problem.target[indices_of_runs(problem.start[net], size)], trials, trial[tree])
        cost, mean_path = problem.topology.tree_costs(source, start, tree, target)
        activity, count = problem.activity[net], len(trials.vertex)
        change: Reals = np.bincount(trial, activity * (cost - self.net_cost[net]), count).astype(np.float64, copy=False)
        pull: Reals = np.bincount(trial, activity * (mean_path - self.net_path[net]), count).astype(
            np.float64, copy=False
        )
        return Changes(change, pull, trial, net, cost, mean_path)

    def moved(self, vertex: Ints | Indices, trials: Trials, trial: Ints) -> Ints:
        """Returns the core of each vertex after its trial."""
        moving, other = trials.vertex[trial], trials.other[trial]
        core = np.where(vertex == moving, trials.core[trial], self.core[vertex])
        return np.where(vertex == other, self.core[moving], core)

    def axon_change(self, trials: Trials, trial: int) -> float:
        """Returns the change of the cost of input axons by a trial alone."""
        if (axons := self.problem.input_axons) is None:
            return 0.0
        vertex, there, other = (int(part[trial]) for part in (trials.vertex, trials.core, trials.other))
        here, change = int(self.core[vertex]), 0
        for core, comes, goes in ((there, vertex, other), (here, other, vertex)):
            before = np.flatnonzero(self.core == core).tolist()
            after = [one for one in before if one != goes] + ([comes] if comes >= 0 else [])
            change += axons.count(after) - axons.count(before)
        return self.problem.axon_cost * change

    def take(self, trials: Trials, chosen: Ints, changes: Changes) -> int:
        """Accepts the chosen trials in order until a trial has a net or core of an accepted trial; returns the number of processed trials."""
        if not len(chosen):
            return len(trials.vertex)
        problem, trial, net = self.problem, changes.trial, changes.net
        touched, busy = np.zeros(problem.nets, np.bool_), np.zeros(problem.topology.cores, np.bool_)
        for one in chosen.tolist():
            mine = (trial == one).nonzero()[0]
            vertex, there, other = int(trials.vertex[one]), int(trials.core[one]), int(trials.other[one])
            here = int(self.core[vertex])
            if busy[here] or busy[there] or touched[net[mine]].any():
                return one
            if self.outside is not None:  # other trials may have filled the chip since
                single = Trials(*(part[one : one + 1] for part in trials))
                if not self.outside.allows(*single, np.array([here]))[0]:
                    continue
                self.outside.move(vertex, here, -1)
                self.outside.move(vertex, there)
                if other >= 0:
                    self.outside.move(other, there, -1)
                    self.outside.move(other, here)
            touched[net[mine]] = True
            busy[here] = busy[there] = True
            self.net_cost[net[mine]] = changes.net_cost[mine]
            self.net_path[net[mine]] = changes.net_path[mine]
            self.core[vertex] = there
            self.used[there] += problem.load[vertex]
            self.used[here] -= problem.load[vertex]
            if other >= 0:
                self.core[other] = here
                self.used[here] += problem.load[other]
                self.used[there] -= problem.load[other]
            self.cost += float(changes.cost[one])
            self.taken += 1
        return len(trials.vertex)

    def draw(self, random: np.random.Generator, count: int, window: int) -> Trials:
        """Random trials: a free vertex, and a core that the topology proposes for it."""
        problem = self.problem
        vertex = self.free[random.integers(0, len(self.free), count)]
        here = self.core[vertex]
        core = problem.topology.propose(random, here, window)
        on = self.core[self.free]
        by_core = on.argsort(kind="stable")
        on = on[by_core]
        low, high = on.searchsorted(core), on.searchsorted(core, "right")
        pick = low + (random.random(count) * (high - low)).astype(np.int64)
        other = np.where(high > low, self.free[by_core[np.minimum(pick, len(on) - 1)]], -1)
        fits = self.used[core] + problem.load[vertex] <= problem.room_of(core)
        has_room = (fits[:, problem.is_added] if problem.joined else fits).all(1)
        return Trials(vertex, core, np.where(has_room & (random.random(count) < 0.5), -1, other))


def verify_numbers(moves: int | None, seed: int) -> None:
    """Errors: MAP006 a negative number."""
    if (moves or 0) < 0 or seed < 0:
        at = f"seed={seed}" if seed < 0 else f"moves={moves}"
        help = "machine-place-vertices{moves=20000 seed=0}"
        refuse(MAP006, at=at, expected="0 or more", found=at.partition("=")[2], help=help)


def anneal(
    problem: Problem,
    core: Ints,
    moves: int | None = None,
    seed: int = 0,
    enough: float = 0.0,
    progress: Progress | None = None,
    effort: float = 1.0,
    *,
    is_cold: bool = False,
) -> Placement:
    """Improves a placement by at most a number of trials, or fewer once its cost is low enough; never returns a worse one.

    A large problem is searched by a sample of its nets (`_sampled_nets.py`). `effort` multiplies the default number of trials. With `is_cold` fewer trials are made, and only better ones taken. `progress` is called with the trials that are made, and their number.

    Shapes: core [vertices]. Errors: MAP006 a negative number.
    """
    verify_numbers(moves, seed)
    if (sample := sampled_problem(problem)) is not problem:
        done = anneal(sample, core, moves, seed, 0.0, progress, effort, is_cold=is_cold)
        done.cost, first = cost_of(problem, done.core), cost_of(problem, core)
        if done.cost > first:
            done.cost, done.core = first, core.copy()
        return done
    state, enough = Placement(problem, core.copy()), enough * (1 + ROUNDING)
    if len(state.free) == 0 or problem.nets == 0 or problem.topology.cores < 2 or moves == 0 or state.cost <= enough:
        return state
    if moves is None and not is_cold:
        moves = max(SAMPLE, int(default_moves(state) * min(effort, 1)))
        runs = max(1, int(RESTARTS * effort))
        best, tried, taken = state, 0, 0
        for run in range(runs):
            step = offset_progress(progress, run * moves, runs * moves)
            found = search(problem, core, moves, [seed, run], enough, step)
            tried, taken = tried + found.tried, taken + found.taken
            is_again = run > 0 and found.cost == best.cost
            best = found if found.cost < best.cost else best
            if best.cost <= enough or is_again:
                break
        best.tried, best.taken = tried, taken
        return best
    moves = default_moves(state) if moves is None else moves
    return search(problem, core, moves // COLD if is_cold else moves, seed, enough, progress, is_cold=is_cold)


def default_moves(state: Placement) -> int:
    """Returns the trials of one run, fewer for few vertices or where each evaluates more."""
    each = max(1.0, 2 * mean_visits(state))
    return min(MOVES, MOVES_EACH * len(state.free), max(SAMPLE, int(LOOKS // each)))


def search(
    problem: Problem,
    core: Ints,
    moves: int,
    seed: int | list[int],
    enough: float,
    progress: Progress | None,
    *,
    is_cold: bool = False,
) -> Placement:
    """Improves a placement by one run of trials."""
    state = Placement(problem, core.copy())
    random = np.random.Generator(np.random.PCG64(seed))
    best, best_cost = state.core.copy(), state.cost
    each = max(1.0, 2 * mean_visits(state))
    most = int(np.clip(MOST_TARGETS / each, 1, 4096))
    widest = problem.topology.reach
    trials = state.draw(random, min(SAMPLE, most, moves), widest)
    possible = trials.part(np.flatnonzero(state.possible(trials)))
    sample = state.changes(possible)
    sizes = np.abs(sample.cost + SMOOTH * sample.mean_path)
    heat = FEW_HEAT if len(state.free) <= FEW else HEAT
    first = heat * float(sizes.mean()) * min(1.0, moves / (LONG * len(state.free))) if sizes.size else 0.0
    state.tried += len(trials.vertex)
    batch = min(16, most)
    while state.tried < moves and best_cost > enough:
        if progress is not None:
            progress(state.tried, moves)
        done = state.tried / moves
        temperature = first * LAST**done if done < 1 - CALM and not is_cold else 0.0
        window = max(1, round(widest * (1 - done)))
        trials = state.draw(random, min(batch, moves - state.tried), window)
        kept = state.possible(trials).nonzero()[0]
        if not len(kept):
            state.tried += len(trials.vertex)
            continue
        drawn = len(trials.vertex)
        trials = trials if len(kept) == drawn else trials.part(kept)
        changes = state.changes(trials)
        worth = changes.cost + SMOOTH * changes.mean_path
        limit = -temperature * np.log(1.0 - random.random(len(worth)))
        chosen = (worth <= limit if temperature else worth < 0).nonzero()[0]
        if problem.input_axons is not None:  # only for these, since unions are slow
            total = worth[chosen] + [state.axon_change(trials, one) for one in chosen.tolist()]
            chosen = chosen[total <= limit[chosen] if temperature else total < 0]
        reached = state.take(trials, chosen, changes)
        is_whole = reached == len(kept)
        state.tried += drawn if is_whole else int(kept[reached])
        batch = min(most, 2 * batch) if is_whole and len(chosen) < 2 else batch if is_whole else max(2, batch // 2)
        if state.cost < best_cost:
            best, best_cost = state.core.copy(), state.cost
    final = Placement(problem, best)
    final.tried, final.taken = state.tried, state.taken
    return final


def mean_visits(state: Placement) -> float:
    """Targets and columns of trees that have to be looked at where a free vertex moves, on average."""
    ends = np.concatenate([[0], np.cumsum(state.size[state.nets] + state.problem.topology.tree_places)])
    return float((ends[state.first[1:]] - ends[state.first[:-1]])[state.free].mean())
