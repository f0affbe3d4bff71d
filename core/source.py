"""Text and places: a parser that gives every op its `file:line:col`, a verifier that reports every refusal with its place,
and the printer."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.parser import Parser, ParserState
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input

from .arrays import ArrayAttr
from .diagnostics import Code, Finding, InvalidOp, Refused, described
from .lexer import Utf8Lexer

SRC001 = Code(
    "SRC001",
    "the text is not valid IR",
    cause="The file is read as MLIR text and does not follow its grammar, names an unknown op or value, or ends too early.",
    remedy="Look at the place that the message names; `nopt FILE.nir` prints what valid IR looks like.",
)
SRC002 = Code(
    "SRC002",
    "an op does not satisfy its definition",
    cause="An op has other operands, results, regions or properties than its definition asks for.",
    remedy="`nopt passes` and the dialect pages of the documentation list what each op takes.",
)
SRC003 = Code(
    "SRC003",
    "the file is not text",
    cause="Textual IR is UTF-8. The bytes of this file are not.",
    remedy="Name a `.nir` file as it is, or a text file with IR.",
)

NOTHING = re.compile(r"(?:\s|//[^\n]*)*+")
"""A text with nothing but comments."""


class SourceParser(Parser):
    """Gives every op its place in the file, and a place to the refusals that arise while an op is still being parsed."""

    def __init__(self, ctx: Context, text: str, name: str, line_offset: int = 0):
        super().__init__(ctx, text, name)
        self._parser_state = ParserState(Utf8Lexer(Input(text, name)))
        self._name, self._offset = StringAttr(name), line_offset
        self._newlines = [m.start() for m in re.finditer("\n", text)]  # Span.get_location is O(file) per call

    def place(self, pos: int) -> LocationAttr:
        line = bisect_left(self._newlines, pos)
        start = self._newlines[line - 1] + 1 if line else 0
        return FileLineColLoc(self._name, IntAttr(line + 1 + self._offset), IntAttr(pos - start + 1))

    def parse_operation(self) -> Operation:
        start = self.pos
        try:
            op = super().parse_operation()
        except InvalidOp as refusal:
            raise Refused(refusal.finding.located(place=place_text(self.place(start)))) from None
        except VerifyException as refusal:
            self.raise_error(str(refusal), start, start + 1)
        if isinstance(op.location, UnknownLoc):
            op.location = self.place(start)
        return op


def decoded(data: bytes, name: str) -> str:
    """The text of a file, its line ends as they are.

    Errors: SRC003 the bytes are not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as refusal:
        raise Refused(
            Finding(
                SRC003,
                "the file is not text, nor a format that nopt reads",
                file=name,
                expected="textual IR in UTF-8, or a `.nir` file",
                found=f"byte 0x{data[refusal.start]:02x} at offset {refusal.start}",
                help="name a .nir file as the exporting framework wrote it, or a text file with IR",
            )
        ) from None


def place_text(location: LocationAttr) -> str | None:
    """`file:line:col`, the file alone where there is no line, or None."""
    if not isinstance(location, FileLineColLoc):
        return None
    file, line = location.filename.data, location.line.data
    return f"{file}:{line}:{location.column.data}" if line else file


def parse(ctx: Context, text: str, name: str = "<text>", line_offset: int = 0) -> ModuleOp:
    """Parses textual IR and checks that every array that it names is there; it does not verify. No op at all is an empty module.

    Errors: SRC001 not valid IR; ARR001, ARR002 arrays that are missing or changed.
    """
    if NOTHING.fullmatch(text):
        return ModuleOp([])
    parser = SourceParser(ctx, text, name, line_offset)
    try:
        module = parser.parse_module()
    except ParseError as refusal:
        at = refusal.span.get_location()
        place = f"{name}:{at.line + line_offset}:{at.col}"
        if isinstance(refusal.__context__, Refused):  # of the bytes of an array; xDSL would make one line of it
            raise Refused(*(finding.located(place=place) for finding in refusal.__context__.findings)) from None
        message = refusal.msg.strip().replace("\n", " ")
        raise Refused(Finding(SRC001, message or "this cannot be parsed", place=place, at=quoted(refusal))) from None
    except RecursionError:
        raise Refused(
            Finding(SRC001, "the nesting is too deep", place=name, expected="at most some hundred levels")
        ) from None
    for op in module.walk():
        for attribute in (*op.properties.values(), *op.attributes.values()):
            if isinstance(attribute, ArrayAttr) and attribute.data.is_missing:
                try:
                    _ = attribute.values
                except Refused as refusal:
                    found = [f.located(*described(op), place=place_text(op.location)) for f in refusal.findings]
                    raise Refused(*found) from None
    return module


def quoted(refusal: ParseError) -> str:
    """The line of the text that an error is about, with a caret below it."""
    span = refusal.span
    text = str(span.input.content)
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    line = text[start : end if end >= 0 else len(text)]
    column = span.start - start
    if column > 100:
        start, line, column = 0, "…" + line[column - 40 :], 41
    return f"{line[:160]}\n{' ' * column}^"


def verify(module: ModuleOp) -> Iterator[Finding]:
    """Every refusal of every verifier of the module, not only the first, each with its place."""
    for op in module.walk():
        try:
            op.verify(verify_nested_ops=False)
            if not op.has_trait(NoTerminator) and any(
                block.is_empty for region in op.regions for block in region.blocks
            ):
                raise VerifyException(f"'{op.name}' has an empty block, expected a terminator")
        except InvalidOp as refusal:
            yield refusal.finding.located(*described(op), place=place_text(op.location))
        except VerifyException as refusal:
            message, *rest = str(refusal).split("\n")
            at, node = described(op)
            yield Finding(
                SRC002,
                message.rstrip(":"),
                at=at,
                node=node,
                place=place_text(op.location),
                notes=[line for line in rest if line.strip()],
            )


def check(module: ModuleOp) -> None:
    """Refuses a module that does not verify, with everything that is wrong with it."""
    if found := list(verify(module)):
        raise Refused(*found)


def text(ctx: Context, module: ModuleOp, is_generic: bool = False, has_places: bool = False) -> str:
    """The module as text that parses to the same module, its large arrays at the end."""
    if all(dialect.name != "nopt" for dialect in ctx.loaded_dialects):
        ctx.load_registered_dialect("nopt")  # it writes the arrays of a module that no parser has met
    stream = StringIO()
    printer = Printer(stream, print_generic_format=is_generic, print_debuginfo=has_places)
    printer.print_op(module)
    printer.print_metadata(ctx.loaded_dialects)
    return stream.getvalue().rstrip("\n") + "\n"
