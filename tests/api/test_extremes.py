"""A network with an extreme parameter is either computed or refused, without other exceptions or NumPy warnings."""

from __future__ import annotations

from extent import times
from extremes import cases


def test_extreme_parameters_are_computed_with_or_refused() -> None:
    failed = [f"{verb} {case}: {defect!r}" for case in cases(11)[: times(7)] for verb, defect in case.attempt()]
    assert not failed, "\n".join(failed)
