"""The exit dialect of Akida 2.0: a sequence of layers on neural processors (NPs), in the words of its vendor.

    akida2.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v2", machine.device = #nopt.device<"akida/six_nodes_v2", digest = …>} {
      akida2.input_data "input" {input_shape = [8, 8, 4], input_bits = 4 : i64}
      akida2.conv2d "c1" of "n1" attributes {input_shape = [8, 8, 4], weights = …, weights_bits = 4 : i64, bias = …, bias_shift = …,
          kernel_stride = [1, 1], padding = "same", pool_type = "none", act_bits = 8 : i64, output_scales = …, output_shift = …} {
        akida2.np "CNP1" {ident = [1, 2, 1], filters = [0, 16], tile = [0, 0, 8, 8], input_bytes = 128 : i64, …}
      }
      akida2.dense1d "fc" of "fc" attributes {…} {…}
      akida2.output "out" of "fc" : tensor<10xi32>
    }

A tick is a frame. The first layer reads the input of the network, every other one the layer before it. A layer keeps nothing between frames.

Source: BrainChip akida 2.19.3 (layers, JSON of models, mapper) and the MetaTF documentation.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from ..core.device.records import Device
from ..core.ir.operation import define_dialect
from .akida2_ops.geometry import verify_geometry
from .akida2_ops.layers import (
    MOST_OUTPUT,
    MOST_SHIFT,
    WEIGHTS2,
    Conv2dOp,
    Dense1dOp,
    DepthwiseConv2dOp,
    InputConv2dOp,
    Layer2Op,
    Np2Op,
    WindowLayer2Op,
)
from .akida2_ops.memory import input_bytes, part_needs
from .akida_ops.layer_bases import LayerBase, Needs, NpBase, Tile
from .akida_ops.model_base import InputDataBase, ModelBase, OutputBase

__all__ = [
    "AKIDA2",
    "MOST_OUTPUT",
    "MOST_SHIFT",
    "WEIGHTS2",
    "Conv2dOp",
    "Dense1dOp",
    "DepthwiseConv2dOp",
    "InputConv2dOp",
    "InputData2Op",
    "Layer2Op",
    "Model2Op",
    "Np2Op",
    "Output2Op",
    "WindowLayer2Op",
]


@irdl_op_definition
class InputData2Op(InputDataBase):
    """The input of a network with 4 or 8 bits, unsigned."""

    BITS: ClassVar[tuple[int, ...]] = (4, 8)
    EXPECTED: ClassVar[str] = "4 or 8"
    name = "akida2.input_data"


@irdl_op_definition
class Output2Op(OutputBase):
    """An output of the network."""

    name = "akida2.output"


@irdl_op_definition
class Model2Op(ModelBase):
    """A sequence of layers of version 2. Errors: AKI001 to AKI010; those of reading the device."""

    VERSION: ClassVar[str] = "v2"
    INPUT: ClassVar[str] = "akida2.input_data"
    ACTIVATION: ClassVar[str] = "act_bits of 4 or 8"
    NP: ClassVar[type[NpBase]] = Np2Op
    DATA: ClassVar[type[InputDataBase]] = InputData2Op
    RESULT: ClassVar[type[OutputBase]] = Output2Op
    name = "akida2.model"

    def verify_layer(self, layer: LayerBase, bits: int, device: Device, after: LayerBase | None) -> None:
        verify_geometry(layer, bits, device, after)

    def verify_tiles(self, layer: LayerBase, tiles: int, device: Device) -> None:
        """Tiles limit no layer of version 2."""

    def input_needs(self, size: tuple[int, int], channels: int, bits: int) -> int:
        return input_bytes(*size, channels, bits)

    def part_needs(self, layer: LayerBase, function: str, filters: int, tile: Tile, bits: int, device: Device) -> Needs:
        return part_needs(layer, function, filters, tile, bits, device)


AKIDA2 = define_dialect("akida2", globals())
