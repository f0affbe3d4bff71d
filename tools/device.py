"""Checks a device file, or writes its page.

check: lists all errors, each with its JSON path, and runs a small network with each feature (biases, delays, many synapses, recurrence, each
family of neurons and reset rule) through the fallbacks of the device. A declared feature that is refused is an error. doc: writes a page with limits, memory map, layouts of words, neurons, and unchecked
fields as Markdown; it refuses a file with errors. Exit code 1: an error.
"""

from __future__ import annotations

import argparse
import sys

from attrs import evolve

from ..api.atomic_files import write_whole
from ..api.devices.device_files import check_device, device_doc
from ..core.diagnostics import Diagnostics, ExitCode
from . import choices
from .command import refuse_misuse, show_result, table, typed_command
from .printed_findings import count_findings
from .progress import Bar
from .spelling import spell

PROG = "nopt device"
IS_LONG = True
EXAMPLES = {
    "the errors of a device file": ["nopt device check asic/edge"],
    "its page": ["nopt device doc asic/edge -o edge.md"],
}
REPORTS = True


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("check", "doc"), help="check: list errors; doc: write the page")
    parser.add_argument("file", metavar="FILE.json", help="a device file, or TARGET/DEVICE of this installation")
    choices.add_options(parser, "--set")
    parser.add_argument("--no-features", action="store_true", help="check: run no networks")
    parser.add_argument("-o", metavar="OUT.md", default="-", help="doc: the output file; - is standard output")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    if args.what == "doc":
        page = device_doc(args.file, args.set)
        if args.o == "-" or args.format == "sarif":
            show_result(args.format, lambda: {"schema": "nopt.page/1", "text": page}, lambda: page.rstrip("\n"), [])
        if args.o != "-":
            write_whole(args.o, page.encode())
        return ExitCode.DONE
    if args.o != "-":
        refuse_misuse(
            PROG, "check writes no file", "-o with doc", f"-o {args.o}", f"nopt device doc {args.file} -o {args.o}"
        )
    with Bar("networks") as bar:
        found = check_device(args.file, args.set, features=not args.no_features, progress=bar.progress)
    name = found.device.key if found.device else found.file
    rows = [(one.feature, one.network, one.result) for one in found.features or ()]
    features = [table([("feature", "network", "result"), *rows])] if rows else []
    typed = typed_command(sys.modules[__name__], args.typed)
    found = evolve(found, findings=tuple(spell(finding, typed) for finding in found.findings))
    lines = [*map(str, found.findings), *features, f"{name}: {count_findings(found.findings)}"]
    show_result(args.format, found.as_json, lambda: "\n".join(lines), found.findings, found.file)
    is_refused = bool(found.errors) or (args.strict and bool(found.findings))
    return ExitCode.REFUSED if is_refused else ExitCode.DONE
