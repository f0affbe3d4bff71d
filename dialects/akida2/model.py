"""Models for Akida 2, with their inputs and outputs."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from ...core.device.records import Device
from ..akida.layer_bases import LayerBase, Needs, NpBase, Tile
from ..akida.model_base import InputDataBase, ModelBase, OutputBase
from .geometry import verify_geometry
from .layers import (
    Np2Op,
)
from .memory import input_bytes, part_needs


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
    """A sequence of layers of version 2. Errors: CHI010 to AKI010; those of reading the device."""

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
