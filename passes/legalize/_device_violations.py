"""Violations of device limits by a network, feature by feature, before and after slicing.

| feature | violated if |
| --- | --- |
| readout | an output has values that the device does not compute, and the host can |
| plasticity | weights change, and the device has no plasticity, or other constants and bounds of learning rules |
| max_pool | the network has a max pool, and the device has none: it declares so, or its cores compute neurons |
| synapse_chain | a population reads two ops with weights in a row, or upsampled events with weights, and the cores compute neurons |
| weight_bits | weights have more bits than the device advises, or, of integer sums, holds; reals do, unless it holds reals and advises nothing |
| weight_exponent | weights have fewer bits with an exponent, but one that is greater than the greatest of the device |
| resets | the device names passes that replace resets, the network keeps samples, and spikes of a population subtract |
| activation_bits | an input is real, and the device sends spikes |
| parameters | a population has more different values of a shared parameter than all cores have classes, or, where the device names passes that reduce them, the neurons of all populations have more sets of parameters |
| update | a population of some family has another update than the device's |
| sign_modes | weights of one op have both signs, and the device stores each sign in a table of its own |
| graded | a signal is a count or has a payload, and the device sends none |
| recurrence | the network has a cycle, and the device permits none |
| delay | a delay, with those after it on its path, is longer than the longest of the device |
| fan_in | a neuron has more synapses |
| latency | a path into a population has less than the shortest delay |
| bias | an op adds a bias, and the device adds no constant to a sum |
| rates | the device names passes that fit rates, and the network keeps samples for a population whose update was replaced |
| fan_out | a neuron reaches more slices (`machine.boxes`) than its fan-out permits |
| axon_types | the cores are crossbars, and weights have no axon types for these slices |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from attrs import asdict, frozen
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.ir import Operation

from ...analysis.calibration_records import kept_samples, raw_parameters
from ...analysis.fan_in import fan_in_of
from ...analysis.fan_out import reaches
from ...analysis.learning.device_learning_rules import LearningGrid
from ...analysis.learning.learning_terms import has_integer_rules, integer_reason, learning_reason
from ...analysis.node_selection import is_plastic
from ...analysis.parameter_sets import count_parameter_sets, count_relay_sets
from ...analysis.slicing import BOXES, planned_slicing
from ...analysis.synapse_chains import chain_starts
from ...core.arrays.arrays import ArrayAttr
from ...core.device.core_kinds import has_neuron_cores
from ...core.device.features import FEATURES
from ...core.device.limits import quantity_text
from ...core.device.records import Device, Feature
from ...core.device.topology import topology_of
from ...core.diagnostics import describe_op
from ...core.ir.operation import element_type, texts_of
from ...dialects import ntensor
from ...dialects.chip_base.formats import exponent_limit, least_exponent, weight_limit
from ...dialects.chip_base.needs import learning_violations
from ...dialects.chip_base.slicing import place_in
from ...dialects.chip_base.weights import mantissa_bits, sign_of
from ...dialects.chip_base.weights import weight_bits as op_bits
from ...dialects.nir import StdpAttr
from .delays._bias_retiming import has_bias
from .delays._retiming import later_delays, least_ticks, path_delay, shortest_delays
from .fan._replication import first_loop
from .readouts._device_readouts import device_readouts
from .resets.ntensor_replace_reset import is_subtracting

WORD = re.compile(r"[A-Za-z_]\w*")
PARAM = re.compile(r"\s*param\s+(\w+)")


@frozen
class Violation:
    """A feature of a network that a device does not support."""

    feature: Feature
    at: str
    node: str | None
    expected: str
    found: str
    path: str
    """The field of the device that declares the limit."""
    limit: int | None = None
    """The limit, which the options of a fallback use."""
    value: int | None = None
    """The value that exceeds the limit."""

    def fields(self, device: Device) -> dict[str, Any]:
        """Returns the fields of a finding about the violation."""
        return asdict(self, filter=lambda field, _: field.name != "feature") | {"source": device.cite(self.path)}


@frozen(eq=False)
class DeviceNetwork:
    """A network and its device."""

    network: ntensor.NetworkOp
    device: Device

    @property
    def ops(self) -> list[Operation]:
        return list(self.network.body.block.ops)

    @property
    def populations(self) -> list[ntensor.NeuronOp]:
        return list(self.network.populations)

    def violation(
        self,
        feature: Feature,
        op: Operation,
        expected: str,
        found: str,
        path: str | None = None,
        limit: int | None = None,
        value: int | None = None,
    ) -> Violation:
        at, node = describe_op(op)
        return Violation(feature, at, node, expected, found, path or FEATURES[feature].field, limit, value)

    def excess(self, feature: Feature, unit: str, values: Iterable[tuple[Operation, int]]) -> Violation | None:
        """Returns the violation by the first op whose value exceeds the limit of a feature; None without such an op or without a limit."""
        if (most := self.device.integer(FEATURES[feature].field)) is None:
            return None
        for op, found in values:
            if found > most:
                limit, value = quantity_text(most, unit), quantity_text(found, unit)
                return self.violation(feature, op, f"at most {limit}", value, None, most, found)
        return None


def plasticity(subject: DeviceNetwork) -> Violation | None:
    if subject.device.plasticity is None:
        return None
    grid = LearningGrid.of(subject.device)
    for op in filter(is_plastic, subject.ops):
        assert isinstance(op, ntensor.SynapseOpInterface)  # is_plastic
        if not subject.device.plasticity:
            rule, reason = op.properties["plasticity"], learning_reason(op, subject.device)
            found = rule.name if reason is None else reason[1]
            return subject.violation("plasticity", op, "weights that stay as they are", found)
        if has_integer_rules(subject.device):
            if (obstacle := integer_reason(op)) is not None:
                return subject.violation(
                    "plasticity", op, "rules of integers, or of reals that integers compute", obstacle
                )
            continue
        if (reason := learning_reason(op, subject.device)) is not None and not learning_violations(op, subject.device):
            return subject.violation("plasticity", op, *reason)
        if (numbers := grid.numbers(op)) is not None and grid.device_rule(op) != op.learning_rule:
            bits = numbers.mantissa_bits
            expected = f"constants with mantissas of {bits} bits, and bounds at the ends of a register"
            return subject.violation("plasticity", op, expected, rule_text(op.learning_rule), numbers.path)
    return None


def rule_text(rule: StdpAttr | ntensor.LearningAttr | None) -> str:
    """Returns a rule for a message."""
    values: Mapping[str, float] = {} if rule is None else rule.values
    return ", ".join(f"{name} = {value:g}" for name, value in values.items())


def weight_bits(subject: DeviceNetwork) -> Violation | None:
    if (limit := weight_limit(subject.device)) is None:
        return None
    exponent = exponent_limit(subject.device)
    for op in subject.ops:
        path, most = limit
        weight = op.properties.get("weight", op.properties.get("scale"))
        if not isinstance(weight, ArrayAttr) or not weight.data.size:
            continue
        if (bool(op.results) and ntensor.interval_of(element_type(op.results[0])) is not None) and (
            held := subject.device.integer("synapse.bits")
        ) is not None:  # of another quantisation
            path, most = "synapse.bits", held
        if is_fitting(op, weight, most, exponent):
            continue
        bits = op_bits(op) if isinstance(op.properties.get("quantized"), ntensor.QuantizedAttr) else None
        found = str(weight.data.dtype) if bits is None else f"{bits} bits"
        return subject.violation("weight_bits", op, f"at most {most} bits", found, path, most, bits)
    return None


def weight_exponent(subject: DeviceNetwork) -> Violation | None:
    limit, most = weight_limit(subject.device), subject.device.integer("synapse.weight_exponent.max")
    if limit is None or most is None:
        return None
    for op in subject.ops:
        bits = mantissa_bits(op)
        needed = least_exponent(bits, limit[1])
        if needed is not None and needed > most:
            expected, found = f"an exponent of at most {most}", f"{needed}, for weights of {bits[0]} bits"
            return subject.violation("weight_exponent", op, expected, found, None, most, needed)
    return None


def is_fitting(op: Operation, weight: ArrayAttr, most: int, exponent: int) -> bool:
    """Returns whether weights have at most `most` bits, as declared by the op or by their values, or their mantissas have."""
    if exponent and least_exponent(mantissa_bits(op), most, exponent) is not None:
        return True
    if isinstance(op.properties.get("quantized"), ntensor.QuantizedAttr):
        return op_bits(op) <= most
    if weight.data.dtype.kind == "f":
        return False
    low, high = int(weight.data.least()), int(weight.data.greatest())
    return -(2 ** (most - 1)) <= low and high < 2 ** max(1, most - 1)


def activation_bits(subject: DeviceNetwork) -> Violation | None:
    kinds, names = subject.device.spike_kinds, texts_of(subject.network.input_names)
    for name, arg in zip(names, subject.network.body.block.args, strict=True):
        if kinds and isinstance(element_type(arg), Float32Type | Float64Type):
            expected, found = f"{' or '.join(kinds)} spikes", str(element_type(arg))
            return Violation("activation_bits", f'input "{name}"', name, expected, found, "spike.kinds")
    return None


def max_pool(subject: DeviceNetwork) -> Violation | None:
    has = subject.device.quantity("features.max_pools")
    has_pools = not has_neuron_cores(subject.device) if has is None else has.value is not False
    if has_pools:
        return None
    for op in subject.ops:
        if isinstance(op, ntensor.MaxPool2dOp):
            return subject.violation("max_pool", op, "sums of events", str(element_type(op.x)))
    return None


def synapse_chain(subject: DeviceNetwork) -> Violation | None:
    """Returns the violation by the first op of a chain that one list of synapses with the same sums replaces."""
    first = next(iter(chain_starts(subject.ops)), None) if has_neuron_cores(subject.device) else None
    if first is None:
        return None
    return subject.violation("synapse_chain", first, "one op with synapses before a population", "two in a row")


def graded(subject: DeviceNetwork) -> Violation | None:
    if not subject.device.spike_kinds:
        return None
    kinds = {"binary", *subject.device.spike_kinds}
    for op in subject.populations:
        element = element_type(op.z)
        is_other = isinstance(element, ntensor.GradedType) and "graded" not in kinds
        if is_other or (isinstance(element, ntensor.CountType) and not kinds & {"count", "graded"}):
            return subject.violation("graded", op, f"{' or '.join(sorted(kinds))} spikes", str(element), "spike.kinds")
    return None


def parameters(subject: DeviceNetwork) -> Violation | None:
    """Counts the canonical values that the parameter is made of, else the parameter itself, against all cores together. Slices with few
    values are a matter of the plan, as long as the cores hold them all."""
    core = subject.device.core
    if core is None or not core.shared:
        return None
    cores = int(topology_of(subject.device, len(subject.populations)).is_usable.sum())
    words: dict[str, set[str]] = {}
    for line in (line for update in subject.device.updates.values() for line in update.text):
        if declared := PARAM.match(line):
            words.setdefault(declared[1], set()).update(WORD.findall(line))
    for name, group in core.shared.items():
        path = f"core.shared.{name}.classes"
        if (each := subject.device.integer(path)) is None:
            continue
        most = each * cores
        made_of = set[str]().union(*(words.get(parameter, ()) for parameter in group.parameters))
        for op in subject.populations:
            known = {**(op.canonical.data if op.canonical is not None else {}), **op.params.data}
            for parameter in (*group.parameters, *sorted(made_of - {"unit"})):
                values = known.get(parameter)
                if isinstance(values, ArrayAttr) and (found := len(np.unique(values.values))) > most:
                    expected = f"at most {most} values of {parameter} on {cores} cores"
                    return subject.violation("parameters", op, expected, str(found), path, most, found)
        if "parameters" in subject.device.fallbacks and (found := shared_sets(subject)) > most:
            op = max(subject.populations, key=count_parameter_sets)
            expected = f"at most {most} sets of parameters on {cores} cores"
            return subject.violation("parameters", op, expected, str(found), path, most, found)
    return None


def shared_sets(subject: DeviceNetwork) -> int:
    """Returns the sets of parameters of all neurons; 0 if each population has one set, which no pass reduces."""
    sets = [count_parameter_sets(op) for op in subject.populations]
    return sum(sets) + count_relay_sets(subject.network) if max(sets, default=0) > 1 else 0


def update(subject: DeviceNetwork) -> Violation | None:
    """Compares the symbol: an update that was built from a device's neuron has its name."""
    updates = subject.device.updates
    served = {family: name for name, one in reversed(updates.items()) for family in one.families}
    for op in subject.populations if updates else ():
        symbol = op.update_name
        if op.family is not None and symbol.split(".")[0].rstrip("'") not in updates:
            name = served.get(op.family.data, next(iter(updates)))
            return subject.violation("update", op, f"@{name}", f"@{symbol}")
    return None


