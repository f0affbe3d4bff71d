"""Resources that each slice of a population needs on a core, by the names of limits and contracts.

| need | how it is counted |
| --- | --- |
| weight_bits | signed bits of the widest weight, 1 if all are 0 or 1; of quantized weights the declared bits; of reals those of their type; of mantissas, where weights that share a power of two fit into no type of the device otherwise |
| weight_exponent | the greatest exponent of the weights of a table, on a device with exponents |
| state_bits, payload_bits | of the widest state; of the output; 0 for spikes, and for counts if the device sends several spikes in a tick |
| synapse_bytes | for each chain the smallest format of the device: `sparse` an entry for each synapse, `dense` one for each pair of an axon and a neuron, `convolution` one for each weight of a kernel whose windows the device has; rounded as the format requires |
| convolution_NAME | the largest window of the chains that are stored as convolutions, if the device limits windows |
| memory.NAME | the same of the formats that are stored in `memory.NAME`, outside of the core |
| neuron_bytes | states, and parameters that are not equal for all neurons |
| classes.NAME | different values of a group of shared parameters, formats of tables, and traces of sources of weights that change |
| input_axons | source neurons; one whose weights change takes the axons of its rule; with few destinations or a crossbar, those of each delay and type (`lines.py`) |
| neurons | neurons; with few destinations (`core.destinations`), a copy of a neuron for each group of its destinations |
| output_axons | pairs of a neuron and a slice; with few destinations, pairs of a neuron and an axon, and outputs of the network |

Needs are omitted if the device does not specify how much memory they take.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type
from xdsl.ir import Attribute

from ...core.arrays.arrays import ArrayAttr, is_half
from ...core.arrays.numeric import Ints
from ...core.device.limits import PRE_TRACES, TABLE_FORMATS, class_limits
from ...core.device.numbers import declarations, values
from ...core.device.records import Device
from ...core.ir.operation import element_type
from ..equations.shipped_rules import chip_rule
from ..equations.trace_products import products_of
from ..ntensor import CountType, LearningAttr, SynapseOpInterface, UpdateOp, interval_of
from .chains import ChainCounts
from .connectivity import Arrivals, count_bits
from .formats import TableFormat, exponent_limit, least_exponent, smallest_formats, synapse_memory, window_needs
from .lines import has_lines
from .slicing import Slicing
from .weights import Mantissas

MOST_KEPT = 512
"""Populations on one device whose needs are kept."""
Needs = dict[str, int]
ClassValues = tuple[tuple[int, float], ...]
"""Values of the parameters of a group, each with the place of the parameter in the group."""
Classes = frozenset[ClassValues | TableFormat]


# ---- weights


def weight_needs(bits: Mantissas, device: Device) -> Needs:
    """Returns the bits of the weights of a chain, and the exponent that they need to fit into the widest type of the device."""
    widest, most = device.integer("synapse.bits"), exponent_limit(device)
    if not most:
        return {"weight_bits": bits[0]}
    exponent = 0 if widest is None else least_exponent(bits, widest) or 0
    return {"weight_bits": bits[exponent], "weight_exponent": exponent}


INTEGERS = "integers"
"""The kind of rules of a device that computes those of the synapse language in integers."""
EQUATIONS = LearningAttr.name.rpartition(".")[2]
"""A rule of the synapse language, which programmable learning computes only after it is fitted to the device."""


def learning_violations(op: SynapseOpInterface, device: Device) -> dict[str, list[str]] | None:
    """Returns each rule of a device that computes the learning rule of an op, with the constraints that do not hold.

    None if the op has no learning rule, or the device does not specify its rules.
    """
    if op.learning_rule is None or device.plasticity is None:
        return None
    products = products_of(op)
    traces = () if products is None else products.traces
    return rule_violations(op.learning_rule, declared_bits(op), device, traces, kind=chip_rule(op))


def rule_violations(
    learning: Attribute, bits: int | None, device: Device, traces: Sequence[str] = (), *, kind: str | None = None
) -> dict[str, list[str]]:
    """Returns each rule of a device that computes a learning rule of weights with some bits, with the constraints that do not hold.

    A rule of trace products has the `traces` that it needs. `kind` is the name of a shipped rule with its default options.
    """
    from ...core.contract.contract import parse_contract

    name, found = learning.name.rpartition(".")[2], dict[str, list[str]]()
    given = {**values(device), "weight_bits": bits}
    for key, rule in (device.plasticity or {}).items():
        has_traces = bool(traces) and {*traces} <= {*rule.traces}
        if rule.rule in (kind or name, INTEGERS) or (rule.rule == "programmable" and (name != EQUATIONS or has_traces)):
            contracts = [parse_contract(text, declarations(device)) for text in rule.constraints]
            broken = [one for one in contracts if one.holds(given) is False]
            found[key] = [", ".join(one.explain(given).reasons) or str(one) for one in broken]
    return found


def axon_slots(device: Device | None) -> int:
    """Returns the input axons that a source of plastic synapses takes."""
    if device is None:
        return 1
    return max((device.integer(f"plasticity.{key}.axons") or 1 for key in device.plasticity or {}), default=1)


def declared_bits(op: SynapseOpInterface) -> int | None:
    """Returns the bits of the type of weights; None if they are reals."""
    if op.quantized_weights is not None:
        return op.quantized_weights.bits.data
    dtype = None if op.weights is None else op.weights.data.dtype
    return None if dtype is None or dtype.kind == "f" else 8 * dtype.itemsize


# ---- memory


def bits_of(type: Attribute) -> int:
    """Returns the bits that hold a number of a type."""
    if isinstance(type, Float32Type | Float64Type):
        return type.bitwidth
    if is_half(type):
        return 16
    held = interval_of(type)
    assert held is not None  # states and signals are reals or integers
    if held.low >= 0:
        return held.high.bit_length()
    return 1 + max(held.high.bit_length(), (~held.low).bit_length())


def payload_bits(type: Attribute, device: Device | None = None) -> int:
    """Returns the bits that a spike carries. Counts are several spikes on a device that sends several in a tick, else a payload."""
    element = element_type(type)
    kinds = device.spike.kinds if device is not None and device.spike is not None else ()
    if isinstance(element, CountType) and "count" in kinds:
        return 0
    held = interval_of(element)
    return 0 if held is not None and (held.low, held.high) == (0, 1) else bits_of(element)


def neuron_bits(params: DictionaryAttr, update: UpdateOp) -> int:
    """Returns the memory of the states and individual parameters of one neuron [bit]."""
    states = sum(bits_of(type) for type in update.stored_types.values())
    types = update.param_types
    own = (name for name, array in params.data.items() if isinstance(array, ArrayAttr) and array.shape)
    return states + sum(bits_of(types[name]) for name in own)


def find_classes(params: DictionaryAttr, names: Sequence[str], members: Iterable[Ints], size: int) -> list[Classes]:
    """Returns the different values of some parameters within each set of neurons; empty if the neurons lack all of these parameters.

    Shapes: parameters () or of `size` neurons; members [neurons], flat indices.
    """
    arrays = {name: entry for name in names if isinstance(entry := params.data.get(name), ArrayAttr)}
    none, places = frozenset[ClassValues | TableFormat](), [names.index(name) for name in arrays]
    if not arrays:
        return [none for _ in members]
    if not any(one.shape for one in arrays.values()):  # all neurons have the same values
        row = (float(one.values) for one in arrays.values())
        only: Classes = frozenset([tuple(zip(places, row, strict=True))])
        return [only if len(own) else none for own in members]
    columns = [np.broadcast_to(one.values.reshape(-1).astype(np.float64), (size,)) for one in arrays.values()]
    table = np.stack(columns, axis=1)
    found: list[Classes] = []
    for own in members:
        rows = np.unique(table[own], axis=0).tolist()
        found.append(frozenset(tuple(zip(places, row, strict=True)) for row in rows))
    return found


def classes_of(
    params: DictionaryAttr, slicing: Slicing, found: Arrivals, device: Device | None
) -> dict[str, list[Classes]]:
    """Returns the classes of each slice by their name: values of shared parameters, and formats of tables if the device limits them."""
    if device is None or device.core is None:
        return {}
    classes: dict[str, list[Classes]] = {
        name: find_classes(params, group.parameters, slicing.members, slicing.size)
        for name, group in device.core.shared.items()
    }
    if sizes := weight_sizes(found, device):
        classes = {name: [with_sizes(one, sizes) for one in listed] for name, listed in classes.items()}
    if TABLE_FORMATS in class_limits(device):
        chosen = [smallest_formats(one, slicing.sizes, device) for one in found.chains]
        known = [one for one in chosen if one is not None]
        classes[TABLE_FORMATS] = [frozenset(one[t] for one in known) for t in range(len(slicing.boxes))]
    if PRE_TRACES in class_limits(device):
        traces: list[tuple[ChainCounts, ClassValues]] = [
            (one, each) for one in found.chains for each in one.source_traces
        ]
        used = [[each for one, each in traces if one.slice_axons[t]] for t in range(len(slicing.boxes))]
        classes[PRE_TRACES] = [Classes(each) for each in used]
    return classes


def with_sizes(values: Classes, sizes: ClassValues) -> Classes:
    """Returns the values of shared parameters with the sizes of the weights of their population."""
    return frozenset((*one, *sizes) if isinstance(one, tuple) else one for one in values)


def weight_sizes(found: Arrivals, device: Device) -> ClassValues:
    """Returns the sizes of the weights of a population, numbered from -1 down, if synapses select of the currents of a core and these sizes determine the currents.

    Populations with other sizes have other currents, so that they share no core. With no more sizes than currents the lowering decides; the result is empty then.
    """
    currents = device.integer("synapse.currents")
    if currents is None:
        return ()
    ops = [op for _, chain in found.paths for op in chain.ops if isinstance(op, SynapseOpInterface)]
    weights = [np.abs(op.weight_values().values.astype(np.float64)).reshape(-1) for op in ops if op.weights is not None]
    every = np.unique(np.concatenate(weights)) if weights else np.zeros(0)
    every = every[every != 0]
    return tuple((-1 - k, float(size)) for k, size in enumerate(every)) if len(every) > currents else ()


# ---- needs of slices


class KnownNeeds:
    """Needs of the slices of populations on one device, by the content of the population, the oldest first."""

    def __init__(self, device: Device):
        del device
        self.found: dict[Hashable, list[Needs]] = {}


def needs_of(
    params: DictionaryAttr,
    emitted: Attribute,
    update: UpdateOp,
    slicing: Slicing,
    found: Arrivals,
    device: Device | None,
) -> list[Needs]:
    """Returns the needs of each slice of a population, without the needs of sending. Equal populations are counted only once."""
    if device is None:
        return count_slice_needs(params, emitted, update, slicing, found, device)
    known, types = device.derive(KnownNeeds).found, (update.stored_types, update.param_types)
    key = params, emitted, *(tuple(each.items()) for each in types), slicing.content, found.content
    if key not in known:
        if len(known) >= MOST_KEPT:
            del known[next(iter(known))]
        known[key] = count_slice_needs(params, emitted, update, slicing, found, device)
    return [dict(one) for one in known[key]]


def count_slice_needs(
    params: DictionaryAttr,
    emitted: Attribute,
    update: UpdateOp,
    slicing: Slicing,
    found: Arrivals,
    device: Device | None,
) -> list[Needs]:
    """Returns the needs of each slice, as `needs_of` does."""
    states = max((bits_of(type) for type in update.stored_types.values()), default=0)
    groups = {f"classes.{name}": one for name, one in classes_of(params, slicing, found, device).items()}
    weights = {"weight_bits": max((one.weight_bits for one in found.chains), default=0)}
    if device is not None and found.chains:
        each_chain = [weight_needs(one.mantissas, device) for one in found.chains]
        weights = {name: max(one[name] for one in each_chain) for name in each_chain[0]}
    population = {
        **weights,
        "state_bits": states,
        "payload_bits": payload_bits(emitted, device),
    }
    each = neuron_bits(params, update)
    memory = synapse_memory(slicing, found, device) or {}
    learning = [(axon_slots(device) - 1) * count_bits(masks) for masks in found.learning_axons.values()]
    axons, fan_in = (found.line_axons, found.line_fan_in) if has_lines(device) else (found.input_axons, found.fan_in)
    result: list[Needs] = []
    for t, own in enumerate(slicing.members):
        needs = {
            "neurons": len(own),
            "synapses": int(found.synapses[t]),
            "fan_in": int(fan_in[t]),
            "input_axons": int(axons[t]) + sum(int(bits[t]) for bits in learning),
            **population,
            "delay": max((int(one.high[t].max(initial=0)) for one in found.chains), default=0),
            "neuron_bytes": -(-each * len(own) // 8),
        }
        needs |= {need: -(-int(bits[t]) // 8) for need, bits in memory.items()}
        result.append(needs | {name: len(classes[t]) for name, classes in groups.items()})
    add_table_needs(result, slicing, found, device)
    return result


def add_table_needs(needs: Sequence[Needs], slicing: Slicing, found: Arrivals, device: Device | None) -> None:
    """Adds the largest windows and exponents of the tables of each slice, in their formats, if the device limits them."""
    synapse = None if device is None else device.synapse
    if device is None or synapse is None or (synapse.convolution is None and synapse.weight_exponent is None):
        return
    for one in found.chains:
        for own, stored in zip(needs, smallest_formats(one, slicing.sizes, device) or (), strict=False):
            added = Needs()
            if synapse.convolution is not None and synapse.formats[stored.name].layout == "convolution":
                added |= window_needs(one.window_sizes)
            if synapse.weight_exponent is not None:
                added["weight_exponent"] = stored.exponent
            own |= {need: max(n, own.get(need, 0)) for need, n in added.items()}


def sending_needs(
    slicing: Slicing, reached: Ints, destinations: Ints | None = None, each: int | None = None
) -> list[Needs]:
    """Returns the sending needs of each slice: the most slices that one neuron reaches, and the number of pairs of a neuron and a reached slice.

    On a device whose neurons have at most `each` destinations, of which a neuron needs `destinations`, also its neurons with all copies.
    Shapes: reached and destinations [neurons].
    """
    found: list[Needs] = []
    for own in slicing.members:
        needs = {"fan_out": int(reached[own].max(initial=0)), "output_axons": int(reached[own].sum())}
        if destinations is not None and each is not None:
            sent = destinations[own]
            needs |= {"output_axons": int(sent.sum()), "neurons": int(np.maximum(1, -(-sent // each)).sum())}
        found.append(needs)
    return found
