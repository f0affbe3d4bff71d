"""Cores of the spinnaker dialect, and the inputs and outputs of the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i64
from xdsl.irdl import irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.device.limits import add_needs
from ...core.device.outside_memory import STORE
from ...core.device.records import Device
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import HasParentNamed
from ..chip_base.groups import CHI012, CoreBase, GroupOp
from ..chip_base.parts import InputBase, OutputBase, SenderOp, refuse_chip, verify_index
from .rows import HEADER_WORDS, RowsOp, Synapses, WordFormat, verify_key

RECEPTORS = 2
WORD_BYTES = 4
SDRAM = "sdram"


class KeyedOp(SenderOp):
    """Base of senders. A spike of neuron n of the sender is the key `key | n`; the network delivers it to all `cores`.

    Shapes: cores [destinations].
    """

    key = prop_def(IntegerAttr.constr(i64))
    mask = prop_def(IntegerAttr.constr(i64))
    cores = prop_def(ArrayAttr)

    def verify_(self) -> None:
        super().verify_()
        verify_key(self, self.key.value.data, self.mask.value.data, self.size)
        verify_index(self, "cores", self.cores)


@irdl_op_definition
class InputOp(InputBase, KeyedOp):
    """Entries of an input of the network, whose spikes the host sends to the chip of the core `at`. Errors: CHI001, CHI002, SPN001."""

    name = "spinnaker.input"


@irdl_op_definition
class OutputOp(OutputBase):
    name = "spinnaker.output"


@irdl_op_definition
class NeuronsOp(GroupOp, KeyedOp):
    """The slice of a population on a core, with the rows of its synapses.

    `index_bits` and `delay_bits` are those of a synaptic word. `params` are the parameters of the equations.

    Shapes: parameters and states () or [neurons]. Units: index_bits and delay_bits [bit]. Errors: CHI001, CHI002, SPN001.
    """

    SEVERAL: ClassVar[tuple[str, ...]] = ("spinnaker.rows",)

    name = "spinnaker.neurons"
    params = prop_def(DictionaryAttr)
    index_bits = prop_def(IntegerAttr.constr(i64))
    delay_bits = prop_def(IntegerAttr.constr(i64))
    traits = traits_def(HasParentNamed("spinnaker.core"))

    @property
    def format(self) -> WordFormat:
        return WordFormat(self.index_bits.value.data, self.delay_bits.value.data)

    rows = body_ops(RowsOp)

    def synapses(self) -> list[Synapses]:
        """Returns the synapses of each table of rows."""
        return [op.synapses(self.format) for op in self.rows]

    def quantities(self, device: Device) -> dict[str, int]:
        fan_in, delay, weight = np.zeros(self.size, np.int64), 0, 0
        for one in (block for op in self.rows for block in op.blocks(self.format)):
            fan_in = fan_in + np.bincount(one.neuron, minlength=self.size)
            delay = max(delay, int(one.delay.max(initial=0)))
            weight = max(weight, int(one.weight.max(initial=0)))
        return super().quantities(device) | {
            "synapses": int(fan_in.sum()),
            "fan_in": int(fan_in.max(initial=0)),
            "input_axons": sum(op.size for op in self.rows),
            "delay": delay,
            "weight_bits": weight.bit_length(),
            STORE + SDRAM: WORD_BYTES * sum(op.words.data.size for op in self.rows),
        }

    def verify_(self) -> None:
        super().verify_()
        format = self.format
        if not 0 <= format.index_bits <= 15 or not 0 <= format.delay_bits <= 15 or format.ring_bits > 16:
            expected = "index_bits + 1 + delay_bits of at most 16, the bits of a word below the weight"
            refuse_chip(self, "a word has other bits", expected, f"{format.ring_bits}")
        if format.index_bits != (needed := max(0, self.size - 1).bit_length()):
            expected = f"index_bits = {needed}, for {self.size} neurons"
            refuse_chip(self, "index_bits are not those of the neurons", expected, f"{format.index_bits}")
        for op in self.rows:
            op.verify_against(format, self.size)


@irdl_op_definition
class CoreOp(CoreBase):
    """A core with one slice of a population. `axons` is the number of rows, one for each source and projection. Cores are numbered chip by chip.

    Errors: CHI012 another number of slices.
    """

    HOLDS: ClassVar[tuple[str, ...]] = ("spinnaker.neurons",)

    name = "spinnaker.core"
    traits = traits_def(HasParentNamed("spinnaker.chip"))
    groups = body_ops(NeuronsOp)

    def verify_(self) -> None:
        super().verify_()
        if len(self.groups) != 1:
            refuse_chip(self, CHI012.summary, "1 slice", str(len(self.groups)), CHI012)
        if (rows := sum(op.size for op in self.groups[0].rows)) != self.axons.value.data:
            refuse_chip(self, "axons are not the rows of the core", str(rows), str(self.axons.value.data))

    def join_quantities(self, device: Device, each: Sequence[Mapping[str, int]]) -> Mapping[str, int]:
        return {**super().join_quantities(device, each), **add_needs(each)}


__all__ = ["HEADER_WORDS", "CoreOp", "InputOp", "KeyedOp", "NeuronsOp", "OutputOp"]
