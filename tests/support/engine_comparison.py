"""Comparison of an engine with the reference: the same networks for every engine, those of nopt and those of plug-ins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from integer_networks import integer_network
from places import EXAMPLES

import nopt.api as nopt
from nopt.api.executing.listing import probe
from nopt.core import registry
from nopt.core.diagnostics import Diagnostics

SAMPLES, TICKS = 3, 12
MOST = 1e-3
"""Share of entries of a network of reals that may differ on an engine that does not guarantee its last bits."""


def compare_engine(name: str) -> None:
    """Compares an engine with the reference: integers in every bit, reals in every bit if it promises them. An engine that is not usable here is skipped."""
    engine = next(one for one in registry.engines() if one.name == name)
    state = probe(engine)
    assert state is not None, name
    if state.reason is not None:
        pytest.skip(f"{name}: {state.reason}")
    for seed in range(3):
        made = integer_network(seed)
        compare_network(name, made.module, made.inputs, 0.0)
    rng = np.random.default_rng(0)
    digits = nopt.read(EXAMPLES / "digits" / "fc.nir", diagnostics=Diagnostics())
    x = rng.random((SAMPLES, TICKS, 64)) < 0.3
    compare_network(name, digits, x, MOST, record=["1.v"], dt="1ms", like="norse", precision="f32")


def compare_network(
    name: str, module: Any, x: Any, share: float, record: list[str] | None = None, **choices: Any
) -> None:
    found, wanted = (
        nopt.execute(module, x, engine=one, record=record or [], choices=choices, diagnostics=Diagnostics())
        for one in (name, "numpy")
    )
    assert found.engine == name
    assert found.arrays.keys() == wanted.arrays.keys()
    for output, values in wanted.arrays.items():
        assert found.arrays[output].dtype == values.dtype
        assert found.arrays[output].shape == values.shape
        different = np.count_nonzero(found.arrays[output] != values)
        assert different <= share * values.size, (name, output, different, values.size)
