"""Lexer for non-ASCII and long string literals, in the form that the printer writes.

xDSL prints `"é"` as `"\\C3\\A9"`, and reads an escaped string that is not ASCII as bytes, so node names in other scripts would
not round-trip. This lexer reads it as a string if it is valid UTF-8. The bytes of arrays are strings of many million digits, which
xDSL copies several times in search of escapes; this lexer uses one search.
"""

from __future__ import annotations

import re

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

SPACE = re.compile(r"(?://[^\n]*+|\s++)*+", re.ASCII)
BLOB = re.compile(r'"0x[0-9a-fA-F]{1024,}"')
"""Pattern of the bytes of a large array."""
LONGEST_NUMBER = 1000
"""Maximum length of a number or a shape, because the time is quadratic: of Python for a number, of xDSL for a shape."""
NUMBERS = re.compile(r"[%^#!]?\d[\d.eE+-]*+|0x[0-9a-fA-F]*+|[su]?i\d++|x\d[\dx]*+\w*+")
SHORT_TOKEN = re.compile(
    r"""(?P<BARE_IDENT>[a-zA-Z_][a-zA-Z0-9_$.]{0,99}+(?![a-zA-Z0-9_$.]))
    |(?P<PERCENT_IDENT>%(?:[0-9]{1,99}+(?![0-9])|[a-zA-Z$._-][a-zA-Z0-9$._-]{0,99}+(?![a-zA-Z0-9$._-])))
    |(?P<STRING_LIT>"[^"\\\n\v\f]{0,999}+")
    |(?P<INTEGER_LIT>(?!0x)[0-9]{1,99}+(?![0-9.]))
    |(?P<FLOAT_LIT>[0-9]{1,99}+\.[0-9]{0,99}+(?:[eE][+-]?[0-9]{1,99}+)?(?![0-9eE]))
    |(?P<L_BRACE>\{(?!-))
    |(?P<ARROW>->)""",
    re.VERBOSE,
)
"""Pattern of frequent tokens, as xDSL's lexer reads them. Each group has the name of the kind."""
SHORT_KINDS = {name: MLIRTokenKind[name] for name in SHORT_TOKEN.groupindex}
MARKS = {
    ":": MLIRTokenKind.COLON,
    ",": MLIRTokenKind.COMMA,
    "(": MLIRTokenKind.L_PAREN,
    ")": MLIRTokenKind.R_PAREN,
    "}": MLIRTokenKind.R_BRACE,
    "[": MLIRTokenKind.L_SQUARE,
    "]": MLIRTokenKind.R_SQUARE,
    "<": MLIRTokenKind.LESS,
    ">": MLIRTokenKind.GREATER,
    "=": MLIRTokenKind.EQUAL,
}
"""Tokens of one character that are not a prefix of a longer token. Together with the short tokens they make up nearly all of a text."""
BLOCKS = 1000
"""Maximum number of block labels in a text, because xDSL's time is quadratic in it. Networks of nopt's dialects have no labels."""


class Utf8Lexer(MLIRLexer):
    """Variant of xDSL's lexer that reads escaped UTF-8 as a string and needs at most linear time."""

    # As in xDSL, but an unclosed string fails immediately instead of after exponential backtracking.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')
    labels = 0

    def lex(self) -> MLIRToken:
        content = str(self.input.content)
        start = self.pos = space.end() if (space := SPACE.match(content, self.pos)) else self.pos
        if (mark := MARKS.get(content[start : start + 1])) is not None:
            self.pos = start + 1
            return Token(mark, Span(start, self.pos, self.input))
        if found := SHORT_TOKEN.match(content, start):
            self.pos = found.end()
            return Token(SHORT_KINDS[found.lastgroup or ""], Span(start, self.pos, self.input))
        if found := BLOB.match(content, start):
            self.pos = found.end()
            return Token(MLIRTokenKind.STRING_LIT, Span(start, self.pos, self.input))
        token = super().lex()
        if token.kind is MLIRTokenKind.BYTES_LIT:
            try:
                StringLiteral(start, self.pos, self.input).bytes_contents.decode()
            except UnicodeDecodeError:
                return token
            return Token(MLIRTokenKind.STRING_LIT, token.span)
        if token.span.len > LONGEST_NUMBER and NUMBERS.fullmatch(token.text):
            raise ParseError(token.span, f"a number or a shape has more than {LONGEST_NUMBER} characters")
        self.labels += token.kind is MLIRTokenKind.CARET_IDENT
        if self.labels > BLOCKS:
            raise ParseError(token.span, f"more than {BLOCKS} blocks")
        return token
