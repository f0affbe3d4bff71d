"""Cores of the asic dialect: groups of neurons, inputs, routes and outputs. `tables.py` defines their tables."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    prop_def,
    traits_def,
)

from ...core.device.limits import TABLE_FORMATS, class_limits
from ...core.device.records import Device
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import HasParentNamed
from ..chip_base.formats import TableFormat, has_delays, window_needs
from ..chip_base.groups import CoreBase, GroupOp, table_bytes
from ..chip_base.multicast import MulticastOp
from ..chip_base.needs import Classes
from ..chip_base.parts import InputBase, OutputBase, refuse_chip, verify_index, verify_whole
from ..chip_base.weights import bits_of_range
from .tables import TableOp


@irdl_op_definition
class HostInputOp(InputBase):
    """Entries of an input of the network, whose events the host sends to the core `at`. Errors: CHI001, CHI002."""

    ONCE: ClassVar[tuple[str, ...]] = ("asic.output_axons",)

    name = "asic.input"


@irdl_op_definition
class NeuronsOp(GroupOp):
    """A group of neurons of one population on a core, with the tables of its synapses.

    Shapes: parameters and states () or [neurons]. Errors: CHI001, CHI002.
    """

    ONCE: ClassVar[tuple[str, ...]] = ("asic.output_axons",)
    SEVERAL: ClassVar[tuple[str, ...]] = ("asic.dense", "asic.sparse", "asic.kernel")

    name = "asic.neurons"
    params = prop_def(DictionaryAttr)
    traits = traits_def(HasParentNamed("asic.core"))
    tables = body_ops(TableOp)

    def quantities(self, device: Device) -> dict[str, int]:
        used = super().quantities(device)
        used["weight_bits"] = max((bits_needed(table) for table in self.tables), default=0)
        used["weight_exponent"] = max((table.shared_exponent for table in self.tables), default=0)
        names = [None if table.format is None else table.format.data for table in self.tables]
        stored = zip(names, self.tables, strict=True)
        used |= table_bytes([(name, table.rows, table.longest_delay) for name, table in stored], device)
        for table in self.tables:
            used |= {need: max(n, used.get(need, 0)) for need, n in window_needs(table.window_sizes()).items()}
        return used

    def classes(self, device: Device) -> dict[str, Classes]:
        """Returns the different values of each group of shared parameters, and the formats of tables if the device limits them."""
        classes = super().classes(device)
        if TABLE_FORMATS in class_limits(device):
            classes[TABLE_FORMATS] = frozenset(
                format_of(table, device) for table in self.tables if table.format is not None
            )
        return classes


def bits_needed(table: TableOp) -> int:
    """Returns the bits of the widest weight that a table stores: signed, or 1 if all are 0 or 1."""
    values = table.weight.values
    if values.dtype.kind == "f":
        return 8 * values.dtype.itemsize
    return bits_of_range(int(values.min(initial=0)), int(values.max(initial=0)))


def format_of(table: TableOp, device: Device) -> TableFormat:
    """Returns the format of a table, which has no register for signs."""
    name = "" if table.format is None else table.format.data
    is_delayed, learns = has_delays(table.longest_delay, device), table.plasticity is not None
    return TableFormat(name, table.shared_exponent, "mixed", is_delayed, learns)


@irdl_op_definition
class CoreOp(CoreBase):
    """One core with its input axons and its groups of neurons. Cores are numbered chip by chip."""

    HOLDS: ClassVar[tuple[str, ...]] = ("asic.neurons",)

    name = "asic.core"
    traits = traits_def(HasParentNamed("asic.chip"))
    groups = body_ops(NeuronsOp)


@irdl_op_definition
class RouteOp(MulticastOp):
    """Trees of links for events of a group or an input; `neurons` lists those that use each tree, default all.

    Shapes: links [links, columns], trees [trees, 2] and neurons [n], as of `machine.route`.
    """

    name = "asic.route"
    node = prop_def(StringAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict"

    def verify_(self) -> None:
        if self.neurons is not None:
            verify_index(self, "neurons", self.neurons)
        shape = self.links.shape
        if len(shape) != 2:
            refuse_chip(self, "links have another shape", "[links, columns]", str(list(shape)))
        verify_whole(self, "links", self.links)
        if self.trees is not None:
            verify_whole(self, "trees", self.trees)
        if (fault := self.find_size_fault()) is not None:
            what, expected, found = fault
            refuse_chip(self, f"{what} of trees is invalid", expected, found)


@irdl_op_definition
class HostOutputOp(OutputBase):
    name = "asic.output"
