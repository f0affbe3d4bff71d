"""Core tables: the synapses of a routed machine graph, sorted by core, and the input axons of each core.

    projection "fc1": input -> lif1          core 3: axons 0 to 11 from "input"; part "fc1" into vertex "lif1/0"
    vertices lif1/0 on core 3, lif1/1 on core 4      =>      core 4: axons 0 to 11 from "input"; part "fc1" into vertex "lif1/1"

1. A core has an input axon for each neuron with a synapse into one of its vertices, in the order of inputs and populations, then of flat indices.
2. A projection has a part for each vertex that it reaches, in the format of the device that takes least memory. If the synapses do not have the
   form of this format, because several connect the same two neurons or delays differ, the part is stored one by one.
3. Pools of integers are multiplied into the op after them. Delays of a chain are added.
4. In a chain of reals, pools come first: their operands share an axon, which adds their payloads. One other op may follow.

Errors: ANA001 a projection that no table can hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np
from attrs import evolve, field, frozen
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, Operation

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.joins import join
from ..core.arrays.numeric import AnyArray, Ints
from ..core.arrays.unique_integers import unique_integers
from ..core.device.dtypes import dtype_bits
from ..core.device.limits import OTHER_DEVICE
from ..core.device.named_device import device_of
from ..core.device.records import Device
from ..core.diagnostics import Refused
from ..core.ir.operation import shape_of
from ..dialects import machine, ntensor
from ..dialects.chip_base.formats import TableFormat, exponent_limit, least_exponent, smallest_formats
from ..dialects.chip_base.weights import bits_by_exponent
from .synapse_lists import Synapses, refuse_chain, synapses_of


@frozen(eq=False)
class Part:
    """The synapses of one projection into one vertex.

    Shapes: members [neurons]: flat indices; sources [axons]: neurons of the source, or sums of a pool; axons [axons]; source (a place in `sources`), neuron
    (a place in the vertex), weight and delay [synapses], by source, then by neuron; grid () or of a shape that broadcasts to [axons, neurons]. Units: delay
    and grid [ticks].
    """

    projection: machine.ProjectionOp
    port: int
    """The operand of the neuron's update."""
    given: Synapses
    """The synapses of the whole projection."""
    planned: TableFormat | None
    """The format in which the plan counts them; None if the device specifies none."""
    vertex: machine.VertexOp
    members: Ints
    sources: Ints
    count: int
    """The number of synapses."""
    own: Ints | None
    """The synapses of the vertex by their index in `given`; None if `given` has a matrix."""
    recent: RecentSynapses = field(repr=False)
    axons: Ints = field(factory=lambda: np.zeros(0, np.int64))

    @property
    def line(self) -> str:
        """Returns the name of the axons that the part reads: of each neuron of the source, or of each sum of a pool."""
        source = self.projection.source.data
        return source if self.given.merged is None else f"{source}:{self.projection.node.data}"

    @property
    def shape(self) -> tuple[int, int]:
        """Returns the numbers of axons and of neurons."""
        return len(self.sources), len(self.members)

    @property
    def source(self) -> Ints:
        return self.recent.of(self).source

    @property
    def neuron(self) -> Ints:
        return self.recent.of(self).neuron

    @property
    def weight(self) -> AnyArray:
        return self.recent.of(self).weight

    @property
    def delay(self) -> Ints:
        return self.recent.of(self).delay

    @property
    def grid(self) -> AnyArray | None:
        """Returns the delays of axons or of neurons; None if they depend on both."""
        if self.given.matrix is not None:
            return np.asarray(self.given.matrix.delay if self.count else 0)
        return self.compact(self.delay)

    @property
    def matrix(self) -> AnyArray | None:
        """Returns the weights of all pairs, [axons, neurons]; None if two synapses connect the same neurons."""
        if self.given.matrix is not None:
            return np.ascontiguousarray(self.given.matrix.weight[self.members][:, self.sources].T)
        place = self.source * self.shape[1] + self.neuron
        found = np.zeros(self.shape, self.weight.dtype)
        found.reshape(-1)[place] = self.weight
        return found if not has_repeated(place, found.size) else None

    def compact(self, values: AnyArray) -> AnyArray | None:
        """Returns an array of shape (), [axons, 1] or [1, neurons] with the value of every synapse; None if values depend on both."""
        if not len(values) or (values == values[0]).all():
            return np.asarray(values[0] if len(values) else 0, values.dtype)
        for place, axis in ((self.source, 0), (self.neuron, 1)):
            found = np.zeros(self.shape[axis], values.dtype)
            found[place] = values
            if (found[place] == values).all():
                return found.reshape(-1, 1) if axis == 0 else found.reshape(1, -1)
        return None

    def sparse_format(self, device: Device, expected: str, found: str, help: str) -> TableFormat:
        """Returns a sparse format that stores the weights; it replaces the planned format, which requires another layout. Errors: ANA001."""
        formats = device.synapse.formats if device.synapse is not None else {}
        bits, most = bits_by_exponent(self.given.weight_blocks()), exponent_limit(device)
        assert self.planned is not None  # asked before
        for name, one in formats.items():
            exponent = least_exponent(bits, dtype_bits(one.dtype) or 0, most)
            if one.layout == "sparse" and exponent is not None:
                return evolve(self.planned, name=name, exponent=exponent)
        refuse_chain(self.projection, expected, found, help)


