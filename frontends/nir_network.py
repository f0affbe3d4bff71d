"""A graph of the `nir` package as nodes that know whom they hear: parameters as attributes, ends made explicit, oddities refused.

Everything is sorted by name, so that neither the order of nodes nor that of edges in a file shows in what is made from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from attrs import Factory, define
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.ir import Attribute

from ..core.arrays import ArrayAttr, element_of
from ..core.diagnostics import Code, Diagnostics
from ..dialects import nir as ops

if TYPE_CHECKING:
    import nir

NIF003 = Code(
    "NIF003",
    "a node has a type that NIR does not define",
    cause="The primitives of NIR are a fixed list. This node names another, or none.",
    remedy="Export the network from primitives of NIR; the message lists them.",
)
NIF004 = Code(
    "NIF004",
    "a node lacks a parameter, or has one that its type does not know",
    cause="Every primitive of NIR has fixed parameters. Without one of them the node cannot be computed; one too many may mean "
    "that the node was meant to do something else.",
    remedy="Export the network again; if the exporter writes the node so, report it there.",
)
NIF005 = Code(
    "NIF005",
    "a value is not what NIR has in its place",
    cause="Parameters are arrays of numbers (f16, f32, f64, integers of 8 to 64 bits), shapes are lists of sizes, names are text.",
    remedy="Convert the value before the export; the message says what it is.",
)
NIF006 = Code(
    "NIF006",
    "an edge names a node that is not there",
    cause="Edges name the nodes of their own graph. One end of this edge is no such name, so the network is not whole.",
    remedy="Rename the node or the end of the edge so that they agree, and write the file again.",
)
NIF007 = Code(
    "NIF007",
    "an edge is there twice",
    cause="Two equal edges could mean one connection or a doubled signal. NIR does not say which.",
    remedy="Remove one of them; to double a signal, double the weight or put a Scale between.",
)
NIF008 = Code(
    "NIF008",
    "an edge enters an Input or leaves an Output",
    cause="Inputs take their signal from outside, Outputs give theirs to the outside.",
    remedy="Connect the node behind the Input, or the one before the Output.",
)
NIF009 = Code(
    "NIF009",
    "a node is not connected",
    cause="No edge touches the node, or an Input feeds nothing, or an Output gets nothing. Most often edges were lost in the export.",
    remedy="Connect the node or remove it, and write the file again.",
)
NIF010 = Code(
    "NIF010",
    "a graph has no nodes, no input or no output",
    cause="A network takes something and gives something. Here every node hears another one, or is heard by another one, "
    "so that no node can be the end.",
    remedy="Add an Input and an Output node and connect them.",
)
NIF011 = Code(
    "NIF011",
    "a nested graph has several inputs or outputs",
    cause="The edges outside name the nested graph as a whole, so they do not say which of its inputs or outputs they mean.",
    remedy="Give the nested graph one Input and one Output, or put its nodes into the outer graph.",
)
NIF012 = Code(
    "NIF012",
    "an Input or Output was added",
    cause="A node that hears nobody takes its input from outside, and one that nobody hears gives its output to the outside. "
    "The `nir` package adds the missing ends in the same way and under the same names.",
    remedy="Nothing needs to be done. To choose the names, add the nodes in the file.",
)
NIF013 = Code(
    "NIF013",
    "metadata was left out",
    cause="Metadata are text, numbers, arrays of these, and groups of these. Nothing that is computed depends on them.",
    remedy="Nothing needs to be done. To keep the entry, write it as text or as an array.",
)
NIF014 = Code(
    "NIF014",
    "graphs are nested too deep",
    cause="Graphs within graphs are followed to a fixed depth, so that a file that nests endlessly ends with a message.",
    remedy="Put the nodes of the inner graphs into the outer ones.",
)

DEEPEST = 64
"""Most graphs within graphs, and groups within groups of metadata."""

PRIMITIVES: Mapping[str, type[ops.NodeOp]] = {
    "Affine": ops.AffineOp,
    "AvgPool2d": ops.AvgPool2dOp,
    "Conv1d": ops.Conv1dOp,
    "Conv2d": ops.Conv2dOp,
    "CubaLI": ops.CubaLIOp,
    "CubaLIF": ops.CubaLIFOp,
    "Delay": ops.DelayOp,
    "Flatten": ops.FlattenOp,
    "I": ops.IOp,
    "IF": ops.IFOp,
    "Identity": ops.IdentityOp,
    "LI": ops.LIOp,
    "LIF": ops.LIFOp,
    "Linear": ops.LinearOp,
    "Scale": ops.ScaleOp,
    "SumPool2d": ops.SumPool2dOp,
    "Threshold": ops.ThresholdOp,
}
"""What computes, by NIR's name; beside it NIR has Input, Output and NIRGraph."""
TYPES = (*PRIMITIVES, "Input", "NIRGraph", "Output")
DECLARING = ("Flatten", "Identity", "Input", "Output")
"""What has no parameters that say its shape, but declares it."""


