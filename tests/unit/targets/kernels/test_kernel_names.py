"""Names of values in the source of kernels are not those of types."""

from __future__ import annotations

import pytest

from nopt.dialects.kernels import Memory
from nopt.targets.kernels.printing.bodies import Body
from nopt.targets.kernels.printing.expressions import Texts
from nopt.targets.kernels.printing.language import LANGUAGES


@pytest.mark.parametrize("slug", LANGUAGES)
def test_no_name_is_a_type(slug: str) -> None:
    body = Body(Texts(LANGUAGES[slug]), Memory([]), is_interleaved=False, depth=1)
    names = [body.fresh("i") for _ in range(100)]
    assert len(set(names)) == 100
    assert not set(names) & set(LANGUAGES[slug].types.values())
