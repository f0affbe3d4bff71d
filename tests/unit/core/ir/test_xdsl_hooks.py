"""Private parts of xDSL that `core/ir` overrides or calls, because xDSL has no public hook for them."""

from __future__ import annotations

import hashlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import xdsl
from xdsl.parser import Parser
from xdsl.utils.mlir_lexer import MLIRLexer

import nopt.core.ir

ROOM = Path(nopt.core.ir.__file__).parent
HOOKS: dict[str, tuple[Any, *tuple[str, ...]]] = {
    "_parse_dense_literal_type": (Parser._parse_dense_literal_type, "b1542ff9dec5f63e"),
    "_parse_dialect_resource_handle": (
        Parser._parse_dialect_resource_handle,
        "a5a59a1c22d81347",
        "3e7432dbee1bb31f",
    ),
    "_parse_resource": (Parser._parse_resource, "aa26161dd5193131"),
    "_parse_token": (Parser._parse_token, "32826c4bbb0ace9a"),
    "_parser_state": (Parser.__init__, "a9c4b4bd3216d4f4"),
    "_unescaped_characters_regex": (
        MLIRLexer._unescaped_characters_regex.pattern,
        r'"(?:[^"\\\n\v\f]+|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*"',
    ),
}
"""Each private name with its definitions in xDSL 0.74 and 0.75: the text of a pattern, or the start of the SHA-256 of a method's source."""


@pytest.mark.parametrize("name", HOOKS)
def test_private_parts_of_xdsl_are_as_known(name: str) -> None:
    made, *known = HOOKS[name]
    found = made if isinstance(made, str) else hashlib.sha256(inspect.getsource(made).encode()).hexdigest()[:16]
    assert found in known, (
        f"xDSL {xdsl.__version__} defines {name} differently from 0.74 and 0.75. Compare its new definition with core/ir/lexer.py and "
        f"core/ir/source.py, adapt them, and store {found!r} here."
    )


def test_no_other_private_parts_are_used() -> None:
    """`core/ir` uses no private name of xDSL that is missing from the table."""
    known = {name for kind in (Parser, MLIRLexer) for base in kind.__mro__ for name in vars(base)}
    known |= {"_parser_state", "_current_token"}
    used = {name for file in ROOM.glob("*.py") for name in re.findall(r"\b_[a-z]\w*", file.read_text())}
    assert {name for name in used & known if not name.startswith("__")} == set(HOOKS)
