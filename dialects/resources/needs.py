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
| classes.NAME | different values of a group of shared parameters |

Needs are omitted if the device does not specify how much memory they take.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type
from xdsl.ir import Attribute

from ...core.arrays.arrays import ArrayAttr, is_half
from ...core.arrays.numeric import Ints
from ...core.device.checks import bits_of as dtype_bits
from ...core.device.checks import declarations, values
from ...core.device.features import WINDOWS
from ...core.device.outside_memory import STORE
from ...core.device.records import Device
from ...core.device.synapse_records import Format
from ...core.ir.operation import element_type
from ..ntensor import CountType, SynapseOpInterface, UpdateOp, interval_of
from .connectivity import Arrivals, ChainCounts, Slicing
from .weights import Mantissas

Needs = dict[str, int]
ClassValues = tuple[tuple[int, float], ...]
"""Values of the parameters of a group, each with the place of the parameter in the group."""
Classes = frozenset[ClassValues]

REAL = re.compile(r"b?f\d+")
MOST_EXPONENT = 62
"""The greatest exponent of 64-bit weights, where a device publishes no limit."""


# ---- weights


def weight_limit(device: Device) -> tuple[str, int] | None:
    """Returns the bits of weights that a device recommends, else those that it stores, and the field that declares them.

    None if it stores reals and recommends nothing.
    """
    if (advised := device.whole("quantization.weight_bits")) is not None:
        return "quantization.weight_bits", advised
    has_reals = device.synapse is not None and any(REAL.fullmatch(dtype) for dtype in device.synapse.dtypes)
    held = device.whole("synapse.bits")
    return None if held is None or has_reals else ("synapse.bits", held)


def stored_bits(device: Device, bits: int) -> int:
    """Returns the width in which a device stores weights of some width: wider ones have to be quantised to its limit first."""
    limit = weight_limit(device)
    return bits if limit is None else min(bits, limit[1])


def exponent_limit(device: Device) -> int:
    """Returns the greatest exponent of the weights of a table; 0 if the device has none."""
    if device.synapse is None or device.synapse.weight_exponent is None:
        return 0
    limit = device.whole("synapse.weight_exponent.max")
    return MOST_EXPONENT if limit is None else limit


def least_exponent(bits: Mantissas, width: int, limit: int = MOST_EXPONENT) -> int | None:
    """Returns the least exponent with which mantissas fit into a width; None if there is none up to the limit."""
    return next((k for k, n in enumerate(bits[: limit + 1]) if n <= width), None)


def weight_needs(bits: Mantissas, device: Device) -> Needs:
    """Returns the bits of the weights of a chain, and the exponent that they need to fit into the widest type of the device."""
    widest, most = device.whole("synapse.bits"), exponent_limit(device)
    if not most:
        return {"weight_bits": bits[0]}
    exponent = 0 if widest is None else least_exponent(bits, widest) or 0
    return {"weight_bits": bits[exponent], "weight_exponent": exponent}


def formats_for(device: Device, bits: Mantissas) -> dict[str, Format]:
    """Returns the synapse formats whose type holds weights of some width, or their mantissas.

    If there is none, which another limit refuses, those that hold the width in which the device would store them, else all.
    """
    formats = device.synapse.formats if device.synapse is not None else {}
    widths = {name: dtype_bits(one.dtype) or 0 for name, one in formats.items()}
    limit = exponent_limit(device)
    for some in (bits, (stored_bits(device, bits[0]),)):
        if wide := [name for name, width in widths.items() if least_exponent(some, width, limit) is not None]:
            return {name: formats[name] for name in wide}
    return formats


def entry_bits(device: Device, bits: Mantissas) -> int:
    """Returns the memory of one stored weight in the smallest format; its own bits if the device publishes none."""
    entries = [device.whole(f"synapse.formats.{name}.entry_bits") for name in formats_for(device, bits)]
    return min((entry for entry in entries if entry is not None), default=min(bits))


def learning_violations(op: SynapseOpInterface, device: Device) -> dict[str, list[str]] | None:
    """Returns each rule of a device that computes the learning rule of an op, with the constraints that do not hold.

    None if the op has no learning rule, or the device does not specify its rules.
    """
    if op.learning_rule is None or device.plasticity is None:
        return None
    return rule_violations(op.learning_rule, declared_bits(op), device)


