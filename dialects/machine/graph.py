"""Mapped networks of the machine dialect, and the checks across their vertices, edges and routes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, SymbolNameConstraint, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.rewriter import Rewriter
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface
from xdsl.utils.str_enum import StrEnum

from ...core.device.named_device import device_named
from ...core.device.records import Device
from ...core.device.topology import Topology, topology_of
from ...core.diagnostics import Code, InvalidOp, Refused, describe_op, invalid, refuse
from ...core.ir.operation import BracketedAttribute, NoptOperation, VerifiesLast, shape_of
from ..chip_base.needs import Needs
from ..chip_base.sharing import Contents, join_needs
from ..ntensor import ApproximationAttr
from ._counts import (
    GraphCounts,
    count_contents,
    count_graph,
    count_needs,
    verify_cores,
    verify_declared_needs,
    verify_edge_counts,
    verify_limits,
    verify_projections,
)
from ._routes import verify_routes, verify_tables
from .mapping import EdgeOp, RouteOp, VertexOp
from .parts import (
    MCH001,
    MCH002,
    InputOp,
    OutputOp,
    PopulationOp,
    ProjectionOp,
    size_of,
    updates_of,
    verify_known,
)
from .tables import KeyOp, TableOp

MACHINE_TABLED = "machine.tabled"
"""The attribute of a graph with the sizes of its tables."""

GraphPart = TypeVar("GraphPart", bound=Operation)

MCH003 = Code("MCH003", "vertices-miss-population", "vertices do not cover their population exactly once")
MCH006 = Code("MCH006", "vertex-core-invalid", "a vertex has an invalid core")
MCH017 = Code("MCH017", "graph-not-routed", "the graph is not routed")


class Stage(StrEnum):
    """Stages of the mapping of a machine graph."""

    PARTITIONED = "partitioned"
    PLACED = "placed"
    ROUTED = "routed"


@irdl_attr_definition
class StageAttr(BracketedAttribute, EnumAttribute[Stage]):  # pyrefly: ignore[partially-unknown-type]
    """The stage of a machine graph, which determines its guarantees."""

    name = "machine.stage"


@irdl_op_definition
class GraphOp(NoptOperation):
    """A network that is being mapped to cores. The module docstring lists the guarantees of each stage.

    The attributes `machine.device` and `machine.set` specify the device; without a device no limit is checked.

    Units: `tick_ns` [ns].
    Errors: MCH001 names; MCH002 parts that do not match; MCH003 slices; DEV016, DEV021, DEV022 limits; MCH006 places; MCH008, MCH009
    routes; MCH011 declared counts; MCH012 edges; MCH013 projections; MCH015, MCH016 keys and tables; those of `ntensor.neuron` and `ntensor.sum`, and of reading the device.
    """

    name = "machine.graph"
    sym_name = prop_def(SymbolNameConstraint())
    tick_ns = prop_def(IntegerAttr.constr(i64))
    stage = prop_def(StageAttr)
    approximations = opt_prop_def(base(ListAttr[ApproximationAttr]))
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), NoTerminator(), HasParent(ModuleOp), VerifiesLast())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    def __init__(
        self,
        name: str,
        tick_ns: int,
        body: Region,
        stage: Stage = Stage.PARTITIONED,
        approximations: Attribute | None = None,
    ):
        properties: dict[str, Attribute | None] = {
            "sym_name": StringAttr(name),
            "tick_ns": IntegerAttr(tick_ns, i64),
            "stage": StageAttr(stage),
            "approximations": approximations,
        }
        super().__init__(properties=properties, regions=[body])

    def parts(self, kind: type[GraphPart]) -> list[GraphPart]:
        """Returns the parts of one class in the order of the graph."""
        return [op for op in self.body.block.ops if type(op) is kind]

    @property
    def inputs(self) -> dict[str, InputOp]:
        return {op.node.data: op for op in self.parts(InputOp)}

    @property
    def outputs(self) -> dict[str, OutputOp]:
        return {op.node.data: op for op in self.parts(OutputOp)}

    @property
    def populations(self) -> dict[str, PopulationOp]:
        return {op.node.data: op for op in self.parts(PopulationOp)}

    @property
    def projections(self) -> dict[str, ProjectionOp]:
        return {op.node.data: op for op in self.parts(ProjectionOp)}

    @property
    def vertices(self) -> dict[str, VertexOp]:
        return {op.node.data: op for op in self.parts(VertexOp)}

    @property
    def edges(self) -> list[EdgeOp]:
        return self.parts(EdgeOp)

    @property
    def routes(self) -> list[RouteOp]:
        return self.parts(RouteOp)

    @property
    def keys(self) -> dict[str, KeyOp]:
        """Returns the keys of each vertex, where routers select routes by keys."""
        return {op.source.data: op for op in self.parts(KeyOp)}

    @property
    def tables(self) -> dict[int, TableOp]:
        """Returns the table of each router, by its position."""
        return {op.position.value.data: op for op in self.parts(TableOp)}

    def clear_transport(self) -> None:
        """Removes routes, keys and tables."""
        for op in (*self.routes, *self.parts(KeyOp), *self.parts(TableOp)):
            Rewriter.erase_op(op)
        self.attributes.pop(MACHINE_TABLED, None)

    def source_types(self) -> dict[str, Attribute]:
        """Returns the type of the output of each input and population, by name."""
        return {name: op.type for name, op in {**self.inputs, **self.populations}.items()}

    def vertices_by_source(self) -> dict[str, list[VertexOp]]:
        """Returns the vertices of each input and population, in their order. Errors: MCH001."""
        found: dict[str, list[VertexOp]] = {name: [] for name in self.source_types()}
        for op in self.parts(VertexOp):
            verify_known(op, "input or population", op.source.data, found)
            found[op.source.data].append(op)
        return found

    def counts(self) -> GraphCounts:
        """Returns the slices of the graph and the synapses between them."""
        return count_graph(self)

    def counted_needs(self, device: Device | None) -> dict[str, Needs]:
        """Returns the resources that each vertex needs, by name, as counted in the graph."""
        return count_needs(self, count_graph(self), device)

    def counted_contents(self, device: Device | None) -> dict[str, Contents]:
        """Returns the contents of each population vertex (axons and parameter classes that vertices on a core share), by vertex name."""
        return count_contents(self, count_graph(self), device)

    def vertices_by_core(self) -> dict[int, list[str]]:
        """Returns the names of the vertices of populations on each core. An input needs no core."""
        populations, cores = self.populations, dict[int, list[str]]()
        for vertex in self.vertices.values():
            if vertex.source.data in populations and vertex.place is not None:
                cores.setdefault(vertex.place, []).append(vertex.node.data)
        return cores

    def core_needs(self, device: Device | None) -> dict[int, Needs]:
        """Returns the total needs of the vertices on each core, as counted in the graph."""
        counts = count_graph(self)
        needs, contents = count_needs(self, counts, device), count_contents(self, counts, device)
        return {
            core: join_needs([needs[name] for name in names], [contents[name] for name in names])
            for core, names in self.vertices_by_core().items()
        }

    def verify_(self) -> None:
        if not isinstance(self.parent_op(), ModuleOp):
            return
        verify_parts(self)
        verify_slices(self)
        verify_edges(self)
        counts = count_graph(self)
        verify_edge_counts(self, counts)
        try:
            device = device_named(self)
        except Refused as refusal:
            raise InvalidOp(refusal.findings[0]) from refusal
        needs = count_needs(self, counts, device)
        verify_declared_needs(self, needs, device)
        topology = None
        if device is not None:
            verify_projections(self, counts, device)
            verify_limits(self, needs, device)
            topology = topology_of(device, len(self.vertices))
        if self.stage.data is Stage.PARTITIONED:
            return
        verify_places(self, topology)
        if device is not None and topology is not None:
            verify_cores(self, counts, needs, device, topology)
            if self.stage.data is Stage.ROUTED:
                verify_routes(self.routes, self.edges, self.vertices, topology)
                keys, tables = self.parts(KeyOp), self.parts(TableOp)
                verify_tables(keys, tables, self.edges, self.vertices, topology, device)


# ---- parts


def verify_parts(graph: GraphOp) -> None:
    """Refuses names that are missing or used twice, and projections whose types do not match. Errors: MCH001, MCH002."""
    for kinds in ((InputOp, PopulationOp, OutputOp), (ProjectionOp,), (VertexOp,)):
        seen: set[str] = set()
        for op in graph.body.block.ops:
            if isinstance(op, kinds):
                if (name := op.node.data) in seen:
                    help = "rename one of the two"
                    invalid(
                        op, MCH001, "two parts have the same name", expected="each name once", found=name, help=help
                    )
                seen.add(name)
    types, projections = graph.source_types(), graph.projections
    for projection in projections.values():
        verify_known(projection, "input or population", projection.source.data, types)
        verify_same_type(
            projection, "the input of the projection", projection.input_type, types[projection.source.data]
        )
    for output in graph.outputs.values():
        verify_known(output, "input or population", output.source.data, types)
        given = types[output.source.data]
        verify_same_type(output, "the output", output.body.block.args[0].type if output.body else output.type, given)
    module = graph.parent_op()
    updates = updates_of(module) if isinstance(module, ModuleOp) else {}
    for population in graph.populations.values():
        operands = population.function_type.inputs.data
        if len(population.inputs) != len(operands) or not all(map(len, population.inputs)):
            found = f"{len(population.inputs)} lists for {len(operands)} operands"
            help = "list the projections that are added for each operand"
            invalid(population, MCH002, "operands and lists of projections do not match", found=found, help=help)
        for listed in population.inputs:
            for name in listed:
                verify_known(population, "projection", name.data, projections)
        given = [[projections[name.data].gives for name in listed] for listed in population.inputs]
        update = updates.get(population.update.root_reference.data)
        if isinstance(module, ModuleOp):
            population.verify_against(update, given)


def verify_same_type(op: Operation, what: str, found: Attribute, wanted: Attribute) -> None:
    if found != wanted:
        help = "declare the type of the source"
        invalid(
            op, MCH002, f"the type of {what} differs from its source", expected=str(wanted), found=str(found), help=help
        )


# ---- slices


def verify_slices(graph: GraphOp) -> None:
    """Refuses boxes that overlap or leave neurons out. Errors: MCH001, MCH003."""
    types, populations = graph.source_types(), graph.populations
    for name, vertices in graph.vertices_by_source().items():
        part = populations.get(name) or graph.inputs[name]
        order = part.order if isinstance(part, PopulationOp) else None
        shape = shape_of(types[name])
        if order is not None:
            if order.shape != (size_of(types[name]),) or not np.array_equal(
                np.sort(order.values), np.arange(order.shape[0])
            ):
                help = "list each flat index once, or omit order"
                invalid(part, MCH003, "order is not a permutation of the neurons", found=f"{order.shape}", help=help)
            shape = order.shape
        refuse_cover(part, shape, vertices)


def refuse_cover(part: Operation, shape: tuple[int, ...], vertices: Sequence[VertexOp]) -> None:
    help = "plan the network again: ntensor-plan-cores"
    total = int(np.prod(shape, dtype=np.int64))
    for vertex in vertices:
        box = vertex.box.values
        if len(box) != len(shape) or (box[:, 1] > np.array(shape, np.int64)).any():
            expected, found = f"a box within {list(shape)}", str(box.tolist())
            invalid(vertex, MCH003, "a slice lies outside its population", expected=expected, found=found, help=help)
    if (found := sum(vertex.neurons for vertex in vertices)) < total:
        message = "neurons are in no slice"
        invalid(
            part, MCH003, message, expected=f"{total} neurons", found=f"{found} in {len(vertices)} slices", help=help
        )
    pair = find_overlap(np.stack([vertex.box.values for vertex in vertices]).astype(np.int64)) if vertices else None
    if pair is not None:
        found = " and ".join(f'"{vertices[k].node.data}"' for k in pair)
        invalid(part, MCH003, "two slices overlap", expected="each neuron in one slice", found=found, help=help)


def find_overlap(boxes: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> tuple[int, int] | None:
    """Returns the indices of two boxes with a common neuron; None if no boxes overlap. Shapes: boxes [k, axes, 2]."""
    if not boxes.shape[1]:
        return (0, 1) if len(boxes) > 1 else None
    for k, box in enumerate(boxes):
        rest = boxes[k + 1 :]
        common = (rest[:, :, 0] < box[:, 1]) & (rest[:, :, 1] > box[:, 0])
        if len(hit := np.flatnonzero(common.all(axis=1))):
            return k, k + 1 + int(hit[0])
    return None


def verify_edges(graph: GraphOp) -> None:
    """Refuses an edge with an undefined projection or vertex, or with vertices that the projection does not connect. Errors: MCH001."""
    vertices, projections = graph.vertices, graph.projections
    reads = {
        (name.data, node)
        for node, population in graph.populations.items()
        for listed in population.inputs
        for name in listed
    }
    seen: set[tuple[str, str, str]] = set()
    for edge in graph.edges:
        key = (edge.projection.data, edge.source.data, edge.target.data)
        if edge.projection.data not in projections:
            verify_known(edge, "projection", edge.projection.data, projections)
        for name in (edge.source, edge.target):
            if name.data not in vertices:
                verify_known(edge, "vertex", name.data, vertices)
        source, target = (vertices[name.data].source.data for name in (edge.source, edge.target))
        if source != projections[edge.projection.data].source.data or (edge.projection.data, target) not in reads:
            found, help = f'"{source}" -> "{target}"', "specify the projection that connects them"
            message = f'"{edge.projection.data}" does not connect these vertices'
            invalid(edge, MCH001, message, found=found, help=help)
        if key in seen:
            found, help = f'"{key[1]}" -> "{key[2]}" twice', "merge the two edges"
            invalid(edge, MCH001, "an edge is defined twice", found=found, help=help)
        seen.add(key)


def routed_graphs(module: ModuleOp) -> list[GraphOp]:
    """Returns the machine graphs of a module. Errors: MCH017 a graph that is not routed."""
    graphs = [op for op in module.ops if isinstance(op, GraphOp)]
    for graph in graphs:
        if graph.stage.data is not Stage.ROUTED:
            at, help = describe_op(graph)[0], "machine-place-vertices,machine-route-edges"
            refuse(MCH017, at=at, expected="stage routed", found=f"stage {graph.stage.data}", help=help)
    return graphs


# ---- places


def verify_places(graph: GraphOp, topology: Topology | None) -> None:
    """Refuses a core that does not exist, does not work or is reserved. Errors: MCH006."""
    populations = graph.populations
    for vertex in graph.vertices.values():
        if (core := vertex.place) is None:
            help = "place the graph again"
            invalid(vertex, MCH006, "the vertex has no core", expected="core = N", found="none", help=help)
        if topology is not None:
            verify_place(vertex, core, topology, is_input=vertex.source.data not in populations)


def verify_place(vertex: VertexOp, core: int, topology: Topology, *, is_input: bool) -> None:
    help = "place the graph again"
    if core >= topology.cores:
        expected = f"cores 0 to {topology.cores - 1}"
        invalid(vertex, MCH006, "the device has no such core", expected=expected, found=f"core {core}", help=help)
    if not is_input and not topology.is_usable[core]:
        message = "the core does not work, or is reserved"
        invalid(vertex, MCH006, message, expected="a free core", found=topology.format_core(core), help=help)
