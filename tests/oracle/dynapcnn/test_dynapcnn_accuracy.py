"""Accuracy on Speck: at least that of the network that sinabs quantises, on the digits and on ten networks with trained readouts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from dynapcnn_stacks import Stack
from places import ROOT, TESTS

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

TOOL = TESTS / "oracle" / "tools" / "sinabs_counts.py"
CHOICES = {"dt": "1ms", "like": "sinabs"}
NETWORKS, CLASSES, SAMPLES, TICKS, SIDE = 10, 5, 200, 16, 8
SPIKES = 10
"""Spikes of the output of the right class."""


def digits_conv() -> tuple[Stack, np.ndarray]:
    """Returns the convolutional network of the examples with its 599 samples, and their classes."""
    sys.path.insert(0, str(ROOT / "examples"))
    from encoder import digits

    nodes = nir.read(ROOT / "examples" / "digits" / "conv.nir").nodes
    images, labels = digits(is_test=True)
    stack = Stack((1, SIDE, SIDE), arrays={"frames": images.reshape(len(images), -1, 1, SIDE, SIDE)})
    for k, (synapses, neurons, pool) in enumerate((("0", "1", 2), ("3", "4", 2), ("7", "8", 0))):
        one: dict[str, Any] = {"type": "dense" if k == 2 else "conv2d", "stride": 1, "padding": 1}
        threshold = np.unique(nodes[neurons].v_threshold / nodes[neurons].r)
        assert threshold.size == 1
        assert not nodes[synapses].bias.any()
        one |= {"threshold": float(threshold[0]), "pool": "sum" if pool else "", "pool_size": pool}
        stack.layers.append(one)
        stack.arrays[f"{k}.weights"] = nodes[synapses].weight
    return stack, labels


def trained(seed: int) -> tuple[Stack, np.ndarray]:
    """Returns random convolutions with a readout that was fitted to half of the samples, the other half, and its classes."""
    rng = np.random.default_rng(seed)
    rates = rng.uniform(0, 0.7, (CLASSES, 1, 1, SIDE, SIDE)) ** 2
    labels = np.arange(2 * SAMPLES) % CLASSES
    noise = rng.normal(0, 0.12, (2 * SAMPLES, 1, 1, SIDE, SIDE))
    frames = rng.random((2 * SAMPLES, TICKS, 1, SIDE, SIDE)) < np.clip(rates[labels] + noise, 0, 1)
    stack = Stack((1, SIDE, SIDE))
    for k, (channels, filters) in enumerate(((1, int(rng.integers(4, 9))), (0, int(rng.integers(4, 9))))):
        inputs = channels or len(stack.arrays["0.weights"])
        weights = rng.normal(0.08 if k else 0.15, 0.25, (filters, inputs, 3, 3)) / (1 + 0.5 * k)
        stack.arrays[f"{k}.weights"] = weights.astype(np.float32)
        stack.layers.append(
            {"type": "conv2d", "stride": 1, "padding": 1, "threshold": 1.0, "pool": "sum", "pool_size": 2}
        )
    hidden = nopt.run(stack.module(), frames, diagnostics=Diagnostics(), **CHOICES)["output"]
    features = hidden.reshape(2 * SAMPLES, TICKS, -1).sum(1).astype(np.float64)
    known, target = features[:SAMPLES], np.eye(CLASSES)[labels[:SAMPLES]]
    dense = np.linalg.solve(known.T @ known + 10 * np.eye(known.shape[1]), known.T @ target).T
    stack.arrays["2.weights"] = (SPIKES * dense).astype(np.float32)
    stack.layers.append({"type": "dense", "stride": 1, "padding": 0, "threshold": 1.0, "pool": "", "pool_size": 0})
    stack.arrays["frames"] = frames[SAMPLES:]
    return stack, labels[SAMPLES:]


@pytest.fixture(scope="module")
def table(python_of: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, ...]]:
    """Returns the samples that are right in reals, in sinabs' quantised network, and on the chip, and their number, by network."""
    folder, found = tmp_path_factory.mktemp("accuracy"), dict[str, tuple[int, ...]]()
    cases = {"digits/conv": digits_conv()} | {f"network {seed}": trained(seed) for seed in range(NETWORKS)}
    (folder / "given").mkdir()
    for k, (stack, _) in enumerate(cases.values()):
        net = json.dumps({"device": "speck2f", "reset": "subtract", "layers": stack.layers})
        np.savez(folder / "given" / f"{k}.npz", net=net, **stack.arrays)
    words: list[object] = [python_of("sinabs"), TOOL, folder / "given", folder / "out.npz"]
    subprocess.run(words, check=True)
    theirs = np.load(folder / "out.npz")
    for k, (name, (stack, labels)) in enumerate(cases.items()):
        nopt.compile(
            stack.module(), out=folder / str(k), target="dynapcnn/speck2f", diagnostics=Diagnostics(), **CHOICES
        )
        ours = nopt.run(folder / str(k), stack.arrays["frames"], diagnostics=Diagnostics())["output"].sum(1)
        rows = (theirs[f"{k}.float"], theirs[f"{k}.quantized"], ours)
        found[name] = (*(int((one.argmax(1) == labels).sum()) for one in rows), len(labels))
    return found


def test_accuracy_is_at_least_that_of_sinabs(table: dict[str, tuple[int, ...]]) -> None:
    print("\n| network | float | sinabs | nopt | samples |")
    for name, row in table.items():
        print(f"| {name} | {' | '.join(map(str, row))} |")
    assert all(ours >= theirs for _, theirs, ours, _ in table.values())


def test_networks_tell_their_classes_apart(table: dict[str, tuple[int, ...]]) -> None:
    """Networks that guess would be as good as any quantised one."""
    assert all(right > 0.6 * samples for right, *_, samples in table.values())
