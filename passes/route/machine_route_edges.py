"""Routes every neuron's spikes from core to core, as multicast trees of the device's topology.

    machine.graph @net {stage = placed}     =>    {stage = routed, machine.routed = {cost = 34032.0, links = 712, trees = 176}}
                                                  machine.route "lif1/0" {links = [[1, 1, 2, 1], [2, 1, 2, 2]], neurons = […], activity = [32.0]}

Neurons of a vertex whose spikes go to the same routers share a tree, which uses each link once; all trees of a vertex are one op. If routers hold fewer routes, more neurons of a vertex share
one (`_shared_routes.py`). The topology defines it: on a mesh it goes
first along the row, then along the columns, or in the device's order (`topology.routers.order`); on a bus it is one use of the bus. Routers that
cannot copy a spike get one path per target. On a `hex-torus` all neurons of a vertex share a tree. It has fewer links than the tree that
placement counts if `shorter` of the topology finds such a tree. Spikes that stay on their core need no route. The route to other cores of one position has no links.

If the device limits the events of one link (`topology.bus.events_per_tick`), the load of the most loaded link is checked as far as a calibration
observed the activity of its sources. A load that depends on sources without an observation is reported as unchecked.

Errors: MAP007 a graph that is not placed; MAP008 more routes than a router holds; MAP009 more events than a link carries; DEV023 no device is
named. Remarks: MAP010 a load that is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.link_loads import most_loaded_link
from ...analysis.placement.placement_cost import cost_of
from ...analysis.placement.placement_problem import Problem, problem_of
from ...core.arrays.numeric import Bools, Ints
from ...core.arrays.runs import indices_of_runs
from ...core.device.named_device import device_of
from ...core.device.topology import Trees
from ...core.diagnostics import Code, Diagnostics, describe_op, first_of, refuse_op
from ...core.help_text import Option, OtherDevice, Phrase
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import machine
from ..pipelines import plan_with
from ._shared_routes import share_routes

MAP007 = Code("MAP007", "graph-not-placed", "the graph is not placed")
MAP008 = Code("MAP008", "router-routes-exceeded", "more routes pass a router than it holds")
MAP009 = Code("MAP009", "link-capacity-exceeded", "more events use a link than it carries")
MAP010 = Code("MAP010", "link-load-unchecked", "the load of a link is not checked")

ENTRIES = "topology.routers.entries"
MACHINE_ROUTED = "machine.routed"


@dataclass(frozen=True)
class MachineRouteEdgesPass(NoptPass):
    """Routes every `machine.graph`; one that was routed before, anew."""

    name = "machine-route-edges"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in op.ops:
            if isinstance(graph, machine.GraphOp):
                route(graph)
                verify_load(graph, diagnostics_of(ctx))


def route(graph: machine.GraphOp) -> None:
    """Routes a placed graph. Errors: MAP007, MAP008, DEV023."""
    if graph.stage.data is machine.Stage.PARTITIONED:
        help = "machine-place-vertices,machine-route-edges"
        refuse_op(graph, MAP007, expected="stage placed", found="stage partitioned", help=help)
    vertices, problem = graph.vertices, problem_of(graph)
    core = np.asarray([vertex.place for vertex in vertices.values()], np.int64)
    graph.clear_transport()
    cost, links, sent, entries = 0.0, 0, 0, np.zeros(problem.topology.cores, np.int64)
    for part in share_routes(problem, core, device_of(graph).integer(ENTRIES)):
        trees, is_sent = part.trees(core), part.leaves_core(core)
        paths = trees.cost(part.activity)
        assert np.isclose(paths, cost_of(part, core))  # both count the same links
        trees = problem.topology.shorter(trees, core[part.source], part.start, core[part.target])
        cost, links = cost + min(paths, trees.cost(part.activity)), links + len(trees.tail)
        sent, entries = sent + int(np.count_nonzero(is_sent)), entries + trees.entries(core[part.source], is_sent)
        Rewriter.insert_op([*route_ops(graph, part, trees, is_sent)], InsertPoint.at_end(graph.body.block))
    verify_entries(graph, problem, entries)
    found = {"cost": cost, "links": links, "trees": sent}
    graph.attributes[MACHINE_ROUTED] = machine.number_dictionary(found)
    graph.stage = machine.StageAttr(machine.Stage.ROUTED)


def route_ops(graph: machine.GraphOp, problem: Problem, trees: Trees, is_sent: Bools) -> Iterator[machine.RouteOp]:
    """Yields an op for each vertex with spikes that leave its core. Shapes: is_sent [nets]."""
    sizes = np.array([vertex.neurons for vertex in graph.vertices.values()], np.int64)
    nets = np.flatnonzero(is_sent)
    nets = nets[np.argsort(problem.source[nets], kind="stable")]
    for own in np.split(nets, np.flatnonzero(np.diff(problem.source[nets])) + 1) if len(nets) else ():
        vertex = int(problem.source[own[0]])
        links, members = np.diff(trees.start)[own], np.diff(problem.member_start)[own]
        members = np.where(members == sizes[vertex], 0, members)
        chosen = indices_of_runs(trees.start[own], links)
        rows = problem.topology.link_rows(trees.tail[chosen], trees.head[chosen])
        neurons = problem.member[indices_of_runs(problem.member_start[own], members)]
        sections = np.stack([links, members], axis=1) if len(own) > 1 else None
        name, activity = problem.vertices[vertex], problem.activity[own]
        yield machine.RouteOp(name, rows, activity, sections, neurons if len(neurons) else None)


def verify_entries(graph: machine.GraphOp, problem: Problem, entries: Ints) -> None:
    """Refuses more routes than a router holds. Shapes: entries [cores], by the first core of each router. Errors: MAP008."""
    device = device_of(graph)
    if (most := device.integer(ENTRIES)) is None or problem.topology.is_keyed:
        return
    if (worst := int(entries.max(initial=0))) > most:
        refuse_op(
            graph,
            MAP008,
            f"more routes pass the router of {problem.topology.format_router(int(entries.argmax()))} than it holds",
            expected=f"at most {most} entries",
            found=f"{worst} entries",
            **device.limit_facts(ENTRIES, worst, most),
            help=Phrase(OtherDevice()),
        )


def verify_load(graph: machine.GraphOp, diagnostics: Diagnostics) -> None:
    """Refuses more events per tick than a link carries. Errors: MAP009. Remarks: MAP010 the activity of its sources is unknown."""
    load = most_loaded_link(graph)
    if load is None or (load.is_checked and not load.is_exceeded):
        return
    device = device_of(graph)
    expected = f"at most {load.limit:g} events per tick"
    if load.is_exceeded:
        least = ceil(load.known)
        refuse_op(
            graph,
            MAP009,
            f"more events use {load.name} than it carries",
            expected=expected,
            found=f"{load.known:g} events per tick",
            **device.limit_facts(load.path, least, load.limit),
            help=plan_with(device, {load.path: least}),
        )
    diagnostics.remark(
        MAP010,
        f"the load of {load.name} is not checked",
        at=describe_op(graph)[0],
        expected=f"{expected} ({device.cite(load.path)})",
        found=f"up to {load.total:g}, if each neuron of {first_of(load.assumed, 8)} sends one event per tick",
        path=load.path,
        help=Phrase(Option('ntensor-calibrate{data="x.npy"}', "--calib x.npy", is_of_device=True)),
    )
