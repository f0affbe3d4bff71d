"""Conversion of a network of the nir dialect to the contents of a NIR file: nested dictionaries of nodes, their parameters, and edges.

`nir.sum` is not a node of NIR; it is replaced by the edges that it adds. All other ops keep their names, shapes and number formats. A
network that NIR cannot represent is refused. At the end the dictionaries are read again, to guarantee that the file represents the
same network as the module.

    {"type": "NIRGraph", "nodes": {"fc": {"type": "Linear", "weight": array}, …}, "edges": [("input", "fc"), …]}

Source: the `nir` package 1.0.8, nir/ir, for the names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, f32
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from ..core.arrays.arrays import ArrayAttr
from ..core.diagnostics import Code, Diagnostics, Finding, Refused, quote_names
from ..core.ir.operation import element_type, shape_of
from ..dialects import nir as ops
from .nir_graph import PRIMITIVES
from .nir_module import build_module
from .nir_values import metadata_of

NIF038 = Code("NIF038", "not-one-nir-network", "the module is not one network of the nir dialect")
NIF039 = Code("NIF039", "synapse-property-not-in-nir", "NIR cannot represent a property of a synapse")
NIF041 = Code("NIF041", "sum-not-edges", "a sum cannot be written as edges")
NIF042 = Code("NIF042", "signal-unused", "a signal is unused")
NIF043 = Code("NIF043", "signal-kind-changes", "a signal would read back as another kind")
NIF044 = Code("NIF044", "metadata-not-storable", "a NIR file cannot contain the metadata")
NIF045 = Code("NIF045", "exported-graph-several-ends", "a nested graph has several inputs or outputs")
NIF046 = Code("NIF046", "annotation-dropped", "an annotation was dropped")
NIF047 = Code("NIF047", "scalars-expanded", "scalars were expanded")

TYPES: Mapping[str, str] = {op.name: type for type, op in PRIMITIVES.items()}
"""NIR's names of the computing ops."""

Contents = dict[str, Any]
"""A graph, a node or metadata, in the form of a file."""


# ---- metadata


def plain(attribute: Attribute) -> Any:
    """Converts metadata to text, arrays, lists and dictionaries; returns None if that is not possible."""
    if isinstance(attribute, StringAttr):
        return attribute.data
    if isinstance(attribute, ArrayAttr):
        return attribute.values
    if isinstance(attribute, DictionaryAttr):
        return {name: plain(value) for name, value in attribute.data.items()}
    return [plain(value) for value in attribute] if isa(attribute, ListAttr[Attribute]) else None


def take_metadata(contents: Contents, op: Operation, metadata: Attribute | None, problems: Diagnostics) -> None:
    """Adds metadata to a node; refuses metadata that would be read back differently."""
    if metadata is None:
        return
    if not isinstance(metadata, DictionaryAttr):
        refuse_metadata(op, "metadata is not a dictionary", "entries with names, in braces", metadata, problems)
        return
    found: Contents = {}
    for name, value in metadata.data.items():
        found[name] = plain(value)
        if metadata_of(found[name]) != value:
            expected = "text, #nopt.array, a list of text, or a dictionary of these"
            refuse_metadata(op, f'NIR cannot represent metadata "{name}"', expected, value, problems)
    if found:
        contents["metadata"] = found


def refuse_metadata(op: Operation, message: str, expected: str, found: Attribute, problems: Diagnostics) -> None:
    help = "write it as text or as an array, or remove it"
    problems.error(NIF044, message, op=op, expected=expected, found=f"{found!s:.60}", help=help)


# ---- nodes


def broadcast(op: ops.NodeOp, contents: Contents, diagnostics: Diagnostics) -> None:
    """Expands scalars where NIR requires one entry for each neuron."""
    if not isinstance(op, ops.PopulationOp | ops.ScaleOp | ops.DelayOp):
        return
    shape = shape_of(op.x)
    scalars = [name for name, array in op.parameters() if array.shape != shape]
    values = contents["params"] if isinstance(op, ops.NeuronOp) else contents
    for name in scalars:
        values[name] = np.full(shape, values[name])
    if scalars:
        diagnostics.remark(
            NIF047,
            op=op,
            expected=f"shape {shape}, one entry for each neuron",
            found=f"scalars for {', '.join(scalars)}",
            help="nopt explain NIF047",
        )


