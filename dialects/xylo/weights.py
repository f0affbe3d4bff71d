"""Weights of the xylo dialect: synapses from inputs, between hidden neurons, and to output neurons. Each of the three layers has one shift.

isyn[current] = saturate(isyn[current] + (weight << shift)) for each spike of the source
"""

from __future__ import annotations

from enum import StrEnum
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.ir.operation import HasParentNamed, NoptOperation
from ..chip_base.parts import refuse_chip, verify_index
from .neurons import LARGEST, XYL001

PLACES = ("source", "target", "current")
CURRENTS = 2
"""Synaptic currents of a hidden neuron. Source: rockpool 3.1.0, devices/xylo."""
BYTE = (-128, 127)


class WeightLayer(StrEnum):
    """Weights with one shift."""

    INPUT = "input"
    RECURRENT = "recurrent"
    OUTPUT = "output"


@irdl_op_definition
class WeightsOp(NoptOperation):
    """Weights of a layer: `input`, `recurrent` or `output`. They are sorted by source, then by target, then by current.

    A source is an input channel or a hidden neuron, a target a hidden or output neuron. Zeros are not stored.

    Shapes: source, target, current and weight [synapses]. Units: shift [bit]. Errors: CHI001, XYL001.
    """

    name = "xylo.weights"
    layer = prop_def(StringAttr)
    shift = prop_def(IntegerAttr.constr(i64))
    source = prop_def(ArrayAttr)
    target = prop_def(ArrayAttr)
    current = prop_def(ArrayAttr)
    weight = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$layer attr-dict"
    traits = traits_def(HasParentNamed("xylo.core"))

    def __init__(self, layer: WeightLayer, shift: int, source: Ints, target: Ints, current: Ints, weight: Ints):
        places = dict(zip(PLACES, (source, target, current), strict=True))
        super().__init__(
            properties={
                "layer": StringAttr(layer),
                "shift": IntegerAttr(shift, i64),
                **{name: ArrayAttr.of(values.astype(np.int32)) for name, values in places.items()},
                "weight": ArrayAttr.of(weight.astype(np.int8)),
            }
        )

    @property
    def kind(self) -> WeightLayer:
        return WeightLayer(self.layer.data)

    @property
    def synapses(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Returns source, target, current and weight. Shapes: [synapses]."""
        return tuple(getattr(self, name).values.astype(np.int64) for name in (*PLACES, "weight"))

    def verify_(self) -> None:
        if self.layer.data not in [*WeightLayer]:
            refuse_chip(self, "unknown layer of weights", ", ".join(WeightLayer), self.layer.data, XYL001)
        shape = self.weight.shape
        for name in PLACES:
            verify_index(self, name, cast("ArrayAttr", self.properties[name]), shape)
        if len(shape) != 1 or self.weight.data.dtype != np.int8:
            found = f"{self.weight.data.dtype} of shape {list(shape)}"
            refuse_chip(self, "weights are invalid", "i8 of shape [synapses]", found, XYL001)
        source, target, current, weight = self.synapses
        order = np.lexsort((current, target, source))
        places = np.stack([source, target, current])
        if (order != np.arange(len(order))).any() or (np.diff(places, axis=1) == 0).all(axis=0).any():
            expected = "one synapse of each source, target and current, sorted by them"
            refuse_chip(self, "weights are not sorted", expected, "another order", XYL001)
        if not weight.all():
            refuse_chip(self, "a weight is 0", "stored weights other than 0", "0", XYL001)
        shift = self.shift.value.data
        most = CURRENTS if self.kind is not WeightLayer.OUTPUT else 1
        if int(current.max(initial=0)) >= most:
            refuse_chip(self, "a current does not exist", f"below {most}", str(int(current.max())), XYL001)
        largest = int(np.abs(weight).max(initial=0))
        if not 0 <= shift < CURRENTS * 8 or largest << shift > LARGEST + 1:
            expected, found = "weights that have 16 bits after their shift", f"{largest} << {shift}"
            refuse_chip(self, "a weight is shifted too far", expected, found, XYL001)
