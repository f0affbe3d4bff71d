"""Cores of the asic dialect: groups of neurons, inputs, routes and outputs. `tables.py` defines their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NoReturn

import numpy as np
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Operation
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import HasParent, NoTerminator, OpTrait

from ...core.arrays.arrays import ArrayAttr
from ...core.device.limits import FORMATS, add_needs, class_limits
from ...core.device.outside_memory import STORE
from ...core.device.records import Device
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import NoptOperation, shape_of
from ..machine_ops.parts import updates_of
from ..ntensor import UpdateOp
from ..resources.formats import TableFormat, has_delays, memory_need, table_bits, window_needs
from ..resources.needs import Classes, bits_of, find_classes, neuron_bits, payload_bits
from ..resources.user import ResourceUserOpInterface
from ..resources.weights import bits_of_range
from .tables import (
    Entries,
    OutputAxonsOp,
    TableOp,
    verify_index,
    verify_whole,
)

ASI002 = Code("ASI002", "groups, inputs and outputs do not match")

AGAIN = "compile the network again"
SHARED = ("neurons", "synapses", "output_axons", "synapse_bytes", "neuron_bytes")
"""Quantities of the groups of a core that are added; axons and classes are counted once for all groups."""


class SenderOp(NoptOperation):
    """Base of groups and inputs: neurons of one population or input, whose events go to output axons.

    Shapes: index [neurons], flat indices in the population or input.
    """

    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    index = prop_def(ArrayAttr)
    type = prop_def(base(TensorType))
    body = region_def("single_block")

    @property
    def size(self) -> int:
        """Returns the number of neurons."""
        return self.index.data.size

    @property
    def output_axons(self) -> OutputAxonsOp | None:
        """Returns the destinations of its events; None if it sends none."""
        return next((op for op in self.body.block.ops if isinstance(op, OutputAxonsOp)), None)

    def verify_sender(self) -> None:
        """Refuses indices that are not neurons, and destinations of neurons that the group does not have. Errors: ASI001, ASI002."""
        verify_index(self, "index", self.index)
        axons = self.output_axons
        if axons is not None and axons.neuron.data.size and (last := int(axons.neuron.data.greatest())) >= self.size:
            refuse_chip(axons, "a destination belongs to no neuron", f"a neuron below {self.size}", str(last))


def refuse_chip(op: Operation, message: str, expected: str, found: str, code: Code = ASI002) -> NoReturn:
    """Errors: ASI002, or the given code."""
    invalid(op, code, message, expected=expected, found=found, help=AGAIN)


@irdl_op_definition
class HostInputOp(SenderOp):
    """Entries of an input of the network, whose events the host sends to the core `at`. Errors: ASI001, ASI002."""

    name = "asic.input"
    at = prop_def(IntegerAttr.constr(i64))
    traits = traits_def(NoTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source `at` $at attr-dict-with-keyword `:` $type $body"

    def verify_(self) -> None:
        self.verify_sender()


@irdl_op_definition
class NeuronsOp(SenderOp, ResourceUserOpInterface):
    """A group of neurons of one population on a core, with the tables of its synapses.

    Shapes: parameters and states () or [neurons]. Errors: ASI001, ASI002.
    """

    name = "asic.neurons"
    update = prop_def(FlatSymbolRefAttrConstr)
    params = prop_def(DictionaryAttr)
    initial = prop_def(DictionaryAttr)
    traits = lazy_traits_def(lambda: (NoTerminator(), HasParent(CoreOp)))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source $update attr-dict-with-keyword `:` $type $body"

    @property
    def tables(self) -> list[TableOp]:
        return [op for op in self.body.block.ops if isinstance(op, TableOp)]

    def entries(self) -> list[Entries]:
        """Returns the synapses of each table."""
        neurons = self.index.values.astype(np.int64)
        return [table.entries(neurons) for table in self.tables]

    @property
    def update_name(self) -> str:
        return self.update.root_reference.data

    def definition(self) -> UpdateOp | None:
        """Returns the update of the neurons; None if the module has none of that name."""
        module = enclosing_module(self)
        return None if module is None else updates_of(module).get(self.update_name)

    def layers(self) -> tuple[str, ...]:
        return (self.source.data,)

    def quantities(self, device: Device) -> Mapping[str, int]:
        entries, update = self.entries(), self.definition()
        used = {"neurons": self.size, "synapses": sum(len(one.axon) for one in entries)}
        fan_in = sum((np.bincount(one.neuron, minlength=self.size) for one in entries), np.zeros(self.size, np.int64))
        used["fan_in"] = int(fan_in.max(initial=0))
        used["input_axons"] = len(np.unique(np.concatenate([np.zeros(0, np.int64), *(one.axon for one in entries)])))
        used["weight_bits"] = max((bits_needed(table) for table in self.tables), default=0)
        used["weight_exponent"] = max((table.shared_exponent for table in self.tables), default=0)
        used["delay"] = max((int(one.delay.max(initial=0)) for one in entries), default=0)
        if (axons := self.output_axons) is not None:
            pairs = np.unique(np.stack([axons.neuron.values, axons.core.values]), axis=1)[0]
            used |= {"fan_out": int(np.bincount(pairs).max(initial=0)), "output_axons": len(pairs)}
        used["payload_bits"] = payload_bits(self.type, device)
        if update is not None:
            used["state_bits"] = max((bits_of(type) for type in update.state_types.values()), default=0)
            used["neuron_bytes"] = -(-neuron_bits(self.params, update) * self.size // 8)
        used |= table_bytes(self.tables, device)
        for table in self.tables:
            used |= {need: max(n, used.get(need, 0)) for need, n in window_needs(table.window_sizes()).items()}
        return used | {f"classes.{name}": len(found) for name, found in self.classes(device).items()}

    def classes(self, device: Device) -> dict[str, Classes]:
        """Returns the different values of each group of shared parameters, and the formats of tables if the device limits them."""
        groups, every = device.core.shared if device.core is not None else {}, [np.arange(self.size)]
        found = {
            name: find_classes(self.params, group.parameters, every, self.size)[0] for name, group in groups.items()
        }
        if FORMATS in class_limits(device):
            found[FORMATS] = frozenset(format_of(table, device) for table in self.tables if table.format is not None)
        return found

    def verify_(self) -> None:
        self.verify_sender()
        core = self.parent_op()
        if isinstance(core, CoreOp):
            for table in self.tables:
                table.verify_against(core.axons.value.data, self.size)
        for what, given in (("parameter", self.params), ("state", self.initial)):
            for name, array in given.data.items():
                if not isinstance(array, ArrayAttr) or array.shape not in ((), (self.size,)):
                    found = str(list(array.shape)) if isinstance(array, ArrayAttr) else str(array)
                    refuse_chip(self, f"{what} {name} has another shape", f"[] or [{self.size}]", found)


def bits_needed(table: TableOp) -> int:
    """Returns the bits of the widest weight that a table stores: signed, or 1 if all are 0 or 1."""
    values = table.weight.values
    if values.dtype.kind == "f":
        return 8 * values.dtype.itemsize
    return bits_of_range(int(values.min(initial=0)), int(values.max(initial=0)))


def format_of(table: TableOp, device: Device) -> TableFormat:
    """Returns the format of a table, which has no register for signs."""
    name = "" if table.format is None else table.format.data
    return TableFormat(name, table.shared_exponent, "mixed", is_delayed(table, device))


def is_delayed(table: TableOp, device: Device) -> bool:
    """Returns whether a table needs memory for delays."""
    return has_delays(int(table.delay.values.max(initial=0)), device)


def table_bytes(tables: Sequence[TableOp], device: Device) -> dict[str, int]:
    """Returns the memory of tables by need; empty if the device does not specify that of all."""
    formats, bits = device.synapse.formats if device.synapse is not None else {}, {"synapse_bytes": 0}
    for table in tables:
        format = None if table.format is None else formats.get(table.format.data)
        if table.format is None or format is None:
            return {}
        held = table_bits(device, table.format.data, table.rows, is_delayed=is_delayed(table, device))
        if held is None:
            return {}
        need = memory_need(format)
        bits[need] = bits.get(need, 0) + held
    return {need: -(-n // 8) for need, n in bits.items()}


def chip_traits() -> tuple[OpTrait, ...]:
    """Returns the traits of an op in a chip."""
    from ..asic import ChipOp

    return NoTerminator(), HasParent(ChipOp)


@irdl_op_definition
class CoreOp(ResourceUserOpInterface):
    """One core with its input axons and its groups of neurons. Cores are numbered chip by chip."""

    name = "asic.core"
    place = prop_def(IntegerAttr.constr(i64))
    axons = prop_def(IntegerAttr.constr(i64))
    body = region_def("single_block")
    traits = lazy_traits_def(chip_traits)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$place attr-dict-with-keyword $body"

    @property
    def groups(self) -> list[NeuronsOp]:
        return [op for op in self.body.block.ops if isinstance(op, NeuronsOp)]

    def verify_(self) -> None:
        if self.axons.value.data < 0:
            refuse_chip(self, "the number of axons is negative", "0 or more", str(self.axons.value.data))

    def layers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(group.source.data for group in self.groups))

    def quantities(self, device: Device) -> Mapping[str, int]:
        each = [group.quantities(device) for group in self.groups]
        used = {name: sum(one[name] for one in each) for name in SHARED if each and all(name in one for one in each)}
        used |= {name: n for name, n in add_needs(each).items() if name.startswith(STORE)}
        classes: dict[str, Classes] = {}
        for group in self.groups:
            for name, found in group.classes(device).items():
                classes[f"classes.{name}"] = classes.get(f"classes.{name}", frozenset()) | found
        return used | {"input_axons": self.axons.value.data} | {name: len(found) for name, found in classes.items()}


@irdl_op_definition
class RouteOp(NoptOperation):
    """A tree of links for events of a group or an input; `neurons` lists those that use it, default all.

    Shapes: links [links, columns], as of `machine.route`; neurons [n].
    """

    name = "asic.route"
    node = prop_def(StringAttr)
    links = prop_def(ArrayAttr)
    neurons = opt_prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict"

    def verify_(self) -> None:
        if self.neurons is not None:
            verify_index(self, "neurons", self.neurons)
        shape = self.links.shape
        if len(shape) != 2:
            refuse_chip(self, "links have another shape", "[links, columns]", str(list(shape)))
        verify_whole(self, "links", self.links)


@irdl_op_definition
class HostOutputOp(NoptOperation):
    """An output of the network: the events of a population or input, `delay` ticks later.

    Shapes: delay () or [neurons of the population]. Units: delay [ticks].
    """

    name = "asic.output"
    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    delay = prop_def(ArrayAttr)
    type = prop_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict `:` $type"

    def verify_(self) -> None:
        if self.delay.shape not in ((), (size := prod(shape_of(self.type)),)):
            refuse_chip(self, "delay has another shape", f"[] or [{size}]", str(list(self.delay.shape)))
        verify_whole(self, "delay", self.delay)


def enclosing_module(op: Operation) -> ModuleOp | None:
    """Returns the module that an op belongs to."""
    found: Operation | None = op
    while found is not None and not isinstance(found, ModuleOp):
        found = found.parent_op()
    return found
