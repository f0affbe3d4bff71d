"""Tokens of nopt's lexer, compared with those of xDSL's."""

from __future__ import annotations

import random
from typing import Any

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from nopt.core.ir.lexer import Utf8Lexer

PARTS = [
    *'ab0x1e.E+-%"{}#@!^$_ \n/7f:,<>()=',
    "->",
    "0x1",
    "1.5e-3",
    "%a",
    '"b c"',
    "// d\n",
    "i32",
    "1" * 99,
    "1" * 100,
]
LONG = ["a" * 101, "%" + "a" * 102, '"' + "a" * 1001 + '"', "1." + "0" * 101, "1.5e" + "1" * 101]


class PlainLexer(MLIRLexer):
    """Variant of xDSL's lexer that does not need exponential time for an unclosed string."""

    _unescaped_characters_regex = Utf8Lexer._unescaped_characters_regex


def tokens(lexer: Any) -> list[Any]:
    """Returns the kind and the place of each token, or the error at the end."""
    found: list[Any] = []
    try:
        while not found or found[-1][0] is not MLIRTokenKind.EOF:
            token = lexer.lex()
            found.append((token.kind, token.span.start, token.span.end))
    except ParseError as error:
        found.append(str(error))
    return found


def test_tokens_are_those_of_xdsl() -> None:
    choice = random.Random(0)
    texts = ["".join(choice.choices(PARTS, k=choice.randrange(1, 14))) for _ in range(5000)]
    for text in [*texts, *LONG]:
        assert tokens(Utf8Lexer(Input(text, "x"))) == tokens(PlainLexer(Input(text, "x"))), text
