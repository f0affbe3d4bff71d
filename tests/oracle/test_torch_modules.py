"""Two hundred generated networks of 64 ticks equal the reference as modules of PyTorch: integers in every entry, reals within 1e-12.

No seed is left out. A few networks of reals amplify the last bit beyond 1e-12 within the ticks. There, the module may differ from the reference
by no more, in each array and up to each tick, than the reference differs from itself when its parameters change by one unit in the last place.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from integer_networks import integer_network
from last_bits import response, spread
from real_networks import Case, real_network

from nopt.dialects.ntensor import NeuronOp
from nopt.dialects.ntensor.neurons import array_dictionary

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'nopt[torch]'")

from torch_modules import TOLERANCE, difference, exported, run_module  # noqa: E402

TICKS = 64
SEEDS = range(100)
REALS = range(0, 200, 2)
"""Even seeds are networks of reals of 64 bits."""
EXACT = TOLERANCE["float64"]
AMPLIFYING = 10
"""Largest number of networks of reals that may amplify the last bit beyond the tolerance."""
FAULT = 1e-9
"""Relative error of the parameters of a wrong module."""


@pytest.mark.parametrize("seed", SEEDS)
def test_integers_are_equal(seed: int, tmp_path: Path) -> None:
    case = integer_network(seed, ticks=TICKS)
    assert not difference(case.network, case.inputs, case.record, tmp_path)


@cache
def reference(seed: int) -> tuple[Case, Mapping[str, np.ndarray], dict[str, np.ndarray]]:
    """Returns a network of reals, the results of its model, and the response of these to changes of the last bit."""
    case = real_network(seed, ticks=TICKS)
    return case, *response(case.network, case.inputs, case.record)


def beyond(seed: int, module: ModuleType) -> list[str]:
    """Returns the arrays in which a module differs from the model of a seed by more than the last bit explains.

    Up to each tick, the limit is the tolerance or, once the model itself departs further from itself, its own response.
    """
    case, wanted, own = reference(seed)
    apart = spread(wanted, run_module(module, case.inputs, case.record))
    return [name for name, rows in apart.items() if np.any(rows > np.maximum(EXACT, own[name]))]


@pytest.mark.parametrize("seed", REALS)
def test_reals_are_close(seed: int, tmp_path: Path) -> None:
    assert not beyond(seed, exported(reference(seed)[0].network, tmp_path))


def test_few_networks_amplify_the_last_bit() -> None:
    amplifying = [seed for seed in REALS if max(np.max(rows) for rows in reference(seed)[2].values()) > EXACT]
    assert len(amplifying) <= AMPLIFYING, amplifying


@pytest.mark.parametrize("seed", [0, 2, 70, 92, 114, 178])
def test_a_wrong_module_is_found(seed: int, tmp_path: Path) -> None:
    """The parameters of every population are larger by a thousandth of a millionth, in networks that amplify the last bit and in others."""
    network = real_network(seed, ticks=TICKS).network
    for op in network.body.block.ops:
        if isinstance(op, NeuronOp):
            arrays = {name: np.asarray(array.values) for name, array in op.arrays(op.params)}
            op.params = array_dictionary({name: array * (1 + FAULT) for name, array in arrays.items()})
    assert beyond(seed, exported(network, tmp_path))
