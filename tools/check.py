"""Reports ambiguities of a network, repairs made while reading it, and suspicious parts, grouped by node.

A missing choice of time step or reset rule is a warning in check and an error in run. With --input the network is run, and
populations that never fire or always fire are reported. With --target, every violation of the limits of a chip is reported, with the
limit and a remedy. Exit code 1: a finding of severity error; with --target all or auto, no device fits the network.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from ..api.checking.check import Check, check
from ..api.compiling.device_fit import Fit
from ..api.costing.estimates import memory_use, total_bytes
from ..api.judging.changes import find_changes
from ..api.options import DeviceOptions
from ..core.diagnostics import Diagnostics, ExitCode, Finding, Severity
from ..core.number_texts import counted_text
from ..core.output import printable, printable_line
from . import choices, junit
from .command import VERBOSE, show_result, subject_file, typed_command
from .printed_findings import COLOURS, count_findings, has_colour
from .progress import Bar
from .ranking import ranking_lines
from .spelling import Typed, drop_options, for_device, spell
from .summary import (
    changes_table,
    cost_text,
    latency_text,
    loss_line,
    loss_remarks,
    memory_text,
    next_lines,
    verdict,
)

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

HAS_DETAILS = True

HEAD = re.compile(r"^  (error|warning|remark)\[\w+\]", re.MULTILINE)
"""The first words of a finding, which have a colour on a terminal."""
RENAMED = {"--input": "--calib"}


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
    choices.add_options(
        parser,
        "--device",
        "--set",
        "--passes",
        "--approximate",
        "--recipe",
        "--effort",
        "--arrays",
        "--axes",
        "--limit",
    )
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
            **choices.arguments(args, "labels", "arrays", "strict", "prefer", "max_memory", "max_loss"),
            **choices.group_options(args, DeviceOptions),
        )
    typed = typed_command(sys.modules[__name__], args.typed)
    found = evolve(found, findings=tuple(spell(finding, typed) for finding in found.findings))
    args.cases = list(junit.check_cases(found))
    if args.format == "text":
        show_report(found, args)
    else:
        show_result(args.format, found.as_json, str, found.findings, subject_file(args))
    if found.unfinished is not None:
        return ExitCode.OUT_OF_TIME
    return ExitCode.REFUSED if found.is_refused else ExitCode.DONE


def show_report(found: Check, args: argparse.Namespace) -> None:
    """Prints the report, then the next command."""
    lines = [*report_lines(found, args.verbose), closing_line(found, args.typed)]
    text = printable("\n".join(lines).rstrip())
    print(
        HEAD.sub(lambda m: f"\x1b[1;{COLOURS[Severity(m[1])]}m{m[0]}\x1b[0m", text) if has_colour(sys.stdout) else text
    )


def report_lines(found: Check, is_verbose: bool) -> Iterator[str]:
    """Yields the verdict, the summary of a single device, the changes, the findings of each node, and those of each device.

    Remarks are rows of the table of changes; with `is_verbose`, they are printed in full, too.
    """
    yield from map(verdict_of, found.targets)
    if found.ranking:
        yield from ranking_lines(found.ranking)
    fits = [fit for fit in found.targets if fit.is_fitting]
    single = fits[0] if len(found.targets) == 1 and fits else None
    if single is not None:
        yield from summary_lines(single, found.findings)
    if not found.targets:
        yield summary_line(found, is_verbose)
    if single is not None or not found.targets:
        records = () if single is None else records_of(single)
        yield from filter(None, [changes_table(find_changes(records, found.findings))])
    if is_verbose:
        yield from map(limits_line, fits)
    for device in (None, *(fit.device for fit in found.targets)):
        for node, findings in found.groups(device):
            if shown := [one for one in findings if is_verbose or one.severity is not Severity.REMARK]:
                yield ""
                yield heading(node, found) + (f" on {device}" if device and len(found.targets) > 1 else "")
                yield from (line for finding in shown for line in paragraph(finding))
    if found.targets:
        yield summary_line(found, is_verbose)


def verdict_of(fit: Fit) -> str:
    """Returns the verdict about a device in one line."""
    if fit.fits is None:
        return f"{fit.device}: not checked"
    if fit.is_fitting:
        memory = None if fit.estimate is None else fit.estimate.memory_bytes
        full = None if fit.fullest is None else fit.fullest.as_json()
        parts = {"cores": fit.cores, "usable": fit.usable_cores, "fullest": full, "memory": memory}
        text = verdict(fit.device, approximations=fit.approximations, **parts)
        unknown = len(fit.limits_unchecked)
        return text + (f"; {counted_text(unknown, 'limit')} unpublished and not checked" if unknown else "")
    text = f"does not fit {fit.device}" if fit.is_permitted else f"fits {fit.device} only with {fit.missing_option}"
    return text + ("" if fit.binding_limit is None else f": {tightest_text(fit.binding_limit)}") + obstacle_text(fit)


def obstacle_text(fit: Fit) -> str:
    """Returns the error that no permission of approximations prevents, if it is not among the findings."""
    obstacle = fit.obstacle
    if obstacle is None or any(one.code is obstacle.code for one in fit.findings):
        return ""
    return f"; with --approximate all, {obstacle.code}: {obstacle.message}"


def tightest_text(limit: Mapping[str, Any]) -> str:
    numbers = "" if limit["value"] is None else f" ({limit['used']} against {limit['value']})"
    return f"the tightest limit is {limit['limit']}{numbers}"


def limits_line(fit: Fit) -> str:
    """Returns the tightest limit of a device and the limits that were not checked."""
    parts = [] if fit.binding_limit is None else [tightest_text(fit.binding_limit)]
    parts += [f"not checked: {', '.join(fit.limits_unchecked)}"] if fit.limits_unchecked else []
    return f"{fit.device}: {'; '.join(parts) or 'no limit'}"


def summary_lines(fit: Fit, findings: Sequence[Finding]) -> Iterator[str]:
    """Yields the loss, the size and the cost on a device that the network fits on."""
    yield loss_line(None if fit.loss is None else fit.loss.as_json(), "give --input X")
    yield from loss_remarks(findings)
    counts = {"neuron": fit.neurons, "synapse": fit.synapses}
    size = ", ".join(counted_text(n, one) for one, n in counts.items() if n is not None)
    memory: dict[str, int | None] = {} if fit.graph is None else memory_use(fit.graph)
    yield f"size: {size}" + (f"; {memory_text(memory, total_bytes(memory))}" if memory else "")
    one = fit.estimate
    known = (None, None, "tick", 0) if one is None else (one.energy, one.time, one.per, len(one.unknown))
    ticks = [(op.tick_ns.value.data, getattr(op, "frame_ticks", 1)) for op in networks_in(fit)]
    tick_ns, frame_ticks = ticks[0] if ticks else (None, 1)
    yield f"cost: {cost_text(*known)}; {latency_text(fit.latency_ticks, tick_ns, frame_ticks)}"


def networks_in(fit: Fit) -> list[Any]:
    """Returns the networks, or the machine graph, that the passes of a device reached."""
    module: Any = fit.graph or fit.network
    return [] if module is None else [op for op in module.ops if hasattr(op, "tick_ns")]


def records_of(fit: Fit) -> list[dict[str, Any]]:
    """Returns the records of lossy passes on a device."""
    from ..api.compiling.build_report import approximations  # a check without a device needs no report of a build

    return [record for op in networks_in(fit) for record in approximations(op)]


def closing_line(found: Check, typed: Sequence[str]) -> str:
    """Returns the command to type next: a compilation for the device that the network fits on, or a check of all devices."""
    if found.errors:
        return ""
    words = drop_options([word for word in typed if word not in VERBOSE], ("--format", "--junit"))
    if len(found.targets) == 1 and found.targets[0].is_fitting:
        renamed = tuple(RENAMED.get(word, word) for word in words)
        command = for_device(Typed("nopt compile", renamed), found.targets[0].device)
        return next_lines([command.command([*command.argv, "-o", "build"])])
    if found.targets or any(one.severity is Severity.WARNING for one in found.findings):
        return ""
    return next_lines([Typed(PROG, tuple(words)).command([*words, "--target", "auto"])])


def paragraph(finding: Finding) -> Iterator[str]:
    """Yields the lines of a finding, with its place if that is a line of a text."""
    yield f"  {finding.head}"
    place = finding.place or ""
    lines = [f"  place: {place}"] if place.rpartition(":")[2].isdecimal() else []
    yield from (f"  {line}" for line in (*lines, *list(finding.lines())[1:]))


def heading(node: str | None, found: Check) -> str:
    return printable_line(found.network if node is None else f'"{node}"')


def summary_line(found: Check, is_verbose: bool) -> str:
    """Returns the number of findings, and the option that prints hidden remarks."""
    ran = "" if found.stimulus is None else f" (input: {found.stimulus.extent()})"
    has_remarks = any(one.severity is Severity.REMARK for one in found.findings)
    details = "; -v prints remarks in full" if has_remarks and not is_verbose else ""
    return f"{found.network}: {count_findings(found.findings)}{ran}{details}"
