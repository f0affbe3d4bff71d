"""Every field of a device file is used by a reader; an unused field is a defect.

A reader is a file outside of those that load, check and print devices. It reads `core.neurons` with the path as a text, alone or within an
f-string (`device.integer("core.neurons")`), or as the attributes `core.neurons`. Members of records with individual names are read from
a variable with a name of ALIASES. PENDING lists unused fields, with the part of the work that will use them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args, get_origin

import attrs
import pytest
from places import ROOT

from nopt.core.device.cost.records import MEANINGS, POWERS
from nopt.core.device.fields import fields_of, is_quantity
from nopt.core.device.reader import field_types
from nopt.core.device.records import Device

ROOMS = ("core", "dialects", "analysis", "passes", "api", "targets", "simulation", "tools")
WALKERS = (
    "checks",
    "device",
    "fields",
    "reader",
    "records",
    "schema",
    "synapse_records",
    "core_records",
    "topology_records",
)
GENERIC = (*(f"core/device/{stem}.py" for stem in WALKERS), "api/device")
"""Files that treat all fields alike; their reads have no effect on a network."""
BESIDE = ("source", "note", "unit", "confidence", "value")
"""Fields of every fact for people: shown by `cite` and by the page of the device."""
CHECKED = {
    "schema": "the version",
    "overridden": "the report of a compilation",
    "sources": "cite",
    "fidelity.window": "checks of the tier",
    "fidelity.tolerance": "checks of the tier",
    "core.memory_bytes": "the sum of the regions",
    "neuron.updates.*.file": "its text is read from there",
    "preferences": "Device.preferred, which targets take",
}
"""Fields that the loader itself uses, and their use."""
ALIASES: dict[str, tuple[str, ...]] = {
    "device": ("machine",),
    "core.memory.*": ("region",),
    "core.shared.*": ("shared", "group"),
    "core_kinds.*": ("kind",),
    "core_kinds.*.memory.*": ("size",),
    "synapse.formats.*": ("format", "one"),
    "neuron.updates.*": ("update", "one"),
    "plasticity.*": ("rule",),
    "cost.latency.barrier.*": ("one",),
    "cost.latency": ("latency", "section"),
    "cost.others.*": ("other",),
    "cost.inferences.*": ("one",),
    "cost": ("cost", "declared"),
    "memory.*": ("store",),
    "recipes[]": ("recipe",),
    "recipes[].fallbacks.*": ("fallback",),
    "fallbacks.*": ("fallback", "known", "one"),
    "constraints[]": ("constraint", "constraints"),
    "topology.faulty[]": ("spot",),
    "topology.reserved[]": ("spot",),
    "topology.torus.dead_links[]": ("dead_link",),
    "quantization": ("quantization", "advice"),
    "spike": ("spike", "spikes"),
}
"""Names of variables that hold such a record."""
PENDING: dict[str, str] = {}
"""Unused fields, with the part of the work that will use them."""


def leaves(cls: Any = Device, path: str = "") -> Iterator[str]:
    """Yields the path of every field that does not hold a record; `*` for free names, `[]` for elements of a list."""
    for one in fields_of(cls):
        here, kind = f"{path}.{one.name}" if path else one.name, field_types(cls)[one.name]
        inner = get_args(kind)[-1 if get_origin(kind) is dict else 0] if get_args(kind) else None
        if not is_quantity(kind) and attrs.has(kind):
            yield from leaves(kind, here)
        elif is_quantity(inner):
            yield here
        elif inner is not None and attrs.has(inner):
            yield from leaves(inner, f"{here}.*" if get_origin(kind) is dict else f"{here}[]")
        elif one.name not in BESIDE:
            yield here


@cache
def read_names() -> frozenset[str]:
    """Returns all possible paths of fields: texts, and dotted attributes with their objects."""
    found: set[str] = set()
    for path in sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        if path.relative_to(ROOT).as_posix().startswith(GENERIC):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
                found.add(node.value.strip("."))
            elif isinstance(node, ast.Attribute):
                owner = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
                found.add(f"{name}.{node.attr}")
            elif isinstance(node, ast.JoinedStr):
                parts = [str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values]
                found.add("".join(parts))
    return frozenset(found)


def is_read(path: str) -> bool:
    holder, _, name = path.rpartition(".")
    if holder.rpartition(".")[2] in ("energy", "latency") and name in (*MEANINGS, *POWERS):
        return True  # `costs.py` reads all coefficients by these names
    owners = ALIASES.get(holder, (holder.rpartition(".")[2] or "device",))
    wanted = {path, *(f"{owner}.{name}" for owner in owners)}
    return path in CHECKED or bool(wanted & read_names()) or any(text.startswith(f"{path}.") for text in read_names())


@pytest.mark.parametrize("path", list(leaves()))
def test_field_is_read(path: str) -> None:
    if path in PENDING and not is_read(path):
        pytest.xfail(f"to be read by: {PENDING[path]}")
    assert is_read(path), f"nothing acts on {path}: read it, or take it out of core/device/records.py"


def test_what_is_pending_is_a_field() -> None:
    assert {*PENDING} | {*CHECKED} <= {*leaves()}


def test_aliases_are_records_with_names() -> None:
    holders = {path.rpartition(".")[0] for path in leaves()}
    assert {*ALIASES} <= holders
