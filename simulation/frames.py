"""Data for networks of frames and for padded inputs: windows of ticks, and zeros around an axis.

Frame k is the sum of ticks k n to (k + 1) n - 1, or these ticks one after the other, as an axis. Zeros follow the last tick of the data, so
the last frame may have fewer ticks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ..core.diagnostics import Diagnostics
from ..core.ir.operation import shape_of, texts_of
from ..core.progress import doing
from ..dialects import ntensor
from .signals import Signal
from .stimuli import Given, Stimulus, stimulus


class DerivedSignal:
    """A signal computed from a stored signal, window by window."""

    inner: Signal

    def require_finite(self) -> None:
        self.inner.require_finite()

    @property
    def nbytes(self) -> int:
        return self.inner.nbytes


class FrameSignal(DerivedSignal):
    """The frames of a signal. Units: ticks [ticks] of a frame."""

    def __init__(self, inner: Signal, ticks: int):
        self.inner, self.frame_ticks = inner, ticks
        self.samples, self.shape = inner.samples, inner.shape
        self.ticks = frames_of(inner.ticks, ticks)

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        """Returns the sums of some frames, computed in 64 bits."""
        count = ticks.stop - ticks.start
        found = self.inner.window(samples, slice(ticks.start * self.frame_ticks, ticks.stop * self.frame_ticks))
        parts = found.reshape(count, self.frame_ticks, *found.shape[1:])
        return parts.sum(axis=1, dtype=np.float64 if found.dtype.kind == "f" else np.int64)


class StackedSignal(DerivedSignal):
    """The ticks of each frame of a signal, as the first axis. Units: ticks [ticks] of a frame."""

    def __init__(self, inner: Signal, ticks: int):
        self.inner, self.frame_ticks = inner, ticks
        self.samples, self.shape = inner.samples, (ticks, *inner.shape)
        self.ticks = frames_of(inner.ticks, ticks)

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        found = self.inner.window(samples, slice(ticks.start * self.frame_ticks, ticks.stop * self.frame_ticks))
        parts = found.reshape(ticks.stop - ticks.start, self.frame_ticks, *found.shape[1:])
        return parts.swapaxes(1, 2)


class PaddedSignal(DerivedSignal):
    """A signal with zeros around its axes. Shapes: padding [axes, 2], before and after each axis."""

    def __init__(self, inner: Signal, padding: NDArray[np.int64]):
        self.inner, self.padding = inner, padding
        self.samples, self.ticks = inner.samples, inner.ticks
        self.shape = tuple(int(n) for n in np.array(inner.shape) + padding.sum(1))

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        return np.pad(self.inner.window(samples, ticks), [(0, 0), (0, 0), *self.padding.tolist()])


def data_shapes(network: ntensor.NetworkOp, inputs: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """Returns the shapes of a network's input data; padding and the ticks of a frame are removed."""
    padding, first = network.input_padding, int(network.has_stacked_ticks)
    whole = {
        name: tuple(int(n) for n in np.array(shape) - padding[name].sum(1)) if name in padding else shape
        for name, shape in inputs.items()
    }
    return {name: shape[first:] for name, shape in whole.items()}


@doing("reading the input")
def read_data(network: ntensor.NetworkOp, given: Given, diagnostics: Diagnostics | None = None) -> Stimulus:
    """Reads the input data of a network, in the ticks and shapes of the data. Errors and warnings: those of `stimulus`."""
    inputs = dict(zip(texts_of(network.input_names), map(shape_of, network.body.block.args), strict=True))
    return stimulus(given, data_shapes(network, inputs), network.tick_ns.value.data // network.frame_ticks, diagnostics)


def fit_data(network: ntensor.NetworkOp, data: Stimulus) -> Stimulus:
    """Returns the inputs of a network from the data for it: frames of their ticks, with zeros around padded inputs."""
    ticks, padding = network.frame_ticks, network.input_padding
    if ticks == 1 and not padding and not network.has_stacked_ticks:
        return data
    signals: dict[str, Signal] = dict(data.signals)
    if ticks > 1 or network.has_stacked_ticks:
        frame = StackedSignal if network.has_stacked_ticks else FrameSignal
        signals = {name: frame(signal, ticks) for name, signal in signals.items()}
    signals |= {name: PaddedSignal(signals[name], rows) for name, rows in padding.items() if name in signals}
    return evolve(data, signals=signals, ticks=frames_of(data.ticks, ticks))


def frames_of(ticks: int, frame_ticks: int) -> int:
    """Returns the number of frames for a number of ticks, rounded up. Units: both [ticks]."""
    return -(-ticks // frame_ticks)


def add_array(array: NDArray[Any], frame_ticks: int) -> NDArray[Any]:
    """Returns the frames of an array of a run. Shapes: [samples, ticks, *shape] => [samples, frames, *shape]."""
    if frame_ticks == 1:
        return array
    frames = frames_of(array.shape[1], frame_ticks)
    missing = frames * frame_ticks - array.shape[1]
    if missing:
        rest = np.zeros((array.shape[0], missing, *array.shape[2:]), array.dtype)
        array = np.concatenate([array, rest], axis=1)
    parts = array.reshape(array.shape[0], frames, frame_ticks, *array.shape[2:])
    return parts.sum(axis=2, dtype=None if array.dtype.kind == "f" else np.int64)
