"""Textual IR: a parser that stores `file:line:col` on every op, a verifier that reports every refusal with its place, and the printer."""

from __future__ import annotations

import math
import re
import traceback
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    RankedStructure,
    ShapedType,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue
from xdsl.parser import Parser, ParserState
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .. import plugins
from ..arrays import files as array_files
from ..arrays.arrays import ArrayAttr, ArrayResources, hexadecimal
from ..arrays.values import Array, RuleArray
from ..device.device_attr import DEVICE
from ..diagnostics import Code, Finding, InvalidOp, Refused
from ..locations import fill_arguments
from .aliases import Aliases
from .contents import OpContents, VerifiesByContents, has_verified, keep_verified, op_contents
from .copies import copy_op
from .lexer import Utf8Lexer
from .location_parts import file_location, node_location
from .operation import VerifiesLast
from .source_printer import OpTexts, SourcePrinter
from .stamps import UNCHANGED, are_same, keep_stamps, stamps_of, unchanged_ops, verified_stamps

COR024 = Code("COR024", "ir-text-invalid", "the text is not valid IR")
COR025 = Code("COR025", "op-invalid", "an op does not satisfy its definition")
COR026 = Code("COR026", "file-not-text", "the file is not text")

COR027 = Code("COR027", "xdsl-fails-at-ir", "xDSL fails at this IR")

setattr(Operation, "clone", copy_op)  # noqa: B010 (the type checker refuses an assignment of methods)

FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError)
"""Exceptions of xDSL on unexpected input; in nopt's code each of them is a defect."""
SPLAT = 1 << 22
"""Maximum number of elements of splat `dense<…>` attributes in a text, because xDSL stores each element."""

MOST_ELEMENTS = 2**62
"""Maximum number of elements of a tensor, because flat indices are 64-bit integers."""

TOO_DEEP = Finding(COR024, "the nesting is too deep", expected="at most some hundred levels")
OURS = __name__.partition(".")[0]

DENSE = re.compile(r"dense<(.*)> : (\S+) should be of base attribute nopt\.array", re.DOTALL)
SHOWN_DENSE = 80
"""Maximum number of characters of an array in a message."""
NOTHING = re.compile(r"(?:\s|//[^\n]*)*+")
"""Text that contains only comments."""


class SourceParser(Parser):
    """Parser that stores the place of every op, and adds a place to refusals during parsing."""

    def __init__(self, ctx: Context, text: str, name: str, line_offset: int = 0):
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(Utf8Lexer(Input(text, name)))
        self.attribute_aliases = Aliases(self.raise_error)
        self._length = len(text)
        self._elements = 0
        self._resources: dict[tuple[str, str], str] = {}
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
            raise Refused(refusal.finding.with_location(self.place(start))) from None
        except VerifyException as refusal:
            if (dense := DENSE.search(str(refusal))) is not None:
                raise Refused(dense_array(dense).with_location(self.place(start))) from None
            self.raise_error(str(refusal), start, start + 1)
        if isinstance(op.location, UnknownLoc):
            node, place = op.properties.get("node"), self.place(start)
            op.location = node_location(node.data, place) if isinstance(node, StringAttr) else place
        fill_arguments(op, {})
        return op

    def _parse_dense_literal_type(self) -> RankedStructure[Any]:
        type = super()._parse_dense_literal_type()
        self._elements += math.prod(type.get_shape())
        if self._elements > max(SPLAT, self._length):  # other forms have at least one character per element
            self.raise_error(f"more than {SPLAT} elements that are written as one")
        return type

    def _parse_dialect_resource_handle(self, dialect_name: str, interface: OpAsmDialectInterface) -> str:
        """Parses a key as xDSL does, but equal keys of a text always mean the same resource, even if xDSL renames the first occurrence."""
        key = dialect_name, self.parse_identifier(context_msg=" for resource handle")
        if key not in self._resources:
            self._resources[key] = interface.declare_resource(key[1])
        return self._resources[key]

    def _parse_resource(self, dialect_name: str, interface: OpAsmDialectInterface) -> None:
        """Parses a resource as xDSL does, without a search for escapes in the digits of arrays."""
        if not isinstance(interface, ArrayResources):
            return super()._parse_resource(dialect_name, interface)
        key = self._parse_dialect_resource_handle(dialect_name, interface)
        self.parse_punctuation(":")
        start = self.pos
        token = self._parse_token(MLIRTokenKind.STRING_LIT, "expected the bytes of an array as a string")
        content, first = token.span.input.content, token.span.start + 1
        first += 2 * content.startswith("0x", first)  # removing it would cost another copy
        try:
            interface.parse_resource(key, content[first : token.span.end - 1])
        except Refused as refusal:
            place = self.place(start)
            raise Refused(*(finding.with_location(place) for finding in refusal.findings)) from None


