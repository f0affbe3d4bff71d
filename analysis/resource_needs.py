"""What each slice of a population needs of a core, by the names that limits and contracts have for it.

| need | how it is counted |
| --- | --- |
| weight_bits | signed bits of the widest weight, 1 where all are 0 or 1; of `quantized` ones those it says; of reals those of their type |
| state_bits, payload_bits | of the widest state; of what the population emits; 0 for spikes, and for counts where the device sends several spikes in a tick |
| synapse_bytes | for each chain the format of the device that takes least: `sparse` an entry for each synapse, `dense` one for each pair of an axon and a neuron, `convolution` one for each weight of a kernel |
| neuron_bytes | states, and parameters that are not the same for all |
| classes.NAME | different values of a group of shared parameters |

Needs of which the device does not say what they take are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type
from xdsl.ir import Attribute, Operation

from ..core.arrays.arrays import ArrayAttr
from ..core.device.records import Device
from ..core.ir.operation import element_type
from ..dialects import ntensor
from .connectivity import Arrival, delays_of
from .slicing import Ints, Slicing
from .weight_memory import formats_for, weight_bits
from .wiring import Connection

Needs = dict[str, int]


def bits_of(type: Attribute) -> int:
    """Bits that hold a number of a type."""
    if isinstance(type, Float32Type | Float64Type):
        return type.bitwidth
    held = ntensor.interval_of(type)
    assert held is not None  # states and signals are reals or integers
    if held.low >= 0:
        return held.high.bit_length()
    return 1 + max(held.high.bit_length(), (~held.low).bit_length())


def payload_bits(type: Attribute, device: Device | None = None) -> int:
    """Bits that a spike carries beside being one. Counts are several spikes on a device that sends several in a tick, else a payload."""
    element = element_type(type)
    if (
        isinstance(element, ntensor.CountType)
        and device is not None
        and device.spike is not None
        and "count" in device.spike.kinds
    ):
        return 0
    held = ntensor.interval_of(element)
    return 0 if held is not None and (held.low, held.high) == (0, 1) else bits_of(element)


def kernels(chain: Sequence[Operation]) -> int | None:
    """Weights of the kernels of a chain that is made of convolutions and pools; None for any other."""
    windows = [op for op in chain if not isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp)]
    found = [op.kernel_entries for op in windows if isinstance(op, ntensor.SynapseOpInterface)]
    entries = [n for n in found if n is not None]
    return sum(entries) if windows and len(entries) == len(windows) else None


def synapse_bits(device: Device, chain: Sequence[Operation], synapses: int, pairs: int) -> int | None:
    """Memory of the synapses of a chain in the format that takes least; None where the device does not say.

    Formats are those that hold the weights (`analysis/weight_memory.py`).
    """
    if device.synapse is None:
        return None
    widest = max((weight_bits(op) for op in chain), default=0)
    stored = {"sparse": synapses, "dense": pairs, "convolution": kernels(chain)}
    found: list[int] = []
    for name, format in formats_for(device, widest).items():
        bits, entries = device.whole(f"synapse.formats.{name}.entry_bits"), stored[format.layout]
        if bits is not None and entries is not None:
            found.append(bits * entries)
    return min(found, default=None)


def neuron_bits(neuron: ntensor.NeuronOp, update: ntensor.UpdateOp) -> int:
    """Memory of one neuron."""
    states = sum(bits_of(type) for type in update.state_types.values())
    types = update.param_types
    return states + sum(bits_of(types[name]) for name, array in neuron.arrays(neuron.params) if array.shape)


def classes(entries: DictionaryAttr, names: Sequence[str], slicing: Slicing) -> list[int]:
    """Different values of some parameters in each slice."""
    arrays = [entry for name in names if isinstance(entry := entries.data.get(name), ArrayAttr) and entry.shape]
    if not arrays:
        return [1] * len(slicing.boxes)
    table = np.stack([array.values.reshape(-1).astype(np.float64) for array in arrays], axis=1)
    return [len(np.unique(table[own], axis=0)) for own in slicing.members]


def needs_of(
    neuron: ntensor.NeuronOp,
    update: ntensor.UpdateOp,
    slicing: Slicing,
    connections: Sequence[Connection],
    found: Arrival,
    device: Device | None,
) -> list[Needs]:
    """What each slice needs, apart from what it sends."""
    chains = [one.chain for one in connections]
    weights = max((weight_bits(op) for chain in chains for op in chain), default=0)
    states = max((bits_of(type) for type in update.state_types.values()), default=0)
    longest = max((delays_of(chain)[1] for chain in chains), default=0)
    shared = device.core.shared if device is not None and device.core is not None else {}
    groups = {f"classes.{name}": classes(neuron.params, group.parameters, slicing) for name, group in shared.items()}
    each = neuron_bits(neuron, update)
    result: list[Needs] = []
    for t, own in enumerate(slicing.members):
        needs = {
            "neurons": len(own),
            "synapses": int(found.synapses[t]),
            "fan_in": int(found.fan_in[t]),
            "input_axons": int(found.input_axons[t]),
            "weight_bits": weights,
            "state_bits": states,
            "payload_bits": payload_bits(neuron.z.type, device),
            "delay": longest,
            "neuron_bytes": -(-each * len(own) // 8),
        }
        stored = [
            synapse_bits(device, chain, int(found.chain_synapses[t, c]), int(found.chain_axons[t, c]) * len(own))
            for c, chain in enumerate(chains)
            if device is not None
        ]
        if stored and None not in stored:
            needs["synapse_bytes"] = -(-sum(bits for bits in stored if bits is not None) // 8)
        result.append(needs | {name: counts[t] for name, counts in groups.items()})
    return result


def sent(slicing: Slicing, reached: Ints) -> list[Needs]:
    """What each slice needs to send: slices that one neuron reaches at most, and all pairs of a neuron and a slice."""
    return [
        {"fan_out": int(reached[own].max(initial=0)), "output_axons": int(reached[own].sum())}
        for own in slicing.members
    ]
