"""Thresholds of loss: their text, their comparison with a loss, and the population where a loss starts."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from nopt.api.judging.loss import Loss
from nopt.api.judging.loss_findings import judge
from nopt.api.judging.thresholds import MaxLoss, Thresholds, parse_thresholds
from nopt.api.running.level_records import Level
from nopt.api.running.rate_similarity import Likeness
from nopt.core.diagnostics import ExitCode, Refused

NO_LOSS = Loss(
    agreement=1.0,
    count_error=0.0,
    spike_agreement=1.0,
    relative_error=None,
    largest_error=None,
    largest_output=None,
    accuracy=None,
    accuracy_before=None,
    measured_on="sample input",
    samples=4,
    gained=None,
    lost=None,
    outputs={},
    populations=(),
)


def beyond(loss: Loss, given: MaxLoss = "") -> list[str]:
    return [one.figure.name for one in parse_thresholds(given).excesses(loss, NO_LOSS)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", {}),
        ("accuracy=1pt,agreement=0.98, count_error=2e-2", {"accuracy": 1.0, "agreement": 0.98, "count_error": 0.02}),
        ({"accuracy": "0.5 pt", "relative_error": 0.2}, {"accuracy": 0.5, "relative_error": 0.2}),
        ("agreement=1,agreement=1.0", {"agreement": 1.0}),
    ],
)
def test_texts_and_mappings(given: MaxLoss, expected: dict[str, float]) -> None:
    assert parse_thresholds(given).required == expected


@pytest.mark.parametrize(
    ("given", "help"),
    [
        ("acuracy=1pt", "accuracy=1pt"),
        ("acuracy=1", "accuracy=1pt"),
        ("counts=0.1", "count_error=0.1"),
        ("accuracy=1", "accuracy=1pt"),
        ("accuracy=1%", "accuracy=1pt"),
        ("accuracy", "accuracy=1pt"),
        ("accuracy=200pt", "accuracy=1pt"),
        ("agreement=98%", "agreement=0.98"),
        ("agreement=98", "agreement=0.98"),
        ("agreement=0.9pt", "agreement=0.9"),
        ("agreement=nan", "agreement=0.95"),
        ("count_error=1e999", "count_error=0.1"),
        ("count_error=-1,agreement=0.9", "count_error=0.1,agreement=0.9"),
        ("agreement=0.9,agreement=0.8", "agreement=0.8"),
    ],
)
def test_the_help_of_a_refusal_is_the_corrected_option(given: str, help: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_thresholds(given)
    (finding,) = refused.value.findings
    assert (refused.value.exit_code, finding.code.id) == (ExitCode.MISUSED, "LOS003")
    assert finding.help == f"--max-loss {help}"
    parse_thresholds(help)  # works as typed


def test_defaults_are_exceeded_strictly() -> None:
    assert beyond(evolve(NO_LOSS, agreement=0.95, count_error=0.1)) == []
    assert beyond(evolve(NO_LOSS, agreement=0.949, count_error=0.1001)) == ["agreement", "count_error"]
    assert beyond(evolve(NO_LOSS, relative_error=0.11)) == ["relative_error"]
    assert beyond(evolve(NO_LOSS, spike_agreement=0.0)) == []


def test_accuracy_is_compared_in_points() -> None:
    one_point = evolve(NO_LOSS, accuracy_before=0.9, accuracy=0.89)  # 0.9 - 0.89 > 0.01 in floating point
    assert beyond(one_point) == []
    assert beyond(one_point, "accuracy=0.9pt") == ["accuracy"]
    assert beyond(evolve(one_point, accuracy=0.95)) == []


def test_a_figure_that_is_not_defined_any_more_is_beyond() -> None:
    assert beyond(evolve(NO_LOSS, count_error=None)) == ["count_error"]  # numbers that are not finite
    assert beyond(evolve(NO_LOSS, spike_agreement=None), "spike_agreement=0.5") == []  # a network of frames
    assert Thresholds().excesses(evolve(NO_LOSS, agreement=None), evolve(NO_LOSS, agreement=None)) == []


def test_figures_that_a_network_does_not_have() -> None:
    assert parse_thresholds("relative_error=0.1,agreement=0.9").undefined(NO_LOSS) == ["relative_error"]


# ---- the cause


def level(step: str | None, count_error: float, **rates: tuple[float, float]) -> Level:
    populations = {
        name: Likeness(rate=after, rate_before=before, rate_cosine=1.0, bin_cosine=1.0, first=None)
        for name, (before, after) in rates.items()
    }
    figures: dict[str, Any] = dict.fromkeys(("accuracy", "rate_cosine", "bin_cosine", "first", "output"))
    loss = evolve(NO_LOSS, count_error=count_error)
    return Level(level="quantized", step=step, loss=loss, populations=populations, **figures)


def test_the_cause_is_the_pass_after_which_the_loss_stays() -> None:
    same = {"a": (0.5, 0.5), "b": (0.5, 0.5), "c": (0.5, 0.5)}
    levels = [
        level(None, 0.0, **same),
        level("first", 0.5, **(same | {"a": (0.5, 0.1)})),  # undone by the next pass
        level("second", 0.1, **same),
        level("third", 0.2, **(same | {"b": (0.5, 0.44), "c": (0.5, 0.1)})),
        level("fourth", 0.9, **(same | {"a": (0.5, 0.1)})),
    ]
    found = judge(levels, Thresholds())
    assert found is not None
    assert (found.cause.step, found.population) == ("third", "b")
    assert judge(levels[:3], Thresholds()) is None


def test_a_population_is_named_only_if_it_differs() -> None:
    found = judge([level(None, 0.0, a=(0.5, 0.5)), level("x", 0.2, a=(0.5, 0.5))], Thresholds())
    assert found is not None
    assert found.population is None
