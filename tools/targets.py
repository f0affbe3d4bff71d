"""Lists the targets, describes one of them, or shows what their devices support.

`--matrix` prints a table for each target: a row for each capability, a column for each device. A cell is a value, and its state unless it is `full`:
`partial`, `planned`, `unsupported` or `unpublished`. `?` is an unpublished value, `-` a value that the device file does not specify.
With `TARGET/DEVICE`, the table has the notes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from ..api.catalogue import TargetEntry, target, targets
from ..api.devices import COLUMNS, described_devices, matrix
from ..api.readiness import STATES, capabilities, capability_totals, readiness_ranking
from ..api.readiness_tables import (
    Table,
    capability_tables,
    html,
    markdown,
    markdown_link,
    no_link,
    ranking_table,
    totals_table,
)
from ..core.diagnostics import Diagnostics
from .command import refuse_misuse, show, show_result, table

PROG = "nopt targets"
EXAMPLE = "nopt targets reference"
NOTHING = Table("nothing", ("no cell of the matrix is like that",), ())
FORMATS = ("text", "json", "sarif", "md", "html")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one target, with its devices")
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="the capabilities of all devices, of those of one target, or of TARGET/DEVICE",
    )
    group = parser.add_argument_group("parts of the matrix")
    group.add_argument("--state", choices=STATES, help="cells in this state alone")
    group.add_argument("--capability", metavar="NAME", help="one capability alone, such as fan-in")
    group.add_argument("--note", metavar="TEXT", help="cells whose note contains the text")
    group.add_argument(
        "--totals", choices=("device", "target", "capability"), help="count the cells in each state instead"
    )
    group.add_argument(
        "--ranking", action="store_true", help="list the devices by the share of ready capabilities instead"
    )


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.matrix:
        show_matrix(args)
        return
    found = [target(args.name)] if args.name is not None else targets()
    if args.format in ("md", "html"):
        name = "Markdown" if args.format == "md" else "HTML"
        asked = f"--format {args.format}"
        refuse_misuse(PROG, f"only the matrix can be written as {name}", "--matrix", asked, f"{PROG} --matrix {asked}")
    given = {"--state": args.state, "--capability": args.capability, "--note": args.note}
    for flag, value in (given | {"--totals": args.totals, "--ranking": args.ranking or None}).items():
        if value is not None:
            refuse_misuse(PROG, f"{flag} selects from the matrix", "--matrix", flag, f"{PROG} --matrix --ranking")
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
    """Prints the matrix or its summary; as text, titles precede the tables of several targets."""
    made = tables(args)
    if args.format == "md":
        show(markdown(made))
    elif args.format == "html":
        show(html(made))
    else:
        show_result(args.format, lambda: matrix_record(args), lambda: "\n\n".join(map(titled(len(made)), made)))


def titled(count: int) -> Callable[[Table], str]:
    """Returns the function that formats a table, with its title if there are several."""
    return lambda one: f"{one.title}\n" * (count > 1) + table([one.head, *one.rows])


def tables(args: argparse.Namespace) -> list[Table]:
    if args.totals:
        return [totals_table(capability_totals(args.totals, args.name))]
    if args.ranking:
        return [ranking_table(readiness_ranking(args.name))]
    cells = capabilities(args.name, state=args.state, name=args.capability, note=args.note)
    return list(capability_tables(cells, markdown_link if args.format == "md" else no_link)) if cells else [NOTHING]


def matrix_record(args: argparse.Namespace) -> dict[str, Any]:
    """Returns the record `nopt.matrix/1`."""
    cells = capabilities(args.name, state=args.state, name=args.capability, note=args.note)
    return {
        "schema": "nopt.matrix/1",
        "columns": list(COLUMNS),
        "rows": matrix(args.name),
        "cells": [cell.as_json() for cell in cells],
        "totals": capability_totals(args.totals, args.name),
        "ranking": [one.as_json() for one in readiness_ranking(args.name)],
    }
