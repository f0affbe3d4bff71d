"""Configurations of DynapCNN chips, with their inputs and outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import NoptOperation, element_type, shape_of
from ..chip_base.parts import CHI011, LayerOutputBase, NetworkBase
from ..ntensor import CountType
from ..ntensor.interface import Interface
from ..ntensor.probes import NodeProbe
from .layers import CnnLayerOp, Map, Send, map_of, refuse_part
from .limits import verify_limits, verify_memory

DYN008 = Code("DYN008", "layer-without-own-core", "a layer has no core of its own")

EVENT_BITS = 32
"""Bits of the number of events of a pixel in a tick: the host can send any number."""


@irdl_op_definition
class InputOp(NoptOperation):
    """The input of the network: events that the host, or the camera, sends to layers.

    Shapes: input_shape [3]: feature_count, x, y; layers [n]; feature_shifts [n]: the channel of each layer that the first feature reaches, default 0.
    """

    node = prop_def(StringAttr)
    input_shape = prop_def(ArrayAttr)
    layers = prop_def(ArrayAttr)
    feature_shifts = opt_prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict"
    name = "dynapcnn.input"

    @property
    def made(self) -> Map:
        return map_of(self.input_shape)

    @property
    def sends(self) -> list[Send]:
        """Returns the destinations, without a pool."""
        layers = self.layers.values.tolist()
        shifts = [0] * len(layers) if self.feature_shifts is None else self.feature_shifts.values.tolist()
        return [(layer, 1, first) for layer, first in zip(layers, shifts, strict=True)]

    def verify_(self) -> None:
        shape, layers = self.input_shape, self.layers
        if shape.shape != (3,) or shape.data.dtype.kind not in "iu" or shape.data.least() < 1:
            refuse_part(self, "input_shape is invalid", "3 integers from 1", str(shape.values.tolist()))
        if len(layers.shape) != 1 or layers.data.dtype.kind not in "iu":
            refuse_part(self, "layers are invalid", "numbers of layers", str(list(layers.shape)))
        if (shifts := self.feature_shifts) is not None and (
            shifts.shape != layers.shape or shifts.data.dtype.kind not in "iu" or shifts.data.least() < 0
        ):
            expected = f"{len(layers.values)} integers from 0"
            refuse_part(self, "feature_shifts are invalid", expected, str(shifts.values.tolist()))


@irdl_op_definition
class OutputOp(LayerOutputBase):
    """An output of the network: the monitored events of a layer, `[f, y, x]` in the shape of the type."""

    name = "dynapcnn.output"


@irdl_op_definition
class ConfigurationOp(NetworkBase):
    """The configuration of a chip. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI010 to DYN008; those of reading the device.
    """

    name = "dynapcnn.configuration"
    inputs = body_ops(InputOp)
    layers = body_ops(CnnLayerOp)
    """The layers in the order of computation."""

    @property
    def populations(self) -> dict[str, list[CnnLayerOp]]:
        """Returns the layers of each population by its name, in the order of their features."""
        found: dict[str, list[CnnLayerOp]] = {}
        for layer in sorted(self.layers, key=lambda layer: layer.first):
            found.setdefault(layer.source.data, []).append(layer)
        return found

    outputs = body_ops(OutputOp)

    def places(self, probe: NodeProbe) -> list[str]:
        return [f"layer {layer.number}" for layer in self.populations.get(probe.node, ())]

    def interface(self) -> Interface:
        maps = {op.node.data: op.made for op in self.inputs}
        counts = {name: TensorType(CountType(EVENT_BITS), [features, y, x]) for name, (features, x, y) in maps.items()}
        return Interface(counts, {op.node.data: op.type for op in self.outputs})

    def verify_(self) -> None:
        verify_structure(self)
        if (device := self.find_device()) is None:
            return
        for layer in self.layers:
            verify_limits(layer, device)
        verify_cores(self, device.integer("topology.cores"), device.key)
        for layer in self.layers:
            verify_memory(layer, device)


def verify_structure(op: ConfigurationOp) -> None:
    """Refuses layers that do not follow each other. Errors: CHI011."""
    if not op.layers:
        refuse_part(op, "a configuration has no layer", "at least one layer", "none", CHI011)
    if (tick := op.tick_ns.value.data) < 1:
        refuse_part(op, "the length of a tick is not positive", "tick_ns of 1 or more", str(tick), CHI011)
    named = Counter(one.node.data for one in (*op.inputs, *op.outputs))
    for one in (*op.inputs, *op.outputs):
        if named[one.node.data] > 1:
            refuse_part(one, "two inputs or outputs have the same name", "each name once", one.node.data, CHI011)
    populations = op.populations
    for parts in populations.values():
        verify_parts(parts)
    read = [layer for layer in op.layers if layer.readout is not None]
    if len(read) > 1 or any(len(populations[layer.source.data]) > 1 for layer in read):
        names = ", ".join(layer.node.data for layer in read)
        refuse_part(read[0], "the readout block reads one layer", "one layer, which is not split", names, CHI011)
    order = {layer.number: k for k, layer in enumerate(op.layers)}
    for one in op.inputs:
        verify_sends(op, one, one.made, order, -1)
    for place, layer in enumerate(op.layers):
        features = sum(part.made[0] for part in populations[layer.source.data])
        verify_sends(op, layer, (features, *layer.made[1:]), order, place)
    fed = {number for one in (*op.inputs, *op.layers) for number, *_ in one.sends}
    if lost := next((layer for layer in op.layers if layer.number not in fed), None):
        refuse_part(lost, "a layer receives no events", "an input or a layer that sends to it", "none", CHI011)
    for output in op.outputs:
        parts = populations.get(output.source.data, [])
        if not parts or any(part.monitor_enable is None for part in parts):
            message = "an output is not a monitored layer"
            refuse_part(output, message, "a layer with monitor_enable", output.source.data, CHI011)
        size = sum(prod(part.made) for part in parts)
        if prod(shape_of(output.type)) != size:
            message, found = "the type of an output differs from its layer", str(prod(shape_of(output.type)))
            refuse_part(output, message, str(size), found, CHI011)
        if not isinstance(element := element_type(output.type), CountType):
            refuse_part(output, "an output is one of counts", "!ntensor.count<N>", str(element), CHI011)


def verify_parts(parts: Sequence[CnnLayerOp]) -> None:
    """Refuses layers of one population that are not its features one after the other. Errors: CHI011."""
    first, begin = parts[0], 0
    for part in parts:
        if part.first != begin:
            message = "the layers of a population do not have its features one after the other"
            refuse_part(part, message, f"feature_shift = {begin}", str(part.first), CHI011)
        if (part.given, part.made[1:]) != (first.given, first.made[1:]):
            message, expected = "the layers of a population have different maps", f"{[*first.given, *first.made[1:]]}"
            refuse_part(part, message, expected, str([*part.given, *part.made[1:]]), CHI011)
        if sorted(part.sends) != sorted(first.sends):
            message, expected = "the layers of a population have different destinations", str(sorted(first.sends))
            refuse_part(part, message, expected, str(sorted(part.sends)), CHI011)
        begin += part.made[0]


def verify_sends(
    op: ConfigurationOp, sender: InputOp | CnnLayerOp, made: Map, order: Mapping[int, int], place: int
) -> None:
    """Refuses destinations that are not whole populations after the sender, or that read another map than `made`. Errors: CHI011."""
    for number, pooling, first in sender.sends:
        target = order.get(number)
        if target is None:
            known = ", ".join(map(str, sorted(order)))
            refuse_part(sender, "a destination is not a layer", f"one of {known}", str(number), CHI011)
        if target <= place:
            message, found = "a layer sends to one before it", f"layer {number}"
            refuse_part(sender, message, "a layer that follows", found, CHI011)
        layer = op.layers[target]
        given = (made[0], made[1] // max(1, pooling), made[2] // max(1, pooling))
        if layer.given[1:] != given[1:] or first < 0 or first + given[0] > layer.given[0]:
            message, expected = "a layer reads another map than it receives", [first + given[0], *given[1:]]
            refuse_part(layer, message, str(expected), str(list(layer.given)), CHI011)
        for part in op.populations[layer.source.data]:
            if (part.number, pooling, first) not in sender.sends:
                message, expected = "a layer sends to some parts of a population", f"layer {part.number}"
                refuse_part(sender, message, f"{expected} and a pool of {pooling}", str(sender.sends), CHI011)


def verify_cores(op: ConfigurationOp, cores: int | None, key: str) -> None:
    """Refuses cores that the device lacks, or that two layers use. Errors: DYN008."""
    used: dict[int, CnnLayerOp] = {}
    for layer in op.layers:
        if layer.number < 0 or (cores is not None and layer.number >= cores):
            refuse_part(layer, f"{key} has no such core", f"0 to {(cores or 0) - 1}", str(layer.number), DYN008)
        if (other := used.setdefault(layer.number, layer)) is not layer:
            found = f"{other.source.data} and {layer.source.data}"
            refuse_part(layer, f"two layers use core {layer.number}", "a layer on each core", found, DYN008)
