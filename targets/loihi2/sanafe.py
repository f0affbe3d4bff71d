"""Writes a `loihi2.chip` for SANA-FE: the chip with its energies and times, and the network with the core of each neuron.

| file | content |
| --- | --- |
| `sanafe/architecture.yaml` | tiles with their cores, from the device; `sanafe.load_arch` reads it |
| `sanafe/network.yaml` | groups of neurons, edges, and the core of each group; `sanafe.load_net` reads it |

| nopt | SANA-FE |
| --- | --- |
| the cores of a position (x, y) of the mesh | those of tile x * height + y |
| a group of compartments | a group with the name of the vertex, in which each character other than a letter or digit is an underscore |
| entries of an input | a group without spikes, on cores of its own at the tile where the input enters |
| an entry of a table | an edge with the weight w * 2^weight_exp; zeros of dense tables are edges, too |
| u, v and biases | the same divided by 64 |
| du, dv, vth, refractory | input_decay = (4095 - du) / 4096, leak_decay = (4096 - dv) / 4096, threshold = vth, refractory_delay |
| the lower bound of v | reverse_threshold, with the mode saturate |

SANA-FE computes u and v in double precision, and cuts v to a multiple of 1/64 where it decays, as the chip does. In a refractory period u decays
and receives no events. Spikes and v are those of the chip if du = 4095, states start at 0, and sums of weights are integers. Otherwise
`network.yaml` begins with the differences.

The files are left out, with a note about the reason, if SANA-FE cannot read them (`find_obstacle`).

Source: formats and limits as in SANA-FE 2.2.9, examples of the package sanafe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import i1

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.topology.mesh import MeshTopology
from ...dialects.chip_base.parts import SenderOp
from ...dialects.loihi2 import LAYOUTS, ChipOp, CompartmentsOp, DenseOp, SparseOp, SynapsesOp

ARCHITECTURE, NETWORK = "sanafe/architecture.yaml", "sanafe/network.yaml"
MOST_SYNAPSES = 10**6
"""SANA-FE reads about 100000 edges per second."""
UNIT = 1024
"""Neurons of one soma or dendrite of SANA-FE."""
LONGEST_DELAY = 5
"""The largest delay of an edge of SANA-FE; 0 is the next tick, as in the register of the chip."""
UPDATE, PARAMETERS = "loihi", frozenset(["du", "dv", "vth", "bias", "e", "refractory"])
SHIFT = 6
"""A weight of 1 adds 64 to u."""
V_MIN = -(2**23 - 1)
NO_FILTER = 4095
EXPONENTS = {"energy": "e-12", "latency": "e-9"}
"""Units of coefficients, pJ and ns, in J and s."""
LINK_BUFFER = "features.link_buffer"


def files_of(chip: ChipOp, device: Device) -> tuple[dict[str, bytes], str | None]:
    """Returns the files by their path; none, and the reason as a sentence, if SANA-FE cannot read them."""
    obstacle = find_obstacle(chip, device)
    if obstacle is not None:
        return {}, f"no files for SANA-FE: {obstacle}"
    hosts = Hosts(chip, device)
    texts = {ARCHITECTURE: architecture(chip, device, hosts), NETWORK: network(chip, device, hosts)}
    return {path: "\n".join([*lines, ""]).encode() for path, lines in texts.items()}, None


# ---- what SANA-FE cannot represent


def find_obstacle(chip: ChipOp, device: Device) -> str | None:
    """Returns why SANA-FE cannot represent a chip; None if it can."""
    for sender in senders(chip):
        if (element := sender.type.get_element_type()) != i1:
            return f'"{sender.source.data}" sends {element}, SANA-FE has binary spikes'
    for group in chip.groups:
        if group.update_name != UPDATE or not PARAMETERS.issuperset(group.parameters()):
            return f'"{group.source.data}" has the update @{group.update_name}, SANA-FE that of @{UPDATE}'
        for table in group.tables:
            if table.learning_rule is not None:
                return f'the weights of "{table.node.data}" learn'
            if (delay := table.longest_delay - 1) > LONGEST_DELAY:
                return (
                    f'the delay of "{table.node.data}" is {delay} in the register, SANA-FE has at most {LONGEST_DELAY}'
                )
    synapses = sum(table.weight.data.size for group in chip.groups for table in group.tables)
    if synapses > MOST_SYNAPSES:
        return f"{synapses} synapses, more than {MOST_SYNAPSES}, which it reads in about 10 s"
    if not isinstance(topology_of(device), MeshTopology):
        return "the cores of the device are not on a mesh"
    cost = device.cost
    if cost is None or cost.energy is None or cost.latency is None:
        return f"{device.key} specifies no energies and times of events"
    barriers = cost.latency.barrier
    wanted = [*wanted_fields(chip), *(f"cost.latency.barrier.{name}.time" for name in barriers)]
    unknown = [path for path in wanted if device.number(path) is None]
    if unknown or not barriers:
        return f"{device.key} does not specify {', '.join(unknown) or 'cost.latency.barrier'}"
    return None


def senders(chip: ChipOp) -> Sequence[SenderOp]:
    return [*chip.inputs, *chip.groups]


def wanted_fields(chip: ChipOp) -> Iterator[str]:
    """Yields the fields of a device that the files hold."""
    yield LINK_BUFFER
    names = ["fire", "axon_out", "axon_in", "hop_x", "hop_y", "access", "update"]
    names += [f"synapse_{layout}" for layout in layouts_of(chip)]
    for section in EXPONENTS:
        yield from (f"cost.{section}.{name}" for name in names)


def layouts_of(chip: ChipOp) -> list[str]:
    """Returns the table layouts that a chip uses; `dense` for a chip without tables."""
    used = {LAYOUTS[type(table)] for group in chip.groups for table in group.tables}
    return [layout for layout in LAYOUTS.values() if layout in used] or ["dense"]


# ---- the host


@frozen
class Host:
    """A core of a tile that generates the spikes of input entries in SANA-FE."""

    tile: int
    name: str
    """The group of the input."""
    first: int
    count: int


class Hosts:
    """Names of groups, places of cores, and the cores that send the spikes of inputs."""

    def __init__(self, chip: ChipOp, device: Device):
        topology = topology_of(device)
        assert isinstance(topology, MeshTopology)  # asked before
        self.topology, self.chip = topology, chip
        self.names: dict[SenderOp, str] = {}
        for sender in senders(chip):
            name = re.sub(r"[^A-Za-z0-9]", "_", sender.node.data)
            while name in self.names.values():
                name += "_"
            self.names[sender] = name
        self.cores = [
            Host(self.tile(op.at.value.data), self.names[op], first, min(UNIT, op.size - first))
            for op in chip.inputs
            for first in range(0, op.size, UNIT)
        ]

    def tile(self, core: int) -> int:
        return int(self.topology.x[core]) * self.topology.grid_rows + int(self.topology.y[core])

    def place(self, core: int) -> str:
        """Returns tile and core of SANA-FE."""
        return f"{self.tile(core)}.{self.topology.slot(core)}"

    def at(self, tile: int) -> list[Host]:
        return [one for one in self.cores if one.tile == tile]

    def soma_units(self) -> int:
        """Returns how many units the fullest core needs."""
        return max((-(-sum(g.size for g in core.groups) // UNIT) for core in self.chip.cores.values()), default=1)


# ---- the architecture


def architecture(chip: ChipOp, device: Device, hosts: Hosts) -> Iterator[str]:
    """Yields the lines of the architecture file; tiles with equal cores share an entry."""
    assert device.cost is not None  # asked before
    assert device.cost.latency is not None
    topology, tiles = hosts.topology, hosts.topology.grid_columns * hosts.topology.grid_rows
    barrier = {
        one.routers: quantity(device, f"cost.latency.barrier.{name}.time")
        for name, one in device.cost.latency.barrier.items()
    }
    table = ", ".join(f"{routers}: {time}" for routers, time in sorted(barrier.items()))
    yield f"# {device.key}, for SANA-FE 2.2.9; energies and times are those of `cost` in device.json"
    yield "architecture:"
    yield f"  name: {device.name}"
    yield (
        f"  attributes: {{topology: mesh, width: {topology.grid_columns}, height: {topology.grid_rows}, "
        f"link_buffer_size: {device.number(LINK_BUFFER)}, sync_model: table, latency_sync: {{{table}}}}}"
    )
    yield "  tile:"
    hop = ", ".join(
        f"{section}_{side}_hop: {quantity(device, f'cost.{section}.hop_{axis}')}"
        for axis, sides in (("x", ("east", "west")), ("y", ("north", "south")))
        for side in sides
        for section in EXPONENTS
    )
    for same, run in groupby(range(tiles), key=lambda tile: tile if hosts.at(tile) else None):
        count = len([*run])
        yield f"    - name: tile{'' if same is None else f'_{same}'}[0..{count - 1}]"
        yield f"      attributes: {{{hop}}}"
        yield "      core:"
        yield from core_lines(chip, device, hosts)
        for k, host in enumerate(hosts.at(same) if same is not None else []):
            yield from host_lines(device, host, k)


def core_lines(chip: ChipOp, device: Device, hosts: Hosts) -> Iterator[str]:
    """Yields the lines of the cores of a tile."""
    most, last = device.number("core.neurons"), hosts.soma_units() - 1
    neuron = costs(device, access_neuron="access", update_neuron="update", spike_out="fire")
    yield f"        - name: core[0..{hosts.topology.slots - 1}]"
    yield (
        "          attributes: {buffer_position: dendrite, buffer_inside_unit: true, "
        f"max_neurons_supported: {UNIT * (last + 1) if most is None else most}}}"
    )
    yield f"          axon_in: [{{name: axon_in, attributes: {{{costs(device, message_in='axon_in')}}}}}]"
    yield "          synapse:"
    for layout in layouts_of(chip):
        cost = costs(device, process_spike=f"synapse_{layout}")
        yield f"            - {{name: {layout}, attributes: {{model: current_based, {cost}}}}}"
    yield "          dendrite:"  # one for each layout: delays are stored by the number of the synapse in its unit
    for layout in layouts_of(chip):
        unit = f"sum_{layout}[0..{last}]"
        yield f'            - {{name: "{unit}", attributes: {{model: accumulator_with_delay, energy_update: 0.0, latency_update: 0.0}}}}'
    yield "          soma:"
    yield f'            - {{name: "lif[0..{last}]", attributes: {{model: leaky_integrate_fire, {neuron}}}}}'
    yield f"          axon_out: [{{name: axon_out, attributes: {{{costs(device, message_out='axon_out')}}}}}]"


def host_lines(device: Device, host: Host, k: int) -> Iterator[str]:
    """Yields the lines of a core that sends input spikes. Only their transmission over the network has a cost."""
    nothing = ", ".join(
        f"{section}_{what}: 0.0" for section in EXPONENTS for what in ("access_neuron", "update_neuron", "spike_out")
    )
    none = "energy_{0}: 0.0, latency_{0}: 0.0".format
    yield f"        - name: host_{k}[0..0]"
    yield f"          attributes: {{buffer_position: soma, buffer_inside_unit: false, max_neurons_supported: {host.count}}}"
    yield f"          axon_in: [{{name: axon_in, attributes: {{{none('message_in')}}}}}]"
    yield f"          synapse: [{{name: unused, attributes: {{model: current_based, {none('process_spike')}}}}}]"
    yield f"          dendrite: [{{name: none, attributes: {{model: accumulator, {none('update')}}}}}]"
    yield f'          soma: [{{name: "input[0..{host.count - 1}]", attributes: {{model: input, {nothing}}}}}]'
    yield f"          axon_out: [{{name: axon_out, attributes: {{{costs(device, message_out='axon_out')}}}}}]"


def quantity(device: Device, path: str) -> str:
    """Returns a coefficient in J or s."""
    value = device.number(path)
    return "0.0" if not value else f"{value}{EXPONENTS[path.split('.')[1]]}"


def costs(device: Device, **names: str) -> str:
    """Returns energy and latency of steps, by their name in SANA-FE."""
    found = [
        f"{section}_{step}: {quantity(device, f'cost.{section}.{name}')}"
        for step, name in names.items()
        for section in EXPONENTS
    ]
    return ", ".join(found)


# ---- the network


def network(chip: ChipOp, device: Device, hosts: Hosts) -> Iterator[str]:
    """Yields the lines of the network."""
    yield f"# {chip.sym_name.data} on {device.key}, for SANA-FE 2.2.9 with architecture.yaml; inputs have no spikes yet"
    yield from (f"# differs from the chip: {text}" for text in differences(chip))
    yield "network:"
    yield f"  name: {yaml_name(chip.sym_name.data)}"
    yield "  groups:"
    for op in chip.inputs:
        yield f"    - name: {hosts.names[op]}"
        yield "      attributes: [log_spikes: true]"
        yield f"      neurons: [0..{op.size - 1}: []]"
    for group in chip.groups:
        yield f"    - name: {hosts.names[group]}"
        yield f"      attributes: [log_spikes: true, log_potential: true, synapse_hw_name: {layout_of(group)}]"
        yield "      neurons:"
        yield from neuron_lines(group)
    edges = [*edge_lines(chip, hosts)]
    yield "  edges:" if edges else "  edges: []"
    yield from edges
    yield "mappings:"
    yield from mapping_lines(chip, hosts)


def yaml_name(text: str) -> str:
    """Returns a name as YAML text."""
    return re.sub(r"[^A-Za-z0-9]", "_", text)


def layout_of(group: CompartmentsOp) -> str:
    """Returns the table layout with the most entries in a group, because SANA-FE has a single kind of synapse for each neuron."""
    entries = dict.fromkeys(LAYOUTS.values(), 0)
    for table in group.tables:
        entries[LAYOUTS[type(table)]] += table.weight.data.size
    return max(reversed(entries), key=lambda layout: entries[layout])


def differences(chip: ChipOp) -> Iterator[str]:
    """Yields a sentence for each computation that SANA-FE does differently from the chip."""
    for group in chip.groups:
        name, held = group.node.data, group.parameters()
        if (held["du"] != NO_FILTER).any():
            yield f"u of {name} is not rounded where it decays, and does not wrap"
        if ((held["du"] != NO_FILTER) & (held.get("refractory", np.ones((), np.int64)) > 1)).any():
            yield f"u of {name} receives no events in a refractory period"
        if any(values.any() for values in group.states().values()):
            yield f"the states of {name} start at 0"
        for table in group.tables:
            if (np.ldexp(table.weight.values.astype(np.float64), table.weight_exp.value.data) % 1).any():
                yield f"the sum of the weights of {table.node.data} into {name} is not rounded"
            if (layout := LAYOUTS[type(table)]) != layout_of(group):
                yield f"the entries of {table.node.data} into {name} count as {layout_of(group)}, they are {layout}"


def neuron_lines(group: CompartmentsOp) -> Iterator[str]:
    """Yields a line for each run of neurons with the same parameters."""
    held, size = group.parameters(), group.size
    bias = held["bias"].astype(np.int64) << np.maximum(held["e"], 0) >> np.maximum(-held["e"].astype(np.int64), 0)
    columns: dict[str, AnyArray] = {
        "threshold": held["vth"],
        "leak_decay": (4096 - held["dv"].astype(np.int64)) / 4096,
        "input_decay": (NO_FILTER - held["du"].astype(np.int64)) / 4096,
        "bias": bias / 2**SHIFT,
        "refractory_delay": held.get("refractory", np.ones((), np.int64)),
    }
    rows = [
        ", ".join(f"{name}: {format_number(value)}" for name, value in zip(columns, row, strict=True))
        for row in zip(*(np.broadcast_to(values, (size,)).tolist() for values in columns.values()), strict=True)
    ]
    fixed = f"reset: 0.0, reverse_threshold: {format_number(V_MIN / 2**SHIFT)}, reverse_reset_mode: saturate"
    first = 0
    for row, run in groupby(rows):
        last = first + len([*run]) - 1
        yield f"        - {first}..{last}: [soma: {{{row}, {fixed}}}]"
        first = last + 1


def format_number(value: float) -> str:
    """Returns a number as text, an integer without a point."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def edge_lines(chip: ChipOp, hosts: Hosts) -> Iterator[str]:
    """Yields the lines of the synapses. A dense table from all neurons of a group has one line, any other table one line per synapse."""
    sources = axon_sources(chip)
    for core, op in chip.cores.items():
        for group in op.groups:
            for table in group.tables:
                for sender in senders(chip):
                    neuron = sources[core, sender][table.axons.values] if (core, sender) in sources else None
                    if neuron is not None and (neuron >= 0).any():
                        yield from table_lines(
                            table, neuron, f"    - {hosts.names[sender]}", hosts.names[group], sender.size
                        )


