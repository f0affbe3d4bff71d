"""The presets: for each, the framework versions that it was compared with, its neurons, and their options."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from ...analysis.presets import read_neuron_file
from ...core import registry
from ..json_record import Record

FACT = re.compile(r"(Versions|Difference|Arguments|Initial state|Source): ")


@frozen
class PresetEntry(Record):
    """One preset."""

    name: str
    versions: str
    """The framework, and its versions that the preset was compared with."""
    difference: str
    """Difference from the preset for other versions of the framework; empty if no such preset exists."""
    arguments: str
    """Constructor arguments of the framework that correspond to the options; may be empty."""
    initial_state: str
    """Initial value of its states, and the source of it."""
    switches: Mapping[str, str | float]
    families: Mapping[str, Mapping[str, tuple[str, ...]]]
    """NIR families that the preset defines, each with the options of its neuron; the first value is the default."""


def facts(comment: str) -> dict[str, str]:
    """Returns the statements at the head of a preset: a line that begins with `NAME: `, up to the next one or an empty line."""
    found: dict[str, list[str]] = {}
    now: list[str] | None = None
    for line in comment.split("\n"):
        if match := FACT.match(line):
            now = found.setdefault(match[1], [])
            now.append(line[match.end() :])
        elif not line.strip():
            now = None
        elif now is not None:
            now.append(line.strip())
    return {name: " ".join(lines).rstrip(".") for name, lines in found.items()}


def presets() -> list[PresetEntry]:
    """Returns every preset of the installation, by name.

        [(preset.name, preset.versions) for preset in nopt.presets()]

    An entry contains the framework versions, the arguments and the initial state from the file of the preset.
    """
    found: list[PresetEntry] = []
    for name, path in registry.presets().items():
        file = read_neuron_file(path)
        stated = facts(file.comment)
        families = {
            family.removeprefix("nir."): neuron.options for neuron in file.neurons for family in neuron.families
        }
        switches = dict(file.preset.switches) if file.preset else {}
        found.append(
            PresetEntry(
                name=name,
                versions=stated.get("Versions", ""),
                difference=stated.get("Difference", ""),
                arguments=stated.get("Arguments", ""),
                initial_state=stated.get("Initial state", ""),
                switches=switches,
                families=families,
            )
        )
    return found
