"""The core of the xylo dialect, and the inputs and outputs of the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.device.limits import add_needs
from ...core.device.records import Device
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import HasParentNamed
from ..chip_base.groups import CoreBase
from ..chip_base.parts import InputBase, OutputBase, verify_index
from ..chip_base.weights import bits_of_range
from .neurons import HiddenOp, NumberedOp, ReadoutOp
from .weights import WeightLayer, WeightsOp


@irdl_op_definition
class InputOp(InputBase):
    """Entries of an input of the network, which the host sends one tick later on `channels`. Shapes: index and channels [entries].

    Errors: CHI001, CHI002.
    """

    name = "xylo.input"
    channels = prop_def(ArrayAttr)

    def verify_(self) -> None:
        super().verify_()
        verify_index(self, "channels", self.channels, self.index.shape)


@irdl_op_definition
class OutputOp(OutputBase):
    name = "xylo.output"


@irdl_op_definition
class CoreOp(CoreBase):
    """The core with its neurons and weights. `axons` is the number of input channels that are used."""

    HOLDS: ClassVar[tuple[str, ...]] = ("xylo.hidden", "xylo.readout", "xylo.weights")

    name = "xylo.core"
    traits = traits_def(HasParentNamed("xylo.chip"))
    neurons = body_ops(NumberedOp)
    """The groups of neurons."""
    hidden = body_ops(HiddenOp)
    readouts = body_ops(ReadoutOp)

    @property
    def weights(self) -> Mapping[WeightLayer, WeightsOp]:
        """Returns the weights of each layer that has some."""
        return {op.kind: op for op in self.body.block.ops if isinstance(op, WeightsOp)}

    def quantities(self, device: Device) -> Mapping[str, int]:
        used = dict(add_needs([op.quantities(device) for op in self.neurons]))
        layers = self.weights.values()
        ranges = [
            (int(one.weight.data.least()), int(one.weight.data.greatest())) for one in layers if one.weight.data.size
        ]
        used["weight_bits"] = max((bits_of_range(low, high) for low, high in ranges), default=0)
        used["weight_exponent"] = max((one.shift.value.data for one in layers), default=0)
        used["synapses"] = sum(one.weight.data.size for one in layers)
        used["delay"] = int(bool(used["synapses"]))
        into = [np.bincount(one.synapses[1]) for one in layers if one.weight.data.size]
        size = max((len(one) for one in into), default=0)
        hidden = sum(
            (
                np.pad(np.bincount(one.synapses[1]), (0, size))[:size]
                for one in layers
                if one.kind is not WeightLayer.OUTPUT
            ),
            np.zeros(size, np.int64),
        )
        out = [np.bincount(one.synapses[1]).max(initial=0) for one in layers if one.kind is WeightLayer.OUTPUT]
        used["fan_in"] = int(max([hidden.max(initial=0), *out]))
        return used