def axon_sources(chip: ChipOp) -> dict[tuple[int, SenderOp], Ints]:
    """Returns for each core and sender the source neuron of each input axon of the core; -1 for axons of other senders. Shapes: [axons]."""
    found: dict[tuple[int, SenderOp], Ints] = {}
    sizes = {core: op.axons.value.data for core, op in chip.cores.items()}
    for sender in senders(chip):
        if (axons := sender.output_axons) is None:
            continue
        for neuron, core, axon in zip(
            *(one.values.tolist() for one in (axons.neuron, axons.core, axons.axon)), strict=True
        ):
            found.setdefault((core, sender), np.full(sizes[core], -1, np.int64))[axon] = neuron
    return found


def table_lines(table: SynapsesOp, neuron: Ints, source: str, target: str, size: int) -> Iterator[str]:
    """Yields the lines of the synapses from one sender in a table. Shapes: neuron [axons of the table]: neurons of the sender, -1 for other axons."""
    weight = np.ldexp(table.weight.values.astype(np.float64), table.weight_exp.value.data)
    delay = np.broadcast_to(table.delay.values, weight.shape)
    if isinstance(table, DenseOp):
        rows = np.flatnonzero(neuron >= 0)
        if np.array_equal(neuron[rows], np.arange(size)):
            lists = {"w": weight[rows], **({"delay": delay[rows]} if delay.any() else {})}
            texts = (
                f"{name}: [{','.join(map(format_number, one.reshape(-1).tolist()))}]" for name, one in lists.items()
            )
            yield f"{source} -> {target}: [type: dense, {', '.join(texts)}]"
            return
        axon, compartment = (one.reshape(-1) for one in np.indices(weight.shape))
    else:
        assert isinstance(table, SparseOp)  # no other layout
        axon, compartment = table.axon.values, table.compartment.values
    own = neuron[axon] >= 0
    columns = neuron[axon], compartment, weight.reshape(-1), delay.reshape(-1)
    for a, b, w, d in zip(*(one[own].tolist() for one in columns), strict=True):
        yield f"{source}.{a} -> {target}.{b}: [w: {format_number(w)}{f', delay: {d}' if d else ''}]"


def mapping_lines(chip: ChipOp, hosts: Hosts) -> Iterator[str]:
    """Yields the core and the units of each neuron."""
    seen: dict[int, int] = {}
    for host in hosts.cores:
        k = hosts.topology.slots + seen.setdefault(host.tile, 0)
        seen[host.tile] += 1
        for n in range(host.count):
            yield f'  - {host.name}.{host.first + n}: [core: {host.tile}.{k}, soma: "input[{n}]"]'
    for core, op in chip.cores.items():
        start = 0
        for group in op.groups:
            for unit, low, high in units(start, group.size):
                places = f'soma: "lif[{unit}]", dendrite: "sum_{layout_of(group)}[{unit}]"'
                yield f"  - {hosts.names[group]}.{low}..{high}: [core: {hosts.place(core)}, {places}]"
            start += group.size


def units(start: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Yields each unit of a core that a group uses, and its first and last neuron there; `start` neurons of the core precede it."""
    for unit in range(start // UNIT, -(-(start + size) // UNIT)):
        yield unit, max(unit * UNIT - start, 0), min((unit + 1) * UNIT - start, size) - 1
