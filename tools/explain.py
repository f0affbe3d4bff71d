"""Explains a code (its cause, its remedy, and an example), or prints the JSON Schema of a record.

The field `schema` of a JSON document names its record, such as nopt.check/1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..api.catalogue.listing import CodeEntry, codes, explain, find_code
from ..api.catalogue.record_formats import record_formats, record_schema
from ..core.diagnostics import Diagnostics
from ..core.output import json_text
from ..core.renames import new_name
from .command import refuse_misuse, show_list, show_result, table

PROG = "nopt explain"
RECORD = "nopt."
"""Start of the names of all records."""
EXAMPLES = {
    "one code": ["nopt explain NIR002", "nopt explain nir-parameter-out-of-range"],
    "all codes": ["nopt explain --list"],
    "the JSON Schema of a record": ["nopt explain nopt.check/1"],
    "all records that have one": ["nopt explain --records"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="the code or the name in square brackets in a message, or a record"
    )
    parser.add_argument("--list", action="store_true", help="list all codes, one per line")
    parser.add_argument("--records", action="store_true", help="list all records that have a JSON Schema, one per line")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    chosen = [args.code, *filter(None, (args.list and "--list", args.records and "--records"))]
    if len(list(filter(None, chosen))) != 1:
        found = " and ".join(filter(None, chosen)) or "none of them"
        refuse_misuse(PROG, "expected one code", "CODE, --list or --records", found, "nopt explain NIR002")
    if args.records:
        show_list(args.format, "records", record_formats(), lambda: table(record_rows()))
        return
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
    if args.code.startswith(RECORD):
        schema = record_schema(args.code)
        show_result(args.format, lambda: schema, lambda: json_text(schema))
        return
    entry = explain(args.code)
    show_result(
        args.format,
        lambda: {"schema": "nopt.explain/1", **entry.as_json()},
        lambda: "\n".join(lines_of(entry, args.code)),
    )


def record_rows() -> list[list[str]]:
    """Returns the names of all records, with the command that writes each."""
    return [[one.name, one.written_by.replace("`", "")] for one in record_formats()]


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
