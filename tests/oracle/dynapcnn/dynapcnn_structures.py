"""Random networks with structures that Speck serves by several passes, or not at all: `made = structured(7)`.

| structure | on the chip |
| --- | --- |
| convolutions with strides, padding, groups, dilation, biases; a dense layer, or two | layers |
| a population that two or three layers read, and a layer that reads two populations | destinations; more than two are refused, with a remedy |
| sum and average pools of 2, 3 or 4 | destinations; a pool of 3 is refused, or part of a dense layer |
| rows in which some weights are 40 times weaker | integers, or zeros |
| counts of events, `>` and `>=`, both resets, a spike in a tick or many | the neuron of the chip, recorded |
| a layer that no core holds | several cores |
| a leak; a loop with delays | refused |
"""

from __future__ import annotations

import nir
import numpy as np
from attrs import evolve
from structured_networks import STYLES, Drawing, Made

TICKS = 20
COUNT = 3
"""The largest count of events in a tick."""
LIKES = ("sinabs", "sinabs", "sinabs", "norse", "spikingjelly")


class Layers(Drawing):
    """A network of maps."""

    def __init__(self, seed: int):
        self.like = LIKES[seed % len(LIKES)]
        style = STYLES["dynapcnn"]
        super().__init__(seed, evolve(style, r=1 / style.dt) if self.like == "spikingjelly" else style)
        self.shapes: dict[str, tuple[int, ...]] = {}

    def convolution(self, name: str, source: str, filters: int, stride: int = 1) -> str:
        """Adds a convolution that divides the size of the map by its stride."""
        channels, *sides = self.shapes[source]
        rng, groups = self.rng, channels if self.chance(0.2) and filters % channels == 0 else 1
        kernel = int(rng.choice([1, 3, 3, 5]))
        dilation = 2 if kernel == 3 and self.chance(0.2) else 1
        padding = dilation * (kernel - 1) // 2
        weight = self.weights((filters, channels // groups, kernel, kernel))
        bias = rng.normal(0, 0.1, filters) if self.chance(0.5) else np.zeros(filters)
        node = nir.Conv2d(
            tuple(sides), weight, (stride,) * 2, (padding,) * 2, (dilation,) * 2, groups, bias.astype(np.float32)
        )
        self.shapes[name] = (filters, *(-(-side // stride) for side in sides))
        return self.add(name, node, source)

    def neurons(self, name: str, *sources: str) -> str:
        self.shapes[name] = self.shapes[sources[0]]
        return self.population(name, self.shapes[name], *sources)

    def pool(self, name: str, source: str) -> str:
        channels, *sides = self.shapes[source]
        size = int(self.rng.choice([size for size in (2, 2, 4, 3) if size <= min(sides)]))
        one, none = np.array([size, size]), np.array([0, 0])
        kind = nir.SumPool2d if self.chance(0.6) else nir.AvgPool2d
        self.shapes[name] = (channels, *(side // size for side in sides))
        return self.add(name, kind(one, one, none), source)

    def full(self, name: str, source: str, outputs: int) -> str:
        shape = self.shapes[source]
        if len(shape) > 1:
            source = self.add(f"{name}_flat", nir.Flatten({"input": np.array(shape)}, 0, -1), source)
        self.shapes[name] = (outputs,)
        return self.dense(name, source, int(np.prod(shape)), outputs)


def structured(seed: int) -> Made:
    """Returns the network of a seed."""
    drawing = Layers(seed)
    rng = drawing.rng
    is_wide = seed % 10 == 3
    channels, side = int(rng.integers(1, 3)), 32 if is_wide else int(rng.integers(6, 13))
    drawing.shapes["input"] = (channels, side, side)
    drawing.add("input", nir.Input({"input": np.array([channels, side, side])}))
    first = drawing.neurons(
        "first", drawing.convolution("conv1", "input", 80 if is_wide else 2 * int(rng.integers(1, 4)))
    )
    filters, reading = drawing.shapes[first][0], [first]
    if not is_wide and drawing.chance(0.5):
        reading.append(drawing.neurons("side", drawing.convolution("conv2", first, filters)))
    if len(reading) > 1 and drawing.chance(0.3):
        reading.append(drawing.neurons("other", drawing.convolution("conv3", first, filters)))
    name = drawing.convolution(
        "conv4", reading[0], 2 * int(rng.integers(1, 4)), 2 if is_wide or drawing.chance(0.3) else 1
    )
    drawing.edges += [(source, name) for source in reading[1:]]
    last = drawing.neurons("second", name)
    if seed % 15 == 7:
        drawing.loop(last, 1)
        drawing.nodes["second_loopd"] = nir.Delay(np.full(drawing.shapes[last], 0.002, np.float32))
        drawing.nodes["second_loop"] = nir.Scale(np.full(drawing.shapes[last], 0.1, np.float32))
        drawing.edges = [("second", "second_loopd"), ("second_loopd", "second_loop"), *drawing.edges]
    if drawing.chance(0.7):
        last = drawing.pool("pool", last)
    last = drawing.neurons("third", drawing.full("fc1", last, int(rng.integers(3, 20))))
    if drawing.chance(0.5):
        last = drawing.neurons("fourth", drawing.full("fc2", last, int(rng.integers(3, 12))))
    if seed % 15 == 11:
        one = np.ones(drawing.shapes[last], np.float32)
        drawing.nodes[last] = nir.LIF(0.02 * one, one, 0 * one, one, v_reset=0 * one)
    drawing.add("output", nir.Output({"output": np.array(drawing.shapes[last])}), last)
    if drawing.chance(0.3):
        drawing.add("early", nir.Output({"output": np.array(drawing.shapes[first])}), first)
    graph = nir.NIRGraph(drawing.nodes, list(dict.fromkeys(drawing.edges)), type_check=False)
    counts = rng.integers(0, COUNT + 1, (TICKS, *drawing.shapes["input"])) if seed % 3 == 1 else 1
    x = (rng.random((TICKS, *drawing.shapes["input"])) < 0.2) * counts
    return Made(
        graph, {"dt": "1ms", "like": drawing.like, "reset": str(rng.choice(["subtract", "subtract", "value"]))}, x
    )
