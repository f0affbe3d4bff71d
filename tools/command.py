"""What all verbs share: the parser of their options, and how findings reach the user.

A verb is a module with `PROG`, `EXAMPLE`, `configure(parser)` and `run(args, diagnostics) -> int`; its docstring is its help.
Results go to standard output, findings to standard error: remarks and warnings first, errors last, each once. A verb whose result
is its findings says `REPORTS = True`; then standard error stays empty unless the command is misused. One that writes tables in other
formats, too, says `FORMATS`.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn, Protocol

from ..core.diagnostics import Code, Diagnostics, ExitCode, Finding, Refused, Severity, refuse
from ..core.output import json_text, printable, printable_line
from ..core.plugins import LEFT_OUT
from ..core.sarif import sarif

CLI001 = Code(
    "CLI001",
    "the command cannot be read",
    cause="An option is unknown, or lacks its value, or an argument is missing or one too many.",
    remedy="`nopt VERB --help` lists the options of a verb, `nopt - --help` those of `nopt FILE`.",
    exit_code=ExitCode.MISUSED,
)
CLI002 = Code(
    "CLI002",
    "there is not enough memory",
    cause="The network, or an array that a rule stands for, needs more memory than the system gives to this command.",
    remedy="Run the command where more memory is free, or on a smaller network; `ulimit -v` shows a limit of the shell.",
)
BUG001 = Code(
    "BUG001",
    "nopt broke",
    cause="Something happened that nopt does not expect. This is a defect of nopt, whatever the input was.",
    remedy="Run the command again with `--traceback`, and report what it prints together with the input.",
    exit_code=ExitCode.BUG,
)

FORMATS = ("text", "json", "sarif")
COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.REMARK: "36"}


class Verb(Protocol):
    """A module of this folder that is a verb."""

    __doc__: str | None
    PROG: str
    EXAMPLE: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace, diagnostics: Diagnostics) -> int: ...


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in our own form."""

    def error(self, message: str) -> NoReturn:
        refuse(CLI001, message, at=self.prog, help=f"{self.prog} --help")


def parser_of(verb: Any) -> Parser:
    """The parser of a verb, with the options that all verbs share."""
    parser = Parser(
        prog=verb.PROG,
        description=(verb.__doc__ or "").strip(),
        epilog=f"example:\n  {verb.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    verb.configure(parser)
    formats = getattr(verb, "FORMATS", FORMATS)
    parser.add_argument(
        "--format", choices=formats, default="text", help="of findings and tables; sarif: findings alone"
    )
    parser.add_argument("--strict", action="store_true", help="warnings and remarks are errors")
    parser.add_argument(
        "--load-target",
        metavar="FILE",
        action="append",
        default=[],
        help="a Python file with a target that is not installed; may be repeated",
    )
    parser.add_argument("--traceback", action="store_true", help="where in nopt a refusal or a defect arose")
    return parser


def execute(verb: Any, argv: Sequence[str]) -> int:
    """Runs a verb, prints what it found, and returns the exit code."""
    diagnostics = Diagnostics()
    format = format_of(argv)
    code = ExitCode.DONE
    try:
        try:
            args = parser_of(verb).parse_args(argv, argparse.Namespace(typed=list(argv)))
        except SystemExit:  # --help has printed
            return ExitCode.DONE
        if args.load_target:
            from ..api.catalogue import load_target

            for file in args.load_target:
                load_target(file)
        code = verb.run(args, diagnostics)
        for finding in LEFT_OUT.values():
            diagnostics.add(finding)
        if args.strict:
            diagnostics.strict()
    except Refused as refusal:
        if "--traceback" in argv:
            traceback.print_exc()
        for finding in refusal.findings:
            diagnostics.add(finding)
    except MemoryError as failure:
        diagnostics.error(
            CLI002,
            "there is not enough memory",
            at=verb.PROG,
            expected="memory for the network and its arrays",
            found=str(failure) or "an allocation that failed",
            help="ulimit -v, which says what this shell allows, in KiB",
        )
    if not getattr(verb, "REPORTS", False) or diagnostics.findings:
        report([retyped(finding, verb, argv) for finding in diagnostics.findings], format)
    return max([code, *(finding.code.exit_code for finding in diagnostics.errors)])


def retyped(finding: Finding, verb: Any, argv: Sequence[str]) -> Finding:
    """A finding in the words of the verb that was typed, where the verb has its own."""
    words = getattr(verb, "retyped", None)
    return finding if words is None else words(finding, argv)


def format_of(argv: Sequence[str]) -> str:
    """The format that is asked for, known before the options are: a misuse is said in it, too."""
    pairs = list(pairwise(argv))
    return next((name for name in FORMATS if f"--format={name}" in argv or ("--format", name) in pairs), "text")


def misused(prog: str, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses options that make no sense together."""
    refuse(CLI001, message, at=prog, expected=expected, found=found, help=help)


def settle(diagnostics: Diagnostics, is_strict: bool) -> None:
    """Refuses before anything is written if there are errors, or warnings and remarks where those count as errors."""
    if is_strict:
        diagnostics.strict()
    diagnostics.check()


def report(findings: Sequence[Finding], format: str) -> None:
    """Prints findings to standard error, those of severity error last. A SARIF log is whole even where nothing was found."""
    sys.stdout.flush()  # what was printed stands before what is said of it, also where both go into one file
    ordered = sorted(findings, key=lambda finding: finding.severity is Severity.ERROR)
    if format == "sarif":
        is_done = all(finding.code.exit_code is ExitCode.REFUSED for finding in ordered)
        print(json_text(sarif(ordered, is_done)), file=sys.stderr)
        return
    if format == "json":
        if ordered:
            record = {"schema": "nopt.findings/1", "findings": [finding.as_json() for finding in ordered]}
            print(json_text(record), file=sys.stderr)
        return
    is_coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    for finding in ordered:
        text = str(finding)
        if is_coloured:
            head = f"{finding.severity}[{finding.code}]"
            text = text.replace(head, f"\x1b[1;{COLOURS[finding.severity]}m{head}\x1b[0m", 1)
        print(text, file=sys.stderr)


def show(text: str) -> None:
    """Prints text of a result to standard output; no name in it can control a terminal."""
    print(printable(text))


def show_result(format: str, record: Callable[[], Mapping[str, Any]], text: Callable[[], str]) -> None:
    """Prints the result of a verb in the format that was asked for, one document; SARIF is of findings alone."""
    if format == "json":
        print(json_text(record()))
    elif format != "sarif":
        show(text())


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns that are as wide as their widest entry."""
    entries = [list(map(printable_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*entries, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in entries)


def report_defect(defect: Exception, argv: Sequence[str]) -> int:
    """Says in a few lines that nopt broke, how to repeat it, and with `--traceback` where."""
    if "--traceback" in argv:
        traceback.print_exception(defect)
    words = str(defect).split("\n")[0][:200]
    finding = Finding(
        BUG001,
        f"nopt broke: {type(defect).__name__}{f': {words}' if words else ''}",
        help="run the command again with --traceback and report what it prints, with the input",
        notes=getattr(defect, "__notes__", ()),
    )
    report([finding], format_of(argv))
    return ExitCode.BUG
