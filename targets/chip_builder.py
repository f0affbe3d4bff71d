"""Conversion of a routed machine graph to the op of a chip, as far as all chips with cores share it.

    machine.input, machine.output       =>   the inputs and outputs of the chip
    vertices of a core                  =>   a core, with a group of neurons for each vertex
    machine.population                  =>   the update, the parameters and the initial states of its groups

A target derives its builder from `TableBuilder`, or from `ChipBuilder` if its cores have no tables of synapses. It declares the ops of its
dialect, and overrides the methods for what only its chip has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, NoReturn, TypeVar

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region

from ..analysis.core_tables import CoreTables, GraphSlices, Part, Slice, attributes_of, entries_of, output_delay
from ..analysis.synapse_lists import ANA003
from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.numeric import Ints
from ..core.device.records import Device
from ..core.diagnostics import InvalidOp, Refused, refuse_op
from ..core.help_text import PassesOption, Phrase
from ..dialects import machine
from ..dialects.chip_base.chip import ChipBase
from ..dialects.chip_base.groups import CoreBase
from ..dialects.chip_base.parts import InputBase, OutputAxonsBase, OutputBase, SenderOp
from ..dialects.ntensor import UpdateOp, find_updates
from ..passes.pipelines import LEGALISE, MERGE_OR_OTHER, legalise

Chip = TypeVar("Chip", bound=ChipBase)
Properties = dict[str, Attribute]


class ChipBuilder(Generic[Chip]):
    """The conversion of one graph."""

    CHIP: type[Chip]
    CORE: ClassVar[type[CoreBase]]
    GROUP: ClassVar[type[SenderOp]]
    INPUT: ClassVar[type[InputBase]]
    OUTPUT: ClassVar[type[OutputBase]]

    def __init__(self, graph: machine.GraphOp, slices: GraphSlices):
        self.graph, self.slices, self.device = graph, slices, slices.device

    def chip(self) -> Chip:
        """Returns the chip. Errors: CHI007 a parameter or state of a neuron that the chip does not have; DSN007."""
        graph = self.graph
        cores = [self.core(place, slices) for place, slices in self.slices_by_core()]
        inputs = [self.input(*member) for member in self.slices.members() if member[0] in self.slices.inputs]
        outputs = [self.OUTPUT(properties=self.output_properties(output)) for output in graph.outputs.values()]
        properties = {"sym_name": graph.sym_name, "tick_ns": graph.tick_ns, "approximations": graph.approximations}
        chip = self.CHIP.create(
            properties={name: value for name, value in properties.items() if value is not None}
            | self.chip_properties(),
            attributes=graph.attributes,
            regions=[Region(Block([*inputs, *cores, *self.routes(), *outputs]))],
        )
        chip.location = graph.location
        updates = find_updates(graph.parent_op())
        for group in chip.groups:
            group.verify_numbers(updates[group.update_name], graph.tick_ns.value.data)
        return chip

    def input(self, source: str, vertex: machine.VertexOp, own: Ints) -> InputBase:
        """Returns some entries of an input, which enter at a core."""
        properties: Properties = {
            "node": vertex.node,
            "source": vertex.source,
            "at": IntegerAttr(self.slices.places[vertex.node.data], i64),
            "index": ArrayAttr.of(own.astype(np.int32)),
            "type": self.slices.inputs[source].type,
            **self.input_properties(source, vertex, own),
        }
        return self.INPUT(properties=properties, regions=[Region(Block(self.sending(source, vertex, own)))])

    def core(self, place: int, slices: list[Slice]) -> CoreBase:
        """Returns a core with its groups."""
        groups = [self.group(*member) for member in slices]
        numbers = {"place": place, "axons": self.count_axons(place, groups)}
        properties = {name: IntegerAttr(number, i64) for name, number in numbers.items()}
        return self.CORE(properties=properties, regions=[Region(Block(groups))])

    def group(self, source: str, vertex: machine.VertexOp, own: Ints) -> SenderOp:
        """Returns a slice of a population."""
        body = Block([*self.content(source, vertex, own), *self.sending(source, vertex, own)])
        properties = self.group_properties(source, vertex, own)
        group = self.GROUP(
            properties={"node": vertex.node, "source": vertex.source, **properties}, regions=[Region(body)]
        )
        group.location = self.slices.populations[source].location
        return group

    # ---- what a target overrides

    def chip_properties(self) -> Properties:
        """Returns the properties that only this chip has."""
        return {}

    def input_properties(self, source: str, vertex: machine.VertexOp, own: Ints) -> Properties:
        """Returns the properties that only inputs of this chip have."""
        return {}

    def group_properties(self, source: str, vertex: machine.VertexOp, own: Ints, **more: Attribute) -> Properties:
        """Returns the properties of a group; `more` has additional properties of this chip's groups."""
        population = self.slices.populations[source]
        return {
            "update": population.update,
            "index": ArrayAttr.of(own.astype(np.int32)),
            **more,
            "params": attributes_of(entries_of(population.params, own)),
            "initial": attributes_of(entries_of(population.initial, own)),
            "type": population.type,
        }

    def output_properties(self, output: machine.OutputOp) -> Properties:
        """Returns the properties of an output, with the delays of its chain added."""
        delay = ArrayAttr.of(output_delay(output))
        return {"node": output.node, "source": output.source, "delay": delay, "type": output.type}

    def slices_by_core(self) -> Iterable[tuple[int, list[Slice]]]:
        return self.slices.vertices_by_core()

    def count_axons(self, place: int, groups: Sequence[Any]) -> int:
        """Returns the number of input axons of a core."""
        return 0

    def content(self, source: str, vertex: machine.VertexOp, own: Ints) -> Iterable[Operation]:
        """Returns the synapses of a group."""
        return ()

    def sending(self, source: str, vertex: machine.VertexOp, own: Ints) -> Iterable[Operation]:
        """Returns the destinations of a group or input."""
        return ()

    def routes(self) -> Iterable[Operation]:
        """Returns the routes of the chip."""
        return ()


