"""Says what a code means: its cause, what to do about it, and an example."""

from __future__ import annotations

import argparse
import json

from ..api.catalogue import codes, declared, explain
from ..core.diagnostics import Diagnostics, ExitCode
from .command import misused, table

PROG = "nopt explain"
EXAMPLE = "nopt explain NIR002"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", nargs="?", help="as it stands in square brackets in a message")
    parser.add_argument("--list", action="store_true", help="all codes, one a line")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    if args.list == (args.code is not None):
        misused(PROG, "one code is explained at a time", "CODE, or --list", "both" if args.list else "neither", EXAMPLE)
    if args.list:
        found = [declared(name) for name in codes()]
        if args.format == "json":
            listed = [{"code": code.name, "summary": code.summary} for code in found]
            print(json.dumps({"schema": "nopt.codes/1", "codes": listed}, indent=2))
        else:
            print(table([[code.name, code.summary] for code in found]))
        return ExitCode.DONE
    entry = explain(args.code)
    if args.format == "json":
        print(json.dumps({"schema": "nopt.explain/1", **entry.as_json()}, indent=2))
        return ExitCode.DONE
    code = entry.code
    print(f"{code.name}: {code.summary}\n  cause: {code.cause}\n  remedy: {code.remedy}")
    print(f"  exit code: {int(code.exit_code)}\n  declared in: {entry.declared_in}")
    if entry.example_in:
        print(f"  example: {entry.example_in}")
    for line in (entry.example or "").splitlines():
        print(f"    {line}".rstrip())
    return ExitCode.DONE