def node_of(op: ops.NodeOp, diagnostics: Diagnostics, problems: Diagnostics) -> Contents:
    """Converts one computing node."""
    contents: Contents = {"type": TYPES[op.name]}
    for name in op.PARAMETERS:
        if isinstance(value := op.properties.get(name), DictionaryAttr):
            contents[name] = {key: plain(entry) for key, entry in value.data.items()}
        elif value is not None:
            contents[name] = plain(value)
    broadcast(op, contents, diagnostics)
    sizes = np.array(shape_of(op.x), np.int64)
    if isinstance(op, ops.ConvolutionOp) and op.input_shape is None:
        # the package does not read a convolution without it
        contents["input_shape"] = sizes[1:] if op.RANK > 1 else sizes[1]
    if isinstance(op, ops.FlattenOp):
        contents["input_type"] = sizes
    if isinstance(op, ops.IdentityOp):
        contents["shape"] = sizes
    for name in ("delays", "plasticity", "transmission"):
        if name in op.properties:
            problems.error(
                NIF039,
                f"NIR cannot represent {name}",
                op=op,
                expected=f"{TYPES[op.name]} with {', '.join(op.PARAMETERS)}",
                found=f"{op.properties[name]!s:.60}",
                help="-t mlir",
            )
    take_metadata(contents, op, op.metadata, problems)
    return contents


# ---- edges


def source_names(value: SSAValue, reader: Operation, names: list[str], problems: Diagnostics) -> list[str]:
    """Returns the names of the nodes whose signals add up to a value; follows the operands of sums."""
    found: dict[str, None] = {}
    sums: set[Operation] = set()
    waiting = [value]
    while waiting:
        here = waiting.pop()
        owner = here.owner
        if isinstance(owner, ops.SumOp) and owner not in sums:
            sums.add(owner)
            waiting += reversed(owner.xs)
            continue
        name = "a sum"
        if isinstance(here, BlockArgument):
            name = names[here.index]
        elif isinstance(owner, ops.NodeOp | ops.SubgraphOp):
            name = owner.node.data
        elif not isinstance(owner, ops.SumOp):
            continue  # an op of another dialect, which is refused elsewhere
        if name not in found and not isinstance(owner, ops.SumOp):
            found[name] = None
            continue
        problems.error(
            NIF041,
            "a signal is added twice",
            op=reader,
            expected="each signal once",
            found=f'"{name}" twice' if name in found else "a sum that is added twice, or depends on itself",
            help="use a nir.scale to add a signal twice",
        )
        break
    return list(found)


def check_used(value: SSAValue, op: Operation, name: str, problems: Diagnostics) -> None:
    """Refuses a signal without a reader."""
    if value.first_use is None:
        problems.error(
            NIF042,
            f'the signal of "{name}" is unused',
            op=op,
            expected="a node that reads it, or nir.output",
            found="neither",
            help="-p nir-remove-dead" if isinstance(value, OpResult) else "connect it, or remove it from the signature",
        )


# ---- graphs


@frozen
class Export:
    """Conversion of the graphs of one module to dictionaries; findings go to `diagnostics` and `problems`."""

    diagnostics: Diagnostics
    problems: Diagnostics

    def graph(self, op: ops.GraphOp | ops.SubgraphOp) -> Contents:
        block = op.body.block
        inputs = [name.data for name in op.input_names]
        outputs = [name.data for name in op.output_names]
        self.check_ends(op, inputs, outputs)
        nodes: dict[str, Contents] = {}
        edges: list[tuple[str, str]] = []
        last = cast(ops.OutputOp, block.last_op)
        for type, names, values in (("Input", inputs, block.args), ("Output", outputs, last.values)):
            for name, value in zip(names, values, strict=True):
                nodes[name] = {"type": type, "shape": np.array(shape_of(value), np.int64)}
                metadata = op.terminal_metadata.data.get(name) if op.terminal_metadata else None
                take_metadata(nodes[name], op, metadata, self.problems)
        for name, value in zip(inputs, block.args, strict=True):
            check_used(value, op, name, self.problems)
        for inner in block.ops:
            self.note_annotations(inner)
            if isinstance(inner, ops.SubgraphOp):
                nodes[inner.node.data] = self.graph(inner)
            elif isinstance(inner, ops.NodeOp):
                nodes[inner.node.data] = node_of(inner, self.diagnostics, self.problems)
            elif not isinstance(inner, ops.SumOp | ops.OutputOp):
                self.problems.error(
                    NIF038,
                    "the network contains an op of another dialect",
                    op=inner,
                    expected="ops of the nir dialect",
                    found=inner.name,
                    help="-t mlir",
                )
                continue
            else:
                for result in inner.results:
                    check_used(result, inner, "a sum", self.problems)
                continue
            name = inner.node.data
            for value in inner.results:
                check_used(value, inner, name, self.problems)
            edges += [
                (source, name) for x in inner.operands for source in source_names(x, inner, inputs, self.problems)
            ]
        for name, value in zip(outputs, last.values, strict=True):
            edges += [(source, name) for source in source_names(value, op, inputs, self.problems)]
        contents: Contents = {"type": "NIRGraph", "nodes": dict(sorted(nodes.items())), "edges": sorted(edges)}
        take_metadata(contents, op, op.metadata, self.problems)
        return contents

    def check_ends(self, op: ops.GraphOp | ops.SubgraphOp, inputs: list[str], outputs: list[str]) -> None:
        """Refuses graphs without an input or output, and nested graphs with several."""
        for what, names in (("input", inputs), ("output", outputs)):
            if not names:
                self.problems.error(
                    NIF042,
                    f"the graph has no {what}",
                    op=op,
                    expected="a graph with inputs and outputs",
                    found="none",
                    help=f"declare an {what} in the signature of the graph",
                )
            elif len(names) > 1 and isinstance(op, ops.SubgraphOp):
                self.problems.error(
                    NIF045,
                    f"a nested graph has several {what}s",
                    op=op,
                    expected=f"one {what}",
                    found=quote_names(names),
                    help="-p nir-flatten",
                )

    def note_annotations(self, op: Operation) -> None:
        for name in op.attributes:
            self.diagnostics.warning(
                NIF046,
                f"the annotation {name} was dropped",
                op=op,
                expected="no annotation, because NIR cannot store it",
                found=name,
                help="-t mlir",
            )


