"""Parts of the page of a device: tables of facts, layouts of words, texts of neurons, and unknown fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast, get_args, get_origin

from ...core import units
from ...core.device.cost.records import Coefficient, specific_coefficients, superseded
from ...core.device.device import Device, Quantity
from ...core.device.fields import fields_of, is_quantity, is_record
from ...core.device.neuron_records import Update
from ...core.device.reader import field_types
from ...core.device.topology import OPTIONAL, topology_class
from ...core.neuron.neuron import parse_neurons

FACTS = ("field", "meaning", "value", "unit", "source", "confidence", "note")
LISTS = ("core.memory", "synapse.dtypes", "synapse.formats", "neuron.updates", "spike.kinds")
"""Fields that disable a check if they are empty."""
READABLE = {"byte": ("GiB", "MiB", "KiB"), "ns": ("s", "ms", "us")}
"""Larger units, in which a value is also shown if it is an integer number of them."""


# ---- text


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def cell(text: str) -> str:
    """Returns a text on one line, escaped for a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def codes(names: Sequence[str]) -> str:
    return ", ".join(map(code, names))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a Markdown table without its empty columns."""
    kept = [k for k, _ in enumerate(head) if any(row[k] for row in rows)]
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(cell(line[k]) for k in kept)} |" for line in lines)


# ---- facts


def value_text(fact: Quantity) -> str:
    """Formats a value in its unit, and also in a larger unit if the value is an integer number of it."""
    value = fact.value
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        for larger in READABLE.get(fact.unit or "", ()):
            converted = units.convert_value(value, fact.unit or "", larger)
            if isinstance(converted, int) and converted:
                return f"{value} ({converted} {larger})"
    return str(value)


def provenance(fact: Quantity) -> tuple[str, str, str]:
    """Returns source, confidence and note of a fact; the note of a coefficient begins with its scope, its basis and its condition."""
    return fact.source or "", fact.confidence or "", "; ".join(text for text in (*nature(fact), fact.note) if text)


def nature(fact: Quantity) -> Iterator[str | None]:
    """Yields what a coefficient of cost is: its scope, basis, band, condition, and what it contains."""
    if isinstance(fact, Coefficient):
        yield fact.scope
        yield fact.basis
        yield None if fact.band is None else " to ".join(f"{one:g}" for one in fact.band)
        yield fact.condition
        yield f"contains {', '.join(fact.supersedes)}" if fact.supersedes else None


def fact_rows(record: Any, path: str) -> Iterator[tuple[str, ...]]:
    """Yields a row of FACTS for each quantity of a record and of its sections; named records are left out."""
    for one in fields_of(record.__class__) if record is not None else ():
        held: Any = getattr(record, one.name)
        here = f"{path}.{one.name}"
        if isinstance(held, Quantity):
            yield code(here), one.metadata["about"], value_text(held), held.unit or "", *provenance(held)
        elif is_record(held.__class__):
            yield from fact_rows(held, here)


def named_facts(facts: dict[str, Quantity], path: str) -> Iterator[tuple[str, ...]]:
    """Yields a row of FACTS for each quantity by name."""
    for name, fact in facts.items():
        yield code(f"{path}.{name}"), "", value_text(fact), fact.unit or "", *provenance(fact)


def facts_table(rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    """Yields the table of rows of FACTS, if there are any."""
    if listed := list(rows):
        yield table(FACTS, listed)


# ---- words


def word_table(fields: Sequence[str]) -> str:
    """Returns the layout of a word as a table, the lowest bit first. Each field is written NAME:BITS."""
    rows: list[tuple[str, str, str]] = []
    low = 0
    for name, _, bits in (text.rpartition(":") for text in fields):
        high = low + int(bits) - 1
        rows.append((code(name), bits, str(low) if low == high else f"{high}:{low}"))
        low = high + 1
    return table(("field", "bits", "position"), [*rows, ("word", str(low), f"{low - 1}:0" if low > 1 else "0")])


# ---- neurons


def neuron_lines(update: Update, name: str) -> list[str]:
    """Returns the lines of one neuron in the text of an update, which may define several."""
    text = "\n".join(update.text)
    whole = text.replace("\r\n", "\n").split("\n")
    neurons = parse_neurons(text).neurons
    starts = [neuron.place.line - 1 for neuron in neurons]
    found = next(k for k, neuron in enumerate(neurons) if neuron.name == name)
    stop = starts[found + 1] if found + 1 < len(starts) else len(whole)
    lines = whole[starts[found] : stop]
    while lines and found + 1 < len(starts) and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()  # the comment belongs to the next neuron
    return lines


def option_rows(update: Update, name: str) -> Iterator[tuple[str, ...]]:
    """Yields the name, the values, the default and the device's value of each option of a neuron."""
    neurons = parse_neurons("\n".join(update.text)).neurons
    neuron = next(neuron for neuron in neurons if neuron.name == name)
    for option, values in neuron.options.items():
        yield code(option), codes(values), code(values[0]), code(update.options.get(option, ""))


# ---- unknown fields


def unknown_fields(device: Device) -> Iterator[tuple[str, ...]]:
    """Yields path, meaning, state and note of each null or absent field that a check could use."""
    for one in fields_of(Device):
        yield from unknown_in(device, one.name, getattr(device, one.name), one, Device)
        if one.name == "features" and "recurrence" not in device.features:
            yield code("features.recurrence"), "whether the device supports recurrent connections", "absent", ""


def unknown_in(device: Device, path: str, held: Any, one: Any, cls: type[Any]) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the field `one` of the record `cls` with the value `held`."""
    kind: Any = field_types(cls)[one.name]
    about = one.metadata["about"]
    if held is None and one.metadata.get("has_default"):
        return
    if held is None:
        is_section = is_record(kind) or get_origin(kind) is dict
        if (is_quantity(kind) or is_section) and is_relevant(device, path):
            yield code(path), about, "absent", ""
    elif path in LISTS and not held:
        yield code(path), about, "absent", ""
    elif isinstance(held, Quantity):
        if held.value is None:
            yield code(path), about, "null", held.note or ""
    elif isinstance(held, dict):
        inner = get_args(kind)[1]
        for name, item in cast("dict[str, Any]", held).items():
            if isinstance(item, Quantity):
                yield from unknown_in(device, f"{path}.{name}", item, one, cls)
            elif is_record(inner):
                for part in fields_of(inner):
                    yield from unknown_in(device, f"{path}.{name}.{part.name}", getattr(item, part.name), part, inner)
    elif is_record(held.__class__):
        for part in fields_of(held.__class__):
            yield from unknown_in(device, f"{path}.{part.name}", getattr(held, part.name), part, held.__class__)


def is_relevant(device: Device, path: str) -> bool:
    """Returns whether a check is skipped if a field is absent.

    A field that other fields make meaningless is not relevant: the window of an exact device, the arrangement of a single chip.
    """
    if path in OPTIONAL and path not in topology_class(device).uses:
        return False
    if path == "topology.chip_mesh":
        return (device.integer("topology.chips") or 1) > 1
    if path == "synapse.convolution":
        formats = device.synapse.formats if device.synapse is not None else {}
        return any(one.layout == "convolution" for one in formats.values())
    if path == "spike.most":
        return "count" in device.spike_kinds
    if path == "spike.payload_bits":
        return "graded" in device.spike_kinds
    if path.startswith(("cost.energy.", "cost.latency.")):
        section, _, name = path.rpartition(".")
        held = device.entry(section)
        return not specific_coefficients(held, name) and name not in superseded(held)
    return not path.startswith(("fidelity.", "quantization", "cost.objective"))
