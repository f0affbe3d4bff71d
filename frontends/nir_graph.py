"""Nodes and edges of a network: connections, explicit inputs and outputs, and checks.

Nodes and edges are sorted by name, so that the result does not depend on their order in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from attrs import Factory, define
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute

from ..core.diagnostics import Code, Diagnostics, quote_names
from ..dialects import nir as ops
from .nir_values import is_text, list_of, refuse_value, suggestion

NIF006 = Code("NIF006", "edge-to-missing-node", "an edge refers to a missing node")
NIF007 = Code("NIF007", "edge-repeated", "an edge is defined twice")
NIF008 = Code("NIF008", "edge-against-input-output", "an edge enters an Input or leaves an Output")
NIF009 = Code("NIF009", "node-not-connected", "a node is not connected")
NIF010 = Code("NIF010", "graph-without-nodes-or-ends", "a graph has no nodes, no input or no output")
NIF011 = Code("NIF011", "nested-graph-several-ends", "a nested graph has several inputs or outputs")
NIF012 = Code("NIF012", "input-or-output-added", "an Input or Output was added")

PRIMITIVES: Mapping[str, type[ops.NodeOp]] = dict(
    sorted((op.__name__.removesuffix("Op"), op) for op in ops.NIR.operations if issubclass(op, ops.NodeOp))
)
"""The ops of NIR's computing nodes, by NIR's name. All further node types are Input, Output and NIRGraph."""


@define(eq=False)
class Node:
    """A node of NIR: a primitive, a terminal, or a nested graph."""

    name: str
    type: str
    graph: Graph
    properties: dict[str, Attribute] = Factory(dict[str, Attribute])
    declared: tuple[int, ...] | None = None
    """Input shape declared in the file, for nodes whose parameters do not determine it."""
    inside: Graph | None = None
    contents: Any = None
    """The contents of a nested graph, which may replace a node of an unknown type."""
    metadata: DictionaryAttr | None = None
    sources: list[Node] = Factory(list["Node"])
    readers: list[Node] = Factory(list["Node"])
    is_added: bool = False
    """Whether the frontend added the node, which the file then does not contain."""

    @property
    def op(self) -> type[ops.NodeOp] | None:
        return PRIMITIVES.get(self.type)

    def op_properties(self) -> dict[str, Attribute]:
        """Returns the properties of the op. Parameters of own equations are one dictionary there."""
        if self.op is not ops.NeuronOp:
            return self.properties
        params = {name: value for name, value in sorted(self.properties.items()) if name != "equations"}
        return {"equations": self.properties["equations"], "params": DictionaryAttr(params)}

    @property
    def path(self) -> str:
        """Returns the full name: the names of the enclosing graphs, then the name of the node."""
        return self.graph.prefix + self.name

    @property
    def at(self) -> str:
        """Returns its name in messages."""
        return f'{self.op.name if self.op else self.type} "{self.path}"'

    def parts(self) -> dict[str, Any]:
        """Returns the node's place, for a finding."""
        return {"at": self.at, "node": self.path}


@define(eq=False)
class Graph:
    """A graph of NIR, nodes sorted by name."""

    owner: Node | None = None
    """The node that represents it in the enclosing graph."""
    depth: int = 0
    nodes: dict[str, Node] = Factory(dict[str, Node])
    metadata: DictionaryAttr | None = None

    @property
    def prefix(self) -> str:
        return f"{self.owner.path}." if self.owner else ""

    @property
    def at(self) -> str:
        return self.owner.at if self.owner else "the network"

    def parts(self) -> dict[str, Any]:
        """Returns the graph's place, for a finding."""
        return {"at": self.at, "node": self.owner.path if self.owner else None}

    def of_type(self, type: str) -> list[Node]:
        return [node for node in self.nodes.values() if node.type == type]

    @property
    def inputs(self) -> list[Node]:
        return self.of_type("Input")

    @property
    def outputs(self) -> list[Node]:
        return self.of_type("Output")


def graphs(root: Graph) -> Iterator[Graph]:
    """Returns a graph and all graphs nested in it, outer before inner, by name."""
    waiting = [root]
    while waiting:
        graph = waiting.pop()
        yield graph
        waiting += [node.inside for node in reversed(graph.nodes.values()) if node.inside]


# ---- edges


class Ends(NamedTuple):
    """Names at the two ends of all edges, including refused edges."""

    sources: set[str]
    targets: set[str]
    unreadable: list[Any]


