"""Repairs of files with an error whose correction is unambiguous: one function for each kind of damage.

| code | damage | read as |
| --- | --- | --- |
| NIF019 | an edge refers to a node by another name | the only node with a similar name that lacks such edges |
| NIF020 | a declared shape has axes that no signal has | the shape of the incoming signal |
| NIF021 | an Input declares no shape, or a shape that no node after it accepts | the shape that the nodes after it accept |
| NIF022 | parameters are scalars, have axes of size one, or equal entries in fewer axes | one entry for each neuron |
| NIF023 | a parameter is missing that older versions of NIR did not have | its default |
| NIF024 | edges refer to nodes by number | the nodes whose names are these numbers |
| NIF025 | edges refer to a missing Input or Output | an Input or Output of that name |
| NIF026 | a Flatten counts an axis of samples | the axes without it |

These and NIF012 (missing terminals) are all repairs. Each produces one remark with the contents of the file (`found`) and their
interpretation (`expected`); `--strict` makes remarks errors. If two interpretations are possible, nothing is repaired, and the error
message lists the choices. The order of edges and nodes has no meaning and needs no repair.

Source: files that the exporters of Norse, Rockpool, snnTorch and sinabs wrote, and the `nir` package in versions from 0.1 on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from attrs import evolve

from ..core.arrays.arrays import ArrayAttr
from ..core.diagnostics import Code, Diagnostics, Finding, InvalidOp, choices_text
from ..dialects import nir as ops
from .nir_graph import Graph, Node
from .nir_values import is_text, list_of

NIF019 = Code("NIF019", "edge-name-repaired", "an edge refers to a node by another name")
NIF020 = Code("NIF020", "shape-axes-repaired", "a declared shape has additional axes")
NIF021 = Code("NIF021", "input-shape-repaired", "the shape of an Input follows from the nodes after it")
NIF022 = Code("NIF022", "parameters-broadcast", "parameters are broadcast over a population")
NIF023 = Code("NIF023", "parameter-defaulted", "a missing parameter has its default value")
NIF024 = Code("NIF024", "numbered-edges-repaired", "edges refer to nodes by number")
NIF025 = Code("NIF025", "referenced-ends-added", "an Input or Output that edges refer to was added")
NIF026 = Code("NIF026", "flatten-counts-samples", "a Flatten counts an axis of samples")

Shape = tuple[int, ...]

MOST_AXES = 5
"""Maximum number of signal axes for which a message lists possible shapes of parameters with fewer axes."""

REPAIRS = ("NIF012", "NIF019", "NIF020", "NIF021", "NIF022", "NIF023", "NIF024", "NIF025", "NIF026")
"""The codes of all repairs."""


# ---- edges


class Pairs(NamedTuple):
    """The repaired edges of a graph, and the candidate nodes for each name that remains unknown."""

    edges: list[Any]
    choices: dict[str, list[str]]


def settle_edges(graph: Graph, edges: list[Any], names: set[Any], notes: Diagnostics) -> Pairs:
    """Replaces unknown names in edges by names of nodes, in this order: numbers, similar names, missing terminals.

    `names` contains the names of all nodes, including refused ones; added terminals are added to the graph and to `names`.
    Remarks: NIF019, NIF024, NIF025.
    """
    edges = [edge if (pair := list_of(edge)) is None else pair for edge in edges]
    edges = by_name(graph, edges, names, notes)
    meant, choices = like_named(graph, edges, names)
    for stray, node in meant.items():
        notes.remark(
            NIF019,
            f'an edge refers to "{stray}", read as "{node.name}"',
            **node.parts(),
            expected=f'edges of "{node.name}"',
            found=f'edges of "{stray}", which is missing',
            help=f'write "{node.name}" in the edges of the file',
        )
    edges = [[meant[end].name if end in meant else end for end in pair] if is_pair(pair) else pair for pair in edges]
    add_named_ends(graph, edges, names, notes)
    return Pairs([edge if (pair := list_of(edge)) is None else tuple(pair) for edge in edges], choices)


def is_pair(edge: Any) -> bool:
    """Returns whether an edge is a pair of names."""
    return isinstance(edge, list) and [is_text(end) for end in cast("list[Any]", edge)] == [True, True]


def ends_of(edges: list[Any]) -> tuple[set[str], set[str]]:
    """Returns the names at the start and at the end of the edges that are pairs of names."""
    pairs = [edge for edge in edges if is_pair(edge)]
    return {pair[0] for pair in pairs}, {pair[1] for pair in pairs}


def by_name(graph: Graph, edges: list[Any], names: set[Any], notes: Diagnostics) -> list[Any]:
    """Repairs edges that are pairs of numbers: they refer to the nodes with these names, if the names of all nodes are numbers."""
    ends = [end for edge in edges if isinstance(edge, list) for end in cast("list[Any]", edge)]
    if not ends or len(ends) != 2 * len(edges) or not all(isinstance(end, int) for end in ends):
        return edges
    if not {str(end) for end in ends} <= {name for name in names if is_text(name) and name.isdecimal()}:
        return edges
    notes.remark(
        NIF024,
        **graph.parts(),
        expected=f'names, such as "{ends[0]}"',
        found=f"numbers, such as {ends[0]}",
        help="write the names of the nodes in the edges of the file",
    )
    return [[str(end) for end in edge] for edge in edges]


def like_named(graph: Graph, edges: list[Any], names: set[Any]) -> tuple[dict[str, Node], dict[str, list[str]]]:
    """Repairs edges that refer to a missing node: returns the node with a similar name that has no such edge yet.

    The repair is ambiguous if several nodes have similar names, or a node is similar to several unknown names; then all are choices.
    """
    sources, targets = ends_of(edges)
    strays = sorted((sources | targets) - names)
    if not strays:
        return {}, {}
    bare = [node for node in graph.nodes.values() if node.name not in sources or node.name not in targets]
    alike = {
        stray: [
            node
            for node in bare
            if not (stray in sources and (node.name in sources or node.type == "Output"))
            and not (stray in targets and (node.name in targets or node.type == "Input"))
            and (is_alike(stray, node.name) or (node.type in ("Input", "Output") and is_alike(stray, node.type)))
        ]
        for stray in strays[:100]
    }
    meant = {
        stray: found[0]
        for stray, found in alike.items()
        if len(found) == 1 and sum(found[0] in others for others in alike.values()) == 1
    }
    return meant, {
        stray: [node.name for node in found] for stray, found in alike.items() if stray not in meant and len(found) > 1
    }


def is_alike(a: str, b: str) -> bool:
    """Returns whether two names are similar: one starts with the other, or they share most of their letters."""
    a, b = (re.sub(r"[\W_]+", "", name.casefold())[:100] for name in (a, b))
    return bool(a and b) and (a.startswith(b) or b.startswith(a) or SequenceMatcher(None, a, b).ratio() >= 0.7)


def add_named_ends(graph: Graph, edges: list[Any], names: set[Any], notes: Diagnostics) -> None:
    """Repairs edges from "input" or to "output" in a graph without such a node: adds an Input or Output of that name.

    The repair is ambiguous if the graph has another Input or Output, or if the name has edges in both directions.
    """
    sources, targets = ends_of(edges)
    for type, ends, others in (("Input", sources, targets), ("Output", targets, sources)):
        for name in [] if graph.of_type(type) else sorted(ends - others - names):
            if not re.match(type, name, re.IGNORECASE):
                continue
            node = graph.nodes[name] = Node(name, type, graph, is_added=True)
            names.add(name)
            notes.remark(
                NIF025,
                f'the {type} "{node.path}" was added',
                **node.parts(),
                expected=f"an {type} of that name",
                found=f'edges of "{name}", which is missing',
                help=f"add the {type} to the nodes of the file",
            )
    graph.nodes = dict(sorted(graph.nodes.items()))


# ---- parameters


def report_default(node: Node, name: str, default: Any, notes: Diagnostics) -> None:
    """Reports that a parameter missing in older versions of NIR has the default of the `nir` package."""
    values = sorted(set(np.asarray(default).reshape(-1)[:1000].tolist()))  # np.unique imports numpy.ma
    notes.remark(
        NIF023,
        f"{name} is not in the file",
        **node.parts(),
        expected=f"{name} = {', '.join(map(str, values))} for all neurons",
        found=f"no {name}",
        help=f"add {name} to the file",
    )


def is_elementwise(node: Node) -> bool:
    """Returns whether every parameter of a node has one entry for each element of the signal."""
    return node.op is not None and issubclass(node.op, ops.PopulationOp | ops.ScaleOp | ops.DelayOp)


def arrays_of(node: Node) -> dict[str, ArrayAttr]:
    """Returns the parameters of a node that are arrays."""
    return {name: array for name, array in node.properties.items() if isinstance(array, ArrayAttr)}


def common_shape(arrays: Iterable[ArrayAttr]) -> Shape | None:
    """Returns the common broadcast shape of parameters, which must be the shape of one of them; None if there is none."""
    found = list(arrays)
    shapes = sorted({array.shape for array in found}, key=lambda shape: (len(shape), shape))
    for shape in shapes:
        if all(aligned_shape(array, shape) is not None for array in found):
            return shape
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        return None
    return shape if shape in shapes else None


def parameter_shape(node: Node) -> Shape | None:
    """Returns the shape that all parameters of an elementwise node have or broadcast to, or None."""
    return common_shape(arrays_of(node).values()) if is_elementwise(node) else None


def may_spread(node: Node, shape: Shape) -> bool:
    """Returns whether all parameters of a node broadcast to a population of a shape unambiguously."""
    return all(aligned_shape(array, shape) is not None for array in arrays_of(node).values())


def is_loose(node: Node) -> bool:
    """Returns whether each parameter of an elementwise node is uniform over all neurons, and therefore fits populations with more axes."""
    return is_elementwise(node) and all(map(is_uniform, arrays_of(node).values()))


def aligned_shape(array: ArrayAttr, shape: Shape) -> Shape | None:
    """Aligns a parameter with a population: returns the shape in which it broadcasts to the population, or None if its axes are ambiguous.

    Unambiguous are a single entry for all neurons; axes of size one, including additional leading ones such as the axis of
    samples; the sizes of the population but for axes of size one; and equal entries, if the population has axes of their sizes. Fewer
    axes with several different entries could be any of the axes.
    """
    sizes = [size for size in array.shape if size != 1]
    if not sizes:
        return (1,) * len(shape)
    if sizes == [size for size in shape if size != 1]:
        return shape
    more = max(0, len(array.shape) - len(shape))
    kept = array.shape[more:]
    if (
        prod(array.shape[:more]) == 1
        and len(kept) == len(shape)
        and all(a in (1, b) for a, b in zip(kept, shape, strict=True))
    ):
        return kept
    axes = iter(shape)
    return (1,) * len(shape) if all(size in axes for size in sizes) and is_uniform(array) else None


def is_uniform(array: ArrayAttr) -> bool:
    """Returns whether all entries are equal."""
    values = array.values
    return bool(values.size and values.min() == values.max())


def broadcast_parameters(node: Node, shape: Shape, notes: Diagnostics) -> None:
    """Repairs parameters with a wrong shape: broadcasts them to one entry for each neuron. Remarks: NIF022."""
    arrays = {name: array for name, array in arrays_of(node).items() if array.shape != shape}
    for name, array in arrays.items():
        node.properties[name] = fill_array(array, shape)
    say_spread(node, arrays, shape, notes)


def spread_unequal(node: Node, notes: Diagnostics) -> None:
    """Repairs nodes with parameters of several shapes: broadcasts all parameters to one of them, and the bias of synapses to their outputs.

    Remarks: NIF022.
    """
    arrays = arrays_of(node)
    if (shape := parameter_shape(node)) is not None:
        if prod(shape) and {array.shape for array in arrays.values()} != {shape} and may_spread(node, shape):
            broadcast_parameters(node, shape, notes)
        return
    weight, bias = arrays.get("weight"), arrays.get("bias")
    if weight is None or bias is None or len(weight.shape) < 2 or node.op is ops.ConvTranspose2dOp:
        return  # a transposed convolution has its outputs on the second axis
    is_dense = node.op is not None and issubclass(node.op, ops.AffineOp)
    shape = weight.shape[:-1] if is_dense else weight.shape[:1]
    if bias.shape not in (shape, ()) and aligned_shape(bias, shape) is not None:
        node.properties["bias"] = fill_array(bias, shape)
        say_spread(node, {"bias": bias}, shape, notes)


def fill_array(array: ArrayAttr, shape: Shape) -> ArrayAttr:
    axes = aligned_shape(array, shape)
    assert axes is not None  # guaranteed by the callers
    values = array.values if prod(axes) > 1 else array.values.reshape(-1)[:1]
    return ArrayAttr.of(np.ascontiguousarray(np.broadcast_to(values.reshape(axes), shape)))


def say_spread(node: Node, before: dict[str, ArrayAttr], shape: Shape, notes: Diagnostics) -> None:
    has_one_value = all(map(is_uniform, before.values()))
    notes.remark(
        NIF022,
        f"{', '.join(before)} {'is' if len(before) == 1 else 'are'} broadcast over the population",
        **node.parts(),
        expected=f"shape {shape}, one entry for each neuron",
        found=", ".join(f"shape {shape}" for shape in dict.fromkeys(array.shape for array in before.values())),
        help=f"write each parameter {f'as numpy.full({shape}, value)' if has_one_value else f'with the shape {shape}'}",
    )


def parameters_of_shape(node: Node, shape: Shape, finding: Finding) -> Finding:
    """Returns the finding about parameters whose shape differs from the incoming signal, with their possible shapes."""
    own = parameter_shape(node) or ()
    names = [name for name, array in arrays_of(node).items() if array.shape == own]
    choices = combinations(range(len(shape)), len(own)) if len(shape) <= MOST_AXES else ()
    axes = [kept for kept in choices if [shape[k] for k in kept] == list(own)]
    spread = [tuple(size if k in kept else 1 for k, size in enumerate(shape)) for kept in axes]
    return evolve(
        finding,
        message="the parameters do not fit the incoming signal",
        expected=f"shape {choices_text([shape, *spread])}",
        found=f"shape {own} of {', '.join(names)}",
        help=f"write each parameter as {choices_text([f'values.reshape{one}' for one in spread])}"
        if spread
        else finding.help,
    )


# ---- shapes


def has_more_axes(declared: Shape, shape: Shape) -> bool:
    """Returns whether a shape is another shape with additional leading axes, or with axes of size one."""
    if len(declared) <= len(shape):
        return False
    without = [size for size in declared if size != 1]
    return declared[len(declared) - len(shape) :] == shape or without == [size for size in shape if size != 1]


def drop_axes(node: Node, shape: Shape, notes: Diagnostics) -> bool:
    """Repairs a declared shape with additional axes: replaces it by the shape of the incoming signal. Returns whether it did.

    The repair is ambiguous if the sizes differ: a layer may be missing. Remarks: NIF020.
    """
    if node.declared is None or not has_more_axes(node.declared, shape):
        return False
    notes.remark(
        NIF020,
        "the declared shape has additional axes",
        **node.parts(),
        expected=f"shape {shape}, inferred from the nodes before it",
        found=f"shape {node.declared} in the file",
        help=f"declare the shape {shape} in the file",
    )
    node.declared = shape
    return True


def settle_input(node: Node, wanted: Iterable[Shape], first: Sequence[ops.NodeOp], notes: Diagnostics) -> Shape | None:
    """Repairs an Input with a missing or wrong shape: returns the shape that all nodes after it accept, or None.

    `wanted` lists the shapes that the parameters of the reading nodes imply, `first` lists the reading ops that accept several shapes. The repair is
    ambiguous if they differ, or if a single value is declared for several neurons, which could mean one signal for all of them.
    Remarks: NIF021.
    """
    declared, shape = node.declared, accepted_shape(node.declared, wanted, first)
    if shape is None or shape == declared or (declared is not None and prod(declared) == 1 < prod(shape)):
        return declared
    declare_shape(node, shape, notes)
    return shape


def settle_inner_input(
    node: Node, shape: Shape, wanted: Iterable[Shape], first: Sequence[ops.NodeOp], notes: Diagnostics
) -> bool:
    """Repairs the Input of a nested graph whose declared shape differs from the incoming signal. Returns whether it was repaired.

    The repair is ambiguous if the nodes after it do not determine the shape of the incoming signal: a layer may be missing.
    Remarks: NIF021.
    """
    if node.declared is None or node.graph.owner is None or accepted_shape(node.declared, wanted, first) != shape:
        return False
    declare_shape(node, shape, notes)
    return True


def accepted_shape(declared: Shape | None, wanted: Iterable[Shape], first: Sequence[ops.NodeOp]) -> Shape | None:
    """Returns the shape that all nodes after an Input accept, or None if they differ or do not determine it."""
    found = dict.fromkeys(wanted)
    if found or declared is None:
        return next(iter(found)) if len(found) == 1 else None
    return next((shape for shape in windows(declared, first) if all(takes(op, shape) for op in first)), None)


def declare_shape(node: Node, shape: Shape, notes: Diagnostics) -> None:
    """Replaces the declared shape of an Input. Remarks: NIF021."""
    if not node.is_added:
        notes.remark(
            NIF021,
            "the shape of the Input follows from the nodes after it",
            **node.parts(),
            expected=f"shape {shape}, which the nodes after it accept",
            found="no shape in the file" if node.declared is None else f"shape {node.declared} in the file",
            help=f"declare the shape {shape} in the file",
        )
    node.declared = shape


def windows(declared: Shape, first: Sequence[ops.NodeOp]) -> list[Shape]:
    """Returns possible meanings of a declared shape for a convolution or pool: unchanged, without leading axes, or with one channel."""
    ranks = {op.RANK + 1 for op in first if isinstance(op, ops.WindowOp | ops.MaxPool2dOp)}
    if len(ranks) != 1:
        return []
    (rank,) = ranks
    missing = [(1, *declared)] if len(declared) == rank - 1 else []
    return [declared, *([declared[-rank:]] if len(declared) > rank else missing)]


def takes(op: ops.NodeOp, shape: Shape) -> bool:
    try:
        op.result_shape(shape)
    except InvalidOp:
        return False
    return True


def flatten_without_samples(node: Node, probe: ops.NodeOp, arriving: Shape, wanted: Shape, notes: Diagnostics) -> bool:
    """Repairs a Flatten that starts at axis 1 because axis 0 was samples: decrements each axis. Returns whether it did.

    The downstream layers must accept the repaired shape and reject the present one. Remarks: NIF026.
    """
    if takes(probe, arriving) and probe.result_shape(arriving) == wanted:
        return False
    before = {name: array for name, array in arrays_of(node).items() if array.values.size == 1}
    after = {name: decrement_axis(array) for name, array in before.items()}
    if len(before) != 2 or int(before["start_dim"].values.reshape(-1)[0]) < 1:
        return False
    probe.properties.update(after)
    if not takes(probe, arriving) or probe.result_shape(arriving) != wanted:
        probe.properties.update(before)
        return False
    node.properties.update(after)
    numbers = [[int(array.values.reshape(-1)[0]) for array in arrays.values()] for arrays in (before, after)]
    notes.remark(
        NIF026,
        "the Flatten counts an axis of samples",
        **node.parts(),
        expected=f"{', '.join(before)} = {', '.join(map(str, numbers[1]))}, which results in shape {wanted}",
        found=f"{', '.join(before)} = {', '.join(map(str, numbers[0]))} for shape {arriving}",
        help="write the axes of one sample in the file",
    )
    return True


def decrement_axis(array: ArrayAttr) -> ArrayAttr:
    """Decrements a positive axis; a negative axis counts from the end and is unchanged."""
    values = array.values
    return ArrayAttr.of(values - 1) if int(values.reshape(-1)[0]) > 0 else array
