"""Numbers and texts of users at their limits."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from nopt.api.running.array_writers import Origin, write_csv
from nopt.core.counts import LARGEST_COUNT, count_of
from nopt.core.diagnostics import quote_names
from nopt.core.output import csv_text, shortened


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        ("12", 12),
        ("0" * 5000 + "7", 7),
        (str(LARGEST_COUNT), LARGEST_COUNT),
        (str(LARGEST_COUNT + 1), None),
        ("9" * 5000, None),
        ("", None),
        ("-1", None),
        ("1.0", None),
        ("\N{ARABIC-INDIC DIGIT ONE}", None),
    ],
    ids=range(10),
)
def test_counts_have_64_bits(text: str, count: int | None) -> None:
    assert count_of(text) == count


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@a", "=cmd|' /C calc'!A0"])
def test_a_name_is_no_formula_of_a_spreadsheet(name: str) -> None:
    assert csv_text(name) == f"'{name}"
    assert csv_text(f"a{name}") == f"a{name}"
    out = io.BytesIO()
    write_csv(out, {name: np.array([[-1.5], [2.0]])}, Origin(has_samples=False))
    head, *rows = csv.reader(io.StringIO(out.getvalue().decode()))
    assert head == ["tick", f"'{name}[0]"]
    assert [[float(cell) for cell in row] for row in rows] == [[0, -1.5], [1, 2]]  # numbers stay numbers


def test_a_name_has_no_control_characters_in_csv() -> None:
    assert csv_text("a\r\x1b[31m\u202e") == "a\\x0d\\x1b[31m\\u202e"


def test_lists_of_names_end_after_ten() -> None:
    assert quote_names([]) == "none"
    assert quote_names(["a", "b"]) == '"a", "b"'
    assert quote_names(map(str, range(12))).endswith('"9" and 2 more')


def test_long_texts_are_shortened() -> None:
    assert shortened("a" * 60) == "a" * 60
    assert shortened("a" * 61) == "a" * 59 + "…"
