"""Conversion of a graph of the `nir` package to a network: nodes with their parameters as attributes, connected and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import StringAttr

from ..core.diagnostics import Code, Diagnostics
from ..dialects import nir as ops
from .nir_graph import PRIMITIVES, Graph, Node, add_ends, check_ends, check_terminals, connect
from .nir_repairs import settle_edges, spread_unequal
from .nir_values import (
    DEEPEST,
    array_of,
    group_of,
    is_text,
    kept_metadata,
    refuse_numbers,
    refuse_value,
    short,
    sizes_of,
    suggestion,
)

if TYPE_CHECKING:
    import nir

NIF003 = Code(
    "NIF003",
    "a node has a type that NIR does not define",
    cause="NIR defines a fixed list of primitives. The type of this node is not in the list, or is missing.",
    remedy="Export the network from primitives of NIR; the message lists them.",
)
NIF004 = Code(
    "NIF004",
    "a node has a missing or an unknown parameter",
    cause="Every primitive of NIR has fixed parameters. Without one of them the node cannot be computed; an unknown parameter may mean that "
    "another computation was intended.",
    remedy="Export the network again; if the exporter writes the node in this form, report it there.",
)
NIF014 = Code(
    "NIF014",
    "graphs are nested too deeply",
    cause="The nesting depth of graphs is limited, so that a file with unbounded nesting is refused with a message.",
    remedy="Move the nodes of the inner graphs to the outer ones.",
)

TYPES = (*PRIMITIVES, "Input", "NIRGraph", "Output")
LOST: Any = [None]
"""Placeholder for edges that could not be read; None is the placeholder for a node."""
DECLARING = ("Flatten", "Identity", "Input", "Output")
"""Node types that declare their shape, because no parameter determines it."""


def network_of(root: nir.NIRGraph, diagnostics: Diagnostics, problems: Diagnostics) -> Graph:
    """Builds the network. Remarks and warnings go to `diagnostics`, errors to `problems`; after an error it is incomplete.

    Errors: NIF003 to NIF011, NIF014. Remarks: NIF012, NIF019, NIF022, NIF024, NIF025. Warnings: NIF013.
    """
    network = Graph()
    waiting: list[tuple[Any, Graph]] = [(root, network)]
    while waiting:
        given, graph = waiting.pop()
        if graph.depth > DEEPEST:
            problems.error(
                NIF014,
                "graphs are nested too deeply",
                at=short(graph.at),
                expected=f"at most {DEEPEST} levels",
                found="one more",
                help="move the nodes of the inner graphs to the outer ones",
            )
            break
        graph.metadata = kept_metadata(given.metadata, graph.at, diagnostics)
        nodes: dict[Any, Any] = given.nodes
        for name in nodes:
            if not is_text(name):
                refuse_value(problems, graph.at, "the name of a node is not text", "text in UTF-8", name)
        for name in sorted(filter(is_text, nodes)):
            if (node := node_of(name, nodes[name], graph, diagnostics, problems)) is not None:
                graph.nodes[name] = node
        waiting += [(nodes[node.name], node.inside) for node in graph.nodes.values() if node.inside]
        if (edges := list(given.edges)) == LOST:
            continue
        whole = len(graph.nodes) == len(nodes)
        names = set(nodes)
        pairs = settle_edges(graph, edges, names, diagnostics)
        ends = connect(graph, pairs.edges, names, pairs.choices, problems)
        add_ends(graph, ends, diagnostics)
        check_ends(graph, ends, problems)
        if whole:  # otherwise a refused node could be the missing terminal
            check_terminals(graph, problems)
    return network


def node_of(name: str, given: Any, graph: Graph, diagnostics: Diagnostics, problems: Diagnostics) -> Node | None:
    """Converts one node; returns None if it was refused before, or if NIR does not define its type."""
    if given is None:
        return None
    node = Node(name, type(given).__name__, graph)
    if node.type not in TYPES:
        problems.error(
            NIF003,
            "a node has a type that NIR does not define",
            at=node.at,
            node=node.path,
            expected=f"one of {', '.join(TYPES)}",
            found=node.type,
            help=suggestion(node.type, TYPES, "export the network from these primitives"),
        )
        return None
    node.metadata = None if node.type == "NIRGraph" else kept_metadata(given.metadata, node.at, diagnostics)
    if node.type == "NIRGraph":
        node.inside = Graph(node, graph.depth + 1)
    if node.type in DECLARING:
        take_declared(node, given, problems)
    if node.op is not None:
        take_parameters(node, node.op, given, problems)
        spread_unequal(node, diagnostics)
    return node


def take_declared(node: Node, given: Any, problems: Diagnostics) -> None:
    """Stores the input shape that the file declares, if any."""
    declared: Any = given.output_type if node.type == "Output" else given.input_type
    if (group := group_of(declared)) is not None:
        declared = next(iter(group.values()), None)
    if declared is None:
        return
    node.declared = sizes_of(declared)
    if node.declared is None:
        refuse_value(problems, node.at, "the declared shape is malformed", "a list of sizes", declared, node.path)


def take_parameters(node: Node, op: type[ops.NodeOp], given: Any, problems: Diagnostics) -> None:
    """Stores the parameters with their number formats and shapes."""
    for name in op.PARAMETERS:
        value: Any = getattr(given, name, None)
        if name == "input_shape" and value is None:
            continue
        if value is None:
            problems.error(
                NIF004,
                f"{name} is missing",
                **node.parts(),
                expected=f"{node.type} with {', '.join(op.PARAMETERS)}",
                found=f"no {name}",
                help="export the network again with every parameter",
            )
        elif name == "padding" and is_text(value):
            node.properties[name] = StringAttr(value)
        elif (array := array_of(value)) is not None:
            node.properties[name] = array
        else:
            refuse_numbers(problems, node.at, node.path, name, value)
