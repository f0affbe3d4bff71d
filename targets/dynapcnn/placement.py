"""Assigns layers to cores: a bipartite matching of layers and the cores whose memory holds them, and else a split of layers over several cores.

1. A layer can take each core whose memory of kernels, neurons and biases holds it. Small cores are tried first.
2. Layers are matched by augmenting paths. A layer that finds no free core moves others to cores of their own.
3. Without a matching, the layers that the last path reached compete for the cores that hold them: they are more than these cores (Hall's theorem).
   `split.py` divides layers by their features, if the device shifts the features of events (`features.feature_shift`).

Errors: DYN010 a layer that no core holds; DYN011 layers that are more than the cores that hold them; each if no split helps either.
Source: H. W. Kuhn, The Hungarian method for the assignment problem, Naval Research Logistics Quarterly 2 (1955); P. Hall, On representatives of
subsets, J. London Math. Soc. 10 (1935). sinabs 3.1.3 (mapping.py) finds a matching by maximum flow, and splits no layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from attrs import frozen

from ...core.device.core_kinds import kind_at, kinds_of
from ...core.device.limits import OTHER_DEVICE
from ...core.device.records import Device
from ...core.diagnostics import Code, refuse_op
from ...core.help_text import Phrase, setting
from ...dialects.dynapcnn.layers import STATE_BYTES, CnnLayerOp
from ...dialects.dynapcnn.limits import BIAS, FEWER, KERNEL, NEURON, memory_excess
from .split import LayerPart, Sends, split_layers

DYN010 = Code("DYN010", "layer-fits-no-core", "no core holds a layer")
DYN011 = Code("DYN011", "too-few-cores-for-layers", "there are too few cores for the layers")

SHIFT = "features.feature_shift"


def place_layers(layers: Sequence[CnnLayerOp], sends: Sequence[Sends], device: Device) -> list[list[LayerPart]]:
    """Returns the parts of each layer; a layer that fits on a core has one part. `sends`: the indices of the destination layers. Errors: DYN010, DYN011."""
    every = cores_of(layers, device)
    found = matching(layers, every, device)
    if isinstance(found, dict):
        return [[LayerPart(found[k], 0, layer.made[0])] for k, layer in enumerate(layers)]
    parts = split_layers(layers, sends, every, device)
    if parts is not None and shifts_features(device):
        return parts
    help = OTHER_DEVICE if parts is None else Phrase(setting(SHIFT, "true"))
    if len(found.layers) == 1 and not found.cores:
        refuse_memory(layers[found.layers[0]], device, every, help)
    refuse_cores(layers, found, device, help)


def shifts_features(device: Device) -> bool:
    """Returns whether destinations of the device can shift features, so that a layer can read one map from several cores."""
    field = device.quantity(SHIFT)
    return field is not None and field.value is True


def cores_of(layers: Sequence[CnnLayerOp], device: Device) -> list[int]:
    """Returns all cores in ascending order of their memory. If the number of cores is unknown, there is one core for each layer."""
    count = device.integer("topology.cores")
    return sorted(range(len(layers) if count is None else count), key=lambda core: (room(device, core), core))


@frozen
class Conflict:
    """Layers and the cores that can store at least one of them. There are more layers than cores."""

    layers: list[int]
    cores: list[int]


def matching(layers: Sequence[CnnLayerOp], every: Sequence[int], device: Device) -> dict[int, int] | Conflict:
    """Returns the core of each layer, or layers that exclude a matching."""
    able = [[core for core in every if memory_excess(layer.words(), device, core) is None] for layer in layers]
    for k, cores in enumerate(able):
        if not cores:
            return Conflict([k], [])
    taken: dict[int, int] = {}
    for k in range(len(layers)):
        seen = set[int]()
        if not augment(k, able, taken, seen):
            return Conflict(sorted({k, *(taken[core] for core in seen)}), sorted(seen))
    return {layer: core for core, layer in taken.items()}


def augment(k: int, able: Sequence[Sequence[int]], taken: dict[int, int], seen: set[int]) -> bool:
    """Assigns a core to a layer, and moves other layers where that is needed; returns whether there is such a core."""
    for core in able[k]:
        if core not in seen:
            seen.add(core)
            if core not in taken or augment(taken[core], able, taken, seen):
                taken[core] = k
                return True
    return False


def room(device: Device, core: int) -> int:
    """Returns the memory of a core [bytes]; 0 if it is not known."""
    own = kind_device(device, core)
    return sum(own.integer(path) or 0 for path in (KERNEL, NEURON))


def kind_device(device: Device, core: int) -> Device:
    return kinds_of(device).get(kind_at(device, core, device.integer("topology.cores") or core + 1), device)


def refuse_memory(layer: CnnLayerOp, device: Device, cores: Sequence[int], help: Phrase) -> NoReturn:
    """Refuses a layer that no core holds: by the memory that is too small everywhere, or by the core that comes closest. Errors: DYN010."""
    words = layer.words()
    needs = {KERNEL: words["kernel"], NEURON: words["neuron"] * STATE_BYTES, BIAS: words["bias"]}
    path = next((one for one, need in needs.items() if (device.integer(one) or need) < need), None)
    if path is None:  # each memory is large enough on some core, but all together on none
        path = max(
            (KERNEL, NEURON),
            key=lambda one: min(needs[one] / max(1, kind_device(device, core).integer(one) or 1) for core in cores),
        )
    kinds = {kind: (own.integer(KERNEL), own.integer(NEURON)) for kind, own in kinds_of(device).items()}
    refuse_op(
        layer,
        DYN010,
        "the memory of no core holds a layer",
        node=layer.source.data,
        expected="; or ".join(
            f"{kernel} bytes of kernels and {neuron} of neurons" for kernel, neuron in kinds.values()
        ),
        found=f"{needs[KERNEL]} bytes of kernels and {needs[NEURON]} of neurons, {needs[BIAS]} biases",
        **device.limit_facts(path),
        help=help,
        notes=[
            "kernels take c * 2^(ceil(log2(kx ky)) + ceil(log2 f)) bytes, neurons 2 f * 2^(ceil(log2 fx) + ceil(log2 fy))",
            FEWER,
        ],
    )


def refuse_cores(layers: Sequence[CnnLayerOp], conflict: Conflict, device: Device, help: Phrase) -> NoReturn:
    """Refuses layers that compete for fewer cores. Errors: DYN011."""
    path, some, cores = "topology.cores", conflict.layers, conflict.cores
    names = ", ".join(layers[k].source.data for k in some)
    shown = ", ".join(map(str, cores))
    refuse_op(
        layers[some[-1]],
        DYN011,
        "the layers are more than the cores that hold them",
        node=layers[some[-1]].source.data,
        expected=f"at most {len(cores)} of these layers, on the cores {shown}",
        found=f"{len(some)}: {names}",
        **device.limit_facts(path, len(some), len(cores) if len(cores) == device.integer(path) else None),
        help=help,
        notes=[f"remove a layer, or {FEWER}"],
    )
