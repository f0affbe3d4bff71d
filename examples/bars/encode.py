"""Moving bars in noise, as spikes: the number of a sample determines its bits on every machine.

A sample is `TICKS` frames of `SIZE` x `SIZE` pixels. A bar of `LENGTH` pixels moves sideways, one pixel every `HOLD` ticks, and
leaves the frame on one side to enter it on the other. Each of its pixels spikes with probability `BAR` in a tick, every other
pixel with probability `NOISE`. Even samples hold a horizontal bar (class 0), odd ones a vertical bar (class 1).

    python examples/bars/encode.py 8 bars.npy      # samples 0 to 7: bool [8, 32, 1, 12, 12]

Random numbers come from SplitMix64, eight lines of integer arithmetic, so they do not depend on a library and its version.

Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators (2014), for the constants of SplitMix64.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

SIZE, TICKS = 12, 32
LENGTH, HOLD = 7, 4
BAR, NOISE = 0.5, 0.1

CLASSES = ("horizontal", "vertical")


def mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Computes the finalizer of SplitMix64: every bit of the result depends on every bit of x."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def chance(stream: int, *shape: int) -> NDArray[np.float64]:
    """Returns uniform numbers from 0 to 1 (excluded), with one independent stream for each number `stream`."""
    start = mixed(np.full(1, stream, np.uint64))
    steps = np.arange(1, int(np.prod(shape)) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (mixed(start + steps) >> np.uint64(11)).reshape(shape) * 2.0**-53


def sample(number: int) -> NDArray[np.bool_]:
    """Returns the spikes of one sample. Shapes: [TICKS, 1, SIZE, SIZE]."""
    across, along, way = chance(2 * number, 3)
    first, left = int(across * SIZE), int(along * (SIZE - LENGTH + 1))
    step = 1 if way < 0.5 else -1
    probability = np.full((TICKS, SIZE, SIZE), NOISE)
    for tick in range(TICKS):
        frame = probability[tick] if label(number) == 0 else probability[tick].T
        frame[(first + step * (tick // HOLD)) % SIZE, left : left + LENGTH] = BAR
    return (chance(2 * number + 1, TICKS, SIZE, SIZE) < probability)[:, np.newaxis]


def label(number: int) -> int:
    """Returns the class of a sample: 0 horizontal, 1 vertical."""
    return number % 2


def samples(count: int, first: int = 0) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Returns `count` samples from number `first` on, with their classes. Shapes: [count, TICKS, 1, SIZE, SIZE], [count]."""
    numbers = range(first, first + count)
    return np.stack([sample(number) for number in numbers]), np.array([label(number) for number in numbers])


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[1].isdigit() or not int(sys.argv[1]):
        sys.exit("usage: python examples/bars/encode.py COUNT OUT.npy")
    np.save(sys.argv[2], samples(int(sys.argv[1]))[0])
