"""Neuro-cores of the loihi2 dialect: groups of compartments, and the configurations that the compartments of a core share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.irdl import irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.limits import PRE_TRACES, TABLE_FORMATS, class_limits
from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import HasParentNamed
from ..chip_base.groups import CoreBase, GroupOp, arrays_of, table_bytes
from ..chip_base.needs import Classes, axon_slots
from ..chip_base.parts import InputBase, OutputAxonsBase, OutputBase, refuse_chip, verify_below, verify_whole
from ..chip_base.values import verify_shapes
from . import learning
from .synapses import SynapsesOp

LOI002 = Code("LOI002", "compartment-without-configuration", "a compartment has no configuration")

SHARED_BY = {"profiles": "profile", "thresholds": "threshold"}
"""The configurations of a core, and the property of compartments that selects one of each."""


@irdl_op_definition
class InputOp(InputBase):
    """Entries of an input of the network, whose spikes the host sends to the core `at`. Errors: CHI001, CHI002."""

    ONCE: ClassVar[tuple[str, ...]] = ("loihi2.output_axons",)

    name = "loihi2.input"


@irdl_op_definition
class OutputAxonsOp(OutputAxonsBase):
    """Output axons: a spike of the compartment becomes a spike on an input axon of a neuro-core.

    Shapes: neuron (a place in the group), core and axon [destinations]. Errors: CHI001.
    """

    name = "loihi2.output_axons"


@irdl_op_definition
class OutputOp(OutputBase):
    name = "loihi2.output"


@irdl_op_definition
class CompartmentsOp(GroupOp):
    """A group of compartments of one population on a neuro-core.

    `profile` and `threshold` are places in the configurations of the core. `registers` are parameters of each compartment.

    Shapes: profile and threshold () or [compartments]; registers and states () or [compartments].
    Errors: CHI001, CHI002; LOI002 a configuration that the core does not have.
    """

    ONCE: ClassVar[tuple[str, ...]] = ("loihi2.output_axons",)
    SEVERAL: ClassVar[tuple[str, ...]] = ("loihi2.dense", "loihi2.sparse")

    name = "loihi2.compartments"
    profile = prop_def(ArrayAttr)
    threshold = prop_def(ArrayAttr)
    registers = prop_def(DictionaryAttr)
    traits = traits_def(HasParentNamed("loihi2.neuro_core"))
    tables = body_ops(SynapsesOp)

    def selected(self) -> dict[str, AnyArray]:
        """Returns the parameters from the configurations of the core by name. Shapes: () or [compartments]."""
        core = self.parent_op()
        assert isinstance(core, NeuroCoreOp)  # a trait of the op
        found: dict[str, AnyArray] = {}
        for table, which in SHARED_BY.items():
            place: AnyArray = getattr(self, which).values
            found |= {name: values[place] for name, values in arrays_of(getattr(core, table)).items()}
        return found

    def parameters(self) -> Mapping[str, AnyArray]:
        update = self.definition()
        wanted: list[str] = [] if update is None else [name.data for name in update.params]
        found = {**self.selected(), **arrays_of(self.registers)}
        return {name: found[name] for name in wanted if name in found}

    @property
    def param_arrays(self) -> DictionaryAttr:
        return DictionaryAttr({name: ArrayAttr.of(np.asarray(values)) for name, values in self.parameters().items()})

    def quantities(self, device: Device) -> dict[str, int]:
        used = super().quantities(device)
        used["input_axons"] += (axon_slots(device) - 1) * len(self.learning_axons)
        used["weight_bits"] = max((table.bits for table in self.tables), default=0)
        used["weight_exponent"] = max((table.exponent for table in self.tables), default=0)
        tables = [(table.format.data, table.rows, table.longest_delay) for table in self.tables]
        return used | table_bytes(tables, device)

    def classes(self, device: Device) -> dict[str, Classes]:
        """Returns the configurations that the group uses, the formats of its tables, and the traces of sources of synapses that learn."""
        classes = super().classes(device)
        if TABLE_FORMATS in class_limits(device):
            classes[TABLE_FORMATS] = frozenset(table.table_format(device) for table in self.tables)
        if PRE_TRACES in class_limits(device):
            rules = [rule for table in self.tables if (rule := table.learning_rule) is not None]
            traces = {one for rule in rules for one in rule.traces(learning.PRE_TRACES)}
            classes[PRE_TRACES] = frozenset(((0, impulse), (1, tau)) for impulse, tau in traces)
        return classes

    @property
    def learning_axons(self) -> frozenset[int]:
        """Returns the input axons of synapses that learn."""
        tables = [table.axons.values.tolist() for table in self.tables if table.learning_rule is not None]
        return frozenset(axon for axons in tables for axon in axons)

    def verify_(self) -> None:
        super().verify_()
        verify_shapes(self, "register", self.registers, self.size)

    def verify_in(self, core: CoreBase) -> None:
        super().verify_in(core)
        for table, which in SHARED_BY.items():
            place: ArrayAttr = getattr(self, which)
            if place.shape not in ((), (self.size,)):
                refuse_chip(self, f"{which} has another shape", f"[] or [{self.size}]", str(list(place.shape)))
            verify_whole(self, which, place)
            known = min((one.size for one in arrays_of(getattr(core, table)).values()), default=1)
            verify_below(self, LOI002.summary, which, place, known, LOI002)


@irdl_op_definition
class NeuroCoreOp(CoreBase):
    """A neuro-core with its input axons, configurations, and groups of compartments. Cores are numbered chip by chip.

    `profiles` holds the parameters that a compartment takes from its profile, `thresholds` those of its threshold; an entry has one value for
    each configuration.

    Shapes: profiles [profiles], thresholds [thresholds].
    """

    HOLDS: ClassVar[tuple[str, ...]] = ("loihi2.compartments",)

    name = "loihi2.neuro_core"
    profiles = prop_def(DictionaryAttr)
    thresholds = prop_def(DictionaryAttr)
    traits = traits_def(HasParentNamed("loihi2.chip"))
    groups = body_ops(CompartmentsOp)

    def verify_(self) -> None:
        for table in SHARED_BY:
            given: DictionaryAttr = getattr(self, table)
            shapes = {one.shape for one in given.data.values() if isinstance(one, ArrayAttr)}
            if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes) or len(arrays_of(given)) < len(given.data):
                found = ", ".join(str(list(shape)) for shape in sorted(shapes))
                refuse_chip(self, f"{table} have different shapes", "one axis, the same for each", found, LOI002)
        super().verify_()
        self.verify_epochs()

    def verify_epochs(self) -> None:
        """Refuses learning rules with different epochs, which are a register of the core. Errors: LOI019."""
        tables = [table for group in self.groups for table in group.tables]
        rules = [(table, rule.t_epoch) for table in tables if (rule := table.learning_rule) is not None]
        for table, epoch in rules:
            if epoch != (first := rules[0][1]):
                expected, found = f"t_epoch = {first}, as of {rules[0][0].node.data}", f"t_epoch = {epoch}"
                help = f"t_epoch = {first}, or a population of another core"
                learning.refuse_rule(table, learning.Fault(learning.LOI019, expected, found, help))

    def join_quantities(self, device: Device, each: Sequence[Mapping[str, int]]) -> Mapping[str, int]:
        used = dict(super().join_quantities(device, each))
        used["input_axons"] += (axon_slots(device) - 1) * len(
            frozenset[int]().union(*(one.learning_axons for one in self.groups))
        )
        for table in SHARED_BY:
            listed = [len(one) for one in arrays_of(getattr(self, table)).values()]
            used[f"classes.{table}"] = max([used.get(f"classes.{table}", 0), *listed])
        return used