def dense_array(found: re.Match[str]) -> Finding:
    """Returns the finding for numbers in MLIR's `dense<…>`, with the form to write."""
    elements, type = found.groups()
    if not elements.startswith("["):  # one value for all elements
        elements = f"constant(value = {elements})"
    shown = elements if len(elements) <= SHOWN_DENSE else f"{elements[:SHOWN_DENSE]}…"
    return Finding(
        COR024,
        "numbers of a network are written as #nopt.array",
        expected="#nopt.array<ELEMENTS : TYPE>",
        found=f"dense<…> : {type}",
        help=f"#nopt.array<{shown} : {type}> in its place",
    )


def decode_text(data: bytes, name: str) -> str:
    """Returns the text of a file with unchanged line ends.

    Errors: COR026 the bytes are not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as refusal:
        raise Refused(
            Finding(
                COR026,
                "the file is not text, nor a format that nopt reads",
                file=name,
                expected="textual IR in UTF-8, or a `.nir` file",
                found=f"byte 0x{data[refusal.start]:02x} at offset {refusal.start}",
                help="pass a .nir file as the exporting framework wrote it, or a text file with IR",
            )
        ) from None


def parse_module(
    ctx: Context, text: str, name: str = "<text>", line_offset: int = 0, arrays: Path | None = None
) -> ModuleOp:
    """Parses textual IR and checks that the arrays that it refers to exist; it does not verify. A text without ops is an empty module.

    Arrays without bytes in the text are located in the folder `arrays`, and opened at the first read.

    Errors: COR024 not valid IR, or beyond a limit; COR027 xDSL fails at it; COR001, COR002, COR003 arrays that are missing or changed.
    """
    if NOTHING.fullmatch(text):
        return ModuleOp([])
    parser: SourceParser | None = None
    try:
        parser = SourceParser(ctx, text, name, line_offset)
        module = parser.parse_module()
        if isinstance(module.location, UnknownLoc):  # no module is written around the ops
            module.location = parser.place(0)
    except ParseError as refusal:
        at = refusal.span.get_location()
        place = f"{name}:{at.line + line_offset}:{at.col}"
        message = refusal.msg.strip().replace("\n", " ")
        raise Refused(
            Finding(COR024, message or "this cannot be parsed", file=name, place=place, at=quote_line(refusal))
        ) from None
    except VerifyException as refusal:  # of an attribute outside of ops
        assert parser is not None
        found = refusal.finding if isinstance(refusal, InvalidOp) else Finding(COR024, str(refusal).replace("\n", " "))
        raise Refused(found.with_location(parser.place(parser.pos))) from None
    except RecursionError:
        raise Refused(TOO_DEEP.located(file=name)) from None
    except FAILURES as failure:
        place = file_location(name) if parser is None else parser.place(parser.pos)
        raise Refused(failure_finding("read", failure).with_location(place)) from None
    for op in module.walk():
        read_device(op)
        for array in named_arrays((*op.properties.values(), *op.attributes.values())):
            if not array.is_loaded:
                try:
                    if arrays is not None:
                        array.link(array_files.find_array(arrays, array.digest))
                    elif array.is_missing:
                        _ = array.values
                except Refused as refusal:
                    raise Refused(*(finding.about(op) for finding in refusal.findings)) from None
    return module


def read_device(op: Operation) -> None:
    """Replaces the name of a device by its record, and reads a record that the text carries. Errors: those of reading a device."""
    if DEVICE in op.attributes:
        from ..device.named_device import device_named

        try:
            device_named(op)
        except Refused as refusal:
            raise Refused(*(one.with_location(op.location) for one in refusal.findings)) from None


def failure_finding(what: str, failure: Exception) -> Finding:
    """Returns the finding for a Python exception in xDSL. An exception in the code of nopt or of a plug-in is raised again."""
    frames = (frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(failure.__traceback__))
    known = {"xdsl", OURS, *(plugin.module.partition(".")[0] for plugin in plugins.all())}
    rooms = [room for name in frames if (room := name.partition(".")[0]) in known]
    if rooms[-1:] != ["xdsl"]:
        raise failure
    return Finding(
        COR027,
        f"xDSL cannot {what} this",
        found=f"{type(failure).__name__}: {failure}"[:300],
        help="nopt explain COR027",
    )


def named_arrays(attributes: Iterable[Attribute]) -> Iterator[Array]:
    """Yields the arrays in these attributes, including nested ones."""
    for attribute in attributes:
        match attribute:
            case ArrayAttr():
                if not isinstance(attribute.data, RuleArray):
                    yield attribute.data
            case DictionaryAttr():
                yield from named_arrays(attribute.data.values())
            case ListAttr():
                entries: ListAttr[Attribute] = attribute
                yield from named_arrays(entries)
            case ParametrizedAttribute():
                yield from named_arrays(attribute.parameters)
            case _:
                pass


def quote_line(refusal: ParseError) -> str:
    """Returns the line of a syntax error, with a caret below the column."""
    span = refusal.span
    text = str(span.input.content)
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    line = text[start : end if end >= 0 else len(text)]
    column = span.start - start
    if column > 100:
        start, line, column = 0, "…" + line[column - 40 :], 41
    return f"{line[:160]}\n{' ' * column}^"


def elements(value: SSAValue) -> int:
    """Returns the number of elements of a tensor, or 1."""
    return math.prod(value.type.get_shape()) if isinstance(value.type, ShapedType) else 1


def verify(module: ModuleOp) -> Iterator[Finding]:
    """Yields all refusals of the module's verifiers, each with its place, in the order of the ops.

    A module that has not changed since it verified is not verified again. If some ops have changed, the definitions of the others are not
    verified again, but their traits and verifiers, which may read ops that have changed.
    """
    now, earlier = stamps_of(module), verified_stamps(module)
    if are_same(earlier, now):
        return
    unchanged = set(unchanged_ops(earlier, now))
    UNCHANGED.update(unchanged)
    try:
        found = list(verify_ops(module))
    finally:
        UNCHANGED.difference_update(unchanged)
    keep_stamps(module, None if found else now)
    yield from found


def verify_ops(module: ModuleOp) -> Iterator[Finding]:
    """Yields all refusals of the module's verifiers, each with its place, in the order of the ops."""
    new: dict[Operation, OpContents] = {}
    ops = list(unverified(module, new))
    refused: dict[Operation, Iterable[Finding]] = {}
    broken = set[Operation]()
    for op in reversed(ops):  # the ops in an op before it
        if op in broken and op.has_trait(VerifiesLast):
            found = ()
        elif found := refusals_of(op):
            refused[op] = found
        if (found or op in broken) and (parent := op.parent_op()) is not None:
            broken.add(parent)
    for op, contents in new.items():
        if op not in refused and op not in broken:
            keep_verified(contents)
    for op in ops:
        for found in refused.get(op, ()):
            yield found.about(op)


