"""Limits on the bytes of inputs hold for each format, before memory is allocated."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from nopt.core.arrays.allowance import limited_arrays
from nopt.core.diagnostics import Refused
from nopt.simulation.nir_data import write_nir_data
from nopt.simulation.stimuli import SIM016, load_arrays, load_stimulus

SIZE = 8 * 10**6
"""Bytes of an array."""


def write_zeros(path: Path) -> None:
    """Writes 1000 ticks of 1000 zeros."""
    zeros = np.zeros((1000, 1000))
    match path.suffix:
        case ".npy":
            np.save(path, zeros)
        case ".npz":
            np.savez_compressed(path, input=zeros)
        case ".h5":
            path.write_bytes(write_nir_data({"input": zeros}, ["input"], 10**6, has_samples=False))
        case _:
            path.write_text("tick,index\n" + "0,0\n" * (SIZE // 4))


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".h5", ".csv"])
def test_a_limit_holds_before_memory_is_allocated(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    write_zeros(path)
    tracemalloc.start()
    try:
        with limited_arrays(SIZE - 1, "--limit bytes="), pytest.raises(Refused) as refusal:
            load_stimulus(path, {"input": (1000,)}, 10**6)
        assert tracemalloc.get_traced_memory()[1] < SIZE // 4
    finally:
        tracemalloc.stop()
    (finding,) = refusal.value.findings
    assert finding.code is SIM016
    assert finding.limit == SIZE - 1
    assert finding.help == "--limit bytes=8388608"


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".h5"])
def test_arrays_within_a_limit_are_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    write_zeros(path)
    with limited_arrays(SIZE, "--limit bytes="):
        load_arrays(path)


def test_members_of_an_archive_count_together(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "x.npz", a=np.zeros(1000), b=np.zeros(1000))
    with limited_arrays(15999, "--limit bytes="), pytest.raises(Refused, match="SIM016"):
        load_arrays(tmp_path / "x.npz")


def test_the_smaller_limit_holds(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(1000))
    for outer, inner in ((7999, 8000), (8000, 7999), (7999, None)):
        with limited_arrays(outer, ""), limited_arrays(inner, ""), pytest.raises(Refused, match="SIM016"):
            load_arrays(tmp_path / "x.npy")
