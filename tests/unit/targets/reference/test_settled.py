"""A population with constant input and state is not computed again; every bit equals that of a run tick by tick."""

from __future__ import annotations

import numpy as np
import pytest
from integer_networks import integer_network
from nets import same_bits
from real_networks import real_network

from nopt.simulation.signals import DenseSignal
from nopt.targets.reference.model import ReferenceModel
from nopt.targets.reference.plan import ends_of_runs


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("make", [integer_network, real_network])
def test_constant_input_gives_the_bits_of_single_ticks(make, seed: int) -> None:
    case = make(seed, samples=2, ticks=6)
    signals = {name: DenseSignal(np.repeat(np.r_["1", x, 0 * x], 8, axis=1)) for name, x in case.inputs.items()}
    whole = ReferenceModel(case.network, record=case.record, block=(2, 96)).run(signals)
    single = ReferenceModel(case.network, record=case.record, block=(2, 1)).run(signals)
    assert [name for name, array in single.items() if not same_bits(whole[name], array)] == []


def test_runs_of_equal_inputs_end_at_any_other_bit() -> None:
    x = np.array([[1.0], [1.0], [0.0], [-0.0], [np.nan], [np.nan]])
    y = np.array([[True], [True], [True], [True], [True], [False]])
    assert ends_of_runs([x]).tolist() == [2, 2, 3, 4, 6, 6]
    assert ends_of_runs([x, y]).tolist() == [2, 2, 3, 4, 5, 6]
    assert ends_of_runs([x[:1]]).tolist() == [1]