def sign_modes(subject: DeviceNetwork) -> Violation | None:
    """Returns the violation by the first op whose sign mode is unsupported. Mixed weights fit in two tables only if the device stores both signs."""
    synapse = subject.device.synapse
    if synapse is None or not synapse.sign_modes or "mixed" in synapse.sign_modes:
        return None
    has_both = {"excitatory", "inhibitory"} <= {*synapse.sign_modes}
    for op in subject.ops:
        if isinstance(op, ntensor.SynapseOpInterface) and (sign := sign_of(op)) not in synapse.sign_modes:
            limit = None if has_both else 0
            return subject.violation("sign_modes", op, " or ".join(synapse.sign_modes), sign, None, limit)
    return None


def recurrence(subject: DeviceNetwork) -> Violation | None:
    has = subject.device.quantity("features.recurrence")
    if has is None or has.value is not False:
        return None
    if (loop := first_loop(subject.network)) is None:
        return None
    found = " -> ".join(describe_op(op)[0] for op in [*loop, loop[0]])
    return subject.violation("recurrence", loop[0], "no loop", found)


def delay(subject: DeviceNetwork) -> Violation | None:
    later = later_delays(subject.network)
    most = subject.device.integer(FEATURES["delay"].field) or 0
    return subject.excess("delay", "ticks", ((op, path_delay(op, later, most)) for op in subject.ops))


