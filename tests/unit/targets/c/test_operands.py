"""Element types of constants of loops."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import i64

from nopt.targets.c.building.program import pack_array


@pytest.mark.parametrize(
    ("largest", "operand", "other"),
    [
        (255, "ui8", "ui8"),
        (256, "si16", "ui16"),
        (32767, "si16", "ui16"),
        (32768, "ui16", "ui16"),
        (65536, "ui32", "ui32"),
    ],
)
def test_constants_of_16_bits_are_signed_if_they_can_be(largest: int, operand: str, other: str) -> None:
    values = np.array([0, largest])
    for is_operand, expected in ((True, operand), (False, other)):
        stored, element = pack_array(values, i64, is_operand=is_operand)
        assert str(element) == expected
        assert np.array_equal(stored, values)


def test_constants_with_negative_numbers_keep_their_type() -> None:
    assert str(pack_array(np.array([-1, 200]), i64, is_operand=True)[1]) == "si16"
