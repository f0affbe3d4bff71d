"""Says what is ambiguous about a network, what was repaired when it was read, and what looks wrong, grouped by node.

A time step or a reset rule that is not chosen is a warning here and a refusal in run. With --input the network is run, and
populations are reported that never fire, or always do. Exit code 1: a finding of severity error.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator

from ..api.checking import Check, check
from ..core.diagnostics import Diagnostics, ExitCode, Finding, Severity
from ..core.sarif import sarif
from . import choices
from .run import Bar

PROG = "nopt check"
EXAMPLE = "nopt check net.nir --dt 0.1ms --like norse --input x.npy"
REPORTS = True

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.REMARK: "cyan"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .nir file or IR; - is standard input")
    parser.add_argument("--input", "--calib", metavar="X", help="a .npy, or a .npz with an array for each input")
    parser.add_argument("--arrays", metavar="DIR", help="where the arrays are that the IR only names, one .npy each")
    choices.configure_limits(parser)
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    with Bar() as bar:
        found = check(
            args.file,
            args.input,
            arrays=args.arrays,
            limits=args.limit,
            strict=args.strict,
            progress=bar.progress,
            **choices.chosen(args),
        )
    if args.format == "json":
        print(json.dumps(found.as_json(), indent=2))
    elif args.format == "sarif":
        print(json.dumps(sarif(found.findings), indent=2))
    elif sys.stdout.isatty():
        print_table(found)
    else:
        print("\n".join(text(found)))
    return ExitCode.REFUSED if found.errors else ExitCode.DONE


def text(found: Check) -> Iterator[str]:
    """A paragraph for each node, then how many findings there are."""
    for node, findings in found.groups():
        yield heading(node, found)
        for finding in findings:
            yield f"  {finding.severity}[{finding.code}]: {finding.message}"
            yield from (f"  {line}" for line in details(finding))
        yield ""
    yield summary(found)


def heading(node: str | None, found: Check) -> str:
    return found.network if node is None else f'"{node}"'


def details(finding: Finding) -> list[str]:
    """What the text form of a finding says below its headline, with its place where that is a line of a text."""
    lines = list(finding.lines())[1:]
    place = finding.place or ""
    return [f"  place: {place}", *lines] if place.rpartition(":")[2].isdecimal() else lines


def summary(found: Check) -> str:
    counts = Counter(finding.severity for finding in found.findings)
    parts = [
        f"{counts[severity]} {severity}{'s' * (counts[severity] > 1)}" for severity in Severity if counts[severity]
    ]
    return f"{found.network}: {', '.join(parts) or 'nothing found'}"


def print_table(found: Check) -> None:
    """The same as a table for a terminal, a section for each node."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(no_color=bool(os.environ.get("NO_COLOR")), highlight=False)
    if found.findings:
        table = Table("node", "code", "finding", show_lines=False, expand=True)
        table.columns[1].no_wrap = True
        table.columns[2].ratio = 1
        for node, findings in found.groups():
            table.add_section()
            for number, finding in enumerate(findings):
                shown = Text().append(finding.message, "bold")
                for line in details(finding):
                    shown.append(f"\n{line.removeprefix('  ')}")
                code = Text(f"{finding.severity}\n{finding.code}", STYLES[finding.severity])
                table.add_row(Text("" if number else heading(node, found)), code, shown)
        console.print(table)
    console.print(Text(summary(found)))
