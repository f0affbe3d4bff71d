"""Numbers of stochastic rounding: a function of a seed, a tick and a place, so that a run can be repeated.

    a value rounds up if its number is below the fraction of the value

| rounding | the numbers |
| --- | --- |
| `stochastic` | one for each place and tick, from 0 to 1, by a hash of (seed, stream, tick, place) |
| `nearest` | 0.5 |

All samples have the same numbers, so that a sample does not depend on those that run with it.

Source: the hash is the finalizer of SplitMix64: Steele, Lea and Flood, OOPSLA 2014.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from ...core.arrays.numeric import AnyArray
from ...core.device.neuron_records import RoundingKind
from ...core.device.records import Device

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
SCALE = 2.0**-53


def rounding_of(device: Device) -> tuple[RoundingKind, int]:
    """Returns the rounding of the first pair rule of a device that declares one, and its seed; else to the nearest."""
    for key, rule in (device.plasticity or {}).items():
        if rule.rule == "stdp" and rule.rounding is not None:
            return rule.rounding, device.integer(f"plasticity.{key}.seed") or 0
    return "nearest", 0


def stream_of(*names: str) -> int:
    """Returns the number of a stream of random numbers by its name."""
    return crc32("\0".join(names).encode())


def mixed(words: AnyArray) -> AnyArray:
    """Returns the hash of words of 64 bits."""
    words = (words ^ (words >> SHIFTS[0])) * FIRST
    words = (words ^ (words >> SHIFTS[1])) * SECOND
    return words ^ (words >> SHIFTS[2])


def uniform(seed: int, stream: int, tick: int, count: int) -> AnyArray:
    """Returns numbers from 0 to 1, without 1. Shapes: [count]."""
    start = np.zeros(1, np.uint64)
    for word in (seed, stream, tick):
        start = mixed(start + GOLDEN + np.uint64(word & 0xFFFFFFFFFFFFFFFF))
    words = mixed(start + GOLDEN * np.arange(1, count + 1, dtype=np.uint64))
    return (words >> np.uint64(11)).astype(np.float64) * SCALE
