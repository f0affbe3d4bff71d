"""The two models of a compiled directory: that of the chip, and that of the network. The directory is read once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nopt.api.running.run import execute, open_build
from nopt.core.diagnostics import Diagnostics


def run_both(
    build: Path, x: np.ndarray, record: Sequence[str] = ()
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Returns the results of the chip, as `nopt run DIR` runs it, and those of the network."""
    quiet = Diagnostics()
    network, chip = open_build(build, "chip", quiet)
    assert chip is not None, "the compilation ended before the chip"
    found, wanted = (
        execute(network, x, record=record, chip=model, diagnostics=quiet, is_internal=True) for model in (chip, None)
    )
    return found.arrays, wanted.arrays


def run_equal(build: Path, x: np.ndarray, record: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """Returns the results of the chip, which are those of the network to the last bit."""
    found, wanted = run_both(build, x, record)
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name], values, name)
    return found
