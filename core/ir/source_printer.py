"""Printer of modules as source text, which writes arrays apart, and types and unchanged ops once."""

from __future__ import annotations

from io import StringIO

from attrs import frozen
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.printer import Printer

from ..arrays.arrays import LIVE
from ..arrays.values import Array
from ..device.device_attr import RECORDS
from .stamps import Stamp, is_same, stamp_of

MOST_LETTERS = 4096
"""The text of an op that is longer is not kept."""
VALUE = "\0"
"""Placeholder of the name of a value."""


@frozen(eq=False)
class OpText:
    """The text of an op after its results."""

    stamp: Stamp
    parts: tuple[str, ...]
    """The text before, between and after the names of values."""
    values: tuple[SSAValue, ...]


OpTexts = dict[int, OpText]
"""Texts by the identities of the ops."""

ZERO = "0.000000e+00"
"""The real 0 in a type, which equals -0 but has another text."""


class SourcePrinter(Printer):
    """Printer that replaces arrays by keys and collects them, so that nopt can write them: xDSL would keep several copies of their digits.

    The text of each type is formatted once.
    """

    arrays: dict[str, Array]
    records: dict[str, str]
    """Records of devices."""
    others: set[str]
    """Other dialects with resources."""
    types: dict[Attribute, str]
    """The texts of types."""
    texts: OpTexts | None
    """The texts of the ops without regions in an earlier text of the module."""
    values: list[SSAValue] | None = None
    """The values in the text of the current op; None if their names are printed."""
    has_handles: bool = False
    """Whether the text of the current op refers to an array or a record, which a text of the module lists."""

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if "\n" in text:
            super().print_string(text, indent=indent)
        else:
            self._current_column += len(text)
            self.stream.write(text)

    def print_attribute(self, attribute: Attribute) -> None:
        if not isinstance(attribute, TypeAttribute):
            super().print_attribute(attribute)
            return
        text = self.types.get(attribute)
        if text is None:
            stream, resources = self.stream, (len(self.arrays), len(self.records), len(self.others))
            self.stream = StringIO()
            try:
                super().print_attribute(attribute)
                text = self.stream.getvalue()
            finally:
                self.stream = stream
            is_alone = resources == (len(self.arrays), len(self.records), len(self.others))
            if is_alone and "\n" not in text and ZERO not in text:
                self.types[attribute] = text
        else:
            self._current_column += len(text)
        self.stream.write(text)

    def print_op(self, op: Operation) -> None:
        if self.texts is None or op.regions or op.successors or isinstance(op, UnregisteredOp):
            super().print_op(op)
            return
        self._print_results(op)
        stamp, found = stamp_of(op), self.texts.get(id(op))
        if found is None or not is_same(found.stamp, stamp):
            found, is_kept = self.text_of(op, stamp)
            if is_kept:
                self.texts[id(op)] = found
            else:
                self.texts.pop(id(op), None)
        parts = iter(found.parts)
        self.stream.write(next(parts))
        for value, part in zip(found.values, parts, strict=True):
            self.print_ssa_value(value)
            self.stream.write(part)

    def text_of(self, op: Operation, stamp: Stamp) -> tuple[OpText, bool]:
        """Returns the text of an op after its results, and whether it is the same in a later text of the module, apart from names of values."""
        stream, self.stream = self.stream, StringIO()
        values: list[SSAValue] = []
        self.values, self.has_handles = values, False
        try:
            self.print_body(op)
            text = self.stream.getvalue()
        finally:
            self.stream, self.values = stream, None
        parts = tuple(text.split(VALUE))
        if len(parts) != len(values) + 1:
            return OpText(stamp, self.plain_text(op), ()), False
        return OpText(stamp, parts, tuple(values)), not self.has_handles and "\n" not in text and len(
            text
        ) <= MOST_LETTERS

    def plain_text(self, op: Operation) -> tuple[str, ...]:
        """Returns the text of an op that contains the placeholder of values itself."""
        stream, self.stream = self.stream, StringIO()
        try:
            self.print_body(op)
            return (self.stream.getvalue(),)
        finally:
            self.stream = stream

    def print_ssa_value(self, value: SSAValue) -> str:
        if self.values is None:
            return super().print_ssa_value(value)
        self.values.append(value)
        name = self._ssa_values.get(value)
        if name is None:
            stream, self.stream = self.stream, StringIO()
            try:
                name = super().print_ssa_value(value)
            finally:
                self.stream = stream
        self.stream.write(VALUE)
        return name

    def print_body(self, op: Operation) -> None:
        """Prints an op after its results."""
        if Operation.print is type(op).print:
            self.print_string(f'"{op.name}"')
            self.print_op_with_default_format(op)
        else:
            self.print_string(op.name)
            op.print(self)

    def print_resource_handle(self, dialect: str, handle: str) -> None:
        self.has_handles = True
        if dialect == "nopt":
            if (record := RECORDS.get(handle)) is not None and record.text is not None:
                self.records[handle] = record.text
            else:
                self.arrays[handle] = LIVE[handle]
            self.print_string(handle)
        else:
            self.others.add(dialect)
            super().print_resource_handle(dialect, handle)
