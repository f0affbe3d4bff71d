"""Models for Akida 1: their inputs, outputs and learning."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from ...core.diagnostics import Code, invalid
from ...core.help_text import Option, Phrase
from ..chip_base.parts import LayerOutputBase
from .geometry import verify_geometry, verify_tiles
from .layer_bases import NpBase
from .layers import LEARNED, FullyConnectedOp, NpOp
from .memory import part_needs
from .model_base import InputDataBase, ModelBase
from .tiles import input_bytes

AKI009 = Code("AKI009", "last-layer-cannot-learn", "the last layer cannot learn with these parameters")

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
class OutputOp(LayerOutputBase):
    """An output of the network: the values of the last layer, as `[c, h, w]` in the shape of the type."""

    name = "akida.output"


@irdl_op_definition
class ModelOp(ModelBase):
    """A sequence of layers of version 1. Errors: CHI010 to AKI009; those of reading the device."""

    VERSION: ClassVar[str] = "v1"
    NP: ClassVar[type[NpBase]] = NpOp
    DATA: ClassVar[type[InputDataBase]] = InputDataOp
    RESULT: ClassVar[type[LayerOutputBase]] = OutputOp
    name = "akida.model"

    def verify_parameters(self) -> None:
        verify_learning(self)

    verify_layer = staticmethod(verify_geometry)
    verify_tiles = staticmethod(verify_tiles)
    input_needs = staticmethod(input_bytes)
    part_needs = staticmethod(part_needs)


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
