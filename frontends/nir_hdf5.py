"""Conversion of a `.nir` file to objects of the `nir` package; the package builds each node separately.

A node that cannot be read is None, so that all errors of a file are reported together.
"""

from __future__ import annotations

import builtins
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..core.diagnostics import Code, Diagnostics, refuse
from ..dialects import nir as ops
from .limits import Limits
from .nir_graph import PRIMITIVES
from .nir_network import LOST, NIF003, NIF004, NIF014, TYPES
from .nir_repairs import common_shape, take_default
from .nir_values import (
    DEEPEST,
    NIF005,
    array_of,
    group_of,
    is_text,
    refuse_numbers,
    refuse_value,
    short,
    suggestion,
)

if TYPE_CHECKING:
    import nir

NIF002 = Code(
    "NIF002",
    "the file does not contain a network",
    cause="The HDF5 file has no group `node` of type NIRGraph, so it has another format, or contains a single layer.",
    remedy="Export the network with `nir.write(path, graph)`, where graph is a `nir.NIRGraph`.",
)


def graph_in(path: Path, problems: Diagnostics, limits: Limits) -> tuple[nir.NIRGraph, str | None]:
    """Reads the network of a file, and the version of NIR that wrote it.

    Errors: NIF001, NIF002, NIF027 to NIF029 immediately; NIF003, NIF004, NIF005, NIF014 go to `problems`. Remarks: NIF023.
    """
    from .nir_guard import contents

    found, version = contents(path, limits)
    data = group_of(found)
    if data is None or str(data.get("type")) != "NIRGraph":
        refuse(
            NIF002,
            "the file does not contain a network",
            file=str(path),
            expected="a group `node` whose type is NIRGraph",
            found="no such group" if data is None else f"node of type {data.get('type')}",
            help="export the network with nir.write(path, graph)",
        )
    return graph_of(data, "the network", "", 0, problems, limits.depth), version


def graph_of(
    data: dict[str, Any], at: str, prefix: str, depth: int, problems: Diagnostics, deepest: int = DEEPEST
) -> nir.NIRGraph:
    """Builds a graph from its dictionary."""
    import nir

    node = prefix.removesuffix(".") or None
    if depth > deepest:
        problems.error(
            NIF014,
            "graphs are nested too deeply",
            at=short(at),
            expected=f"at most {deepest} levels",
            found="one more",
            help="move the nodes of the inner graphs to the outer ones",
        )
        return nir.NIRGraph({}, LOST, type_check=False)
    nodes = group_of(data.get("nodes"))
    check_fields(data, "NIRGraph", ("nodes", "edges"), ("nodes", "edges"), at, node, problems)
    if nodes is None and "nodes" in data:
        refuse_value(problems, at, "nodes is not a group", "a group of nodes", data["nodes"], node)
    found: Any = {name: node_of(name, item, prefix, depth, problems, deepest) for name, item in (nodes or {}).items()}
    return nir.NIRGraph(
        nodes=found,
        edges=edges_of(data["edges"], at, node, problems) if "edges" in data else LOST,
        metadata=data.get("metadata", {}),
        type_check=False,
    )


def edges_of(data: Any, at: str, node: str | None, problems: Diagnostics) -> Any:
    """Decodes edges to pairs of names; values that are not names are kept, and refused later."""
    array: Any = np.asarray(data)
    if array.size == 0:
        return []
    if array.ndim != 2 or array.shape[1] != 2:
        refuse_value(problems, at, "edges is not a list of pairs", "one row for each edge: from, to", data, node)
        return LOST
    return [tuple(text_of(end) for end in row) for row in array.tolist()]


def text_of(value: Any) -> Any:
    """Decodes bytes that are UTF-8; returns other values unchanged."""
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value


