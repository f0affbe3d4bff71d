"""Cost limits of ten million weights: processor seconds and peak memory, measured as in the benchmark."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = "benchmarks/bench_arrays.py"
SECONDS = 2.5
"""Limits of about a second each, for machines slower than that of docs/performance.md."""


def measured(root: Path, form: str, size: int) -> dict[str, Any]:
    command = [sys.executable, root / BENCHMARK, "--measure", form, str(size)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc")
@pytest.mark.parametrize(
    ("form", "size", "peak", "text_bytes"),
    [
        ("nopt, resource", 10**7, 10, 81e6),
        ("nopt, --arrays", 10**7, 1.5, 1000),
        ("nopt, rule", 10**8, 0.1, 1000),
    ],
)
def test_ten_million_weights(root: Path, form: str, size: int, peak: float, text_bytes: float) -> None:
    found = measured(root, form, size)
    assert found["text_bytes"] < text_bytes
    assert max(found["peak"].values()) < peak, f"peak memory in multiples of the array: {found['peak']}"
    assert max(found["seconds"].values()) < SECONDS, found["seconds"]