@define(eq=False)
class Node:
    """A node of NIR: of a primitive, a terminal, or a nested graph."""

    name: str
    type: str
    graph: Graph
    properties: dict[str, Attribute] = Factory(dict[str, Attribute])
    declared: tuple[int, ...] | None = None
    """Shape of what arrives, as the file declares it, where no parameter says it."""
    inside: Graph | None = None
    metadata: DictionaryAttr | None = None
    sources: list[Node] = Factory(list["Node"])
    readers: list[Node] = Factory(list["Node"])

    @property
    def op(self) -> type[ops.NodeOp] | None:
        return PRIMITIVES.get(self.type)

    @property
    def path(self) -> str:
        """The name, after those of the graphs around it."""
        return self.graph.prefix + self.name

    @property
    def at(self) -> str:
        """How messages call it."""
        return f'{self.op.name if self.op else self.type} "{self.path}"'

    def parts(self) -> dict[str, Any]:
        """The node's place, for a finding."""
        return {"at": self.at, "node": self.path}


@define(eq=False)
class Graph:
    """A graph of NIR, nodes sorted by name."""

    owner: Node | None = None
    """The node that it is in the graph around it."""
    depth: int = 0
    nodes: dict[str, Node] = Factory(dict[str, Node])
    metadata: DictionaryAttr | None = None

    @property
    def prefix(self) -> str:
        return f"{self.owner.path}." if self.owner else ""

    @property
    def at(self) -> str:
        return self.owner.at if self.owner else "the network"

    def of_type(self, type: str) -> list[Node]:
        return [node for node in self.nodes.values() if node.type == type]

    @property
    def inputs(self) -> list[Node]:
        return self.of_type("Input")

    @property
    def outputs(self) -> list[Node]:
        return self.of_type("Output")


def graphs(root: Graph) -> Iterator[Graph]:
    """A graph and all graphs within it, outer before inner, by name."""
    waiting = [root]
    while waiting:
        graph = waiting.pop()
        yield graph
        waiting += [node.inside for node in reversed(graph.nodes.values()) if node.inside]


# ---- values


def is_text(value: object) -> bool:
    """Whether a value is text that UTF-8 can say, as every name must be."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def group_of(value: Any) -> dict[Any, Any] | None:
    """A dictionary, or None where the value is none."""
    return cast("dict[Any, Any]", value) if isinstance(value, dict) else None


def list_of(value: Any) -> list[Any] | None:
    """A list, or None where the value is none."""
    if isinstance(value, np.ndarray):
        value = cast(Any, value).tolist()
    return [*cast("list[Any]", value)] if isinstance(value, list | tuple) else None


def array_of(value: Any) -> ArrayAttr | None:
    """An array of numbers with its shape and number format, or None where it is none."""
    try:
        array: Any = np.asarray(value)
    except (ValueError, TypeError):
        return None
    if array.dtype.kind not in "fiub" or element_of(array.dtype) is None:
        return None
    # The caller may train on; an array that nobody can write to is shared.
    return ArrayAttr.of(array.copy() if array.flags.writeable else array)


def described(value: Any) -> str:
    """What a value is, in few words."""
    if isinstance(value, np.ndarray | np.generic):
        array = cast(Any, value)
        return f"{array.dtype} {array.shape}"
    return f"{type(value).__name__} {value!r:.60}"


def sizes_of(value: Any) -> tuple[int, ...] | None:
    """A list of sizes, or None where it is none."""
    try:
        array: Any = np.asarray(value)
    except (ValueError, TypeError):
        return None
    if array.size == 0:
        return ()
    if array.ndim > 1 or array.dtype.kind not in "iu" or int(array.min()) < 0:
        return None
    return tuple(int(n) for n in array.reshape(-1))


def metadata_of(value: Any, depth: int = 0) -> Attribute | None:
    """Metadata as an attribute; None where no attribute says it."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            value = np.frombuffer(value, np.uint8)
    if isinstance(value, str):
        return StringAttr(value) if is_text(value) else None
    if depth > DEEPEST:
        return None
    if (group := group_of(value)) is not None:
        found = {name: metadata_of(item, depth + 1) for name, item in entries(group)}
        known = {name: item for name, item in found.items() if item is not None}
        return DictionaryAttr(known) if len(known) == len(group) else None
    if (array := array_of(value)) is not None:
        return array
    if (items := list_of(value)) is None:
        return None
    attributes = [item for item in (metadata_of(item, depth + 1) for item in items) if item is not None]
    return ListAttr(attributes) if len(attributes) == len(items) else None


