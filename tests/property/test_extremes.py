"""A network with an extreme parameter is either computed or refused, without other exceptions or NumPy warnings."""

from __future__ import annotations

import pytest
from extent import times
from extremes import Case, cases


def test_extreme_parameters_are_computed_with_or_refused() -> None:
    failed = [f"{verb} {case}: {defect!r}" for case in cases(11)[: times(7)] for verb, defect in case.attempt()]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize(
    "case",
    [
        Case("Conv2d", "weight", -1e300, False, "spyx_0_1", "9000000000s"),
        Case("Conv2d", "bias", -1.7e308, True, "nengo", "9000000000s"),
        Case("Conv1d", "bias", 5e-324, True, "nengo", "1ms"),
        Case("Scale", "scale", -5e-324, True, "sinabs", "1ms"),
        Case("IF", "v_threshold", -1.7e308, True, "norse", "9000000000s"),
    ],
    ids=lambda case: f"{case.primitive}-{case.parameter}",
)
def test_ratios_and_sums_beyond_reals_are_no_warnings(case: Case) -> None:
    assert not [f"{verb}: {defect!r}" for verb, defect in case.attempt()]
