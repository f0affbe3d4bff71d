"""Options of single populations: `NODE.NAME=VALUE,…`, such as `readout.reset=none`, in front of the options of the whole network.

node_options("readout.reset=none", {"lif1": "lif", "readout": "lif"}, rules) == {"readout": {"reset": "none"}}
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import NoReturn

from ..core.diagnostics import Code, ExitCode, first_of, refuse
from ..core.phrases import Phrase, option
from .presets import Rules

PRE008 = Code("PRE008", "an option of a population cannot be applied", exit_code=ExitCode.MISUSED)

POPULATIONS_SHOWN = 6


def node_options(text: str | None, families: Mapping[str, str], rules: Rules) -> dict[str, dict[str, str]]:
    """Returns the options of each population that a text names. `families` are the families of all populations, by name.

    Errors: PRE008 no such population, or its neuron has no such option or value.
    """
    found: dict[str, dict[str, str]] = {}
    for entry in (part.strip() for part in (text or "").split(",")):
        if not entry:
            continue
        left, _, value = (part.strip() for part in entry.partition("="))
        node, _, name = left.rpartition(".")
        if node not in families:
            near = (get_close_matches(node, families, 1, 0) or ["NODE"])[0]
            expected = f"NODE.NAME=VALUE, with one of {first_of(list(families), POPULATIONS_SHOWN)}"
            refuse_entry(entry, expected, node or entry, f"{near}.{name}={value}" if node else f"{near}.{left}={value}")
        neuron, _ = rules.neuron(families[node])
        if name not in neuron.options:
            known = list(neuron.options)
            near = (get_close_matches(name, known, 1, 0) or ["NAME"])[0]
            refuse_entry(entry, f"one of {', '.join(known) or 'no option'}", name, f"{node}.{near}={value}")
        values = list(neuron.options[name])
        if value not in values:
            near = (get_close_matches(value, values, 1, 0) or values)[0]
            refuse_entry(entry, f"one of {', '.join(values)}", value or "no value", f"{node}.{name}={near}")
        found.setdefault(node, {})[name] = value
    return found


def refuse_entry(entry: str, expected: str, found: str, fitting: str) -> NoReturn:
    at = Phrase(option("options-at", entry, f'"{entry}"'))
    help = Phrase(option("options-at", fitting, f'"{fitting}"'))
    refuse(PRE008, at=at, expected=expected, found=found, help=help)
