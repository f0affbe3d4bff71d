"""JSON Schemas of records, from the types of their fields and the texts below them.

    RecordSchemas().of(Check)["properties"]["findings"]["items"]["properties"]["code"] == {"type": "string"}

A schema allows further fields, so that a later version can add some; the listed fields always exist.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from itertools import pairwise
from textwrap import dedent
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from ..core.diagnostics import Code, Finding, Severity
from .json_record import KEY, Record

Schema = dict[str, Any]
NUMBER, INTEGER, TEXT, TRUTH, NULL = ({"type": name} for name in ("number", "integer", "string", "boolean", "null"))
INFINITIES: Schema = {"type": "string", "enum": ["nan", "inf", "-inf"]}
SCALARS: Mapping[Any, tuple[Schema, ...]] = {
    bool: (TRUTH,),
    int: (INTEGER,),
    float: (NUMBER, INFINITIES),
    str: (TEXT,),
    Code: (TEXT,),
    NoneType: (NULL,),
}
"""Schemas of the JSON forms of a scalar type."""


def any_of(*schemas: Schema) -> Schema:
    """Returns the schema of a value that matches one of several schemas."""
    first, *others = schemas
    return {"anyOf": [first, *others]} if others else first


def maybe(*schemas: Schema) -> Schema:
    """Returns the schema of a value that can be null."""
    return any_of(*schemas, NULL)


def array_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def record_of(*required: str, **fields: Schema) -> Schema:
    """Returns the schema of an object with these fields; other fields are allowed, and all of these are required unless the required ones are named."""
    return {"type": "object", "properties": fields, "required": list(required or fields)}


def map_of(schema: Schema) -> Schema:
    """Returns the schema of an object with equal values by name."""
    return {"type": "object", "additionalProperties": schema}


@frozen
class RecordSchemas:
    """Generator of the schemas of classes."""

    is_described: bool = True
    """Whether the schemas contain the texts of the classes, which are read from their source. A check of a file needs none."""

    def of(self, cls: type[Record]) -> Schema:
        """Returns the schema of a class of records."""
        head: Schema = {} if cls.SCHEMA is None else {"schema": {"const": cls.SCHEMA}}
        fields: Any = attrs.fields(cls)  # pyrefly: ignore[bad-argument-type]
        named = {one.metadata.get(KEY, one.name): one.name for one in fields}
        return cls.adapt_schema(self.record(cls, {key: name for key, name in named.items() if key is not None}, head))

    def record(self, cls: type[Any], names: Mapping[str, str], head: Schema) -> Schema:
        """Returns the schema of a class, from the fields by their names in the record."""
        kinds = get_type_hints(cls)
        texts = field_texts(cls) if self.is_described else {}
        fields = {key: any_of(*self.choices(kinds[name])) | texts.get(name, {}) for key, name in names.items()}
        return (described(cls) if self.is_described else {}) | record_of(**head, **fields)

    def choices(self, kind: Any) -> tuple[Schema, ...]:
        """Returns the schemas of the forms of a type."""
        origin: Any = get_origin(kind)
        parts = get_args(kind)
        if origin in (Union, UnionType):
            return tuple(schema for part in parts for schema in self.choices(part))
        if kind in SCALARS:
            return SCALARS[kind]
        if origin is Literal:
            return ({"type": "string", "enum": list(parts)},)
        if kind in (Any, object):
            return ({},)
        if inspect.isclass(origin) and issubclass(origin, Mapping):
            return (map_of(any_of(*self.choices(parts[1]))),)
        if inspect.isclass(origin) and issubclass(origin, Sequence):
            return (array_of(any_of(*self.choices(parts[0]))),)
        if kind is Finding:
            return (self.finding(),)
        if kind is Severity:
            return ({"type": "string", "enum": [str(one) for one in Severity]},)
        cls: type[Record] = kind
        return (self.of(cls),)

    def finding(self) -> Schema:
        """Returns the schema of a finding, as `Finding.as_json` writes it."""
        made = self.record(Finding, {key: key for key in Finding.KEYS if key != "name"}, {})
        fields: Schema = made["properties"] | {"name": TEXT, "at": maybe(TEXT)}
        return made | record_of(**{name: fields[name] for name in Finding.KEYS})


def described(cls: type[Any]) -> Schema:
    """Returns the name of a class, and the first line of its docstring as a description."""
    return {"title": cls.__name__, "description": (inspect.getdoc(cls) or "").partition("\n")[0]}


def with_definitions(schema: Schema) -> Schema:
    """Returns a schema with each record of a class once, under its name in `$defs`."""
    definitions: dict[str, Schema] = {}

    def referring(part: Any) -> Any:
        if isinstance(part, list):
            return [referring(one) for one in cast("list[Any]", part)]
        if not isinstance(part, dict):
            return part
        made = {name: referring(one) for name, one in cast("Schema", part).items()}
        if not isinstance(title := made.pop("title", None), str):
            return made if title is None else made | {"title": title}  # a field of this name
        definitions[title] = made
        return {"$ref": f"#/$defs/{title}"}

    made = referring({name: part for name, part in schema.items() if name != "title"})
    return made | ({"$defs": dict(sorted(definitions.items()))} if definitions else {})


def field_texts(cls: type[Any]) -> dict[str, Schema]:
    """Returns the descriptions of the fields of a class: the string below each field."""
    (definition,) = ast.parse(dedent(inspect.getsource(cls))).body
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, Schema] = {}
    for node, text in pairwise(definition.body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(text, ast.Expr):
            value: object = text.value.value if isinstance(text.value, ast.Constant) else None
            if isinstance(value, str):
                found[node.target.id] = {"description": " ".join(value.split())}
    return found