def network_in(module: ModuleOp) -> ops.GraphOp:
    """Returns the network of a module."""
    found = list(module.ops)
    if len(found) == 1 and isinstance(found[0], ops.GraphOp):
        return found[0]
    networks = [f"{op.name} @{getattr(op, 'sym_name').data}" for op in found if hasattr(op, "sym_name")]  # noqa: B009
    names = ", ".join(networks[:6]) or f"{len(found)} ops"
    finding = Finding(NIF038, expected="one nir.graph", found=names, help="-t mlir")
    raise Refused(finding.with_location(found[0].location) if found else finding)


def contents_of(module: ModuleOp, diagnostics: Diagnostics) -> Contents:
    """Converts the network of a module to nested dictionaries, which read back as the same network.

    Remarks and warnings go to `diagnostics`. Errors: NIF038, NIF039, NIF041, NIF042, NIF043, NIF044, NIF045; all errors are raised together.
    """
    op = network_in(module)
    problems = Diagnostics()
    export = Export(diagnostics, problems)
    export.note_annotations(op)
    for name, type in zip(op.input_names, op.function_type.inputs, strict=True):
        if not ops.is_value(element_type(type)):
            problems.error(
                NIF043,
                f'the input "{name.data}" takes spikes',
                op=op,
                expected="values (f32); a spike is 1 there, no spike 0",
                found=str(type),
                help=f"declare it as {str(type).replace('i1', str(f32))}",
            )
    contents = export.graph(op)
    if not problems.errors:
        check_meaning(op, contents, problems)
    problems.raise_errors()
    return contents


# ---- check of the result


def signals_in(op: ops.GraphOp | ops.SubgraphOp, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Returns the input and output signal of every node. The key is the path of the node: the names of its enclosing graphs, then its own name."""
    for inner in op.body.block.ops:
        if isinstance(inner, ops.SubgraphOp):
            yield from signals_in(inner, (*path, inner.node.data))
        if isinstance(inner, ops.NodeOp | ops.SubgraphOp):
            types = [", ".join(str(value.type) for value in values) for values in (inner.operands, inner.results)]
            yield (*path, inner.node.data), " -> ".join(types)
    for names, types in ((op.input_names, op.signature.type.inputs), (op.output_names, op.signature.type.outputs)):
        yield from (((*path, name.data), str(type)) for name, type in zip(names, types, strict=True))


def check_meaning(op: ops.GraphOp, contents: Contents, problems: Diagnostics) -> None:
    """Reads the dictionaries in the same way as a file, and refuses a signal that differs from the module."""
    after: dict[tuple[str, ...], str] = {}
    with problems.collecting():
        after |= signals_in(network_in(build_module(contents, "again", Diagnostics(), None)))
    for path, signal in signals_in(op) if after else ():
        if after[path] != signal:
            problems.error(
                NIF043,
                at=f'"{".".join(path)}"',
                node=".".join(path),
                op=op,
                expected=signal,
                found=after[path],
                help="connect spikes without a sum, or -t mlir",
            )
            return  # signals that depend on it differ too
