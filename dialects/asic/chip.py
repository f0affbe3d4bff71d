"""Networks on an ASIC, and the checks across their cores."""

from __future__ import annotations

import numpy as np
from xdsl.irdl import irdl_op_definition

from ...core.device.dtypes import dtype_bits
from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code, invalid
from ...core.ir.body_ops import body_ops, body_ops_by_place, inner_body_ops
from ...core.routing.forest import Forest
from ..chip_base.chip import CHI004, CHI006, ChipBase
from ..chip_base.groups import GroupOp
from ..chip_base.parts import HELP_RECOMPILE, refuse_chip
from ..chip_base.user import verify_plasticity
from .cores import CoreOp, NeuronsOp, RouteOp, bits_needed
from .tables import DenseOp, KernelOp, SparseOp, TableOp

ASI005 = Code("ASI005", "event-not-delivered", "an event is not delivered")
ASI008 = Code("ASI008", "sign-table-unsupported", "the device has no table for the signs of weights")

LAYOUTS: dict[type[TableOp], str] = {SparseOp: "sparse", DenseOp: "dense", KernelOp: "convolution"}


@irdl_op_definition
class ChipOp(ChipBase):
    """A network on the chip. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI001, CHI002, CHI003, CHI004, ASI005, CHI005, CHI006, ASI008, DEV016, DEV021, CHI022; those of reading the device.
    """

    name = "asic.chip"
    cores = body_ops_by_place(CoreOp)
    groups = inner_body_ops(CoreOp, NeuronsOp)
    routes = body_ops(RouteOp)

    def verify_(self) -> None:
        verify_routes(self)
        super().verify_()

    def verify_group(self, group: GroupOp, device: Device) -> None:
        for table in group.tables:
            assert isinstance(table, TableOp)  # the tables of a group of this dialect
            verify_format(table, group, device)
            if table.plasticity is not None:
                verify_plasticity(table, table.plasticity, weight_width(table, device), device, group.source.data)

    def verify_delivery(self, device: Device, topology: Topology) -> None:
        verify_delivery(self, topology)


# ---- verification


def verify_routes(chip: ChipOp) -> None:
    """Refuses routes of unknown groups and neurons. Errors: CHI002."""
    sizes = {op.node.data: op.size for _, op in chip.senders()}
    for route in chip.routes:
        if route.node.data not in sizes:
            refuse_chip(route, "a route of nothing", f"one of {', '.join(sorted(sizes))}", route.node.data)
        if len(users := route.listed_neurons) and (last := int(users.max())) >= sizes[route.node.data]:
            refuse_chip(route, "a route of other neurons", f"neurons below {sizes[route.node.data]}", str(last))


def verify_format(table: TableOp, group: GroupOp, device: Device) -> None:
    """Refuses a table that the device cannot store. Errors: CHI004."""
    formats = device.synapse.formats if device.synapse is not None else {}
    if not formats:
        return
    layout, name = LAYOUTS[type(table)], "none" if table.format is None else table.format.data
    known = formats.get(name)
    if known is None or known.layout != layout:
        expected = f"a format with the layout {layout}: {', '.join(n for n, one in formats.items() if one.layout == layout) or 'none'}"
        invalid(
            table,
            CHI004,
            f"{device.key} has no such format of synapses",
            node=group.source.data,
            expected=expected,
            found=name,
            source=f"{device.key}, synapse.formats",
            help=HELP_RECOMPILE,
        )
    verify_weight_exponent(table, group, device)
    verify_sign(table, group, device)
    bits = dtype_bits(known.dtype)
    if bits is not None and bits_needed(table) > bits:
        invalid(
            table,
            CHI004,
            f"a weight is wider than the format {name}",
            node=group.source.data,
            expected=f"{known.dtype}",
            found=f"{bits_needed(table)} bits",
            source=f"{device.key}, synapse.formats.{name}.dtype",
            path=f"synapse.formats.{name}.dtype",
            limit=bits,
            value=bits_needed(table),
            help=HELP_RECOMPILE,
        )


def verify_weight_exponent(table: TableOp, group: GroupOp, device: Device) -> None:
    """Refuses an exponent of weights that the device does not have. Errors: CHI006."""
    path, found = "synapse.weight_exponent", table.shared_exponent
    has_exponents = device.entry(path) is not None
    low = device.integer("synapse.weight_exponent.min") if has_exponents else 0
    high = device.integer("synapse.weight_exponent.max") if has_exponents else 0
    if (low is None or low <= found) and (high is None or found <= high):
        return
    if has_exponents:
        path = f"{path}.{'max' if high is not None and found > high else 'min'}"
    invalid(
        table,
        CHI006,
        f"exponent of weights that {device.key} does not have",
        node=group.source.data,
        expected=" and ".join(
            f"{text} {limit}" for text, limit in (("at least", low), ("at most", high)) if limit is not None
        ),
        found=str(found),
        source=device.cite(path) if has_exponents else f"{device.key}, {path}",
        path=path,
        limit=high if found > 0 else low,
        value=found,
        help=HELP_RECOMPILE,
    )


def verify_sign(table: TableOp, group: GroupOp, device: Device) -> None:
    """Refuses a table with a sign mode that the device does not support. Errors: ASI008."""
    modes = device.synapse.sign_modes if device.synapse is not None else ()
    if modes and table.sign not in (*modes, *(("excitatory", "inhibitory") if "mixed" in modes else ())):
        invalid(
            table,
            ASI008,
            f"{device.key} has no table for the signs of these weights",
            node=group.source.data,
            expected=" or ".join(modes),
            found=table.sign,
            source=f"{device.key}, synapse.sign_modes",
            path="synapse.sign_modes",
            help=HELP_RECOMPILE,
        )


def weight_width(table: TableOp, device: Device) -> int:
    """Returns the stored width of plastic weights: the width of the format, else the width of the widest weight."""
    formats = device.synapse.formats if device.synapse is not None else {}
    format = None if table.format is None else formats.get(table.format.data)
    return (None if format is None else dtype_bits(format.dtype)) or bits_needed(table)


def verify_delivery(chip: ChipOp, topology: Topology) -> None:
    """Refuses destinations that no route reaches. Errors: ASI005."""
    routes: dict[str, list[tuple[RouteOp, Forest]]] = {}
    starts = {op.node.data: place for place, op in chip.senders()}
    for route in chip.routes:
        forest = route.follow(topology, starts[route.node.data])
        if (fault := forest.fault) is not None:
            has_form = topology.has_form(route.links.values)
            expected = "a tree of links from its core" if has_form else topology.link_form
            refuse_chip(route, fault.message, expected, f"link {fault.link}", ASI005)
        routes.setdefault(route.node.data, []).append((route, forest))
    for place, op in chip.senders():
        if (axons := op.output_axons) is None:
            continue
        for core in np.unique(axons.core.values).tolist():
            waiting = np.zeros(op.size, np.bool_)
            waiting[axons.neuron.values[axons.core.values == core]] = core != place
            for route, forest in routes.get(op.node.data, ()):
                waiting &= ~route.served(forest.trees_to(core), op.size)
            if waiting.any():
                first = int(np.flatnonzero(waiting)[0])
                expected = f"a route from {topology.format_core(place)} to {topology.format_core(core)}"
                refuse_chip(op, "an event is not delivered", expected, f"none for neuron {first}", ASI005)
