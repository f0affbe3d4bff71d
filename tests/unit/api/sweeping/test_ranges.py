"""Figures with a range: the Pareto front compares upper ends, of a tick of the input."""

from __future__ import annotations

from typing import Any

import pytest

from nopt.api.sweeping.points import Point, mark_best, value_of
from nopt.api.sweeping.ranges import RANGES


def point(value: float, low: float, high: float, **figures: Any) -> Point:
    """Returns a point with a range of energy [pJ]."""
    energy = {"energy_pj": value, "energy_low_pj": low, "energy_high_pj": high}
    step = {"per": "tick", "frame_ticks": 1}
    return Point(options={}, pipeline="", device="asic/mesh", **(energy | step | figures))


def test_the_upper_end_decides() -> None:
    wide, narrow = point(100, 10, 900), point(400, 300, 500)
    assert value_of(wide, "energy_pj") == 900
    assert [one.is_best for one in mark_best([wide, narrow], ["energy_pj"])] == [False, True]


def test_a_frame_counts_by_its_share_of_a_tick() -> None:
    frame = point(1600, 1600, 3200, per="frame", frame_ticks=16, cores=2)
    tick = point(250, 250, 250, cores=1)
    assert value_of(frame, "energy_pj") == 200
    assert [one.is_best for one in mark_best([frame, tick], ["energy_pj"])] == [True, False]


@pytest.mark.parametrize(
    ("per", "ticks", "text"), [("tick", 1, "1.9 to 3.1 nJ/tick"), ("frame", 8, "1.9 to 3.1 nJ/frame")]
)
def test_text_names_the_step(per: str, ticks: int, text: str) -> None:
    assert RANGES["energy"].text(point(2500, 1900, 3100, per=per, frame_ticks=ticks)) == text


def test_power_belongs_to_no_step() -> None:
    figures = {"power_mw": 64.45, "power_low_mw": 64.4, "power_high_mw": 64.5, "per": "frame", "frame_ticks": 8}
    held = point(1, 1, 1, **figures)
    assert RANGES["power"].text(held) == "64.4 to 64.5 mW"
    assert value_of(held, "power_mw") == 64.5


def test_an_unknown_energy_has_no_text() -> None:
    unknown = Point(options={}, pipeline="", device="c/generic")
    assert RANGES["energy"].text(unknown) == ""
    assert value_of(unknown, "energy_pj") is None
