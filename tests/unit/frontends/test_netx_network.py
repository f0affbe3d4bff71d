"""Files of Lava's netx against a loop over integers, written from the equations of Lava's fixed-point neuron, and damaged files."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

TICKS = 60
Numbers = np.ndarray[Any, np.dtype[np.int64]]


class Cells:
    """Neurons of Loihi: a current and a potential that decay toward zero, and a delay of one tick and more."""

    def __init__(self, size: int, decays: tuple[int, int], threshold: int, bias: Any = 0, delay: Any = 0):
        self.i, self.v = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.decays, self.threshold = decays, threshold
        self.bias, self.delay = np.broadcast_to(bias, size), np.broadcast_to(delay, size)

    def run(self, sums: Numbers) -> Numbers:
        """Returns the delayed spikes of sums [ticks, neurons]."""
        spikes = np.zeros((TICKS + 1 + int(self.delay.max()), len(self.i)), np.int64)
        for tick, given in enumerate(sums):
            kept = [
                np.sign(x) * (np.abs(x) * (4096 - d) // 4096)
                for x, d in zip((self.i, self.v), self.decays, strict=True)
            ]
            self.i = kept[0] + 64 * given
            self.v = np.clip(kept[1] + self.i + 64 * self.bias, -(2**23) + 1, 2**23 - 1)
            fired = self.v > 64 * self.threshold
            self.v = np.where(fired, 0, self.v)
            spikes[tick + 1 + self.delay[fired], np.flatnonzero(fired)] = 1
        return spikes[:TICKS]


def layer(file: Any, number: int, kind: str, shape: Any, neuron: Any = None, **entries: Any) -> None:
    group = file.create_group(f"layer/{number}")
    group.create_dataset("type", (1,), "S10", [kind.encode()])
    group.create_dataset("shape", data=np.array(shape))
    for name, value in entries.items():
        group.create_dataset(name, data=value)
    for name, value in zip(("iDecay", "vDecay", "vThMant"), neuron or (), strict=False):
        group.create_dataset(f"neuron/{name}", data=value)
    if neuron:
        group.create_dataset("neuron/type", (1,), "S10", [b"CUBA"])


def correlate(x: Numbers, kernel: Numbers, padding: int, stride: int) -> Numbers:
    """Returns the sums of a convolution of slayer: y[c', p] = sum of kernel[c', c, k] x[c, stride p + k - padding]. Shapes: x [ticks, c, y, x]."""
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    size = kernel.shape[2]
    rows = [range(0, n - size + 1, stride) for n in x.shape[2:]]
    found = np.zeros((len(x), len(kernel), *map(len, rows)), np.int64)
    for a, p in enumerate(rows[0]):
        for b, q in enumerate(rows[1]):
            found[:, :, a, b] = np.einsum("tcyx,ocyx->to", x[:, :, p : p + size, q : q + size], kernel)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_dense_network_has_the_integers_of_lava(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    sizes, path = [12, 9, 5], tmp_path / "net.net"
    x = (rng.random((TICKS, sizes[0])) < 0.4).astype(np.int64)
    expected = x
    with h5py.File(path, "w") as file:
        for k, (before, size) in enumerate(pairwise(sizes)):
            weight = 2 * rng.integers(-60, 100, (size, before))
            neuron = int(rng.integers(1, 4097)), int(rng.integers(0, 4096)), int(rng.integers(20, 400))
            bias, delay = rng.integers(-5, 20, size), rng.integers(0, 5, size)
            layer(file, k, "dense", [size], neuron, weight=weight.astype(float), bias=bias, delay=delay.astype(float))
            expected = Cells(size, neuron[:2], neuron[2], bias, delay).run(expected @ weight.T)
    found = nopt.run(path, x.astype(bool))["output"]
    assert np.array_equal(found, expected)
    assert expected.any()


@pytest.mark.parametrize(("stride", "padding"), [(1, 0), (1, 1), (2, 1)])
def test_a_convolution_is_that_of_slayer(stride: int, padding: int, tmp_path: Path) -> None:
    """With an input layer, whose current is added to v. Neurons of the input decay by 4096, which leaves nothing of a current."""
    rng, path = np.random.default_rng(stride + padding), tmp_path / "net.net"
    x = rng.integers(-200, 400, (TICKS, 2, 7, 6))
    first = Cells(x[0].size, (4096, 300), 250)
    spikes = first.run(x.reshape(TICKS, -1)).reshape(x.shape)
    kernel = 2 * rng.integers(-20, 40, (3, 2, 3, 3))
    sums = correlate(spikes, kernel, padding, stride)
    shape = sums.shape[1:]
    hidden = Cells(int(np.prod(shape)), (1500, 700), 90).run(sums.reshape(TICKS, -1))
    weight = 2 * rng.integers(-30, 60, (4, hidden.shape[1]))
    expected = Cells(4, (2000, 500), 200).run(hidden @ weight.T)
    with h5py.File(path, "w") as file:
        layer(file, 0, "input", x.shape[1:], (4096, 300, 250))
        window = {"stride": [stride] * 2, "padding": [padding] * 2, "dilation": [1, 1], "groups": 1}
        layer(file, 1, "conv", shape, (1500, 700, 90), weight=kernel[..., None], **window)
        layer(file, 2, "flatten", [hidden.shape[1]])
        layer(file, 3, "dense", [4], (2000, 500, 200), weight=weight)
    found = nopt.run(path, x)["output"]
    assert np.array_equal(found, expected)
    assert expected.any()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """Bytes are changed or cut; each file is read, or refused with a code."""
    path, damaged = tmp_path / "net.net", tmp_path / "damaged.net"
    rng = np.random.default_rng(3)
    with h5py.File(path, "w") as file:
        layer(file, 0, "dense", [4], (100, 200, 50), weight=rng.integers(-9, 9, (4, 6)))
        layer(file, 1, "dense", [2], (100, 200, 50), weight=rng.integers(-9, 9, (2, 4)))
    whole = path.read_bytes()
    refused = 0
    for _ in range(60):
        data = bytearray(whole[: int(rng.integers(len(whole) // 2, len(whole) + 1))])
        for place in rng.integers(0, len(data), 30):
            data[place] = int(rng.integers(0, 256))
        damaged.write_bytes(bytes(data))
        try:
            nopt.read(damaged, diagnostics=Diagnostics())
        except nopt.Refused as refusal:
            refused += bool(refusal.findings)
    assert refused > 20
