"""sinabs decides about memory as nopt does, has the same integers and the same memory of each layer, and its simulation has the same counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynapcnn_stacks import MEMORY_CODES, random_cases, run_tool

from nopt.core.device.device import find_device
from nopt.dialects.dynapcnn_ops.limits import memory_excess

STACKS = 100
DEVICE, BOARD = "speck2f", "speck2fdevkit"
"""sinabs has no board of DYNAP-CNN any more; its builder of configurations is the base of that of Speck."""


def verify_fields(ours: dict[str, Any], theirs: dict[str, Any], where: tuple[str, str]) -> None:
    """Compares the fields of a core with those that sinabs writes, except the numbers of cores and the monitor, which the user chooses."""
    assert ours.keys() == theirs.keys() | {"weights", "biases", "neurons_initial_value"}, where
    for name in theirs.keys() - {"destinations", "monitor_enable"}:
        assert ours[name] == theirs[name], (where, name)
    used = [one for one in ours["destinations"] if one["enable"]]
    assert [one["pooling"] for one in used] == [one["pooling"] for one in theirs["destinations"]], where
    assert all(one.keys() <= ours["destinations"][0].keys() for one in theirs["destinations"]), where


def test_random_stacks_have_the_registers_and_counts_of_sinabs(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    count = max(STACKS, pytestconfig.getoption("--count"))
    device = find_device("dynapcnn", DEVICE)
    cases = list(random_cases(count, tmp_path, f"dynapcnn/{DEVICE}"))
    theirs = run_tool(python_of("sinabs"), cases, tmp_path, BOARD)
    varied, fitting, zeroed = 0, 0, 0
    for case in cases:
        given = json.loads(theirs[case.name].tobytes())
        assert ("refused" in given) == (case.build is None), (case.name, case.refusal, given)
        if case.build is None:
            assert case.refusal in MEMORY_CODES, (case.name, case.refusal)
            assert "No valid mapping" in given["refused"], (case.name, given)
            continue
        fitting += 1
        zeroed += case.stack.reset == "value"
        layers = case.configuration.layers
        assert len({layer.number for layer in layers}) == len(layers)
        for k, (layer, wanted) in enumerate(zip(layers, given["layers"], strict=True)):
            where, registers = (case.name, layer.source.data), wanted["registers"]
            weights = layer.weights.values.transpose(0, 1, 3, 2)
            np.testing.assert_array_equal(weights, theirs[f"{case.name}.{k}.weights"], str(where))
            biases = np.zeros(len(weights)) if layer.biases is None else layer.biases.values
            np.testing.assert_array_equal(biases, theirs[f"{case.name}.{k}.biases"], str(where))
            verify_fields(case.emitted[str(layer.number)], registers, where)
            assert layer.words() == wanted["memory"], where
            excess = memory_excess(layer.words(), device, wanted["core"])
            assert excess is None, where  # their core holds the layer in our count
        spikes = case.spikes()
        np.testing.assert_array_equal(spikes, theirs[f"{case.name}.spikes"], case.name)
        varied += bool(spikes.any()) and len(np.unique(spikes)) > 1
    assert fitting >= 30
    assert zeroed >= 5
    refusals = Counter(case.refusal for case in cases if case.build is None)
    assert min(refusals[code] for code in MEMORY_CODES) >= 3, refusals
    assert varied >= 0.8 * fitting  # neither silent nor constant