def fan_in(subject: DeviceNetwork) -> Violation | None:
    fan_ins = ((op, int(fan_in_of(x).max(initial=0))) for op in subject.populations for x in op.xs)
    return subject.excess("fan_in", "synapses", fan_ins)


def latency(subject: DeviceNetwork) -> Violation | None:
    least = subject.device.integer(FEATURES["latency"].field)
    for op in subject.populations if least else ():
        waits = shortest_delays(op.xs, least_ticks)
        if waits and (found := min(waits.values())) < (least or 0):
            expected, held = (quantity_text(n, "ticks") for n in (least or 0, found))
            return subject.violation("latency", op, f"at least {expected}", held, None, least, found)
    return None


def bias(subject: DeviceNetwork) -> Violation | None:
    synapse = subject.device.synapse
    for op in subject.ops if synapse is not None and not synapse.has_bias else ():
        if has_bias(op):
            return subject.violation("bias", op, "sums without a bias", "a bias")
    return None


def rates(subject: DeviceNetwork) -> Violation | None:
    if "rates" in subject.device.fallbacks and kept_samples(subject.network):
        for op in subject.populations:
            if raw_parameters(op):
                return subject.violation("rates", op, "the rate of the network in reals", "a rate that was not fitted")
    return None


def resets(subject: DeviceNetwork) -> Violation | None:
    if "resets" in subject.device.fallbacks and kept_samples(subject.network):
        module = subject.network.parent_op()
        assert isinstance(module, ModuleOp)  # networks are in modules
        updates = ntensor.find_updates(module)
        for op in subject.populations:
            if is_subtracting(op, updates[op.update_name], subject.network.dt):
                return subject.violation("resets", op, "a reset to a value", "a spike that subtracts")
    return None


