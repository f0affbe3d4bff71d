"""Records of a parse tree: comments, declarations and their types, for every language of equations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ..diagnostics import Diagnostics
from ..expressions.places import finding_at, place_of
from ..expressions.reader import build_expression
from .declarations import NEU004
from .tree import Bounds, Comments, Declaration, Declared

if TYPE_CHECKING:
    from lark import Token

DECLARED_PARTS = {
    "param": ("name", "unit", "declared", "value"),
    "state": ("name", "declared", "value"),
}
"""The children of the grammar's rules for declarations."""


class EquationReader:
    """Conversion of the parser's tree into records: comments, declarations and statements that every language has."""

    DECLARED_PARTS: ClassVar[Mapping[str, tuple[str, ...]]] = DECLARED_PARTS

    def __init__(self, source: str, lines: list[str]):
        self.source = source
        self.lines = lines
        self.found = Diagnostics()
        self.starts: list[int] = []
        self.head = 0

    def once(self, what: str, tokens: Iterable[Token], seen: set[str] | None = None) -> None:
        """Reports tokens that occur twice or are in `seen`; with `{""}`, every token is reported."""
        names = set[str]() if seen is None else seen
        for token in tokens:
            if token in names or "" in names:
                message = f"a file can have only one {what}" if "" in names else f"{what} {token} occurs twice"
                self.found.add(
                    finding_at(NEU004, message, self.source, self.lines, place_of(token), help="remove one of them")
                )
            names.add(token)

    # comments

    def starting(self, blocks: list[Any]) -> Iterator[int]:
        """Yields the first line of each statement."""
        for block in blocks:
            yield block.meta.line
            if block.data == "preset":
                yield from (key.line for key in block.children[1::2])
            else:
                yield from (item.meta.line for item in block.children if getattr(item, "data", None) is not None)

    def heading(self, start: int) -> int:
        """Returns the number of lines in the comment of the file: all above the first statement, except the last of several blocks."""
        block = start
        while block and self.lines[block - 1].strip():
            block -= 1
        return block if any(line.strip() for line in self.lines[:block]) else start

    def end(self, k: int) -> int:
        """Returns the last line of the statement with index `k`, apart from trailing comments."""
        start = self.starts[k]
        after = self.starts[k + 1] if k + 1 < len(self.starts) else len(self.lines) + 1
        return max(n for n in range(start, after) if n == start or self.lines[n - 1].partition("#")[0].strip())

    def comments(self, line: int) -> Comments:
        k = self.starts.index(line)
        before = range(self.end(k - 1) if k else self.head, line - 1)
        above = [text for n in before if (text := self.lines[n].strip())]
        held = [(self.lines[n - 1].partition("#"), n) for n in range(line, self.end(k) + 1)]
        beside = "  ".join(f"#{comment.rstrip()}" for (_, mark, comment), _ in held if mark)
        return Comments(tuple(above), beside)

    # declarations

    def named(self, block: Any) -> dict[str, Any]:
        """Returns what every block with a name has: comments, place, source and lines."""
        place, comments = place_of(block.children[0]), self.comments(block.meta.line)
        return {"comments": comments, "place": place, "source": self.source, "lines": tuple(self.lines)}

    def declaration(self, node: Any) -> Declaration:
        given = dict(zip(self.DECLARED_PARTS[node.data], node.children, strict=True))
        value, unit, into = (given.get(part) for part in ("value", "unit", "into"))
        return Declaration(
            str(given["name"]),
            None if value is None else build_expression(value),
            self.declared(given.get("declared")),
            None if unit is None else str(unit),
            None if into is None else str(into),
            place_of(given["name"]),
        )

    def declared(self, node: Any) -> Declared | None:
        if node is None:
            return None
        if node.data == "bounds":
            return Declared(bounds=self.bounds(node), place=place_of(node))
        type, mode, bounds = node.children
        return Declared(
            str(type),
            "" if mode is None else str(mode),
            None if bounds is None else self.bounds(bounds),
            place_of(type),
        )

    def bounds(self, node: Any) -> Bounds:
        return Bounds(*map(str, node.children))
