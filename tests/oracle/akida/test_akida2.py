"""BrainChip's akida computes the values of every layer of Akida 2.0 that the model computes, and its mapper takes the processors of the report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from akida2_limits import Limit2, compile_unlimited2, limits
from akida_stacks import Case, compiled, differences, hand_over, random_cases_v2, run_tool

STACKS = 80


def test_random_stacks_have_the_values_and_processors_of_the_tool(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    count = max(STACKS, pytestconfig.getoption("--count"))
    cases = list(random_cases_v2(count, tmp_path))
    refused = [f"{case.name}: {case.refusal}" for case in cases if case.build is None]
    assert not refused
    hand_over(cases, tmp_path)
    python = python_of("akida")
    theirs = run_tool(python, "run", tmp_path)
    assert not [line for case in cases for line in differences(case, theirs)]
    kinds = Counter(kind for case in cases for kind in case.stack.kinds)
    for part in ("input convolution", "convolution", "depthwise", "dense", "max pool", "sum pool"):
        assert sum(n for kind, n in kinds.items() if kind.startswith(part)) >= 8, part
    assert all(kinds[f"activation {bits}"] >= 20 for bits in (4, 8))
    varied = sum(len(np.unique(values)) > 1 for values in theirs.values())
    assert varied >= 0.8 * len(theirs)  # neither silent nor saturated
    placed = run_tool(python, "map", tmp_path)
    for case in cases:
        assert json.loads(placed[case.name].tobytes()) == case.idents(), case.stack.kinds


def test_the_mapper_accepts_what_is_accepted(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """Just inside and just outside of every limit. A refused network is handed over without processors."""
    every = limits()
    assert len(every) >= 80
    cases = [(limit, compiled(str(k), limit.stack(), limit.device, tmp_path)) for k, limit in enumerate(every)]
    wrong = [(limit.name, case.refusal) for limit, case in cases if (case.build is not None) != limit.fits]
    assert not wrong
    for limit, case in cases:
        assert limit.fits or case.refusal.startswith(limit.code), (limit.name, case.refusal)
    folder = tmp_path / "tool"
    folder.mkdir()
    hand_over([case for _, case in cases], folder)
    hand_over([unlimited(limit, case, tmp_path) for limit, case in cases if case.build is None], folder)
    theirs = run_tool(python_of("akida"), "map", folder)
    answers = [(limit, case, json.loads(theirs[case.name].tobytes())) for limit, case in cases]
    assert not [
        (limit.name, given) for limit, _, given in answers if ("refused" not in given) != (limit.fits or limit.is_ours)
    ]
    for limit, case, given in answers:
        if limit.fits:
            assert {name: len(parts) for name, parts in given.items()} == case.processors(), limit.name


def unlimited(limit: Limit2, case: Case, folder: Path) -> Case:
    """Compiles a refused network for the device without its limits, so that the mapper can refuse it."""
    return compile_unlimited2(limit, case, folder)
