"""Signals: windows of dense arrays and of events."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.core.diagnostics import Refused
from nopt.simulation.signals import DenseSignal, EventSignal, Signal

RNG = np.random.default_rng(1)
SAMPLES, TICKS, SHAPE = 4, 9, (2, 3)
WINDOWS = [
    (slice(0, 4), slice(0, 9)),
    (slice(1, 3), slice(2, 5)),
    (slice(3, 4), slice(7, 12)),
    (slice(0, 4), slice(9, 11)),
]


def events() -> tuple[EventSignal, np.ndarray]:
    count = 60  # of 216 positions, so some repeat
    tick, sample = RNG.integers(0, TICKS, count), RNG.integers(0, SAMPLES, count)
    index, value = RNG.integers(0, 6, count), RNG.integers(-3, 4, count)
    dense = np.zeros((SAMPLES, TICKS, *SHAPE), int)
    for t, s, i, v in zip(tick, sample, index, value, strict=True):
        dense[s, t, *np.unravel_index(i, SHAPE)] += v
    return EventSignal(tick, index, shape=SHAPE, ticks=TICKS, sample=sample, value=value, samples=SAMPLES), dense


@pytest.mark.parametrize("window", WINDOWS, ids=str)
@pytest.mark.parametrize("kind", ["dense", "events"])
def test_window(kind: str, window: tuple[slice, slice]) -> None:
    signal, dense = events()
    chosen: Signal = DenseSignal(dense) if kind == "dense" else signal
    padded = np.concatenate([dense, np.zeros((SAMPLES, 5, *SHAPE), int)], axis=1)
    samples, ticks = window
    np.testing.assert_array_equal(chosen.window(samples, ticks), padded[samples, ticks].swapaxes(0, 1))
    assert (chosen.samples, chosen.ticks, chosen.shape) == (SAMPLES, TICKS, SHAPE)


def test_values_are_taken_as_they_are() -> None:
    assert DenseSignal(np.ones((1, 2, 3), np.float16)).window(slice(0, 1), slice(0, 3)).dtype == np.float16
    assert EventSignal([0], [0], shape=(1,), ticks=1, value=[0.1]).window(slice(0, 1), slice(0, 1)) == 0.1


def test_repeats_add_up() -> None:
    signal = EventSignal([1, 0, 1], [2, 0, 2], shape=(3,), ticks=2, value=[True, True, True])
    assert signal.window(slice(0, 1), slice(0, 2))[:, 0].tolist() == [[1, 0, 0], [0, 0, 2]]


@pytest.mark.parametrize(
    ("dtype", "value", "total"), [(np.int8, 100, 200), (np.uint8, 200, 400), (np.float16, 60000, 120000)]
)
def test_sums_of_repeats_are_wider_than_their_values(dtype: type, value: int, total: int) -> None:
    signal = EventSignal([0, 0], [1, 1], shape=(3,), ticks=1, value=np.full(2, value, dtype))
    assert signal.window(slice(0, 1), slice(0, 1))[0, 0].tolist() == [0, total, 0]


def test_no_events() -> None:
    signal = EventSignal([], [], shape=(3,), ticks=4, samples=2)
    assert not signal.window(slice(0, 2), slice(0, 4)).any()


@pytest.mark.parametrize(
    ("tick", "index", "more", "code"),
    [
        ([0, 1], [0], {}, "SIM027"),
        ([[0]], [[0]], {}, "SIM027"),
        ([0.5], [0], {}, "SIM027"),
        ([0], [0], {"value": [1, 2]}, "SIM027"),
        ([0], [0], {"value": ["a"]}, "SIM027"),
        ([2], [0], {}, "SIM028"),
        ([-1], [0], {}, "SIM028"),
        ([0], [3], {}, "SIM028"),
        ([0], [0], {"sample": [1]}, "SIM028"),
    ],
)
def test_refused_events(tick: list, index: list, more: dict, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        EventSignal(tick, index, shape=(3,), ticks=2, **more)
    assert [f.code.id for f in refusal.value.findings] == [code]


@pytest.mark.parametrize("values", [np.zeros(3), np.array([["a"]]), np.zeros((1, 1), complex)])
def test_refused_arrays(values: np.ndarray) -> None:
    with pytest.raises(Refused, match="SIM029"):
        DenseSignal(values)
