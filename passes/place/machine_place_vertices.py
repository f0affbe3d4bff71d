"""Assigns every vertex of a machine graph to a core, so that spikes have short paths.

    machine.graph @net {stage = partitioned}                 =>    {stage = placed, machine.placed = {cost = 34032.0, bound = 19836.5, …}}
    machine.vertex "lif1/0" of "lif1" {box = …}              =>    {box = …, core = 7}

    cost = sum over multicast sets of neurons of activity [events per tick] * (links of their tree * hop + crossings between chips * crossing)

The weights are the device's (`cost.objective`), 1 and 0 where it has none. A device with a weight of input axons (`axon`) adds that of the axons of
all cores, so that vertices with common sources share a core. Vertices share a core as long as the device's limits allow: needs are
added, but input axons and classes of parameters that several of them use count once. Faulty
and reserved cores stay empty. The first placement puts vertices near those they exchange most events with; annealing improves it at once, in a graph with many targets in one run. On meshes, neurons of populations with
irregular synapses then change their vertex where that shortens the trees (`_exchange.py`); slices, needs and edges are counted anew, and `exchanged` in
`machine.placed` is the number of these neurons. Where cores hold several tiles of convolutional populations, finer tiles are tried (`_finer_tiles.py`); vertices are
numbered anew, and `finer` in `machine.placed` is the number of vertices if they cost less. The last step improves the placement by simulated annealing (`_annealing.py`): the same graph, options and device give the same cores. `machine.placed` holds the cost, a lower bound of it that holds
for every placement (`analysis/placement/placement_cost.py` derives it), and the trials made and taken; a placement that costs as little as the bound ends the search.
The bound of a small graph is the cost of the best of its placements (`analysis/placement/small_placements.py`).

A vertex that has a core before is pinned there, and so is one that keeps the core of an earlier mapping (`ntensor-keep-mapping`; `kept` in `machine.placed` is their number); no neuron changes its vertex in a graph that is placed anew. With other pins, tiles stay as planned; tiles of populations that keep their mapping always do. Inputs take no room, and enter at core 0, or at the first that works on a `hex-torus`, unless they are pinned. A graph that was placed or
routed is placed anew.

With another `objective`, `machine.placed` holds the cost and the bound of that (of `peak-load` on meshes alone), and `machine.objective` names it; routes and `mapping.json` count hops in any case.

Errors: MAP004 the vertices do not fit; MAP005 a pin; MAP006 a negative number; MAP024 an objective without a cost of the device; MAP030, MAP031 the cores of an earlier mapping; DEV022 memory outside of the cores; DEV023 no device is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NoReturn

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from ...analysis.placement.peak_load_bound import peak_load_bound
from ...analysis.placement.placement_cost import bound_near, cores_needed
from ...analysis.placement.placement_problem import Problem, problem_of
from ...core.arrays.numeric import Ints
from ...core.counts import count_of
from ...core.device.named_device import device_of
from ...core.device.outside_memory import DEV022, OutsideLimit
from ...core.device.topology import Topology
from ...core.diagnostics import Code, ExitCode, first_of, near_names, near_notes, refuse, refuse_op
from ...core.help_text import Phrase
from ...core.ir.context import progress_of
from ...core.ir.pipeline import NoptPass
from ...core.progress import Progress
from ...dialects import machine
from ...dialects.machine.kept_mapping import MACHINE_KEPT
from ..pipelines import plan_with
from ._annealing import MOVES, Placement, anneal, default_moves, verify_numbers
from ._exchange import exchange
from ._finer_tiles import place_finer
from ._initial_placement import first_places
from ._kept_places import Fault, kept_pins, refuse_crowded, refuse_kept
from ._objectives import objective_of, problem_for
from ._peak_load import lower_peak

MAP004 = Code("MAP004", "vertices-exceed-cores", "the vertices do not fit on the cores of the device")
MAP005 = Code("MAP005", "vertex-pin-invalid", "a vertex cannot be pinned there", exit_code=ExitCode.MISUSED)

MACHINE_PLACED = "machine.placed"
FEW_TARGETS = 1 << 14
"""Targets of all nets up to which vertices are annealed with all restarts before neurons are exchanged; of more, one run is made: an exchange from a better placement ends better."""
MACHINE_OBJECTIVE = "machine.objective"
"""The attribute of a graph with the objective of its placement, if that is not hops."""
EFFORTS = {"fast": 0.25, "normal": 1.0, "best": 4.0}
"""Trials and rounds as a multiple of those by default."""


@dataclass(frozen=True)
class MachinePlaceVerticesPass(NoptPass):
    """Places every `machine.graph`.

    Options:
        moves: trials of annealing; more take longer and find shorter ways; default 20000, fewer for few vertices or where each looks at thousands of targets.
        seed: of the trials' random numbers; default 0.
        effort: `fast` makes a quarter of the trials and rounds, `best` four times as many; default normal. `moves` wins over it.
        pin: vertices that must be on a core, `pin="lif1/0=3","input/0=7"`; default none.
        objective: the quantity that places of vertices lower: `hops`, `remote-pairs`, `input-axons`, `crossings`, `peak-load` or `energy` (`_objectives.py`); default `device`, that of the
            device file (`cost.objective.measure`), or hops. Neurons that change their vertex do so for fewer hops.
    """

    name = "machine-place-vertices"
    moves: int | None = None
    seed: int = 0
    pin: tuple[str, ...] = ()
    effort: Literal["fast", "normal", "best"] = "normal"
    objective: Literal["device", "hops", "remote-pairs", "input-axons", "crossings", "peak-load", "energy"] = "device"

    def fast_check_variant(self) -> MachinePlaceVerticesPass:
        return replace(self, moves=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in op.ops:
            if isinstance(graph, machine.GraphOp):
                self.place(graph, progress_of(ctx))

    def place(self, graph: machine.GraphOp, progress: Progress | None) -> None:
        is_new = graph.stage.data is machine.Stage.PARTITIONED
        placed = {
            name: core for name, vertex in graph.vertices.items() if is_new and (core := vertex.place) is not None
        }
        kept = kept_pins(graph)
        pins = placed | kept | pins_of(graph, self.pin)
        problem = problem_of(graph, pins)
        verify_pins(graph, problem, kept)
        first = first_places(problem)
        if first is None:
            refuse_crowded(graph, problem, kept, pins)
            refuse_crowd(graph, problem)
        verify_numbers(self.moves, self.seed)
        effort = EFFORTS[self.effort] if self.moves is None else self.moves / MOVES
        more: dict[str, int] = {}
        search = partial(anneal, moves=self.moves, seed=self.seed, progress=progress, effort=effort)
        bound: float | None = None
        done, exchanged = None, None
        if len(problem.target) <= FEW_TARGETS:
            done = search(problem, first, enough=(bound := bound_near(problem, first)))
            first = done.core
        if is_new:
            fixed = {graph.vertices[name].source.data for name in kept}
            improve = partial(self.one_run, problem, effort, progress) if done is None else None
            exchanged = exchange(
                graph, device_of(graph), problem, pins, first, fixed, effort, self.seed, progress, improve
            )
        if exchanged is not None:
            problem, first, more = exchanged.problem, exchanged.core, {"exchanged": exchanged.neurons}
            done = search(problem, first, enough=(bound := bound_near(problem, first)), is_cold=True)
        if done is None:
            done = search(problem, first, enough=(bound := bound_near(problem, first)))
        device = device_of(graph)
        objective = objective_of(device) if self.objective == "device" else self.objective
        if objective not in ("hops", "peak-load"):
            aim = problem_for(objective, problem, graph, device)
            first = np.concatenate([done.core, aim.pin[len(problem.pin) :]])
            done = search(aim, first, enough=(bound := bound_near(aim, first)))
            done.core = done.core[: len(problem.vertices)]
        elif is_new and exchanged is None and pins == kept:
            finer = place_finer(graph, device_of(graph), done, kept, effort, search)
            if finer is not None:
                done, bound, more = finer, bound_near(finer.problem, finer.core), {"finer": len(finer.problem.vertices)}
        if objective == "peak-load":
            done = lower_peak(done, effort, self.seed, progress)
            bound = peak_load_bound(done.problem)
        graph.attributes.pop(MACHINE_OBJECTIVE, None)
        if objective != "hops":
            graph.attributes[MACHINE_OBJECTIVE] = StringAttr(objective)
        for vertex, core in zip(graph.vertices.values(), done.core.tolist(), strict=True):
            vertex.put(core)
        graph.clear_transport()
        if graph.attributes.pop(MACHINE_KEPT, None) is not None:
            more["kept"] = len(kept)
        bounds = {} if bound is None else {"bound": float(bound)}
        found = {"cost": done.cost, **bounds, "tried": done.tried, "taken": done.taken, **more}
        graph.attributes[MACHINE_PLACED] = machine.number_dictionary(found)
        graph.stage = machine.StageAttr(machine.Stage.PLACED)

    def one_run(self, problem: Problem, effort: float, progress: Progress | None, first: Ints) -> Ints:
        """Returns the cores of vertices after one run of annealing. Shapes: first and result [vertices]."""
        moves = self.moves
        if moves is None:
            moves = int(default_moves(Placement(problem, first)) * min(effort, 1))
        return anneal(problem, first, moves, self.seed, progress=progress).core


def pins_of(graph: machine.GraphOp, texts: Iterable[str]) -> dict[str, int]:
    """Returns the pins of an option. Errors: MAP005."""
    found: dict[str, int] = {}
    known = list(graph.vertices)
    for text in texts:
        name, _, core = text.rpartition("=")
        number = count_of(core)
        if name not in known or number is None:
            near = name if name in known else next(iter([*near_names(name, known), *known]), "VERTEX")
            refuse(
                MAP005,
                "a pin names a vertex and a core",
                at=f'pin="{text}"',
                expected=f"VERTEX=CORE, with one of {first_of(known, 8)}",
                found=text,
                help=f'machine-place-vertices{{pin="{near}={number or 0}"}}',
                notes=[] if name in known else near_notes(name, known),
            )
        found[name] = number
    return found


def verify_pins(graph: machine.GraphOp, problem: Problem, kept: Mapping[str, int]) -> None:
    """Refuses pins to unusable cores, and to cores without room for their pinned vertices. Errors: MAP005; MAP030 a vertex that keeps its core."""
    faults = list(pin_faults(graph, problem))
    if others := [one for one in faults if one[0] in kept]:
        refuse_kept(graph, others)
    for name, core, message, expected in faults:
        help = f'machine-place-vertices{{pin="{name}={int(np.argmax(problem.topology.is_usable))}"}}'
        at = f'pin="{name}={core}"'
        refuse(MAP005, message, at=at, node=name, expected=expected, found=f"core {core}", help=help)


def pin_faults(graph: machine.GraphOp, problem: Problem) -> Iterator[Fault]:
    """Yields the pins to unusable cores, and to cores without room for their pinned vertices."""
    topology, held = problem.topology, dict[int, list[int]]()
    inputs, vertices = graph.inputs, graph.vertices
    for vertex, core in enumerate(problem.pin.tolist()):
        name = problem.vertices[vertex]
        is_input = vertices[name].source.data in inputs
        if core < 0:
            continue
        if core >= topology.cores:
            message, expected = "the device has no such core", f"a core from 0 to {topology.cores - 1}"
        elif is_input and not topology.can_enter(core):
            message, expected = "spikes cannot enter there, as no path leads to the cores", "a core whose router works"
        elif not is_input and not topology.is_usable[core]:
            message, expected = "the core does not work, or is reserved", "a core that is free"
        elif not is_input and not problem.allows(np.array(vertex), np.array(core)):
            message, expected = "the vertex exceeds a limit of the kind of the core", "a core of a kind that holds it"
        elif (excess := problem.needed([*held.get(core, []), vertex]) > problem.core_room[core]).any():
            path = problem.resources[int(np.argmax(excess))]
            message = "the core has no room for all vertices that are pinned to it"
            expected = f"at most the limit {path}"
        else:
            held.setdefault(core, []).append(vertex)
            continue
        yield name, core, message, expected


def refuse_crowd(graph: machine.GraphOp, problem: Problem) -> NoReturn:
    """Errors: MAP004, DEV022."""
    device = device_of(graph)
    if problem.outside is not None and (shortage := problem.outside.shortage()) is not None:
        refuse_stores(graph, *shortage)
    needed, paths = cores_needed(problem)
    names = " and ".join(paths) or "a vertex"
    working = int(problem.topology.is_usable.sum())
    total = f"{len(problem.vertices)} vertices"
    where = "topology.cores" if device.quantity("topology.cores") is not None else "topology.mesh.width"
    found, source = f"{total} need at least {needed} for {names}", device.cite(where)
    if needed <= working:  # the bound of each resource holds, and the sizes of the vertices do not fit together
        found = f"{total} that do not pack into them, where {names} has the least room"
        source = "; ".join([source, *map(device.cite, paths)])
    refuse_op(
        graph,
        MAP004,
        expected=f"at most {working} cores that work and are free",
        found=found,
        source=source,
        path=where,
        limit=working,
        value=len(problem.vertices),
        help=suggest_more_cores(graph, problem.topology, needed if needed > working else len(problem.vertices)),
    )


def refuse_stores(graph: machine.GraphOp, limit: OutsideLimit, used: int) -> NoReturn:
    """Errors: DEV022."""
    device, path = device_of(graph), limit.paths[0]
    owner = "the host" if limit.is_host else "a chip"
    refuse_op(
        graph,
        DEV022,
        expected=f"at most {limit.room} bytes in the memory of {owner}",
        found=f"{used} bytes",
        **device.limit_facts(path, used, limit.room),
        help=plan_with(device, {path: used}),
    )


def suggest_more_cores(graph: machine.GraphOp, topology: Topology, cores: int) -> Phrase:
    """Returns the plan for the same device with `cores` working cores."""
    device = device_of(graph)
    fields = topology.enlarged(cores + topology.cores - int(topology.is_usable.sum()))
    known = {path: value for path, value in fields.items() if device.quantity(path) is not None}
    return plan_with(device, known)
