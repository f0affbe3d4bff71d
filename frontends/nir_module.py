"""Module of a network in NIR: the ops of its nodes in topological order, each with its location."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from attrs import Factory, frozen
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    DictionaryAttr,
    FunctionType,
    LocationAttr,
    ModuleOp,
    NameLoc,
    StringAttr,
    f32,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from ..core.arrays.arrays import ArrayAttr
from ..core.diagnostics import Diagnostics, Refused
from ..core.ir.graph_region import Signature, names, reverse_postorder
from ..core.ir.location_parts import file_location, fuse, node_location
from ..dialects import nir as ops
from .limits import DEFAULTS, Limits
from .nir_graph import Graph, Node, graphs
from .nir_network import network_from
from .nir_shapes import Signal, signals


def build_module(
    contents: dict[str, Any], name: str, diagnostics: Diagnostics, file: str | None, limits: Limits = DEFAULTS
) -> ModuleOp:
    """Builds the module from the contents of a file."""
    notes, problems = Diagnostics(), Diagnostics()
    network = network_from(contents, notes, problems, limits.depth)
    found = signals(network, notes, problems, limits) if not problems.errors else {}
    if problems.errors:
        raise Refused(*(finding.located(file=file) for finding in problems.errors))
    diagnostics.extend(finding.located(file=file) for finding in (*problems.findings, *notes.findings))
    place = node_location(name) if file is None else file_location(file)
    module = ModuleOp([Emission(found, place).network(network, name)])
    module.location = place
    return module


def legal(text: str) -> str:
    """Returns text that UTF-8 can encode; file names may contain other bytes."""
    return text.encode(errors="replace").decode()


def hint(name: str) -> str:
    """Returns the name hint of a node's SSA value. Characters that it may not contain are replaced, so hints need not be unique."""
    text = re.sub(r"[^A-Za-z0-9_$.-]", "_", name)
    text = re.sub(r"(_\d+)+$", "", text)  # the printer numbers names with such endings, the parser removes them
    return text if re.match(r"[A-Za-z_]", text) else f"n{text}"


def order(graph: Graph) -> list[Node]:
    """Returns the nodes except terminals in topological order; a loop starts at its entry node.

    This is the reverse postorder of a depth-first search along the edges: each node follows its sources, except on the back edges of
    loops. Nodes that no input reaches are last.
    """
    found = reverse_postorder(reversed(graph.inputs), lambda node: reversed(node.readers))
    seen = set(found)
    others = (node for node in reversed(graph.nodes.values()) if node not in seen)
    found += reverse_postorder(others, lambda node: [reader for reader in reversed(node.readers) if reader not in seen])
    return [node for node in found if node.type not in ("Input", "Output")]


@frozen
class Emission:
    """Builder of a network's ops from its inferred signals."""

    signals: dict[Node, Signal]
    place: LocationAttr
    """The location of the file."""
    regions: dict[Node, Region] = Factory(dict[Node, Region])
    """The regions of nested graphs."""

    def network(self, root: Graph, name: str) -> ops.GraphOp:
        for graph in reversed(list(graphs(root))):  # inner graphs first
            if graph.owner is not None:
                self.regions[graph.owner] = self.region(graph)
        op = ops.GraphOp(legal(name) or "network", self.signature(root), self.region(root))
        op.location = self.place
        take_metadata(op, root)
        return op

    def signature(self, graph: Graph) -> Signature:
        inputs, outputs = graph.inputs, graph.outputs
        type = FunctionType.from_lists(
            [self.signals[node].type for node in inputs], [self.signals[node].type for node in outputs]
        )
        return Signature(names(node.name for node in inputs), names(node.name for node in outputs), type)

    def region(self, graph: Graph) -> Region:
        """Builds every op with a placeholder operand, then connects all operands, so that loops need no special case."""
        inputs = graph.inputs
        block = Block(arg_types=[self.signals[node].type for node in inputs])
        for node, arg in zip(inputs, block.args, strict=True):
            arg.location = self.location(node)
        values: dict[Node, SSAValue] = dict(zip(inputs, block.args, strict=True))
        made: dict[Node, Operation] = {}
        for node in order(graph):
            op = made[node] = self.op(node)
            op.location = self.location(node)
            values[node] = op.results[0]
        for node, value in values.items():
            value.name_hint = hint(node.name)
        for node, op in made.items():
            if node.sources:
                op.operands[0] = self.summed_source(node, values, block)
            block.add_op(op)
        end = ops.OutputOp(*[self.summed_source(node, values, block) for node in graph.outputs])
        end.location = fuse(map(self.location, graph.outputs))
        block.add_op(end)
        return Region(block)

    def location(self, node: Node) -> LocationAttr:
        return node_location(node.path, UNKNOWN_LOC if isinstance(self.place, NameLoc) else self.place)

    def op(self, node: Node) -> Operation:
        stand_in = Block(arg_types=[self.arriving(node).type]).args[0]
        if node.inside is not None:
            op = ops.SubgraphOp(node.name, [stand_in], self.signature(node.inside), self.regions[node])
            take_metadata(op, node.inside)
            return op
        assert node.op is not None  # terminals are not ops
        properties = {"node": StringAttr(node.name), **node.op_properties()}
        if issubclass(node.op, ops.ConvolutionOp) and "input_shape" not in properties:
            sizes = np.array(self.arriving(node).shape[1:], np.int64)
            properties["input_shape"] = ArrayAttr.of(sizes if node.op.RANK > 1 else sizes[0])
        op = node.op.create(operands=[stand_in], result_types=[self.signals[node].type], properties=properties)
        if node.metadata is not None:
            op.properties["metadata"] = node.metadata
        return op

    def arriving(self, node: Node) -> Signal:
        """Returns the type of a node's operand, which is the sum of its incoming edges."""
        first = self.signals[node.sources[0]]
        return first if len(node.sources) == 1 else Signal(first.shape, f32)

    def summed_source(self, node: Node, values: dict[Node, SSAValue], block: Block) -> SSAValue:
        """Returns the operand of a node; for several edges it inserts a sum into the block."""
        if len(node.sources) == 1:
            return values[node.sources[0]]
        op = ops.SumOp.build(
            operands=[[values[source] for source in node.sources]], result_types=[self.arriving(node).type]
        )
        op.location = self.location(node)
        op.y.name_hint = f"{hint(node.name)}.sum"
        block.add_op(op)
        return op.y


def take_metadata(op: ops.GraphOp | ops.SubgraphOp, graph: Graph) -> None:
    """Adds the metadata of a graph and of its terminals to the op."""
    if graph.metadata is not None:
        op.properties["metadata"] = graph.metadata
    ends: Iterable[Node] = (*graph.inputs, *graph.outputs)
    if known := {node.name: node.metadata for node in ends if node.metadata is not None}:
        op.properties["terminal_metadata"] = DictionaryAttr(known)
