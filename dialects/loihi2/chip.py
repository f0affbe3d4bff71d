"""Networks on Loihi, and the checks across their cores."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition

from ...core.device.dtypes import dtype_bits
from ...core.device.records import Device
from ...core.diagnostics import invalid
from ...core.ir.body_ops import body_ops_by_place, inner_body_ops
from ..chip_base.chip import CHI004, CHI006, ChipBase
from ..chip_base.groups import GroupOp
from ..chip_base.parts import HELP_RECOMPILE, refuse_beyond, refuse_chip
from ..chip_base.user import verify_plasticity
from ..chip_base.values import arrays_in, verify_values
from ..fixed import IntType
from .cores import CompartmentsOp, NeuroCoreOp
from .synapses import DenseOp, SparseOp, SynapsesOp

LAYOUTS: dict[type[SynapsesOp], str] = {SparseOp: "sparse", DenseOp: "dense"}


@irdl_op_definition
class ChipOp(ChipBase):
    """A network on the chip. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI001, CHI002, CHI003, CHI005, CHI004, CHI006, LOI001, LOI002, LOI010 to LOI019, DEV016, DEV021, CHI022; those of reading the device.
    """

    name = "loihi2.chip"
    cores = body_ops_by_place(NeuroCoreOp)
    groups = inner_body_ops(NeuroCoreOp, CompartmentsOp)

    def verify_senders(self) -> None:
        verify_configurations(self)
        super().verify_senders()

    def verify_group(self, group: GroupOp, device: Device) -> None:
        for table in group.tables:
            assert isinstance(table, SynapsesOp)  # the tables of a group of this dialect
            verify_format(table, group, device)
            verify_exponent(table, group, device)
            if (rule := table.learning_rule) is not None:
                verify_plasticity(table, rule, table.bits, device, group.source.data)


def verify_configurations(chip: ChipOp) -> None:
    """Refuses registers and configurations that an update does not have or has twice, and values of unused configurations. Errors: CHI002, CHI007."""
    for core in chip.cores.values():
        types: dict[str, list[Attribute]] = {}
        for group in core.groups:
            known = group.definition()
            assert known is not None  # verified before
            given = [*group.registers.data]
            if lost := next((name for name in given if name not in known.param_types), None):
                refuse_chip(group, "a register that the update does not have", ", ".join(known.param_types), lost)
            if twice := next((name for name in group.selected() if name in given), None):
                refuse_chip(group, "a register is a configuration, too", "one of both", twice)
            for name, type in known.param_types.items():
                types.setdefault(name, []).append(type)
        for name, array in arrays_in(core.profiles, core.thresholds).items():
            if name not in types:
                expected = ", ".join(types) or "none"
                refuse_chip(core, "a configuration that no update has", expected, name)
            verify_values(core, {name: array}, {name: widest(types[name])})


def widest(types: Sequence[Attribute]) -> Attribute:
    """Returns the narrowest integer type that covers all given integer types; the first type if none of them is an integer type."""
    held = [type for type in types if isinstance(type, IntType)]
    return IntType(min(one.lower for one in held), max(one.upper for one in held)) if held else types[0]


def verify_format(table: SynapsesOp, group: GroupOp, device: Device) -> None:
    """Refuses a table that the device cannot store. Errors: CHI004."""
    formats = device.synapse.formats if device.synapse is not None else {}
    name, layout = table.format.data, LAYOUTS[type(table)]
    known = formats.get(name)
    if known is not None and known.layout == layout and dtype_bits(known.dtype) == table.bits:
        return
    fitting = [key for key, one in formats.items() if one.layout == layout and dtype_bits(one.dtype) == table.bits]
    invalid(
        table,
        CHI004,
        f"{device.key} has no such format of synapses",
        node=group.source.data,
        expected=f"a format with the layout {layout} and {table.bits} bits: {', '.join(fitting) or 'none'}",
        found=name,
        source=f"{device.key}, synapse.formats",
        path="synapse.formats",
        help=HELP_RECOMPILE,
    )


def verify_exponent(table: SynapsesOp, group: GroupOp, device: Device) -> None:
    """Refuses a register of the exponent that the device does not have. Errors: CHI006."""
    found = table.weight_exp.value.data
    for path, is_beyond in (("features.weight_exp_min", int.__lt__), ("features.weight_exp_max", int.__gt__)):
        limit = device.integer(path)
        if limit is not None and is_beyond(found, limit):
            message = f"weight_exp is out of the range of {device.key}"
            expected = f"{'at least' if path.endswith('min') else 'at most'} {limit}"
            node = group.source.data
            refuse_beyond(table, CHI006, device, path, expected, str(found), found, limit, node=node, message=message)
