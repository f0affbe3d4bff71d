"""Hidden and output neurons of the xylo dialect, with their registers.

| register | meaning |
| --- | --- |
| `dash_syn`, `dash_syn_2` | bits by which the first and the second synaptic current are shifted to the right, for what they lose in a tick |
| `dash_mem` | the same of the membrane potential |
| `threshold` | the neuron spikes at it and above, and loses it with each spike |
| `bias` | added to the membrane potential in each tick |

Source: rockpool 3.1.0, devices/xylo; xylosim 0.1.3, core v2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, i1
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.ir.operation import HasParentNamed, element_type
from ..chip_base.groups import arrays_of
from ..chip_base.parts import SenderOp, refuse_chip, verify_index
from ..chip_base.user import ResourceUserOpInterface
from ..chip_base.values import arrays_in, register_types, verify_shapes, verify_values
from ..ntensor import CountType

XYL001 = Code("XYL001", "registers-or-weights-inconsistent", "registers or weights are inconsistent")

REGISTERS: Mapping[str, tuple[int, int]] = {
    "dash_mem": (0, 15),
    "dash_syn": (0, 15),
    "dash_syn_2": (0, 15),
    "threshold": (1, 32767),
    "bias": (-32768, 32767),
}
"""Registers of a hidden neuron and the range that they have on any device."""
REGISTER_TYPES = register_types(REGISTERS)
SECOND_DASH = "dash_syn_2"
MOST_SPIKES = 31
"""Spikes of a hidden neuron in a tick. Source: xylosim 0.1.3, core v2."""
LARGEST = 32767
"""The largest membrane potential."""
NO_ALIAS = -1


class NumberedOp(SenderOp, ResourceUserOpInterface):
    """Base of groups of neurons of one population. `ids` are the numbers of the neurons among those of their kind.

    Shapes: index and ids [neurons]; registers () or [neurons]. Errors: CHI001, CHI002, XYL001.
    """

    KNOWN: ClassVar[tuple[str, ...]] = ()
    """The registers of a neuron."""

    ids = prop_def(ArrayAttr)
    registers = prop_def(DictionaryAttr)
    traits = traits_def(HasParentNamed("xylo.core"))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict-with-keyword `:` $type $body"

    @property
    def numbers(self) -> Ints:
        """Returns the number of each neuron. Shapes: [neurons]."""
        return self.ids.values.astype(np.int64)

    def held(self) -> dict[str, Ints]:
        """Returns the registers of each neuron by name. Shapes: [neurons]."""
        given = arrays_of(self.registers)
        return {name: np.broadcast_to(given[name].astype(np.int64), (self.size,)) for name in self.KNOWN}

    @property
    def is_single(self) -> bool:
        """Returns whether a neuron of the population emits at most one spike per tick, according to its type."""
        return element_type(self.type) == i1

    def quantities(self, device: Device) -> Mapping[str, int]:
        return {"neurons": self.size}

    def verify_(self) -> None:
        super().verify_()
        verify_index(self, "ids", self.ids, self.index.shape)
        given = arrays_of(self.registers)
        if given.keys() != set(self.KNOWN):
            expected, found = ", ".join(self.KNOWN), ", ".join(given) or "none"
            refuse_chip(self, "the registers are not those of a neuron", expected, found, XYL001)
        verify_shapes(self, "", self.registers, self.size, XYL001, "integers of shape ")
        verify_values(self, arrays_in(self.registers), REGISTER_TYPES, XYL001)
        self.verify_type()

    def verify_type(self) -> None:
        """Refuses a type of events that the neurons do not send. Errors: XYL001."""


@irdl_op_definition
class HiddenOp(NumberedOp):
    """Hidden neurons of one population. `aliases` has the hidden neuron that spikes together with each neuron, or -1.

    Shapes: index, ids and aliases [neurons]; registers () or [neurons]. Errors: CHI001, CHI002, XYL001.
    """

    KNOWN: ClassVar[tuple[str, ...]] = tuple(REGISTERS)

    name = "xylo.hidden"
    aliases = prop_def(ArrayAttr)

    def verify_(self) -> None:
        super().verify_()
        values = self.aliases.values
        if values.shape != (self.size,) or values.dtype.kind not in "iu" or int(values.min(initial=-1)) < NO_ALIAS:
            found = f"{values.dtype} of shape {list(values.shape)}"
            refuse_chip(self, "aliases are invalid", f"integers from -1 of shape [{self.size}]", found, XYL001)

    def verify_type(self) -> None:
        element = element_type(self.type)
        is_count = isinstance(element, CountType) and element.bits.data >= MOST_SPIKES.bit_length()
        if not self.is_single and not is_count:
            refuse_chip(
                self, "a hidden neuron sends spikes", f"i1, or counts up to {MOST_SPIKES}", str(element), XYL001
            )


@irdl_op_definition
class ReadoutOp(NumberedOp):
    """Output neurons of one population: one synaptic current, and at most one spike in a tick.

    Shapes: index and ids [neurons]; registers () or [neurons]. Errors: CHI001, CHI002, XYL001.
    """

    KNOWN: ClassVar[tuple[str, ...]] = tuple(name for name in REGISTERS if name != SECOND_DASH)

    name = "xylo.readout"

    def verify_type(self) -> None:
        if not self.is_single:
            refuse_chip(self, "an output neuron sends single spikes", "i1", str(element_type(self.type)), XYL001)
