"""Divides layers by their features over several cores, where no matching of layers and cores exists.

A part of a layer has some of its filters. It reads all channels, and computes each of its neurons as the layer does, so that the split is exact. A
split over the channels that a layer reads is not: a neuron would add events on two cores.

1. A core holds a number of the features of a layer, which is the greatest one whose kernels, neurons and biases fit into its memory.
2. A layer takes cores that hold all of its features together, and of which none can be left out.
3. Each core that sends to a layer sends to all of its parts. The destinations of a core are shared equally by the layers that it sends to, so that a
   layer has at most fan_out / layers parts. Events of the host have no such limit.
4. Dynamic programming over the layers and the free cores of each kind finds the assignment with the fewest cores, if there is any.
5. Features are divided as evenly as the cores hold them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from attrs import define, field, frozen

from ...core.device.core_kinds import kind_at
from ...core.device.records import Device
from ...dialects.dynapcnn.layers import CnnLayerOp
from ...dialects.dynapcnn.limits import memory_excess

Send = tuple[int, int, int]
"""Place, pooling and first channel of a destination."""
Sends = Sequence[Send]
Counts = tuple[int, ...]
"""Cores of each kind."""
Fewest = tuple[int, tuple[Counts, ...]] | None
"""A number of cores, and the cores of each layer."""


@frozen
class LayerPart:
    """Features of a layer on a core."""

    core: int
    first: int
    features: int


def split_layers(
    layers: Sequence[CnnLayerOp], sends: Sequence[Sends], cores: Sequence[int], device: Device
) -> list[list[LayerPart]] | None:
    """Returns the parts of each layer; None if no assignment exists. `cores`: all cores, preferred cores first."""
    groups = core_groups(cores, device)
    held = [[features_held(layer, group[0], device) for group in groups] for layer in layers]
    found = Assignment([layer.made[0] for layer in layers], held, most_parts(layers, sends, len(cores), device)).fewest(
        0, tuple(map(len, groups))
    )
    if found is None:
        return None
    left = [list(group) for group in groups]
    parts: list[list[LayerPart]] = []
    for layer, own, counts in zip(layers, held, found[1], strict=True):
        taken = [(left[k].pop(0), own[k]) for k, count in enumerate(counts) for _ in range(count)]
        parts.append(divide_features(layer.made[0], taken))
    return parts


def core_groups(cores: Sequence[int], device: Device) -> list[list[int]]:
    """Returns the cores of each kind."""
    count = device.integer("topology.cores") or len(cores)
    found: dict[str, list[int]] = {}
    for core in cores:
        found.setdefault(kind_at(device, core, count), []).append(core)
    return [*found.values()]


def features_held(layer: CnnLayerOp, core: int, device: Device) -> int:
    """Returns the greatest number of features of a layer that a core holds, by bisection: memory grows with features."""
    low, high = 0, layer.made[0]
    while low < high:
        middle = (low + high + 1) // 2
        if memory_excess(layer.words(middle), device, core) is None:
            low = middle
        else:
            high = middle - 1
    return low


def most_parts(layers: Sequence[CnnLayerOp], sends: Sequence[Sends], cores: int, device: Device) -> list[int]:
    """Returns the greatest number of parts of each layer."""  # 3
    found, fan_out = [cores] * len(layers), device.integer("core.fan_out")
    if fan_out is not None:
        for rows in sends:
            for k, *_ in rows:
                found[k] = min(found[k], fan_out // len(rows))
    return found


@define
class Assignment:
    """Numbers of cores of each kind for the layers from some place on."""

    features: list[int]
    held: list[list[int]]
    """The features of each layer that a core of each kind holds."""
    most: list[int]
    known: dict[tuple[int, Counts], Fewest] = field(factory=dict[tuple[int, Counts], Fewest])

    def fewest(self, k: int, free: Counts) -> Fewest:
        """Returns the fewest cores for the layers from `k` on, and the cores of each layer; None if the free cores do not hold them."""
        if k == len(self.features):
            return 0, ()
        if (k, free) not in self.known:
            best: Fewest = None
            for taken in self.choices(k, free):
                rest = self.fewest(k + 1, tuple(n - m for n, m in zip(free, taken, strict=True)))
                if rest is not None and (best is None or sum(taken) + rest[0] < best[0]):
                    best = sum(taken) + rest[0], (taken, *rest[1])
            self.known[k, free] = best
        return self.known[k, free]

    def choices(self, k: int, free: Counts) -> Iterator[Counts]:
        """Yields minimal numbers of cores of each group that can store a layer. Choices with more preferred cores come first."""  # 2
        features, held = self.features[k], self.held[k]
        needs = [min(n, self.most[k], -(-features // h)) if h else 0 for n, h in zip(free, held, strict=True)]
        for taken in product(*(range(n, -1, -1) for n in needs)):
            total = sum(n * h for n, h in zip(taken, held, strict=True))
            least = min((h for n, h in zip(taken, held, strict=True) if n), default=0)
            if sum(taken) <= self.most[k] and total >= features > total - least:
                yield taken


def divide_features(features: int, taken: Sequence[tuple[int, int]]) -> list[LayerPart]:
    """Returns the parts of a layer. `taken`: cores and the features that each holds."""  # 5
    parts: list[LayerPart] = []
    first = 0
    for place, (core, held) in enumerate(sorted(taken, key=lambda one: one[1])):
        share = min(held, -(-(features - first) // (len(taken) - place)))
        parts.append(LayerPart(core, first, share))
        first += share
    return parts
