"""Positions of TOML keys agree with the documents that `tomllib` reads."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nopt.core.toml_positions import key_positions


def test_positions_of_keys_and_tables() -> None:
    text = '# a comment with [brackets]\na = "x # y"\n  b.c = [1,\n  2]\n[t."q.r"]\n\'lit\' = """\nz = 1\n"""\n[[many]]\nk = {m = 1}\n'
    assert key_positions(text) == {
        ("a",): (2, 1),
        ("b",): (3, 3),
        ("b", "c"): (3, 3),
        ("t",): (5, 1),
        ("t", "q.r"): (5, 1),
        ("t", "q.r", "lit"): (6, 1),
        ("many",): (9, 1),
        ("many", "k"): (10, 1),
    }


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_a_document_without_keys(text: str) -> None:
    assert key_positions(text) == {}


NAMES = st.text("abz_-19", min_size=1, max_size=6)
VALUES = st.sampled_from(
    [
        "1",
        "-2.5e3",
        '"x = [y]"',
        "'#'",
        "[1, [2, 3]]",
        "[\n  '=',\n]",
        "{m = 1, n = 'o'}",
        "true",
        '"""\nk = 1\n"""',
        "1979-05-27 07:32:00",
    ]
)


def paths(table: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        yield (*above, key)
        if isinstance(value, dict) and not above:
            yield from paths(value, (key,))


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=4), max_size=4))
def test_every_key_has_a_position_in_its_line(tables: dict[str, dict[str, str]]) -> None:
    text = "".join(
        f"[{name}]  # table\n" + "".join(f" {key} = {value} # {{\n" for key, value in own.items())
        for name, own in tables.items()
    )
    found, lines = key_positions(text), text.split("\n")
    assert {*paths(tomllib.loads(text))} - {
        (name, key, m) for name in tables for key in tables[name] for m in "mn"
    } == {*found}
    for path, (line, column) in found.items():
        assert lines[line - 1][column - 1 :].startswith(f"[{path[0]}]" if len(path) == 1 else f"{path[-1]} =")
