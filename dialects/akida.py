"""The exit dialect of Akida: a sequence of layers on neural processors (NPs), in the words of its vendor.

    akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = #nopt.device<"akida/akd1000", digest = …>} {
      akida.input_data "input" {input_shape = [8, 8, 4], input_bits = 4 : i64}
      akida.convolutional "c1" of "n1" attributes {input_shape = [8, 8, 4], weights = …, weights_bits = 4 : i64, kernel_stride = [1, 1],
          padding = "same", pool_type = "none", act_bits = 4 : i64, threshold = …, act_step = …} {
        akida.np "CNP1" {ident = [3, 1, 2], filters = [0, 16], tile = [0, 0, 8, 8], input_bytes = 128 : i64, …}
      }
      akida.fully_connected "fc" of "fc" attributes {…} {…}
      akida.output "out" of "fc" : tensor<10xi32>
    }

A tick is a frame. The first layer reads the input of the network, every other one the layer before it. A layer keeps nothing between frames.

Source: BrainChip akida 2.19.3 (layers, JSON of models, mapper) and the MetaTF documentation.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from ..core.device.records import Device
from ..core.diagnostics import Code, invalid
from ..core.ir.operation import define_dialect
from ..core.phrases import Option, Phrase
from .akida_ops.geometry import verify_geometry, verify_tiles
from .akida_ops.layer_bases import LayerBase, Needs, NpBase, Tile
from .akida_ops.layers import (
    AVERAGE,
    CNP1,
    FNP2,
    FNP3,
    HRC,
    IMAGE_BITS,
    KIND_FUNCTIONS,
    LEARNED,
    MAX,
    NO_POOL,
    SAME,
    STEPS,
    VALID,
    WEIGHTS,
    ConvolutionalOp,
    FullyConnectedOp,
    InputConvolutionalOp,
    LayerOp,
    NpOp,
    SeparableConvolutionalOp,
    WindowLayerOp,
    feature,
    same_margins,
)
from .akida_ops.memory import part_needs
from .akida_ops.model_base import InputDataBase, ModelBase, OutputBase
from .akida_ops.processors import AKI006, AKI008, core_of, ident_of
from .akida_ops.tiles import input_bytes

__all__ = [
    "AKI006",
    "AKI008",
    "AKIDA",
    "AVERAGE",
    "CNP1",
    "FNP2",
    "FNP3",
    "HRC",
    "IMAGE_BITS",
    "KIND_FUNCTIONS",
    "LEARNED",
    "MAX",
    "NO_POOL",
    "SAME",
    "STEPS",
    "VALID",
    "WEIGHTS",
    "WITHOUT_LEARNING",
    "ConvolutionalOp",
    "FullyConnectedOp",
    "InputConvolutionalOp",
    "InputDataOp",
    "LayerOp",
    "ModelOp",
    "NpOp",
    "OutputOp",
    "SeparableConvolutionalOp",
    "WindowLayerOp",
    "core_of",
    "feature",
    "ident_of",
    "same_margins",
]

AKI009 = Code("AKI009", "the last layer cannot learn with these parameters")

NO_LEARNING = "--set preferences.num_weights=0"
WITHOUT_LEARNING = Phrase(Option(f"compile the network with {NO_LEARNING}", NO_LEARNING, is_of_device=True))
"""The help for a layer that does not learn."""


@irdl_op_definition
class InputDataOp(InputDataBase):
    """The input of a network with 1, 2 or 4 bits."""

    BITS: ClassVar[tuple[int, ...]] = (1, 2, 4)
    EXPECTED: ClassVar[str] = "1, 2 or 4; an input of 8 bits is that of akida.input_convolutional"
    name = "akida.input_data"


@irdl_op_definition
class OutputOp(OutputBase):
    """An output of the network."""

    name = "akida.output"


@irdl_op_definition
class ModelOp(ModelBase):
    """A sequence of layers of version 1. Errors: AKI001 to AKI009; those of reading the device."""

    VERSION: ClassVar[str] = "v1"
    INPUT: ClassVar[str] = "akida.input_data"
    ACTIVATION: ClassVar[str] = "act_bits of 1, 2 or 4"
    NP: ClassVar[type[NpBase]] = NpOp
    DATA: ClassVar[type[InputDataBase]] = InputDataOp
    RESULT: ClassVar[type[OutputBase]] = OutputOp
    name = "akida.model"

    def verify_parameters(self) -> None:
        verify_learning(self)

    def verify_layer(self, layer: LayerBase, bits: int, device: Device, after: LayerBase | None) -> None:
        verify_geometry(layer, bits, device, after)

    def verify_tiles(self, layer: LayerBase, tiles: int, device: Device) -> None:
        verify_tiles(layer, tiles, device)

    def input_needs(self, size: tuple[int, int], channels: int, bits: int) -> int:
        return input_bytes(*size, channels, bits)

    def part_needs(self, layer: LayerBase, function: str, filters: int, tile: Tile, bits: int, device: Device) -> Needs:
        return part_needs(layer, function, filters, tile, bits, device)


def verify_learning(model: ModelOp) -> None:
    """Refuses learning of a layer that does not learn, and parameters out of range. Errors: AKI009."""
    for layer, bits in zip(model.layers, model.input_bits(), strict=True):
        if not isinstance(layer, FullyConnectedOp) or (given := layer.learned) is None:
            continue
        units, inputs = layer.filters, layer.inputs
        classes, weights = given["num_classes"], given["num_weights"]
        conditions = [
            (layer is model.layers[-1], "only the last layer learns", "the last layer", "a layer before it"),
            (layer.bits == 1, "only weights of 1 bit learn", "weights_bits = 1", f"{layer.bits}"),
            (bits == 1, "only a layer that reads 1 bit learns", "an input of 1 bit", f"{bits} bits"),
            (
                1 <= weights <= inputs and weights == int(weights),
                "num_weights is out of range",
                f"1 to {inputs}",
                f"{weights:g}",
            ),
            (
                classes >= 1 and classes == int(classes) and units % int(classes) == 0,
                "the units are not divided evenly between the classes",
                f"a divisor of {units}",
                f"{classes:g} classes",
            ),
            *((0 <= given[name] <= 1, f"{name} is out of range", "0 to 1", f"{given[name]:g}") for name in LEARNED[2:]),
        ]
        for is_met, message, expected, found in conditions:
            if not is_met:
                invalid(layer, AKI009, message, expected=expected, found=found, help=WITHOUT_LEARNING)


AKIDA = define_dialect("akida", globals())
