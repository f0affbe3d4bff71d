"""The option `--junit FILE` of verbs that judge a network or a device, and the test cases of their results."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..api.atomic_files import write_whole
from ..core.diagnostics import Diagnostics, Finding, Severity
from ..core.junit import Case, junit

if TYPE_CHECKING:
    from ..api.checking.check_results import Check
    from ..api.conformance.conform import Report

NETWORK, NETWORKS, COMMAND = "network", "generated networks", "command"
"""Names of the cases of the findings about the network, about generated networks, and about the command."""


MAX_LOSS = "--max-loss"
CONDITIONS = (MAX_LOSS, "--baseline", "--max-rom", "--max-energy")
"""Options that are conditions of a build; each is a test case, and the source of its findings."""
LOSSES = ("LOS001",)
"""Codes of findings about the loss of a build."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--junit", metavar="FILE.xml", help="write the results as JUnit test cases, for CI servers")


def write_cases(args: argparse.Namespace, prog: str, diagnostics: Diagnostics) -> None:
    """Writes the test cases of a command; one that was refused has one more case with its errors. Errors: API012."""
    cases: list[Case] = getattr(args, "cases", [])
    known = {finding for case in cases for finding in case.findings}
    left = [finding for finding in diagnostics.findings if finding not in known]
    if not cases or any(finding.severity is Severity.ERROR for finding in left):
        grouped: dict[str, list[Finding]] = {device_of(args): []} | {flag: [] for flag in conditions_of(args)}
        for finding in left:
            flag = MAX_LOSS if finding.code.id in LOSSES else (finding.source or "").partition(" ")[0]
            grouped[flag if flag in grouped else device_of(args)].append(finding)
        is_refused = any(finding.severity is Severity.ERROR for finding in grouped[device_of(args)])
        skipped = "the network was not compiled" if is_refused else ""
        cases += [
            Case(subject_of(args), name, some, skipped if name.startswith("--") else "")
            for name, some in grouped.items()
        ]
    write_whole(args.junit, junit(prog, cases))


def conditions_of(args: argparse.Namespace) -> list[str]:
    """Returns the options of a command that are conditions of its result."""
    return [flag for flag in CONDITIONS if getattr(args, flag[2:].replace("-", "_"), None)]


def subject_of(args: argparse.Namespace) -> str:
    """Returns the network or device of a command as it is typed."""
    given: Any = getattr(args, "file", None) or getattr(args, "subject", None)
    return "standard input" if given == "-" else str(given)


def device_of(args: argparse.Namespace) -> str:
    """Returns the device of a command as it is typed; `command` for one without a device."""
    return getattr(args, "device", None) or getattr(args, "target", None) or COMMAND


def check_cases(found: Check) -> Iterator[Case]:
    """Yields a case for the network, and one for each device. A device on which the network does not fit is skipped if one is sufficient, and another fits."""
    yield Case(found.network, NETWORK, [one for one in found.findings if one.device is None])
    for fit in found.targets or ():
        own = [one for one in found.findings if one.device == fit.device]
        if found.needs_one and not fit.is_fitting and fit.fits is not None and not found.is_refused:
            yield Case(found.network, fit.device, (), first_line(own))
        else:
            yield Case(found.network, fit.device, own, "not checked" if fit.fits is None else "")
    shown = {fit.device for fit in found.targets}
    for one in found.ranking:
        if one.device not in shown:
            reason = f"{one.code}: {one.reason}" if one.code else one.reason
            yield Case(found.network, one.device, skipped="" if one.is_fitting else reason or "not checked")


def first_line(findings: Sequence[Finding]) -> str:
    return next((f"{one.code}: {one.message}" for one in findings if one.severity is Severity.ERROR), "does not fit")


def conform_cases(found: Report, strict: bool) -> Iterator[Case]:
    """Yields a case for each question of each device. A finding that no network could be asked is a case of its own."""
    from ..api.conformance.conform import CNF001

    for device in found.devices:
        key = device.device.naming.key
        for question in device.questions:
            failures = [device.failure_of(question)] if question.failures else []
            is_tested = question.status in ("passed", "failed")
            yield Case(key, question.name, failures, "" if is_tested else question.status.replace("_", " "))
        obstacles = [one for one in device.findings() if one.code is not CNF001]
        if obstacles:
            yield Case(
                key, NETWORKS, [evolve(one, severity=Severity.ERROR) for one in obstacles] if strict else obstacles
            )
    if found.unfinished is not None:
        yield Case("time budget", COMMAND, [found.unfinished])
