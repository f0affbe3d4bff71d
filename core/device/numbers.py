"""Numbers of a device by their paths, and the names that its contracts can use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, cast

from .fields import Quantity, Range, fields_of, is_quantity, is_record
from .reader import field_types
from .records import QUANTITIES, Device


def numbers(record: Any, path: str = "") -> Iterator[tuple[str, Quantity | None, Range | None]]:
    """Yields path, fact and range of every field of a record that can declare a fact. An absent fact is None, and the range of a text is None.

    Absent sections are skipped.
    """
    kinds = field_types(record.__class__)
    for one in fields_of(record.__class__):
        here = f"{path}.{one.name}" if path else one.name
        held: Any = getattr(record, one.name)
        if is_quantity(kinds[one.name]):
            yield here, held, one.metadata.get("range")
        elif isinstance(held, dict):
            for key, item in cast("dict[str, Any]", held).items():
                if isinstance(item, Quantity):
                    yield f"{here}.{key}", item, None
                elif is_record(item.__class__):
                    yield from numbers(item, f"{here}.{key}")
        elif is_record(held.__class__):
            yield from numbers(held, here)


def ranges(cls: Any, path: str = "") -> Iterator[tuple[str, Range]]:
    """Yields every number of the schema with its path, except those in named records."""
    for one in fields_of(cls):
        here, kind = f"{path}.{one.name}" if path else one.name, field_types(cls)[one.name]
        if is_quantity(kind):
            yield here, one.metadata["range"]
        elif is_record(kind):
            yield from ranges(kind, here)


def declarations(device: Device) -> dict[str, str]:
    """Returns the unit of every name that a contract of this device can use."""
    own = {path: range.unit for path, range in ranges(Device)}
    own |= {path: range.unit for path, _, range in numbers(device) if range is not None}
    for name in ("features", "preferences", "imperfections"):
        facts: Mapping[str, Quantity] = getattr(device, name)
        kinds = {key: "boolean" if isinstance(one.value, bool) else one.unit or "1" for key, one in facts.items()}
        own |= {f"{name}.{key}": kind for key, kind in kinds.items() if not isinstance(facts[key].value, str)}
    return own | {name: unit for name, (unit, _) in QUANTITIES.items()}


def values(device: Device) -> dict[str, int | Fraction | bool | None]:
    """Returns the device's values by the same names; an unknown value is None."""
    found: dict[str, int | Fraction | bool | None] = {}
    for path, fact, _ in numbers(device):
        value = None if fact is None else fact.value
        if not isinstance(value, str):
            found[path] = Fraction(str(value)) if isinstance(value, float) else value
    return found
