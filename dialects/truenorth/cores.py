"""Cores of the truenorth dialect, and the inputs and outputs of the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.limits import add_needs
from ...core.device.records import Device
from ...core.ir.body_ops import body_ops, optional_body_op
from ...core.ir.operation import HasParentNamed, shape_of
from ..chip_base.groups import CoreBase
from ..chip_base.parts import InputBase, OutputAxonsBase, OutputBase, verify_index
from .neurons import NeuronsOp


@irdl_op_definition
class PacketsOp(OutputAxonsBase):
    """Packets of an input: a spike of an entry is sent to an axon of a core, where it arrives `delay` ticks later.

    Shapes: neuron (a place in the input), core, axon and delay [packets]. Units: delay [ticks]. Errors: CHI001.
    """

    name = "truenorth.packets"
    delay = prop_def(ArrayAttr)

    def __init__(self, neuron: Ints, core: Ints, axon: Ints, delay: Ints):
        super().__init__(neuron, core, axon)
        self.properties["delay"] = ArrayAttr.of(delay.astype(np.int32))

    def verify_(self) -> None:
        super().verify_()
        verify_index(self, "delay", self.delay, self.neuron.shape)


@irdl_op_definition
class InputOp(InputBase):
    """Entries of an input of the network, whose packets enter the chip at the core `at`. Errors: CHI001, CHI002."""

    ONCE: ClassVar[tuple[str, ...]] = ("truenorth.packets",)

    name = "truenorth.input"
    packets = optional_body_op(PacketsOp)
    """The packets; None if no entry is read."""


@irdl_op_definition
class OutputOp(OutputBase):
    """An output of the network: the spikes of a population or input, `delay` ticks later.

    `rows` lists the row of the output bus that each neuron of the population sends to; an output of an input has none.

    Shapes: delay () or [neurons]; rows [neurons]. Units: delay [ticks].
    """

    name = "truenorth.output"
    rows = opt_prop_def(ArrayAttr)

    def verify_(self) -> None:
        super().verify_()
        if self.rows is not None:
            verify_index(self, "rows", self.rows, (int(np.prod(shape_of(self.type))),))


@irdl_op_definition
class CoreOp(CoreBase):
    """A core with the types of its axons and its rows. Cores are numbered chip by chip.

    Shapes: types [axons].
    """

    HOLDS: ClassVar[tuple[str, ...]] = ("truenorth.neurons",)

    name = "truenorth.core"
    types = prop_def(ArrayAttr)
    traits = traits_def(HasParentNamed("truenorth.chip"))
    neurons = body_ops(NeuronsOp)
    """The groups of rows, in the order of the rows."""

    def first_rows(self) -> list[int]:
        """Returns the first row of each group in the core."""
        sizes = [0, *(op.size for op in self.neurons)]
        return [int(n) for n in np.cumsum(sizes)[:-1]]

    def quantities(self, device: Device) -> Mapping[str, int]:
        each = [op.quantities(device) for op in self.neurons]
        most = {name: max(one.get(name, 0) for one in each) for name in ("fan_in", "weight_bits", "delay") if each}
        return most | add_needs(each) | {"input_axons": self.axons.value.data}

    def verify_(self) -> None:
        super().verify_()
        verify_index(self, "types", self.types, (self.axons.value.data,))
        for op in self.neurons:
            op.verify_in(self.types.values)