class TableBuilder(ChipBuilder[Chip]):
    """The conversion of one graph to a chip whose cores have tables of synapses. Errors: ANA001."""

    AXONS: ClassVar[type[OutputAxonsBase] | None] = None

    def __init__(self, graph: machine.GraphOp):
        self.tables = CoreTables(graph, MERGE_OR_OTHER)
        super().__init__(graph, self.tables)

    def count_axons(self, place: int, groups: Sequence[Any]) -> int:
        return self.tables.axon_counts.get(place, 0)

    def sending(self, source: str, vertex: machine.VertexOp, own: Ints) -> Iterable[Operation]:
        """Returns the output axons of some neurons; none if they have none."""
        if self.AXONS is None or (axons := self.tables.destinations(source, own)) is None:
            return ()
        return (self.AXONS(axons.neuron, axons.core, axons.axon),)


# ---- refusals


def refuse_sum(part: Part, expected: str, found: str, help: str | Phrase = LEGALISE) -> NoReturn:
    """Errors: ANA003."""
    refuse_op(part.projection, ANA003, expected=expected, found=found, help=help)


def refuse_update(population: machine.PopulationOp, update: UpdateOp, device: Device) -> NoReturn:
    """Refuses a population whose update is that of no neuron of the device. Errors: ANA003."""
    refuse_op(
        population,
        ANA003,
        f"{device.key} has no neuron with the update @{update.sym_name.data}",
        expected=f"one of {', '.join(device.updates)}",
        found=f"family {population.family.data}" if population.family is not None else "no family",
        source=f"{device.key}, neuron.updates",
        help=Phrase(PassesOption(legalise(device))),
    )


def verify_weighted_spikes(part: Part, events: str = "spikes") -> None:
    """Refuses a sum of other terms than integers that spikes multiply. Errors: ANA003."""
    given, own = part.given, part.members
    if given.merged is not None or given.real is not None:
        refuse_sum(part, "sums of integers", f"a pool of {events}" if given.real is None else str(given.real))
    if given.bias is not None and given.bias[own].any():
        refuse_sum(part, f"a sum of {events} alone", "a constant in each tick")
    if given.exponent is not None and given.exponent[own].any():
        refuse_sum(part, "weights without an exponent", "an exponent")


def verify_single_delay(part: Part) -> None:
    """Refuses delays other than 1 tick. Errors: ANA003."""
    if part.delay.size and not part.delay.min() == part.delay.max() == 1:
        refuse_sum(part, "a delay of 1 tick", f"{part.delay.min()} to {part.delay.max()} ticks")


def verify_fixed_weights(part: Part) -> None:
    """Refuses weights that change. Errors: ANA003."""
    if part.given.plasticity is not None:
        refuse_sum(part, "weights that stay as they are", str(part.given.plasticity.name))


def refuse_invalid(chip: ChipBase) -> None:
    """Refuses a chip that exceeds a limit of its device. Only limits that no earlier step checks are found here."""
    try:
        chip.verify_()
    except InvalidOp as failure:
        raise Refused(failure.finding) from None
