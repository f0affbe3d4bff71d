"""Runs a `dynapcnn.configuration` in integers: a tick is a bin of events, which the layers process one after the other.

    w = v + sum of weights of events + biases;   n = floor(w / threshold_high), at least 0;   v = max(w - n threshold_high, threshold_low)

With `return_to_zero` a neuron that spikes has v = 0. The chip is asynchronous: a neuron compares after each event, so the times of its spikes, and
with weights of both signs also their number, can differ within a tick. Counts are those of the quantised simulation of the vendor.

Source: sinabs 3.1.3, layers/iaf.py and activation/spike_generation.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np
from attrs import define, field
from numpy.lib.stride_tricks import sliding_window_view
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.diagnostics import describe_op, refuse
from ...core.ir.operation import only_op, shape_of
from ...dialects.dynapcnn import CnnLayerOp, ConfigurationOp
from ...dialects.ntensor import NetworkOp
from ...simulation.chip_model import CHI017, CHI018, CHI019
from ...simulation.elements import result_dtype
from ...simulation.memory_budget import check_memory
from ...simulation.records import Records, Watched
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal

COMPILE = "nopt compile FILE --target dynapcnn/speck2f -o DIR"
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


class Model:
    """Runs the exit dialect; `network` defines the names, shapes and types that are visible to the user.

    Errors: SIM017 an unknown record; CHI017 a record of a node that no layer computes; CHI018 a module without a configuration; CHI019 one of
    another network.
    """

    @staticmethod
    def chip_of(module: ModuleOp) -> ConfigurationOp:
        """Returns the one configuration of a module. Errors: CHI018."""
        expected = "one dynapcnn.configuration"
        return only_op(
            module, ConfigurationOp, CHI018, "configurations", CHI018.summary, expected=expected, help=COMPILE
        )

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        del device  # the layers hold all numbers
        self.configuration, records = self.chip_of(module), Records(network)
        self.arguments = records.arguments
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.watched = records.watched(record)
        self.layers = [CoreLayer(op) for op in self.configuration.layers]
        by_number = {layer.op.number: layer for layer in self.layers}
        self.populations = {
            name: [by_number[part.number] for part in parts] for name, parts in self.configuration.populations.items()
        }
        """The layers of each population, in the order of its features."""
        self.verify_names(records)
        self.views = {name: self.view(name, one) for name, one in self.watched.items()}

    def verify_names(self, records: Records) -> None:
        """Refuses a configuration whose inputs or outputs are not those of the network. Errors: CHI019."""
        configuration = self.configuration
        for what, found, known in (
            ("inputs", {op.node.data: prod(op.made) for op in configuration.inputs}, self.inputs),
            (
                "outputs",
                {op.node.data: prod(shape_of(op.type)) for op in configuration.outputs},
                {name: shape_of(value) for name, value in records.outputs.items()},
            ),
        ):
            wanted = {name: prod(shape) for name, shape in known.items()}
            if found != wanted:
                expected, shown = (
                    ", ".join(f"{name} of {n}" for name, n in sorted(one.items())) or "none" for one in (wanted, found)
                )
                message = f"the {what} of the configuration differ from the network"
                refuse(CHI019, message, expected=expected, found=shown, help=COMPILE)

    def view(self, name: str, watched: Watched) -> tuple[str, bool]:
        """Returns the population or input of a record, and whether the record is its state. Errors: CHI017."""
        outputs = {op.node.data: op.source.data for op in self.configuration.outputs}
        if name in outputs:
            return outputs[name], False
        owner = watched.value.owner
        node = describe_op(owner)[1] if isinstance(owner, Operation) else None
        if not isinstance(owner, Operation):
            node = next((key for key, value in self.arguments.items() if value is watched.value), None)
        known = [*self.inputs, *dict.fromkeys(layer.op.source.data for layer in self.layers)]
        if node is None or node not in known or watched.state not in (None, MEMBRANE):
            refuse(
                CHI017,
                f'the configuration does not compute "{name}"',
                at=f"record {name}",
                node=name,
                expected=f"an input, a population, or its state {MEMBRANE}: {', '.join(known)}",
                found="a node between layers",
                help="--model reference",
            )
        return node, watched.state is not None

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`.

        Errors: SIM018, SIM019, SIM020, SIM021, SIM023.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        shapes = {name: (samples, ticks, *watched.shape) for name, watched in self.watched.items()}
        dtypes = {name: result_dtype(watched.type) for name, watched in self.watched.items()}
        check_memory({name: prod(shape) * dtypes[name].itemsize for name, shape in shapes.items()}, ticks, samples)
        results = {name: np.zeros(shape, dtypes[name]) for name, shape in shapes.items()}
        for layer in self.layers:
            layer.start(samples)
        for t in range(ticks):
            given = {
                name: convert_window(
                    name, signals[name].window(slice(0, samples), slice(t, t + 1)), argument, t
                ).reshape(samples, *self.inputs[name])
                for name, argument in self.arguments.items()
            }
            events = self.tick(given, samples)
            for name, (node, is_state) in self.views.items():
                map_ = events[node] if not is_state else np.concatenate([one.v for one in self.populations[node]], 1)
                results[name][:, t] = map_.transpose(0, 1, 3, 2).reshape(samples, *self.watched[name].shape)
            if progress is not None:
                progress((t + 1) * samples, ticks * samples)
        return results

    def tick(self, given: Mapping[str, AnyArray], samples: int) -> dict[str, Ints]:
        """Returns the events of all inputs and layers in a tick."""
        received = {layer.op.number: np.zeros((samples, *layer.op.given), np.int64) for layer in self.layers}
        events: dict[str, Ints] = {}
        for one in self.configuration.inputs:
            features, x, y = one.made
            values = given[one.node.data].reshape(samples, features, y, x).transpose(0, 1, 3, 2).astype(np.int64)
            events[one.node.data] = values
            self.send(values, one.sends, received, 0)
        for layer in self.layers:
            layer.step(received[layer.op.number])
            self.send(layer.spikes, layer.op.sends, received, layer.op.first)
        for name, parts in self.populations.items():
            events[name] = np.concatenate([one.spikes for one in parts], 1)
        return events

    def send(
        self, values: Ints, destinations: Sequence[tuple[int, int]], received: Mapping[int, Ints], shift: int
    ) -> None:
        """Adds events to the maps that the destinations read, at features from `shift`."""
        features = slice(shift, shift + values.shape[1])
        for number, size in destinations:
            received[number][:, features] += pooled(values, size)
