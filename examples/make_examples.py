"""Creates the hand-made networks of this folder, and an input for each: `python examples/make_examples.py`.

Nothing is trained or random: every weight is a short binary fraction, chosen by hand, so the files hold the
same numbers on every machine. The script needs only NumPy and the `nir` package.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from bars import encode  # noqa: E402 (a sibling of this script)

f32 = np.float32


# ---- bars


def bars() -> nir.NIRGraph:
    """Returns a classifier of horizontal and vertical bars: line detectors, integrate-and-fire neurons, pooling, a vote.

    A detector adds its middle line and subtracts a quarter of the four adjacent lines; noise cancels, because the
    kernel sums to zero. The neurons transmit the positive part of the evidence. Each of two output neurons is excited by its own
    orientation and inhibited by the other.
    """
    line = np.array([-0.25, -0.25, 1, -0.25, -0.25], f32)
    across = np.repeat(line[:, np.newaxis], 5, axis=1)
    kernels = np.stack([across, across.T])[:, np.newaxis]
    cells = (2, 8, 8)
    own = np.repeat(np.array([[1, -1], [-1, 1]], f32) / 4, 16, axis=1)
    pooled = (2, 4, 4)
    return nir.NIRGraph(
        nodes={
            "input": nir.Input({"input": np.array([1, encode.SIZE, encode.SIZE])}),
            "detect": nir.Conv2d(
                input_shape=(encode.SIZE, encode.SIZE),
                weight=kernels,
                stride=1,
                padding=0,
                dilation=1,
                groups=1,
                bias=np.zeros(2, f32),
            ),
            "detectors": integrate_and_fire(cells, 2),
            "pool": nir.SumPool2d(kernel_size=np.array([2, 2]), stride=np.array([2, 2]), padding=np.array([0, 0])),
            "flat": nir.Flatten({"input": np.array(pooled)}, start_dim=0, end_dim=-1),
            "vote": nir.Linear(own),
            "voters": integrate_and_fire((2,), 2),
            "output": nir.Output({"output": np.array([2])}),
        },
        edges=chain("input", "detect", "detectors", "pool", "flat", "vote", "voters", "output"),
    )


def integrate_and_fire(shape: tuple[int, ...], threshold: float) -> nir.IF:
    return nir.IF(r=np.ones(shape, f32), v_threshold=np.full(shape, threshold, f32), v_reset=np.zeros(shape, f32))


def chain(*names: str) -> list[tuple[str, str]]:
    return list(pairwise(names))


# ---- rhythm

REST, WALK, RUN = (150, 0.0), (900, 2.0), (600, 3.0)
"""Ticks and strength of each part of the drive."""


def rhythm() -> nir.NIRGraph:
    """Returns a network that converts a constant drive to alternating left and right steps, faster for a stronger drive.

    Each leg has six neurons. Neurons of a leg excite each other and inhibit the other leg, so one leg wins (`crossed`). Each
    neuron fatigues: its spikes excite a slow partner (time constant 150 ms), whose spikes inhibit it, until the other leg wins.
    """
    weights = np.array([66, 63, 64, 62, 65, 64, 65, 62, 63, 61, 64, 63], f32) / 64
    leg = np.arange(12) // 6
    crossed = np.where(leg[:, np.newaxis] == leg, 1.5, -6).astype(f32)
    np.fill_diagonal(crossed, 0)
    return nir.NIRGraph(
        nodes={
            "input": nir.Input({"input": np.array([1])}),
            "drive": nir.Linear(weights[:, np.newaxis]),
            "legs": current_based(12, tau_syn=0.010, tau_mem=0.020),
            "crossed": nir.Linear(crossed),
            "tire": nir.Scale(np.full(12, 30, f32)),
            "fatigue": current_based(12, tau_syn=0.150, tau_mem=0.020),
            "relieve": nir.Scale(np.full(12, -80, f32)),
            "output": nir.Output({"output": np.array([12])}),
        },
        edges=[
            *chain("input", "drive", "legs", "output"),
            *chain("legs", "crossed", "legs"),
            *chain("legs", "tire", "fatigue", "relieve", "legs"),
        ],
    )


def current_based(size: int, tau_syn: float, tau_mem: float) -> nir.CubaLIF:
    one = np.ones(size, f32)
    return nir.CubaLIF(
        tau_syn=tau_syn * one, tau_mem=tau_mem * one, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one, w_in=one
    )


def drive() -> NDArray[np.float32]:
    """Returns no drive, then a constant drive, then a stronger one. Shapes: [1650, 1]."""
    return np.concatenate([np.full((ticks, 1), strength, f32) for ticks, strength in (REST, WALK, RUN)])


def main() -> None:
    nir.write(HERE / "bars" / "bars.nir", bars(), compression=None)
    np.save(HERE / "bars" / "input.npy", encode.samples(8)[0])
    nir.write(HERE / "rhythm" / "rhythm.nir", rhythm(), compression=None)
    np.save(HERE / "rhythm" / "input.npy", drive())


if __name__ == "__main__":
    main()
