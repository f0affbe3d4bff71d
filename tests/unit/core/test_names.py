"""Free names: each is used once, in the order of their numbers, and in linear time for a long series."""

from __future__ import annotations

from cProfile import Profile

from nopt.core.names import Names


def test_every_name_is_given_once() -> None:
    names = Names(["a", "b_2"])
    assert [names.take(x) for x in ("b", "a", "b", "b", "a_1", "a")] == ["b", "a_1", "b_1", "b_3", "a_1_1", "a_2"]


def test_a_series_may_start_at_another_number() -> None:
    names = Names(start=2)
    assert [names.take("f") for _ in range(3)] == ["f", "f_2", "f_3"]


def test_a_series_is_searched_once() -> None:
    names, profile = Names(), Profile()
    profile.runcall(lambda: [names.take("x") for _ in range(10_000)])
    assert sum(entry.callcount for entry in profile.getstats()) < 100_000
