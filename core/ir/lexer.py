"""Lexer for non-ASCII and long string literals, in the form that the printer writes.

xDSL prints `"é"` as `"\\C3\\A9"`, and reads an escaped string that is not ASCII as bytes, so node names in other scripts would
not round-trip. This lexer reads it as a string if it is valid UTF-8. The bytes of arrays are strings of many million digits, which
xDSL copies several times in search of escapes; this lexer uses one search.
"""

from __future__ import annotations

import re

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position, Span, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

BLOB = re.compile(r'"0x[0-9a-fA-F]{1024,}"')
"""Pattern of the bytes of a large array."""
LONGEST = 1000
"""Most characters of a number or a shape: the time of Python for a number, and of xDSL for a shape, is quadratic."""
NUMBERS = re.compile(r"[%^#!]?\d[\d.eE+-]*+|0x[0-9a-fA-F]*+|[su]?i\d++|x\d[\dx]*+\w*+")


class Utf8Lexer(MLIRLexer):
    """Variant of xDSL's lexer that reads escaped UTF-8 as a string and needs at most linear time."""

    # As in xDSL, but an unclosed string fails immediately instead of after exponential backtracking.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')
    _whitespace_regex = re.compile(r"(?://[^\n]*+|\s++)*+", re.ASCII)

    def _form_token(self, kind: MLIRTokenKind, start_pos: Position) -> MLIRToken:
        token = super()._form_token(kind, start_pos)
        if token.span.len > LONGEST and NUMBERS.fullmatch(token.text):
            raise ParseError(token.span, f"a number or a shape has more than {LONGEST} characters")
        return token

    def _lex_string_literal(self, start_pos: Position) -> MLIRToken:
        if blob := BLOB.match(self.input.content, start_pos):
            self.pos = blob.end()
            return Token(MLIRTokenKind.STRING_LIT, Span(start_pos, self.pos, self.input))
        token = super()._lex_string_literal(start_pos)
        if token.kind is not MLIRTokenKind.BYTES_LIT:
            return token
        literal = StringLiteral(token.span.start, token.span.end, token.span.input)
        try:
            literal.bytes_contents.decode()
        except UnicodeDecodeError:
            return token
        return Token(MLIRTokenKind.STRING_LIT, literal)
