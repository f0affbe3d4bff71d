"""Frames are sums over windows of ticks, however a signal is stored and read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nopt.simulation.frames import FrameSignal, PaddedSignal, StackedSignal, add_array, frames_of
from nopt.simulation.signals import DenseSignal, EventSignal, Signal


def signals(values: np.ndarray) -> list[Signal]:
    """Returns the same spikes as an array and as events."""
    sample, tick, index = np.nonzero(values)
    events = EventSignal(tick, index, shape=values.shape[2:], ticks=values.shape[1], sample=sample, samples=len(values))
    return [DenseSignal(values), events]


@given(
    seed=st.integers(0, 2**16),
    samples=st.integers(1, 3),
    ticks=st.integers(0, 20),
    length=st.integers(1, 7),
)
def test_frames_are_sums(seed: int, samples: int, ticks: int, length: int) -> None:
    values = np.random.default_rng(seed).random((samples, ticks, 3)) < 0.5
    frames = frames_of(ticks, length)
    expected = np.array([[row[k * length : (k + 1) * length].sum(0) for k in range(frames)] for row in values])
    expected = expected.reshape(samples, frames, 3)
    np.testing.assert_array_equal(add_array(values, length), expected)
    for signal in signals(values):
        found = FrameSignal(signal, length)
        assert (found.samples, found.ticks, found.shape) == (samples, frames, (3,))
        np.testing.assert_array_equal(found.window(slice(0, samples), slice(0, frames)), expected.swapaxes(0, 1))
        np.testing.assert_array_equal(found.window(slice(0, 1), slice(1, 3)).sum((0, 1)), expected[0, 1:3].sum(0))
        stacked = StackedSignal(signal, length)
        assert (stacked.samples, stacked.ticks, stacked.shape) == (samples, frames, (length, 3))
        whole = stacked.window(slice(0, samples), slice(0, frames))
        np.testing.assert_array_equal(whole.sum(2), expected.swapaxes(0, 1))
        ticks = whole.swapaxes(0, 1).reshape(samples, frames * length, 3)
        np.testing.assert_array_equal(ticks[:, : values.shape[1]], values)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.float32])
def test_sums_are_not_wrapped(dtype: type) -> None:
    values = np.ones((1, 300, 1), dtype)
    assert FrameSignal(DenseSignal(values), 300).window(slice(0, 1), slice(0, 1)).item() == 300
    assert add_array(values, 300).item() == 300


def test_padding_surrounds_every_axis() -> None:
    values = np.arange(24).reshape(2, 3, 2, 2)
    padding = np.array([[0, 1], [2, 0]])
    found = PaddedSignal(DenseSignal(values), padding)
    assert (found.samples, found.ticks, found.shape) == (2, 3, (3, 4))
    window = found.window(slice(0, 2), slice(1, 3))
    np.testing.assert_array_equal(window[:, :, :2, 2:], values[:, 1:3].swapaxes(0, 1))
    assert window.sum() == values[:, 1:3].sum()


@pytest.mark.parametrize(
    "derive",
    [lambda x: FrameSignal(x, 2), lambda x: StackedSignal(x, 2), lambda x: PaddedSignal(x, np.ones((1, 2), int))],
)
def test_a_derived_signal_stores_the_other_one(derive: Callable[[Signal], Signal]) -> None:
    """Limits of memory count the bytes that are stored."""
    for signal in signals(np.ones((2, 4, 3), bool)):
        found = derive(signal)
        found.require_finite()
        assert found.nbytes == signal.nbytes > 0
