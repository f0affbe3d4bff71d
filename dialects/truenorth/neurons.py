"""Rows of a core of the truenorth dialect: neurons with their registers, synapses and destinations.

| parameter | symbol | meaning |
| --- | --- | --- |
| `leak` | lambda | added in each tick |
| `leak_reversal` | epsilon | 1: the leak has the sign of the potential, and stops at 0 |
| `threshold` | alpha | the neuron spikes at it and above |
| `negative_threshold` | beta | the potential is reset below -beta |
| `reset_potential` | R | of the absolute reset |
| `reset_mode` | gamma | 0 absolute: V = R; 1 linear: V = V - alpha; 2 none |
| `negative_mode` | kappa | below -beta: 1 saturate: V = -beta; 0 reset: -R, V + beta or V, by `reset_mode` |
| `random_weights` | b | a bit for each type of axon: its weight is random |
| `random_leak` | c | 1: the leak is random |
| `threshold_mask` | M | mask of the random number that is added to the threshold |

The last three are the random modes of the neuron. Lowering leaves them 0, and the model refuses others.

Source: A. S. Cassidy et al., Cognitive computing building block, IJCNN 2013.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.ir.body_ops import optional_body_op
from ...core.ir.operation import HasParentNamed, NoptOperation
from ..chip_base.groups import arrays_of
from ..chip_base.parts import (
    CHI002,
    SenderOp,
    refuse_chip,
    refuse_table,
    verify_below,
    verify_index,
    verify_matrix,
    verify_whole,
)
from ..chip_base.user import ResourceUserOpInterface
from ..chip_base.values import arrays_in, register_types, verify_shapes, verify_values
from ..chip_base.weights import bits_of_range

TRN001 = Code("TRN001", "neuron-row-inconsistent", "the row of a neuron is inconsistent")

PARAMETERS: Mapping[str, tuple[int, int]] = {
    "leak": (-(2**31), 2**31 - 1),
    "leak_reversal": (0, 1),
    "threshold": (0, 2**31 - 1),
    "negative_threshold": (0, 2**31 - 1),
    "reset_potential": (-(2**31), 2**31 - 1),
    "reset_mode": (0, 2),
    "negative_mode": (0, 1),
    "random_weights": (0, 255),
    "random_leak": (0, 1),
    "threshold_mask": (0, 2**31 - 1),
}
"""Parameters of a row and the range that they have on any device."""
POTENTIAL = "potential"
ROW_TYPES = register_types({**PARAMETERS, POTENTIAL: (-(2**31), 2**31 - 1)})
RANDOM = ("random_weights", "random_leak", "threshold_mask")
"""Parameters of the random modes, which are off at 0."""
DESTINATION = ("row", "dx", "dy", "axon", "tick")


@irdl_op_definition
class DestinationsOp(NoptOperation):
    """Destinations of the spikes of rows: the core at an offset, an axon of it, and the delay after which the spike arrives.

    Shapes: row (a place in the group), dx, dy, axon and tick [destinations]. Units: dx and dy [cores], tick [ticks]. Errors: CHI001.
    """

    name = "truenorth.destinations"
    row = prop_def(ArrayAttr)
    dx = prop_def(ArrayAttr)
    dy = prop_def(ArrayAttr)
    axon = prop_def(ArrayAttr)
    tick = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    def __init__(self, **given: Ints):
        super().__init__(properties={name: ArrayAttr.of(given[name].astype(np.int32)) for name in DESTINATION})

    def verify_(self) -> None:
        for what in ("row", "axon", "tick"):
            verify_index(self, what, getattr(self, what), self.row.shape)
        for what in ("dx", "dy"):
            array: ArrayAttr = getattr(self, what)
            if array.shape != self.row.shape or array.data.dtype.kind not in "iu":
                found = f"{array.data.dtype} of shape {list(array.shape)}"
                refuse_table(
                    self, f"{what} is not an offset of each row", f"integers of shape {list(self.row.shape)}", found
                )


@irdl_op_definition
class NeuronsOp(SenderOp, ResourceUserOpInterface):
    """Rows of a core with neurons of one population. Several rows with one neuron are copies of it, which have different destinations.

    `crossbar` is 1 where an axon of the core has a synapse with the neuron. `weights` has a weight for each type of axon.

    Shapes: index [rows]; crossbar [rows, axons]; weights [rows, types]; parameters and potential () or [rows].
    Errors: CHI001, CHI002; TRN001 another shape or number, or copies that differ.
    """

    ONCE: ClassVar[tuple[str, ...]] = ("truenorth.destinations",)

    name = "truenorth.neurons"
    crossbar = prop_def(ArrayAttr)
    weights = prop_def(ArrayAttr)
    parameters = prop_def(DictionaryAttr)
    potential = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict-with-keyword `:` $type $body"
    traits = traits_def(HasParentNamed("truenorth.core"))
    destinations = optional_body_op(DestinationsOp)
    """The destinations of the rows; None if no row sends."""

    @property
    def members(self) -> Ints:
        return np.unique(self.index.values).astype(np.int64)

    def registers(self) -> dict[str, Ints]:
        """Returns the parameters of each row by name. Shapes: [rows]."""
        given = arrays_of(self.parameters)
        return {name: np.broadcast_to(given[name].astype(np.int64), (self.size,)) for name in PARAMETERS}

    def potentials(self) -> Ints:
        """Returns the initial potential of each row. Shapes: [rows]."""
        return np.broadcast_to(self.potential.values.astype(np.int64), (self.size,))

    def first_rows(self) -> Ints:
        """Returns the first row of each neuron, in the order of the rows."""
        _, first = np.unique(self.index.values, return_index=True)
        return np.sort(first)

    def quantities(self, device: Device) -> Mapping[str, int]:
        joined = self.crossbar.values != 0
        weights = self.weights.values.astype(np.int64)
        used = {
            "neurons": self.size,
            "fan_in": int(joined.sum(axis=1).max(initial=0)),
            "input_axons": int(joined.any(axis=0).sum()),
            "weight_bits": bits_of_range(int(weights.min(initial=0)), int(weights.max(initial=0))),
            "payload_bits": 0,
        }
        if (sent := self.destinations) is not None:
            used |= {"output_axons": sent.row.data.size, "delay": int(sent.tick.values.max(initial=0))}
        return used

    def verify_(self) -> None:
        super().verify_()
        self.verify_registers()
        if (sent := self.destinations) is not None:
            verify_below(sent, "a destination belongs to no row", "a row", sent.row, self.size, CHI002)

    def verify_in(self, axon_types: Ints) -> None:
        """Refuses a crossbar and weights that do not match the axons of the core, and copies that differ. Errors: CHI001, TRN001."""
        types = self.weights.shape[1] if len(self.weights.shape) == 2 else 0
        verify_matrix(self, "crossbar", self.crossbar, (self.size, len(axon_types)))
        verify_matrix(self, "weights", self.weights, (self.size, types))
        verify_whole(self, "crossbar", self.crossbar)
        if self.weights.data.dtype.kind not in "iu":
            refuse_table(self, "weights has other numbers", "integers", str(self.weights.data.dtype))
        if self.crossbar.data.size and int(self.crossbar.data.greatest()) > 1:
            refuse_chip(
                self, "a switch of the crossbar is not 0 or 1", "0 or 1", str(self.crossbar.data.greatest()), TRN001
            )
        used = axon_types[(self.crossbar.values != 0).any(axis=0)]
        if used.size and int(used.max()) >= types:
            refuse_chip(
                self, "an axon has a type without weights", f"a type below {types}", str(int(used.max())), TRN001
            )
        self.verify_copies()

    def verify_registers(self) -> None:
        """Refuses missing, unknown and wrong parameters. Errors: TRN001."""
        given = arrays_of(self.parameters)
        if given.keys() != PARAMETERS.keys():
            refuse_chip(self, "the parameters are not those of a row", ", ".join(PARAMETERS), ", ".join(given), TRN001)
        registers = DictionaryAttr({**self.parameters.data, POTENTIAL: self.potential})
        verify_shapes(self, "", registers, self.size, TRN001, "integers of shape ")
        verify_values(self, arrays_in(registers), ROW_TYPES, TRN001)

    def verify_copies(self) -> None:
        """Refuses copies of a neuron that differ in anything other than their destinations. Errors: TRN001."""
        index = self.index.values
        _, first, which = np.unique(index, return_index=True, return_inverse=True)
        if len(first) == len(index):
            return
        copied: dict[str, AnyArray] = {**self.registers(), "potential": self.potentials()}
        copied |= {"crossbar": self.crossbar.values, "weights": self.weights.values}
        for name, values in copied.items():
            if (
                different := np.flatnonzero(
                    (values != values[first[which.reshape(-1)]]).reshape(len(index), -1).any(axis=1)
                )
            ).size:
                row = int(different[0])
                refuse_chip(
                    self,
                    "the copies of a neuron differ",
                    f"{name} of row {first[which[row]]}",
                    f"another in row {row}",
                    TRN001,
                )
