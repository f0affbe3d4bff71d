"""Assigns neurons to cores by an attribute; no operation is split. The result are slices of every population, for a device.

    %z = ntensor.neuron "lif1" @lif(%y) {…} : … -> tensor<100xi1>
      =>  (device=edge.json, core.neurons = 64)
    %z = ntensor.neuron "lif1" @lif(%y) {…, machine.boxes = #nopt.array<[[[0, 50]], [[50, 100]]] : tensor<2x1x2xi64>>} : …

1. A slice keeps every limit of a core that smaller slices can keep: neurons, memory, axons in and out, classes of shared parameters. The
   number of slices is minimal, and their sizes are even. Legalisation handles limits that no slice can keep (fan-in, bits, delays, fan-out).
2. Populations that a convolution or pool feeds or reads are cut into tiles, others into runs.
3. Where synapses are given one by one, runs are those of `machine.order`: a permutation of the indices, found from the synapses, in which
   connected neurons are neighbours. It does not depend on the numbering of the neurons.
4. The network records the device of its plan: `machine.device`, with its overridden fields. Without the option the
   recorded device stays.
5. With `copies`, slices leave room for the duplicates of `ntensor-fit-axon-types`: for as many axons of each source as a single neuron permits, and,
   with `neurons`, for the rows of all destinations of these axons. There are fewer where the cores of the device do not hold them, and none for
   populations whose weights are exact without. `machine.copies` of a population is their number. Where sources have half of the types or fewer, the
   neurons of a slice share them, so that slices are small: at most 64 of a population, as long as the device has cores.
6. A population that keeps an earlier mapping (`ntensor-keep-mapping`) has the slices of that mapping.

No computed value changes.

Errors: DEV023 no device; DEV016 a single neuron is beyond a limit; MAP020 the neurons do not fit on the device; MAP021 `copies` out of range; MAP028, MAP029 the earlier mapping;
ANA038, ANA039, ANA040; those of reading a device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from ...analysis.irregular_synapses import irregular_synapses
from ...analysis.neuron_bound import neuron_rooms
from ...analysis.slicing import ADDED, BOXES, COPIES, ORDER
from ...analysis.wiring import Connection, Wiring, wiring_of
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.core_kinds import kind_of_cores, kinds_of
from ...core.device.device_pass import DevicePass
from ...core.device.limits import OTHER_DEVICE, Excess, class_limits, excesses, limit_exceeded
from ...core.device.named_device import name_device
from ...core.device.records import Device
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, ExitCode, Refused, refuse
from ...core.help_text import Phrase, setting
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import pass_text
from ...dialects import ntensor
from ...dialects.chip_base.connectivity import Arrivals, count_arrivals
from ...dialects.chip_base.needs import needs_of, sending_needs
from ...dialects.chip_base.slicing import Slicing, single_slice
from ...dialects.ntensor.network import networks
from ..pipelines import MERGE_SUMS, fan_in_help, fan_in_repair
from ._duplicates import Duplicates, Room, count_cores
from ._kept_slices import kept_slices, refuse_slices, verify_kept_slices
from ._slices import boxes_of, order_neurons, run_boxes

MAP020 = Code("MAP020", "neurons-exceed-device", "the neurons of a network do not fit on the device")
MAP021 = Code("MAP021", "axon-copies-out-of-range", "the copies of axons are out of range", exit_code=ExitCode.MISUSED)

SLICED = ("neurons", "input_axons", "output_axons", "synapse_bytes", "neuron_bytes", "axon_bytes")
"""Needs that smaller slices make smaller; so they do classes."""
PAIRS = 4_000_000
"""Synapses of a population beyond which no order is looked for."""
PLAN_ROUNDS = 40
"""Times that slices are made smaller; each time the worst excess shrinks at least in proportion."""


@dataclass(frozen=True)
class NtensorPlanCoresPass(DevicePass):
    """Plans every `ntensor.network` for a device.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names.
        set: fields of the device that are overridden: `set="core.neurons=64,topology.mesh.width=2"`.
        copies: the most axons of one source in a slice for which there is room, as in `ntensor-fit-axon-types`; more take more cores, and so do the small slices
            of neurons that share these axons; default 1, without small slices.
        neurons: also for sources that are neurons, each of which takes a row for each further axon; default false.
    """

    name = "ntensor-plan-cores"
    copies: int = 1
    neurons: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        updates = ntensor.find_updates(op)
        for network in networks(op):
            device = self.device_for(network)
            self.verify_copies(device)
            name_device(network, device)
            wiring = wiring_of(network, MERGE_SUMS)
            copied = frozenset(wiring.sources if self.neurons else wiring.inputs)
            kept = kept_slices(network, wiring, device)
            verify_kept_slices(network, wiring, updates, kept, device)
            slices, duplicates = plan_with_copies(wiring, updates, device, self.copies, copied, kept)
            if exceeded := exceeding_kept(wiring, slices, device, duplicates, kept):
                refuse_slices(network, wiring, exceeded)
            for name, slicing in slices.items():
                neuron = wiring.neurons[name]
                neuron.attributes[BOXES] = ArrayAttr.of(slicing.boxes)
                neuron.attributes.pop(COPIES, None)
                if self.copies > 1:
                    neuron.attributes[COPIES] = IntegerAttr(duplicates.rooms[name].most, i64)
                neuron.attributes.pop(ORDER, None)
                if slicing.order is not None:
                    neuron.attributes[ORDER] = ArrayAttr.of(slicing.order)

    def verify_copies(self, device: Device) -> None:
        """Refuses copies on a device without axon types, or more than a source may have. Errors: MAP021."""
        most = device.integer("core.crossbar.axon_types") or 1
        if not 1 <= self.copies <= most:
            help = pass_text(replace(self, copies=1 if self.copies < 1 else most))
            expected = (
                f"1 to {most}, the types of axons of a core" if most > 1 else "1, since cores have no types of axons"
            )
            refuse(MAP021, at=f"copies={self.copies}", expected=expected, found=str(self.copies), help=help)


def plan_with_copies(
    wiring: Wiring,
    updates: Mapping[str, ntensor.UpdateOp],
    device: Device,
    copies: int,
    sources: frozenset[str],
    kept: Mapping[str, Slicing],
) -> tuple[dict[str, Slicing], Duplicates]:
    """Returns the slices of each population, with room for as many duplicates, up to `copies`, as the cores of the device hold; `kept` stay. Errors: DEV016, MAP020."""
    refuse_size(wiring, device)  # first: no room for duplicates changes the number of neurons
    single = single_slices(wiring)
    spatial = spatial_parts(wiring)

    def count_slices(name: str, room: Room) -> int:
        """Returns the number of slices of a population with some room."""
        most, alone = most_neurons(wiring.neurons[name], device), Duplicates({name: room}, sources)
        slicing, _ = fit_slices(wiring, name, single, updates, device, most, alone, is_spatial=name in spatial)
        return len(slicing.boxes)

    for most in range(copies, 0, -1):
        room = Duplicates.of(wiring, device, most, sources).limited(count_slices)
        for duplicates in room.with_small_slices(wiring):
            found = plan(wiring, updates, device, duplicates, kept)
            is_last = most == 1 and not duplicates.sizes
            if is_last or has_cores(wiring, device, found, duplicates):
                return found, duplicates
    raise AssertionError("copies are 1 or more")


def has_cores(wiring: Wiring, device: Device, slices: Mapping[str, Slicing], duplicates: Duplicates) -> bool:
    """Returns whether the cores of a device hold slices with their duplicates."""
    each = device.integer("core.destinations")
    limits = device.integer("core.neurons"), device.integer("core.input_axons")
    if each is None or limits[0] is None or limits[1] is None:
        return True
    sources = single_slices(wiring)
    reached = {name: np.zeros(slicing.size, np.int64) for name, slicing in sources.items()}
    arrived = arrivals_of(wiring, slices, reached)
    sent = duplicates.destinations(arrived, sources, [source for _, source, _ in wiring.outputs])
    rows, axons = list[int](), list[int]()
    for name, slicing in slices.items():
        rows += [one["neurons"] for one in sending_needs(slicing, reached[name], sent[name], each)]
        most = arrived[name].line_axons + duplicates.axons(name, arrived[name], is_most=True)
        axons += np.minimum(most, limits[1]).tolist()  # the fit uses the axons of a core that are left
    cores = count_cores(rows, axons, limits[0], limits[1])
    return cores is not None and cores <= int(topology_of(device, len(rows)).is_usable.sum())


def arrivals_of(wiring: Wiring, slices: Mapping[str, Slicing], reached: Mapping[str, Ints]) -> dict[str, Arrivals]:
    """Returns the synapses into the slices of each population; `reached` grows by the slices that each source neuron has synapses into."""
    sources = single_slices(wiring)
    return {
        name: count_arrivals(slicing, [one.path for one in wiring.into(name)], sources, reached)
        for name, slicing in slices.items()
    }


def plan(
    wiring: Wiring,
    updates: Mapping[str, ntensor.UpdateOp],
    device: Device,
    duplicates: Duplicates,
    kept: Mapping[str, Slicing],
) -> dict[str, Slicing]:
    """Returns the slices of each population. Errors: DEV016."""
    spatial = spatial_parts(wiring)
    sources = single_slices(wiring)

    def slices(name: str, on: Device, least: int) -> tuple[Slicing, int]:
        if name in kept:
            return kept[name], max(map(len, kept[name].members))
        return fit_slices(wiring, name, sources, updates, on, least, duplicates, is_spatial=name in spatial)

    devices = choose_kinds(wiring, updates, device, slices)
    most = {name: most_neurons(neuron, devices[name]) for name, neuron in wiring.neurons.items()}
    most |= {name: min(size, most[name]) for name, size in duplicates.sizes.items()}
    found: dict[str, Slicing] = {}
    small = dict(most)
    for _ in range(1 + PLAN_ROUNDS):
        for name, least in small.items():
            found[name], most[name] = slices(name, devices[name], least)
        small = {
            name: size
            for name, size in reduce_sizes(wiring, found, devices, most, duplicates).items()
            if name not in kept
        }
        if not small:
            break
    return found


def exceeding_kept(
    wiring: Wiring, slices: Mapping[str, Slicing], device: Device, duplicates: Duplicates, kept: Mapping[str, Slicing]
) -> dict[str, tuple[str, Excess]]:
    """Returns the populations with kept slices that have more destinations than a core supports, each with its worst slice."""
    if not kept:
        return {}
    found = dict[str, tuple[str, Excess]]()
    for name, k, need, path, value, limit in sending_excesses(
        wiring, slices, dict.fromkeys(slices, device), duplicates
    ):
        if name in kept and (name not in found or value > found[name][1].found):
            found[name] = f"{name}/{k}", Excess(need, path, limit, value, device.cite(path))
    return found


def most_neurons(neuron: ntensor.NeuronOp, device: Device) -> int:
    """Returns how many neurons of a population a core can have at most."""
    return device.integer("core.neurons") or prod(shape_of(neuron.z))


def choose_kinds(
    wiring: Wiring,
    updates: Mapping[str, ntensor.UpdateOp],
    device: Device,
    slices: Callable[[str, Device, int], tuple[Slicing, int]],
) -> dict[str, Device]:
    """Returns for each population the device as it is for cores of the kind that its slices are made for.

    Populations choose by first fit, those with the fewest possible kinds first: the kind with the fewest neurons on a core that has cores left.
    """
    kinds = kinds_of(device)
    if len(kinds) == 1:
        return dict.fromkeys(wiring.neurons, next(iter(kinds.values())))
    topology = topology_of(device)
    names, kind = kind_of_cores(device, topology.cores, topology.own)
    free = {name: float((topology.is_usable & (kind == k)).sum()) for k, name in enumerate(names)}
    order = sorted(names, key=lambda name: kinds[name].integer("core.neurons") or 0)
    wanted: dict[str, dict[str, float]] = {}
    for name, neuron in wiring.neurons.items():
        wanted[name] = {}
        for one in order:
            on, most = kinds[one], most_neurons(neuron, kinds[one])
            try:
                slicing, _ = slices(name, on, most)
            except Refused:
                continue
            found = count_arrivals(slicing, [arrival.path for arrival in wiring.into(name)], single_slices(wiring))
            needs = needs_of(neuron.params, neuron.z.type, updates[neuron.update_name], slicing, found, on)
            if not any(excesses(on, need) for need in needs):
                wanted[name][one] = sum(len(own) for own in slicing.members) / most
    chosen: dict[str, Device] = {}
    for name in sorted(wiring.neurons, key=lambda name: (len(wanted[name]), -max(wanted[name].values(), default=0.0))):
        fitting = [one for one, cores in wanted[name].items() if cores <= free[one]]
        one = next(iter(fitting or wanted[name]), order[-1])
        free[one] -= wanted[name].get(one, 0.0)
        chosen[name] = kinds[one]
    return chosen


def single_slices(wiring: Wiring) -> dict[str, Slicing]:
    return {source: single_slice(shape) for source, shape in wiring.sources.items()}


def spatial_parts(wiring: Wiring) -> set[str]:
    """Populations that a convolution or pool feeds or reads."""
    found: set[str] = set()
    for name, operands in wiring.adds.items():
        for one in (one for operand in operands for one in operand):
            windows = [op for op in one.chain if isinstance(op, ntensor.ConvolutionOp | ntensor.PoolOp)]
            if windows:
                found |= {name, one.source}
    return found


def refuse_size(wiring: Wiring, device: Device) -> None:
    """Errors: MAP020."""
    rooms = neuron_rooms(device)
    if rooms is None:
        return
    total = sum(prod(shape_of(neuron.z)) for neuron in wiring.neurons.values())
    added = sum(prod(shape_of(neuron.z)) for neuron in wiring.neurons.values() if ADDED in neuron.attributes)
    if total > rooms.neurons:
        cores = " and ".join(f"{cores} cores of {each}" for each, cores in rooms.rooms)
        refuse(
            MAP020,
            f"the network has more neurons than {device.key} holds",
            expected=f"at most {rooms.neurons} neurons on {cores}",
            found=f"{total} neurons, {added} of them in relays and other added populations"
            if added
            else f"{total} neurons",
            **device.limit_facts("core.neurons", total, rooms.neurons),
            help=Phrase(setting("core.neurons", -(-total // rooms.cores)))
            if rooms.cores and len(rooms.rooms) == 1 and device.is_open("core.neurons")
            else OTHER_DEVICE,
        )


def fit_slices(
    wiring: Wiring,
    name: str,
    sources: Mapping[str, Slicing],
    updates: Mapping[str, ntensor.UpdateOp],
    device: Device,
    most: int,
    duplicates: Duplicates,
    *,
    is_spatial: bool,
) -> tuple[Slicing, int]:
    """Returns the fewest slices that keep all limits of a slice, and the greatest size of a slice. Errors: DEV016."""
    neuron, connections = wiring.neurons[name], wiring.into(name)
    update = updates[neuron.update_name]
    shape = shape_of(neuron.z)
    while True:
        slicing = slice_population(shape, most, connections, name, is_spatial=is_spatial)
        if not has_more_limits(device):
            return slicing, most
        found = count_arrivals(slicing, [one.path for one in connections], sources)
        worst: tuple[float, Excess, int] | None = None
        extra = duplicates.axons(name, found)
        for needs, more in zip(
            needs_of(neuron.params, neuron.z.type, update, slicing, found, device), extra.tolist(), strict=True
        ):
            needs["input_axons"] += more
            for excess in excesses(device, needs):
                if is_sliced(excess) and (worst is None or excess.found / max(1, excess.limit) > worst[0]):
                    worst = excess.found / max(1, excess.limit), excess, needs["neurons"]
        if worst is None:
            return slicing, most
        ratio, excess, neurons = worst
        if neurons == 1:
            help = remedy(excess, device, connections)
            raise Refused(limit_exceeded([excess], notes=["a slice of one neuron needs this"], help=help).about(neuron))
        most = max(1, min(neurons - 1, int(neurons / ratio)))


def is_sliced(excess: Excess) -> bool:
    return excess.need.startswith("classes.") or all(need in SLICED for need in excess.need.split("+"))


def remedy(excess: Excess, device: Device, connections: list[Connection]) -> str:
    """Returns advice that lowers the need of a single neuron."""
    if "bytes" in excess.need and excess.path:
        raised = [", or ", setting(excess.path, excess.found)] if device.is_open(excess.path) else []
        return Phrase("quantize the weights to fewer bits", *raised)
    has_pool = any(isinstance(op, ntensor.PoolOp) for one in connections for op in one.chain)
    return fan_in_help(device, fan_in_repair(device, excess.limit), has_pool=has_pool)


def has_more_limits(device: Device) -> bool:
    """Returns whether the device limits more than neurons."""
    core = device.core
    if core is None:
        return False
    known = ("core.input_axons", "core.memory_bytes")
    sizes = [f"core.memory.{name}.bytes" for name in core.memory]
    return any(device.integer(path) is not None for path in (*known, *sizes, *class_limits(device).values()))


def reduce_sizes(
    wiring: Wiring,
    slices: Mapping[str, Slicing],
    devices: Mapping[str, Device],
    most: Mapping[str, int],
    duplicates: Duplicates,
) -> dict[str, int]:
    """Returns a smaller slice size for each population whose slices have more destinations than a core supports."""
    found: dict[str, int] = {}
    for name, k, _, _, value, limit in sending_excesses(wiring, slices, devices, duplicates):
        if (own := len(slices[name].members[k])) > 1:
            less = max(1, min(own - 1, most[name] - 1, own * limit // value))
            found[name] = min(less, found.get(name, less))
    return found


def sending_excesses(
    wiring: Wiring, slices: Mapping[str, Slicing], devices: Mapping[str, Device], duplicates: Duplicates
) -> Iterator[tuple[str, int, str, str, int, int]]:
    """Yields the needs of destinations beyond a limit: the population and its slice, the need and the field of the device, the value and the limit."""
    paths = {"output_axons": "core.output_axons"}
    each = next(iter(devices.values())).integer("core.destinations") if devices else None
    if each is not None:
        paths["neurons"] = "core.neurons"  # with the copies of neurons
    limits = {name: {need: device.integer(path) for need, path in paths.items()} for name, device in devices.items()}
    if not any(limit for one in limits.values() for limit in one.values()):
        return
    reached = {name: np.zeros(slicing.size, np.int64) for name, slicing in single_slices(wiring).items()}
    arrived = arrivals_of(wiring, slices, reached)
    outputs = [source for _, source, _ in wiring.outputs]
    sent = {} if each is None else duplicates.destinations(arrived, single_slices(wiring), outputs)
    for name, slicing in slices.items():
        for k, needs in enumerate(sending_needs(slicing, reached[name], sent.get(name), each)):
            for need, limit in limits[name].items():
                if limit is not None and needs[need] > limit:
                    yield name, k, need, paths[need], needs[need], limit


# ---- slices


def slice_population(
    shape: tuple[int, ...], most: int, connections: list[Connection], name: str, *, is_spatial: bool
) -> Slicing:
    """Tiles, or runs in an order of their own."""
    boxes = boxes_of(shape, most, is_spatial=is_spatial)
    if boxes.shape[1] == len(shape) and (len(boxes) < 2 or (is_spatial and len(shape) in (2, 3))):
        return Slicing(shape, boxes)
    boxes = run_boxes(prod(shape), most)
    pairs = pairs_of(connections, name)
    order = None if pairs is None else order_neurons(prod(shape), *pairs, boxes[:, 0, 1])
    if order is None and len(shape) != 1:
        order = np.arange(prod(shape))
    return Slicing(shape, boxes, order)


def pairs_of(connections: list[Connection], name: str) -> tuple[Ints, Ints] | None:
    """Pairs of neurons of a population with a synapse between them, or with common sources; None where all are alike, by rule or too many."""
    listed = [(one, pairs) for one in connections if (pairs := irregular_synapses(one.chain)) is not None]
    chosen = [pairs if one.source == name else siblings(*pairs) for one, pairs in listed if 0 < len(pairs[0]) <= PAIRS]
    if not chosen:
        return None
    source, target = (np.concatenate(part) for part in zip(*chosen, strict=True))
    return source, target


def siblings(source: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Returns pairs of successive targets of the same source; the pairs of a source connect all its targets."""
    by = np.lexsort((target, source))
    source, target = source[by], target[by]
    same = source[1:] == source[:-1]
    return target[:-1][same], target[1:][same]
