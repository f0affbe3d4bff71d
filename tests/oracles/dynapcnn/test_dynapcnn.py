"""sinabs decides about memory as nopt does, has the same integers and the same memory of each layer, and its simulation has the same counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from dynapcnn_stacks import MEMORY_CODES, random_cases, run_tool

from nopt.core.device.device import find_device
from nopt.dialects.dynapcnn_ops.limits import memory_excess

STACKS = 60
DEVICE, BOARD = "speck2f", "speck2fdevkit"
"""sinabs has no board of DYNAP-CNN any more; its builder of configurations is the base of that of Speck."""


def test_random_stacks_have_the_registers_and_counts_of_sinabs(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    count = max(STACKS, pytestconfig.getoption("--count"))
    device = find_device("dynapcnn", DEVICE)
    cases = list(random_cases(count, tmp_path, f"dynapcnn/{DEVICE}"))
    theirs = run_tool(python_of("sinabs"), cases, tmp_path, BOARD)
    varied, fitting = 0, 0
    for case in cases:
        given = json.loads(theirs[case.name].tobytes())
        assert ("refused" in given) == (case.build is None), (case.name, case.refusal, given)
        if case.build is None:
            assert case.refusal in MEMORY_CODES, (case.name, case.refusal)
            assert "No valid mapping" in given["refused"], (case.name, given)
            continue
        fitting += 1
        layers = case.configuration.layers
        assert len({layer.number for layer in layers}) == len(layers)
        for k, (layer, wanted) in enumerate(zip(layers, given["layers"], strict=True)):
            where, registers = (case.name, layer.source.data), wanted["registers"]
            weights = layer.weights.values.transpose(0, 1, 3, 2)
            np.testing.assert_array_equal(weights, theirs[f"{case.name}.{k}.weights"], str(where))
            biases = np.zeros(len(weights)) if layer.biases is None else layer.biases.values
            np.testing.assert_array_equal(biases, theirs[f"{case.name}.{k}.biases"], str(where))
            found = {"low": layer.thresholds[0], "high": layer.thresholds[1], "leak": layer.leak_enable is not None}
            expected = {
                "low": registers["threshold_low"],
                "high": registers["threshold_high"],
                "leak": registers["leak_enable"],
            }
            assert found == expected, where
            assert layer.words() == wanted["memory"], where
            assert layer.kernel[0] == registers["dimensions"]["kernel_size"], where
            assert [pool for _, pool in layer.sends] == [one["pooling"] for one in registers["destinations"]], where
            excess = memory_excess(layer.words(), device, wanted["core"])
            assert excess is None, where  # their core holds the layer in our count
        spikes = case.spikes()
        np.testing.assert_array_equal(spikes, theirs[f"{case.name}.spikes"], case.name)
        varied += bool(spikes.any()) and len(np.unique(spikes)) > 1
    assert fitting >= 30
    assert len(cases) - fitting >= 5
    assert varied >= 0.8 * fitting  # neither silent nor constant
