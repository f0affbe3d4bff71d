"""Conversion of a routed machine graph to a `dynapse.chip`: tags of events, destinations, and the synapses of each core.

    machine.vertex "lif1/0" of "lif1" {core = 3, …}                    dynapse.core 3 {axons = 16} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}           =>          dynapse.neurons "lif1/0" of "lif1" @dynapse.f64 {currents = …, …} {
                                                                           dynapse.synapses {neuron, tag, mask, is_inhibitory}

1. A neuron with synapses on a chip has one destination there: the cores with these synapses, and one tag. The tags of a chip count its senders, in the
   order of inputs and populations, then of neurons. A tag is unique on each chip, so that no core takes the event of another neuron.
   `tags.py` assigns them on chips where a part of the tag is the number of the neuron on its core.
2. Weights of 0 are omitted. Synapses are sorted by neuron, then by tag.
3. All synapses of a core select of four currents. `analysis/current_choices.py` finds these in the integers of the weights. Where a synapse selects
   one current alone, a weight takes as many synapses as it is a sum of currents.

Exactness: exact.

Errors: MCH017 a graph that is not routed; ANA003 a sum that the chip does not compute; DSN010 weights that are not sums of the currents of a core;
DSN011 too few tags on a chip; DSN012 weights that take more synapses than a neuron has; DSN013 a neuron that sends to more chips than it has destinations; DSN014 chips with
more cores than a destination selects; DEV023 no device is specified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from attrs import frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...analysis.core_tables import Slice
from ...analysis.synapse_current_encoding import Side, find_currents, split_words, words_of
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.limits import OTHER_DEVICE
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, refuse_op
from ...core.help_text import Option, PassesOption, Phrase
from ...core.ir.pipeline import NoptPass
from ...dialects import dynapse, machine
from ...dialects.chip_base.groups import CoreBase
from ...dialects.dynapse.synapses import MASKS
from ...dialects.machine.graph import routed_graphs
from ..chip_builder import TableBuilder, verify_single_delay, verify_weighted_spikes
from .tags import count_tags, number_tags

DSN010 = Code("DSN010", "weights-not-current-sums", "the weights of a core are not sums of its currents")
DSN011 = Code("DSN011", "too-few-tags", "a chip has too few tags")
DSN012 = Code("DSN012", "weights-need-too-many-synapses", "the weights of a neuron take too many synapses")
DSN013 = Code("DSN013", "neuron-sends-to-many-chips", "a neuron sends to too many chips")
DSN014 = Code("DSN014", "too-many-cores-for-destination", "a chip has more cores than a destination selects")

FIT = "ntensor-fit-weight-masks"
TAGS_PATH = "features.tags"


@dataclass(frozen=True)
class ConvertMachineToDynapsePass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-dynapse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            Rewriter.replace_op(graph, DynapseBuilder(graph).chip())


@frozen(eq=False)
class Words:
    """The synapses of a core. Shapes: sender, vertex, neuron and weight [synapses]. `sender` counts the neurons of all inputs and populations."""

    sender: Ints
    vertex: Ints
    neuron: Ints
    weight: Ints


class DynapseBuilder(TableBuilder[dynapse.ChipOp]):
    """The conversion of one graph. Errors: those of the pass."""

    CHIP, CORE, GROUP = dynapse.ChipOp, dynapse.CoreOp, dynapse.NeuronsOp
    INPUT, OUTPUT = dynapse.InputOp, dynapse.OutputOp

    def __init__(self, graph: machine.GraphOp):
        super().__init__(graph)
        self.vertices = {place: [*vertices] for place, vertices in self.tables.vertices_by_core()}
        self.own = topology_of(self.device, len(self.vertices)).own
        self.verify_cores()
        sizes = dict.fromkeys(self.tables.sources, 0)
        for source, _, own in self.tables.members():
            sizes[source] += len(own)
        self.first = dict(zip(sizes, np.cumsum([0, *sizes.values()])[:-1].tolist(), strict=True))
        """The number of the first neuron of each input and population."""
        self.words = {place: self.words_of(place) for place in self.vertices}
        self.senders = self.senders_of_chips()
        """The neurons and inputs with synapses on each chip."""
        self.tags = self.allocated()
        """The tag of each of them."""
        self.currents: dict[int, tuple[Ints, Sequence[Side]]] = {}
        """The currents of each core."""

    def verify_cores(self) -> None:
        """Refuses chips with more cores than the mask of a destination has bits. Errors: DSN014."""
        most, chips = MASKS.bit_length() - 1, self.device.quantity("topology.chips")
        if self.own > most:
            refuse_op(
                self.graph,
                DSN014,
                expected=f"at most {most} cores on a chip, which a destination selects by a mask",
                found=f"{self.own} cores on a chip",
                help=OTHER_DEVICE,
                notes=[] if chips is None or chips.note is None else [f"topology.chips: {chips.note}"],
            )

    def words_of(self, place: int) -> Words:
        """Returns the synapses of a core. Errors: ANA003."""
        columns: list[Ints] = [np.zeros((4, 0), np.int64)]
        for k, (_, vertex, _) in enumerate(self.vertices[place]):
            for part in self.tables.parts[vertex.node.data]:
                verify_weighted_spikes(part)
                verify_single_delay(part)
                kept = part.weight != 0  # 2
                sender = self.first[part.projection.source.data] + part.sources[part.source]
                rows = (sender, np.full(len(sender), k), part.neuron, part.weight)
                columns.append(np.stack([np.asarray(one, np.int64)[kept] for one in rows]))
        return Words(*np.concatenate(columns, axis=1))

    def senders_of_chips(self) -> dict[int, Ints]:
        """Returns the senders of each chip. Errors: DSN011."""
        senders: dict[int, list[Ints]] = {}
        for place, words in self.words.items():
            senders.setdefault(place // self.own, []).append(words.sender)
        found = {chip: np.unique(np.concatenate(listed)) for chip, listed in senders.items()}
        limit, most = self.device.integer(TAGS_PATH), max((len(one) for one in found.values()), default=0)
        if limit is not None and most > limit:
            self.refuse_tags(limit, f"at most {limit} neurons and inputs with synapses on a chip", str(most), most)
        return found

    def allocated(self) -> dict[int, Ints]:
        """Returns the tags of the senders of each chip. Errors: DSN011."""  # 1
        numbers, limit = self.device.integer("features.tag_neurons"), self.device.integer(TAGS_PATH)
        if numbers is None or limit is None:
            return count_tags(self.senders)
        found = number_tags(self.senders, self.places(), numbers, limit)
        if found is None:
            expected = f"{limit // numbers} senders with the same number on their core for each number below {numbers}"
            self.refuse_tags(
                limit, expected, "neurons without a number that is free on all chips of their destinations"
            )
        return found

    def places(self) -> dict[int, int]:
        """Returns the core of each neuron that sends."""
        return {
            self.first[source] + int(k): place
            for place, vertices in self.vertices.items()
            for source, _, own in vertices
            for k in own.tolist()
        }

    def refuse_tags(self, limit: int, expected: str, found: str, value: int | None = None) -> NoReturn:
        """Errors: DSN011."""
        refuse_op(
            self.graph,
            DSN011,
            expected=expected,
            found=found,
            **self.device.limit_facts(TAGS_PATH, value, limit),
            help=Phrase(self.smaller_cores(limit)),
        )

    def smaller_cores(self, tags: int) -> Option:
        """Returns the option for cores with few enough neurons that their fan-in has enough tags, on as many chips in a row."""
        fan_in = self.device.integer("core.fan_in") or 1
        neurons = max(1, tags // (fan_in * self.own))
        cores = sum(-(-len(own) // neurons) for vertices in self.vertices.values() for _, _, own in vertices)
        chips = -(-cores // self.own)
        return self.other_chips(neurons, chips)

    def fewer_chips(self, chips: int) -> Option:
        """Returns an option for a device with `chips` chips, and with as many neurons per core as the network then needs."""
        sizes = [sum(len(own) for _, _, own in some) for some in self.vertices_by_source().values()]
        most = max(sizes)
        neurons = next((n for n in range(1, most) if sum(-(-size // n) for size in sizes) <= chips * self.own), most)
        return self.other_chips(neurons, chips)

    def vertices_by_source(self) -> dict[str, list[Slice]]:
        """Returns the slices of each population."""
        found: dict[str, list[Slice]] = {}
        for vertices in self.vertices.values():
            for one in vertices:
                found.setdefault(one[0], []).append(one)
        return found

    def other_chips(self, neurons: int, chips: int) -> Option:
        """Returns the option for a row of chips, with the neurons of their cores."""
        fields = {"core.neurons": neurons, "topology.chips": chips, "topology.cores": chips * self.own}
        fields |= {"topology.chip_mesh.width": chips}
        if self.device.integer("topology.chip_mesh.height") != 1:
            fields |= {"topology.chip_mesh.height": 1}
        texts = [f"{path}={value}" for path, value in fields.items()]
        return Option(f'set="{",".join(texts)}"', " ".join(f"--set {text}" for text in texts), is_of_device=True)

    def core(self, place: int, slices: list[Slice]) -> CoreBase:
        found = find_currents(self.words[place].weight, self.device)  # 3
        if found is None:
            self.refuse_weights(place)
        self.currents[place] = found
        return super().core(place, slices)

    def count_axons(self, place: int, groups: Sequence[Any]) -> int:
        return len(np.unique(self.words[place].sender))

    def refuse_weights(self, place: int) -> NoReturn:
        """Errors: DSN010."""
        (_, vertex, _), *_ = self.vertices[place]
        words = self.words[place]
        weights = [words.weight[words.vertex == k] for k in range(len(self.vertices[place]))]
        is_shared = len(weights) > 1 and all(find_currents(one, self.device) is not None for one in weights)
        fit = FIT if words_of(self.device) is None else f'{FIT}{{device="{self.device.key}"}}'
        part = next(iter(self.tables.parts[vertex.node.data]))
        values = len(np.unique(np.abs(self.words[place].weight)))
        refuse_op(
            part.projection,
            DSN010,
            expected=f"integers that are {self.sums()} up to 255, for all synapses of a core",
            found=f"{values} other sizes of weights on core {place}",
            **self.device.limit_facts("synapse.bits"),
            help=OTHER_DEVICE if is_shared else Phrase(PassesOption(f"ntensor-replace-biases,{fit}")),
            notes=["the populations of the core have other currents each"] if is_shared else [],
        )

    def sums(self) -> str:
        """Returns the sums that weights can be."""
        if (words := words_of(self.device)) is None:
            return "sums of subsets of four numbers"
        return f"sums of up to {words} of the numbers of their sign"

    def group_properties(
        self, source: str, vertex: machine.VertexOp, own: Ints, **more: Attribute
    ) -> dict[str, Attribute]:
        currents, _ = self.currents[self.tables.places[vertex.node.data]]
        return super().group_properties(source, vertex, own) | {"currents": ArrayAttr.of(currents.astype(np.int32))}

    def content(self, source: str, vertex: machine.VertexOp, own: Ints) -> Iterator[dynapse.SynapsesOp]:
        """Yields the synapses of a group, if it has any."""
        place = self.tables.places[vertex.node.data]
        words, chip = self.words[place], place // self.own
        number = next(k for k, (_, known, _) in enumerate(self.vertices[place]) if known is vertex)
        mine = np.flatnonzero(words.vertex == number)
        if not len(mine):
            return
        tag, weight = self.tags[chip][np.searchsorted(self.senders[chip], words.sender[mine])], words.weight[mine]
        order = np.lexsort((weight, tag, words.neuron[mine]))  # 2
        neuron, tag, weight = words.neuron[mine][order], tag[order], weight[order]
        at, mask = split_words(weight, *self.currents[place])
        self.verify_fan_in(vertex, neuron[at])
        arrays = {"neuron": neuron[at], "tag": tag[at], "mask": mask, "is_inhibitory": weight[at] < 0}
        yield dynapse.SynapsesOp(properties={name: ArrayAttr.of(one.astype(np.int32)) for name, one in arrays.items()})

    def verify_destinations(self, source: str, most: int) -> None:
        """Refuses a population with a neuron that sends to more chips than it has destinations. Errors: DSN013."""
        path = "features.destinations"
        limit = self.device.integer(path)
        if limit is not None and most > limit:
            refuse_op(
                self.tables.populations[source],
                DSN013,
                expected=f"at most {limit} chips for each neuron",
                found=f"{most} chips",
                **self.device.limit_facts(path, most, limit),
                help=Phrase(self.fewer_chips(limit)),
            )

    def verify_fan_in(self, vertex: machine.VertexOp, neuron: Ints) -> None:
        """Refuses neurons whose weights need more synapses than a neuron has. Errors: DSN012."""
        path = "core.fan_in"
        limit, most = self.device.integer(path), int(np.bincount(neuron).max())
        if limit is not None and most > limit:
            refuse_op(
                next(iter(self.tables.parts[vertex.node.data])).projection,
                DSN012,
                expected=f"at most {limit} synapses of a neuron",
                found=f"{most} synapses",
                **self.device.limit_facts(path, most, limit),
                help=Phrase(PassesOption(f'{FIT}{{device="{self.device.key}" set="{path}={limit}"}}')),
            )

    def sending(self, source: str, vertex: machine.VertexOp, own: Ints) -> Iterator[dynapse.DestinationsOp]:
        """Yields the destinations of some neurons, if they have any."""  # 1
        rows: list[Ints] = [np.zeros((4, 0), np.int64)]
        numbers = self.first[source] + own
        for chip, senders in self.senders.items():
            cores = np.zeros(len(own), np.int64)
            for place, words in self.words.items():
                if place // self.own == chip:
                    cores |= np.isin(numbers, words.sender).astype(np.int64) << place % self.own
            used = np.flatnonzero(cores)
            places: Ints = np.searchsorted(senders, numbers[used])
            tags = self.tags[chip][places]
            rows.append(np.stack([used, np.full(len(used), chip), cores[used], tags]))
        found = np.concatenate(rows, axis=1)
        if not found.shape[1]:
            return
        neuron, chip, cores, tag = found[:, np.lexsort((found[1], found[0]))]
        if source in self.tables.populations:
            self.verify_destinations(source, int(np.bincount(neuron).max()))
        arrays = {"neuron": neuron, "chip": chip, "cores": cores, "tag": tag}
        yield dynapse.DestinationsOp(
            properties={name: ArrayAttr.of(one.astype(np.int32)) for name, one in arrays.items()}
        )
