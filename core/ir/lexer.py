"""Strings in any script, and long ones: the lexer that reads back what the printer writes for them.

xDSL prints `"é"` as `"\\C3\\A9"`, and takes an escaped string that is not ASCII for bytes, so node names in other scripts would
not come back. Here it is a string wherever it is UTF-8. The bytes of arrays are strings of many million digits, which xDSL
copies several times to look for what they cannot hold; here they are found by one search.
"""

from __future__ import annotations

import re

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position, Span, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

BLOB = re.compile(r'"0x[0-9a-fA-F]{1024,}"')
"""The bytes of a large array."""
LONGEST = 1000
"""Most characters of a number or a shape: the time that Python takes for a number, and xDSL for a shape, grows with their square."""
NUMBERS = re.compile(r"[%^#!]?\d[\d.eE+-]*+|0x[0-9a-fA-F]*+|[su]?i\d++|x\d[\dx]*+\w*+")


class Utf8Lexer(MLIRLexer):
    """xDSL's lexer, except that escaped UTF-8 is a string and not bytes, and that no text makes it take more than linear time."""

    # As in xDSL, but a string that is never closed is given up at once, and not after trying all ways to cut it into pieces.
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
