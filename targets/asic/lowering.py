"""Conversion of a routed machine graph to an `asic.chip`: the tables of each core, its axons, and the routes.

    machine.vertex "lif1/0" of "lif1" {core = 3, …}                         asic.core 3 {axons = 12} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}                  =>        asic.neurons "lif1/0" of "lif1" @lif {…} {
    machine.route "input/0" {…}                                                 asic.dense "fc1" {…}

`analysis/core_tables.py` defines axons, and the synapses of each table.

Exactness: exact. Integers are added exactly, reals in the order of `ntensor`.

Errors: MCH017 a graph that is not routed; ANA001 a projection that no table can hold; ASI017 a number that no word can hold; DEV023 no device is specified.
Remarks: ANA002 a table of single synapses in place of the format that takes least memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...analysis.core_tables import Part, uniform_entry
from ...analysis.learning.stdp_quantization import ANA004
from ...analysis.synapse_lists import ANA002, Windowed
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.limits import OTHER_DEVICE
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.diagnostics import Code, refuse, refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.context import diagnostics_of
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass, option_text
from ...dialects import asic, machine, ntensor
from ...dialects.chip_base.formats import TableFormat
from ...dialects.chip_base.weights import smallest_integers
from ...dialects.machine.graph import routed_graphs
from ...passes.pipelines import MERGE_OR_OTHER, MERGE_SYNAPSES
from ..chip_builder import TableBuilder
from .images import AXONS, OUTPUTS, images_of

ASI017 = Code("ASI017", "number-exceeds-memory-word", "a number does not fit into a memory word")


IMAGES = AXONS, OUTPUTS
KINDS: dict[str, type[asic.TableOp]] = {
    "sparse": asic.SparseOp,
    "dense": asic.DenseOp,
    "convolution": asic.KernelOp,
}


@dataclass(frozen=True)
class ConvertMachineToAsicPass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-asic"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            conversion = Conversion(graph)
            chip = conversion.chip()
            for projection, (expected, found) in conversion.stored_otherwise.items():
                diagnostics_of(ctx).remark(ANA002, op=projection, expected=expected, found=found, help=MERGE_SYNAPSES)
            verify_words(
                chip, {one.sym_name.data: one for one in op.ops if isinstance(one, ntensor.UpdateOp)}, device_of(graph)
            )
            Rewriter.replace_op(graph, chip)


def verify_words(chip: asic.ChipOp, updates: Mapping[str, ntensor.UpdateOp], device: Device) -> None:
    """Refuses numbers that the memory words of the device cannot hold. Errors: ASI017."""
    for place, core in chip.cores.items():
        for name, misfit in images_of(core, updates, device).misfits():
            low, high = misfit.field.interval
            field = misfit.field.name
            path = f"core.images.{name}.word" if name in IMAGES else f"synapse.formats.{name}.word"
            layers = ", ".join(core.layers())
            refuse(
                ASI017,
                f"a number does not fit into the field {field} of {device.key}",
                at=f"core {place}, with {layers}",
                node=layers if len(core.layers()) == 1 else None,
                expected=f"an integer from {low} to {high}"
                if misfit.field.bits
                else f"0, since a word has no field {field}",
                found=str(misfit.value),
                source=f"{device.key}, {path}",
                help=OTHER_DEVICE,
                notes=[f"{path} is the layout of a word: a device file with more bits for {field} is another chip"],
            )


class Conversion(TableBuilder[asic.ChipOp]):
    """The conversion of one graph."""

    CHIP, CORE, GROUP = asic.ChipOp, asic.CoreOp, asic.NeuronsOp
    INPUT, OUTPUT, AXONS = asic.HostInputOp, asic.HostOutputOp, asic.OutputAxonsOp

    def __init__(self, graph: machine.GraphOp):
        super().__init__(graph)
        self.stored_otherwise: dict[machine.ProjectionOp, tuple[str, str]] = {}
        """Projections with tables of single synapses in place of the planned format, with what it expects and what it found."""

    def routes(self) -> Iterator[asic.RouteOp]:
        for route in self.graph.routes:
            arrays = {"links": route.links, "trees": route.trees, "neurons": route.neurons}
            properties = {name: array for name, array in arrays.items() if array is not None}
            yield asic.RouteOp(properties={"node": route.source, **properties})

    def content(self, source: str, vertex: machine.VertexOp, own: Ints) -> list[asic.TableOp]:
        return [self.table(part) for part in self.tables.parts[vertex.node.data]]

    def table(self, part: Part) -> asic.TableOp:
        """Returns the table of a part."""
        given, stored, grid = part.given, part.planned, part.grid
        formats = self.device.synapse.formats if self.device.synapse is not None else {}
        kind = asic.SparseOp if stored is None else KINDS[formats[stored.name].layout]
        scale = None if given.scale is None or part.own is None else part.compact(given.scale[part.own])
        assert given.scale is None or scale is not None  # a scale belongs to a neuron, an axon, or all
        more: dict[str, Attribute] = {}
        if kind is asic.DenseOp and grid is not None and (matrix := part.matrix) is not None:
            weight, delay = matrix, grid
        elif kind is asic.KernelOp and grid is not None and given.kernel is not None:
            weight, delay = as_maps(given.kernel), grid
            windows = ListAttr([window_of(op) for op in given.windows])
            more = {"windows": windows, "sources": ArrayAttr.of(part.sources.astype(np.int32))}
        else:
            if kind is not asic.SparseOp and stored is not None:
                stored = self.sparse_format(part, stored, is_delayed=grid is None)
            kind, weight = asic.SparseOp, part.weight
            delay = np.asarray(uniform_entry(part.delay)) if part.count else np.asarray(0)
            indices = {"axon": part.source, "neuron": part.neuron}
            more = {name: ArrayAttr.of(values.astype(np.int32)) for name, values in indices.items()}
        exponent = 0
        if weight.dtype.kind == "i" and given.plasticity is None and stored is not None and stored.exponent:
            exponent = stored.exponent
            weight = smallest_integers(weight.astype(np.int64) >> exponent)
        own = part.members
        return asic.as_table(
            kind,
            part.projection.node.data,
            part.port,
            part.axons,
            weight,
            delay,
            format=None if stored is None else stored.name,
            bias=None if given.bias is None else uniform_entry(given.bias[own]),
            first=None if given.bias is None or not given.first[own].any() else uniform_entry(given.first[own]),
            sums=given.real,
            scale=scale,
            weights=given.weights,
            plasticity=given.plasticity,
            step=None if given.plasticity is None else learning_step(part),
            weight_exponent=exponent,
            divisor=given.divisor,
            exponent=None
            if given.exponent is None or not given.exponent[own].any()
            else uniform_entry(given.exponent[own]),
            **more,
        )

    def sparse_format(self, part: Part, planned: TableFormat, is_delayed: bool) -> TableFormat:
        """Returns a format of single synapses for a table that the planned format cannot hold. Errors: ANA001. Remarks: ANA002."""
        formats = self.device.synapse.formats if self.device.synapse is not None else {}
        layout = formats[planned.name].layout
        if is_delayed:
            expected, found = "one delay of each axon, or of each neuron", "delays that depend on both"
        elif layout == "dense":
            expected, found = "one synapse of each axon and neuron", "several synapses between the same two neurons"
        else:
            expected, found = "one convolution, after pools", "a chain of other ops"
        expected = f"{expected}, in the layout {layout}"
        sparse = part.sparse_format(self.device, expected, found, MERGE_OR_OTHER)
        self.stored_otherwise[part.projection] = f"{expected} ({planned.name})", f"{found}, stored as {sparse.name}"
        return sparse


def learning_step(part: Part) -> AnyArray | None:
    """Returns the numbers of the network that a stored weight of 1 is, of weights that learn; None for reals. Shapes: () or [axons or 1, neurons or 1]. Errors: ANA004."""
    ops = [op for op in part.projection.steps if isinstance(op, ntensor.SynapseOpInterface)]
    (op,) = [one for one in ops if one.learning_rule is not None]
    if len(ops) > 1:
        found = ", ".join(one.name for one in ops)
        help = Phrase(PassesOption(f"ntensor-freeze-plasticity{{nodes={option_text(op.node.data)}}}"))
        expected = "one op with synapses, which learns"
        refuse_op(part.projection, ANA004, expected=expected, found=found, path="plasticity", help=help)
    if op.quantized_weights is None or op.weights is None:
        return None
    scale = op.quantized_weights.scale.values.astype(np.float64)
    if scale.size == 1 or not isinstance(op, ntensor.LinearOp) or scale.ndim != 2:
        return np.asarray(scale.reshape(-1)[0]) if scale.size == 1 else part.compact(scale.reshape(-1)[part.own])
    rows, columns = scale.shape
    found = scale[part.members if rows > 1 else [0]][:, part.sources if columns > 1 else [0]].T
    return np.asarray(found[0, 0]) if (found == found[0, 0]).all() else found


def as_maps(kernel: AnyArray) -> AnyArray:
    """Returns the weights of a convolution with rows and columns. Shapes: kernel [results, operands, taps] or with two axes of taps."""
    return kernel[:, :, np.newaxis] if kernel.ndim == 3 else kernel


def window_of(op: Windowed) -> asic.WindowAttr:
    """Returns the window of a convolution or pool; the window of an op over one axis has one row."""
    lists = op.stride.values, op.padding.values
    if isinstance(op, ntensor.PoolOp):
        kernel, dilation, groups = op.kernel.values, np.ones(2), shape_of(op.x)[0]
    else:
        kernel, dilation, groups = np.array(op.weight.shape[2:]), op.dilation.values, op.groups.value.data
    stride, padding = lists
    channels, *size = shape_of(op.x)
    if len(size) == 1:
        size = [1, *size]
        kernel, stride, dilation = (np.append(1, one) for one in (kernel, stride, dilation))
        padding = np.concatenate([np.zeros((1, 2)), padding])
    size_of, kernel_of, stride_of, padding_of, dilation_of = (
        ArrayAttr.of(np.asarray(one).astype(np.int64))
        for one in (np.array([channels, *size]), kernel, stride, padding, dilation)
    )
    results, is_pool = shape_of(op.y)[0], isinstance(op, ntensor.PoolOp)
    return asic.WindowAttr(
        size_of,
        IntegerAttr(results, i64),
        kernel_of,
        stride_of,
        padding_of,
        dilation_of,
        IntegerAttr(groups, i64),
        IntegerAttr(int(is_pool), i64),
    )
