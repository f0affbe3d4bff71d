"""Loss figures agree with their definitions, computed by loops, for any partition of the samples into groups."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from literal_loss import literal_loss
from xdsl.dialects.builtin import IntegerType, f64, i1
from xdsl.ir import Attribute

from nopt.api.judging.loss import unite_losses
from nopt.api.judging.loss_tally import OutputTally
from nopt.dialects.ntensor import CountType, GradedType

KINDS: dict[str, Attribute] = {"spike": i1, "count": CountType(4), "graded": GradedType(8), "value": f64}
FIGURES = ("agreement", "count_error", "spike_agreement", "relative_error", "largest_error", "largest_output")


def draw(rng: np.random.Generator, kind: str, shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[Any]]:
    """Returns random numbers of a kind; some samples are silent."""
    rate = rng.choice([0.0, 0.1, 0.5, 1.0], size=(shape[0], *[1] * (len(shape) - 1)))
    fires = rng.random(shape) < rate
    match kind:
        case "spike":
            return fires
        case "count":
            return fires * rng.integers(0, 6, shape)
        case "graded":
            return fires * rng.integers(-3, 4, shape)
        case _:
            return fires * rng.normal(0, 2, shape).round(1)


def require_close(found: dict[str, Any], expected: dict[str, float | None]) -> None:
    for name in FIGURES:
        value = expected[name]
        assert found[name] == (None if value is None else pytest.approx(value, rel=1e-12, abs=1e-12)), name


@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(sorted(KINDS)),
    samples=st.integers(1, 4),
    ticks=st.integers(1, 9),
    neurons=st.integers(1, 4),
    latency=st.integers(0, 3),
    change=st.sampled_from([0.0, 0.1, 0.6]),
    is_scaled=st.booleans(),
    cuts=st.lists(st.integers(0, 4), max_size=3),
)
def test_figures_are_those_of_their_definitions(
    seed: int,
    kind: str,
    samples: int,
    ticks: int,
    neurons: int,
    latency: int,
    change: float,
    is_scaled: bool,
    cuts: list[int],
) -> None:
    rng = np.random.default_rng(seed)
    before = draw(rng, kind, (samples, ticks + latency, neurons))
    other = draw(rng, kind, before.shape)
    after = np.roll(np.where(rng.random(before.shape) < change, other, before), latency, axis=1)
    unit = rng.choice([0.5, 0.25, 2.0], size=neurons) if is_scaled and kind == "value" else None
    expected = literal_loss(before, after, kind=kind, latency=latency, unit=unit)
    if kind == "graded":
        assert expected["relative_error"] is not None

    def measured(groups: list[slice]) -> dict[str, Any]:
        tally = OutputTally(KINDS[kind], unit, KINDS[kind])
        for group in groups:
            tally.add(after[group, latency:], before[group, : before.shape[1] - latency])
        return tally.loss().as_json()

    whole = measured([slice(0, samples)])
    require_close(whole, expected)
    ends = sorted({0, *(cut for cut in cuts if cut < samples), samples})
    assert measured([slice(a, b) for a, b in pairwise(ends)]) == whole


@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["spike", "count", "value"]),
    frame_ticks=st.integers(2, 4),
    unit=st.sampled_from([None, 2.5]),
)
def test_frames_are_compared_with_sums_of_their_ticks(
    seed: int, kind: str, frame_ticks: int, unit: float | None
) -> None:
    rng = np.random.default_rng(seed)
    before, frames = (
        draw(rng, kind, (3, 3 * frame_ticks, 3)),
        draw(rng, "value" if kind == "value" else "count", (3, 3, 3)),
    )
    sums = before.reshape(3, 3, frame_ticks, 3).sum(2)
    element = f64 if kind == "value" else CountType(8)
    held = None if unit is None else np.asarray(unit)
    tally = OutputTally(element, held, element, is_frames=True)
    tally.add(frames, sums)
    factors = None if unit is None else [unit] * 3
    expected = literal_loss(before, frames, kind=kind, frame_ticks=frame_ticks, unit=factors)
    found = tally.loss().as_json()
    assert found["spike_agreement"] is None
    require_close(found, expected)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("side", [0, 1])
def test_values_that_are_not_finite_have_no_error(wrong: float, side: int) -> None:
    """The decision remains defined: a NaN is larger than every number, as in `numpy.argmax`."""
    arrays = [np.array([[[1.0, 2.0]], [[3.0, 1.0]]]) for _ in range(2)]
    arrays[side][0, 0, 0] = wrong
    tally = OutputTally(f64, None, f64)
    tally.add(arrays[1], arrays[0])
    expected = literal_loss(*arrays, kind="value")
    found = tally.loss().as_json()
    assert found == expected
    assert found["relative_error"] is found["largest_error"] is found["largest_output"] is None
    assert found["agreement"] == (1.0 if wrong == -np.inf else 0.5)


def test_integers_without_a_unit_have_no_error_in_units_of_the_network() -> None:
    reals, integers = np.ones((1, 2, 2)), np.ones((1, 2, 2), np.int32)
    tally = OutputTally(IntegerType(32), None, f64)
    tally.add(integers, reals)
    assert tally.loss().relative_error is None
    assert tally.loss().agreement == 1.0
    scaled = OutputTally(IntegerType(32), np.asarray(1.5), f64)
    scaled.add(integers, reals)
    assert scaled.loss().relative_error == 0.5


@pytest.mark.parametrize(("a", "b"), [((2, 3, 2), (2, 3, 3)), ((2, 0, 2), (2, 0, 2)), ((2, 3, 0), (2, 3, 0))])
def test_arrays_that_cannot_be_compared_have_no_figure(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    tally = OutputTally(i1, None, i1)
    tally.add(np.zeros(b, bool), np.zeros(a, bool))
    assert set(tally.loss().as_json().values()) == {None}


def test_the_worst_output_is_the_headline() -> None:
    """Each figure is that of its worst output, and the errors of values are those of one output."""

    def tally(element: Attribute, after: list[list[float]], before: list[list[float]]) -> OutputTally:
        found = OutputTally(element, None, element)
        dtype = bool if element == i1 else float
        found.add(np.array([after], dtype), np.array([before], dtype))
        return found

    tallies = {
        "good": tally(i1, [[1, 0], [1, 0]], [[1, 0], [1, 0]]),
        "late": tally(i1, [[0, 0], [0, 0], [1, 0]], [[1, 0], [0, 0], [0, 0]]),
        "more": tally(i1, [[1, 1], [1, 1]], [[1, 0], [1, 0]]),
        "small": tally(f64, [[0.5]], [[1.0]]),
        "large": tally(f64, [[90.0]], [[100.0]]),
        "broken": tally(f64, [[np.nan]], [[1.0]]),
    }

    def united(*names: str) -> dict[str, Any]:
        outputs = {name: (tallies[name].loss(), tallies[name].applicable) for name in names}
        return unite_losses(outputs, None, None, [], samples=1, measured_on="sample input").as_json()

    found = united("good", "late", "more", "small", "large")
    assert (found["agreement"], found["count_error"], found["spike_agreement"]) == (0.0, 1.0, 0.0)
    assert (found["relative_error"], found["largest_error"], found["largest_output"]) == (0.5, 0.5, 1.0)
    assert list(found["outputs"]) == ["good", "late", "more", "small", "large"]
    assert found["outputs"]["large"]["largest_error"] == 10.0
    assert united("small", "broken")["relative_error"] is None  # an unknown error is not better than a known one


def test_samples_that_change_sides_are_listed() -> None:
    found = unite_losses(
        {}, [True, True, False, False], [True, False, True, False], [], samples=4, measured_on="sample input"
    )
    assert (found.accuracy_before, found.accuracy) == (0.5, 0.5)
    assert (found.gained, found.lost) == ((2,), (1,))
    assert unite_losses({}, None, None, [], samples=4, measured_on="generated input").gained is None


@pytest.mark.parametrize("fires", [False, True])
def test_figures_of_silence_are_marked_and_no_sample_has_none(fires: bool) -> None:
    tally = OutputTally(i1)
    tally.first_element = i1
    assert {getattr(tally.loss(), name) for name in FIGURES} == {None}
    array = np.zeros((2, 3, 4), bool)
    array[1, 2, 3] = fires
    tally.add(array, array.copy())
    found = tally.loss()
    assert (found.count_error, found.spike_agreement, found.is_silent) == (0.0, 1.0, not fires)
    assert "is_silent" not in found.as_json()
