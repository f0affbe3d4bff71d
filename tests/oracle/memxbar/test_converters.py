"""The converters of the model have the steps, the ranges and the repetitions of those of aihwkit, on generated layers."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import TESTS

from nopt.targets.memxbar.converters import convert, products

LAYERS, SAMPLES, BOUND = 120, 12, 12.0
PRECISION = 1e-5
"""Error of a sum of the tool."""
TOOL = TESTS / "oracle" / "tools" / "memxbar_aihwkit.py"
MINUTES = 10


def run_tool(python: Path, command: str, given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Returns the arrays that the tool computes."""
    np.savez(folder / "in.npz", **given)
    call = [str(python), str(TOOL), command, str(folder / "in.npz"), str(folder / "out.npz")]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    with np.load(folder / "out.npz") as found:
        return {name: found[name] for name in found.files}


def generated(count: int) -> dict[str, Any]:
    """Returns layers of one size with several bits; half of them have a fixed range of inputs. Some sums leave their range."""
    rng = np.random.default_rng(7)
    sizes = rng.choice([0.2, 1.0, 2.0], (count, 1, 1))
    weights = rng.uniform(-1, 1, (count, 24, 96)) * sizes
    is_positive = rng.random((count, 1, 1)) < 0.5
    inputs = rng.normal(size=(count, SAMPLES, 96)) * (rng.random((count, SAMPLES, 96)) < 0.5)
    return {
        "weights": np.where(is_positive, np.abs(weights), weights),
        "x": np.where(is_positive, np.abs(inputs), inputs),
        "dac_bits": rng.integers(4, 9, count),
        "adc_bits": rng.integers(4, 10, count),
        "ranges": np.where(np.arange(count) % 2, rng.uniform(1, 3, count), 0.0),
        "bound": BOUND,
    }


def results(given: dict[str, Any], k: int, shift: float) -> Any:
    """Returns the results of the model for a layer, with sums that are shifted by the error of single precision, in which the tool computes."""
    weights, x = (given[name][k].astype(np.float32) for name in ("weights", "x"))
    dac_bits, adc_bits, range = int(given["dac_bits"][k]), int(given["adc_bits"][k]), float(given["ranges"][k])
    if range:
        return (
            convert(
                convert(x * np.float32(1 / range), np.float32(1), dac_bits) @ weights.T + shift,
                np.float32(BOUND),
                adc_bits,
            )
            * range
        )
    return products(x, lambda voltages: voltages @ weights.T + shift, dac_bits, adc_bits, BOUND)


def test_converters_of_generated_layers(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    count = max(LAYERS, pytestconfig.getoption("--count"))
    given = generated(count)
    theirs = run_tool(python_of("aihwkit"), "converters", given, tmp_path)["y"]
    clipped = repeated = other = between = 0
    for k in range(count):
        every = [results(given, k, shift) for shift in (-PRECISION, 0.0, PRECISION)]
        mine, low, high = every[1], np.minimum.reduce(every), np.maximum.reduce(every)
        step = 2 * BOUND / (2.0 ** given["adc_bits"][k] - 2)
        scale = given["ranges"][k] or np.abs(given["x"][k]).max(axis=1, keepdims=True)
        margin = 1e-3 * step * scale
        other += int(((theirs[k] < low - margin) | (theirs[k] > high + margin)).sum())
        between += int((high - low > margin).sum())
        clipped += int(given["ranges"][k] > 0 and np.abs(mine).max() >= BOUND * given["ranges"][k] * 0.999)
        repeated += int(given["ranges"][k] == 0 and np.abs(given["x"][k] @ given["weights"][k].T / scale).max() > BOUND)
    assert other == 0
    assert between < 0.001 * theirs.size  # sums between two steps, which may have either
    assert min(clipped, repeated) >= 5  # converters that saturate, and products that are repeated
