"""Integers beyond 32 bits as two words: generated networks on devices without 64 bits equal the reference in every bit, with all states."""

from __future__ import annotations

import numpy as np
import pytest
from integer_networks import integer_network
from kernel_programs import DEVICE, compiled, outputs
from xdsl.dialects.builtin import ModuleOp

from nopt.dialects import kernels
from nopt.simulation.signals import DenseSignal
from nopt.targets.kernels.model import Model
from nopt.targets.reference.model import ReferenceModel

SEEDS = range(2)


@pytest.mark.parametrize("is_narrowed", [True, False])
@pytest.mark.parametrize("is_wide", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_outputs_equal_the_reference(seed: int, is_wide: bool, is_narrowed: bool) -> None:
    case = integer_network(seed, wide=is_wide)
    program = compiled(case.module, is_narrowed=is_narrowed)
    assert "int64" not in program.needs()
    is_split = any(isinstance(op, kernels.WordOp) for one in program.kernels for op in one.walk())
    assert is_split or not is_wide
    wanted = ReferenceModel(case.network).run({name: DenseSignal(x) for name, x in case.inputs.items()})
    found = outputs(program, case.inputs)
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name].reshape(values.shape), values, err_msg=name)


@pytest.mark.parametrize("seed", SEEDS)
def test_states_equal_the_reference(seed: int) -> None:
    case = integer_network(seed, wide=True)
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    module = ModuleOp([compiled(case.module, is_narrowed=True).clone()])
    found = Model(module, case.network, device=DEVICE, record=case.record).run(signals)
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name].astype(values.dtype), values, err_msg=name)
