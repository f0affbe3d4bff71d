"""Reports ambiguities of a network, repairs made while reading it, and suspicious parts, grouped by node.

A missing choice of time step or reset rule is a warning in check and an error in run. With --input the network is run, and
populations that never fire or always fire are reported. With --target, every violation of the limits of a chip is reported, with the
limit and a remedy. Exit code 1: a finding of severity error; with --target all or auto, no device fits the network.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from ..api.checking.check import Check, check
from ..api.compiling.device_fit import Fit
from ..core.diagnostics import Diagnostics, ExitCode, Finding, Severity
from ..core.output import printable, printable_line
from . import choices, junit
from .command import count_findings, show_result, subject_file, typed_command
from .progress import Bar
from .ranking import ranking_lines
from .spelling import spell

if TYPE_CHECKING:
    from rich.table import Table

PROG = "nopt check"
IS_LONG = True
EXAMPLES = {
    "everything that is open or suspicious in a file": ["nopt check net.nir"],
    "with sample input, also silent and saturated populations": [
        "nopt check net.nir --dt 0.1ms --like norse --input x.npy"
    ],
    "whether it fits on a device": ["nopt check net.nir --dt 1ms --like norse --target asic/mesh"],
    "the devices that it fits on": ["nopt check net.nir --dt 1ms --like norse --target auto"],
}
REPORTS = True

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.REMARK: "cyan"}


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file")
    choices.add_option(parser, "--input", "--calib")
    choices.add_option(parser, "--labels")
    choices.add_option(
        parser,
        "--target",
        metavar="T[/DEVICE]|all|auto",
        help="check whether the network fits; auto: all devices in order of preference",
    )
    choices.add_options(parser, "--device", "--set", "--passes", "--approximate", "--arrays", "--axes", "--limit")
    choices.add_options(parser, "--prefer", "--max-memory", "--max-loss")
    junit.configure(parser)
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    choices.require_target(args, PROG)
    with Bar("devices" if args.target in ("all", "auto") else "check") as bar:
        found = check(
            args.file,
            args.input,
            limits=args.limit,
            progress=bar.progress,
            **choices.arguments(args, "axes", "labels", "target", "device", "set", "passes", "approximate"),
            **choices.arguments(args, "arrays", "strict"),
            **choices.arguments(args, "prefer", "max_memory", "max_loss"),
            **choices.choices_of(args),
        )
    typed = typed_command(sys.modules[__name__], args.typed)
    found = evolve(found, findings=tuple(spell(finding, typed) for finding in found.findings))
    args.cases = list(junit.check_cases(found))
    if args.format == "text" and sys.stdout.isatty():
        print_table(found)
    else:
        show_result(
            args.format, found.as_json, lambda: "\n".join(report_lines(found)), found.findings, subject_file(args)
        )
    if found.unfinished is not None:
        return ExitCode.OUT_OF_TIME
    return ExitCode.REFUSED if found.is_refused else ExitCode.DONE


def report_lines(found: Check) -> Iterator[str]:
    """Yields the lines of the report: the findings of each node, the findings of each target and its nodes, and the number of findings."""
    for node, findings in found.groups():
        yield heading(node, found)
        yield from paragraph(findings, "  ")
        yield ""
    for fit in found.targets:
        yield fitting(fit)
        for node, findings in found.groups(fit.device):
            yield f"  {heading(node, found)}"
            yield from paragraph(findings, "    ")
        yield ""
    if found.ranking:
        yield from ranking_lines(found.ranking)
        yield ""
    yield summary_line(found)


def paragraph(findings: list[Finding], indent: str) -> Iterator[str]:
    for finding in findings:
        yield f"{indent}{finding.head}"
        yield from (f"{indent}{line}" for line in details(finding))


def fitting(fit: Fit) -> str:
    """Summarises the result for a target in one line."""
    if fit.fits is None:
        return f"{fit.device}: not checked"
    where = "" if fit.cores is None else f" on {fit.cores} core{'s' * (fit.cores != 1)}"
    names = ", ".join(fit.approximations)
    given = f" with the approximations {names}" if names else ""
    permission = f"fits only with --approximate {','.join(fit.approximations)}"
    parts = [f"fits{where}{given}" if fit.is_fitting else "does not fit" if fit.is_permitted else permission]
    if (tight := fit.binding_limit) is not None:
        numbers = "" if tight["value"] is None else f" ({tight['used']} against {tight['value']})"
        parts.append(f"the tightest limit is {tight['limit']}{numbers}")
    if fit.limits_unchecked:
        parts.append(f"not checked: {', '.join(fit.limits_unchecked)}")
    return f"{fit.device}: {'; '.join(parts)}"


def heading(node: str | None, found: Check) -> str:
    return printable_line(found.network if node is None else f'"{node}"')


def details(finding: Finding) -> list[str]:
    """Returns the lines of a finding after its headline, with its place if that is a line of a text."""
    lines = list(finding.lines())[1:]
    place = finding.place or ""
    return [f"  place: {place}", *lines] if place.rpartition(":")[2].isdecimal() else lines


def summary_line(found: Check) -> str:
    ran = "" if found.stimulus is None else f" (input: {found.stimulus.extent()})"
    return f"{found.network}: {count_findings(found.findings)}{ran}"


def print_table(found: Check) -> None:
    """Prints the report as a table for a terminal, with a section for each node."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(no_color=bool(os.environ.get("NO_COLOR")), highlight=False)
    if found.findings or found.targets:
        grid = Table("node", "code", "finding", show_lines=False, expand=True)
        grid.columns[1].no_wrap = True
        grid.columns[2].ratio = 1
        for node, findings in found.groups():
            grid.add_section()
            add_rows(grid, heading(node, found), findings)
        for fit in found.targets:
            grid.add_section()
            grid.add_row(Text(printable(fit.device)), "", Text(printable(fitting(fit))))
            for node, findings in found.groups(fit.device):
                add_rows(grid, heading(node, found), findings)
        console.print(grid)
    for help in dict.fromkeys(one.help for one in found.findings if one.help and one.severity is not Severity.REMARK):
        console.print(Text(printable(f"help: {help}")), soft_wrap=True)  # a line that can be copied
    if found.ranking:
        console.print(Text("\n".join(ranking_lines(found.ranking))), soft_wrap=True)
    console.print(Text(printable(summary_line(found))))


def add_rows(table: Table, name: str, findings: list[Finding]) -> None:
    """Adds a row for each finding of a node; only the first row contains the node's name."""
    from rich.text import Text

    for number, finding in enumerate(findings):
        shown = Text().append(printable(f"{finding.message} [{finding.code.name}]"), "bold")
        for line in details(finding):
            shown.append(f"\n{line.removeprefix('  ')}")
        code = Text(f"{finding.severity}\n{finding.code}", STYLES[finding.severity])
        table.add_row(Text("" if number else name), code, shown)
