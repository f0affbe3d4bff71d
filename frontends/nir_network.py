"""Conversion of the contents of a file to a network: nodes with their parameters as attributes, connected and checked.

Contents are nested dictionaries in the form of a `.nir` file: each node with its type and parameters, a graph with nodes and edges. A node
that cannot be read is left out, so that all errors of a file are reported together. A node of the `nir` package
is converted to the same form.

Source: the `nir` package 1.0.8, nir/ir, for parameters and their defaults.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import StringAttr

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.numeric import AnyArray
from ..core.diagnostics import Code, Diagnostics
from ..dialects import nir as ops
from .nir_graph import PRIMITIVES, Graph, Node, add_ends, check_ends, check_terminals, connect
from .nir_repairs import arrays_of, common_shape, fill_array, report_default, settle_edges, spread_unequal
from .nir_values import (
    DEEPEST,
    NIF005,
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
from .node_types.loaded_types import own_contents, serving_proposals

NIF003 = Code("NIF003", "nir-node-type-unknown", "a node has a type that NIR does not define")
NIF004 = Code("NIF004", "nir-parameters-mismatch", "a node has a missing or an unknown parameter")
NIF014 = Code("NIF014", "graph-nesting-too-deep", "graphs are nested too deeply")

TYPES = (*PRIMITIVES, "Input", "NIRGraph", "Output")
DECLARED = {"Flatten": "input_type", "Identity": "shape", "Input": "shape", "Output": "shape"}
"""The parameter that declares a node's input shape, for nodes without a parameter that determines it."""
TEXTS = ("padding", "mode", "equations")
"""Parameters that may be text."""
OPTIONAL: Mapping[str, Callable[[AnyArray], Any]] = {
    "v_reset": np.zeros_like,
    "w_in": np.ones_like,
    "start_dim": lambda _: 1,
    "end_dim": lambda _: -1,
    "input_shape": lambda _: None,
}
"""Default of each parameter that may be missing, from the threshold or the leak of the population."""


@frozen
class PackageNode:
    """A node or graph of the `nir` package. Its contents are read when it is visited, because a graph could contain itself."""

    node: Any

    def contents(self) -> dict[str, Any]:
        """Returns the type of the node, and its parameters with their present values."""
        given = self.node
        found: dict[str, Any] = {"type": type(given).__name__, "metadata": getattr(given, "metadata", None)}
        if found["type"] == "NIRGraph":
            nodes = {name: PackageNode(inner) for name, inner in given.nodes.items()}
            return {**found, "nodes": nodes, "edges": list(given.edges)}
        op = PRIMITIVES.get(found["type"])
        if op is ops.NeuronOp:
            return {**found, "equations": given.equations, "params": dict(given.params)}
        for name in op.PARAMETERS if op else ():
            if (value := getattr(given, name, None)) is not None:
                found[name] = value
        if name := DECLARED.get(found["type"]):
            declared = given.output_type if found["type"] == "Output" else given.input_type
            if (group := group_of(declared)) is not None:
                declared = next(iter(group.values()), None)
            if declared is not None:
                found[name] = declared
        return found


def network_from(
    contents: dict[Any, Any], diagnostics: Diagnostics, problems: Diagnostics, deepest: int = DEEPEST
) -> Graph:
    """Builds the network. Remarks and warnings go to `diagnostics`, errors to `problems`; after an error it is incomplete.

    Errors: NIF003 to NIF011, NIF014. Remarks: NIF012, NIF019, NIF022 to NIF025. Warnings: NIF013.
    """
    network = Graph()
    waiting: list[tuple[Any, Graph]] = [(contents, network)]
    while waiting:
        item, graph = waiting.pop()
        given: dict[Any, Any] = item.contents() if isinstance(item, PackageNode) else item
        owner = graph.owner.path if graph.owner else None
        if graph.depth > deepest:
            problems.error(
                NIF014,
                at=short(graph.at),
                expected=f"at most {deepest} levels",
                found="one more",
                help="move the nodes of the inner graphs to the outer ones",
            )
            break
        graph.metadata = kept_metadata(given.get("metadata"), graph.at, diagnostics)
        check_fields(given, "NIRGraph", ("nodes", "edges"), ("nodes", "edges"), graph.parts(), problems)
        nodes = group_of(given.get("nodes")) or {}
        if "nodes" in given and group_of(given["nodes"]) is None:
            refuse_value(problems, graph.at, "nodes is not a group", "a group of nodes", given["nodes"], owner)
        for name in nodes:
            if not is_text(name):
                refuse_value(problems, graph.at, "the name of a node is not text", "text in UTF-8", name)
        for name in sorted(filter(is_text, nodes)):
            if (node := node_of(name, nodes[name], graph, diagnostics, problems)) is not None:
                graph.nodes[name] = node
        waiting += [(node.contents, node.inside) for node in graph.nodes.values() if node.inside]
        edges = edges_of(given["edges"], graph.at, owner, problems) if "edges" in given else None
        if edges is None:
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


def edges_of(data: Any, at: str, node: str | None, problems: Diagnostics) -> list[Any] | None:
    """Decodes edges to pairs of names; values that are not names are kept, and refused later."""
    if isinstance(data, list):
        return [*data]
    array: Any = np.asarray(data)
    if array.size == 0:
        return []
    if array.ndim != 2 or array.shape[1] != 2:
        refuse_value(problems, at, "edges is not a list of pairs", "one row for each edge: from, to", data, node)
        return None
    return [tuple(text_of(end) for end in row) for row in array.tolist()]


def text_of(value: Any) -> Any:
    """Decodes bytes that are UTF-8; returns other values unchanged."""
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value


