"""Delay rings against an index into the past, in blocks and tick by tick."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.simulation.delays import DelayRing

TICKS, SAMPLES, SHAPE = 23, 3, (2, 5)
RNG = np.random.default_rng(0)
X = RNG.integers(1, 1000, (TICKS, SAMPLES, *SHAPE))
DELAYS = {
    "zero": np.array(0),
    "one": np.array(1),
    "seven": np.array(7),
    "longer than the run": np.array(40),
    "each": RNG.integers(0, 9, SHAPE),
    "each, at least one": RNG.integers(1, 9, SHAPE),
    "all alike": np.full(SHAPE, 4, np.uint8),
}


def expected(delay: np.ndarray) -> np.ndarray:
    found = np.zeros_like(X)
    each = np.broadcast_to(delay, SHAPE).astype(int)
    for t in range(TICKS):
        for n in np.ndindex(SHAPE):
            if t >= each[n]:
                found[t, :, *n] = X[t - each[n], :, *n]
    return found


def ring(delay: np.ndarray) -> DelayRing:
    return DelayRing(delay, SAMPLES, SHAPE, X.dtype)


@pytest.mark.parametrize("delay", DELAYS.values(), ids=DELAYS)
@pytest.mark.parametrize("chunk", [1, 2, 7, 8, TICKS])
def test_blocks(delay: np.ndarray, chunk: int) -> None:
    line = ring(delay)
    found = np.concatenate([line.push(X[t : t + chunk]).copy() for t in range(0, TICKS, chunk)])
    np.testing.assert_array_equal(found, expected(delay))


@pytest.mark.parametrize("delay", DELAYS.values(), ids=DELAYS)
def test_ticks(delay: np.ndarray) -> None:
    line = ring(delay)
    np.testing.assert_array_equal([line.tick(x).copy() for x in X], expected(delay))


@pytest.mark.parametrize("delay", [d for d in DELAYS.values() if d.min() >= 1])
def test_read_before_write(delay: np.ndarray) -> None:
    line = ring(delay)
    found = []
    for x in X:
        row = line.read()
        line.write(x)
        found.append(row.copy())  # the row that was read is still valid after the write
    np.testing.assert_array_equal(found, expected(delay))


@pytest.mark.parametrize("delay", DELAYS.values(), ids=DELAYS)
def test_blocks_and_ticks_mix(delay: np.ndarray) -> None:
    line = ring(delay)
    parts = [line.push(X[:6]).copy(), line.tick(X[6])[None].copy(), line.tick(X[7])[None].copy(), line.push(X[8:])]
    np.testing.assert_array_equal(np.concatenate(parts), expected(delay))