def unverified(module: ModuleOp, new: dict[Operation, OpContents]) -> Iterator[Operation]:
    """Yields the ops of a module whose contents are not yet verified. Adds new contents that can be cached to `new`."""
    yield module
    for block in module.body.blocks:
        for op in block.ops:
            if op.has_trait(VerifiesByContents) and (contents := op_contents(op)) is not None:
                if has_verified(contents):
                    continue
                new[op] = contents
            yield from op.walk()


def refusals_of(op: Operation) -> Iterable[Finding]:
    """Returns the refusals of an op's verifiers; the ops in it are not verified."""
    if (size := max(map(elements, op.results), default=0)) > MOST_ELEMENTS:
        message, expected = "a tensor has too many elements", f"at most {MOST_ELEMENTS}"
        return [Finding(COR025, message, expected=expected, found=str(size))]
    try:
        op.verify(verify_nested_ops=False)
        if not op.has_trait(NoTerminator) and any(block.is_empty for region in op.regions for block in region.blocks):
            raise VerifyException(f"'{op.name}' has an empty block, expected a terminator")
    except InvalidOp as refusal:
        return [refusal.finding]
    except Refused as refusal:  # of an array that is read for the first time
        return refusal.findings
    except VerifyException as refusal:
        message, *rest = str(refusal).split("\n")
        return [Finding(COR025, message.rstrip(":"), notes=[line for line in rest if line.strip()])]
    except RecursionError:
        return [TOO_DEEP]
    except FAILURES as failure:
        return [failure_finding("verify", failure)]
    return []


