"""Generated parts of pages: tables of presets, exporters and device fields."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import attrs

from nopt.analysis.exporters import load_exporter as load_exporter
from nopt.api.devices import COLUMNS, matrix
from nopt.api.preset_entries import facts
from nopt.core import registry
from nopt.core.device.fields import Quantity, Scalar, fields_of
from nopt.core.device.reader import field_types
from nopt.core.device.records import QUANTITIES, Device
from nopt.core.neuron.neuron import parse_neurons
from nopt.core.neuron.tree import Emit, Neuron

DOCS = Path(__file__).parent
ROOT = DOCS.parent


def page(*parts: str) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a Markdown table, or an empty text without rows."""
    if not rows:
        return ""
    shown = [[cell.replace("|", "\\|") for cell in row] for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in shown)


# ---- presets


def comment_of(text: str) -> str:
    """Returns the comment at the head of a preset file, as paragraphs."""
    head: list[str] = []
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        head.append(line.removeprefix("#").strip())
    return "\n".join(head).strip()


def presets() -> Iterator[tuple[str, str, Mapping[str, str | float], Sequence[Neuron]]]:
    """Yields name, comment, switches and neurons of every preset."""
    for name, path in registry.presets().items():
        text = path.read_text(encoding="utf-8")
        file = parse_neurons(text, shown(path))
        yield name, comment_of(text), dict(file.preset.switches) if file.preset else {}, file.neurons


def neurons_of(text: str) -> str:
    """Returns the text of the neurons of a preset file."""
    return text[re.search(r"^neuron ", text, re.MULTILINE).start() :].strip()  # pyright: ignore[reportOptionalMemberAccess]


def presets_part() -> str:
    parts: list[str] = []
    for name, comment, switches, _ in presets():
        text = registry.presets()[name].read_text(encoding="utf-8")
        listed = ", ".join(switch_text(*switch) for switch in switches.items())
        parts += [f"### {name}", comment, f"Switches: {listed}." if listed else "", f"```\n{neurons_of(text)}\n```"]
    return page(*parts)


def switch_text(name: str, value: str | float) -> str:
    return f"`{name} = {value if isinstance(value, str) else format(value, 'g')}`"


def reset_default(neurons: Sequence[Neuron]) -> str:
    """Returns the default value of `reset` of a preset's neurons."""
    values = {neuron.options["reset"][0] for neuron in neurons if "reset" in neuron.options}
    return " or ".join(f"`{value}`" for value in sorted(values))


def preset_table() -> str:
    rows: list[Sequence[str]] = []
    for name, comment, switches, neurons in presets():
        late = [
            switch_text(*switch)
            for switch in switches.items()
            if switch[0].endswith("_delay") or "_delay_" in switch[0]
        ]
        late = [text for text in late if not text.startswith("`loop_delay")]
        families = [family.removeprefix("nir.") for neuron in neurons for family in neuron.families]
        counts = any(emit.kind == "count" for neuron in neurons for emit in neuron.of(Emit))
        rows.append(
            (
                f"`{name}`",
                facts(comment).get("Versions", ""),
                ", ".join(f"`{family}`" for family in families),
                f"`{switches['reset']}`" if "reset" in switches else reset_default(neurons),
                "any number" if counts else "one",
                f"`{switches['loop_delay']}`" if "loop_delay" in switches else "",
                ", ".join(late),
            )
        )
    head = (
        "preset",
        "versions",
        "defines",
        "default reset",
        "spikes in a tick",
        "delayed in a cycle",
        "additional ticks",
    )
    return table(head, rows) + "\n"


def exporter_table() -> str:
    """Returns the table of the meaning of each exporter's numbers, by family."""
    rows: list[Sequence[str]] = []
    for name in registry.exporters():
        exporter = load_exporter(name)
        for family, rule in exporter.families.items():
            made = "<br>".join(f"`{parameter} = {text}`" for parameter, text in rule.texts.items())
            rows.append(
                (f"`{name}`", ", ".join(exporter.versions), f"`{family}`", rule.meaning, made, "<br>".join(rule.lost))
            )
        for wiring in exporter.wiring.values():
            rows.append((f"`{name}`", ", ".join(exporter.versions), "", wiring.meaning, f"`{wiring.record}`", ""))
    return table(("exporter", "versions", "family", "what its numbers mean", "repair", "not in the file"), rows) + "\n"


# ---- devices


def field_kind(cls: type[Any], one: Any) -> str:
    """Describes the content of a field of a device file briefly."""
    kind, range = field_types(cls)[one.name], one.metadata.get("range")
    if kind is Quantity:
        unit = f" [{range.unit}]" if range.unit != "1" else ""
        return f"{'integer' if range.is_whole else 'number'}{unit}"
    return type_text(kind)


def type_text(kind: Any) -> str:
    origin, kinds = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(f"`{one}`" for one in kinds)
    if origin is tuple:
        return f"list of {type_text(kinds[0])}"
    if origin is dict:
        names = "feature" if get_origin(kinds[0]) is Literal else "name"
        return f"{type_text(kinds[1])} by {names}"
    if kind == Scalar:
        return "number, text, true or false"
    return {str: "text", bool: "true or false", int: "integer"}.get(kind) or kind.__name__.lower()


def device_fields() -> str:
    """Returns a table for each record, in the order of their first occurrence."""
    order: dict[type[Any], str] = {}

    def meet(cls: type[Any], path: str) -> None:
        if cls in order or cls is Quantity:
            return
        order[cls] = path
        for one in fields_of(cls):
            kind = field_types(cls)[one.name]
            for inner, mark in (
                (kind, ""),
                *((arg, ".NAME" if get_origin(kind) is dict else "[]") for arg in get_args(kind)),
            ):
                if attrs.has(inner):
                    meet(inner, f"{path}.{one.name}{mark}".lstrip("."))

    meet(Device, "")
    parts: list[str] = []
    for cls, path in order.items():
        rows = [
            (
                f"`{one.name}`" + (" *" if one.default is attrs.NOTHING else ""),
                field_kind(cls, one),
                one.metadata["about"],
            )
            for one in fields_of(cls)
            if one.name != "overridden"
        ]
        about = (inspect.getdoc(cls) or "").partition("\n")[0]
        parts += [f"### {path or 'the file'}", about, table(("field", "holds", "meaning"), rows)]
    return page(*parts)


def device_quantities() -> str:
    return table(
        ("name", "unit", "meaning"), [(f"`{name}`", unit, about) for name, (unit, about) in QUANTITIES.items()]
    )


def device_matrix() -> str:
    return table(tuple(COLUMNS), [tuple(row.values()) for row in matrix()])
