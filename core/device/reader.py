"""Reader of device files: turns a JSON value into the records of a device, with a finding for every invalid field.

An invalid field is left out, so that all findings of a file are reported together. Numbers are converted into the unit of their field, exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from math import isfinite
from types import NoneType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

import attrs

from .. import units
from ..diagnostics import Code, Diagnostics, choices_text
from .fields import Quantity, Range, Scalar, fields_of, is_quantity, is_record
from .records import Device

DEV002 = Code("DEV002", "device-file-violates-schema", "a device file violates its schema")
DEV003 = Code("DEV003", "device-number-without-source", "a number of a device has no source")
DEV006 = Code("DEV006", "device-number-out-of-range", "a number of a device is out of its range")
DEV007 = Code("DEV007", "device-unit-mismatch", "a number of a device has the wrong unit")

LARGEST_NUMBER = 2**63
"""Largest magnitude of a number of a device; exact arithmetic on larger ones would be slow."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LEFT_OUT: Any = object()
"""Placeholder for an invalid value."""


def member_path(path: str, key: str) -> str:
    """Returns the JSON path of a member."""
    return f"{path}.{key}" if NAME.fullmatch(key) else f"{path}[{json.dumps(key)}]"


def value_text(value: Any) -> str:
    """Formats a value for messages."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


@cache
def field_types(cls: type[Any]) -> dict[str, Any]:
    """Returns the types of a record's fields without `| None`."""
    return {name: without_none(hint) for name, hint in get_type_hints(cls).items()}


def without_none(hint: Any) -> Any:
    if NoneType in get_args(hint):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        return kinds[0] if len(kinds) == 1 else Scalar
    return hint


