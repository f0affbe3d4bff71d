"""Networks of the frameworks in nopt: `make frameworks` with few networks, where the environments exist (`--oracles=DIR`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from comparison import compare, find_difference
from environments import FRAMEWORKS, is_current

NETWORKS, SEED = 6, 1000


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_nopt_computes_what_the_framework_computes(name: str, oracles: Path, tmp_path: Path) -> None:
    tool = FRAMEWORKS[name]
    if not is_current(tool, oracles):
        pytest.skip(f"no environment of {tool.title} at {oracles} (make frameworks, pytest --oracles=DIR)")
    table = compare(tool.python(oracles), tool.script, tmp_path, NETWORKS, SEED)
    assert any(verdict.is_exported for verdict in table.verdicts)
    assert not [verdict for verdict in table.verdicts if verdict.is_wrong]


def test_the_first_difference_is_the_earliest_of_all_layers() -> None:
    zeros = np.zeros((1, 5, 2))
    late, early = zeros.copy(), zeros.copy()
    late[0, 3, 0] = early[0, 1, 1] = 1
    assert find_difference({"a": zeros, "b": zeros}, {"a": late, "b": early}) == "b at tick 1: 1 for 0, 1 of 10"
    assert find_difference({"a": zeros}, {"a": zeros.astype(bool)}) == ""
