"""Types of signals are equal if their bits are."""

from __future__ import annotations

import pytest

from nopt.dialects.ntensor import CountType, GradedType, TermsType


@pytest.mark.parametrize("kind", [CountType, GradedType, TermsType])
def test_types_with_other_bits_differ(kind: type[CountType] | type[GradedType] | type[TermsType]) -> None:
    assert kind(5) == kind(5)
    assert hash(kind(5)) == hash(kind(5))
    assert kind(5) != kind(6)
    assert CountType(5) != GradedType(5)
