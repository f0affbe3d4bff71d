"""Lists the passes, or says everything about one: what it does, its options with their kinds and defaults."""

from __future__ import annotations

import argparse
import json

from ..api.catalogue import pass_entry, passes
from ..core.diagnostics import Diagnostics, ExitCode
from .command import table

PROG = "nopt passes"
EXAMPLE = "nopt passes convert-nir-to-ntensor"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one pass, ours or one of xDSL's")
    parser.add_argument("--all", action="store_true", help="xDSL's passes too")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    found = [pass_entry(args.name)] if args.name else passes(all=args.all)
    if args.format == "json":
        print(json.dumps({"schema": "nopt.passes/1", "passes": [entry.as_json() for entry in found]}, indent=2))
    elif args.name:
        (entry,) = found
        print("\n\n".join(filter(None, [entry.name, entry.text])))
        if entry.options:
            print(f"\n{table([['option', 'kind', 'default'], *([o.name, o.kind, o.default] for o in entry.options)])}")
    elif found:
        print(table([[entry.name, entry.summary] for entry in found]))
    return ExitCode.DONE
