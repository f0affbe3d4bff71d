"""Lists the neurons of presets, of the files that passes convert to, and of devices, with the families of NIR that each implements.

`--like PRESET` takes a preset, `ntensor-set-neuron-model{to=FILE}` a file or a device. The first value of an option is its default.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..api.catalogue.neuron_entries import NeuronEntry, neurons
from ..core.diagnostics import Diagnostics
from .command import show_list, table

PROG = "nopt neurons"
EXAMPLES = {
    "the neurons, by name": ["nopt neurons"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    found = neurons()
    show_list(args.format, "neurons", found, lambda: neuron_table(found))


def neuron_table(found: Sequence[NeuronEntry]) -> str:
    """Formats a table of the neurons."""
    rows = [["origin", "file", "neuron", "families", "emits", "options"]]
    for one in found:
        options = "; ".join(f"{name} = {' | '.join(values)}" for name, values in one.options.items())
        rows.append([one.origin, one.file, one.name, ", ".join(one.families), one.emits, options])
    return table(rows)
