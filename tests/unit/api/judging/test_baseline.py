"""Figures of two builds: the change for the worse is limited, not the change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from nopt.api.judging.baseline import BAS003, BAS004, BAS005, BAS006, GROWTH, Gate, judge_build
from nopt.api.judging.thresholds import Thresholds, parse_thresholds
from nopt.core.diagnostics import Severity

LOSS: dict[str, Any] = {
    "accuracy": 0.9,
    "agreement": 0.97,
    "count_error": 0.05,
    "relative_error": None,
    "spike_agreement": 0.9,
    "measured_on": "sample input",
}
ENERGY: dict[str, Any] = {"value": 100.0, "terms": [{}], "unknown": []}
OLD: dict[str, Any] = {
    "network": {"name": "net", "tick_ns": 1},
    "device": {"name": "asic/mesh"},
    "inputs": [{"role": "calib", "name": "x.npy", "sha256": "a"}],
    "loss": LOSS,
    "memory": {"rom": 1000, "ram": 200},
    "cost": {"energy": ENERGY},
    "latency_ticks": {"output": 2},
}
"""The parts of a report that are compared."""


def judged(
    new: Mapping[str, Any], old: Mapping[str, Any] | None = OLD, max_loss: str = "", **limits: Any
) -> list[tuple[str, Severity, str | None]]:
    """Returns code, severity and path of each finding about a build."""
    found = judge_build(Gate("old", old, **limits), new, parse_thresholds(max_loss))
    return [(one.code.id, one.severity, one.path) for one in found]


def with_loss(**figures: Any) -> dict[str, Any]:
    return OLD | {"loss": LOSS | figures}


def test_an_equal_build_has_no_finding() -> None:
    assert judged(OLD) == []


@pytest.mark.parametrize(
    ("figure", "value", "is_worse"),
    [
        ("accuracy", 0.89, False),  # 1 point, which is allowed
        ("accuracy", 0.8899, True),
        ("accuracy", 1.0, False),
        ("agreement", 0.92, False),  # 0.97 - 0.05
        ("agreement", 0.919, True),
        ("agreement", 1.0, False),
        ("count_error", 0.15, False),  # 0.05 + 0.1
        ("count_error", 0.151, True),
        ("count_error", 0.0, False),
        ("count_error", "nan", True),
        ("count_error", "inf", True),
        ("spike_agreement", 0.0, False),  # without a threshold of the user it is not compared
    ],
)
def test_changes_for_the_worse_are_limited(figure: str, value: float | str, is_worse: bool) -> None:
    expected = [("BAS003", Severity.ERROR, f"loss.{figure}")] * is_worse
    assert judged(with_loss(**{figure: value})) == expected


def test_thresholds_of_the_user_replace_the_defaults() -> None:
    """The share 0.9 allows a fall by 0.1, the error 0.02 a growth by 0.02, and 2pt a fall by 2 points."""
    kept = with_loss(accuracy=0.88, agreement=0.87, count_error=0.07, spike_agreement=0.7)
    assert judged(kept, max_loss="accuracy=2pt,agreement=0.9,count_error=0.02,spike_agreement=0.8") == []
    paths = [
        path
        for _, _, path in judged(
            with_loss(count_error=0.071, spike_agreement=0.69), max_loss="count_error=0.02,spike_agreement=0.8"
        )
    ]
    assert paths == ["loss.count_error", "loss.spike_agreement"]


def test_a_loss_on_generated_input_is_a_remark() -> None:
    generated = with_loss(agreement=0.5, measured_on="generated input")
    assert judged(generated, with_loss(measured_on="generated input")) == [
        ("BAS003", Severity.REMARK, "loss.agreement")
    ]


def test_figures_that_are_not_known_are_errors() -> None:
    new = OLD | {"loss": None, "memory": None, "cost": None}
    assert [path for _, _, path in judged(new)] == ["loss", "memory.rom", "memory.ram", "cost.energy"]
    assert {code for code, _, _ in judged(new)} == {BAS005.id}
    assert judged(with_loss(accuracy=None)) == [("BAS005", Severity.ERROR, "loss.accuracy")]
    assert judged(with_loss(measured_on="generated input")) == [("BAS005", Severity.ERROR, "loss")]
    assert judged(OLD, OLD | {"loss": None, "memory": None, "cost": None}) == []


@pytest.mark.parametrize(("rom", "is_worse"), [(int(1000 * (1 + GROWTH)), False), (1051, True), (1, False)])
def test_memory_may_grow_a_little(rom: int, is_worse: bool) -> None:
    new = OLD | {"memory": {"rom": rom, "ram": 200}}
    assert judged(new) == [("BAS003", Severity.ERROR, "memory.rom")] * is_worse
    assert judged(new, max_rom=2000) == []


def test_memory_of_chips_is_one_sum() -> None:
    old, new = (OLD | {"memory": {"dense": n, "axons": 10}} for n in (90, 96))
    assert judged(new, old) == [("BAS003", Severity.ERROR, "memory")]  # 106 of 100


def test_energy() -> None:
    more = OLD | {"cost": {"energy": ENERGY | {"value": 106.0}}}
    assert judged(more) == [("BAS003", Severity.ERROR, "cost.energy")]
    assert judged(more, max_energy=106.0) == []
    assert judged(more, max_energy=105.9) == [(BAS004.id, Severity.ERROR, "cost.energy")]
    partial = OLD | {"cost": {"energy": ENERGY | {"unknown": ["cost.energy.idle"]}}}
    assert judged(partial) == [(BAS006.id, Severity.REMARK, "cost.energy")]
    assert judged(partial, None, max_energy=100.0) == [(BAS005.id, Severity.REMARK, "cost.energy")]
    unknown = OLD | {"cost": {"energy": ENERGY | {"terms": []}, "reasons": {"energy": "no number is published"}}}
    assert judged(unknown, None, max_energy=100.0) == [(BAS005.id, Severity.ERROR, "cost.energy")]


def test_a_larger_latency_is_worse() -> None:
    assert judged(OLD | {"latency_ticks": {"output": 3}}) == [("BAS003", Severity.ERROR, "latency_ticks.output")]
    assert judged(OLD | {"latency_ticks": {"output": 1}}) == []


def test_other_conditions_are_remarks() -> None:
    new = OLD | {"device": {"name": "c/int8"}, "inputs": [{"role": "calib", "name": "x.npy", "sha256": "b"}]}
    assert judged(new) == [(BAS006.id, Severity.REMARK, None)] * 2


def test_findings_have_limit_value_and_source() -> None:
    (finding,) = judge_build(Gate("old", OLD), with_loss(agreement=0.5), Thresholds())
    assert (finding.code, finding.limit, finding.value, finding.source) == (BAS003, 0.92, 0.5, "--baseline old")
    assert len(list(finding.lines())) == 1
