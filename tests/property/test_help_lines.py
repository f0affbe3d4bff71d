"""The help lines of the sample remove their findings; `make helps` runs all of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from help_lines import TRIED, failures, records
from places import ROOT

sys.path.insert(0, str(ROOT / "lit-tests"))
from help_sample import choose, is_typeable

PART = 2 / 3
"""Minimal number of tried codes of the sample. The others have a help without a command, or one on a REQUIRES line."""


def test_helps_of_the_sample_remove_their_findings(tmp_path: Path, shared: Path) -> None:
    sample = choose(ROOT / "lit-tests")
    found = records(tmp_path, str(shared), sorted(sample))
    assert not failures(found)
    tried = {record["code"] for record in found if record["kind"] == TRIED}
    assert len(tried) >= PART * sum(map(len, sample.values()))


@pytest.mark.parametrize(
    ("help", "expected"),
    [
        ("nopt x.nir --dt 1ms", True),
        ("nopt x.nir --like NAME, where NAME is one of a or b", True),
        ("nopt check {{.*}} -p 'ntensor-quantize-weights{bits=4}'", True),
        ("nopt check x.nir --device FILE.json", False),
        ("nopt explain ANA033", False),
        ("rename one of the two", False),
    ],
)
def test_only_helps_that_can_be_typed_are_in_the_sample(help: str, expected: bool) -> None:
    assert is_typeable(help) == expected
