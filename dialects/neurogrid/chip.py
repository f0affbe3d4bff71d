"""Networks on Neurogrid, and the checks across their Neurocores."""

from __future__ import annotations

import numpy as np
from xdsl.irdl import irdl_op_definition

from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code
from ...core.help_text import Option, Phrase
from ...core.ir.body_ops import body_ops_by_place, inner_body_ops
from ..chip_base.chip import ChipBase
from ..chip_base.groups import CHI013, GroupOp
from ..chip_base.parts import SenderOp, refuse_beyond, refuse_chip, verify_limit
from .cores import (
    SYNAPSES,
    CoreOp,
    SomasOp,
    event_quantities,
    occupied,
    terminals_of,
)
from .terminals import NGR002, PLACES

NGR005 = Code("NGR005", "site-used-twice", "two neurons have one site")
NGR006 = Code("NGR006", "synapse-populations-exceeded", "a neuron has more synapse populations than the chip")
NGR007 = Code("NGR007", "event-table-exceeded", "a neuron sends more events than its table has entries")
NGR008 = Code("NGR008", "site-events-exceeded", "a spike sends more events to a site than the device allows")

SECONDS = 1e9
"""Nanoseconds of a second."""


@irdl_op_definition
class ChipOp(ChipBase):
    """A network on the board. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI001, CHI002, CHI003, CHI013, NGR002 to NGR008, DEV016, DEV021; those of reading the device.
    """

    name = "neurogrid.chip"
    cores = body_ops_by_place(CoreOp)
    groups = inner_body_ops(CoreOp, SomasOp)

    def verify_senders(self) -> None:
        verify_terminals(self)
        verify_sites(self)
        verify_ticks(self)

    def verify_group(self, group: GroupOp, device: Device) -> None:
        assert isinstance(group, SomasOp)  # a core has no others
        path = "features.synapse_populations"
        node, help = group.source.data, set_field(path, group.synapses)
        verify_limit(group, NGR006, device, path, group.synapses, "synapse populations", node=node, help=help)
        verify_array(group, device)

    def verify_delivery(self, device: Device, topology: Topology) -> None:
        for _, op in self.senders():
            verify_events(op, device)
        fullest = max((op for _, op in self.senders()), key=largest_table, default=None)
        if fullest is not None:  # its limit is enough for all
            used, path, unit = largest_table(fullest), "features.terminals", "entries, one for each event"
            node, help = fullest.source.data, set_field(path, used)
            verify_limit(fullest, NGR007, device, path, used, unit, node=node, help=help)


# ---- structure


def verify_terminals(chip: ChipOp) -> None:
    """Refuses terminals of neurons, cores and synapse populations that do not exist. Errors: CHI001, NGR002."""
    cores = chip.cores
    synapses = {place: max((one.synapses for one in core.groups), default=0) for place, core in cores.items()}
    for _, sender in chip.senders():
        for op in terminals_of(sender):
            op.verify_()  # a chip verifies before what it holds
            neuron, core, synapse, _, _ = op.places
            for what, values, below in (("neuron", neuron, sender.size), ("synapse", synapse, len(SYNAPSES))):
                if (last := int(values.max(initial=-1))) >= below:
                    refuse_chip(op, f"the {what} of a terminal does not exist", f"below {below}", str(last), NGR002)
            for place in np.unique(core).tolist():
                if place not in cores:
                    expected = f"one of {', '.join(map(str, cores)) or 'no core'}"
                    refuse_chip(op, "the core of a terminal does not exist", expected, str(place), NGR002)
                if (last := int(synapse[core == place].max())) >= synapses[place]:
                    expected = f"below {synapses[place]} on core {place}"
                    refuse_chip(op, "the synapse of a terminal does not exist", expected, str(last), NGR002)


def verify_sites(chip: ChipOp) -> None:
    """Errors: NGR005."""
    for core in chip.cores.values():
        seen: Ints = np.zeros(0, np.int64)
        for group, sites in occupied(core.groups):
            joined = np.concatenate([seen, sites])
            if len(np.unique(joined)) < len(joined):
                refuse_chip(group, NGR005.summary, "a site of its own for each neuron of a core", "another", NGR005)
            seen = joined


def verify_ticks(chip: ChipOp) -> None:
    """Refuses neurons whose equations use another time step than the tick. Errors: CHI013."""
    dt = chip.tick_ns.value.data / SECONDS
    for group in chip.groups:
        steps = group.parameters()["dt"]
        if (steps != dt).any():
            refuse_chip(group, "the step of neurons is not the tick", f"dt = {dt}", str(steps.reshape(-1)[0]), CHI013)


# ---- limits of the device


def set_field(path: str, value: int) -> Phrase:
    """Returns the help with the option that changes a field of the device."""
    option = f"--set {path}={value}"
    return Phrase(Option(f"compile the network with {option}", option))


def verify_array(group: SomasOp, device: Device) -> None:
    """Refuses sites outside of the array of a Neurocore. Errors: NGR002."""
    for what, values in zip(("rows", "columns"), group.sites, strict=True):
        used = int(values.max(initial=-1)) + 1
        verify_limit(group, NGR002, device, f"features.{what}", used, what, node=group.source.data)


def largest_table(op: SenderOp) -> int:
    """Returns the greatest number of table entries of a neuron. A neuron has one entry for each event that its spike sends."""
    counts = sum((np.bincount(one.places[0], one.counts, op.size) for one in terminals_of(op)), np.zeros(op.size))
    return int(counts.max(initial=0))


def verify_events(op: SenderOp, device: Device) -> None:
    """Refuses terminals outside of the array, and more events than the device allows. Errors: NGR002, NGR008."""
    listed = terminals_of(op)
    for one in listed:
        for what in ("rows", "columns"):
            values = one.places[PLACES.index(what.removesuffix("s"))]
            used = int(values.max(initial=-1)) + 1
            verify_limit(one, NGR002, device, f"features.{what}", used, what, node=op.source.data)
    path, bits = "synapse.bits", event_quantities(listed).get("weight_bits", 0)
    limit = device.integer(path)
    if limit is not None and bits > limit:
        most = (1 << (limit - 1)) - 1
        found = max(int(one.counts.max(initial=0)) for one in listed)
        expected = f"at most {most} events ({limit} bits with the sign of a weight)"
        node = op.source.data
        refuse_beyond(op, NGR008, device, path, expected, f"{found} events ({bits} bits)", bits, limit, node=node)
