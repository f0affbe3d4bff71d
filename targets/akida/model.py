"""Runs an `akida.model` in integers, layer by layer: a tick is a frame, and a layer keeps nothing between frames.

Potentials are exact sums. Max pooling compares potentials, `average` adds those of the whole map. An activation divides the difference of
potential and threshold by its step, rounds up, and is limited to its bits. Sums are products of matrices of whole numbers
in double precision, which are exact below 2^53: 8 bits of input times 8 bits of weight, for at most 81920 inputs, need 33.

Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.diagnostics import Code, describe_op, refuse, refuse_op
from ...core.ir.operation import only_op, shape_of
from ...dialects.akida import (
    STEPS,
    ConvolutionalOp,
    FullyConnectedOp,
    LayerOp,
    ModelOp,
    SeparableConvolutionalOp,
    WindowLayerOp,
    same_margins,
)
from ...dialects.akida_ops.layers import SAME
from ...dialects.ntensor import NetworkOp
from ...simulation.elements import result_dtype
from ...simulation.records import Records, Watched
from ...simulation.room import require_room
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal

AKM001 = Code("AKM001", "the model does not compute a recorded node")
AKM002 = Code("AKM002", "the module contains no Akida model")
AKM003 = Code("AKM003", "the model belongs to another network")
AKM004 = Code("AKM004", "the model does not change weights")

DEFAULT_DEVICE = "akida/akd1000"
COMPILE = f"nopt compile FILE --target {DEFAULT_DEVICE} -o DIR"
BLOCK_BYTES = 2**26
"""Bytes of the windows of a layer that are held at a time."""


def model_of(module: ModuleOp) -> ModelOp:
    """Returns the one model of a module. Errors: AKM002."""
    return only_op(module, ModelOp, AKM002, "models", AKM002.summary, expected="one akida.model", help=COMPILE)


class AkidaModel:
    """Runs the exit dialect; `network` defines the names, shapes and types that are visible to the user.

    Errors: RUN001 an unknown record; AKM001 a record of a node that no layer computes; AKM002 a module without a model; AKM003 a model of
    another network; AKM004 a layer that learns.
    """

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        del device  # the layers hold all numbers
        self.model, records = model_of(module), Records(network)
        self.arguments = records.arguments
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.watched = records.watched(record)
        self.layers = [compiled(layer) for layer in self.model.layers]
        self.verify_names(records)
        self.views = {name: self.view(name, one) for name, one in self.watched.items()}
        """The index of the layer of each result; -1 is the input."""
        for layer in self.model.layers:
            if isinstance(layer, FullyConnectedOp) and layer.learning is not None:
                refuse_op(
                    layer,
                    AKM004,
                    node=layer.source.data,
                    expected="weights that stay as they are",
                    found="parameters of learning, whose rule is not published",
                    help="--set preferences.num_weights=0",
                )

    def verify_names(self, records: Records) -> None:
        """Refuses a model whose input or outputs are not those of the network. Errors: AKM003."""
        for what, found, known in (
            ("inputs", {self.model.input_name}, set(self.inputs)),
            ("outputs", {op.node.data for op in self.model.outputs}, set(records.outputs)),
        ):
            if found != known:
                expected, shown = (", ".join(sorted(one)) or "none" for one in (known, found))
                message = f"the {what} of the model differ from the network"
                refuse(AKM003, message, expected=expected, found=shown, help=COMPILE)

    def view(self, name: str, watched: Watched) -> int:
        """Returns the layer of a result. Errors: AKM001."""
        outputs = {op.node.data: op.source.data for op in self.model.outputs}
        sources = {layer.source.data: k for k, layer in enumerate(self.model.layers)}
        sources = {self.model.input_name: -1, **sources}
        node = outputs.get(name)
        if node is None and watched.state is None:
            owner = watched.value.owner
            node = describe_op(owner)[1] if isinstance(owner, Operation) else self.model.input_name
        if node is None or node not in sources:
            refuse(
                AKM001,
                f'the model does not compute "{name}"',
                at=f"record {name}",
                node=name,
                expected=f"the input, an output, or a layer: {', '.join(sources)}",
                found="a node between layers, or a state",
                help="--model reference",
            )
        return sources[node]

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`.

        Errors: RUN002, RUN003, RUN004, RUN005, RUN007.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        shapes = {name: (samples, ticks, *watched.shape) for name, watched in self.watched.items()}
        dtypes = {name: result_dtype(watched.type) for name, watched in self.watched.items()}
        require_room({name: prod(shape) * dtypes[name].itemsize for name, shape in shapes.items()}, ticks, samples)
        results = {name: np.zeros(shape, dtypes[name]) for name, shape in shapes.items()}
        (name,) = self.inputs
        for t in range(ticks):
            window = signals[name].window(slice(0, samples), slice(t, t + 1))
            given = convert_window(name, window, self.arguments[name], t).reshape(samples, *self.inputs[name])
            values = self.frames(given)
            for result, layer in self.views.items():
                results[result][:, t] = values[layer + 1].reshape(samples, *self.watched[result].shape)
            if progress is not None:
                progress((t + 1) * samples, ticks * samples)
        return results

    def frames(self, x: AnyArray) -> list[Ints]:
        """Returns the input and the values of every layer of some frames, as `[frames, c, h, w]`."""
        first = x if x.ndim == 4 else x.reshape(len(x), -1, 1, 1)
        found: list[Ints] = [first.astype(np.int64)]
        for layer in self.layers:
            found.append(layer(found[-1]))
        return found


class Layer:
    """A layer that is ready to run. Maps are `[frames, c, h, w]`."""

    def __init__(self, op: LayerOp):
        self.bits = op.activation_bits
        self.threshold = None if op.threshold is None else op.threshold.values.astype(np.int64)
        self.step = None
        """Sixteenths of the potential of one level."""
        if op.act_step is not None and self.bits is not None:
            self.step = (op.act_step.values.astype(np.float64) * STEPS).astype(np.int64) << (4 - self.bits)

    def __call__(self, x: Ints) -> Ints:
        return self.activate(self.potentials(x))

    def potentials(self, x: Ints) -> Ints:
        raise NotImplementedError

    def activate(self, potentials: Ints) -> Ints:
        """Returns the activations of potentials `[frames, filters, h, w]`."""
        if self.bits is None or self.threshold is None or self.step is None:
            return potentials
        above = (potentials - self.threshold[:, None, None]) * STEPS
        levels = -(-above // self.step[:, None, None])
        return np.clip(levels, 0, 2**self.bits - 1)


class Dense(Layer):
    """A dense layer, which reads a map in the order (c, w, h)."""

    def __init__(self, op: FullyConnectedOp):
        super().__init__(op)
        self.weights = op.weights.values[0, 0].astype(np.float64)

    def potentials(self, x: Ints) -> Ints:
        flat = x.transpose(0, 1, 3, 2).reshape(len(x), -1)
        return (flat.astype(np.float64) @ self.weights).astype(np.int64)[:, :, None, None]


class Convolution(Layer):
    """A layer with a window, and its pool of potentials."""

    def __init__(self, op: WindowLayerOp):
        super().__init__(op)
        kernels = op.weights.values.astype(np.float64)
        if isinstance(op, ConvolutionalOp | SeparableConvolutionalOp):
            kernels = kernels[::-1, ::-1]
        self.kernel, self.stride = op.kernel, op.stride
        self.is_same = op.padding.data == SAME
        self.pool, self.is_summed = op.pool, op.is_summed
        self.points: AnyArray | None = None
        if isinstance(op, SeparableConvolutionalOp):
            self.points = op.weights_pw.values[0, 0].astype(np.float64)
        self.kernels = kernels

    def windows(self, x: AnyArray, fill: float, size: tuple[int, int], stride: tuple[int, int]) -> AnyArray:
        """Returns a view of all windows, `[frames, c, h', w', kh, kw]`."""
        if self.is_same:
            margins = same_margins(x.shape[2:], size, stride)
            x = np.pad(x, ((0, 0), (0, 0), *margins), constant_values=fill)
        return sliding_window_view(x, size, axis=(2, 3))[:, :, :: stride[0], :: stride[1]]

    def potentials(self, x: Ints) -> Ints:
        frame = 8 * x[0].size * self.kernel[0] * self.kernel[1]
        block = max(1, BLOCK_BYTES // max(1, frame))
        return (
            np.concatenate([self.some(x[k : k + block]) for k in range(0, len(x), block)]) if len(x) else self.some(x)
        )

    def some(self, x: Ints) -> Ints:
        windows = self.windows(x.astype(np.float64), 0, self.kernel, self.stride)
        if self.points is None:
            found = np.tensordot(windows, self.kernels, axes=((1, 4, 5), (2, 0, 1)))  # [frames, h, w, filters]
        else:
            each = np.einsum("nchwij,ijc->nhwc", windows, self.kernels[..., 0])
            found = each @ self.points
        return self.pooled(np.ascontiguousarray(found.transpose(0, 3, 1, 2))).astype(np.int64)

    def pooled(self, x: AnyArray) -> AnyArray:
        if self.is_summed:
            return x.sum(axis=(2, 3), keepdims=True)
        if self.pool is None:
            return x
        return self.windows(x, -np.inf, *self.pool).max(axis=(4, 5))


def compiled(op: LayerOp) -> Layer:
    """Returns a layer that is ready to run."""
    if isinstance(op, FullyConnectedOp):
        return Dense(op)
    assert isinstance(op, WindowLayerOp)
    return Convolution(op)
