"""Networks on SpiNNaker, and the checks across their cores and routers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from xdsl.irdl import irdl_op_definition

from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code
from ...core.help_text import Option, Phrase
from ...core.ir.body_ops import body_ops, body_ops_by_place, inner_body_ops
from ...core.routing.walk import walk
from ...core.topology.hex_torus import HexTorusTopology
from ..chip_base.chip import CHI003, ChipBase
from ..chip_base.groups import GroupOp
from ..chip_base.parts import HELP_RECOMPILE, abbreviate, refuse_chip, verify_limit
from ..chip_base.user import verify_plasticity
from ..machine import first_processor
from .cores import CoreOp, InputOp, KeyedOp, NeuronsOp
from .routers import RouterOp
from .rows import RowsOp

SPN003 = Code("SPN003", "ring-buffers-too-large", "the ring buffers of a core are too large")
SPN004 = Code("SPN004", "row-synapses-exceeded", "a row has more synapses than the chip can read")
SPN005 = Code("SPN005", "sender-keys-overlap", "keys of two senders overlap")
SPN006 = Code("SPN006", "key-without-rows", "a key selects no rows, or rows have no sender")
SPN007 = Code("SPN007", "router-table-exceeded", "the table of a router has more entries than the device")
SPN008 = Code("SPN008", "keys-miss-row-cores", "the routers do not deliver keys to the cores with their rows")
SPN009 = Code("SPN009", "core-learning-rules-differ", "rows of a core have different learning rules")


@irdl_op_definition
class ChipOp(ChipBase):
    """A network on the machine. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI001, CHI002, CHI003, SPN001 to SPN009, DEV016, DEV021, CHI022; those of reading the device.
    """

    name = "spinnaker.chip"
    inputs = body_ops(InputOp)
    cores = body_ops_by_place(CoreOp)
    groups = inner_body_ops(CoreOp, NeuronsOp)
    routers = body_ops_by_place(RouterOp)
    """The router of each chip that has a table."""

    @property
    def keyed(self) -> Sequence[KeyedOp]:
        """Returns inputs and groups, which send keys."""
        return [*self.inputs, *self.groups]

    def verify_senders(self) -> None:
        verify_keys(self)

    def verify_group(self, group: GroupOp, device: Device) -> None:
        assert isinstance(group, NeuronsOp)  # a core has no others
        verify_ring_buffers(group, device)
        verify_rows(group, device)
        verify_learning(group, device)

    def verify_delivery(self, device: Device, topology: Topology) -> None:
        verify_routers(self, device, topology)


def verify_keys(chip: ChipOp) -> None:
    """Refuses keys of two senders, and keys and rows without each other. Errors: CHI003, SPN005, SPN006."""
    cores, blocks = chip.cores, sorted(chip.keyed, key=lambda op: op.key.value.data)
    for first, second in pairwise(blocks):
        end = first.key.value.data + (~first.mask.value.data & 0xFFFFFFFF)
        if second.key.value.data <= end:
            found = f"{second.key.value.data:#x} of {second.node.data}, within those of {first.node.data}"
            refuse_chip(second, SPN005.summary, f"keys above {end:#x}", found, SPN005)
    sent: set[tuple[int, int, int]] = set()
    for op in chip.keyed:
        for place in op.cores.values.tolist():
            if place not in cores:
                expected = f"one of {abbreviate(np.array([*cores]))}"
                refuse_chip(op, "a destination is not a core", expected, str(place), CHI003)
            sent.add((place, op.key.value.data, op.mask.value.data))
    held = {
        (place, rows.key.value.data, rows.mask.value.data)
        for place, core in cores.items()
        for group in core.groups
        for rows in group.rows
    }
    for place, key, mask in sorted(sent ^ held):
        expected = "a sender for the keys of each table, and a table for the keys that arrive"
        refuse_chip(cores[place], SPN006.summary, expected, f"key {key:#x}, mask {mask:#x}", SPN006)


def verify_routers(chip: ChipOp, device: Device, topology: Topology) -> None:
    """Refuses routing tables with too many entries, and tables that deliver keys to other cores than their destinations. Errors: CHI002, SPN007, SPN008."""
    verify_positions(chip)
    path, slots = "topology.routers.entries", device.integer("topology.mesh.cores") or 1
    for place, router in chip.routers.items():
        entries = len(router.table.key)
        found, help = f"{entries} of chip {place}", "compile for more chips: nopt targets"
        verify_limit(router, SPN007, device, path, entries, "entries", found, node="", help=help)
    if not isinstance(topology, HexTorusTopology):
        return
    senders = [(at, op) for at, op in chip.senders() if isinstance(op, KeyedOp) and op.cores.data.size]
    first = first_processor(device)
    key, mask = (np.array([getattr(op, name).value.data for _, op in senders]) for name in ("key", "mask"))
    start = np.array([at // slots for at, _ in senders])
    tables = {place: router.table for place, router in chip.routers.items()}
    reached = walk(tables, topology.neighbours, key, mask, start)
    for k, (_, op) in enumerate(senders):
        mine = reached.block == k
        cores = sorted((reached.position[mine] * slots + reached.processor[mine] - first).tolist())
        wrong = reached.fault is not None and reached.fault.block == k
        if wrong or cores != op.cores.values.tolist():
            expected = f"cores {abbreviate(op.cores.values)}"
            found = (
                reached.fault.message if wrong and reached.fault is not None else f"cores {abbreviate(np.array(cores))}"
            )
            refuse_chip(op, SPN008.summary, expected, found, SPN008)


def verify_positions(chip: ChipOp) -> None:
    """Refuses two tables of one router. Errors: CHI002."""
    seen = set[int]()
    for op in chip.body.block.ops:
        if isinstance(op, RouterOp):
            if (place := op.place.value.data) in seen:
                refuse_chip(op, "two tables of one router", "each router once", str(place))
            seen.add(place)


def verify_ring_buffers(group: NeuronsOp, device: Device) -> None:
    """Errors: SPN003."""
    path, format = "features.ring_buffer_bits", group.format
    if (limit := device.integer(path)) is None:
        return
    fewer = 1 << max(0, limit - 1 - format.delay_bits)
    found = f"{format.ring_bits} bits: {group.size} neurons, 2 receptors and {format.slots} slots of delays"
    help = compile_with(f"--set core.neurons={fewer} --set synapse.delay.max={format.slots}")
    verify_limit(group, SPN003, device, path, format.ring_bits, "bits", found, node=group.source.data, help=help)


def verify_rows(group: NeuronsOp, device: Device) -> None:
    """Errors: SPN004."""
    for rows in group.rows:
        found = f"{rows.length} synapses of one source in {rows.node.data}"
        help = compile_with(f"--set core.neurons={max(1, group.size // 2)}") if group.size > 1 else HELP_RECOMPILE
        node, path = group.source.data, "features.row_synapses"
        verify_limit(rows, SPN004, device, path, rows.length, "synapses", found, node=node, help=help)


def compile_with(options: str) -> Phrase:
    """Returns the help with options of a device, which the text of a chip does not have."""
    return Phrase(Option(f"compile the network with {options}", options, is_of_device=True))


def verify_learning(group: NeuronsOp, device: Device) -> None:
    """Errors: SPN009, CHI022."""
    first: RowsOp | None = None
    for rows in group.rows:
        if rows.plasticity is None:
            continue
        first = first or rows
        if (rows.plasticity, rows.triplet) != (first.plasticity, first.triplet):
            rules = [" ".join(map(str, filter(None, (one.plasticity, one.triplet)))) for one in (first, rows)]
            refuse_chip(rows, SPN009.summary, f"that of {first.node.data}: {rules[0]}", rules[1], SPN009)
        verify_plasticity(rows, rows.plasticity, None, device, group.source.data, kind=rows.plasticity.device_rule)
