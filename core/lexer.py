"""Strings in any script: the lexer that reads back what the printer writes for them.

xDSL prints `"é"` as `"\\C3\\A9"`, and takes an escaped string that is not ASCII for bytes, so node names in other scripts would
not come back. Here it is a string wherever it is UTF-8.
"""

from __future__ import annotations

from xdsl.utils.lexer import Position, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral


class Utf8Lexer(MLIRLexer):
    """xDSL's lexer, except that escaped UTF-8 is a string and not bytes."""

    def _lex_string_literal(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_string_literal(start_pos)
        if token.kind is not MLIRTokenKind.BYTES_LIT:
            return token
        literal = StringLiteral(token.span.start, token.span.end, token.span.input)
        try:
            literal.bytes_contents.decode()
        except UnicodeDecodeError:
            return token
        return Token(MLIRTokenKind.STRING_LIT, literal)
