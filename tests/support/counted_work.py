"""Growth of work with the size of a network, measured by the function calls of Python, independent of the machine."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from cProfile import Profile
from math import log
from typing import Any

from places import ROOT
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt

GROWTH = ROOT / "benchmarks" / "growth.py"
NETWORKS: dict[str, Callable[[int], Any]] = runpy.run_path(str(GROWTH))["NETWORKS"]
RULE = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
MOST_EXPONENT = 1.2
"""n log n has an exponent of 1.24 from 40 to 120, n^2 of 2."""


def in_ticks(nir: Any) -> ModuleOp:
    """Returns a NIR network in ticks."""
    quiet = nopt.Diagnostics()
    module = nopt.from_nir(nir, diagnostics=quiet)
    nopt.apply(module, RULE, diagnostics=quiet)
    return module


def calls(step: Callable[[], object]) -> int:
    """Returns the number of function calls of a step."""
    profile = Profile(subcalls=False)  # callers are not needed
    profile.runcall(step)
    return sum(entry.callcount for entry in profile.getstats())


def pass_calls(kind: str, size: int, *steps: str) -> int:
    """Returns the number of function calls of passes on a network of `benchmarks/growth.py`."""
    module = in_ticks(NETWORKS[kind](size))

    def run() -> None:
        for step in steps:
            nopt.apply(module, step, diagnostics=nopt.Diagnostics())

    return calls(run)


def exponent(few: int, many: int, times: float) -> float:
    """Returns the exponent with which a count grows in a size that is multiplied by `times`."""
    return log(many / few) / log(times)
