"""Lists the engines and whether each can run a network on this machine, with the reason if not; fastest first.

The extras of the package follow: optional packages with their installed versions, and the command that installs them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..api.catalogue.package_extras import Extra, extras
from ..api.executing.listing import Engine, engines
from ..core.diagnostics import Diagnostics
from .command import show_result, table

PROG = "nopt engines"
EXAMPLES = {
    "the engines, with the reason where one is not usable": ["nopt engines"],
    "for a program": ["nopt engines --format json"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    found = engines()
    optional = extras()
    record = {"schema": "nopt.engines/1"} | {
        name: [one.as_json() for one in entries] for name, entries in (("engines", found), ("extras", optional))
    }
    show_result(args.format, lambda: record, lambda: f"{engine_table(found)}\n\n{extra_table(optional)}")


def engine_table(found: Sequence[Engine]) -> str:
    """Formats a table of the engines."""
    rows = [["engine", "usable", "version", "memory free", "memory"]]
    for engine in found:
        memory = [size_text(engine.memory_free_bytes), size_text(engine.memory_total_bytes)]
        usable = "yes" if engine.is_usable else f"no: {engine.reason}"
        rows.append([engine.name, usable, engine.version or "", *memory])
    return table(rows)


def size_text(size: int | None) -> str:
    return "" if size is None else f"{size / 2**30:.1f} GiB"


def extra_table(found: Sequence[Extra]) -> str:
    """Formats a table of the extras with packages, and the installation command of each missing extra."""
    rows = [["extra", "installed", "packages", "to install"]]
    for extra in (extra for extra in found if extra.packages):
        packages = ", ".join(f"{name} {version or 'missing'}" for name, version in extra.packages.items())
        rows.append(
            [
                extra.name,
                "yes" if extra.is_installed else "no",
                packages,
                "" if extra.is_installed else extra.command,
            ]
        )
    return table(rows)
