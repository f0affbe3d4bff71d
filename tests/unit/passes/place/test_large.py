"""Counted work of mapping a large network: it depends on vertices, edges and trials, not on neurons or time."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

MOVES = 500
SLICES, POPULATIONS = 8, 10


@pytest.fixture(scope="module")
def counted(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, float]]:
    """Returns the counts of the benchmark for 8,000 and 80,000 neurons on cores with room for an eighth of a population."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(root / "benchmarks")
        mapped: Any = runpy.run_path(str(root / "benchmarks" / "bench_mapping.py"))["mapped"]
    folder = tmp_path_factory.mktemp("wide")
    return {n: mapped(n, n // SLICES, MOVES, folder)[1] for n in (800, 8_000)}


def test_work_is_that_of_vertices_and_edges(counted: dict[int, dict[str, float]]) -> None:
    """Each vertex sends to all slices of its own population and of the next one."""
    vertices = SLICES * POPULATIONS
    for count in counted.values():
        assert count["machine.vertex"] == vertices
        assert count["machine.edge"] == vertices * 2 * SLICES
        assert count["machine.route"] == count["machine.routed.trees"] == vertices
        assert count["machine.placed.tried"] == MOVES
        assert vertices * (2 * SLICES - 1) <= count["machine.routed.links"] < 1.2 * vertices * (2 * SLICES - 1)
        ops = sum(n for name, n in count.items() if name.count(".") == 1)
        assert ops < 2 * vertices + vertices * 2 * SLICES + 10 * POPULATIONS


def test_work_does_not_depend_on_neurons(counted: dict[int, dict[str, float]]) -> None:
    small, large = counted[800], counted[8_000]
    for count in (small, large):
        del count["machine.placed.taken"]  # the last bit decides on trials at the acceptance limit
    scaled = {name: value * (10 if name.endswith((".cost", ".bound")) else 1) for name, value in small.items()}
    assert scaled == large
