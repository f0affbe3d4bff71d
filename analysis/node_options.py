"""Options of a network, `NAME=VALUE,…`, and of single populations, `NODE.NAME=VALUE,…`, which hold instead of those of the network.

network_options("reset=zero") == {"reset": "zero"}
node_options("readout.reset=none", {"lif1": "lif", "readout": "lif"}, rules) == {"readout": {"reset": "none"}}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import NoReturn

from ..core.contradictions import find_contradiction
from ..core.diagnostics import Code, ExitCode, first_of, refuse
from ..core.help_text import Option, Phrase, WithoutOptions, option
from .presets import Rules

ANA024 = Code(
    "ANA024",
    "population-option-inapplicable",
    "an option of a population cannot be applied",
    exit_code=ExitCode.MISUSED,
)
ANA025 = Code("ANA025", "option-given-twice", "an option has two values", exit_code=ExitCode.MISUSED)

POPULATIONS_SHOWN = 6


def node_options(text: str | None, families: Mapping[str, str], rules: Rules) -> dict[str, dict[str, str]]:
    """Returns the options of each population that a text names. `families` are the families of all populations, by name.

    Errors: ANA024 no such population, or its neuron has no such option or value; ANA025 two values of one option.
    """
    found: dict[str, dict[str, str]] = {}
    refuse_two_values("options-at", text)
    for entry in entries_of(text):
        left, _, value = (part.strip() for part in entry.partition("="))
        node, _, name = left.rpartition(".")
        known = rules.neuron(families[node])[0].options if node in families else {}
        values = list(known.get(name, ()))
        if value not in values:
            if node not in families:
                expected, wrong = f"NODE.NAME=VALUE, with one of {first_of(list(families), POPULATIONS_SHOWN)}", node
            elif name not in known:
                expected, wrong = f"one of {', '.join(known) or 'no option'}", name
            else:
                expected, wrong = f"one of {', '.join(values)}", value or "no value"
            refuse_entry(entry, expected, wrong or entry, with_nearest(str(text), entry, families, rules))
        found.setdefault(node, {})[name] = value
    return found


def network_options(text: str | None, reset: str | None = None) -> dict[str, str]:
    """Returns the network options in a text; `reset` is the reset rule of the separate option `reset`.

    Errors: ANA025 two values of one option.
    """
    refuse_two_values("options", text)
    found = dict(assignments(text))
    if reset and found.setdefault("reset", reset) != reset:
        inner = Option(
            f"options=reset={found['reset']} reset={reset}", f"--options reset={found['reset']} --reset {reset}"
        )
        refuse(
            ANA025,
            "the option reset has two values",
            at=Phrase(inner),
            expected="one value of each option",
            found=f"{found['reset']} and {reset}",
            help=Phrase(WithoutOptions(("--reset",), in_pipeline=f"leave reset={reset} out")),
        )
    return found


def entries_of(text: str | None) -> Iterator[str]:
    """Yields the entries of a list with commas."""
    yield from filter(None, (entry.strip() for entry in (text or "").split(",")))


def assignments(text: str | None) -> Iterator[tuple[str, str]]:
    """Yields name and value of each `NAME=VALUE` of a list."""
    for entry in entries_of(text):
        name, _, value = entry.partition("=")
        yield name.strip(), value.strip()


def refuse_two_values(flag: str, text: str | None) -> None:
    """Refuses a list with two values of one option. Errors: ANA025."""
    wrong = find_contradiction(assignments(text))
    if wrong is not None:
        name, first, second = wrong
        kept = ",".join(f"{key}={value}" for key, value in assignments(text) if (key, value) != (name, first))
        refuse(
            ANA025,
            f"the option {name} has two values",
            at=Phrase(option(flag, text or "", f'"{text}"')),
            expected="one value of each option",
            found=f"{first} and {second}",
            help=Phrase(option(flag, kept, f'"{kept}"')),
        )


def with_nearest(text: str, entry: str, families: Mapping[str, str], rules: Rules) -> str:
    """Returns the list with a wrong entry replaced by the most similar valid entry; without the entry if no option is free for it."""
    left, _, value = (part.strip() for part in entry.partition("="))
    node, _, name = left.rpartition(".")
    options = {one: rules.neuron(family)[0].options for one, family in families.items()}
    node = nearest(node, [one for one, known in options.items() if known or one == node])
    name = nearest(name, options.get(node, {}))
    others = [one for one in entries_of(text) if one != entry]
    if name and f"{node}.{name}" not in (key for key, _ in assignments(",".join(others))):
        others.append(f"{node}.{name}={nearest(value, options[node][name])}")
    return ",".join(others)


def nearest(word: str, words: Iterable[str]) -> str:
    """Returns the word of a list that is most similar to a given word; an empty text if the list is empty."""
    return (get_close_matches(word, known := list(words), 1, 0) or [*known, ""])[0]


def refuse_entry(entry: str, expected: str, found: str, fitting: str) -> NoReturn:
    """Refuses an entry; `fitting` is the list of entries without the fault. Errors: ANA024."""
    at = Phrase(option("options-at", entry, f'"{entry}"'))
    left_out = WithoutOptions(("--options-at",), in_pipeline="leave options-at out")
    help = Phrase(option("options-at", fitting, f'"{fitting}"') if fitting else left_out)
    refuse(ANA024, at=at, expected=expected, found=found, help=help)
