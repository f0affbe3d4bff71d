"""The model of both instruction sets: a sequence of layers between an input and outputs.

Errors: CHI011 layers that do not follow each other.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, i64
from xdsl.irdl import ParsePropInAttrDict, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.device.records import Device
from ...core.diagnostics import choices_text
from ...core.fixed_point import Interval
from ...core.ir.body_ops import body_ops, optional_body_op
from ...core.ir.operation import NoptOperation, element_type, shape_of
from ..chip_base.parts import CHI011, LayerOutputBase, NetworkBase
from ..ntensor import CountType, interval_of
from ..ntensor.interface import Interface
from ..ntensor.probes import NodeProbe
from .layer_bases import LayerBase, NpBase
from .parts import HRC, IMAGE_BITS, Needs, Tile, refuse_layer, verify_map
from .processors import verify_processors


class InputDataBase(NoptOperation):
    """Base of the input of a network. Shapes: input_shape [3]."""

    BITS: ClassVar[tuple[int, ...]]
    """Bits that an input can have."""
    EXPECTED: ClassVar[str]
    """The text for them."""
    node = prop_def(StringAttr)
    input_shape = prop_def(ArrayAttr)
    input_bits = prop_def(IntegerAttr.constr(i64))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict"

    @property
    def bits(self) -> int:
        return self.input_bits.value.data

    def verify_(self) -> None:
        verify_map(self, self.input_shape)
        if self.bits not in self.BITS:
            refuse_layer(self, "input_bits is out of range", self.EXPECTED, str(self.bits))


class ModelBase(NetworkBase):
    """Base of a sequence of layers. The attribute `machine.device` specifies the device; without it no limit is checked.

    `input` is the name of the network's input where the first layer is an input convolution.

    Units: tick_ns [ns]. Errors: CHI010 to AKI008; those of reading the device.
    """

    VERSION: ClassVar[str]
    """The version of the instruction set."""
    NP: ClassVar[type[NpBase]]
    """The op of a processor."""
    DATA: ClassVar[type[InputDataBase]]
    RESULT: ClassVar[type[LayerOutputBase]]
    ip_version = prop_def(StringAttr)
    input = opt_prop_def(StringAttr)
    input_data = optional_body_op(InputDataBase)
    layers = body_ops(LayerBase)
    outputs = body_ops(LayerOutputBase)

    def places(self, probe: NodeProbe) -> list[str]:
        return [f"layer {layer.node.data}" for layer in self.layers if layer.source.data == probe.node]

    @property
    def input_name(self) -> str:
        """Returns the name of the network's input."""
        data = self.input_data
        if data is not None:
            return data.node.data
        return self.input.data if self.input is not None else ""

    def interface(self) -> Interface:
        height, width, channels = self.layers[0].shape
        counts = TensorType(CountType(self.input_bits()[0]), [channels, height, width])
        return Interface({self.input_name: counts}, {op.node.data: op.type for op in self.outputs})

    def input_bits(self) -> list[int]:
        """Returns the bits of the input of each layer."""
        data = self.input_data
        first = IMAGE_BITS if data is None else data.bits
        return [first, *(layer.activation_bits or 0 for layer in self.layers[:-1])]

    @property
    def processors_by_pass(self) -> list[int]:
        """Returns the number of NPs that each pass uses."""
        used = Counter({layer.number_of_pass: 0 for layer in self.layers})
        for layer in self.layers:
            used[layer.number_of_pass] += sum(np.function.data != HRC for np in layer.nps)
        return [used[number] for number in sorted(used)]

    def verify_(self) -> None:
        verify_order(self)
        verify_ends(self)
        self.verify_parameters()
        if (device := self.find_device()) is None:
            return
        layers = self.layers
        for layer, bits, after in zip(layers, self.input_bits(), [*layers[1:], None], strict=True):
            self.verify_layer(layer, bits, device, after)
        verify_processors(self, device)

    def verify_parameters(self) -> None:
        """Refuses parameters that depend on the whole model."""

    @staticmethod
    @abstractmethod
    def verify_layer(layer: LayerBase, bits: int, device: Device, after: LayerBase | None) -> None:
        """Refuses a layer that the device does not compute. `bits`: of the input; `after`: the next layer. Errors: AKI003, AKI004."""
        ...

    @staticmethod
    def verify_tiles(layer: LayerBase, tiles: int, device: Device) -> None:
        """Refuses a layer that the device does not compute in several tiles. Errors: AKI003."""

    @staticmethod
    @abstractmethod
    def input_needs(height: int, width: int, channels: int, bits: int) -> int:
        """Returns the memory of a tile of the input, with its margin."""
        ...

    @staticmethod
    @abstractmethod
    def part_needs(layer: LayerBase, function: str, filters: int, tile: Tile, bits: int, device: Device) -> Needs:
        """Returns the memory of a part of a layer. `bits`: of the input."""
        ...


