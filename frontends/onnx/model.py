"""Contents of an ONNX file: nodes, inputs, outputs and initialisers as plain records, checked before anything is built.

The package `onnx` parses the bytes; it runs nothing. Data in other files is never read. Sizes are compared with the limits before arrays are
built. Bodies of control flow, functions of the model and sparse initialisers are refused with the node that has them.

Source: ONNX IR specification, version 11; onnx.proto3 of the package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from attrs import Factory, frozen

from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, refuse
from ...core.packages import is_installed
from ..frameworks.foreign import IMP007
from ..limits import NIF027, Limits, raised_limit
from .tensors import Tensors, type_name

ONX001 = Code("ONX001", "onnx-file-damaged", "the file is not an ONNX model")
ONX002 = Code("ONX002", "onnx-opset-unsupported", "the version of the operators is not supported")
ONX003 = Code("ONX003", "onnx-op-unsupported", "an op is not supported")
ONX007 = Code("ONX007", "onnx-shape-dynamic", "a shape is not known")
ONX008 = Code("ONX008", "onnx-graph-invalid", "the graph contradicts itself")

PACKAGE, EXTRA = "onnx", "import-onnx"
AGAIN = "export the network again"
DOMAINS = ("", "ai.onnx")
TENSOR, TEXT, LISTS = 4, 3, (6, 7, 8)
"""Types of attributes."""
OLDEST, PREFERRED, NEWEST = 8, 21, 25
"""Versions of the operators that are read: from 8 on, BatchNormalization has no form for single elements, and operands broadcast as in numpy."""
FIELDS = {1: "f", 2: "i", 3: "s", 4: "t", 6: "floats", 7: "ints", 8: "strings"}
"""Field with the value of an attribute, by the type of the attribute."""


@frozen(eq=False)
class OnnxNode:
    """A node of the graph."""

    name: str
    """The name in the file; that of its first output if it has none."""
    op: str
    inputs: Sequence[str]
    """Names of values; empty for an optional input that is missing."""
    outputs: Sequence[str]
    attributes: Mapping[str, Any]


@frozen
class OnnxSignal:
    """An input or output of the graph."""

    name: str
    dtype: str
    """The type of its elements, such as FLOAT."""
    shape: tuple[int | str, ...]
    """Sizes with the axis of samples; a text is the name of an unknown size."""


@frozen(eq=False)
class OnnxGraph:
    """The graph of a model."""

    file: str
    name: str
    opset: int
    nodes: Sequence[OnnxNode]
    inputs: Sequence[OnnxSignal]
    outputs: Sequence[OnnxSignal]
    constants: Mapping[str, AnyArray] = Factory(dict[str, AnyArray])
    types: Mapping[str, str] = Factory(dict[str, str])
    """Names of the types of the constants."""
    limits: Limits = Factory(Limits)


def read_graph(path: Path, limits: Limits) -> OnnxGraph:
    """Reads a model. Errors: IMP007 without the package; NIF027 limits; ONX001, ONX002, ONX003, ONX005, ONX006, ONX007, ONX008."""
    size = path.stat().st_size
    if size > limits.bytes:
        refuse_limit(path, "bytes", limits.bytes, size)
    model = parse_model(path)
    graph = model.graph
    nodes = len(graph.node)
    if nodes > limits.nodes:
        refuse_limit(path, "nodes", limits.nodes, nodes)
    entries = nodes + len(graph.initializer) + sum(len(node.attribute) + len(node.input) for node in graph.node)
    if entries > limits.entries:
        refuse_limit(path, "entries", limits.entries, entries)
    opset = opset_of(model, path)
    if graph.sparse_initializer:
        refuse(
            ONX008,
            "an initialiser is sparse",
            file=str(path),
            expected="dense initialisers",
            found="sparse",
            help=AGAIN,
        )
    tensors = Tensors(str(path), limits)
    constants = {tensor.name: tensors.array(tensor, tensor.name) for tensor in graph.initializer}
    types = {tensor.name: type_name(tensor.data_type) for tensor in graph.initializer}
    inputs = [signal_of(value, path) for value in graph.input if value.name not in constants]
    outputs = [signal_of(value, path, needs_shape=False) for value in graph.output]
    listed = [onnx_node(node, k, tensors, path) for k, node in enumerate(graph.node)]
    check_names(listed, [signal.name for signal in inputs], constants, path)
    return OnnxGraph(str(path), path.stem, opset, listed, inputs, outputs, constants, types, limits)


def parse_model(path: Path) -> Any:
    """Returns the model of a file as a message of the package. Errors: IMP007, ONX001."""
    if not is_installed(PACKAGE):
        refuse(
            IMP007,
            f"the Python package {PACKAGE} is missing",
            file=str(path),
            expected=f"{PACKAGE} in the environment of nopt",
            found="no such package",
            help=f"pip install 'nopt[{EXTRA}]'",
        )
    onnx: Any = import_module(PACKAGE)
    failures: Any = import_module("google.protobuf.message")
    model = onnx.ModelProto()
    try:
        model.ParseFromString(path.read_bytes())
    except failures.DecodeError as failure:
        refuse_damaged(path, f"bytes that are not a message: {failure}")
    if not model.HasField("graph") or not model.graph.node:
        refuse_damaged(path, "no graph" if not model.HasField("graph") else "a graph without nodes")
    return model


def refuse_damaged(path: Path, found: str) -> NoReturn:
    refuse(ONX001, file=str(path), expected="a model that onnx.save wrote", found=found, help=AGAIN)


def refuse_limit(path: Path, name: str, limit: int, found: int) -> NoReturn:
    refuse(
        NIF027,
        f"the file exceeds the limit of {name}",
        file=str(path),
        expected=f"at most {limit} {name}",
        found=f"{found} {name}",
        help=raised_limit(name, found),
    )


def opset_of(model: Any, path: Path) -> int:
    """Returns the version of the operators of a model. Errors: ONX002, ONX003 functions of the model."""
    if model.functions:
        name = model.functions[0].name
        inlined = f"onnx.inliner.inline_local_functions(onnx.load({str(path)!r}))"
        help = f"python -c \"import onnx.inliner; onnx.save({inlined}, 'inlined.onnx')\""
        expected = "nodes of ai.onnx alone"
        refuse(ONX003, "the model has functions", file=str(path), expected=expected, found=name, help=help)
    found = {one.domain: one.version for one in model.opset_import if one.domain in DOMAINS}
    version = next(iter(found.values()), None)
    if version is None or not OLDEST <= version <= NEWEST:
        converted = f"onnx.version_converter.convert_version(onnx.load({str(path)!r}), {PREFERRED})"
        help = f"python -c \"import onnx.version_converter; onnx.save({converted}, 'newer.onnx')\""
        expected = f"a version of ai.onnx from {OLDEST} to {NEWEST}"
        found_text = "none" if version is None else str(version)
        refuse(ONX002, file=str(path), expected=expected, found=found_text, help=help)
    return int(version)


def signal_of(value: Any, path: Path, needs_shape: bool = True) -> OnnxSignal:
    """Returns an input or output of the graph. Errors: ONX007 a rank that is not known; ONX008 a value that is not a tensor."""
    name = str(value.name)
    if not value.type.HasField("tensor_type"):
        found = value.type.WhichOneof("value") or "no type"
        help = "export the network with tensors alone"
        refuse(
            ONX008, "a value is not a tensor", node=name, file=str(path), expected="a tensor", found=found, help=help
        )
    kind = value.type.tensor_type
    if needs_shape and not kind.shape.dim:
        expected, help = "sizes of all axes; the first one is that of the samples", "export it with fixed shapes"
        refuse(ONX007, node=name, file=str(path), expected=expected, found="no axes", help=help)
    sizes = tuple(
        int(one.dim_value) if one.HasField("dim_value") else one.dim_param or "unknown" for one in kind.shape.dim
    )
    return OnnxSignal(name, type_name(kind.elem_type), sizes)


def onnx_node(node: Any, number: int, tensors: Tensors, path: Path) -> OnnxNode:
    """Returns a node. Errors: ONX003 another domain, or a node with a graph of its own; ONX008 a node without outputs."""
    outputs = [str(name) for name in node.output]
    name = str(node.name) or next(filter(None, outputs), f"{node.op_type}_{number}")
    op = str(node.op_type) if node.domain in DOMAINS else f"{node.domain}.{node.op_type}"
    if not any(outputs):
        refuse(ONX008, f"{op} has no output", node=name, file=str(path), expected="a name", found="none", help=AGAIN)
    attributes: dict[str, Any] = {}
    for one in node.attribute:
        key, kind = str(one.name), int(one.type)
        if not kind:
            refuse(
                ONX008,
                f"{key} of {op} has no type",
                node=name,
                file=str(path),
                expected="a type",
                found="none",
                help=AGAIN,
            )
        if kind not in FIELDS:
            found, help = f"the attribute {key} of {op}", f"nopt explain {ONX003}"
            message, expected = f"{op} is not supported", "nodes without graphs of their own"
            refuse(ONX003, message, node=name, file=str(path), expected=expected, found=found, help=help)
        value = getattr(one, FIELDS[kind])
        if kind == TENSOR:
            attributes[key] = tensors.array(value, name)
        elif kind == TEXT:
            attributes[key] = value.decode(errors="replace")
        else:
            attributes[key] = list(value) if kind in LISTS else value
    return OnnxNode(name, op, [str(one) for one in node.input], outputs, attributes)


def check_names(
    nodes: Sequence[OnnxNode], inputs: Sequence[str], constants: Mapping[str, AnyArray], path: Path
) -> None:
    """Refuses values that are defined twice, or used before they are defined. Errors: ONX008."""
    known = {*inputs, *constants}
    later = {name for node in nodes for name in node.outputs}
    for node in nodes:
        for name in node.inputs:
            if name and name not in known:
                found = "a later node, so that the graph has a loop" if name in later else "no node"
                parts = {"expected": f'"{name}" from an input or an earlier node', "found": found, "help": AGAIN}
                refuse(ONX008, "a value has no source", node=node.name, file=str(path), **parts)
        for name in filter(None, node.outputs):
            if name in known:
                parts = {"expected": "one source of each value", "found": f'"{name}" again', "help": AGAIN}
                refuse(ONX008, "a value has two sources", node=node.name, file=str(path), **parts)
            known.add(name)