def connect(
    graph: Graph, edges: list[Any], names: set[Any], choices: Mapping[str, Sequence[str]], problems: Diagnostics
) -> Ends:
    """Builds the edges. `names` contains the names of all nodes, including refused ones; `choices` lists candidate nodes for each
    unknown name."""
    ends = Ends(set(), set(), [])
    seen: set[tuple[str, str]] = set()
    known = sorted(filter(is_text, names))
    for edge in sorted(edges, key=repr):
        pair = list_of(edge) or []
        if [is_text(end) for end in pair] != [True, True]:
            refuse_value(problems, graph.at, "an edge is not a pair of names", "(from, to)", edge)
            ends.unreadable.append(edge)
            continue
        source: str = pair[0]
        target: str = pair[1]
        shown = f'"{source}" -> "{target}"'
        if (source, target) in seen:
            problems.error(
                NIF007,
                **graph.parts(),
                expected="each edge once",
                found=shown,
                help="remove one of them; to double a signal, insert a Scale",
            )
            continue
        seen.add((source, target))
        ends.sources.add(source)
        ends.targets.add(target)
        for stray in dict.fromkeys(end for end in (source, target) if end not in names):
            problems.error(
                NIF006,
                f'an edge refers to the missing node "{stray}"',
                **graph.parts(),
                expected=f"one of {quote_names(known)}",
                found=shown,
                help=f"use the name of one of these nodes: {quote_names(choices[stray])}"
                if stray in choices
                else suggestion(stray, known, "correct the end of the edge"),
            )
        if source in graph.nodes and target in graph.nodes:
            graph.nodes[source].readers.append(graph.nodes[target])
            graph.nodes[target].sources.append(graph.nodes[source])
    for node in graph.nodes.values():
        node.sources.sort(key=lambda other: other.name)
        node.readers.sort(key=lambda other: other.name)
    return ends


# ---- ends


def add_ends(graph: Graph, ends: Ends, diagnostics: Diagnostics) -> None:
    """Adds an Input before each node without predecessors, and an Output after each node without successors."""
    added: dict[str, Node] = {}
    for node in graph.nodes.values():
        if node.type in ("Input", "Output") or (node.name in ends.sources) == (node.name in ends.targets):
            continue
        type = "Input" if node.name in ends.sources else "Output"
        name = stem = f"{type.lower()}_{node.name}"
        number = 0
        while name in graph.nodes or name in added:
            name, number = f"{stem}_{number}", number + 1
        end = added[name] = Node(name, type, graph, is_added=True)
        if type == "Input":
            end.readers, node.sources = [node], [end]
        else:
            end.sources, node.readers = [node], [end]
        diagnostics.remark(
            NIF012,
            f'the {type} "{graph.prefix}{name}" was added',
            **node.parts(),
            expected="an edge to it" if type == "Input" else "an edge from it",
            found="none",
            help=f"to choose its name, add an {type} and its edge to the file",
        )
    graph.nodes = dict(sorted((graph.nodes | added).items()))


def check_ends(graph: Graph, ends: Ends, problems: Diagnostics) -> None:
    """Refuses nodes without edges, and edges on the wrong side of a terminal."""
    for node in graph.nodes.values():
        is_source = node.name in ends.sources or bool(node.readers)
        is_target = node.name in ends.targets or bool(node.sources)
        if node.type == "Input" and is_target:
            refuse_edge(problems, node, "an edge enters an Input", "only edges from it", node.sources)
        if node.type == "Output" and is_source:
            refuse_edge(problems, node, "an edge leaves an Output", "only edges to it", node.readers)
        if not ends.unreadable and not {"Input": is_source, "Output": is_target}.get(node.type, is_source or is_target):
            problems.error(
                NIF009,
                **node.parts(),
                expected="an edge from it" if node.type == "Input" else "an edge to it",
                found="none",
                help="connect the node or remove it",
            )


def refuse_edge(problems: Diagnostics, node: Node, message: str, expected: str, others: list[Node]) -> None:
    problems.error(
        NIF008,
        message,
        **node.parts(),
        expected=expected,
        found=quote_names(other.name for other in others) if others else "an edge",
        help=f"connect {'the node after the Input' if node.type == 'Input' else 'the node before the Output'} instead",
    )


def check_terminals(graph: Graph, problems: Diagnostics) -> None:
    """Refuses graphs without an Input or Output, and nested graphs with several."""
    if not graph.nodes:
        problems.error(
            NIF010,
            "a graph has no nodes",
            **graph.parts(),
            expected="an Input, an Output, and nodes between them",
            found="none",
            help="export the network again",
        )
        return
    for type, found in (("Input", graph.inputs), ("Output", graph.outputs)):
        if not found:
            problems.error(
                NIF010,
                f"a graph has no {type.lower()}",
                **graph.parts(),
                expected=f"an {type} node",
                found=f"every node has a {'predecessor' if type == 'Input' else 'successor'}",
                help=f"add an {type} node and connect it",
            )
        elif graph.owner and len(found) > 1:
            problems.error(
                NIF011,
                f"a nested graph has several {type.lower()}s",
                **graph.parts(),
                expected=f"one {type}",
                found=quote_names(node.name for node in found),
                help="move the nodes of the nested graph to the outer one",
            )
