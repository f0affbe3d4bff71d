"""The quick rows of the table of docs/quantize.md are what the program measures; figures of counts whose values are known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from places import ROOT
from rounding_networks import CALIBRATION, EXAMPLE_NETWORKS, Case, write_network
from rounding_rows import METHODS, figures, measured, reference, rows_of

RECORD = ROOT / "docs" / "reference" / "rounding.json"
SECONDS = 60
QUICK = (4, 3)
"""Bits of the rows that are repeated."""
EXACT = ("nearest", "nearest, fit=error")
"""Methods that read no data, and have the same result on every machine."""


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return write_network(tmp_path_factory.mktemp("digits"), "digits_fc", Path())


def test_quick_rows_of_the_table_are_repeated(case: Case) -> None:
    recorded = {
        (row["network"], row["bits"], row["method"]): row
        for row in json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
    }
    before = reference(case, SECONDS)
    for row in (row for row in rows_of("digits_fc", list(METHODS)) if row.bits in QUICK):
        found, kept = measured(case, row, before, SECONDS), recorded[row.network, row.bits, row.method]
        tolerance = 0 if row.method in EXACT else 2 * kept["standard_error"]
        assert found["accuracy"] == pytest.approx(kept["accuracy"], abs=tolerance)
        if row.method in EXACT:
            assert found == kept


def test_calibration_has_no_test_sample(case: Case) -> None:
    calibration, test = np.load(case.folder / "calib.npy"), np.load(case.folder / "x.npy")
    assert len(calibration) == CALIBRATION
    assert not {sample.tobytes() for sample in calibration} & {sample.tobytes() for sample in test}


@pytest.mark.parametrize("name", EXAMPLE_NETWORKS)
def test_record_has_each_network(name: str) -> None:
    kept = [row for row in json.loads(RECORD.read_text(encoding="utf-8"))["rows"] if row["network"] == name]
    assert [(row["bits"], row["method"]) for row in kept] == [
        (row.bits, row.method) for row in rows_of(name, list(METHODS))
    ]


def test_figures_of_known_counts() -> None:
    """Two of four decisions are right, and one changed; counts differ by 1 + 3 of 16."""
    before = np.array([[4, 0], [0, 4], [4, 0], [0, 4]])
    after = np.array([[4, 0], [1, 4], [1, 0], [0, 4]])
    found = figures(before, np.array([[4, 0], [4, 3], [4, 0], [0, 4]]), np.array([0, 0, 1, 0]))
    assert found["accuracy"] == 0.5
    assert found["accuracy_before"] == 0.25
    assert found["standard_error"] == 0.25
    assert found["agreement"] == 0.75
    assert figures(before, after, None)["count_error"] == 0.25
    assert figures(before, after, None)["accuracy"] is None
