"""The digits network that was trained for layers of counts: its spikes, and its accuracy after each pass."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from places import GOLDENS

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

LAYER = GOLDENS / "passes" / "legalize" / "inputs" / "layer.neuron"
"""A layer of integers: an int32 threshold, a step of f32, counts of 4 bits."""
RIGHT = 586
"""Correctly classified test samples of the network of spikes, of 599."""
LOSS = 0.02
"""Largest accepted loss of accuracy."""
BITS = {
    4: "ntensor-encode-rates{window=16 bits=4}",
    2: 'ntensor-encode-rates{window=16},ntensor-quantize-counts{bits=2 data="DATA"}',
}
"""Passes to counts of some bits."""


@pytest.fixture(scope="module")
def samples(demo: ModuleType) -> tuple[np.ndarray, np.ndarray]:
    return demo.encoder.test_input("conv")


def test_counts_are_those_of_the_framework(root: Path, samples: tuple[np.ndarray, np.ndarray]) -> None:
    path = root / "examples/digits/rates.nir"
    spikes, labels = samples
    found = nopt.run(path, spikes, dt="1ms", like="norse", reset="subtract", diagnostics=Diagnostics())["output"].sum(1)
    with np.load(path.with_suffix(".npz")) as stored:
        np.testing.assert_array_equal(found, stored["counts"])
    assert (found.argmax(1) == labels).sum() == RIGHT


@pytest.mark.parametrize("bits", BITS)
def test_layers_of_few_bits_keep_the_accuracy(
    root: Path, tmp_path: Path, samples: tuple[np.ndarray, np.ndarray], bits: int
) -> None:
    """Weights of 4 bits, counts of 4 or 2 bits, and integers alone."""
    path, (spikes, labels) = tmp_path / "x.npy", samples
    np.save(path, spikes[:100])
    steps = (
        BITS[bits].replace("DATA", str(path)),
        "ntensor-quantize-inputs{kind=count bits=8}",
        "ntensor-quantize-weights{bits=4 per=neuron}",
        f'ntensor-set-neuron-model{{to="{LAYER}" approximate=count}}',
    )
    found = nopt.levels(
        root / "examples/digits/rates.nir",
        spikes,
        passes=",".join(steps),
        labels=labels,
        dt="1ms",
        like="norse",
        reset="subtract",
        diagnostics=Diagnostics(),
    )
    accuracies = [level.accuracy for level in found.levels]
    print([(level.step, level.accuracy) for level in found.levels])
    assert accuracies[0] == RIGHT / len(labels)
    assert min(accuracies) >= accuracies[0] - LOSS
    assert all(level.rate_cosine > 0.96 for level in found.levels)