class Reader:
    """Reader of one file; findings are added to `found` with their JSON paths."""

    def __init__(self, file: str, found: Diagnostics):
        self.file = file
        self.found = found
        self.sources: Mapping[str, str] = {}
        self.has_sources = True
        """Whether `sources` is valid; if not, the sources of numbers are not checked."""

    def finding(self, code: Code, message: str, path: str, **parts: Any) -> None:
        self.found.error(code, message, file=self.file, at=path, **parts)

    def mismatch(self, path: str, expected: str, value: Any, help: str | None = None) -> Any:
        what = f"{path.removeprefix('$.')} violates the schema"
        self.finding(DEV002, what, path, expected=expected, found=value_text(value), help=help)
        return LEFT_OUT

    def device(self, data: Mapping[str, Any]) -> Device | None:
        """Returns the device, or None if a required field is missing."""
        given = {key: value for key, value in data.items() if key != "$schema"}
        self.text(data.get("$schema", ""), member_path("$", "$schema"))
        sources: Any = given.get("sources")
        self.has_sources = isinstance(sources, dict)
        self.sources = cast("dict[str, str]", sources) if self.has_sources else {}
        device = self.record(Device, given, "$")
        return None if device is LEFT_OUT else device

    def record(self, cls: type[Any], data: Any, path: str) -> Any:
        if not isinstance(data, dict):
            return self.mismatch(path, "an object", data)
        given = cast("dict[str, Any]", data)
        fields: dict[str, Any] = {one.name: one for one in fields_of(cls)}
        for key in given:
            if key not in fields:
                near = get_close_matches(key, fields, 1, 0)[0]
                expected = choices_text(fields)
                found = value_text(key)
                help = f'"{near}"'
                self.finding(DEV002, "unknown field", member_path(path, key), expected=expected, found=found, help=help)
        made: dict[str, Any] = {}
        is_whole = True
        for name, one in fields.items():
            if name in given:
                value = self.value(field_types(cls)[name], given[name], member_path(path, name), one.metadata)
                if value is not LEFT_OUT:
                    made[name] = value
                    continue
            elif one.default is attrs.NOTHING:
                message = "a field is missing"
                expected = one.metadata["about"]
                help = f'"{name}": …'
                self.finding(DEV002, message, member_path(path, name), expected=expected, found="nothing", help=help)
            is_whole = is_whole and one.default is not attrs.NOTHING
        return cls(**made) if is_whole else LEFT_OUT

    def value(self, hint: Any, data: Any, path: str, metadata: Mapping[str, Any]) -> Any:
        """Reads a value of a field of this type; returns LEFT_OUT after a finding."""
        origin: Any = get_origin(hint)
        kinds = get_args(hint)
        if is_quantity(hint):
            return self.quantity(hint, data, path, metadata.get("range"))
        if is_record(hint):
            return self.record(hint, data, path)
        if origin is Literal:
            return data if data in kinds else self.mismatch(path, choices_text(kinds), data)
        if origin is tuple:
            return self.items(kinds[0], data, path)
        if origin is dict:
            return self.members(kinds, data, path)
        if hint == Scalar:
            return self.scalar(data, path)
        if hint is float:
            is_number = isinstance(data, int | float) and not isinstance(data, bool) and self.is_finite(data)
            return data if is_number else self.mismatch(path, "a number", data)
        if hint is bool:
            return data if isinstance(data, bool) else self.mismatch(path, "true or false", data)
        if hint is int:
            range: Range = metadata.get("range", Range("1"))
            if isinstance(data, bool) or not isinstance(data, int):
                return self.mismatch(path, "an integer", data)
            return data if self.is_within(data, range, path) else LEFT_OUT
        text = self.text(data, path)
        if text is not LEFT_OUT and metadata.get("is_source") and text not in self.sources:
            owner = path.removeprefix("$.").removesuffix(".source")
            self.no_source(f"{owner} has no source", path, text)
        return text

    def items(self, kind: Any, data: Any, path: str) -> Any:
        if not isinstance(data, list):
            return self.mismatch(path, "a list", data)
        given = enumerate(cast("list[Any]", data))
        made = [self.value(kind, item, f"{path}[{k}]", {}) for k, item in given]
        return tuple(item for item in made if item is not LEFT_OUT)

    def members(self, kinds: tuple[Any, ...], data: Any, path: str) -> Any:
        if not isinstance(data, dict):
            return self.mismatch(path, "an object", data)
        made: dict[str, Any] = {}
        for key, item in cast("dict[str, Any]", data).items():
            place = member_path(path, key)
            if get_origin(kinds[0]) is Literal and key not in get_args(kinds[0]):
                self.mismatch(place, choices_text(get_args(kinds[0])), key)
            elif is_record(kinds[1]) and not NAME.fullmatch(key):
                self.mismatch(place, "a name of letters, digits and underscores", key)
            else:
                made[key] = self.value(kinds[1], item, place, {})
        return {key: item for key, item in made.items() if item is not LEFT_OUT}

    def text(self, data: Any, path: str) -> Any:
        return data if isinstance(data, str) else self.mismatch(path, "a text", data)

    def scalar(self, data: Any, path: str) -> Any:
        if isinstance(data, str):
            return self.text(data, path)
        if not isinstance(data, int | float) or not self.is_finite(data):
            return self.mismatch(path, "a number, a text, true, false or null", data)
        return data

    def is_finite(self, value: int | float) -> bool:
        return (
            isfinite(value) and abs(value) <= LARGEST_NUMBER
            if isinstance(value, float)
            else abs(value) <= LARGEST_NUMBER
        )

    # ---- facts

    def quantity(self, cls: type[Quantity], data: Any, path: str, range: Range | None) -> Any:
        """Reads a fact; with a range, a number in the unit of its field, and so is its band."""
        name = path.removeprefix("$.")
        if range is not None and isinstance(data, int | float) and not isinstance(data, bool):
            self.no_source(f"{name} has no source", path, None, value=value_text(data))
            return LEFT_OUT
        given = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        if "value" not in given:
            return self.mismatch(path, '{"value": …, "source": …}', data)
        before = len(self.found.errors)
        value, rest = given["value"], {key: item for key, item in given.items() if key not in ("value", "source")}
        source = given.get("source")
        if source is not None and not isinstance(source, str):
            return self.mismatch(member_path(path, "source"), "a text", source)
        fact: Any = self.record(cls, {**rest, "value": 0}, path)  # the value is checked below
        if value is None:
            if not fact.note:
                message = f"{name} is null without a note"
                expected = "the person asked, or the reason why it is unknown"
                help = f'"{name.rpartition(".")[2]}": {{"value": null, "note": "not published"}}'
                self.finding(DEV003, message, member_path(path, "note"), expected=expected, found="none", help=help)
        elif source not in self.sources:
            self.no_source(f"{name} has no source", member_path(path, "source"), source)
        elif range is not None and fact.confidence is None:
            message = f"{name} has no confidence"
            expected = "measured, documented, secondary or assumed"
            help = '"confidence": "documented"'
            self.finding(DEV003, message, member_path(path, "confidence"), expected=expected, found="none", help=help)
        if source is not None and value is None and source not in self.sources:
            self.no_source(f"{name} has no source", member_path(path, "source"), source)
        if range is None:
            value = None if value is None else self.scalar(value, member_path(path, "value"))
            if fact.unit is not None and units.unit(fact.unit) is None:
                self.wrong_unit(name, path, sorted(units.UNITS), fact.unit)
        else:
            value = self.number(value, fact.unit, range, name, path)
            if (band := getattr(fact, "band", None)) is not None and value is not LEFT_OUT:
                exact = [units.convert_value(one, fact.unit or range.unit, range.unit) for one in band]
                fact = attrs.evolve(fact, band=tuple(map(float, exact)))
        if len(self.found.errors) > before:
            return LEFT_OUT
        unit = fact.unit if range is None or range.unit == "1" else range.unit
        return attrs.evolve(fact, value=value, source=source, unit=unit)

    def number(self, value: Any, unit: str | None, range: Range, name: str, path: str) -> Any:
        """Reads a number in the unit of its field, or null."""
        wanted = units.unit(range.unit)
        assert wanted is not None  # the units of fields exist
        if (unit is None and value is not None and wanted.dimension != units.COUNT) or not self.fits(unit, wanted):
            names = units.like(range.unit)
            return self.wrong_unit(name, path, [range.unit, *(one for one in names if one != range.unit)], unit)
        if value is None:
            return None
        place = member_path(path, "value")
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.is_finite(value):
            return self.mismatch(place, f"{range}, or null with a note", value)
        exact = (
            units.convert_value(value, unit, range.unit)
            if unit and wanted.dimension != units.COUNT
            else Fraction(value)
        )
        made = exact.numerator if exact.denominator == 1 else float(exact)
        return made if self.is_within(made, range, place) else LEFT_OUT

    def fits(self, unit: str | None, wanted: units.Unit) -> bool:
        """Returns whether a unit has the dimension of a field; a count must count the same things."""
        given = units.unit(unit) if unit is not None else wanted
        if given is None or given.dimension != wanted.dimension:
            return False
        return given.dimension != units.COUNT or given.name in ("1", wanted.name)

    def is_within(self, value: int | float, range: Range, path: str) -> bool:
        unit = "" if range.unit == "1" else f" {range.unit}"
        if not range.holds(value):
            name = path.removeprefix("$.").removesuffix(".value")
            self.finding(DEV006, f"{name} is out of its range", path, expected=f"{range}{unit}", found=f"{value}{unit}")
        return range.holds(value)

    def wrong_unit(self, name: str, path: str, expected: Iterable[str], unit: str | None) -> Any:
        listed = list(expected)
        message = f"{name} has no unit" if unit is None else f"{name} has the wrong unit"
        help = f'"unit": "{listed[0]}"'
        self.finding(
            DEV007, message, member_path(path, "unit"), expected=choices_text(listed), found=unit or "none", help=help
        )
        return LEFT_OUT

    def no_source(self, message: str, path: str, source: str | None, value: str = "…") -> None:
        if not self.has_sources:
            return
        name = path.removesuffix(".source").rpartition(".")[2]
        known = next(iter(self.sources), "manual")
        expected = f"one of {', '.join(map(str, self.sources)) or 'the keys of sources, which is empty'}"
        help = f'"{name}": {{"value": {value}, "source": "{known}"}}'
        self.finding(DEV003, message, path, expected=expected, found=source or "none", help=help)
