"""Fields of the records of a device: each has a description and, for a number, a unit, a range and whether it is an integer."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypeAlias

import attrs
from attrs import Attribute, Factory, field, fields, frozen

Scalar: TypeAlias = bool | int | float | str
BY_USER = "--set"
"""The key of `sources` for values set by the user."""
Confidence = Literal["measured", "documented", "secondary", "assumed"]


@frozen
class Range:
    """The valid range of a number, in the unit of its field."""

    unit: str
    low: int | float | None = 0
    high: int | float | None = None
    is_whole: bool = True

    def __str__(self) -> str:
        kind = "an integer" if self.is_whole else "a number"
        low = "" if self.low is None else f", at least {self.low}"
        return f"{kind}{low}" + ("" if self.high is None else f", at most {self.high}")

    def holds(self, value: int | float) -> bool:
        whole = not self.is_whole or isinstance(value, int)
        return whole and (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def number_field(
    about: str,
    unit: str = "1",
    low: int | float | None = 0,
    high: int | float | None = None,
    *,
    whole: bool = True,
    has_default: bool = False,
) -> Any:
    """Returns a field with an optional numeric `Quantity`. With a default, no check is skipped if the field is absent."""
    range = Range(unit, low, high, whole)
    return field(default=None, metadata={"about": about, "range": range, "has_default": has_default})


def optional_field(about: str, default: Any = None, **metadata: Any) -> Any:
    """Returns an optional field."""
    return field(default=default, metadata={"about": about, **metadata})


def required_field(about: str, **metadata: Any) -> Any:
    """Returns a required field."""
    return field(metadata={"about": about, **metadata})


def list_field(about: str) -> Any:
    return optional_field(about, default=())


def record_fields(about: str, **metadata: Any) -> Any:
    """Returns a field with records by name."""
    return optional_field(about, default=Factory(dict[str, Any]), **metadata)


def is_record(kind: Any) -> bool:
    """Returns whether a class defines a record of a device."""
    return attrs.has(kind)  # pyrefly: ignore[partially-unknown-type]


def is_quantity(kind: Any) -> bool:
    """Returns whether a class is that of a fact."""
    return isinstance(kind, type) and issubclass(kind, Quantity)


@cache
def fields_of(cls: type[Any]) -> tuple[Attribute[Any], ...]:
    """Returns the fields of a record that a device file can declare: the fields with a description."""
    return tuple(one for one in fields(cls) if "about" in one.metadata)


def source_field(about: str = "a key of `sources`") -> Any:
    return required_field(about, is_source=True)


def note_field() -> Any:
    return optional_field("additional information")


@frozen
class Quantity:
    """One fact about a device, with its source."""

    value: Scalar | None = required_field("the fact; null if it is unpublished")
    source: str | None = optional_field("a key of `sources`; needed unless the value is null", is_source=True)
    unit: str | None = optional_field("the unit of the value; pure counts need none")
    confidence: Confidence | None = optional_field(
        "measured: on silicon, with a described method; documented: in a primary source; secondary: in a source that cites one; "
        "assumed: override it if you have a better value"
    )
    note: str | None = optional_field("additional information; needed if the value is null")
