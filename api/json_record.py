"""Records of results: the JSON of a class with fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import attrs
import numpy as np

from ..core.diagnostics import Finding

KEY = "key"
"""Metadata of a field: its name in the record; None for a field that the record leaves out."""


def key(name: str | None) -> dict[str, str | None]:
    """Returns the metadata of a field with a different name in the record; with None, the record leaves the field out."""
    return {KEY: name}


class Record:
    """Base class of results whose JSON has an entry for each field, in order."""

    __slots__ = ()
    SCHEMA: ClassVar[str | None] = None
    """Name of the format, the first entry of a whole document."""

    def as_json(self) -> dict[str, Any]:
        """Returns the record; nested records and tuples become dictionaries and lists, NaN and infinity their names."""
        head = {} if self.SCHEMA is None else {"schema": self.SCHEMA}
        fields: Any = attrs.fields(type(self))
        named = {one.name: one.metadata.get(KEY, one.name) for one in fields}
        return head | {name: json_value(getattr(self, at)) for at, name in named.items() if name is not None}

    @classmethod
    def adapt_schema(cls, schema: dict[str, Any]) -> dict[str, Any]:
        """Returns the JSON Schema of the record, from that of its fields. A class that overrides `as_json` overrides it, too."""
        return schema


def json_value(value: Any) -> Any:
    if isinstance(value, Record | Finding):
        return value.as_json()
    if isinstance(value, Mapping):
        return {name: json_value(entry) for name, entry in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [json_value(entry) for entry in cast("Sequence[Any]", value)]
    return number(value)


def number(value: Any) -> Any:
    """Returns a number for JSON: NaN and infinity become their names."""
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value