def node_of(name: str, given: Any, graph: Graph, diagnostics: Diagnostics, problems: Diagnostics) -> Node | None:
    """Converts one node; returns None if it is refused."""
    path = graph.prefix + name
    if (data := given.contents() if isinstance(given, PackageNode) else group_of(given)) is None:
        refuse_value(
            problems, f'"{path}"', "a node is not a group", "a group with the type and parameters", given, path
        )
        return None
    type: Any = data.get("type")
    if isinstance(type, str) and type not in TYPES and (own := own_contents(type, data)) is not None:
        data, type = own, own["type"]
    if not isinstance(type, str) or type not in TYPES:
        problems.error(
            NIF003,
            at=f'{type} "{path}"' if isinstance(type, str) else f'"{path}"',
            node=path,
            expected=f"one of {', '.join(TYPES)}",
            found="no type" if type is None else str(type),
            help=help_for_type(str(type)),
        )
        return None
    node = Node(name, type, graph)
    if type == "NIRGraph":
        node.contents = data
        node.inside = Graph(node, graph.depth + 1)
        return node
    node.metadata = kept_metadata(data.get("metadata"), node.at, diagnostics)
    parameters = node.op.PARAMETERS if node.op else ()
    needed = [parameter for parameter in parameters if parameter not in OPTIONAL]
    has_fields = check_fields(data, type, needed, (*parameters, DECLARED.get(type, "")), node.parts(), problems)
    if type in DECLARED and (declared := data.get(DECLARED[type])) is not None:
        node.declared = sizes_of(declared)
        if node.declared is None:
            refuse_value(problems, node.at, "the declared shape is malformed", "a list of sizes", declared, path)
    if node.op is not None and take_values(node, node.op, data, problems) and has_fields:
        take_defaults(node, node.op, diagnostics)
        spread_unequal(node, diagnostics)
        return node
    return node if node.op is None and has_fields else None


def help_for_type(type: str) -> str:
    """Returns a help for an unknown type: a file that nopt ships for it, a similar type, or a file of the user."""
    if served := serving_proposals(type):
        return f"--load-node {shlex.quote(served[0])}"
    if type.endswith("3d"):
        return f"use {type[:-2]}2d of maps in place of {type}, or --load-node FILE"
    return suggestion(type, TYPES, "export the network from these primitives, or --load-node FILE.neuron")


def take_values(node: Node, op: type[ops.NodeOp], data: dict[Any, Any], problems: Diagnostics) -> bool:
    """Stores the parameters with their number formats and shapes; returns whether all are valid."""
    wrong: list[str] = []
    for name, value in parameter_values(op, data).items():
        if name in TEXTS and isinstance(value, str) and is_text(value):
            node.properties[name] = StringAttr(value)
        elif name in ("mode", "equations") and value is not None:
            refuse_value(problems, node.at, f"{name} is not text", "text in UTF-8", value, node.path)
            wrong.append(name)
        elif value is not None and (array := array_of(value)) is not None:
            node.properties[name] = array
        elif value is not None:
            refuse_numbers(problems, node.at, node.path, name, value)
            wrong.append(name)
    shapes = {name: array.shape for name, array in arrays_of(node).items()}
    if not wrong and issubclass(op, ops.PopulationOp) and common_shape(arrays_of(node).values()) is None:
        wrong += shapes
        problems.error(
            NIF005,
            "the parameters have different shapes",
            **node.parts(),
            expected=f"one shape for all parameters of {node.type}",
            found=", ".join(f"{name} {shape}" for name, shape in shapes.items()),
            help="correct the parameters where the network was exported",
        )
    return not wrong


def parameter_values(op: type[ops.NodeOp], data: dict[Any, Any]) -> dict[str, Any]:
    """Returns the values of the parameters. Those of own equations are a group."""
    own: Any = data.get("params") if op is ops.NeuronOp else None
    names = [name for name in op.PARAMETERS if own is None or name != "params"]
    values = {name: data.get(name) for name in names}
    return values if own is None else values | (group_of(own) or {"params": own})


def take_defaults(node: Node, op: type[ops.NodeOp], notes: Diagnostics) -> None:
    """Adds parameters that older versions of NIR did not define. Remarks: NIF023."""
    shape = common_shape(arrays_of(node).values())
    like = node.properties.get("v_threshold", node.properties.get("v_leak"))
    for name in op.PARAMETERS:
        if name not in node.properties and name in OPTIONAL and name != "input_shape":
            values = (
                fill_array(like, shape).values if isinstance(like, ArrayAttr) and shape is not None else np.zeros(())
            )
            default = np.asarray(OPTIONAL[name](values))
            node.properties[name] = ArrayAttr.of(default)
            report_default(node, name, default, notes)
    if op is not ops.NeuronOp:
        node.properties = {name: node.properties[name] for name in op.PARAMETERS if name in node.properties}


def check_fields(
    data: dict[Any, Any], type: str, needed: Sequence[str], known: Sequence[str], place: Any, problems: Diagnostics
) -> bool:
    """Refuses missing and unknown parameters; returns whether all parameters are valid."""
    missing = [name for name in needed if data.get(name) is None]
    stray = sorted(set(data) - {*known, "type", "metadata"})
    for name in missing:
        problems.error(
            NIF004,
            f"{name} is missing",
            **place,
            expected=f"{type} with {', '.join(needed)}",
            found=f"no {name}",
            help="export the network again with every parameter",
        )
    for name in stray:
        problems.error(
            NIF004,
            f"{type} has no parameter {name}",
            **place,
            expected=f"one of {', '.join(filter(None, known))}",
            found=name,
            help=suggestion(name, [name for name in known if name], "remove it from the file"),
        )
    return not missing and not stray
