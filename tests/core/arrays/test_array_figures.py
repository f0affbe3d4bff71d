"""Limits of memory and text for millions of weights, measured as in the benchmark, which prints the times as well."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = "benchmarks/bench_arrays.py"


def measured(root: Path, form: str, size: int) -> dict[str, Any]:
    command = [sys.executable, root / BENCHMARK, "--measure", form, str(size)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc")
@pytest.mark.parametrize(
    ("form", "size", "peak", "text_bytes"),
    [
        ("nopt, resource", 2 * 10**6, 10, 17e6),
        ("nopt, --arrays", 4 * 10**6, 1.5, 1000),
        ("nopt, rule", 10**8, 0.1, 1000),
    ],
)
def test_many_weights(root: Path, form: str, size: int, peak: float, text_bytes: float) -> None:
    found = measured(root, form, size)
    assert found["text_bytes"] < text_bytes
    assert max(found["peak"].values()) < peak, f"peak memory in multiples of the array: {found['peak']}"