@frozen(eq=False)
class PartSynapses:
    """The synapses of a part as lists, as described there."""

    source: Ints
    neuron: Ints
    weight: AnyArray
    delay: Ints

    @staticmethod
    def of(part: Part) -> PartSynapses:
        """Returns the synapses of a part. It makes new lists."""
        given, order = part.given, np.argsort(part.members)
        place_of = np.zeros(int(part.sources.max(initial=0)) + 1, np.int64)
        place_of[part.sources] = np.arange(len(part.sources))
        if given.matrix is not None:
            rows = given.matrix.weight[part.members[order]].T
            source, neuron = np.nonzero(rows)
            delay = np.broadcast_to(np.int64(given.matrix.delay), source.shape)
            return PartSynapses(place_of[source], order[neuron], rows[source, neuron], delay)
        own = part.own
        assert own is not None  # without a matrix
        target = np.searchsorted(part.members, given.target[own], sorter=order)
        return PartSynapses(place_of[given.source[own]], order[target], given.weight[own], given.delay[own])


class RecentSynapses:
    """The lists of the part that was used last: those of all parts together need many times the memory of the weights."""

    def __init__(self) -> None:
        self.part: Part | None = None
        self.lists: PartSynapses | None = None

    def of(self, part: Part) -> PartSynapses:
        """Returns the lists of a part."""
        if self.lists is None or self.part is not part:
            self.part, self.lists = part, None  # the old lists are released first
            self.lists = PartSynapses.of(part)
        return self.lists


def has_repeated(numbers: Ints, limit: int) -> bool:
    """Returns whether a number occurs more than once. All are in 0 … limit - 1."""
    is_used = np.zeros(limit, np.bool_)
    is_used[numbers] = True
    return int(np.count_nonzero(is_used)) < len(numbers)


@frozen(eq=False)
class InputAxons:
    """Input axons of a core for one line, in the order of their sources. Shapes: sources [axons], ascending."""

    sources: Ints
    first: int
    """The number of the first axon."""

    def of(self, sources: Ints) -> Ints:
        """Returns the number of the axon of each source; -1 if it has none."""
        if not len(self.sources):
            return np.full(len(sources), -1)
        place = np.minimum(np.searchsorted(self.sources, sources), len(self.sources) - 1)
        return np.where(self.sources[place] == sources, self.first + place, -1)


@frozen(eq=False)
class Destinations:
    """Output axons of some neurons, by neuron, then by core. Shapes: neuron, core and axon [destinations]."""

    neuron: Ints
    core: Ints
    axon: Ints


Slice = tuple[str, machine.VertexOp, Ints]
"""The source, the vertex, and the flat indices of its neurons."""


class GraphSlices:
    """The slices of the inputs and populations of a routed graph."""

    def __init__(self, graph: machine.GraphOp):
        self.graph, self.device, self.counts = graph, device_of(graph), graph.counts()
        self.inputs, self.populations = graph.inputs, graph.populations
        self.sources = [*self.inputs, *self.populations]
        self.places = {name: place for name, one in graph.vertices.items() if (place := one.place) is not None}

    def members(self) -> Iterator[Slice]:
        """Yields every slice, by source."""
        for source in self.sources:
            for vertex, own in zip(self.counts.vertices[source], self.counts.slices[source].members, strict=True):
                yield source, vertex, own

    def vertices_by_core(self) -> Iterator[tuple[int, list[Slice]]]:
        """Yields the slices of populations of each core, by core."""
        slices: dict[int, list[Slice]] = {}
        for source, vertex, own in self.members():
            if source not in self.inputs:
                slices.setdefault(self.places[vertex.node.data], []).append((source, vertex, own))
        yield from sorted(slices.items())


