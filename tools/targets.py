"""Lists the machines that nopt knows, or says what one is."""

from __future__ import annotations

import argparse
import json

from ..api.catalogue import target, targets
from ..core.diagnostics import Diagnostics, ExitCode
from .command import table

PROG = "nopt targets"
EXAMPLE = "nopt targets reference"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one target")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    found = [target(args.name)] if args.name else targets()
    if args.format == "json":
        print(json.dumps({"schema": "nopt.targets/1", "targets": [entry.as_json() for entry in found]}, indent=2))
    elif args.name:
        (entry,) = found
        print(f"{entry.slug}: {entry.summary}\n  source: {entry.source}")
    elif found:
        print(table([[entry.slug, entry.summary] for entry in found]))
    return ExitCode.DONE
