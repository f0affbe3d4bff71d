"""Lists the targets, describes one of them, or shows what their devices support.

`--matrix` prints a table for each target: a row for each capability, a column for each device. A cell is a value, and its state unless it is `full`:
`partial`, `planned`, `unsupported` or `unpublished`. `?` is an unpublished value, `-` a value that the device file does not specify.
With `TARGET/DEVICE`, the table has the notes.

`--ops` compiles a small network with each op, for `TARGET/DEVICE`, or for the default device of a target or of all targets, which takes a minute. A
cell is `exact`, `approximate`, `refused` or `planned`, for weights that are reals (`f32`) or integers (`i8`, `i4`). `--features` lists the devices
that serve each feature of networks, with or without passes that replace it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from ..api.capability.feature_services import feature_choices, feature_table
from ..api.capability.matrix import STATES, capabilities, capability_totals, readiness_ranking
from ..api.capability.op_support import OP_STATES, op_support, op_tables
from ..api.capability.op_support_networks import PROBES
from ..api.capability.tables import (
    Table,
    capability_tables,
    html,
    markdown,
    markdown_link,
    no_link,
    ranking_table,
    totals_table,
)
from ..api.catalogue.listing import TargetEntry, target, targets
from ..api.catalogue.package_extras import backend_extra
from ..api.devices.device_files import COLUMNS, described_devices, device_columns, execution_text, file_of, matrix
from ..api.executing.listing import target_engine
from ..core.diagnostics import Diagnostics
from .command import refuse_misuse, show, show_result, table
from .engines import size_text
from .progress import Bar

PROG = "nopt targets"
IS_LONG = True
EXAMPLES = {
    "all targets": ["nopt targets"],
    "one target, with its devices": ["nopt targets reference"],
    "the limits of the devices of a target": ["nopt targets asic --matrix"],
    "whether a device runs an op exactly, approximately or not": ["nopt targets asic/mesh --ops --op nir.cuba_lif"],
}
NOTHING = Table("nothing", ("no cell of the table is like that",), ())
OPS = tuple(one.op for one in PROBES)
FORMATS = ("text", "json", "sarif", "md", "html")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one target, with its devices")
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="the capabilities of all devices, of those of one target, or of TARGET/DEVICE",
    )
    parser.add_argument("--ops", action="store_true", help="the ops that devices run exactly, approximately or not")
    parser.add_argument(
        "--features", action="store_true", help="the devices that serve each feature of networks, and with which passes"
    )
    group = parser.add_argument_group("parts of these tables")
    states = dict.fromkeys((*STATES, *OP_STATES))
    group.add_argument("--state", choices=tuple(states), help="cells in this state alone")
    group.add_argument("--op", metavar="NAME", help="one op alone, such as nir.conv2d")
    group.add_argument("--capability", metavar="NAME", help="one capability alone, such as fan-in")
    group.add_argument("--note", metavar="TEXT", help="cells whose note contains the text")
    group.add_argument(
        "--totals", choices=("device", "target", "capability"), help="count the cells in each state instead"
    )
    group.add_argument(
        "--ranking", action="store_true", help="list the devices by the share of ready capabilities instead"
    )


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    refuse_options(args)
    if args.ops or args.features:
        (show_ops if args.ops else show_features)(args)
        return
    if args.matrix:
        show_tables(args, tables(args), lambda: matrix_record(args))
        return
    slug, slash, _ = (args.name or "").partition("/")
    found = [target(slug)] if slug else targets()
    if slash:
        file_of(args.name)  # refuses a device that the target does not have
    page = device_text(args.name) if slash else ""
    show_result(args.format, lambda: targets_record(found), lambda: targets_text(found, bool(slug)) + page)


def device_text(key: str) -> str:
    """Returns the lines about one device: its execution, and the command for its page."""
    (device,) = device_columns(key)
    return f"\n  execution of {key}: {execution_text(device)}\n  page of the device: nopt device doc {key}"


def refuse_options(args: argparse.Namespace) -> None:
    """Refuses several tables, and options of a table that is not requested. Errors: CLI001."""
    asked = [flag for flag in ("--matrix", "--ops", "--features") if getattr(args, flag.removeprefix("--"))]
    if len(asked) > 1:
        refuse_misuse(PROG, "several tables are asked for", " or ".join(asked), " ".join(asked), f"{PROG} {asked[0]}")
    if not asked and args.format in ("md", "html"):
        name = "Markdown" if args.format == "md" else "HTML"
        asked = f"--format {args.format}"
        refuse_misuse(PROG, f"only the matrix can be written as {name}", "--matrix", asked, f"{PROG} --matrix {asked}")
    given = {"--capability": args.capability, "--totals": args.totals, "--ranking": args.ranking or None}
    for flag in (flag for flag, value in given.items() if value is not None and not args.matrix):
        refuse_misuse(PROG, f"{flag} selects from the matrix", "--matrix", flag, f"{PROG} --matrix --ranking")
    if args.op is not None and not args.ops:
        refuse_misuse(PROG, "--op selects from the table of ops", "--ops", "--op", f"{PROG} asic --ops --op nir.linear")
    if args.op is not None and args.op not in OPS:
        near: str = get_close_matches(str(args.op), OPS, 1, 0)[0]
        refuse_misuse(PROG, f"unknown op {args.op}", ", ".join(OPS), args.op, f"{PROG} asic --ops --op {near}")
    if (args.state is not None or args.note is not None) and not (args.matrix or args.ops):
        flag = "--note" if args.state is None else "--state"
        refuse_misuse(PROG, f"{flag} selects from the matrix", "--matrix", flag, f"{PROG} --matrix --ranking")
    states = OP_STATES if args.ops else STATES
    if args.state is not None and args.state not in states:
        table = "--ops" if args.ops else "--matrix"
        asked = f"--state {args.state}"
        refuse_misuse(
            PROG,
            f"no cell has the state {args.state}",
            ", ".join(states),
            asked,
            f"{PROG} asic {table} --state {states[0]}",
        )


def show_ops(args: argparse.Namespace) -> None:
    """Prints the table of ops, restricted to cells with the requested state and note."""
    with Bar("ops") as bar:
        cells = op_support(args.name, op=args.op, state=args.state, progress=bar.progress)
    if args.note is not None:
        cells = [cell for cell in cells if args.note.casefold() in cell.note.casefold()]
    made = list(op_tables(cells, markdown_link if args.format == "md" else no_link)) or [NOTHING]
    record = {"schema": "nopt.ops/1", "cells": [cell.as_json() for cell in cells]}
    show_tables(args, made, lambda: record)


def show_features(args: argparse.Namespace) -> None:
    """Prints the devices that serve each feature."""
    with Bar("devices") as bar:
        found = feature_choices(args.name, progress=bar.progress)
    made = feature_table(found, markdown_link if args.format == "md" else no_link)
    record = {"schema": "nopt.features/1", "features": [one.as_json() for one in found]}
    show_tables(args, [made], lambda: record)


def targets_record(found: Sequence[TargetEntry]) -> dict[str, Any]:
    listed = [
        entry.as_json() | {"devices": described_devices(entry.slug)} | needs_record(entry.slug) for entry in found
    ]
    return {"schema": "nopt.targets/1", "targets": listed}


def needs_record(slug: str) -> dict[str, Any]:
    """Returns the packages that a target needs, and the engine that it provides."""
    extra, engine = backend_extra(slug), target_engine(slug)
    return {"extra": extra and extra.as_json(), "engine": engine and engine.as_json()}


def missing_text(slug: str) -> list[str]:
    """Returns one table cell that lists the missing packages and the unusable engine of a target."""
    extra, engine = backend_extra(slug), target_engine(slug)
    missing = [] if extra is None or extra.is_installed else [extra.command]
    if engine is not None and not engine.is_usable:
        missing.append(f"no engine {engine.name}: {engine.reason}")
    return ["; ".join(missing)]


def needs_text(slug: str) -> Iterator[str]:
    """Yields the packages that a target needs, and whether its engine can be used here."""
    extra, engine = backend_extra(slug), target_engine(slug)
    if extra is None or not extra.packages:
        yield f"  packages: none needed{'' if extra is None else f' ({extra.name})'}"
    else:
        found = ", ".join(f"{name} {version or 'missing'}" for name, version in extra.packages.items())
        yield f"  packages: {found}{'' if extra.is_installed else f'; {extra.command}'}"
    if engine is not None:
        usable = f"usable, {engine.version}" if engine.is_usable else f"not usable here: {engine.reason}"
        free, total = size_text(engine.memory_free_bytes), size_text(engine.memory_total_bytes)
        yield f"  engine {engine.name}: {usable}; {free} of {total} free"


def targets_text(found: Sequence[TargetEntry], is_whole: bool) -> str:
    """Formats a table of the targets, or one target with its devices."""
    if not is_whole:
        return table([[entry.slug, entry.summary, *missing_text(entry.slug)] for entry in found])
    (entry,) = found
    lines = [f"{entry.slug}: {entry.summary}\n  source: {entry.source}", *needs_text(entry.slug)]
    if devices := described_devices(entry.slug):
        rows = table([[f"{entry.slug}/{one['name']}", one["summary"]] for one in devices]).split("\n")
        lines += ["  devices:", *(f"    {row}" for row in rows)]
    if entry.oracles:
        rows = table([[name, path] for name, path in entry.oracles.items()]).split("\n")
        lines += ["  external tools that check it, and the tests with each:", *(f"    {row}" for row in rows)]
    return "\n".join(lines)


def show_tables(args: argparse.Namespace, made: Sequence[Table], record: Callable[[], dict[str, Any]]) -> None:
    """Prints tables in the requested format. In text, several tables have titles."""
    if args.format == "md":
        show(markdown(made))
    elif args.format == "html":
        show(html(made))
    else:
        texts = (f"{one.title}\n" * (len(made) > 1) + table([one.head, *one.rows]) for one in made)
        show_result(args.format, record, lambda: "\n\n".join(texts))


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
