"""Models for Akida 2, with their inputs and outputs."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from ..akida.layer_bases import NpBase
from ..akida.model_base import InputDataBase, ModelBase
from ..chip_base.parts import LayerOutputBase
from .geometry import verify_geometry
from .layers import Np2Op
from .memory import input_bytes, part_needs


@irdl_op_definition
class InputData2Op(InputDataBase):
    """The input of a network with 4 or 8 bits, unsigned."""

    BITS: ClassVar[tuple[int, ...]] = (4, 8)
    EXPECTED: ClassVar[str] = "4 or 8"
    name = "akida2.input_data"


@irdl_op_definition
class Output2Op(LayerOutputBase):
    """An output of the network: the values of the last layer, as `[c, h, w]` in the shape of the type."""

    name = "akida2.output"


@irdl_op_definition
class Model2Op(ModelBase):
    """A sequence of layers of version 2. Errors: CHI010 to AKI010; those of reading the device."""

    VERSION: ClassVar[str] = "v2"
    NP: ClassVar[type[NpBase]] = Np2Op
    DATA: ClassVar[type[InputDataBase]] = InputData2Op
    RESULT: ClassVar[type[LayerOutputBase]] = Output2Op
    name = "akida2.model"

    verify_layer = staticmethod(verify_geometry)
    input_needs = staticmethod(input_bytes)
    part_needs = staticmethod(part_needs)