def fan_out(subject: DeviceNetwork) -> Violation | None:
    if subject.device.integer(FEATURES["fan_out"].field) is None or not is_planned(subject):
        return None
    reached = reaches(op.z for op in subject.populations)
    return subject.excess("fan_out", "cores", ((op, reached[op.z].most) for op in subject.populations))


def axon_types(subject: DeviceNetwork) -> Violation | None:
    most = subject.device.integer(FEATURES["axon_types"].field)
    if most is None or not is_planned(subject):
        return None
    for population in subject.populations:
        slicing = planned_slicing(population)
        assert slicing is not None  # is_planned
        label = place_in(slicing)
        for op in synapses_into(population):
            if not len(op.used_pairs()[0]):
                continue
            given, expected = op.typed_axons, f"values of at most {most} axon types for each neuron"
            if given is None or given.types > most or not np.array_equal(given.slices.values, label):
                found = "weights without axon types" if given is None else f"{given.types} axon types"
                if given is not None and given.types <= most:
                    found = "axon types of other slices"
                return subject.violation("axon_types", op, expected, found, None, most)
    return None


def synapses_into(population: ntensor.NeuronOp) -> Iterator[ntensor.SynapseOpInterface]:
    """Yields the synapse ops between other populations, or inputs, and a population."""
    values, seen = list(population.xs), set[Operation]()
    while values:
        op = values.pop().owner
        if not isinstance(op, Operation) or isinstance(op, ntensor.NeuronOp) or op in seen:
            continue
        seen.add(op)
        values += op.operands
        if isinstance(op, ntensor.SynapseOpInterface):
            yield op


def is_planned(subject: DeviceNetwork) -> bool:
    return all(BOXES in op.attributes for op in subject.populations)


def readout(subject: DeviceNetwork) -> Violation | None:
    """Returns the violation by the first output with values, if the host can compute it."""
    for found in device_readouts(subject.network, subject.device):
        return subject.violation("readout", found.op, "an output of spikes", f"values of {found.values}")
    return None


CHECKS: Mapping[Feature, Callable[[DeviceNetwork], Violation | None]] = {
    "readout": readout,
    "plasticity": plasticity,
    "activation_bits": activation_bits,
    "max_pool": max_pool,
    "synapse_chain": synapse_chain,
    "resets": resets,
    "weight_bits": weight_bits,
    "weight_exponent": weight_exponent,
    "parameters": parameters,
    "update": update,
    "sign_modes": sign_modes,
    "graded": graded,
    "recurrence": recurrence,
    "delay": delay,
    "fan_in": fan_in,
    "latency": latency,
    "bias": bias,
    "rates": rates,
    "fan_out": fan_out,
    "axon_types": axon_types,
}
"""The check of each feature, in the order of legalisation."""
FEATURES_OF_SLICES: tuple[Feature, ...] = ("fan_out", "axon_types")
"""Features that are checked where populations have slices."""
