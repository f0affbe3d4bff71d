"""How much of a stranger's file is read: limits that are looked at before anything is held in memory.

nopt net.nir --limit nodes=100000 --limit seconds=60
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import fields, frozen

from ..core.diagnostics import Code, ExitCode, refuse

LIM001 = Code(
    "LIM001",
    "a limit cannot be set so",
    cause="Limits are positive whole numbers, each with a name. The depth has a most, because text that is nested deeper cannot be "
    "read back.",
    remedy="Use a name and a number as the message lists them, for example `--limit nodes=100000`.",
    exit_code=ExitCode.MISUSED,
)

DEEPEST = 64
"""Most graphs within graphs that any part of nopt follows."""


@frozen
class Limits:
    """What a file may ask for. The defaults fit networks of 10^8 synapses."""

    bytes: int = 2**29
    """All arrays of the file together, as they are in memory, and the parameters that are written out for one population."""
    nodes: int = 10_000
    """Nodes in all graphs."""
    entries: int = 500_000
    """Groups, arrays and texts, each time that one is reached."""
    depth: int = DEEPEST
    """Graphs within graphs; at most 64."""
    seconds: int = 4
    """Processor time for reading the format; on a busy machine it may take twice as long."""


def limits_of(given: Mapping[str, int] | Sequence[str]) -> Limits:
    """Limits from texts `NAME=N`, or from a mapping; what is not named keeps its default.

    Errors: LIM001 an unknown name, or no positive whole number.
    """
    known = {field.name: field.default for field in fields(Limits)}
    texts = [f"{name}={value}" for name, value in given.items()] if isinstance(given, Mapping) else given
    found: dict[str, int] = {}
    for name, _, text in (text.partition("=") for text in texts):
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0
        if name not in known or not 1 <= number < 2**63 or (name == "depth" and number > DEEPEST):
            refuse(
                LIM001,
                "a limit cannot be set so",
                at="--limit",
                expected="one of " + ", ".join(f"{name}={default}" for name, default in known.items()),
                found=f"{name}={text}",
                help="--limit nodes=100000",
            )
        found[name] = number
    return Limits(**found)
