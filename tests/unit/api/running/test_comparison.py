"""`compare` against plain loops."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from nopt.api.running.array_writers import save
from nopt.api.running.comparison import compare, difference
from nopt.core.diagnostics import Refused

NUMBERS = st.sampled_from([0.0, -0.0, 1.0, 2.0, 1.25, math.nan, math.inf])
Pair = tuple[NDArray[Any], NDArray[Any]]


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 3)))
    a = draw(arrays.arrays(np.float64, shape, elements=NUMBERS))
    b = np.roll(a, draw(st.integers(-2, 2)), 0)
    for _ in range(draw(st.integers(0, 3))):
        b[draw(st.integers(0, shape[0] - 1)), draw(st.integers(0, shape[1] - 1))] = draw(NUMBERS)
    return a, b


def is_same(x: float, y: float, tolerance: float) -> bool:
    return x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= tolerance


@given(pairs(), st.sampled_from([0.0, 0.5]), st.integers(-3, 3))
def test_equals_a_loop(pair: Pair, tolerance: float, shift: int) -> None:
    a, b = pair
    wrong = [
        (tick, index)
        for tick in range(len(a))
        for index in range(a.shape[1])
        if 0 <= tick + shift < len(b) and not is_same(a[tick, index], b[tick + shift, index], tolerance)
    ]
    found = difference(a, b, tolerance, shift)
    assert found.differing == len(wrong)
    assert found.equal == (not wrong)
    if wrong:
        tick, index = wrong[0]
        assert found.first is not None
        assert (found.first.tick, found.first.index) == (tick, index)
        np.testing.assert_equal([found.first.a, found.first.b], [a[tick, index], b[tick + shift, index]])
    else:
        assert found.max_abs is not None
        assert found.max_abs <= tolerance


@given(pairs())
def test_json_is_strict(pair: Pair) -> None:
    text = json.dumps(compare({"v": pair[0]}, {"v": pair[1]}).as_json(), allow_nan=False)
    assert set(json.loads(text)["arrays"]["v"]) == {
        "equal",
        "shape_a",
        "shape_b",
        "differing",
        "first",
        "max_abs",
        "relative_error",
        "rate_cosine",
        "bin_cosine",
        "best_shift",
    }


@pytest.mark.parametrize("latency", [-3, 0, 1, 16])
def test_auto_finds_the_latency(latency: int) -> None:
    random = np.random.default_rng(0)
    a = random.random((60, 5)) < 0.2
    b = np.zeros_like(a)
    late, early = (a[: len(a) - latency], b[latency:]) if latency >= 0 else (a[-latency:], b[:latency])
    early[...] = late
    found = difference(a, b, 0.0, "auto")
    assert (found.equal, found.best_shift) == (True, latency)


def test_silence_at_the_end_is_no_proof() -> None:
    """A short overlap of silent rows would be equal, but is not the best shift."""
    a, b = np.zeros((20, 2)), np.zeros((20, 2))
    a[5, 0] = b[5, 1] = 1
    assert not difference(a, b, 0.0, "auto").equal


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (np.array([True, False]), np.array([1, 0]), True),
        (np.array([True]), np.array([1.0]), True),
        (np.array([0.0]), np.array([-0.0]), True),
        (np.array([np.nan]), np.array([np.nan]), True),
        (np.array([np.inf]), np.array([np.inf]), True),
        (np.array([np.inf]), np.array([-np.inf]), False),
        (np.array([np.nan]), np.array([0.0]), False),
        (np.array([2**53], np.int64), np.array([2**53 + 1], np.int64), False),
        (np.zeros((2, 1)), np.zeros((2, 1, 1)), False),
        (np.array(1.0), np.array(1.0), True),
        (np.zeros((0, 3)), np.zeros((0, 3)), True),
    ],
)
def test_what_is_equal(a: NDArray[Any], b: NDArray[Any], equal: bool) -> None:
    assert compare(a, b).equal == equal


def test_relative_error() -> None:
    a = np.array([[3.0, 0.0], [0.0, 4.0]])
    assert (
        difference(a, a + np.array([[0.0, 0.0], [3.0, -4.0]]), 0.0, 0).relative_error == 1.0
    )  # both have a square sum of 25
    assert difference(0 * a, 0 * a, 0.0, 0).relative_error == 0.0
    assert difference(0 * a, a, 0.0, 0).relative_error == 1.0
    assert difference(a, np.full((2, 2), np.nan), 0.0, 0).relative_error is None


def test_cosines() -> None:
    a, b = np.array([[1, 0], [1, 0]]), np.array([[1, 1], [0, 0]])
    found = difference(a, b, 0.0, 0)
    assert found.rate_cosine == pytest.approx(1 / math.sqrt(2))  # (2, 0) and (1, 1)
    assert found.bin_cosine == pytest.approx(0.5)  # one of two coincides
    silent = difference(0 * a, 0 * a, 0.0, 0)
    assert (silent.rate_cosine, silent.bin_cosine) == (1.0, 1.0)
    one_silent = difference(0 * a, a, 0.0, 0)
    assert (one_silent.rate_cosine, one_silent.bin_cosine) == (0.0, 0.0)


def test_files_say_whether_they_have_samples(tmp_path: Path) -> None:
    """Rank 3 may be `[samples, ticks, neurons]` or `[ticks, channels, positions]`."""
    a = np.zeros((2, 3, 4))
    b = a.copy()
    b[1, 2, 3] = 1
    places = {}
    for has_samples in (False, True):
        save(tmp_path / "a.npz", {"v": a}, has_samples=has_samples)
        save(tmp_path / "b.npz", {"v": b}, has_samples=has_samples)
        first = compare(tmp_path / "a.npz", tmp_path / "b.npz").arrays["v"].first
        assert first is not None
        places[has_samples] = (first.sample, first.tick, first.index)
    assert places == {False: (None, 1, 11), True: (1, 2, 3)}


def test_keys_in_one_file_only_are_a_difference() -> None:
    found = compare({"a": [1], "b": [2]}, {"a": [1], "c": [3]})
    assert not found.equal
    assert (found.only_in_a, found.only_in_b) == (("b",), ("c",))


def test_a_nameless_array_stands_against_the_only_one() -> None:
    array = np.ones((3, 2))
    assert compare(array, {"output": array}).equal
    assert list(compare({"output": array}, array).arrays) == ["output"]
    assert not compare(array, {"output": array, "lif": array}).equal


@pytest.mark.parametrize("tolerance", [-1.0, math.nan])
def test_tolerance_is_a_number_from_0(tolerance: float) -> None:
    with pytest.raises(Refused):
        compare([1], [1], tolerance=tolerance)  # type: ignore[arg-type]
