"""Formulas of the neuron language over arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nopt.core.diagnostics import Refused
from nopt.core.neuron.formulas import evaluate, names_in_formula, read_formula


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a * dt + 1", [1.1, 1.2]),
        ("-a / 2", [-0.5, -1.0]),
        ("exp(-1 / a)", [math.exp(-1), math.exp(-0.5)]),
        ("a if a >= 2 else dt", [0.1, 2.0]),
        ("max(a, 1.5) + min(a, 1.5) + abs(-a) + sqrt(a) + log(a)", [4.5, 5.5 + math.sqrt(2) + math.log(2) - 0.0]),
        ("a == 1 and not a > 1 or false", [True, False]),
        ("a != 1", [False, True]),
    ],
)
def test_value(text: str, expected: list[float]) -> None:
    values = {"a": np.array([1.0, 2.0], np.float32), "dt": 0.1}
    np.testing.assert_allclose(evaluate(read_formula(text, "test"), values), expected, rtol=1e-15)


def test_f32_is_read_in_double_precision() -> None:
    tau = np.float32(0.02)
    assert evaluate(read_formula("tau / dt", "test"), {"tau": tau, "dt": 1e-3}) == float(tau) / 1e-3


def test_overflow_is_no_warning() -> None:
    with np.errstate(all="raise"):
        assert np.isinf(evaluate(read_formula("1 / a", "test"), {"a": np.zeros(2)})).all()


def test_names() -> None:
    assert names_in_formula(read_formula("tau * (1 - exp(-dt / tau))", "test")) == {"tau", "dt"}


def test_what_is_no_formula() -> None:
    with pytest.raises(Refused):
        read_formula("tau *", "test")
    with pytest.raises(ValueError, match="cannot contain is"):
        evaluate(read_formula("1 if a is b else 2", "test"), {})
    with pytest.raises(KeyError):
        evaluate(read_formula("a", "test"), {})
