"""Page of a device, as Markdown: its fields with units, sources and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import attrs

from ..core.device.device import Device, Quantity, numbers
from ..core.device.fields import fields_of
from ..core.device.records import Constraint, Update

HEAD = ("field", "value", "unit", "source", "confidence", "note")
FIRST = ("schema", "target", "name", "summary", "sources", "overridden", "constraints")
"""Fields that are not in a table of the page."""


def page_of(device: Device) -> str:
    """Returns the whole page."""
    parts = [f"# {device.key}", device.summary, f"Fidelity: {device.fidelity.tier}."]
    if device.overridden:
        changes = ", ".join(f"`{path}={value}`" for path, value in device.overridden.items())
        parts.append(f"Set by the user: {changes}.")
    for one in fields_of(Device):
        held: Any = getattr(device, one.name)
        if one.name in FIRST or held is None or held == {}:
            if one.name == "plasticity" and held is not None:
                parts += ["## plasticity", "None."]
            continue
        found = list(rows(held, one.name))
        if found:
            parts += [f"## {one.name}", f"{sentence(one.metadata['about'])}", table(found)]
        if one.name == "neuron":
            for name, update in cast("dict[str, Update]", held.updates).items():
                parts.append(f"`{name}`:\n\n" + "\n".join(f"    {line}" for line in update.text))
    if device.constraints:
        parts += ["## constraints", "Limits that no field can express.", *map(constraint_text, device.constraints)]
    if missing := [path for path, fact, _ in numbers(device) if fact is not None and fact.value is None]:
        parts += [
            "## not published",
            "Nothing is checked against these: " + ", ".join(f"`{path}`" for path in missing) + ".",
        ]
    parts += ["## sources", "\n".join(f"- `{key}`: {text}" for key, text in device.sources.items())]
    return "\n\n".join(parts) + "\n"


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def constraint_text(one: Constraint) -> str:
    return f"    {one.expression}\n\nSource: `{one.source}`." + (f" {sentence(one.note)}" if one.note else "")


def rows(held: Any, path: str) -> Iterator[tuple[str, ...]]:
    """Yields the rows of a value."""
    if isinstance(held, Quantity):
        value = "not published" if held.value is None else value_text(held.value)
        yield path, value, held.unit or "", held.source or "", held.confidence or "", held.note or ""
    elif isinstance(held, dict):
        for key, item in cast("dict[str, Any]", held).items():
            yield from rows(item, f"{path}.{key}")
    elif attrs.has(held.__class__):
        yield from record_rows(held, path)
    elif isinstance(held, tuple):
        items = cast("tuple[Any, ...]", held)
        if items and all(isinstance(item, str) for item in items):
            yield path, ", ".join(items), "", "", "", ""
        else:
            for k, item in enumerate(items):
                yield from rows(item, f"{path}[{k}]")
    elif held is not None:
        yield path, value_text(held), "", "", "", ""


def record_rows(held: Any, path: str) -> Iterator[tuple[str, ...]]:
    """Yields the rows of a record. Its own source and note are in its first row."""
    source, note = getattr(held, "source", None) or "", getattr(held, "note", None) or ""
    names = [one.name for one in attrs.fields(held.__class__) if one.name not in ("source", "note")]
    for name in names:
        if isinstance(held, Update) and name == "text":
            continue
        for row in rows(getattr(held, name), f"{path}.{name}"):
            yield (*row[:3], row[3] or source, row[4], row[5] or note)
            source, note = "", ""


def value_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def table(found: Sequence[tuple[str, ...]]) -> str:
    """Formats a Markdown table without its empty columns."""
    kept = [k for k, _ in enumerate(HEAD) if k < 2 or any(row[k] for row in found)]
    lines = [HEAD, ("---",) * len(HEAD), *((f"`{row[0]}`", *row[1:]) for row in found)]
    return "\n".join(f"| {' | '.join(line[k].replace('|', chr(92) + '|') for k in kept)} |" for line in lines)
