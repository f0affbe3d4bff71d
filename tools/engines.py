"""Lists the engines and whether each can run a network on this machine, with the reason if not; fastest first."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..api.execution import Engine, engines
from ..core.diagnostics import Diagnostics
from .command import show_list, table

PROG = "nopt engines"
EXAMPLE = "nopt engines --format json"


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    found = engines()
    show_list(args.format, "engines", found, lambda: engine_table(found))


def engine_table(found: Sequence[Engine]) -> str:
    """Formats a table of the engines."""
    rows = [["engine", "usable", "version", "memory free"]]
    for engine in found:
        memory = "" if engine.memory_free_bytes is None else f"{engine.memory_free_bytes / 2**30:.1f} GiB"
        usable = "yes" if engine.is_usable else f"no: {engine.reason}"
        rows.append([engine.name, usable, engine.version or "", memory])
    return table(rows)
