"""Retiming takes time that grows as the network: counted are the function calls of Python, so that no machine is measured."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from cProfile import Profile
from math import log
from pathlib import Path
from typing import Any

import pytest

import nopt.api as nopt

ROOT = Path(__file__).resolve().parents[3]
NETWORKS: dict[str, Callable[[int], Any]] = runpy.run_path(str(ROOT / "benchmarks" / "growth.py"))["NETWORKS"]
RULE = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
MOST_EXPONENT = 1.2
"""n log n has 1.24 from 40 to 120; the square has 2."""


def calls(kind: str, size: int) -> int:
    quiet = nopt.Diagnostics()
    module = nopt.from_nir(NETWORKS[kind](size), diagnostics=quiet)
    nopt.apply(module, RULE, diagnostics=quiet)
    profile = Profile()
    profile.runcall(nopt.apply, module, "ntensor-retime", diagnostics=quiet)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize(
    ("kind", "sizes", "work"),
    [
        ("loops", (40, 120), 3),  # chains, too: every population is later than the one before it
        ("full", (20, 60), 9),  # edges are the square of the populations
    ],
)
def test_work_grows_as_populations_and_edges(kind: str, sizes: tuple[int, int], work: int) -> None:
    calls(kind, 5)  # imports, and fills caches
    few, many = (calls(kind, size) for size in sizes)
    assert log(many / few) / log(work) < MOST_EXPONENT
