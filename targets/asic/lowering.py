"""Conversion of a routed machine graph to an `asic.chip`: the tables of each core, its axons, and the routes.

    machine.vertex "lif1/0" of "lif1" {core = 3, …}                         asic.core 3 {axons = 12} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}                  =>        asic.neurons "lif1/0" of "lif1" @lif {…} {
    machine.route "input/0" {…}                                                 asic.dense "fc1" {…}

1. A core has an input axon for each neuron with a synapse into one of its groups, in the order of inputs and populations, then of flat indices.
2. A projection becomes a table of each group that it reaches, in the format of the device that takes least memory. If this format cannot hold
   it, because several synapses connect the same two neurons or delays differ, it becomes a table of single synapses.
3. Pools are folded into the table of the op after them. Delays of a chain are added.
4. In a chain of reals, pools come first: their operands share an axon, which adds their payloads. One other op may follow.

Exactness: exact. Integers are added exactly, reals in the order of `ntensor`.

Errors: ASL001 a graph that is not routed; ASL002 a projection that no table can hold; ASL003 a number that no word can hold; PLN001 no device is specified.
Remarks: ASL004 a table of single synapses in place of the format that takes least memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.rewriter import Rewriter

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.joins import join
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.checks import bits_of as dtype_bits
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.diagnostics import Code, describe_op, refuse
from ...core.ir.context import diagnostics_of
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import asic, machine, ntensor
from ...dialects.resources.formats import exponent_limit, least_exponent, smallest_formats
from ...dialects.resources.weights import bits_by_exponent, smallest_integers
from ._synapses import Synapses, refuse_chain, synapses_of
from .images import AXONS, OUTPUTS, images_of

ASL001 = Code("ASL001", "the graph is not routed")
ASL003 = Code("ASL003", "a number does not fit into a memory word")

ASL004 = Code("ASL004", "a projection is stored in another format than planned")

MERGE_OPS = "merge the ops of the projection into one"
OTHER_FORMAT = f"{MERGE_OPS}, or choose a device with a format of the layout sparse: nopt targets"

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
        for graph in [inner for inner in op.ops if isinstance(inner, machine.GraphOp)]:
            if graph.stage.data is not machine.Stage.ROUTED:
                at, help = describe_op(graph)[0], "machine-place-vertices,machine-route-edges"
                found = f"stage {graph.stage.data}"
                refuse(ASL001, "the graph is not routed", at=at, expected="stage routed", found=found, help=help)
            conversion = Conversion(graph)
            chip = conversion.chip()
            for projection, (expected, found) in conversion.stored_otherwise.items():
                diagnostics_of(ctx).remark(ASL004, op=projection, expected=expected, found=found, help=MERGE_OPS)
            verify_words(
                chip, {one.sym_name.data: one for one in op.ops if isinstance(one, ntensor.UpdateOp)}, device_of(graph)
            )
            Rewriter.replace_op(graph, chip)


def verify_words(chip: asic.ChipOp, updates: Mapping[str, ntensor.UpdateOp], device: Device) -> None:
    """Refuses numbers that the memory words of the device cannot hold. Errors: ASL003."""
    for place, core in chip.cores.items():
        for name, misfit in images_of(core, updates, device).misfits():
            low, high = misfit.field.interval
            field = misfit.field.name
            path = f"core.images.{name}.word" if name in IMAGES else f"synapse.formats.{name}.word"
            layers = ", ".join(core.layers())
            refuse(
                ASL003,
                f"a number does not fit into the field {field} of {device.key}",
                at=f"core {place}, with {layers}",
                node=layers if len(core.layers()) == 1 else None,
                expected=f"an integer from {low} to {high}"
                if misfit.field.bits
                else f"0, since a word has no field {field}",
                found=str(misfit.value),
                source=f"{device.key}, {path}",
                help="give the field more bits in the device file, or choose another device: nopt targets",
            )


class Part:
    """The synapses of one projection into one group: a table that is not numbered yet."""

    def __init__(self, projection: machine.ProjectionOp, port: int, given: Synapses, own: Ints, format: str | None):
        self.projection, self.node, self.source, self.port = (
            projection,
            projection.node.data,
            projection.source.data,
            port,
        )
        self.line = self.source if given.merged is None else f"{self.source}:{self.node}"
        """The axons that the table reads: of each neuron of the source, or of each sum of a pool."""
        self.given, self.own, self.format = given, own, format
        """Indices of its synapses in `given`."""
        self.sources = np.unique(given.source[own])


class Conversion:
    """The conversion of one graph."""

    def __init__(self, graph: machine.GraphOp):
        self.graph, self.device, self.counts = graph, device_of(graph), graph.counts()
        self.stored_otherwise: dict[machine.ProjectionOp, tuple[str, str]] = {}
        """Projections with tables of single synapses in place of the planned format, with what it expects and what it found."""
        self.sources = [*graph.inputs, *graph.populations]
        self.places = {name: place for name, one in graph.vertices.items() if (place := one.place) is not None}
        self.parts = {name: list(parts) for name, parts in self.parts_of_vertices()}
        self.lines: dict[str, tuple[str, tuple[Ints, Ints] | None]] = {name: (name, None) for name in self.sources}
        """Source, and neuron and axon of each pair, of each kind of axons."""
        for part in (one for parts in self.parts.values() for one in parts if one.given.merged is not None):
            self.lines[part.line] = part.source, part.given.merged
        self.axons, self.axon_counts = self.numbered_axons()

    def members(self) -> Iterator[tuple[str, machine.VertexOp, Ints]]:
        """Yields the source, the vertex and the flat indices of its neurons."""
        for source in self.sources:
            for vertex, own in zip(self.counts.vertices[source], self.counts.slices[source].members, strict=True):
                yield source, vertex, own

    def parts_of_vertices(self) -> Iterator[tuple[str, Iterator[Part]]]:
        """Yields the tables of each vertex, by its name. Errors: ASL002."""
        graph = self.graph
        synapses = {name: synapses_of(one) for name, one in graph.projections.items()}
        for name, population in graph.populations.items():
            slicing, vertices = self.counts.slices[name], self.counts.vertices[name]
            slice_of = np.zeros(slicing.size, np.int64)
            for k, own in enumerate(slicing.members):
                slice_of[own] = k
            sizes = np.array([len(own) for own in slicing.members])
            listed = [(port, one.data) for port, names in enumerate(population.inputs) for one in names]
            made: list[list[Part]] = [[] for _ in vertices]
            for (port, one), counts in zip(listed, self.counts.arrivals[name].chains, strict=True):
                formats = smallest_formats(counts, sizes, self.device)
                where = slice_of[synapses[one].target]
                order = np.argsort(where, kind="stable")
                ends = np.searchsorted(where[order], np.arange(len(vertices) + 1))
                for k, parts in enumerate(made):
                    own, format = order[ends[k] : ends[k + 1]], None if formats is None else formats[k].name
                    if len(own) or synapses[one].bias is not None:
                        parts.append(Part(graph.projections[one], port, synapses[one], own, format))
            for vertex, parts in zip(vertices, made, strict=True):
                yield vertex.node.data, iter(parts)

    def numbered_axons(self) -> tuple[dict[int, dict[str, Ints]], dict[int, int]]:
        """Returns for each core the input axon of each neuron of a source, or -1, and the number of its axons."""
        used: dict[int, dict[str, Ints]] = {}
        for name, parts in self.parts.items():
            here = used.setdefault(self.places[name], {})
            for part in parts:
                pairs = part.given.merged
                size = self.counts.slices[part.source].size if pairs is None else int(pairs[1].max(initial=-1)) + 1
                here.setdefault(part.line, np.full(size, -1, np.int64))[part.sources] = 0
        counts: dict[int, int] = {}
        for core, here in used.items():
            counts[core] = 0
            for line in (one for one in self.lines if one in here):
                chosen = np.flatnonzero(here[line] == 0)
                here[line][chosen] = counts[core] + np.arange(len(chosen))
                counts[core] += len(chosen)
        return used, counts

    # ---- ops

    def chip(self) -> asic.ChipOp:
        """Returns the chip."""
        graph, block = self.graph, Block()
        bodies: dict[int, Block] = {}
        for source, vertex, own in self.members():
            if source in graph.inputs:
                block.add_op(self.input(source, vertex, own))
            else:
                body = bodies.setdefault(self.places[vertex.node.data], Block())
                body.add_op(self.group(graph.populations[source], vertex, own))
        for place, body in sorted(bodies.items()):
            numbers = {"place": place, "axons": self.axon_counts.get(place, 0)}
            properties = {name: IntegerAttr(n, i64) for name, n in numbers.items()}
            block.add_op(asic.CoreOp(properties=properties, regions=[Region(body)]))
        for route in graph.routes:
            neurons = {} if route.neurons is None else {"neurons": route.neurons}
            block.add_op(asic.RouteOp(properties={"node": route.source, "links": route.links, **neurons}))
        for output in graph.outputs.values():
            block.add_op(output_of(output))
        properties = {
            "sym_name": graph.sym_name,
            "tick_ns": graph.tick_ns,
            "approximations": graph.approximations,
        }
        chip = asic.ChipOp(properties=properties, regions=[Region(block)])
        chip.attributes.update(graph.attributes)
        chip.location = graph.location
        return chip

    def input(self, source: str, vertex: machine.VertexOp, own: Ints) -> asic.HostInputOp:
        body, type = self.sending(source, own), self.graph.inputs[source].type
        properties: dict[str, Attribute] = {
            "node": vertex.node,
            "source": vertex.source,
            "at": IntegerAttr(self.places[vertex.node.data], i64),
            "index": ArrayAttr.of(own.astype(np.int32)),
            "type": type,
        }
        return asic.HostInputOp(properties=properties, regions=[Region(body)])

    def group(self, population: machine.PopulationOp, vertex: machine.VertexOp, own: Ints) -> asic.NeuronsOp:
        body = Block([self.table(part, vertex, own) for part in self.parts[vertex.node.data]])
        for op in list(self.sending(population.node.data, own).ops):
            op.detach()
            body.add_op(op)
        properties: dict[str, Attribute] = {
            "node": vertex.node,
            "source": vertex.source,
            "update": population.update,
            "index": ArrayAttr.of(own.astype(np.int32)),
            "params": chosen(population.params, own),
            "initial": chosen(population.initial, own),
            "type": population.type,
        }
        made = asic.NeuronsOp(properties=properties, regions=[Region(body)])
        made.location = population.location
        return made

    def sending(self, source: str, own: Ints) -> Block:
        """Returns a block with the output axons of some neurons, empty if they have none."""
        found: list[tuple[Ints, Ints, Ints]] = []
        for core, here in sorted(self.axons.items()):
            for line, (sender, pairs) in self.lines.items():
                if sender != source or line not in here:
                    continue
                neuron, to = (np.arange(len(own)), own) if pairs is None else reached(own, *pairs)
                axon = here[line][to]
                kept = axon >= 0
                found.append((neuron[kept], np.full(int(kept.sum()), core), axon[kept]))
        if not found:
            return Block()
        neuron, core, axon = (np.concatenate(part) for part in zip(*found, strict=True))
        if not len(neuron):
            return Block()
        order = np.lexsort((axon, core, neuron))
        return Block([asic.OutputAxonsOp(neuron[order], core[order], axon[order])])

    def table(self, part: Part, vertex: machine.VertexOp, own: Ints) -> asic.TableOp:
        """Returns the table of a projection in a group."""
        given, some = part.given, part.own
        here = self.axons[self.places[vertex.node.data]].get(part.line, np.zeros(0, np.int64))
        place = np.full(self.counts.slices[vertex.source.data].size, -1)
        place[own] = np.arange(len(own))
        neuron, source = place[given.target[some]], np.searchsorted(part.sources, given.source[some])
        weight, delay = given.weight[some], given.delay[some]
        shape = len(part.sources), len(own)
        formats = self.device.synapse.formats if self.device.synapse is not None else {}
        kind = asic.SparseOp if part.format is None else KINDS[formats[part.format].layout]
        grid = compact(source, neuron, delay, shape)
        scale = None if given.scale is None else compact(source, neuron, given.scale[some], shape)
        assert given.scale is None or scale is not None  # a scale belongs to a neuron, an axon, or all
        more: dict[str, Attribute] = {}
        if (
            kind is asic.DenseOp
            and grid is not None
            and (matrix := matrix_of(source, neuron, weight, shape)) is not None
        ):
            weight, delay = matrix, grid
        elif kind is asic.KernelOp and grid is not None and given.kernel is not None:
            weight, delay = as_maps(given.kernel), grid
            more = {"windows": ListAttr(given.windows), "sources": ArrayAttr.of(part.sources.astype(np.int32))}
        else:
            kind = asic.SparseOp
            delay = (
                np.asarray(delay[0] if len(delay) and (delay == delay[0]).all() else delay)
                if len(delay)
                else np.asarray(0)
            )
            more = {"axon": ArrayAttr.of(source.astype(np.int32)), "neuron": ArrayAttr.of(neuron.astype(np.int32))}
        if kind is asic.SparseOp and part.format is not None and formats[part.format].layout != "sparse":
            part.format = self.sparse_format(part, is_delayed=grid is None)
        exponent = 0
        if weight.dtype.kind == "i" and given.plasticity is None and part.format is not None:
            exponent = least_shared_exponent(weight, formats[part.format].dtype, self.device)
            weight = smallest_integers(weight.astype(np.int64) >> exponent) if exponent else weight
        return asic.as_table(
            kind,
            part.node,
            part.port,
            here[part.sources],
            weight,
            delay,
            format=part.format,
            bias=None if given.bias is None else uniform(given.bias[own]),
            first=None if given.bias is None or not given.first[own].any() else uniform(given.first[own]),
            sums=given.real,
            scale=scale,
            weights=given.weights,
            plasticity=given.plasticity,
            weight_exponent=exponent,
            divisor=given.divisor,
            exponent=None if given.exponent is None or not given.exponent[own].any() else uniform(given.exponent[own]),
            **more,
        )

    def sparse_format(self, part: Part, is_delayed: bool) -> str:
        """Returns a format of single synapses for a table that the planned format cannot hold. Errors: ASL002. Remarks: ASL004."""
        formats = self.device.synapse.formats if self.device.synapse is not None else {}
        assert part.format is not None  # asked before
        layout = formats[part.format].layout
        if is_delayed:
            expected, found = "one delay of each axon, or of each neuron", "delays that depend on both"
        elif layout == "dense":
            expected, found = "one synapse of each axon and neuron", "several synapses between the same two neurons"
        else:
            expected, found = "one convolution, after pools", "a chain of other ops"
        expected = f"{expected}, in the layout {layout}"
        sparse = next((name for name, one in formats.items() if one.layout == "sparse"), None)
        if sparse is None:
            refuse_chain(part.projection, expected, found, OTHER_FORMAT)
        self.stored_otherwise[part.projection] = f"{expected} ({part.format})", f"{found}, stored as {sparse}"
        return sparse


def least_shared_exponent(weight: AnyArray, dtype: str, device: Device) -> int:
    """Returns the least exponent with which integers fit into a type; 0 if there is none that they share and the device has."""
    bits, width = bits_by_exponent([weight.reshape(-1).astype(np.int64)]), dtype_bits(dtype)
    return (width and least_exponent(bits, width, exponent_limit(device))) or 0


def reached(own: Ints, source: Ints, axon: Ints) -> tuple[Ints, Ints]:
    """Returns the place of each sending neuron in `own`, and its axon, for pairs of a source and an axon."""
    neuron, pair = join(own, source)
    return neuron, axon[pair]


def as_maps(kernel: AnyArray) -> AnyArray:
    """Returns the weights of a convolution with rows and columns. Shapes: kernel [results, operands, taps] or with two axes of taps."""
    return kernel[:, :, np.newaxis] if kernel.ndim == 3 else kernel


def uniform(values: AnyArray) -> AnyArray:
    """Returns one number if all are equal."""
    return values[0] if len(values) and (values == values[0]).all() else values


def chosen(given: DictionaryAttr, own: Ints) -> DictionaryAttr:
    """Returns the parameters or states of some neurons."""
    found: dict[str, Attribute] = {}
    for name, array in given.data.items():
        assert isinstance(array, ArrayAttr)  # verified
        found[name] = ArrayAttr.of(array.values.reshape(-1)[own]) if array.shape else array
    return DictionaryAttr(found)


def compact(source: Ints, neuron: Ints, values: AnyArray, shape: tuple[int, int]) -> AnyArray | None:
    """Returns an array of shape (), [sources, 1] or [1, neurons] with the value of every synapse; None if values depend on both."""
    if not len(values) or (values == values[0]).all():
        return np.asarray(values[0] if len(values) else 0, values.dtype)
    for place, axis in ((source, 0), (neuron, 1)):
        found = np.zeros(shape[axis], values.dtype)
        found[place] = values
        if (found[place] == values).all():
            return found.reshape(-1, 1) if axis == 0 else found.reshape(1, -1)
    return None


def matrix_of(source: Ints, neuron: Ints, weight: AnyArray, shape: tuple[int, int]) -> AnyArray | None:
    """Returns the weights as a matrix; None if two synapses connect the same neurons."""
    place = source * shape[1] + neuron
    found = np.zeros(shape, weight.dtype)
    found.reshape(-1)[place] = weight
    return found if len(np.unique(place)) == len(place) else None


def output_of(output: machine.OutputOp) -> asic.HostOutputOp:
    """Returns an output with the delays of its chain added."""
    steps: list[Operation] = [] if output.body is None else list(output.body.block.ops)
    ticks = np.zeros(prod(shape_of(output.type)), np.int64)
    for op in steps:
        if isinstance(op, ntensor.DelayOp):
            ticks = ticks + np.broadcast_to(op.ticks.values, shape_of(op.x)).reshape(-1)
    properties: dict[str, Attribute] = {
        "node": output.node,
        "source": output.source,
        "delay": ArrayAttr.of(np.asarray(uniform(ticks), np.int64)),
        "type": output.type,
    }
    return asic.HostOutputOp(properties=properties)
