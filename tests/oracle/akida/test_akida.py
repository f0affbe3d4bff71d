"""BrainChip's akida computes the values of every layer that the model of Akida computes, and its mapper takes the processors of the report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from akida_limits import LIMITS, Limit
from akida_stacks import Case, compiled, differences, hand_over, random_cases, run_tool

STACKS = 200


def test_random_stacks_have_the_values_of_the_software_backend(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    count = max(STACKS, pytestconfig.getoption("--count"))
    cases = list(random_cases(count, tmp_path))
    refused = [f"{case.name}: {case.refusal}" for case in cases if case.build is None]
    assert not refused
    hand_over(cases, tmp_path)
    theirs = run_tool(python_of("akida"), "run", tmp_path)
    assert not [line for case in cases for line in differences(case, theirs)]
    kinds = Counter(kind for case in cases for kind in case.stack.kinds)
    for part in ("input convolution", "convolution", "separable", "dense", "max pool", "sum pool"):
        assert sum(n for kind, n in kinds.items() if kind.startswith(part)) >= 10, part
    assert all(kinds[f"activation {bits}"] >= 20 for bits in (1, 2, 4))
    frames = [values for case in cases for name, values in theirs.items() if name.startswith(f"{case.name}.")]
    varied = sum(len(np.unique(values)) > 1 for values in frames)
    assert varied >= 0.8 * len(frames)  # neither silent nor saturated


def test_random_stacks_take_the_processors_of_the_mapper(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    cases = list(random_cases(60, tmp_path))
    hand_over(cases, tmp_path)
    theirs = run_tool(python_of("akida"), "map", tmp_path)
    for case in cases:
        given = json.loads(theirs[case.name].tobytes())
        assert given == case.idents(), case.stack.kinds


def test_the_mapper_accepts_what_is_accepted(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """Just inside and just outside of every limit, on both chips. A refused network is handed over without processors."""
    assert len(LIMITS) >= 60
    cases = [(limit, compiled(str(k), limit.stack(), limit.device, tmp_path)) for k, limit in enumerate(LIMITS)]
    for limit, case in cases:
        assert (case.build is not None) == limit.fits, (limit.name, case.refusal)
        if not limit.fits:
            assert case.refusal.startswith(limit.code), (limit.name, case.refusal)
    folder = tmp_path / "tool"
    folder.mkdir()
    hand_over([case for _, case in cases], folder)
    hand_over([unlimited(limit, case, tmp_path) for limit, case in cases if case.build is None], folder)
    theirs = run_tool(python_of("akida"), "map", folder)
    for limit, case in cases:
        given = json.loads(theirs[case.name].tobytes())
        assert ("refused" not in given) == limit.fits, (limit.name, given)
        if limit.fits:
            assert {name: len(parts) for name, parts in given.items()} == case.processors(), limit.name


def unlimited(limit: Limit, case: Case, folder: Path) -> Case:
    """Compiles a refused network for the device without its limits, so that the mapper can refuse it."""
    from akida_limits import compile_unlimited

    return compile_unlimited(limit, case, folder)