def entries(metadata: dict[Any, Any]) -> list[tuple[str, Any]]:
    """The entries of metadata whose keys are text, by key."""
    return sorted((key, value) for key, value in metadata.items() if is_text(key))


# ---- nodes


def network_of(root: nir.NIRGraph, diagnostics: Diagnostics, problems: Diagnostics) -> Graph:
    """The whole network. Remarks and warnings go to `diagnostics`, errors to `problems`; after an error it is incomplete.

    Errors: NIF003 to NIF011, NIF014. Remarks: NIF012. Warnings: NIF013.
    """
    network = Graph()
    waiting: list[tuple[Any, Graph]] = [(root, network)]
    while waiting:
        given, graph = waiting.pop()
        if graph.depth > DEEPEST:
            problems.error(
                NIF014,
                "graphs are nested too deep",
                at=f"{graph.at:.80}",
                expected=f"at most {DEEPEST} levels",
                found="one more",
                help="put the nodes of the inner graphs into the outer ones",
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
        ends = connect(graph, list(given.edges), set(nodes), problems)
        add_ends(graph, ends, diagnostics)
        check_ends(graph, ends, problems)
        if len(graph.nodes) >= len(nodes):  # else a node was refused that may be an end
            check_terminals(graph, problems)
    return network


def kept_metadata(given: Any, at: str, diagnostics: Diagnostics) -> DictionaryAttr | None:
    """The metadata of a node or graph, without what no attribute says; None where there are none."""
    kept: dict[str, Attribute] = {}
    group = group_of(given) or {}
    for name, value in entries(group):
        if (attribute := metadata_of(value)) is not None:
            kept[name] = attribute
    for name, value in group.items():
        if name not in kept:
            diagnostics.warning(
                NIF013,
                "metadata was left out",
                at=at,
                expected="text, numbers, arrays of these, or groups of these",
                found=f"{name!r}: {described(value)}",
                help="write the entry as text or as an array",
            )
    return DictionaryAttr(kept) if kept else None


def refuse_value(
    problems: Diagnostics, at: str, message: str, expected: str, found: Any, node: str | None = None
) -> None:
    problems.error(
        NIF005,
        message,
        at=at,
        node=node,
        expected=expected,
        found=described(found),
        help="convert the value before the network is exported",
    )


def node_of(name: str, given: Any, graph: Graph, diagnostics: Diagnostics, problems: Diagnostics) -> Node | None:
    """One node, its parameters as attributes; None where it was refused before, or its type is none of NIR's."""
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
    return node


def take_declared(node: Node, given: Any, problems: Diagnostics) -> None:
    """The shape that the file declares for what arrives, if it does."""
    declared: Any = given.output_type if node.type == "Output" else given.input_type
    if (group := group_of(declared)) is not None:
        declared = next(iter(group.values()), None)
    if declared is None:
        return
    node.declared = sizes_of(declared)
    if node.declared is None:
        refuse_value(problems, node.at, "the declared shape is no shape", "a list of sizes", declared, node.path)


def take_parameters(node: Node, op: type[ops.NodeOp], given: Any, problems: Diagnostics) -> None:
    """The parameters, in the number format and shape that they have."""
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
            refuse_value(
                problems,
                node.at,
                f"{name} is not an array of numbers",
                "f16, f32, f64, or integers of 8 to 64 bits",
                value,
                node.path,
            )


# ---- edges


def suggestion(wrong: str, known: Sequence[str], otherwise: str) -> str:
    """A help line: the known name that is spelt most like the wrong one, if there is one."""
    close = get_close_matches(wrong, known, 1)
    return f'did you mean "{close[0]}"?' if close else otherwise


class Ends(NamedTuple):
    """Names at the two ends of all edges, also of those that were refused."""

    sources: set[str]
    targets: set[str]


def connect(graph: Graph, edges: list[Any], names: set[Any], problems: Diagnostics) -> Ends:
    """Makes the edges; `names` are those of all nodes, also of those that were refused already."""
    ends = Ends(set(), set())
    seen: set[tuple[str, str]] = set()
    known = sorted(filter(is_text, names))
    place = {"at": graph.at, "node": graph.owner.path if graph.owner else None}
    for edge in sorted(edges, key=repr):
        pair = list_of(edge) or []
        if [is_text(end) for end in pair] != [True, True]:
            refuse_value(problems, graph.at, "an edge is no pair of names", "(from, to)", edge)
            continue
        source: str = pair[0]
        target: str = pair[1]
        shown = f'"{source}" -> "{target}"'
        if (source, target) in seen:
            problems.error(
                NIF007,
                "an edge is there twice",
                **place,
                expected="each edge once",
                found=shown,
                help="remove one of them; to double a signal, put a Scale between",
            )
            continue
        seen.add((source, target))
        ends.sources.add(source)
        ends.targets.add(target)
        for stray in dict.fromkeys(end for end in (source, target) if end not in names):
            problems.error(
                NIF006,
                f'an edge names "{stray}", which is not there',
                **place,
                expected="one of " + ", ".join(f'"{name}"' for name in known),
                found=shown,
                help=suggestion(stray, known, "correct the end of the edge"),
            )
        if source in graph.nodes and target in graph.nodes:
            graph.nodes[source].readers.append(graph.nodes[target])
            graph.nodes[target].sources.append(graph.nodes[source])
    for node in graph.nodes.values():
        node.sources.sort(key=lambda other: other.name)
        node.readers.sort(key=lambda other: other.name)
    return ends


def add_ends(graph: Graph, ends: Ends, diagnostics: Diagnostics) -> None:
    """Adds an Input before each node that hears nobody, and an Output behind each that nobody hears."""
    added: dict[str, Node] = {}
    for node in graph.nodes.values():
        if node.type in ("Input", "Output") or (node.name in ends.sources) == (node.name in ends.targets):
            continue
        type = "Input" if node.name in ends.sources else "Output"
        name = stem = f"{type.lower()}_{node.name}"
        number = 0
        while name in graph.nodes or name in added:
            name, number = f"{stem}_{number}", number + 1
        end = added[name] = Node(name, type, graph)
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
        )
    graph.nodes = dict(sorted((graph.nodes | added).items()))


