"""Asks a device the questions of conformance: whether its target enforces its limits, loses nothing silently, and computes the network.

Each question is asked with small networks, most of them generated from a seed. A question without a case is not applicable, and one about
networks is not asked if none of them fits. Exit code 1: a question fails, or none is asked.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence

from attrs import evolve

from ..api.conformance.conform import MOST_NETWORKS, NETWORKS, QUESTIONS, Conformance, Report, conform
from ..api.devices.device_files import file_of
from ..core.diagnostics import Diagnostics, ExitCode, Finding, Severity
from ..core.number_texts import counted_text
from . import choices, junit
from .command import show_result, table, typed_command
from .printed_findings import count_findings
from .progress import Bar
from .spelling import spell

PROG = "nopt conform"
IS_LONG = True
EXAMPLES = {
    "all questions": ["nopt conform asic/edge --networks 2"],
    "one question": ["nopt conform asic/edge --only delays --networks 2"],
}
REPORTS = True


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "subject",
        metavar="TARGET[/DEVICE]|FILE.json|all",
        help="a target with all of its devices, a device, a device file, or all targets",
    )
    choices.add_options(parser, "--set")
    parser.add_argument(
        "--only",
        metavar="QUESTION,…",
        type=lambda text: text.split(","),
        default=[],
        help=f"the questions to ask, of {', '.join(QUESTIONS)}; default all",
    )
    parser.add_argument(
        "--networks",
        metavar="N",
        type=int,
        default=NETWORKS,
        help=f"generated networks, at most {MOST_NETWORKS}; default {NETWORKS}",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="seed of the first generated network; default 0"
    )
    choices.add_option(
        parser,
        "--approximate",
        default="all",
        action="store",
        help="approximations that generated networks may need to fit; default all",
    )
    junit.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    with Bar("questions") as bar:
        found = conform(
            args.subject,
            set=args.set,
            only=args.only,
            networks=args.networks,
            seed=args.seed,
            approximate=args.approximate,
            progress=bar.progress,
        )
    args.cases = list(junit.conform_cases(found, args.strict))
    loaded = "".join(f" --load-target {shlex.quote(file)}" for file in args.load_target)
    findings = [evolve(one, help=f"{one.help}{loaded}") for one in found.findings if one is not found.unfinished]
    if found.unfinished is not None:
        findings.append(spell(found.unfinished, typed_command(sys.modules[__name__], args.typed)))
    files = {one.device.key: str(file_of(one.device.naming.key)) for one in found.devices}
    placed = [one.located(file=files.get(one.device or "")) for one in findings]
    show_result(args.format, found.as_json, lambda: "\n".join(report_lines(found, findings)), placed)
    if found.unfinished is not None:
        return ExitCode.OUT_OF_TIME
    is_refused = any(args.strict or one.severity is Severity.ERROR for one in findings)
    return ExitCode.REFUSED if is_refused else ExitCode.DONE


def report_lines(found: Report, findings: Sequence[Finding]) -> Iterator[str]:
    """Yields a table for each device, then the failures, and their number."""
    for one in found.devices:
        yield one.device.naming.key
        rows = [
            [f"  {each.name}", each.status.replace("_", " "), cases(len(each.answers)), each.text]
            for each in one.questions
        ]
        yield table(rows)
    yield from map(str, findings)
    yield f"{summary(found.devices)}: {count_findings(findings)}"


def cases(n: int) -> str:
    return counted_text(n, "case")


def summary(devices: tuple[Conformance, ...]) -> str:
    return f"{counted_text(len(devices), 'device')} asked"
