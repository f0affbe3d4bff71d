"""Networks on DYNAP-SE chips, and the checks across their cores."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from xdsl.irdl import irdl_op_definition

from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code
from ...core.ir.body_ops import body_ops_by_place, inner_body_ops
from ..chip_base.chip import ChipBase
from ..chip_base.parts import SenderOp, refuse_beyond
from .cores import CoreOp, InputOp, NeuronsOp, destinations_of

DSN002 = Code("DSN002", "neuron-destinations-exceeded", "a neuron has too many destinations")
DSN003 = Code("DSN003", "tag-missing", "a tag does not exist")
DSN004 = Code("DSN004", "destination-missing", "a destination does not exist")
DSN005 = Code("DSN005", "synapse-currents-not-permitted", "a synapse selects other currents than the device permits")
DSN006 = Code("DSN006", "tags-not-neuron-numbers", "tags are not the numbers of neurons")


@irdl_op_definition
class ChipOp(ChipBase):
    """A network on one or several chips. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI001, CHI002, CHI003, DSN001 to DSN007, DEV016, DEV021, CHI022; those of reading the device.
    """

    name = "dynapse.chip"
    cores = body_ops_by_place(CoreOp)
    groups = inner_body_ops(CoreOp, NeuronsOp)

    def verify_senders(self) -> None:
        """Accepts all senders: tags take the place of axons."""

    def verify_delivery(self, device: Device, topology: Topology) -> None:
        for _, op in self.senders():
            verify_destinations(op, device, topology)
        for core in self.cores.values():
            verify_tags(core, core.tags, device)
            verify_neuron_numbers(core, device)
            for group in core.groups:
                verify_selections(group, device)


def verify_destinations(op: SenderOp, device: Device, topology: Topology) -> None:
    """Errors: DSN002, DSN003, DSN004."""
    found = destinations_of(op)
    if found is None or not found.neuron.data.size:
        return
    path = "features.destinations"
    limit = device.integer(path)
    if limit is not None and found.most > limit and not isinstance(op, InputOp):
        refuse_part(op, DSN002, device, path, f"at most {limit}", found.most, limit)
    last = int(found.chip.data.greatest())
    if last >= topology.chips:
        refuse_part(op, DSN004, device, "topology.chips", f"a chip below {topology.chips}", last, topology.chips)
    highest = int(found.cores.data.greatest()).bit_length()
    if highest > topology.own:
        limit = topology.own
        refuse_part(op, DSN004, device, "topology.cores", f"a core below {limit} of a chip", highest - 1, limit)
    verify_tags(op, found.tag.values, device)


def verify_tags(op: SenderOp | CoreOp, tags: np.ndarray[tuple[int, ...], np.dtype[np.int64]], device: Device) -> None:
    """Errors: DSN003."""
    path = "features.tags"
    limit = device.integer(path)
    if limit is not None and tags.size and (found := int(tags.max())) >= limit:
        refuse_part(op, DSN003, device, path, f"a tag below {limit}", found, limit)


def verify_neuron_numbers(core: CoreOp, device: Device) -> None:
    """Refuses neurons of a core unless all tags of a neuron have one remainder modulo `features.tag_neurons`, unique on the core. Errors: DSN006."""
    path = "features.tag_neurons"
    if (numbers := device.integer(path)) is None:
        return
    owners: dict[int, tuple[str, int]] = {}
    known: dict[tuple[str, int], int] = {}
    for group in core.groups:
        if (found := destinations_of(group)) is None:
            continue
        for neuron, tag in zip(found.neuron.values.tolist(), found.tag.values.tolist(), strict=True):
            owner, number = (group.node.data, neuron), tag % numbers
            if known.setdefault(owner, number) != number or owners.setdefault(number, owner) != owner:
                expected = f"a remainder of tags by {numbers} for each neuron of a core, the same for all of its tags"
                refuse_part(group, DSN006, device, path, expected, tag, numbers)


def verify_selections(op: NeuronsOp, device: Device) -> None:
    """Refuses synapses that do not select exactly one current of their sign, on devices with that restriction. Errors: DSN005."""
    path, held = "synapse.words", op.synapses
    if held is None or device.integer(path) is None:
        return
    masks = held.mask.values.astype(np.int64)
    currents, inhibitory = (device.integer(f"synapse.{name}") or 0 for name in ("currents", "inhibitory_currents"))
    if inhibitory:
        first = 1 << currents - inhibitory
        low, high = np.where(held.signs < 0, first, 1), np.where(held.signs < 0, 1 << currents, first)
    else:
        low, high = np.ones(len(masks), np.int64), np.full(len(masks), 1 << currents)
    wrong = (masks & masks - 1 != 0) | (masks < low) | (masks >= high)
    if wrong.any():
        expected = f"one of {currents} currents, of which the last {inhibitory} are inhibitory"
        refuse_part(op, DSN005, device, path, expected, int(masks[np.argmax(wrong)]), 1 << currents, "mask ")


def refuse_part(
    op: SenderOp | CoreOp, code: Code, device: Device, path: str, expected: str, value: int, limit: int, what: str = ""
) -> NoReturn:
    refuse_beyond(op, code, device, path, expected, f"{what}{value}", value, limit, node=op.layers()[0])
