"""Groups of neurons and cores, as the exit dialects of chips with cores share them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, FlatSymbolRefAttrConstr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation
from xdsl.irdl import ParsePropInAttrDict, prop_def, region_def, traits_def
from xdsl.traits import NoTerminator

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.limits import add_needs
from ...core.device.outside_memory import STORE
from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import VerifiesLast
from ..machine.parts import updates_of
from ..ntensor import UpdateOp
from .formats import AxonRows, has_delays, memory_need, table_bits
from .needs import Classes, bits_of, find_classes, neuron_bits, payload_bits
from .parts import Entries, SenderOp, SynapseTable, refuse_chip, verify_body
from .user import ResourceUserOpInterface
from .values import Range, arrays_in, needed_ranges, verify_ranges, verify_shapes, verify_values

CHI012 = Code("CHI012", "core-without-single-slice", "a core does not have one slice of a population")
CHI013 = Code("CHI013", "chip-neuron-unsupported", "the neurons are not those of the chip")

SHARED = ("neurons", "synapses", "output_axons", "synapse_bytes", "neuron_bytes")
"""Quantities of the groups of a core that are added; axons and classes are counted once for all groups."""


class GroupOp(SenderOp, ResourceUserOpInterface):
    """Base of groups of neurons of one population on a core, with the tables of its synapses.

    Shapes: initial and `params`, which most dialects have, () or [neurons]. Errors: CHI001, CHI002.
    """

    RANGES: ClassVar[Mapping[str, Range]] = {}
    """Ranges of parameters and states that are narrower than their types."""

    update = prop_def(FlatSymbolRefAttrConstr)
    initial = prop_def(DictionaryAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source $update attr-dict-with-keyword `:` $type $body"
    tables = body_ops(SynapseTable)

    @property
    def param_arrays(self) -> DictionaryAttr:
        """Returns the property `params`. A dialect overrides this if its groups store parameters in other properties."""
        return cast("DictionaryAttr", self.properties["params"])

    def parameters(self) -> Mapping[str, AnyArray]:
        """Returns the parameters of the update by name. Shapes: () or [neurons]."""
        return arrays_of(self.param_arrays)

    def classes(self, device: Device) -> dict[str, Classes]:
        """Returns the different values of the parameters that groups of a core share, by the name of the parameter class."""
        groups, every = device.core.shared if device.core is not None else {}, [np.arange(self.size)]
        return {
            name: find_classes(self.param_arrays, group.parameters, every, self.size)[0]
            for name, group in groups.items()
        }

    def states(self) -> dict[str, AnyArray]:
        """Returns the initial states by name. Shapes: () or [neurons]."""
        return arrays_of(self.initial)

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

    def quantities(self, device: Device) -> dict[str, int]:
        """Returns the quantities that follow from neurons, the synapses of tables, and output axons."""
        entries = self.entries()
        used = {"neurons": self.size, "synapses": sum(len(one.axon) for one in entries)}
        fan_in = sum((np.bincount(one.neuron, minlength=self.size) for one in entries), np.zeros(self.size, np.int64))
        used["fan_in"] = int(fan_in.max(initial=0))
        used["input_axons"] = len(np.unique(np.concatenate([np.zeros(0, np.int64), *(one.axon for one in entries)])))
        used["delay"] = max((int(one.delay.max(initial=0)) for one in entries), default=0)
        if (axons := self.output_axons) is not None:
            pairs = np.unique(np.stack([axons.neuron.values, axons.core.values]), axis=1)[0]
            used |= {"fan_out": int(np.bincount(pairs).max(initial=0)), "output_axons": len(pairs)}
        used["payload_bits"] = payload_bits(self.type, device)
        if (update := self.definition()) is not None:
            used["state_bits"] = max((bits_of(type) for type in update.state_types.values()), default=0)
            used["neuron_bytes"] = -(-neuron_bits(self.param_arrays, update) * self.size // 8)
        return used | {f"classes.{name}": len(values) for name, values in self.classes(device).items()}

    def verify_(self) -> None:
        super().verify_()
        verify_shapes(self, "state", self.initial, self.size)
        if "params" in self.properties:
            verify_shapes(self, "parameter", self.param_arrays, self.size)

    def verify_numbers(self, update: UpdateOp, tick_ns: int) -> None:
        """Refuses parameters and states outside of their types or ranges, or with other names than in the update. Errors: CHI007."""
        params = {name: ArrayAttr.of(np.asarray(values)) for name, values in self.parameters().items()}
        states = arrays_in(self.initial)
        verify_values(self, params, update.param_types)
        verify_values(self, states, update.stored_types)
        verify_ranges(self, params, needed_ranges(update))
        verify_ranges(self, params | states, self.RANGES)

    def verify_in(self, core: CoreBase) -> None:
        """Refuses tables of axons that the core does not have. Errors: CHI001."""
        for table in self.tables:
            table.verify_against(core.axons.value.data, self.size)


def table_bytes(tables: Sequence[tuple[str | None, AxonRows, int]], device: Device) -> dict[str, int]:
    """Returns the memory of tables by need; empty if the device does not specify the memory of every table.

    A table is its format, the entries of its axons, and its longest delay [ticks].
    """
    formats, bits = device.synapse.formats if device.synapse is not None else {}, {"synapse_bytes": 0}
    for name, rows, longest in tables:
        format = None if name is None else formats.get(name)
        if name is None or format is None:
            return {}
        held = table_bits(device, name, rows, is_delayed=has_delays(longest, device))
        if held is None:
            return {}
        need = memory_need(format)
        bits[need] = bits.get(need, 0) + held
    return {need: -(-n // 8) for need, n in bits.items()}


class CoreBase(ResourceUserOpInterface):
    """Base of cores with their input axons and groups of neurons. Cores are numbered chip by chip."""

    HOLDS: ClassVar[tuple[str, ...]] = ()
    """Ops of which its body holds any number."""

    place = prop_def(IntegerAttr.constr(i64))
    axons = prop_def(IntegerAttr.constr(i64))
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), VerifiesLast())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$place attr-dict-with-keyword $body"
    groups = body_ops(GroupOp)
    senders = body_ops(SenderOp)
    """The groups, also those without an update."""

    def verify_(self) -> None:
        if self.axons.value.data < 0:
            refuse_chip(self, "the number of axons is negative", "0 or more", str(self.axons.value.data))
        verify_body(self, (), self.HOLDS)
        for group in self.groups:
            group.verify_in(self)

    def layers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(op.source.data for op in self.senders))

    def quantities(self, device: Device) -> Mapping[str, int]:
        return self.join_quantities(device, [group.quantities(device) for group in self.groups])

    def join_quantities(self, device: Device, each: Sequence[Mapping[str, int]]) -> Mapping[str, int]:
        """Returns the total quantities that a core uses, from the quantities of each group."""
        used = {name: sum(one[name] for one in each) for name in SHARED if each and all(name in one for one in each)}
        used |= {name: n for name, n in add_needs(each).items() if name.startswith(STORE)}
        classes: dict[str, Classes] = {}
        for group in self.groups:
            for name, found in group.classes(device).items():
                classes[f"classes.{name}"] = classes.get(f"classes.{name}", frozenset()) | found
        return used | {"input_axons": self.axons.value.data} | {name: len(found) for name, found in classes.items()}


def arrays_of(given: DictionaryAttr) -> dict[str, AnyArray]:
    """Returns the arrays of a dictionary by name."""
    return {name: array.values for name, array in given.data.items() if isinstance(array, ArrayAttr)}


def enclosing_module(op: Operation) -> ModuleOp | None:
    """Returns the module that an op belongs to."""
    found: Operation | None = op
    while found is not None and not isinstance(found, ModuleOp):
        found = found.parent_op()
    return found