def check_ends(graph: Graph, ends: Ends, problems: Diagnostics) -> None:
    """Refuses nodes that no edge touches, and edges at the wrong side of a terminal."""
    for node in graph.nodes.values():
        is_source = node.name in ends.sources or bool(node.readers)
        is_target = node.name in ends.targets or bool(node.sources)
        if node.type == "Input" and is_target:
            refuse_edge(problems, node, "an edge enters an Input", "only edges from it", node.sources)
        if node.type == "Output" and is_source:
            refuse_edge(problems, node, "an edge leaves an Output", "only edges to it", node.readers)
        if not {"Input": is_source, "Output": is_target}.get(node.type, is_source or is_target):
            problems.error(
                NIF009,
                "a node is not connected",
                **node.parts(),
                expected="an edge from it" if node.type == "Input" else "an edge to it",
                found="none",
                help="connect the node or remove it",
            )


def check_terminals(graph: Graph, problems: Diagnostics) -> None:
    """Refuses graphs without an end, and nested graphs with several."""
    place = {"at": graph.at, "node": graph.owner.path if graph.owner else None}
    if not graph.nodes:
        problems.error(
            NIF010,
            "a graph has no nodes",
            **place,
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
                **place,
                expected=f"an {type} node",
                found=f"every node {'hears' if type == 'Input' else 'is heard by'} another one",
                help=f"add an {type} node and connect it",
            )
        elif graph.owner and len(found) > 1:
            problems.error(
                NIF011,
                f"a nested graph has several {type.lower()}s",
                **place,
                expected=f"one {type}",
                found=", ".join(f'"{node.name}"' for node in found),
                help="put the nodes of the nested graph into the outer one",
            )


def refuse_edge(problems: Diagnostics, node: Node, message: str, expected: str, others: list[Node]) -> None:
    problems.error(
        NIF008,
        message,
        **node.parts(),
        expected=expected,
        found=", ".join(f'"{other.name}"' for other in others) or "an edge",
        help=f"connect {'the node behind the Input' if node.type == 'Input' else 'the node before the Output'} instead",
    )
