"""sinabs decides about memory as nopt does, has the same integers and the same memory of each layer, and its simulation has the same counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynapcnn_stacks import MEMORY_CODES, Case, branched_cases, random_cases, run_tool

from nopt.core.device.device import find_device
from nopt.dialects.dynapcnn.limits import memory_excess

STACKS, BRANCHED = 100, 30
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


def verify_case(case: Case, theirs: dict[str, Any]) -> Any:
    """Compares the integers, the memory, the fields and the counts of a network, and returns the counts; None if both refuse it."""
    given = json.loads(theirs[case.name].tobytes())
    assert ("refused" in given) == (case.build is None), (case.name, case.refusal, given)
    if case.build is None:
        assert case.refusal in MEMORY_CODES, (case.name, case.refusal)
        assert "No valid mapping" in given["refused"], (case.name, given)
        return None
    device = find_device("dynapcnn", DEVICE)
    layers = case.configuration.layers
    assert len({layer.number for layer in layers}) == len(layers)
    left = list(enumerate(given["layers"]))
    for layer in layers:
        where = (case.name, layer.source.data)
        weights = layer.weights.values.transpose(0, 1, 3, 2)
        k, wanted = next(one for one in left if theirs[f"{case.name}.{one[0]}.weights"].shape == weights.shape)
        left.remove((k, wanted))
        np.testing.assert_array_equal(weights, theirs[f"{case.name}.{k}.weights"], str(where))
        biases = np.zeros(len(weights)) if layer.biases is None else layer.biases.values
        np.testing.assert_array_equal(biases, theirs[f"{case.name}.{k}.biases"], str(where))
        verify_fields(case.emitted[str(layer.number)], wanted["registers"], where)
        unused = {"bias": 0} if layer.biases is None else {}  # sinabs counts biases that are all zero
        assert layer.words() == wanted["memory"] | unused, where
        excess = memory_excess(layer.words(), device, wanted["core"])
        assert excess is None, where  # their core holds the layer in our count
    assert not left, case.name
    spikes = case.spikes()
    np.testing.assert_array_equal(spikes, theirs[f"{case.name}.spikes"], case.name)
    return spikes


def test_random_stacks_have_the_registers_and_counts_of_sinabs(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    count = max(STACKS, pytestconfig.getoption("--count"))
    cases = list(random_cases(count, tmp_path, f"dynapcnn/{DEVICE}"))
    theirs = run_tool(python_of("sinabs"), cases, tmp_path, BOARD)
    varied, fitting, zeroed = 0, 0, 0
    for case in cases:
        spikes = verify_case(case, theirs)
        if spikes is None:
            continue
        fitting += 1
        zeroed += case.stack.reset == "value"
        varied += bool(spikes.any()) and len(np.unique(spikes)) > 1
    assert fitting >= 30
    assert zeroed >= 5
    refusals = Counter(case.refusal for case in cases if case.build is None)
    assert min(refusals[code] for code in MEMORY_CODES) >= 3, refusals
    assert varied >= 0.8 * fitting  # neither silent nor constant


def test_networks_with_branches_have_the_registers_and_counts_of_sinabs(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """A layer sends to two others, and one reads the sum of two; rows hold strong and weak weights; inputs are counts."""
    count = max(BRANCHED, pytestconfig.getoption("--count"))
    cases = list(branched_cases(count, tmp_path, f"dynapcnn/{DEVICE}"))
    theirs = run_tool(python_of("sinabs"), cases, tmp_path, BOARD)
    fitting = [spikes for case in cases if (spikes := verify_case(case, theirs)) is not None]
    assert len(fitting) >= 0.9 * count
    assert sum(bool(spikes.any()) for spikes in fitting) >= 0.9 * len(fitting)
    assert {case.stack.has_counts for case in cases} == {True, False}
    assert {case.stack.reset for case in cases} == {"subtract", "value"}
