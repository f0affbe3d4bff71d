"""Synapses of the loihi2 dialect: tables of weights as the registers of a neuro-core hold them.

    a[n](t) = sum over d of floor((sum over entries with delay = d of weight * payload[axon](t - 1 - d)) * 2^weight_exp)

1. A weight is an integer in the range of the sign mode: mixed -256 to 254, excitatory 0 to 255, inhibitory -255 to 0.
2. With `num_weight_bits` the lowest bits of a weight are 0: 8 - num_weight_bits of them, one more with the sign mode mixed.
3. The exponent is applied to the sum of each delay; a negative one rounds down.
4. `delay` is the register of the chip: with 0 a spike arrives in the next tick.
5. With a learning rule (`learning.py`) the weights are those of the first tick, and a weight of 0 is a synapse.

Source: Lava 0.10.0, lava/utils/weightutils.py (truncate_weights, SignMode) and lava/proc/dense/models.py (PyDenseModelBitAcc, PyDelayDenseModelBitAcc).
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.str_enum import StrEnum

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.ir.operation import BracketedAttribute
from ..chip_base.chains import row_counts
from ..chip_base.formats import AxonRows, TableFormat, has_delays
from ..chip_base.parts import Entries, SynapseTable, refuse_chip, refuse_table, verify_synapses, verify_whole
from .learning import LearningRuleAttr, verify_bits, verify_rule

LOI001 = Code("LOI001", "weight-outside-sign-mode", "a weight is not one of its sign mode and bits")

REGISTER_BITS = 8
"""Bits of a weight without its sign. Source: Lava, weightutils.py."""


class Sign(StrEnum):
    """Signs of the weights of a table."""

    MIXED = "mixed"
    EXCITATORY = "excitatory"
    INHIBITORY = "inhibitory"


@irdl_attr_definition
class SignModeAttr(BracketedAttribute, EnumAttribute[Sign]):  # pyrefly: ignore[partially-unknown-type]
    """The sign mode of a table."""

    name = "loihi2.sign_mode"


def lost_bits(bits: int, sign: Sign) -> int:
    """Returns the number of the lowest bits of weights that are 0."""
    return REGISTER_BITS - bits + (sign is Sign.MIXED)


def weight_range(sign: Sign) -> tuple[int, int]:
    """Returns the least and the greatest weight of a sign mode."""
    most = 2**REGISTER_BITS
    return {Sign.MIXED: (-most, most - 2), Sign.EXCITATORY: (0, most - 1), Sign.INHIBITORY: (1 - most, 0)}[sign]


class SynapsesOp(SynapseTable):
    """Base of tables of synapses of one projection into a group of compartments.

    `format` is the format of the device in which the table is stored. `axons` lists input axons of the core, ascending.

    Shapes: delay () or of the weights. Units: delay [ticks]. Errors: CHI001; LOI001 a weight that the registers cannot hold; LOI010 to LOI018 a
    learning rule beyond what the chip computes.
    """

    format = prop_def(StringAttr)
    num_weight_bits = prop_def(IntegerAttr.constr(i64))
    sign_mode = prop_def(SignModeAttr)
    weight_exp = prop_def(IntegerAttr.constr(i64))
    weight = prop_def(ArrayAttr)
    delay = prop_def(ArrayAttr)
    learning_rule = opt_prop_def(LearningRuleAttr)

    @property
    def bits(self) -> int:
        return self.num_weight_bits.value.data

    @property
    def sign(self) -> Sign:
        return self.sign_mode.data

    @property
    def exponent(self) -> int:
        """Returns the exponent of the integers without their lost bits, `weight = integer * 2^exponent`."""
        return self.weight_exp.value.data + lost_bits(self.bits, self.sign)

    @property
    def longest_delay(self) -> int:
        """Returns the ticks from a spike to its arrival, at most."""
        return 1 + int(self.delay.values.max(initial=0))

    @property
    def rows(self) -> AxonRows:
        """Returns the different numbers of entries in memory that an axon has, and how many axons have each."""
        axons, neurons = self.weight.shape
        return np.array([neurons]), np.array([axons])

    def table_format(self, device: Device) -> TableFormat:
        """Returns the format of the table with its registers."""
        is_delayed, learns = has_delays(self.longest_delay, device), self.learning_rule is not None
        return TableFormat(self.format.data, self.exponent, self.sign.value, is_delayed, learns)

    def verify_(self) -> None:
        if self.learning_rule is not None:
            verify_rule(self, self.learning_rule)
            verify_bits(self, self.bits)

    def verify_against(self, axons: int, neurons: int) -> None:
        super().verify_against(axons, neurons)
        if self.weight.data.dtype.kind not in "iu":
            refuse_table(self, "weight has other numbers", "integers", str(self.weight.data.dtype))
        if self.delay.shape not in ((), self.weight.shape):
            found = str(list(self.delay.shape))
            refuse_table(self, "delay has another shape", f"[] or {list(self.weight.shape)}", found)
        verify_whole(self, "delay", self.delay)
        if not 1 <= self.bits <= REGISTER_BITS:
            refuse_table(self, "num_weight_bits is out of range", f"1 to {REGISTER_BITS}", str(self.bits))
        low, high = weight_range(self.sign)
        values, step = self.weight.values.astype(np.int64), 1 << lost_bits(self.bits, self.sign)
        wrong = values[(values < low) | (values > high) | (values % step != 0)]
        if wrong.size:
            expected = f"multiples of {step} from {low} to {high} ({self.bits} bits, {self.sign})"
            refuse_chip(self, LOI001.summary, expected, str(wrong[0]), LOI001)


@irdl_op_definition
class DenseOp(SynapsesOp):
    """A synapse for every pair of an axon and a compartment; a weight of 0 adds nothing, and is none without a learning rule.

    Shapes: weight [axons, compartments]; delay () or [axons, compartments]. Units: delay [ticks]. Errors: CHI001, LOI001.
    """

    name = "loihi2.dense"

    def entries(self, neurons: Ints) -> Entries:
        values = self.weight.values
        axon, neuron = np.nonzero(values if self.learning_rule is None else np.ones(values.shape))
        delay = np.broadcast_to(self.delay.values, self.weight.shape)[axon, neuron]
        weight = self.weight.values[axon, neuron].astype(np.int64)
        return Entries(
            self.axons.values.astype(np.int64)[axon], neuron.astype(np.int64), weight, 1 + delay.astype(np.int64)
        )

    def verify_against(self, axons: int, neurons: int) -> None:
        shape = self.axons.data.size, neurons
        if self.weight.shape != shape:
            refuse_table(self, "weight has another shape", str(list(shape)), str(list(self.weight.shape)))
        super().verify_against(axons, neurons)


@irdl_op_definition
class SparseOp(SynapsesOp):
    """Existing synapses only, each with the index of its compartment.

    Shapes: axon (a place in `axons`), compartment and weight [synapses]; delay () or [synapses]. Units: delay [ticks].
    Errors: CHI001, LOI001.
    """

    name = "loihi2.sparse"
    axon = prop_def(ArrayAttr)
    compartment = prop_def(ArrayAttr)

    @property
    def rows(self) -> AxonRows:
        return row_counts(np.bincount(self.axon.values))

    def entries(self, neurons: Ints) -> Entries:
        axon, neuron = self.axon.values.astype(np.int64), self.compartment.values.astype(np.int64)
        delay = np.broadcast_to(self.delay.values, self.weight.shape)
        weight = self.weight.values.astype(np.int64)
        return Entries(self.axons.values.astype(np.int64)[axon], neuron, weight, 1 + delay.astype(np.int64))

    def verify_against(self, axons: int, neurons: int) -> None:
        verify_synapses(self, self.axon, self.compartment, self.weight.shape, neurons)
        super().verify_against(axons, neurons)
