"""Conversion of a routed machine graph to a `xylo.chip`: numbers of neurons, their registers, and the weights of each layer.

    machine.vertex "lif1/0" of "lif1" {core = 0, …}                    xylo.core 0 {axons = 12} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}           =>          xylo.hidden "lif1/0" of "lif1" {ids = …, registers = …} {}
                                                                         xylo.weights "input" {shift = 7, source = …, …}

1. Output neurons hold populations of single spikes that only outputs read, and that read hidden neurons alone, as many as the chip has. All
   others are hidden neurons. An output of hidden neurons is read by the monitor of the chip.
2. `numbering.py` numbers the hidden neurons.
3. The shift of a layer is the least with which its weights have 8 bits. Weights that need it share this power of two, else they are refused.
4. The chip adds spikes in the order of channels, then of hidden neurons. A current that can saturate must have this order in the network, too.

Exactness: exact.

Errors: MCH017 a graph that is not routed; ANA003 a population or sum that the chip does not compute; XYL015 weights without a common
shift; XYL016 another order of additions; DEV023 no device is specified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from attrs import frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Region
from xdsl.rewriter import Rewriter

from ...analysis.core_tables import Part, Slice, attributes_of, entries_of
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code, refuse_op
from ...core.help_text import Option, PassesOption, Phrase
from ...core.ir.operation import element_type
from ...core.ir.pipeline import NoptPass
from ...dialects import machine, xylo
from ...dialects.chip_base.groups import CoreBase
from ...dialects.chip_base.parts import SenderOp
from ...dialects.machine.graph import routed_graphs
from ...dialects.machine.parts import updates_of
from ...dialects.ntensor import interval_of
from ...dialects.xylo.weights import BYTE
from ...passes.pipelines import LEGALISE
from ..chip_builder import (
    TableBuilder,
    refuse_invalid,
    verify_fixed_weights,
    verify_single_delay,
    verify_weighted_spikes,
)
from .numbering import Numbering, number_neurons
from .registers import registers_of

XYL015 = Code("XYL015", "layer-weights-without-common-shift", "the weights of a layer have no common shift")
XYL016 = Code("XYL016", "spike-order-differs", "the chip adds the spikes of a tick in another order")


@dataclass(frozen=True)
class ConvertMachineToXyloPass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-xylo"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            chip = XyloBuilder(graph, op).chip()
            refuse_invalid(chip)
            Rewriter.replace_op(graph, chip)


@frozen(eq=False)
class LayerSynapses:
    """LayerSynapses of a layer in the order of the network. Shapes: source, target, current, weight and most [synapses].

    `source` is a channel or hidden neuron, `most` the spikes that it sends in a tick at most.
    """

    source: Ints
    target: Ints
    current: Ints
    weight: Ints
    most: Ints


class XyloBuilder(TableBuilder[xylo.ChipOp]):
    """The conversion of one graph. Errors: those of the pass."""

    CHIP, CORE, GROUP = xylo.ChipOp, xylo.CoreOp, xylo.HiddenOp
    INPUT, OUTPUT = xylo.InputOp, xylo.OutputOp

    def __init__(self, graph: machine.GraphOp, module: ModuleOp):
        super().__init__(graph)
        self.parts = [part for parts in self.tables.parts.values() for part in parts]
        for part in self.parts:
            verify_fixed_weights(part)
            verify_weighted_spikes(part)
            verify_single_delay(part)
        updates = updates_of(module)
        self.registers = {
            name: registers_of(one, updates[one.update.root_reference.data], self.device)
            for name, one in graph.populations.items()
        }
        self.numbers: Numbering = number_neurons(graph, self.parts, self.registers, self.device)

    def input_properties(self, source: str, vertex: machine.VertexOp, own: Ints) -> dict[str, Attribute]:
        return {"channels": ArrayAttr.of((self.numbers.channels[source] + own).astype(np.int32))}

    def slices_by_core(self) -> list[tuple[int, list[Slice]]]:
        return [*super().slices_by_core()] or [(0, [])]

    def core(self, place: int, slices: list[Slice]) -> CoreBase:
        """Returns the core with its neurons and the weights of each layer."""
        core = super().core(place, slices)
        core.body.block.add_ops(weights for layer in xylo.WeightLayer if (weights := self.weights(layer)) is not None)
        return core

    def count_axons(self, place: int, groups: Sequence[xylo.NumberedOp]) -> int:
        return self.numbers.count_channels

    def group(self, source: str, vertex: machine.VertexOp, own: Ints) -> SenderOp:
        population, is_readout = self.tables.populations[source], source in self.numbers.outputs
        kind = xylo.ReadoutOp if is_readout else xylo.HiddenOp
        registers = entries_of(attributes_of({**self.registers[source]}), own)
        first = (self.numbers.outputs if is_readout else self.numbers.hidden)[source]
        properties: dict[str, Attribute] = {
            "node": vertex.node,
            "source": vertex.source,
            "index": ArrayAttr.of(own.astype(np.int32)),
            "ids": ArrayAttr.of((first + own).astype(np.int32)),
            "registers": attributes_of({name: registers[name] for name in kind.KNOWN}),
            "type": population.type,
        }
        if not is_readout:
            properties["aliases"] = ArrayAttr.of(np.full(len(own), xylo.NO_ALIAS, np.int32))
        group = kind(properties=properties, regions=[Region(Block())])
        group.location = population.location
        return group

    # ---- weights

    def layer(self, part: Part) -> xylo.WeightLayer:
        if part.projection.source.data in self.tables.inputs:
            return xylo.WeightLayer.INPUT
        is_readout = part.vertex.source.data in self.numbers.outputs
        return xylo.WeightLayer.OUTPUT if is_readout else xylo.WeightLayer.RECURRENT

    def synapses(self, part: Part) -> LayerSynapses:
        """Returns the synapses of a part, with the numbers of channels and neurons."""
        source, target = part.projection.source.data, part.vertex.source.data
        is_input = source in self.tables.inputs
        firsts = self.numbers.channels if is_input else self.numbers.hidden
        to = self.numbers.outputs if target in self.numbers.outputs else self.numbers.hidden
        type = (self.tables.inputs[source] if is_input else self.tables.populations[source]).type
        held = interval_of(element_type(type))
        weight = part.weight.astype(np.int64)
        used = weight != 0
        count = int(used.sum())
        return LayerSynapses(
            firsts[source] + part.sources[part.source[used]],
            to[target] + part.members[part.neuron[used]],
            np.full(count, part.port),
            weight[used],
            np.full(count, 1 if held is None else held.high),
        )

    def weights(self, layer: xylo.WeightLayer) -> xylo.WeightsOp | None:
        """Returns the weights of a layer; None if it has none. Errors: XYL015, XYL016."""
        parts = [part for part in self.parts if self.layer(part) is layer]
        if layer is not xylo.WeightLayer.INPUT:
            self.verify_order(layer)
        found = [self.synapses(part) for part in parts]
        if not sum(len(one.source) for one in found):
            return None
        places = [np.concatenate([getattr(one, name) for one in found]) for name in ("source", "target", "current")]
        weight = np.concatenate([one.weight for one in found])
        unique, which = np.unique(np.stack(places), axis=1, return_inverse=True)
        total = np.zeros(unique.shape[1], np.int64)
        np.add.at(total, which.reshape(-1), weight)
        kept = total != 0
        return self.shifted(layer, parts, unique[:, kept], total[kept])

    def shifted(self, layer: xylo.WeightLayer, parts: list[Part], places: Ints, weight: Ints) -> xylo.WeightsOp:
        shift = next(
            k for k in range(64) if BYTE[0] <= weight.min(initial=0) >> k and weight.max(initial=0) >> k <= BYTE[1]
        )
        if (weight & ((1 << shift) - 1)).any():
            widest = max(parts, key=lambda part: int(np.abs(part.weight.astype(np.int64)).max(initial=0)))
            refuse_op(
                widest.projection,
                XYL015,
                expected=f"weights of 8 bits times a power of two, for all {layer} synapses together",
                found=f"up to {int(np.abs(weight).max())}, and others that are not multiples of {1 << shift}",
                help=Phrase(PassesOption("ntensor-quantize-shifts")),
            )
        source, target, current = places
        return xylo.WeightsOp(layer, shift, source, target, current, weight >> shift)

    def verify_order(self, layer: xylo.WeightLayer) -> None:
        """Refuses neurons with a current that can saturate, if the chip adds their input spikes in another order. Errors: XYL016."""  # 4
        by_vertex: dict[str, list[Part]] = {}
        for part in self.parts:
            is_output = self.layer(part) is xylo.WeightLayer.OUTPUT
            if is_output == (layer is xylo.WeightLayer.OUTPUT):
                by_vertex.setdefault(part.vertex.node.data, []).append(part)
        for parts in by_vertex.values():
            found = [self.synapses(part) for part in parts]
            ranks = [
                one.source + (0 if self.layer(part) is xylo.WeightLayer.INPUT else self.numbers.count_channels)
                for one, part in zip(found, parts, strict=True)
            ]
            rank, target, current, weight, most = (
                np.concatenate(arrays)
                for arrays in (
                    ranks,
                    *([getattr(one, name) for one in found] for name in ("target", "current", "weight", "most")),
                )
            )
            order = np.lexsort((np.arange(len(rank)), current, target))
            is_same = (np.diff(target[order]) == 0) & (np.diff(current[order]) == 0)
            wrong = is_same & (np.diff(rank[order]) <= 0)
            late = set(target[order][1:][wrong].tolist())
            if late and (neuron := self.saturating(parts[0], late, target, current, weight * most)) is not None:
                refuse_op(
                    parts[0].projection,
                    XYL016,
                    node=parts[0].vertex.source.data,
                    expected="spikes in the order of inputs, then of hidden neurons, where a synaptic current can saturate",
                    found=f"another order at neuron {neuron}",
                    help=Phrase(
                        Option(
                            "run ntensor-clamp-delays{max-delay=1} before ntensor-legalize",
                            "--passes 'ntensor-clamp-delays{max-delay=1}'",
                        )
                    ),
                )

    def saturating(self, part: Part, neurons: set[int], target: Ints, current: Ints, terms: Ints) -> int | None:
        """Returns the first of some neurons whose synaptic current can exceed 16 bits; None if no current can.

        A current x of positive terms p in each tick grows while x >> dash <= p, so that it stays below (p + 1) << dash.
        """
        registers, source = self.registers[part.vertex.source.data], part.vertex.source.data
        first = self.numbers.outputs.get(source, self.numbers.hidden.get(source, 0))
        for neuron in sorted(neurons):
            for k, name in enumerate(("dash_syn", "dash_syn_2")):
                values = registers[name].values
                dash = int(values.reshape(-1)[neuron - first] if values.ndim else values)
                mine = terms[(target == neuron) & (current == k)]
                largest = max(int(mine[mine > 0].sum()), -int(mine[mine < 0].sum()))
                if ((largest + 1) << dash) - 1 > xylo.LARGEST:
                    return neuron - first
        return None


__all__ = ["LEGALISE", "ConvertMachineToXyloPass"]
