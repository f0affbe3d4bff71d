"""Explains a code: its cause, its remedy, and an example."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..api.catalogue.listing import CodeEntry, codes, explain, find_code
from ..core.diagnostics import Diagnostics
from ..core.renames import new_name
from .command import refuse_misuse, show_result, table

PROG = "nopt explain"
EXAMPLES = {
    "one code": ["nopt explain NIR002", "nopt explain nir-parameter-out-of-range"],
    "all codes": ["nopt explain --list"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", nargs="?", help="the code or the name in square brackets in a message")
    parser.add_argument("--list", action="store_true", help="list all codes, one per line")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.list == (args.code is not None):
        refuse_misuse(
            PROG, "expected one code", "CODE, or --list", "both" if args.list else "neither", "nopt explain NIR002"
        )
    if args.list:
        found = [find_code(name) for name in codes()]
        show_result(
            args.format,
            lambda: {
                "schema": "nopt.codes/1",
                "codes": [{"code": c.id, "name": c.name, "summary": c.summary} for c in found],
            },
            lambda: table([[code.id, code.name, code.summary] for code in found]),
        )
        return
    entry = explain(args.code)
    show_result(
        args.format,
        lambda: {"schema": "nopt.explain/1", **entry.as_json()},
        lambda: "\n".join(lines_of(entry, args.code)),
    )


def lines_of(entry: CodeEntry, typed: str) -> Iterator[str]:
    """Yields the lines of the explanation of a code, and a line about renaming if the user typed an earlier identifier."""
    code = entry.code
    if new_name("codes", typed.upper()) == code.id:
        yield f"{typed.upper()} is now {code.id}"
    yield f"{code.id}: {code.summary} [{code.name}]"
    if entry.explanation:
        yield f"  cause: {entry.explanation.cause}\n  remedy: {entry.explanation.remedy}"
    yield f"  exit code: {int(code.exit_code)}\n  declared in: {entry.declared_in}"
    if entry.example_in:
        yield f"  example: {entry.example_in}"
    for line in (entry.example or "").splitlines():
        yield f"    {line}"