def verify_ends(model: ModelBase) -> None:
    """Refuses a tick without length, another instruction set, an image without a name, and outputs that are not values of the last layer.

    Errors: CHI011.
    """
    last, tick, version = model.layers[-1], model.tick_ns.value.data, model.ip_version.data
    if tick < 1:
        refuse_layer(model, "the length of a tick is not positive", "tick_ns of 1 or more", str(tick), CHI011)
    if version != model.VERSION:
        refuse_layer(model, "another instruction set", model.VERSION, version, CHI011)
    if (model.input is None) != (model.input_data is not None):
        expected = f"one of {model.DATA.name} and the attribute input"
        found = "both" if model.input is not None else "neither"
        refuse_layer(model, "the name of the input is missing, or given twice", expected, found, CHI011)
    named = Counter(output.node.data for output in model.outputs)
    bits = last.activation_bits
    if bits == IMAGE_BITS:
        bits -= 1  # an activation of 8 bits has a sign: it is at most 127
    wanted = Interval.signed(2) if bits is None else Interval.unsigned(bits)
    for output in model.outputs:
        if named[output.node.data] > 1:
            refuse_layer(output, "two outputs have the same name", "each name once", output.node.data, CHI011)
        held = interval_of(element_type(output.type))
        if held is None or not held.holds(wanted):
            expected = "integers with a sign" if bits is None else f"integers of {bits} bits"
            found = str(element_type(output.type))
            refuse_layer(output, "an output does not hold the values of its layer", expected, found, CHI011)


def verify_order(model: ModelBase) -> None:
    """Refuses a model that is not a sequence of layers. Errors: CHI011."""
    layers, data = model.layers, model.input_data
    if not layers:
        refuse_layer(model, "a model has no layer", "at least one layer", "none", CHI011)
    names = [op.node.data for op in layers]
    for name, count in Counter(names).items():
        if count > 1:
            refuse_layer(model, "two layers have the same name", "each name once", name, CHI011)
    images = [op for op in layers if op.is_image]
    if images and (images[0] is not layers[0] or len(images) > 1):
        message = "an input convolution is not the first layer"
        refuse_layer(images[-1], message, "one, as the first layer", f"layer {layers.index(images[-1])}", CHI011)
    if bool(images) == (data is not None):
        message = f"the input of a model is read by an input convolution or by {model.DATA.name}"
        refuse_layer(model, message, "one of them", "both" if images else "neither", CHI011)
    shape = None if data is None else tuple(int(n) for n in data.input_shape.values)
    for before, layer in zip([None, *layers], layers, strict=False):
        given = shape if before is None else before.output_shape
        is_flat = layer.is_dense and given is not None
        if given is not None and layer.shape != given and not (is_flat and layer.shape == (1, 1, prod(given))):
            message = "a layer reads another map than the layer before produces"
            refuse_layer(layer, message, str(list(given)), str(list(layer.shape)), CHI011)
        if before is not None and before.act_bits is None:
            message = "potentials of a layer are the input of another one"
            expected = f"act_bits of {choices_text(before.ACT_BITS)}"
            refuse_layer(before, message, expected, "a layer without activation", CHI011)
        known = (0,) if before is None else (before.number_of_pass, before.number_of_pass + 1)
        if layer.number_of_pass not in known:
            message, expected = "the passes of layers do not follow each other", " or ".join(map(str, known))
            refuse_layer(layer, message, f"pass_number = {expected}", str(layer.number_of_pass), CHI011)
    for output in model.outputs:
        if output.source.data != layers[-1].source.data:
            message = "an output is not that of the last layer"
            refuse_layer(output, message, layers[-1].source.data, output.source.data, CHI011)
        if prod(shape_of(output.type)) != prod(layers[-1].output_shape):
            expected, found = str(prod(layers[-1].output_shape)), str(prod(shape_of(output.type)))
            refuse_layer(output, "the type of an output differs from its layer", expected, found, CHI011)
