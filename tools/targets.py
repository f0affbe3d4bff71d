"""Lists the targets, describes one of them, or compares the features of their devices in a table.

In the table `?` is an unpublished value, `-` a value that the device file does not specify.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..api.catalogue import TargetEntry, target, targets
from ..api.devices import COLUMNS, described_devices, matrix
from ..core.diagnostics import Diagnostics
from .command import refuse_misuse, show, show_result, table

PROG = "nopt targets"
EXAMPLE = "nopt targets reference"
FORMATS = ("text", "json", "sarif", "md")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one target, with its devices")
    parser.add_argument(
        "--matrix", action="store_true", help="the table of features of all devices, or of those of one target"
    )


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    found = [target(args.name)] if args.name is not None else targets()
    if args.matrix:
        show_matrix(args)
    elif args.format == "md":
        refuse_misuse(
            PROG,
            "only the matrix can be written as Markdown",
            "--matrix",
            "--format md",
            f"{PROG} --matrix --format md",
        )
    else:
        show_result(args.format, lambda: targets_record(found), lambda: targets_text(found, args.name is not None))


def targets_record(found: Sequence[TargetEntry]) -> dict[str, Any]:
    listed = [entry.as_json() | {"devices": described_devices(entry.slug)} for entry in found]
    return {"schema": "nopt.targets/1", "targets": listed}


def targets_text(found: Sequence[TargetEntry], is_whole: bool) -> str:
    """Formats a table of the targets, or one target with its devices."""
    if not is_whole:
        return table([[entry.slug, entry.summary] for entry in found])
    (entry,) = found
    lines = [f"{entry.slug}: {entry.summary}\n  source: {entry.source}"]
    if devices := described_devices(entry.slug):
        rows = table([[f"{entry.slug}/{one['name']}", one["summary"]] for one in devices]).split("\n")
        lines += ["  devices:", *(f"    {row}" for row in rows)]
    if entry.oracles:
        rows = table([[name, path] for name, path in entry.oracles.items()]).split("\n")
        lines += ["  external tools that check it, and the tests with each:", *(f"    {row}" for row in rows)]
    return "\n".join(lines)


def show_matrix(args: argparse.Namespace) -> None:
    rows = matrix(args.name)
    if args.format == "md":
        lines = [COLUMNS, ["---"] * len(COLUMNS), *(row.values() for row in rows)]
        show("\n".join(f"| {' | '.join(line)} |" for line in lines))
        return
    show_result(
        args.format,
        lambda: {"schema": "nopt.matrix/1", "columns": list(COLUMNS), "rows": rows},
        lambda: table([list(COLUMNS), *(list(row.values()) for row in rows)]),
    )
