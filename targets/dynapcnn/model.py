"""Runs a `dynapcnn.configuration` in integers: a tick is a bin of events, which the layers process one after the other.

    w = v + sum of weights of events + biases;   n = floor(w / threshold_high), at least 0;   v = max(w - n threshold_high, threshold_low)

With `return_to_zero` a neuron that spikes has v = 0. The chip is asynchronous: a neuron compares after each event, so the times of its spikes, and
with weights of both signs also their number, can differ within a tick. Counts are those of the quantised simulation of the vendor.

Source: sinabs 3.1.3, layers/iaf.py and activation/spike_generation.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from attrs import define, field
from numpy.lib.stride_tricks import sliding_window_view
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...dialects.chip_base.parts import NetworkBase
from ...dialects.dynapcnn import CnnLayerOp, ConfigurationOp
from ...dialects.ntensor import NetworkOp
from ...simulation.layer_model import LayerModel
from ...simulation.records import Watched

MEMBRANE = "v"
"""The state of the device's neurons."""


@define(eq=False)
class CoreLayer:
    """A layer that is ready to run. Maps are `[samples, features, x, y]`."""

    op: CnnLayerOp
    kernels: AnyArray = field(init=False)
    """Shapes: [f, c kx ky]."""
    v: Ints = field(init=False)
    spikes: Ints = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.kernels = self.op.weights.values.reshape(self.op.made[0], -1).astype(np.float64)

    def start(self, samples: int) -> None:
        self.v = np.zeros((samples, *self.op.made), np.int64)
        self.spikes = np.zeros_like(self.v)

    def sums(self, x: Ints) -> Ints:
        """Returns the sums of the weights of events."""
        if not x.any():
            return np.zeros_like(self.v)
        (px, py), (sx, sy) = self.op.axis("padding"), self.op.axis("stride")
        padded = np.pad(x, ((0, 0), (0, 0), (px, px), (py, py))).astype(np.float64)
        windows = sliding_window_view(padded, self.op.kernel, axis=(2, 3))[:, :, ::sx, ::sy]
        rows = windows.transpose(0, 2, 3, 1, 4, 5).reshape(len(x), *self.op.made[1:], -1)
        return (rows @ self.kernels.T).transpose(0, 3, 1, 2).astype(np.int64)  # sums of whole numbers below 2^53

    def step(self, x: Ints) -> None:
        """Processes the events of a tick."""
        low, high = self.op.thresholds
        w = self.v + self.sums(x)
        if self.op.leak_enable is not None and self.op.biases is not None:
            w += self.op.biases.values.astype(np.int64)[:, None, None]
        self.spikes = np.maximum(w // high, 0)
        rest = np.where(self.spikes > 0, 0, w) if self.op.return_to_zero is not None else w - self.spikes * high
        self.v = np.maximum(rest, low)


def pooled(x: Ints, size: int) -> Ints:
    """Returns the sums of squares of a map; rows and columns that fill no square are lost."""
    if size == 1:
        return x
    samples, features, width, height = x.shape
    kept = x[:, :, : width // size * size, : height // size * size]
    return kept.reshape(samples, features, width // size, size, height // size, size).sum(axis=(3, 5))


class Model(LayerModel[ConfigurationOp, tuple[str, bool]]):
    """Runs the exit dialect. A view is a population or input, and whether its state is recorded. Errors: those of `LayerModel`."""

    chip: ClassVar[type[NetworkBase]] = ConfigurationOp
    noun, expected, device = "configuration", "one dynapcnn.configuration", "dynapcnn/speck2f"

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        super().__init__(module, network, device=device, record=record)
        self.layers = [CoreLayer(op) for op in self.compiled.layers]
        by_number = {layer.op.number: layer for layer in self.layers}
        self.populations = {
            name: [by_number[part.number] for part in parts] for name, parts in self.compiled.populations.items()
        }
        """The layers of each population, in the order of its features."""

    def view(self, name: str, watched: Watched) -> tuple[str, bool]:
        outputs = {op.node.data: op.source.data for op in self.compiled.outputs}
        if name in outputs:
            return outputs[name], False
        node = self.node_of(watched)
        known = [*self.inputs, *dict.fromkeys(layer.source.data for layer in self.compiled.layers)]
        if node is None or node not in known or watched.state not in (None, MEMBRANE):
            expected = f"an input, a population, or its state {MEMBRANE}: {', '.join(known)}"
            self.refuse_record(name, node, expected, "a node between layers")
        return node, watched.state is not None

    def start(self, samples: int) -> None:
        for layer in self.layers:
            layer.start(samples)

    def tick(self, inputs: Mapping[str, AnyArray], samples: int) -> Mapping[tuple[str, bool], AnyArray]:
        received = {layer.op.number: np.zeros((samples, *layer.op.given), np.int64) for layer in self.layers}
        events: dict[str, Ints] = {}
        for op in self.compiled.inputs:
            features, x, y = op.made
            values = inputs[op.node.data].reshape(samples, features, y, x).transpose(0, 1, 3, 2).astype(np.int64)
            events[op.node.data] = values
            self.send(values, op.sends, received, 0)
        for layer in self.layers:
            layer.step(received[layer.op.number])
            self.send(layer.spikes, layer.op.sends, received, layer.op.first)
        states: dict[str, Ints] = {}
        for name, parts in self.populations.items():
            events[name] = np.concatenate([part.spikes for part in parts], 1)
            states[name] = np.concatenate([part.v for part in parts], 1)
        values = {**{(name, False): map_ for name, map_ in events.items()}, **{(n, True): m for n, m in states.items()}}
        return {view: map_.transpose(0, 1, 3, 2) for view, map_ in values.items()}

    def send(
        self, values: Ints, destinations: Sequence[tuple[int, int, int]], received: Mapping[int, Ints], shift: int
    ) -> None:
        """Adds events to the maps that the destinations read, at features from `shift` and the first channel of the destination."""
        for number, size, first in destinations:
            begin = shift + first
            received[number][:, begin : begin + values.shape[1]] += pooled(values, size)
