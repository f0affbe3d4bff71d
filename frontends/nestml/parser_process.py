"""Program that parses a NESTML model with the parser of NESTML, and writes the tree of rules as JSON. It runs in a process of its own.

    python parser_process.py SECONDS BYTES DEPTH < model.nestml > tree.json

It imports nothing of nopt. Only the lexer and the grammar of the package `nestml` (GPL-2.0-or-later) are used: no part of it that
evaluates expressions or generates code. A rule is [rule, line, column, [parts]], a token [TOKEN, line, column, text].
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

MISSING = 3
"""Exit code if the package is missing."""
LAYOUT = ("NEWLINE", "INDENT", "DEDENT", "EOF")
"""Tokens that the tree does not need."""


def main() -> int:
    seconds, size, depth = map(int, sys.argv[1:4])
    limit(seconds, size)
    try:
        antlr: Any = import_module("antlr4")
        listeners: Any = import_module("antlr4.error.ErrorListener")
        lexers: Any = import_module("pynestml.generated.PyNestMLLexer")
        parsers: Any = import_module("pynestml.generated.PyNestMLParser")
    except ImportError:
        return MISSING
    errors: list[dict[str, Any]] = []

    def collect(self: Any, recognizer: Any, symbol: Any, line: int, column: int, message: str, cause: Any) -> None:
        errors.append({"line": line, "column": column + 1, "message": message})

    listener: Any = type("Listener", (listeners.ErrorListener,), {"syntaxError": collect})()
    lexer: Any = lexers.PyNestMLLexer(antlr.InputStream(sys.stdin.buffer.read().decode("utf-8")))
    lexer.removeErrorListeners()
    lexer.addErrorListener(listener)
    parser: Any = parsers.PyNestMLParser(antlr.CommonTokenStream(lexer))
    parser.removeErrorListeners()
    parser.addErrorListener(listener)
    tree = parser.nestMLCompilationUnit()
    found = {"errors": errors[:20], "tree": None if errors else part(tree, parser, depth)}
    json.dump(found, sys.stdout)
    return 0


def limit(seconds: int, size: int) -> None:
    """Limits the time and the memory of this process, where the system can."""
    try:
        import resource
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, size),
    ):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def part(node: Any, parser: Any, depth: int) -> list[Any]:
    """Returns a rule or a token as a list. Raises RecursionError if rules are nested more deeply than `depth`."""
    if not depth:
        raise RecursionError
    if hasattr(node, "symbol"):
        token = node.symbol
        return [parser.symbolicNames[token.type] if token.type > 0 else "EOF", token.line, token.column + 1, token.text]
    parts = [part(child, parser, depth - 1) for child in node.children or ()]
    kept = [one for one in parts if one[0] not in LAYOUT]
    return [parser.ruleNames[node.getRuleIndex()], node.start.line, node.start.column + 1, kept]


if __name__ == "__main__":
    sys.exit(main())
