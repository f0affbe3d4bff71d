"""Frames: a signal whose ticks are sums over windows of the ticks of another signal.

Frame k is the sum of ticks k n to (k + 1) n - 1. Zeros follow the last tick of the data, so the last frame may be the sum of fewer ticks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from .signals import Signal
from .stimuli import Stimulus


class FrameSignal:
    """The frames of a signal. Units: ticks [ticks] of a frame."""

    def __init__(self, inner: Signal, ticks: int):
        self.inner, self.frame_ticks = inner, ticks
        self.samples, self.shape = inner.samples, inner.shape
        self.ticks = frames_of(inner.ticks, ticks)

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        """Returns the sums of some frames; integers are added as 64 bits."""
        count = ticks.stop - ticks.start
        found = self.inner.window(samples, slice(ticks.start * self.frame_ticks, ticks.stop * self.frame_ticks))
        parts = found.reshape(count, self.frame_ticks, *found.shape[1:])
        return parts.sum(axis=1, dtype=None if found.dtype.kind == "f" else np.int64)

    def require_finite(self) -> None:
        self.inner.require_finite()


def frames_of(ticks: int, frame_ticks: int) -> int:
    """Returns the frames that hold some ticks. Units: both [ticks]."""
    return -(-ticks // frame_ticks)


def add_frames(given: Stimulus, frame_ticks: int) -> Stimulus:
    """Returns the inputs of a network of frames, from inputs in ticks. Units: frame_ticks [ticks]."""
    if frame_ticks == 1:
        return given
    signals: dict[str, Signal] = {name: FrameSignal(signal, frame_ticks) for name, signal in given.signals.items()}
    return evolve(given, signals=signals, ticks=frames_of(given.ticks, frame_ticks))


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
