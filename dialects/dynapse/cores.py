"""Cores of the dynapse dialect with their groups of neurons, and the inputs and outputs of the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.irdl import irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.ir.body_ops import body_ops, optional_body_op
from ...core.ir.operation import HasParentNamed
from ..chip_base.groups import CoreBase, GroupOp
from ..chip_base.parts import InputBase, OutputBase, SenderOp, refuse_chip
from ..chip_base.values import Range
from ..ntensor import UpdateOp
from .circuit import RANGES, verify_circuit
from .synapses import DestinationsOp, SynapsesOp

DSN001 = Code("DSN001", "weight-currents-inconsistent", "currents of weights are inconsistent")

CURRENTS, STEPS = 4, 255


def destinations_of(op: SenderOp) -> DestinationsOp | None:
    """Returns the destinations of the events of a group or input; None if it sends none."""
    return next((one for one in op.body.block.ops if isinstance(one, DestinationsOp)), None)


@irdl_op_definition
class InputOp(InputBase):
    """Entries of an input of the network, whose events the host sends with a tag to cores of chips. Errors: CHI001, CHI002."""

    ONCE: ClassVar[tuple[str, ...]] = ("dynapse.destinations",)

    name = "dynapse.input"

    def verify_(self) -> None:
        super().verify_()
        if (found := destinations_of(self)) is not None:
            found.verify_against(self.size)


@irdl_op_definition
class OutputOp(OutputBase):
    name = "dynapse.output"


@irdl_op_definition
class NeuronsOp(GroupOp):
    """Neurons of one population on a core. `currents` are the four currents of the core's synapses, in steps of `i_w`.

    Shapes: currents [4]; parameters and states () or [neurons]. Errors: CHI001, CHI002, DSN001.
    """

    ONCE: ClassVar[tuple[str, ...]] = ("dynapse.synapses", "dynapse.destinations")

    RANGES: ClassVar[Mapping[str, Range]] = RANGES

    name = "dynapse.neurons"
    params = prop_def(DictionaryAttr)
    currents = prop_def(ArrayAttr)
    traits = traits_def(HasParentNamed("dynapse.core"))
    synapses = optional_body_op(SynapsesOp)

    @property
    def tags(self) -> Ints:
        """Returns the tags that the synapses read, each once."""
        return np.zeros(0, np.int64) if self.synapses is None else np.unique(self.synapses.tag.values).astype(np.int64)

    def verify_numbers(self, update: UpdateOp, tick_ns: int) -> None:
        super().verify_numbers(update, tick_ns)
        verify_circuit(self, tick_ns * 1e-9)

    def quantities(self, device: Device) -> dict[str, int]:
        neuron = np.zeros(0, np.int64) if self.synapses is None else self.synapses.neuron.values
        return super().quantities(device) | {
            "synapses": len(neuron),
            "fan_in": int(np.bincount(neuron, minlength=1).max()),
            "input_axons": len(self.tags),
            "delay": 1 if len(neuron) else 0,
            "weight_bits": int(self.currents.values.sum()).bit_length() + 1,
        }

    def verify_(self) -> None:
        super().verify_()
        values = self.currents.values
        if values.shape != (CURRENTS,) or values.dtype.kind not in "iu":
            found = f"{values.dtype} of shape {list(values.shape)}"
            refuse_chip(self, DSN001.summary, f"{CURRENTS} integers", found, DSN001)
        if not 0 <= values.min() <= values.max() <= STEPS:
            found = f"{values.min()} to {values.max()}"
            refuse_chip(self, DSN001.summary, f"0 to {STEPS} steps", found, DSN001)
        for op in (self.synapses, destinations_of(self)):
            if op is not None:
                op.verify_against(self.size)


@irdl_op_definition
class CoreOp(CoreBase):
    """A core. `axons` is the number of tags that its synapses read. Its groups share their parameters and the currents of weights.

    Errors: CHI002, DSN001.
    """

    HOLDS: ClassVar[tuple[str, ...]] = ("dynapse.neurons",)

    name = "dynapse.core"
    traits = traits_def(HasParentNamed("dynapse.chip"))
    groups = body_ops(NeuronsOp)

    @property
    def tags(self) -> Ints:
        """Returns the tags that the synapses of the core read, each once."""
        return np.unique(np.concatenate([np.zeros(0, np.int64), *(group.tags for group in self.groups)]))

    def verify_(self) -> None:
        super().verify_()
        if (tags := len(self.tags)) != self.axons.value.data:
            refuse_chip(self, "axons are not the tags of the core", str(tags), str(self.axons.value.data))
        for group in self.groups[1:]:
            if not np.array_equal(group.currents.values, self.groups[0].currents.values):
                expected, found = self.groups[0].currents.values.tolist(), group.currents.values.tolist()
                refuse_chip(group, "a core has other currents", str(expected), str(found), DSN001)
