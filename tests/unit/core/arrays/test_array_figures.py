"""Limits of memory and text for millions of weights, measured once as in the benchmark, which prints the times of several processes as well."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = "benchmarks/bench_arrays.py"


def measured(root: Path, folder: Path, form: str, size: int) -> tuple[dict[str, float], int]:
    """Returns the peak memory of each step, and the size of the text."""
    peaks: dict[str, float] = {}
    for step in ("write", "read"):
        command = [sys.executable, root / BENCHMARK, "--measure", form, str(size), "--step", step, "--in", folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
        peaks[step] = json.loads(done.stdout)["peak"]
    return peaks, (folder / "net.mlir").stat().st_size


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc")
@pytest.mark.parametrize(
    ("form", "size", "peak", "text_bytes"),
    [
        ("nopt, resource", 2 * 10**6, 10, 17e6),
        ("nopt, --arrays", 4 * 10**6, 1.5, 1000),
        ("nopt, rule", 10**8, 0.1, 1000),
    ],
)
def test_many_weights(root: Path, tmp_path: Path, form: str, size: int, peak: float, text_bytes: float) -> None:
    peaks, found = measured(root, tmp_path, form, size)
    assert found < text_bytes
    assert max(peaks.values()) < peak, f"peak memory in multiples of the array: {peaks}"
