"""Networks on TrueNorth, and the checks across their cores."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.irdl import irdl_op_definition, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.limits import Contracts
from ...core.device.named_device import device_named
from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code, invalid
from ...core.ir.body_ops import body_ops, body_ops_by_place, inner_body_ops
from ...core.ir.operation import NoptOperation
from ..chip_base.chip import CHI003, CHI005, ChipBase, verify_names, verify_places
from ..chip_base.parts import HELP_RECOMPILE, SenderOp, refuse_chip
from ..chip_base.user import verify_resources
from .cores import CoreOp, InputOp, OutputOp
from .neurons import NeuronsOp

TRN002 = Code("TRN002", "spike-without-destination", "a spike has no destination on the chip")
TRN003 = Code("TRN003", "spikes-merge-on-axon", "spikes of several senders merge on one axon")
TRN004 = Code("TRN004", "register-exceeds-width", "a register is beyond its width")
TRN005 = Code("TRN005", "axon-type-unsupported", "an axon has a type that the device does not have")
TRN006 = Code("TRN006", "neuron-several-destinations", "a neuron has several destinations")
TRN007 = Code("TRN007", "destination-out-of-reach", "a destination is out of reach")

OVERFLOWS = ("saturate", "wrap")
SIGNED = ("potential", "leak", "reset", "negative", "dx", "dy")
"""Registers with a sign; others hold integers from 0."""


@frozen(eq=False)
class Sent:
    """The axons that the rows of a group send to. Shapes: row, core, axon and tick [destinations]. Units: tick [ticks]."""

    row: Ints
    core: Ints
    """The number of the core, or BUS."""
    axon: Ints
    """The axon of the core, or the row of the output bus."""
    tick: Ints


BUS = -1
"""The output bus among destinations."""
NOWHERE = -2


@irdl_op_definition
class ChipOp(ChipBase):
    """A network on the chip. The attribute `machine.device` specifies the device; without it no limit is checked.

    `overflow` of a potential of `potential_bits` is saturate or wrap. `neuron_reset_type` 0 resets a potential below the negative threshold,
    1 also at it.

    Shapes: bus [2], the position of the output bus. Units: tick_ns [ns].
    Errors: CHI001, CHI002, CHI003, CHI005, TRN001 to TRN007, DEV016, DEV021; those of reading the device.
    """

    name = "truenorth.chip"
    potential_bits = prop_def(IntegerAttr.constr(i64))
    overflow = prop_def(StringAttr)
    neuron_reset_type = prop_def(IntegerAttr.constr(i64))
    bus = prop_def(ArrayAttr)
    inputs = body_ops(InputOp)
    cores = body_ops_by_place(CoreOp)
    neurons = inner_body_ops(CoreOp, NeuronsOp)
    outputs = body_ops(OutputOp)

    @property
    def axons_of_bus(self) -> int:
        """Returns the rows of the output bus at each of its positions: as many as a core has axons."""
        device = device_named(self)
        return (None if device is None else device.integer("core.input_axons")) or 256

    def sent(self, place: int, op: NeuronsOp, topology: Topology) -> Sent | None:
        """Returns the axons that rows of a core send to; None if they do not send."""
        found = op.destinations
        if found is None:
            return None
        row, dx, dy, axon, tick = (
            one.values.astype(np.int64) for one in (found.row, found.dx, found.dy, found.axon, found.tick)
        )
        x, y = column(topology, place) + dx, line(topology, place) + dy
        bus_x, bus_y = self.bus.values.tolist()
        on_grid = (x >= 0) & (x < columns(topology)) & (y >= 0) & (y < lines(topology))
        core = np.where(on_grid, core_at(topology, np.where(on_grid, x, 0), np.where(on_grid, y, 0)), NOWHERE)
        is_bus = ~on_grid & (y == bus_y) & (x >= bus_x)
        axon = np.where(is_bus, (x - bus_x) * self.axons_of_bus + axon, axon)
        return Sent(row, np.where(is_bus, BUS, core), axon, tick)

    def verify_structure(self) -> None:
        verify_numbers(self)
        verify_names(self)
        verify_outputs(self)

    def verify_on(self, device: Device, contracts: Contracts, topology: Topology) -> None:
        verify_places(self, topology)
        verify_potential(self, device)
        for place, core in self.cores.items():
            for op in core.neurons:
                verify_destinations(self, place, op, device, topology)
                verify_widths(op, device)
                verify_resources(op, device, contracts)
            verify_types(core, device)
            verify_resources(core, device, None)
        verify_axons(self, device, topology)
        verify_bus(self, topology)


# ---- positions


def column(topology: Topology, core: int) -> int:
    """Returns the column of a core in the mesh of all chips."""
    chip, x, _ = topology.place(core)
    return chip % chips_along(topology) * topology.width + x


def line(topology: Topology, core: int) -> int:
    chip, _, y = topology.place(core)
    return chip // chips_along(topology) * topology.height + y


def chips_along(topology: Topology) -> int:
    """Returns the number of chips along x."""
    return int(getattr(topology, "chips_x", topology.chips))


def columns(topology: Topology) -> int:
    """Returns the columns of the mesh of all chips."""
    return chips_along(topology) * topology.width


def lines(topology: Topology) -> int:
    return topology.chips // chips_along(topology) * topology.height


def core_at(topology: Topology, x: Ints, y: Ints) -> Ints:
    """Returns the core at a position of the mesh of all chips."""
    chip = y // topology.height * chips_along(topology) + x // topology.width
    return (chip * topology.height + y % topology.height) * topology.width + x % topology.width


# ---- verification


def refuse_row(
    op: NoptOperation, code: Code, node: str, message: str, expected: str, found: str, **limit: object
) -> NoReturn:
    """Refuses a row of a layer of the user."""
    invalid(op, code, message, node=node, expected=expected, found=found, **{"help": HELP_RECOMPILE, **limit})


def verify_numbers(chip: ChipOp) -> None:
    """Refuses properties of the chip out of range. Errors: CHI001."""
    bits, kind = chip.potential_bits.value.data, chip.neuron_reset_type.value.data
    for what, is_right, expected, found in (
        ("potential_bits", 2 <= bits <= 32, "2 to 32", str(bits)),
        ("overflow", chip.overflow.data in OVERFLOWS, " or ".join(OVERFLOWS), chip.overflow.data),
        ("neuron_reset_type", kind in (0, 1), "0 or 1", str(kind)),
        ("bus", chip.bus.shape == (2,) and chip.bus.data.dtype.kind in "iu", "two integers", str(list(chip.bus.shape))),
    ):
        if not is_right:
            refuse_chip(chip, f"{what} is invalid", expected, found)


def verify_potential(chip: ChipOp, device: Device) -> None:
    """Refuses potentials of another width than the register of the device. Errors: TRN004."""
    width, found = register_bits(device).get("potential"), chip.potential_bits.value.data
    if width is not None and found != width:
        expected = f"{width} ({device.key}, core.images.rows.word)"
        refuse_chip(chip, "potential_bits are not those of the register", expected, str(found), TRN004)


def verify_outputs(chip: ChipOp) -> None:
    """Refuses an output of neurons without rows of the output bus, and one of an input with rows. Errors: CHI002."""
    of_inputs = {op.source.data for op in chip.inputs}
    for output in chip.outputs:
        if (output.rows is None) != (output.source.data in of_inputs):
            refuse_chip(output, "an output of neurons has no rows of the bus", "rows, of neurons alone", "others")


def verify_destinations(chip: ChipOp, place: int, op: NeuronsOp, device: Device, topology: Topology) -> None:
    """Refuses rows with several destinations, and destinations that are too far or too soon. Errors: TRN002, TRN006 to CHI005."""
    node, found, sent = op.source.data, op.destinations, chip.sent(place, op, topology)
    if found is None or sent is None:
        return
    each = device.integer("core.destinations")
    most = int(np.bincount(sent.row).max(initial=0))
    if each is not None and most > each:
        path = "core.destinations"
        limit = device.limit_facts(path, most, each)
        expected = f"at most {each} axons, and further rows for copies of the neuron"
        refuse_row(op, TRN006, node, "a row has too many destinations", expected, f"{most} axons", **limit)
    reach, path = device.integer("topology.routers.reach"), "topology.routers.reach"
    far = max(int(np.abs(one.values).max(initial=0)) for one in (found.dx, found.dy))
    if reach is not None and far > reach:
        limit = device.limit_facts(path, far, reach)
        refuse_row(op, TRN007, node, "a destination is out of reach", f"offsets up to {reach}", str(far), **limit)
    least, path = device.integer("synapse.delay.min") or 0, "synapse.delay.min"
    soon = int(sent.tick.min(initial=least))
    if soon < least:
        limit = device.limit_facts(path, soon, least)
        refuse_row(
            op,
            CHI005,
            node,
            f"delay below the minimum of {device.key}",
            f"at least {least} ticks",
            f"{soon} ticks",
            **limit,
        )
    if (lost := sent.row[sent.core == NOWHERE]).size:
        expected = "an offset to a core, or to the output bus"
        refuse_row(op, TRN002, node, TRN002.summary, expected, f"row {int(lost[0])} sends beyond the chip")


def register_bits(device: Device) -> dict[str, int]:
    """Returns the bits of each register of a row, as the device declares its memory."""
    image = None if device.core is None else device.core.images.get("rows")
    pairs = (text.rpartition(":") for text in (() if image is None else image.word))
    return {name: int(bits) for name, _, bits in pairs}


def verify_widths(op: NeuronsOp, device: Device) -> None:
    """Refuses parameters that the registers of the device cannot hold. Errors: TRN004."""
    bits = register_bits(device)
    given = {**op.registers(), "potential": op.potentials()}
    for name, values in given.items():
        register = REGISTERS.get(name, name)
        if name == "negative_threshold" and "negative" in bits:
            register, values = "negative", -values
        width = bits.get(register)
        if width is None:
            if bits and values.any():
                expected = f"0, as {device.key} has no such register"
                refuse_row(
                    op, TRN004, op.source.data, f"{name} is not supported", expected, str(int(np.abs(values).max()))
                )
            continue
        low, high = (-(1 << width - 1), (1 << width - 1) - 1) if register in SIGNED else (0, (1 << width) - 1)
        for value in (int(values.min(initial=0)), int(values.max(initial=0))):
            if not low <= value <= high:
                path = "core.images.rows.word"
                source = f"{device.key}, {path}: {register}:{width}"
                limit = {"source": source, "path": path, "limit": high, "value": value}
                message = f"{name} is beyond its register of {width} bits"
                refuse_row(op, TRN004, op.source.data, message, f"{low} to {high}", str(value), **limit)


REGISTERS = {
    "leak_reversal": "reversal",
    "negative_threshold": "floor",
    "reset_potential": "reset",
    "reset_mode": "mode",
    "negative_mode": "saturates",
    "random_weights": "random",
    "random_leak": "randomleak",
    "threshold_mask": "mask",
}
"""Names of fields of a memory row, where they are not those of the parameters."""


def verify_types(core: CoreOp, device: Device) -> None:
    """Refuses types of axons that the device does not have. Errors: TRN005."""
    path = "core.crossbar.axon_types"
    limit = device.integer(path)
    most = 1 + max(
        int(core.types.values.max(initial=0)), max((op.weights.shape[1] for op in core.neurons), default=1) - 1
    )
    if limit is not None and most > limit:
        layers = ", ".join(core.layers())
        refuse_row(
            core,
            TRN005,
            layers,
            f"a core needs more types of axons than {device.key} has",
            f"at most {limit} types, a weight of each neuron for each",
            f"{most} types",
            **device.limit_facts(path, most, limit),
        )


def verify_axons(chip: ChipOp, device: Device, topology: Topology) -> None:
    """Refuses destinations that do not exist, axons without a sender, and axons of several senders. Errors: CHI003, TRN002, TRN003."""
    cores = chip.cores
    first: dict[int, list[str | None]] = {place: [None] * core.axons.value.data for place, core in cores.items()}
    is_merging = device.core is not None and device.core.merges_spikes

    def arrive(op: SenderOp, core: Ints, axon: Ints, neuron: Ints) -> None:
        for place, at, which in zip(core.tolist(), axon.tolist(), neuron.tolist(), strict=True):
            if place == BUS:
                continue
            if place not in first or at >= len(first[place]):
                expected = f"an axon of one of {', '.join(map(str, sorted(first)))}"
                refuse_row(op, TRN002, op.source.data, TRN002.summary, expected, f"axon {at} of core {place}")
            sender = f"neuron {which} of {op.source.data}"
            if first[place][at] is not None and is_merging:
                refuse_row(
                    op,
                    TRN003,
                    op.source.data,
                    f"spikes merge on axon {at} of core {place}",
                    f"one sender of each axon, since {device.key} counts spikes of one axon and tick once",
                    f"{first[place][at]} and {sender}",
                    source=f"{device.key}, core.merges_spikes",
                    path="core.merges_spikes",
                )
            first[place][at] = sender

    for _, op in chip.senders():
        index = op.index.values.astype(np.int64)
        if isinstance(op, InputOp) and (packets := op.packets) is not None:
            core, axon, neuron = (one.values.astype(np.int64) for one in (packets.core, packets.axon, packets.neuron))
            arrive(op, core, axon, index[neuron])
    for place, held in cores.items():
        for op in held.neurons:
            if (sent := chip.sent(place, op, topology)) is not None:
                arrive(op, sent.core, sent.axon, op.index.values.astype(np.int64)[sent.row])
    for place, axons in first.items():
        if None in axons:
            expected = "a sender for each axon"
            refuse_chip(cores[place], "an axon has no sender", expected, f"none for axon {axons.index(None)}", CHI003)


def verify_bus(chip: ChipOp, topology: Topology) -> None:
    """Refuses outputs with neurons that do not send to their output bus row. Errors: TRN002."""
    reached: dict[tuple[str, int], int] = {}
    for place, core in chip.cores.items():
        for op in core.neurons:
            if (sent := chip.sent(place, op, topology)) is not None:
                at_bus = sent.core == BUS
                neurons = op.index.values.astype(np.int64)[sent.row[at_bus]].tolist()
                reached |= {
                    (op.source.data, n): row for n, row in zip(neurons, sent.axon[at_bus].tolist(), strict=True)
                }
    for output in chip.outputs:
        for neuron, row in enumerate(() if output.rows is None else output.rows.values.tolist()):
            if reached.get((output.source.data, neuron)) != row:
                found = f"{reached.get((output.source.data, neuron), 'none')} for neuron {neuron}"
                refuse_row(
                    output, TRN002, output.source.data, "an output is not sent", f"row {row} of the output bus", found
                )
