"""Lists the presets: the versions of the framework for which each holds, the families that it defines, and the options of their neurons.

The first value of an option is its default. The files contain the equations; their header comments list the sources.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..api.catalogue.preset_entries import PresetEntry, presets
from ..core.diagnostics import Diagnostics
from .command import show_list, table

PROG = "nopt presets"
EXAMPLES = {
    "the names for --like": ["nopt presets"],
}
FORMATS = ("text", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    found = presets()
    show_list(args.format, "presets", found, lambda: presets_text(found))


def presets_text(found: Sequence[PresetEntry]) -> str:
    rows = [["preset", "versions", "families"]]
    rows += [[preset.name, preset.versions, ", ".join(preset.families)] for preset in found]
    return "\n\n".join([table(rows), *(options_text(preset) for preset in found if any(preset.families.values()))])


def options_text(preset: PresetEntry) -> str:
    """Yields the options of a preset's neurons, and the initial value of its states."""
    listed: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for family, options in preset.families.items():
        for option, values in options.items():
            listed.setdefault((option, values), []).append(family)
    lines = [f"  {option} = {' | '.join(values)}  ({', '.join(own)})" for (option, values), own in listed.items()]
    other = [f"  other versions: {preset.difference}"] if preset.difference else []
    return "\n".join([preset.name, *lines, f"  starts at {preset.initial_state}", *other])
