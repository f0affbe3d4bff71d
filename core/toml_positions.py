"""Positions of keys in a TOML document, which `tomllib` does not report.

The document is valid: `tomllib` has read it. So the scanner only separates keys, values, strings and comments.
Source: TOML 1.0.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Position = tuple[int, int]
"""Line and column, from 1."""
Path = tuple[str, ...]

STRING = r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
TOKEN = re.compile(
    rf"(?P<string>{STRING})|(?P<comment>#[^\n]*)|(?P<space>[ \t\r]+)|(?P<bare>[^\s\"'#\[\]{{}}=,.]+)|(?P<sign>[\n\[\]{{}}=,.])",
    re.DOTALL,
)


def key_positions(text: str) -> dict[Path, Position]:
    """Returns the first position of each key and table, by its path; a key in an inline table has the position of the table."""
    found: dict[Path, Position] = {}
    table: Path = ()
    for start, tokens in statements(text):
        position = (text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))
        is_table = tokens[0] == "["
        path = tuple(part for part in map(key_of, tokens) if part is not None)
        table, path = (path, path) if is_table else (table, (*table, *path))
        for length in range(1, len(path) + 1):
            found.setdefault(path[:length], position)
    return found


def key_of(token: str) -> str | None:
    """Returns the part of a key that a token spells; None for a punctuation mark."""
    if token in ("[", "]", "."):
        return None
    if token[0] == '"':
        import tomllib

        return next(iter(tomllib.loads(f"{token} = 0")))
    return token[1:-1] if token[0] == "'" else token


def statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the start and the tokens of the key of each statement, a pair or the head of a table."""
    depth, start = 0, 0
    key: list[str] = []
    is_value = False
    for token in TOKEN.finditer(text):
        word = token[0]
        if token.lastgroup in ("space", "comment"):
            continue
        if word == "\n":
            if depth == 0:
                if key:
                    yield start, key
                key, is_value = list[str](), False
            continue
        if is_value:
            depth += (word in ("[", "{")) - (word in ("]", "}"))
        elif word == "=":
            is_value = True
        else:
            start = start if key else token.start()
            key = [*key, word]
    if key:
        yield start, key
