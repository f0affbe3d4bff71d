"""JSON Schema of device files, generated from the records, for completion and help in editors.

It covers the constraints of single fields. Consistency between fields, references to sources, and the texts in a device are
checked by `nopt device check`.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

import inspect
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin

import attrs

from .. import units
from ..json_schema import DIALECT
from .device import EXTENDS
from .fields import Quantity, Range, Scalar, fields_of, is_quantity, is_record
from .reader import NAME, field_types
from .records import Device

SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string"}


def schema() -> dict[str, Any]:
    """Returns the whole schema. In a file that extends another, records may omit required fields, and null removes a field."""
    definitions: dict[str, Any] = {}
    define_record(Device, definitions)
    whole = definitions.pop("Device")
    editors = {"type": "string", "description": "location of this schema, for editors"}
    extends = {
        "type": "string",
        "description": "name of a device file of the same folder, whose fields hold where this one has none; null removes a field",
    }
    properties = {"$schema": editors, EXTENDS: extends, **whole["properties"]}
    about = {name: {"description": one["description"]} for name, one in whole["properties"].items()}
    own = {name: whole["properties"][name] for name in ("schema", "target", "name", "summary")}
    partial = {"properties": {**properties, **about, **own}, "required": list(own)}
    return {
        "$schema": DIALECT,
        "title": "nopt.device/1",
        "type": whole["type"],
        "description": whole["description"],
        "if": {"required": [EXTENDS]},
        "then": {**partial, "additionalProperties": False},
        "else": {"properties": properties, "required": whole["required"], "additionalProperties": False},
        "$defs": dict(sorted(definitions.items())),
    }


def define_record(cls: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Returns a reference to a record, and defines the record at its first use."""
    if cls.__name__ not in definitions:
        made: dict[str, Any] = {"type": "object", "description": first_line_of(cls), "additionalProperties": False}
        definitions[cls.__name__] = made
        fields = fields_of(cls)
        made["properties"] = {one.name: define_member(cls, one, definitions) for one in fields}
        made["required"] = [one.name for one in fields if one.default is attrs.NOTHING]
        if is_quantity(cls):
            made |= {"if": is_null(), "then": {"required": ["note"]}, "else": {"required": ["source"]}}
    return {"$ref": f"#/$defs/{cls.__name__}"}


def is_null() -> dict[str, Any]:
    return {"properties": {"value": {"type": "null"}}}


def first_line_of(cls: type[Any]) -> str:
    return (inspect.getdoc(cls) or "").partition("\n")[0]


def define_member(cls: type[Any], one: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of one field."""
    kind: Any = field_types(cls)[one.name]
    range: Any = one.metadata.get("range")
    if is_quantity(kind) and range is not None:
        made = number(kind, range, definitions)
    elif kind is int and range is not None:
        made = {"type": "integer"} | range_limits(range)
    else:
        made = scalar_type(kind, definitions)
    if one.default is not attrs.NOTHING and one.default is not None and isinstance(one.default, bool | int | str):
        made = made | {"default": one.default}
    return made | {"description": one.metadata["about"]}


def number(cls: type[Quantity], range: Range, definitions: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of a number in any unit of its field; limits apply only to the field's own unit."""
    unit = units.unit(range.unit)
    is_count = unit is not None and unit.dimension == units.COUNT
    kind = "integer" if is_count and range.is_whole else "number"
    value: dict[str, Any] = {"type": [kind, "null"]} | (range_limits(range) if is_count else {"minimum": 0})
    names = ["1", range.unit] if is_count and range.unit != "1" else units.like(range.unit)
    names += [other for other, name in units.SPELLINGS.items() if name in names]
    needs = ["source", "confidence"] if is_count else ["source", "confidence", "unit"]
    return {
        "allOf": [define_record(cls, definitions)],
        "properties": {"value": value, "unit": {"enum": names}},
        "if": is_null(),
        "else": {"required": needs},
    }


def range_limits(range: Range) -> dict[str, Any]:
    bounds = {"minimum": range.low, "maximum": range.high}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def scalar_type(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of a type."""
    origin: Any = get_origin(kind)
    kinds = get_args(kind)
    if kind == Scalar:
        return {"type": ["boolean", "number", "string", "null"]}
    if is_record(kind):
        return define_record(kind, definitions)
    if origin is Literal:
        return {"enum": list(kinds)}
    if origin is tuple:
        return {"type": "array", "items": scalar_type(kinds[0], definitions)}
    if origin is dict:
        made: dict[str, Any] = {"type": "object", "additionalProperties": scalar_type(kinds[1], definitions)}
        if get_origin(kinds[0]) is Literal:
            return made | {"propertyNames": {"enum": list(get_args(kinds[0]))}}
        return made | ({"propertyNames": {"pattern": f"^{NAME.pattern}$"}} if is_record(kinds[1]) else {})
    assert origin not in (Union, UnionType), kind  # records have no other unions
    return {"type": SCALARS[cast("type[Any]", kind)]}
