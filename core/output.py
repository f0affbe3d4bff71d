"""Escaping of text and JSON output: names and values of the user's files cannot control a terminal, and JSON is valid.

A name in a file can contain terminal escape sequences, and marks that reverse the direction of text and so disguise it. Each such
character is written as an escape, `\\x1b` or `\\u202e`. JSON has neither infinity nor NaN; they become null.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters except line feed and tab, direction marks, line separators, and surrogates, which no encoding can write."""
FORMULA = ("=", "+", "-", "@")
"""First letters of a formula of a spreadsheet."""
LAYOUT = {"\n": "\\n", "\t": "\\t"}


def escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def printable(text: str) -> str:
    """Returns the text with an escape for each character that controls a terminal.

    printable("lif\\x1b[31m") == "lif\\\\x1b[31m"
    """
    return CONTROL.sub(escape, text)


def printable_line(text: str) -> str:
    """Returns the text as `printable` does, in one line without tabs, for an entry of a table."""
    return printable("".join(LAYOUT.get(c, c) for c in text))


def csv_text(text: str) -> str:
    """Returns a text for a table of CSV: printable, and with an apostrophe if a spreadsheet would compute it as a formula.

    csv_text("=a1[0]") == "'=a1[0]", and csv_text("lif[0]") == "lif[0]"
    """
    line = printable_line(text)
    return f"'{line}" if line.startswith(FORMULA) else line


def shortened(text: str, most: int = 60) -> str:
    """Truncates a text to a maximum length; a truncated text ends with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def json_text(record: Any) -> str:
    """Returns a record as a JSON document; infinity and NaN become null."""
    return json.dumps(finite(record), indent=2, allow_nan=False)


def finite(value: Any) -> Any:
    """Returns a record with null for every infinity and NaN in it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(entry) for key, entry in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [finite(entry) for entry in cast("Sequence[Any]", value)]
    return value
