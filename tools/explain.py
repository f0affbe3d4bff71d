"""Explains a code (its cause, its remedy, and an example), prints the JSON Schema of a record, or the reasons of a build.

The field `schema` of a JSON document names its record, such as nopt.check/1. With --why, the first argument is a directory of nopt compile. SUBJECT is a population,
a core ('core 7'), a pass, latency, limit (the limit with the largest ratio of use), or the device field of a limit (core.neurons).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ..api.catalogue.listing import CodeEntry, codes, explain, find_code
from ..api.catalogue.record_formats import record_formats, record_schema
from ..api.reasons.records import Why
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
    "why a population is on its cores": ["nopt explain build-mesh --why lif"],
    "the load of a core, and the limit that binds": [
        "nopt explain build-mesh --why 'core 0'",
        "nopt explain build-mesh --why limit",
    ],
}


def configure(parser: argparse.ArgumentParser) -> None:
    text = "the code or the name in square brackets in a message, or a record; with --why, a directory of nopt compile"
    parser.add_argument("code", metavar="CODE|RECORD|BUILD", nargs="?", help=text)
    parser.add_argument(
        "--why", metavar="SUBJECT", help="reasons of a build: a population, core, pass, latency or limit"
    )
    parser.add_argument("--list", action="store_true", help="list all codes, one per line")
    parser.add_argument("--records", action="store_true", help="list all records that have a JSON Schema, one per line")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    chosen = [*filter(None, (args.code, args.list and "--list", args.records and "--records"))]
    if args.why is not None:
        if args.code is None or len(chosen) > 1:
            found = " and ".join(chosen) or "none"
            expected = "BUILD --why SUBJECT, where BUILD is a directory of nopt compile"
            refuse_misuse(PROG, "expected one build", expected, found, "nopt explain build --why limit")
        from ..api.reasons.why import why

        reasons = why(args.code, args.why)
        show_result(args.format, reasons.as_json, lambda: "\n".join(why_lines(reasons)))
        return
    if len(chosen) != 1:
        found = " and ".join(chosen) or "none of them"
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
    if Path(args.code).is_dir():
        refuse_misuse(PROG, "a directory is explained by a subject", "--why SUBJECT", args.code, "--why limit")
    entry = explain(args.code)
    show_result(
        args.format,
        lambda: {"schema": "nopt.explain/1", **entry.as_json()},
        lambda: "\n".join(lines_of(entry, args.code)),
    )


def why_lines(found: Why) -> Iterator[str]:
    """Yields a decision, the facts that it follows from, and its alternatives."""
    name = found.subject if found.subject.startswith(found.kind) else f"{found.kind} {found.subject}"
    yield f"{name}: {found.decision}"
    for one in found.facts:
        yield f"  {one.what}: {one.value}"
        if one.source is not None:
            yield f"    by {one.source}"
    if found.alternatives:
        yield "  alternatives:"
    for one in found.alternatives:
        yield f"    {one.what}: {'' if one.is_possible else 'not possible, '}{one.cost}"


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