def rule_violations(learning: Attribute, bits: int | None, device: Device) -> dict[str, list[str]]:
    """Returns each rule of a device that computes a learning rule of weights with some bits, with the constraints that do not hold."""
    from ...core.contract.contract import parse_contract

    name, found = learning.name.rpartition(".")[2], dict[str, list[str]]()
    given = {**values(device), "weight_bits": bits}
    for key, rule in (device.plasticity or {}).items():
        if rule.rule in (name, "programmable"):
            contracts = [parse_contract(text, declarations(device)) for text in rule.constraints]
            broken = [one for one in contracts if one.holds(given) is False]
            found[key] = [", ".join(one.explain(given).reasons) or str(one) for one in broken]
    return found


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


def known_formats(device: Device, bits: Mantissas) -> dict[str, tuple[Format, int]]:
    """Returns the formats that hold weights of some width, or their mantissas, and whose entries are known, each with the bits of an entry."""
    found = {
        name: (one, device.whole(f"synapse.formats.{name}.entry_bits"))
        for name, one in formats_for(device, bits).items()
    }
    return {name: (one, entry) for name, (one, entry) in found.items() if entry is not None}


def round_table(format: Format, bits: int) -> int:
    """Returns the memory of a table whose entries take some bits [bit]."""
    unit = None if format.unit_bytes is None else format.unit_bytes.value
    is_power = format.rounding == "power-of-two"
    if unit is None and not is_power:
        return bits
    each = 8 * (unit if isinstance(unit, int) else 1)
    count = -(-bits // each)
    return each * (1 << (count - 1).bit_length() if count and is_power else count)


def memory_need(format: Format) -> str:
    """Returns the need that tables in a format add to."""
    return "synapse_bytes" if format.memory is None else f"{STORE}{format.memory}"


def neuron_bits(params: DictionaryAttr, update: UpdateOp) -> int:
    """Returns the memory of one neuron."""
    states = sum(bits_of(type) for type in update.stored_types.values())
    types = update.param_types
    own = (name for name, array in params.data.items() if isinstance(array, ArrayAttr) and array.shape)
    return states + sum(bits_of(types[name]) for name in own)


def find_classes(params: DictionaryAttr, names: Sequence[str], members: Iterable[Ints], size: int) -> list[Classes]:
    """Returns the different values of some parameters of each set of neurons; none if neurons have none of the parameters.

    Shapes: parameters () or of `size` neurons; members [neurons], flat indices.
    """
    arrays = {name: entry for name in names if isinstance(entry := params.data.get(name), ArrayAttr)}
    columns = [np.broadcast_to(one.values.reshape(-1).astype(np.float64), (size,)) for one in arrays.values()]
    if not columns:
        return [frozenset[ClassValues]() for _ in members]
    table, places = np.stack(columns, axis=1), [names.index(name) for name in arrays]
    found: list[Classes] = []
    for own in members:
        rows = np.unique(table[own], axis=0).tolist()
        found.append(frozenset(tuple(zip(places, row, strict=True)) for row in rows))
    return found


# ---- needs of slices


def needs_of(
    params: DictionaryAttr,
    emitted: Attribute,
    update: UpdateOp,
    slicing: Slicing,
    found: Arrivals,
    device: Device | None,
) -> list[Needs]:
    """Returns the needs of each slice of a population, except for those of sending."""
    states = max((bits_of(type) for type in update.stored_types.values()), default=0)
    shared = device.core.shared if device is not None and device.core is not None else {}
    groups = {
        f"classes.{name}": find_classes(params, group.parameters, slicing.members, slicing.size)
        for name, group in shared.items()
    }
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
    result: list[Needs] = []
    for t, own in enumerate(slicing.members):
        needs = {
            "neurons": len(own),
            "synapses": int(found.synapses[t]),
            "fan_in": int(found.fan_in[t]),
            "input_axons": int(found.input_axons[t]),
            **population,
            "delay": max((int(one.high[t].max(initial=0)) for one in found.chains), default=0),
            "neuron_bytes": -(-each * len(own) // 8),
        }
        needs |= {need: -(-int(bits[t]) // 8) for need, bits in memory.items()}
        result.append(needs | {name: len(classes[t]) for name, classes in groups.items()})
    add_table_needs(result, slicing, found, device)
    return result


def synapse_memory(slicing: Slicing, found: Arrivals, device: Device | None) -> dict[str, Ints] | None:
    """Returns the memory of the synapses of each slice, each chain in its smallest format, by need [bit].

    None if the device does not specify it.
    """
    if device is None or device.synapse is None or not found.chains:
        return None
    formats, none = device.synapse.formats, np.zeros(len(slicing.boxes), np.int64)
    total = {need: none.copy() for need in ("synapse_bytes", *map(memory_need, formats.values()))}
    sizes = np.array([len(own) for own in slicing.members], np.int64)
    for one in found.chains:
        known = memory_of_formats(one, sizes, device)
        if not known:
            return None
        chosen = np.stack([*known.values()]).argmin(axis=0)
        for k, (name, bits) in enumerate(known.items()):
            total[memory_need(formats[name])] += np.where(chosen == k, bits, 0)
    return total


def memory_of_formats(one: ChainCounts, sizes: Ints, device: Device) -> dict[str, Ints]:
    """Returns the bits that each slice needs in each format that can store a chain. Shapes: sizes [slices]: neurons."""
    stored = {"sparse": one.slice_synapses, "dense": one.slice_axons * sizes}
    if one.kernel_entries is not None and find_wide_window(one.window_sizes, device) is None:
        stored["convolution"] = np.full(len(sizes), one.kernel_entries)
    return {
        name: np.array([round_table(format, entry * n) for n in stored[format.layout].tolist()], np.int64)
        for name, (format, entry) in known_formats(device, one.mantissas).items()
        if format.layout in stored
    }


def find_wide_window(sizes: Mapping[str, int], device: Device) -> tuple[str, int, int] | None:
    """Returns the first field of `synapse.convolution` that windows exceed, with its limit and their number; None if there is none."""
    for need, found in window_needs(sizes).items():
        if (limit := device.whole(WINDOWS[need])) is not None and found > limit:
            return WINDOWS[need], limit, found
    return None


def window_needs(sizes: Mapping[str, int]) -> Needs:
    """Returns the needs of a table in the convolution layout with these windows."""
    return {f"convolution_{name}": n for name, n in sizes.items()}


def add_table_needs(needs: Sequence[Needs], slicing: Slicing, found: Arrivals, device: Device | None) -> None:
    """Adds the largest windows and exponents of the tables of each slice, in their formats, if the device limits them."""
    synapse = None if device is None else device.synapse
    if device is None or synapse is None or (synapse.convolution is None and synapse.weight_exponent is None):
        return
    sizes = np.array([len(own) for own in slicing.members], np.int64)
    for one in found.chains:
        for own, name in zip(needs, smallest_formats(one, sizes, device) or (), strict=False):
            format, added = synapse.formats[name], Needs()
            if synapse.convolution is not None and format.layout == "convolution":
                added |= window_needs(one.window_sizes)
            if synapse.weight_exponent is not None:
                added["weight_exponent"] = least_exponent(one.mantissas, dtype_bits(format.dtype) or 0) or 0
            own |= {need: max(n, own.get(need, 0)) for need, n in added.items()}


def smallest_formats(one: ChainCounts, sizes: Ints, device: Device) -> list[str] | None:
    """Returns the format in which each slice stores a chain, as needs are counted; None if the device specifies none."""
    known = memory_of_formats(one, sizes, device)
    if not known:
        return None
    names, bits = list(known), np.stack(list(known.values()))
    return [names[k] for k in bits.argmin(axis=0).tolist()]


def sending_needs(slicing: Slicing, reached: Ints) -> list[Needs]:
    """Returns the needs of sending of each slice: the most slices that one neuron reaches, and all pairs of a neuron and a slice."""
    return [
        {"fan_out": int(reached[own].max(initial=0)), "output_axons": int(reached[own].sum())}
        for own in slicing.members
    ]