def check_module(module: ModuleOp) -> None:
    """Refuses a module that does not verify, with all findings."""
    if found := list(verify(module)):
        raise Refused(*found)


def format_module(
    ctx: Context,
    module: ModuleOp,
    is_generic: bool = False,
    has_places: bool = False,
    outside: dict[str, Array] | None = None,
    elided: int | None = None,
    texts: OpTexts | None = None,
) -> str:
    """Returns the module as text that parses to the same module, with large arrays at the end.

    With `outside`, the bytes are left out of the text, and the arrays are stored there by their keys. With `elided`, the bytes of
    arrays with more elements are omitted, and the text cannot be parsed. `texts` are those of the ops in an earlier text of the module.

    Errors: COR024 nesting too deep to print; COR027 xDSL cannot print an attribute or an op.
    """
    stream = StringIO()
    printer = SourcePrinter(stream, print_generic_format=is_generic, print_debuginfo=has_places)
    printer.arrays, printer.records, printer.others = dict[str, Array](), dict[str, str](), set[str]()
    printer.types = {}
    printer.texts = None if is_generic or has_places else texts
    try:
        printer.print_op(module)
        for name in printer.others - {dialect.name for dialect in ctx.loaded_dialects}:
            ctx.load_registered_dialect(name)
        printer.print_metadata(ctx.loaded_dialects)
    except RecursionError:
        raise Refused(TOO_DEEP) from None
    except FAILURES as failure:
        raise Refused(failure_finding("print", failure)) from None
    parts = [stream.getvalue().rstrip("\n"), "\n"]
    arrays: dict[str, Array] = dict(sorted(printer.arrays.items()))
    if outside is not None:
        outside.update(arrays)
        arrays = {}
    if elided is not None:
        arrays = {key: array for key, array in arrays.items() if array.size <= elided}
    return "".join([*parts, *section(arrays, dict(sorted(printer.records.items())))])


def section(arrays: dict[str, Array], records: dict[str, str]) -> list[str]:
    """Returns the last lines of a text, with its arrays and the records of its devices, as parts to avoid copies."""
    parts: list[str] = []
    for key in [*arrays, *records]:
        digits = hexadecimal(arrays[key].stored) if key in arrays else records[key].encode().hex()
        parts += [",\n" if parts else "", f'      {key}: "0x', digits, '"']
    return [] if not parts else ["\n{-#\n  dialect_resources: {\n    nopt: {\n", *parts, "\n    }\n  }\n#-}\n"]