def freeze(value: Any) -> None:
    """Makes an array read-only, so that its attribute shares it instead of copying it."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False


def node_of(
    name: str, given: Any, prefix: str, depth: int, problems: Diagnostics, deepest: int = DEEPEST
) -> nir.NIRNode | None:
    """Builds a node from its dictionary, with the values of the file; returns None if it is refused."""
    import nir
    from nir.ir.graph import Identity

    path = prefix + name
    if (data := group_of(given)) is None:
        refuse_value(
            problems, f'"{path}"', "a node is not a group", "a group with the type and parameters", given, path
        )
        return None
    type: Any = data.get("type")
    at = f'{PRIMITIVES[type].name if type in PRIMITIVES else type} "{path}"' if isinstance(type, str) else f'"{path}"'
    if str(type) == "NIRGraph":
        return graph_of(data, at, f"{path}.", depth + 1, problems, deepest)
    if not isinstance(type, str) or type not in TYPES:
        problems.error(
            NIF003,
            "a node has a type that NIR does not define",
            at=at,
            node=path,
            expected=f"one of {', '.join(TYPES)}",
            found="no type" if type is None else str(type),
            help=suggestion(str(type), TYPES, "export the network from these primitives"),
        )
        return None
    primitive = Identity if type == "Identity" else getattr(nir, type)
    parameters = PRIMITIVES[type].PARAMETERS if type in PRIMITIVES else ()
    declaring = "input_type" if type == "Flatten" else "" if parameters else "shape"
    optional = {"input_shape", *(field.name for field in fields(primitive) if field.default is not MISSING)}
    needed = [name for name in parameters if name not in optional]
    if not check_fields(data, type, needed, (*parameters, declaring), at, path, problems):
        return None
    values = {name: data[name] for name in parameters if name in data}
    for parameter, value in values.items():
        freeze(value)
        if array_of(value) is None and not (parameter == "padding" and is_text(value)):
            refuse_numbers(problems, at, path, parameter, value)
            return None
    metadata = {"metadata": group_of(data.get("metadata")) or {}}
    # The package would infer shapes from the declarations of the file, and supports only square kernels.
    unsaid: dict[str, Any] = (
        {"input_shape": None} if "input_shape" in parameters else {} if parameters else {"shape": None}
    )
    try:
        if type == "Identity":  # the package writes this type but does not read it
            node: Any = Identity(cast(Any, {"input": None}), **metadata)
        else:
            node = nir.dict2NIRNode({"type": type, **alike(values, type), **unsaid, **metadata})
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        problems.error(
            NIF005,
            "the `nir` package refuses the node",
            at=at,
            node=path,
            expected=f"a {type} that it can build",
            found=str(error) or builtins.type(error).__name__,
            help="correct the parameters where the network was exported",
        )
        return None
    for parameter in parameters:
        if parameter not in values and parameter != "input_shape":
            take_default(at, path, parameter, getattr(node, parameter), problems)
    for parameter, value in values.items():
        setattr(node, parameter, value)  # the values of the file: the package converts some
    if declaring and declaring in data:
        end = "output" if type == "Output" else "input"
        setattr(node, f"{end}_type", {end: data[declaring]})
    return node


def alike(values: dict[str, Any], type: str) -> dict[str, Any]:
    """Returns the parameters of an elementwise node broadcast to one shape, because the package refuses different shapes."""
    if type not in PRIMITIVES or not issubclass(PRIMITIVES[type], ops.PopulationOp):
        return values
    shape = common_shape(np.shape(value) for value in values.values())
    if shape is None:
        return values
    return {name: np.broadcast_to(value, shape) for name, value in values.items()}


def check_fields(
    data: dict[str, Any],
    type: str,
    needed: Any,
    known: Any,
    at: str,
    node: str | None,
    problems: Diagnostics,
) -> bool:
    """Refuses parameters that are missing or unknown; returns whether there are none."""
    missing = [name for name in needed if name not in data]
    stray = sorted(set(data) - {*known, "type", "metadata"})
    for name in missing:
        problems.error(
            NIF004,
            f"{name} is missing",
            at=at,
            node=node,
            expected=f"{type} with {', '.join(needed)}",
            found=f"no {name}",
            help="export the network again with every parameter",
        )
    for name in stray:
        problems.error(
            NIF004,
            f"{type} has no parameter {name}",
            at=at,
            node=node,
            expected=f"one of {', '.join(filter(None, known))}",
            found=name,
            help=suggestion(name, [name for name in known if name], "remove it from the file"),
        )
    return not missing and not stray
