"""Lists the engines and whether each can run a network on this machine, with the reason if not, and their devices; fastest first.

The extras of the package follow: optional packages with their installed versions, and the command that installs them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..api.catalogue.package_extras import Extra, extras
from ..api.executing.candidates import auto_choice
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
    found, auto = engines(), auto_choice()
    optional = extras()
    record: dict[str, Any] = {
        "schema": "nopt.engines/1",
        "engines": [one.as_json() for one in found],
        "extras": [one.as_json() for one in optional],
        "auto": auto.as_json(),
    }
    parts = [engine_table(found), device_table(found), f"auto takes {auto.engine} on {auto.device}: {auto.reason}"]
    show_result(args.format, lambda: record, lambda: "\n\n".join([*parts, extra_table(optional)]))


def engine_table(found: Sequence[Engine]) -> str:
    """Formats a table of the engines, with the action that makes a missing one usable."""
    rows = [["engine", "usable", "version", "to use it"]]
    for engine in found:
        usable = "yes" if engine.is_usable else f"no: {engine.reason}"
        rows.append([engine.name, usable, engine.version or "", engine.help or ""])
    return table(rows)


def device_table(found: Sequence[Engine]) -> str:
    """Formats a table of the devices of usable engines."""
    rows = [["engine", "device", "interface", "driver", "kind", "memory free", "memory", "unified"]]
    for engine in found:
        for device in engine.devices if engine.is_usable else ():
            sizes = [size_text(device.memory_free_bytes), size_text(device.memory_total_bytes)]
            unified = {True: "yes", False: "no", None: ""}[device.is_unified]
            kind = "software" if device.is_software else "hardware"
            rows.append([engine.name, device.name, device.interface, device.driver or "", kind, *sizes, unified])
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
