"""Lists the machines that nopt knows, says what one is, or shows side by side what their devices can do.

In the matrix `?` stands for what nobody has published, `-` for what a device file does not say.
"""

from __future__ import annotations

import argparse
import json

from ..api.catalogue import target, targets
from ..api.devices import COLUMNS, described_devices, matrix
from ..core.diagnostics import Diagnostics, ExitCode
from .command import misused, table

PROG = "nopt targets"
EXAMPLE = "nopt targets reference"
FORMATS = ("text", "json", "sarif", "md")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one target, with its devices")
    parser.add_argument("--matrix", action="store_true", help="what all devices, or those of one target, can do")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    found = [target(args.name)] if args.name else targets()
    if args.matrix:
        show_matrix(args)
    elif args.format == "md":
        misused(
            PROG, "only the matrix is written as Markdown", "--matrix", "--format md", f"{PROG} --matrix --format md"
        )
    elif args.format == "json":
        listed = [entry.as_json() | {"devices": described_devices(entry.slug)} for entry in found]
        print(json.dumps({"schema": "nopt.targets/1", "targets": listed}, indent=2))
    elif args.name:
        (entry,) = found
        print(f"{entry.slug}: {entry.summary}\n  source: {entry.source}")
        if devices := described_devices(entry.slug):
            lines = table([[f"{entry.slug}/{one['name']}", one["summary"]] for one in devices]).split("\n")
            print("\n".join(["  devices:", *(f"    {line}" for line in lines)]))
    elif found:
        print(table([[entry.slug, entry.summary] for entry in found]))
    return ExitCode.DONE


def show_matrix(args: argparse.Namespace) -> None:
    rows = matrix(args.name)
    if args.format == "json":
        print(json.dumps({"schema": "nopt.matrix/1", "columns": list(COLUMNS), "rows": rows}, indent=2))
    elif args.format == "md":
        lines = [COLUMNS, ("---",) * len(COLUMNS), *(tuple(row.values()) for row in rows)]
        print("\n".join(f"| {' | '.join(line)} |" for line in lines))
    else:
        print(table([list(COLUMNS), *(list(row.values()) for row in rows)]))