class CoreTables(GraphSlices):
    """The parts and axons of each core of a routed graph. Errors: ANA001."""

    def __init__(self, graph: machine.GraphOp, help: str = OTHER_DEVICE):
        """`help` is that of a refused projection."""
        super().__init__(graph)
        self.help, self.recent = help, RecentSynapses()
        parts = dict(self.parts_of_vertices())
        self.lines: dict[str, tuple[str, tuple[Ints, Ints] | None]] = {name: (name, None) for name in self.sources}
        """Source, and neuron and axon of each pair, of each kind of axons."""
        for part in (one for listed in parts.values() for one in listed if one.given.merged is not None):
            self.lines[part.line] = part.projection.source.data, part.given.merged
        self.axons, self.axon_counts = self.numbered_axons(parts)
        self.readers: dict[str, list[tuple[int, str]]] = {name: [] for name in self.sources}
        """The core and the kind of axons of each reader of a source."""
        for core, line in ((core, line) for core, here in self.axons.items() for line in here):
            self.readers[self.lines[line][0]].append((core, line))
        self.parts = {name: [self.placed(part) for part in listed] for name, listed in parts.items()}
        """By the name of the vertex."""

    def parts_of_vertices(self) -> Iterator[tuple[str, list[Part]]]:
        """Yields the parts of each vertex without axons, by its name. Errors: ANA001."""
        projections = self.graph.projections
        try:
            synapses = {name: synapses_of(one) for name, one in projections.items()}
        except Refused as refusal:
            raise Refused(*(evolve(finding, help=self.help) for finding in refusal.findings)) from None
        for name, population in self.populations.items():
            slicing, vertices = self.counts.slices[name], self.counts.vertices[name]
            slice_of = np.zeros(slicing.size, np.int64)
            for k, own in enumerate(slicing.members):
                slice_of[own] = k
            listed = [(port, one.data) for port, names in enumerate(population.inputs) for one in names]
            made: list[list[Part]] = [[] for _ in vertices]
            for (port, one), counts in zip(listed, self.counts.arrivals[name].chains, strict=True):
                formats, given = smallest_formats(counts, slicing.sizes, self.device), synapses[one]
                for k, (own, sources, count) in enumerate(given.slices(slice_of, slicing.members)):
                    planned = None if formats is None else formats[k]
                    if count or given.bias is not None:
                        about = projections[one], port, given, planned, vertices[k], slicing.members[k]
                        made[k].append(Part(*about, sources, count, own, self.recent))
            yield from zip((vertex.node.data for vertex in vertices), made, strict=True)

    def numbered_axons(self, parts: dict[str, list[Part]]) -> tuple[dict[int, dict[str, InputAxons]], dict[int, int]]:
        """Returns for each core the input axons of each line, and their number."""  # 1
        used: dict[int, dict[str, list[Ints]]] = {}
        for name, listed in parts.items():
            here = used.setdefault(self.places[name], {})
            for part in listed:
                here.setdefault(part.line, []).append(part.sources)
        rank = {line: k for k, line in enumerate(self.lines)}
        axons: dict[int, dict[str, InputAxons]] = {}
        counts: dict[int, int] = {}
        for core, read in used.items():
            axons[core] = {}
            counts[core] = 0
            for line in sorted(read, key=rank.__getitem__):
                found = InputAxons(unique_integers(np.concatenate(read[line])), counts[core])
                axons[core][line] = found
                counts[core] += len(found.sources)
        return axons, counts

    def placed(self, part: Part) -> Part:
        """Returns a part with its axons."""
        here = self.axons[self.places[part.vertex.node.data]][part.line]
        return evolve(part, axons=here.of(part.sources))

    def destinations(self, source: str, own: Ints) -> Destinations | None:
        """Returns the output axons of some neurons of a source; None if they have none."""
        found: list[tuple[Ints, Ints, Ints]] = []
        for core, line in self.readers[source]:
            _, pairs = self.lines[line]
            neuron, to = (np.arange(len(own)), own) if pairs is None else reached(own, *pairs)
            axon = self.axons[core][line].of(to)
            kept = axon >= 0
            found.append((neuron[kept], np.full(int(kept.sum()), core), axon[kept]))
        if not sum(len(one) for one, _, _ in found):
            return None
        neuron, core, axon = (np.concatenate(part) for part in zip(*found, strict=True))
        order = np.lexsort((axon, core, neuron))
        return Destinations(neuron[order], core[order], axon[order])


def reached(own: Ints, source: Ints, axon: Ints) -> tuple[Ints, Ints]:
    """Returns the place of each sending neuron in `own`, and its axon, for pairs of a source and an axon."""
    neuron, pair = join(own, source)
    return neuron, axon[pair]


def uniform_entry(values: AnyArray) -> AnyArray:
    """Returns the first entry as a scalar if all entries are equal, else the array."""
    return values[0] if len(values) and (values == values[0]).all() else values


def entries_of(given: DictionaryAttr, own: Ints) -> dict[str, ArrayAttr]:
    """Returns the parameters or states of some neurons, by name. Shapes: () or [neurons]."""
    found: dict[str, ArrayAttr] = {}
    for name, array in given.data.items():
        assert isinstance(array, ArrayAttr)  # verified
        found[name] = ArrayAttr.of(array.values.reshape(-1)[own]) if array.shape else array
    return found


def output_delay(output: machine.OutputOp) -> Ints:
    """Returns the delay of an output, the sum of its chain. Shapes: () or [neurons]. Units: [ticks]."""
    steps: list[Operation] = [] if output.body is None else list(output.body.block.ops)
    ticks = np.zeros(prod(shape_of(output.type)), np.int64)
    for op in steps:
        if isinstance(op, ntensor.DelayOp):
            ticks = ticks + np.broadcast_to(op.ticks.values, shape_of(op.x)).reshape(-1)
    return np.asarray(uniform_entry(ticks), np.int64)


def attributes_of(given: dict[str, ArrayAttr]) -> DictionaryAttr:
    """Returns arrays by name as an attribute."""
    entries: dict[str, Attribute] = {**given}
    return DictionaryAttr(entries)
