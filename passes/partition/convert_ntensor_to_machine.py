"""Makes a planned network into a machine graph: populations, projections, their slices as vertices, and the edges between those.

    %y = ntensor.linear "fc1" %x {…}                                        machine.projection "fc1" from "input" { … }
    %z = ntensor.neuron "lif1" @lif(%y) {…, machine.boxes = …}        =>    machine.population "lif1" @lif adds [["fc1"]] {…} : …
    ntensor.output %z                                                       machine.output "output" of "lif1" : …
                                                                            machine.vertex "lif1/0" of "lif1" {box = …, needs = {…}}
                                                                            machine.edge "fc1" : "input/0" -> "lif1/0" {…}

1. It changes no number: updates, weights and delays stay as they are. `convert-machine-to-ntensor` converts the graph to a network with
   the same results.
2. It checks the plan: every limit and contract of the device, for each slice. All that is wrong is reported, for each population and limit
   the slice that needs most. A fan-out counts the slices that a neuron has synapses into, its own included; inputs have none.
3. All ops between two populations become one projection, so pools are folded into the ops after them.
4. The activity of a source is what `ntensor-calibrate` observed: the `rate` of a population, the `density` of an input. Without a
   calibration every neuron and every entry of an input counts as active once per tick.
5. The ops of the host become an `ntensor.readout` next to the graph, which has the signals that leave the chip as its outputs.
6. Delays shorter than the device has are refused, except from an input, whose spikes can be sent early, and of projections without synapses.

Exactness: exact.

Errors: DEV023 no device; MAP001 a population without a plan; DEV016 a limit that a slice does not keep; DEV021 a contract that does not hold; MAP002
a delay that the device does not have; CHI022 a learning rule that it does not have; MCH003 slices that do not cover their population; ANA038, ANA039, ANA040. Remarks: MAP003 unused ops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.calibration_records import observed_rate
from ...analysis.learning.learning_terms import unsupported_rule
from ...analysis.slicing import BOXES, ORDER, needs_of_slices, planned_slicing
from ...analysis.wiring import Connection, Wiring, wiring_of
from ...core.arrays.arrays import ArrayAttr
from ...core.device.features import feature_of
from ...core.device.limits import Contracts, Excess, excesses, limit_exceeded
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.diagnostics import Code, Diagnostics, describe_op, finding_about, first_of
from ...core.help_text import Option, Phrase
from ...core.ir.context import diagnostics_of
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import machine, ntensor
from ...dialects.chip_base.chains import delay_range
from ...dialects.chip_base.connectivity import Arrivals, joints
from ...dialects.chip_base.needs import Needs
from ...dialects.chip_base.slicing import Slicing, single_slice
from ...dialects.ntensor.network import networks
from ...dialects.ntensor.probes import require_probes
from ...dialects.ntensor.readout import detach_readout
from ..pipelines import FIT_LEARNING, FREEZE, MERGE_SUMS, default_repair, named_repair

MAP001 = Code("MAP001", "population-not-planned", "a population is not planned")
MAP002 = Code("MAP002", "spikes-too-early-for-device", "spikes arrive earlier than the device can deliver them")
MAP003 = Code("MAP003", "unused-ops-omitted", "unused ops are left out")

REPLAN = Phrase(Option("ntensor-plan-cores", ""))
"""Another plan; a device of a verb has made one already."""


@dataclass(frozen=True)
class ConvertNtensorToMachinePass(NoptPass):
    """Converts every `ntensor.network`.

    Options:
        multicast: `neuron`: an edge lists the neurons that it needs the spikes of, so that each can have a route of its own; `vertex`: it needs
            those of all, which takes less memory where neurons are connected at random; default neuron.
    """

    name = "convert-ntensor-to-machine"
    multicast: Literal["neuron", "vertex"] = "neuron"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        updates = ntensor.find_updates(op)
        for network in list(networks(op)):
            device = device_of(network)
            detach_readout(network)
            require_probes(network, device)
            wiring = wiring_of(network, MERGE_SUMS)
            if wiring.unread:
                found = first_of([describe_op(one)[0] for one in wiring.unread], 8)
                at = describe_op(network)[0]
                diagnostics_of(ctx).remark(MAP003, at=at, found=found, help="ntensor-remove-dead")
            Rewriter.replace_op(network, convert_network(network, wiring, updates, device, self.multicast))


def convert_network(
    network: ntensor.NetworkOp,
    wiring: Wiring,
    updates: Mapping[str, ntensor.UpdateOp],
    device: Device,
    multicast: str,
) -> machine.GraphOp:
    """Returns the graph of a network. Errors: MAP001, MAP002, MCH003."""
    slices = slices_of(wiring)
    graph = build_parts(network, wiring, slices)
    for name, slicing in slices.items():
        for k, box in enumerate(slicing.boxes):
            graph.body.block.add_op(machine.VertexOp(f"{name}/{k}", name, box))
    machine.verify_slices(graph)
    counted, needs = needs_of_slices(wiring, slices, updates, device)
    verify_needs(wiring, needs, device)
    vertices = graph.vertices
    for name, listed in needs.items():
        for k, one in enumerate(listed):
            vertex = vertices[f"{name}/{k}"]
            vertex.needs = machine.VertexOp(vertex.node.data, name, vertex.box.values, one).needs
    for name, one in counted.items():
        add_edges(graph, wiring, name, one, slices if multicast == "vertex" else None)
    return graph


def slices_of(wiring: Wiring) -> dict[str, Slicing]:
    """Returns the slices of each input and population: the planned slices of a population, and a single slice of an input. Errors: MAP001."""
    found = {name: single_slice(shape_of(value)) for name, value in wiring.inputs.items()}
    diagnostics = Diagnostics()
    for name, neuron in wiring.neurons.items():
        slicing = planned_slicing(neuron)
        if slicing is None:
            expected, help = f"{BOXES} = #nopt.array<… : tensor<slices x axes x 2>>", "ntensor-plan-cores"
            diagnostics.add(finding_about(neuron, MAP001, expected=expected, found="none", help=help))
        else:
            found[name] = slicing
    diagnostics.raise_errors()
    return found


# ---- building


def build_parts(network: ntensor.NetworkOp, wiring: Wiring, slices: Mapping[str, Slicing]) -> machine.GraphOp:
    """Returns the graph with all that is computed, and no vertices yet."""
    block, placed = Block(), set[str]()
    for name, value in wiring.inputs.items():
        block.add_op(machine.InputOp(name, value.type))
    for name, neuron in wiring.neurons.items():
        for one in wiring.into(name):
            if one.name not in placed:
                placed.add(one.name)
                block.add_op(build_projection(one))
        order = slices[name].order
        kept = neuron.attributes.get(ORDER) if order is not None else None
        listed = [[one.name for one in operand] for operand in wiring.adds[name]]
        population = machine.PopulationOp(neuron, listed, kept if isinstance(kept, ArrayAttr) else None)
        population.attributes.update(
            {key: value for key, value in neuron.attributes.items() if key not in (BOXES, ORDER)}
        )
        block.add_op(population)
    types = {**{n: v.type for n, v in wiring.inputs.items()}, **{n: op.z.type for n, op in wiring.neurons.items()}}
    for (name, source, chain), value in zip(wiring.outputs, network.outputs.values, strict=True):
        body = build_region(chain, types[source]) if chain else None
        block.add_op(machine.OutputOp(name, source, value.type, body))
    graph = machine.GraphOp(
        network.sym_name.data, network.tick_ns.value.data, Region(block), approximations=network.approximations
    )
    graph.attributes.update(network.attributes)
    return graph


def build_projection(one: Connection) -> machine.ProjectionOp:
    type: Attribute = one.chain[0].operands[0].type if len(one.chain) > one.tail else one.value.type
    return machine.ProjectionOp(one.name, one.source, build_region(one.chain, type, one))


def build_region(chain: tuple[Operation, ...], type: Attribute, one: Connection | None = None) -> Region:
    """Returns a chain of ops on an argument. Each operand of a sum gets its own copy of the ops after the sum, named and typed for it."""
    block = Block(arg_types=[type])
    value: SSAValue = block.args[0]
    for k, op in enumerate(chain):
        copy = op.clone({op.operands[0]: value})
        if one is not None and k >= len(chain) - one.tail:
            copy.properties["node"] = StringAttr(f"{describe_op(op)[1]}.{one.name}")
            copy.properties.pop("part_of", None)
            given = TensorType(element_type(value), shape_of(copy.results[0]))
            Rewriter.replace_value_with_new_type(copy.results[0], given)
        block.add_op(copy)
        value = copy.results[0]
    block.add_op(machine.YieldOp(value))
    return Region(block)


def add_edges(
    graph: machine.GraphOp, wiring: Wiring, name: str, found: Arrivals, whole_slices: Mapping[str, Slicing] | None
) -> None:
    """Returns an edge for each joint; where slices send as a whole, with the activity of all of their neurons."""
    connections = wiring.into(name)
    rates = [source_rate(graph, wiring, one.source) for one in connections]
    for joint in joints(found):
        one, counts = connections[joint.chain], found.chains[joint.chain]
        sending = joint.axons if whole_slices is None else len(whole_slices[one.source].members[joint.source])
        graph.body.block.add_op(
            machine.EdgeOp(
                one.name,
                f"{one.source}/{joint.source}",
                f"{name}/{joint.target}",
                synapses=joint.synapses,
                axons=joint.axons,
                activity=sending * rates[joint.chain],
                delays=joint.delays,
                sources=counts.sources(joint.target, joint.source) if whole_slices is None else None,
            )
        )


def source_rate(graph: machine.GraphOp, wiring: Wiring, name: str) -> float:
    """Returns the mean events of one source neuron in one tick, as a calibration observed them; 1 without a calibration."""
    neuron = wiring.neurons.get(name)
    found = observed_rate(graph, "inputs", name, "density") if neuron is None else observed_rate(neuron, "rate")
    return 1.0 if found is None else found


# ---- checking


def verify_needs(wiring: Wiring, needs: Mapping[str, list[Needs]], device: Device) -> None:
    """Reports every limit and contract that is not kept. Errors: MAP002, DEV016, DEV021; CHI022 a learning rule."""
    found, contracts = Diagnostics(), device.derive(Contracts)
    for name, listed in needs.items():
        at, node = describe_op(wiring.neurons[name])
        worst: dict[str, tuple[Excess, int]] = {}
        broken: dict[str, int] = {}
        for k, one in enumerate(listed):
            for excess in excesses(device, one):
                if excess.need not in worst or excess.found > worst[excess.need][0].found:
                    worst[excess.need] = excess, k
        for excess, k in worst.values():
            place = f"{at}, slice {k} of {len(listed)}"
            found.add(limit_exceeded([excess], at=place, node=node, help=remedy(excess, device)))
        for k, one in enumerate(listed):
            for contract in contracts.broken(one):
                if broken.setdefault(contract.text, k) == k:
                    found.add(contract.finding(at=f"{at}, slice {k} of {len(listed)}", node=node))
        verify_delays(wiring, name, device, found)
        for op in (one for connection in wiring.into(name) for one in connection.chain):
            if (
                isinstance(op, ntensor.SynapseOpInterface)
                and (error := unsupported_rule(op, device, FIT_LEARNING, FREEZE)) is not None
            ):
                found.add(error)
    found.raise_errors()


def verify_delays(wiring: Wiring, name: str, device: Device, found: Diagnostics) -> None:
    """Errors: MAP002."""
    least = device.integer("synapse.delay.min")
    for one in wiring.into(name) if least else ():
        shortest = delay_range(one.chain)[0]
        if least is not None and one.source in wiring.neurons and shortest < least and has_synapses(one):
            found.error(
                MAP002,
                f'"{one.name}" takes fewer ticks than {device.key} needs',
                at=describe_op(wiring.neurons[name])[0],
                node=name,
                expected=f"at least {least} ticks from population to population",
                found=f"{shortest}",
                **device.limit_facts("synapse.delay.min", shortest, least),
                help=named_repair(device, "latency", least) or default_repair("latency", least),
            )


def has_synapses(one: Connection) -> bool:
    """Returns whether every synapse op of a connection has synapses, so that a spike has an effect."""
    return all(len(op.used_pairs()[0]) for op in one.chain if isinstance(op, ntensor.SynapseOpInterface))


def remedy(excess: Excess, device: Device) -> str:
    """Returns a remedy for a need: the device's own fallback, else the pass that lowers it, else another plan."""
    if (feature := feature_of(excess.need)) is None:
        return REPLAN
    if feature == "graded":
        return (
            named_repair(device, feature)
            or "convert the population to a neuron that emits spikes: ntensor-set-neuron-model{to=FILE}"
        )
    if feature == "weight_exponent":  # fewer bits need a smaller one
        return (
            named_repair(device, "weight_bits")
            or default_repair("weight_bits", device.integer("synapse.bits"))
            or REPLAN
        )
    limit = None if feature == "weight_bits" else excess.limit  # the device advises fewer bits than it holds
    return named_repair(device, feature, limit) or default_repair(feature, excess.limit, device) or REPLAN
