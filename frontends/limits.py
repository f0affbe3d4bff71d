"""Limits on reading untrusted files, which are checked before data is loaded into memory.

nopt net.nir --limit nodes=100000 --limit seconds=60
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from attrs import fields, frozen

from ..core.counts import LARGEST_COUNT, count_of
from ..core.diagnostics import Code, ExitCode, refuse
from ..core.help_text import Phrase, WithoutOptions, other_key

NIF027 = Code("NIF027", "file-contents-exceed-limit", "the contents of the file exceed a limit")
NIF036 = Code("NIF036", "reader-limit-invalid", "invalid limit", exit_code=ExitCode.MISUSED)

DEEPEST_GRAPH = 64
"""Maximum nesting depth of graphs in all parts of nopt."""


@frozen
class Limits:
    """Limits on the contents of a file. The defaults fit networks of 10^8 synapses."""

    bytes: int = 2**29
    """Size in memory of all arrays of the file, and of the expanded parameters of one population."""
    nodes: int = 10_000
    """Nodes in all graphs."""
    entries: int = 500_000
    """Groups, arrays and texts; each visit is counted."""
    depth: int = DEEPEST_GRAPH
    """Nesting depth of graphs; at most 64."""
    seconds: int = 4
    """Processor time for reading the format; the elapsed time may be twice as long on a busy machine."""


DEFAULTS = Limits()


def raised_limit(name: str, value: int) -> str:
    """Returns the option that raises a limit to a value, or the explanation of the finding if no limit is so large."""
    return f"--limit {name}={value}" if value <= LARGEST_COUNT else f"nopt explain {NIF027.id}"


def limits_of(given: Mapping[str, int] | Sequence[str]) -> Limits:
    """Builds limits from texts `NAME=N`, or from a mapping. Missing limits have their defaults.

    Errors: NIF036 an unknown name, a value that is not a positive integer, or two values of one limit.
    """
    known: dict[str, Any] = {field.name: field.default for field in fields(Limits)}
    texts = [f"{name}={value}" for name, value in given.items()] if isinstance(given, Mapping) else given
    found: dict[str, int] = {}
    for name, _, text in (text.partition("=") for text in texts):
        number = count_of(text) or 0
        if name not in known or number < 1 or (name == "depth" and number > DEEPEST_GRAPH):
            near: str = next(iter(get_close_matches(name, known, 1, 0)), next(iter(known)))
            refuse(
                NIF036,
                at="--limit",
                expected="one of " + ", ".join(f"{name}={default}" for name, default in known.items()),
                found=f"{name}={text}",
                help=Phrase(other_key("--limit", name, near, text if number and near != name else str(known[near]))),
            )
        if found.setdefault(name, number) != number:
            refuse(
                NIF036,
                f"the limit {name} has two values",
                at="--limit",
                expected="one value of each limit",
                found=f"{found[name]} and {number}",
                help=Phrase(WithoutOptions(("--limit",), f"{name}={found[name]}")),
            )
    return Limits(**found)
