"""Examples of codes: every code has one, in the form that a command prints, and without marks of a test."""

from __future__ import annotations

import re

import pytest

from nopt.api.catalogue.listing import codes, explain

MARKS = re.compile(r"filecheck|CHECK|RUN:|\{\{|\[\[|%[St]\b|%root|// -----")
LINES = 18
"""Maximal number of lines of an example: a command, a message, and its notes."""


@pytest.mark.parametrize("name", codes())
def test_every_code_has_a_short_example(name: str) -> None:
    entry = explain(name)
    assert entry.example is not None
    assert re.search(rf"^(error|warning|remark)\[{name}\]: .", entry.example, re.MULTILINE)
    assert len(entry.example.splitlines()) <= LINES
    assert not MARKS.search(entry.example)
