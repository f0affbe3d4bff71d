"""Synapses of a matrix that is a rule are not generated to be counted."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import TensorType, f32, i1
from xdsl.dialects.test import TestOp

from nopt.analysis import irregular_synapses as module
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.arrays.values import RuleArray
from nopt.dialects import ntensor

SIZE = 4


def linear(weight: ArrayAttr) -> ntensor.LinearOp:
    x = TestOp(result_types=[TensorType(i1, [SIZE])]).results[0]
    return ntensor.LinearOp.create(operands=[x], result_types=[TensorType(f32, [SIZE])], properties={"weight": weight})


def test_a_rule_is_not_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: RuleArray) -> None:
        raise AssertionError("the numbers of a rule were generated")

    weight = ArrayAttr.by("uniform", (SIZE, SIZE), np.dtype(np.float32), seed=1, low=-1.0, high=1.0)
    assert isinstance(weight.data, RuleArray)
    monkeypatch.setattr(module, "MATRIX_SYNAPSES", 1)
    monkeypatch.setattr(RuleArray, "values", property(refuse))
    assert module.irregular_synapses([linear(weight)]) is None


def test_a_matrix_is_listed_up_to_a_number_of_synapses(monkeypatch: pytest.MonkeyPatch) -> None:
    op = linear(ArrayAttr.of(np.eye(SIZE, dtype=np.float32)))
    pairs = module.irregular_synapses([op])
    assert pairs is not None
    assert [one.tolist() for one in pairs] == [[0, 1, 2, 3], [0, 1, 2, 3]]
    monkeypatch.setattr(module, "MATRIX_SYNAPSES", SIZE - 1)
    assert module.irregular_synapses([op]) is None
