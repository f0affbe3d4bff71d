"""Changes to JSON documents that follow their schema: other values of the same type, and optional entries that were absent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

Schema = Mapping[str, Any]
INTEGERS = (0, 1, 2, 3, 7, 8, 16, 31, 32, 63, 64, 65, 255, 4096, 65_536, 2**31, 2**53, 2**63)
NUMBERS = (0, 1, 2, 0.5, 0.1, 1e-3, 1e-9, 100, 1e6, 1e300, 5e-324)
WORDS = (
    "",
    "x",
    "lif",
    "row",
    "mesh",
    "net.neuron",
    "x.npy",
    "1ms",
    "a b",
    "core.neurons",
    "core.neurons=3",
    "1 + 1",
    "in out",
)
DEEPEST = 6


class Documents:
    """Good documents with their schema; the values of one replace those of the same key in another."""

    def __init__(self, schema: Schema, good: Iterable[Any] = ()):
        self.schema = schema
        self.known: dict[str, list[Any]] = {}
        for document in good:
            for container, key in places(document):
                if isinstance(key, str) and container[key] not in self.known.setdefault(key, []):
                    self.known[key].append(container[key])

    def damaged(self, random: Random, text: str) -> str:
        """Returns the text of a document after one to three changes."""
        document = json.loads(text)
        for _ in range(random.choice((1, 1, 2, 3))):
            self.change(random, document)
        return json.dumps(document, indent=2)

    def change(self, random: Random, document: Any) -> None:
        """Replaces the value of one location, or adds an entry."""
        located = [*self.located(self.resolved(self.schema, random), document, random)]
        container, key, schema = random.choice(located) if located else (document, None, self.schema)
        whole = self.resolved(schema, random)
        value = container[key] if key is not None else document
        absent = sorted(set(whole.get("properties", {})) - set(value)) if isinstance(value, dict) else []
        if absent and random.random() < 0.6:
            name = random.choice(absent)
            value[name] = self.value(random, name, whole["properties"][name])
        elif key is not None:
            container[key] = self.value(random, str(key), schema)

    def located(self, schema: Schema, document: Any, random: Random) -> Iterator[tuple[Any, Any, Schema]]:
        """Yields container, key and schema of each location that the schema describes."""
        keys = document if isinstance(document, dict) else range(len(document)) if isinstance(document, list) else ()
        for key in keys:
            inner = member(schema, key)
            if inner is not None:
                yield document, key, inner
                yield from self.located(self.resolved(inner, random), document[key], random)

    def resolved(self, schema: Schema, random: Random) -> Schema:
        """Returns a schema without references, and with one of its branches."""
        if "$ref" in schema:
            found: Any = self.schema
            for part in str(schema["$ref"]).removeprefix("#/").split("/"):
                found = found[part]
            schema = {**found, **{key: value for key, value in schema.items() if key != "$ref"}}
        parts = [*schema.get("allOf", ()), *[random.choice(schema[one]) for one in ("anyOf", "oneOf") if one in schema]]
        parts += [schema["else"]] if isinstance(schema.get("else"), dict) else []
        whole = {
            key: value for key, value in schema.items() if key not in ("allOf", "anyOf", "oneOf", "if", "then", "else")
        }
        for part in parts:
            inner = self.resolved(part, random)
            whole = {**inner, **whole, "properties": {**inner.get("properties", {}), **whole.get("properties", {})}}
        return whole

    def value(self, random: Random, key: str, schema: Schema, depth: int = 0) -> Any:
        """Returns a value of another document, or one of the type of the schema."""
        if self.known.get(key) and random.random() < 0.5:
            return json.loads(json.dumps(random.choice(self.known[key])))
        schema = self.resolved(schema, random)
        if "enum" in schema:
            return random.choice(schema["enum"])
        kinds = schema.get("type", "object" if schema.get("properties") else "string")
        kind = random.choice(kinds) if isinstance(kinds, list) else kinds
        low, high = schema.get("minimum"), schema.get("maximum")
        limits = [one for one in (low, high) if one is not None]
        match kind:
            case "integer" | "number":
                known = (*INTEGERS, *limits) if kind == "integer" else (*NUMBERS, *limits)
                within = [one for one in known if (low is None or one >= low) and (high is None or one <= high)]
                return random.choice(within or known)
            case "boolean":
                return random.random() < 0.5
            case "array":
                count = random.choice((0, 1, 2, 5)) if depth < DEEPEST else 0
                return [
                    self.value(random, "", schema.get("items", {"type": "string"}), depth + 1) for _ in range(count)
                ]
            case "object":
                return self.record(random, schema, depth)
            case "null":
                return None
            case _:
                return random.choice(WORDS)

    def record(self, random: Random, schema: Schema, depth: int) -> dict[str, Any]:
        """Returns an object with the required entries, and some of the others."""
        properties = schema.get("properties", {})
        share = 0.3 if depth < DEEPEST else 0
        names = [one for one in properties if one in schema.get("required", ()) or random.random() < share]
        made = {name: self.value(random, name, properties[name], depth + 1) for name in names}
        if isinstance(more := schema.get("additionalProperties"), dict) and random.random() < share:
            made[random.choice(WORDS)] = self.value(random, "", more, depth + 1)
        return made


def member(schema: Schema, key: Any) -> Schema | None:
    """Returns the schema of an entry, if there is one."""
    if isinstance(key, int):
        found = schema.get("items")
    else:
        others = [*schema.get("patternProperties", {}).values(), schema.get("additionalProperties")]
        found = schema.get("properties", {}).get(key, others[0])
    return found if isinstance(found, dict) else None


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yields every location of a document: its container and its key there."""
    keys = list(document) if isinstance(document, dict) else range(len(document)) if isinstance(document, list) else ()
    for key in keys:
        yield document, key
        yield from places(document[key])
