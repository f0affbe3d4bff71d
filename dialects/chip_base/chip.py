"""The network on a chip, as the exit dialects of chips with cores share it, with the verification of its structure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import NoReturn

import numpy as np
from xdsl.dialects.builtin import IntegerAttr

from ...core.arrays.numeric import Bools
from ...core.device.core_kinds import kind_at
from ...core.device.limits import Contracts
from ...core.device.records import Device
from ...core.device.topology import Topology, topology_of
from ...core.diagnostics import Code, invalid
from ...core.ir.body_ops import body_ops, body_ops_by_place, inner_body_ops
from ...core.ir.operation import NoptOperation, element_type, shape_of
from ..ntensor import UpdateOp, emission_type, find_updates, is_sound
from ..ntensor.interface import Interface
from ..ntensor.probes import NodeProbe
from .groups import CoreBase, GroupOp
from .parts import HELP_RECOMPILE, InputBase, NetworkBase, OutputBase, SenderOp, abbreviate, refuse_beyond, refuse_chip
from .spikes import Excess, event_excess, tick_excess
from .user import verify_outside_memory, verify_resources

CHI003 = Code("CHI003", "core-or-axon-missing", "a core or an axon does not exist")
CHI008 = Code("CHI008", "tick-unsupported-by-chip", "the device has no such tick")
CHI009 = Code("CHI009", "events-unsupported-by-spikes", "spikes of the device do not carry these events")
CHI004 = Code("CHI004", "synapse-format-unsupported", "the device has no such format of synapses")
CHI006 = Code("CHI006", "weight-exponent-unsupported", "the device has no such exponent of weights")
CHI005 = Code("CHI005", "delay-below-minimum", "a delay is shorter than the device has")


class ChipBase(NetworkBase):
    """Base of a network on a chip. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI001, CHI002, CHI003, CHI005, DEV016, DEV021, CHI022; those of reading the device.
    """

    inputs = body_ops(InputBase)
    cores = body_ops_by_place(CoreBase)
    groups = inner_body_ops(CoreBase, GroupOp)
    outputs = body_ops(OutputBase)

    def interface(self) -> Interface:
        return Interface(
            {op.source.data: op.type for op in self.inputs},
            {op.node.data: op.type for op in self.outputs},
            {group.source.data: (group.type, group.update_name) for group in self.groups},
        )

    def places(self, probe: NodeProbe) -> list[str]:
        return [f"{op.node.data} on core {place}" for place, op in self.senders() if op.source.data == probe.node]

    def definitions(self) -> list[UpdateOp]:
        """Returns the updates of the groups, each once."""
        known = find_updates(self.parent_op())
        return [known[name] for name in dict.fromkeys(group.update_name for group in self.groups) if name in known]

    def senders(self) -> Iterator[tuple[int, SenderOp]]:
        """Yields each input and group, preceded by the core where its events start."""
        yield from ((op.at.value.data, op) for op in self.inputs)
        yield from ((place, op) for place, core in self.cores.items() for op in core.senders)

    def memory(self, device: Device, **needs: str) -> dict[str, int | None]:
        """Returns the sum of each need over the cores, by its name in a report; None if the device does not specify it. Units: [bytes]."""
        used = [core.quantities(device) for core in self.cores.values()]
        each = {name: [one.get(need) for one in used] for name, need in needs.items()}
        return {name: None if None in some else sum(n or 0 for n in some) for name, some in each.items()}

    def verify_(self) -> None:
        if not all(map(is_sound, self.definitions())):
            return  # the verifiers of the updates report their errors
        self.verify_structure()
        if (device := self.find_device()) is None:
            return
        verify_tick(self, self.tick_ns, device)
        for _, op in self.senders():
            verify_event_type(op, device)
        self.verify_on(device, device.derive(Contracts), topology_of(device, len(self.cores)))

    def verify_structure(self) -> None:
        """Refuses a chip that no device runs. Errors: CHI001, CHI002, CHI003, CHI007."""
        verify_names(self)
        verify_updates(self)
        self.verify_senders()

    def verify_on(self, device: Device, contracts: Contracts, topology: Topology) -> None:
        """Refuses a chip that exceeds its device. Errors: CHI003, CHI005, DEV016, DEV021, DEV022."""
        used = dict[int, Mapping[str, int]]()
        for place, core in self.cores.items():
            kind, each = kind_at(device, place, topology.own) if device.core_kinds else None, list[Mapping[str, int]]()
            for group in core.groups:
                self.verify_group(group, device)
                each.append(group.quantities(device))
                verify_resources(group, device, contracts, kind, each[-1])
            used[place] = core.join_quantities(device, each)
            verify_resources(core, device, None, kind, used[place])
        verify_delays(self, device)
        verify_places(self, topology)
        self.verify_delivery(device, topology)
        verify_outside_memory(self, device, used, {place: topology.place(place)[0] for place in used})

    def verify_senders(self) -> None:
        """Refuses destinations that do not exist, and inputs of a core without a sender. Errors: CHI003."""
        verify_axons(self)

    def verify_group(self, group: GroupOp, device: Device) -> None:
        """Refuses tables that the device cannot store."""

    def verify_delivery(self, device: Device, topology: Topology) -> None:
        """Refuses events that reach no destination, where the dialect has routes."""


# ---- verification of the structure


def verify_names(chip: ChipBase) -> None:
    """Refuses a tick without length, names and cores that occur twice, and groups that are not their population. Errors: CHI002."""
    if (tick := chip.tick_ns.value.data) < 1:
        refuse_chip(chip, "the length of a tick is not positive", "tick_ns of 1 or more", str(tick))
    places = [op.place.value.data for op in chip.body.block.ops if isinstance(op, CoreBase)]
    if len(set(places)) < len(places):
        twice = max(places, key=places.count)
        refuse_chip(chip.cores[twice], "two cores have the same number", "each core once", str(twice))
    seen, parts = set[str](), dict[str, list[SenderOp]]()
    for _, op in chip.senders():
        if op.node.data in seen:
            refuse_chip(op, "two groups have the same name", "each name once", op.node.data)
        seen.add(op.node.data)
        parts.setdefault(op.source.data, []).append(op)
    for ops in parts.values():
        every = np.sort(np.concatenate([op.members for op in ops]))
        size = prod(shape_of(ops[0].type))
        is_whole = len(every) == size and np.array_equal(every, np.arange(len(every)))
        if any(op.type != ops[0].type for op in ops) or not is_whole:
            found = f"{len(every)} in {len(ops)} groups of type {', '.join(str(op.type) for op in ops)}"
            refuse_chip(ops[0], "the groups are not the population", f"each of {size} neurons once", found)
    named = set[str]()
    for output in chip.outputs:
        if output.node.data in named:
            refuse_chip(output, "two outputs have the same name", "each name once", output.node.data)
        named.add(output.node.data)
        if output.source.data not in parts:
            refuse_chip(output, "an output of nothing", f"one of {', '.join(parts)}", output.source.data)
        given = parts[output.source.data][0].type
        wanted, found = ((prod(shape_of(type)), element_type(type)) for type in (given, output.type))
        if found != wanted:
            expected, got = (f"{size} neurons of {element}" for size, element in (wanted, found))
            refuse_chip(output, "the type of an output differs from its source", expected, got)


def verify_tick(chip: NoptOperation, tick: IntegerAttr, device: Device) -> None:
    """Refuses a tick that the device does not have. Errors: CHI008."""
    found = tick.value.data
    if (excess := tick_excess(found, device)) is not None:
        refuse_excess(chip, CHI008, f"{device.key} has no tick of {found} ns", excess, f"{found} ns", device)


def verify_event_type(op: SenderOp, device: Device) -> None:
    """Refuses events that spikes of the device do not carry. Errors: CHI009."""
    if (excess := event_excess(found := element_type(op.type), device)) is not None:
        refuse_excess(op, CHI009, f"spikes of {device.key} do not carry these events", excess, str(found), device)


def refuse_excess(op: NoptOperation, code: Code, message: str, excess: Excess, found: str, device: Device) -> NoReturn:
    parts = {"source": device.cite(excess.path), "path": excess.path, "limit": excess.limit, "help": HELP_RECOMPILE}
    node = op.source.data if isinstance(op, SenderOp) else None
    invalid(op, code, message, node=node, expected=excess.expected, found=found, **parts)


def verify_updates(chip: ChipBase) -> None:
    """Refuses groups without an update, with other parameters, states or events, and tables of another operand. Errors: CHI002, CHI007."""
    for group in chip.groups:
        update = group.definition()
        if update is None:
            refuse_chip(group, "the update is not defined", "an ntensor.update of the module", f"@{group.update_name}")
        for what, given, known in (
            ("parameters", group.parameters(), update.param_types),
            ("states", group.states(), update.state_types),
        ):
            if given.keys() != known.keys():
                expected = ", ".join(known) or "none"
                refuse_chip(group, f"the {what} are not those of the update", expected, ", ".join(given) or "none")
        group.verify_numbers(update, chip.tick_ns.value.data)
        if (found := element_type(group.type)) != (wanted := emission_type(update)):
            refuse_chip(group, "the events are not those of the update", str(wanted), str(found))
        operands = len(update.inputs) + len(update.accumulators)
        for table in group.tables:
            if table.operand >= operands:
                refuse_chip(
                    table, "port is not an operand of the neuron", f"a number below {operands}", str(table.operand)
                )


def verify_axons(chip: ChipBase) -> None:
    """Refuses destinations that do not exist, and input axons without a sender. Errors: CHI003."""
    cores = chip.cores
    verify_axon_counts(chip)
    fed: dict[int, Bools] = {place: np.zeros(core.axons.value.data, np.bool_) for place, core in cores.items()}
    for _, op in chip.senders():
        axons = op.output_axons
        if axons is None:
            continue
        core, axon = axons.core.values, axons.axon.values
        for place in np.unique(core).tolist():
            if place not in cores:
                refuse_chip(
                    axons, "a destination is not a core", f"one of {abbreviate(np.array([*cores]))}", str(place), CHI003
                )
            mine = axon[core == place]
            if int(mine.max()) >= len(fed[place]):
                expected = f"an axon below {len(fed[place])} of core {place}"
                refuse_chip(axons, "a destination is not an axon", expected, str(int(mine.max())), CHI003)
            fed[place][mine] = True
    for place, axons in fed.items():
        if len(missing := np.flatnonzero(~axons)):
            expected = "a sender for each input axon"
            refuse_chip(cores[place], "an input axon has no sender", expected, f"none for axon {missing[0]}", CHI003)


def verify_axon_counts(chip: ChipBase) -> None:
    """Refuses more input axons than all destinations, before memory is taken for them. Errors: CHI003."""
    sent = [op.output_axons for _, op in chip.senders()]
    most = sum(axons.axon.data.size for axons in sent if axons is not None)
    for core in chip.cores.values():
        if (found := core.axons.value.data) > most:
            expected = f"at most {most}, the destinations of all senders"
            refuse_chip(core, "an input axon has no sender", expected, f"{found} axons", CHI003)


def verify_places(chip: ChipBase, topology: Topology) -> None:
    """Refuses cores that the device does not have. Errors: CHI003."""
    for place, op in (*chip.cores.items(), *((op.at.value.data, op) for op in chip.inputs)):
        is_core = isinstance(op, CoreBase)
        if not 0 <= place < topology.cores or (is_core and not topology.is_usable[place]):
            refuse_chip(op, "the device has no such core", f"a usable core below {topology.cores}", str(place), CHI003)


def verify_delays(chip: ChipBase, device: Device) -> None:
    """Refuses a delay between neurons that is shorter than the device has. Errors: CHI005."""
    path = "synapse.delay.min"
    least = device.integer(path) or 0
    if not least:
        return
    fed = {place: np.zeros(core.axons.value.data, np.bool_) for place, core in chip.cores.items()}
    for group in chip.groups:
        if (axons := group.output_axons) is not None:
            for place in np.unique(axons.core.values).tolist():
                fed[place][axons.axon.values[axons.core.values == place]] = True
    for place, core in chip.cores.items():
        for group in core.groups:
            for table, one in zip(group.tables, group.entries(), strict=True):
                found = int(one.delay[fed[place][one.axon]].min(initial=least))
                if found < least:
                    message = f"delay below the minimum of {device.key}"
                    expected, parts = f"at least {least} ticks", {"node": group.source.data, "message": message}
                    refuse_beyond(table, CHI005, device, path, expected, f"{found} ticks", found, least, **parts)
