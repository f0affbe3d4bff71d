"""Checks of a JSON value against the part of JSON Schema that our schemas use.

    require_schema(JsonNode.parse("mapping.json", text, CMP011), mapping_schema())

Keywords: type, const, enum, anyOf, minimum, properties, required, additionalProperties, items, minItems, maxItems. Integers have 64 bits.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from .counts import LARGEST_COUNT
from .json_node import JsonNode

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""Value of `$schema` of our schemas."""
JSON_TYPES: Mapping[str, tuple[type[Any], ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
ARTICLES = {"object": "an object", "array": "a list", "string": "a text", "integer": "an integer", "null": "null"}


def require_schema(node: JsonNode, schema: Mapping[str, Any]) -> None:
    """Refuses a value that does not match a schema, with the path of the wrong part. Errors: the code of the node."""
    if "anyOf" in schema:
        require_choice(node, cast("list[Mapping[str, Any]]", schema["anyOf"]))
        return
    value = node.value
    kind = schema.get("type")
    if kind is not None and not has_type(value, kind):
        node.refuse(ARTICLES.get(kind, f"a {kind}"))
    if "const" in schema and value != schema["const"]:
        node.refuse(str(schema["const"]))
    if "enum" in schema and value not in schema["enum"]:
        node.refuse(f"one of {', '.join(map(str, schema['enum']))}")
    if "minimum" in schema and cast("float", value) < schema["minimum"]:
        node.refuse(f"{schema['minimum']} or more")
    if kind == "object":
        require_members(node, schema)
    if kind == "array":
        items = node.items()
        if not schema.get("minItems", 0) <= len(items) <= schema.get("maxItems", len(items)):
            node.refuse(f"{schema.get('minItems', 0)} entries or more", f"{len(items)} entries")
        for item in items if "items" in schema else ():
            require_schema(item, schema["items"])


def require_choice(node: JsonNode, schemas: list[Mapping[str, Any]]) -> None:
    """Refuses a value that matches none of the schemas, as the first schema of its type does."""
    fitting = [one for one in schemas if "type" not in one or has_type(node.value, one["type"])]
    if not fitting:
        names = [str(one["type"]) for one in schemas if "type" in one]
        node.refuse(" or ".join(ARTICLES.get(name, f"a {name}") for name in names))
    require_schema(node, fitting[0])


def require_members(node: JsonNode, schema: Mapping[str, Any]) -> None:
    """Refuses an object without a required member, or with a wrong one."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        _ = node[name]
    for name, member in node.members():
        if (own := properties.get(name, schema.get("additionalProperties"))) is not None:
            require_schema(member, own)


def has_type(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, JSON_TYPES[kind]) and not (isinstance(value, int) and abs(value) > LARGEST_COUNT)
