"""Checks a device file, or writes its page.

check: lists all errors, each with its JSON path. doc: writes the contents as Markdown. Exit code 1: an error.
"""

from __future__ import annotations

import argparse
from collections import Counter

from ..api.devices import check_device, device_doc
from ..api.files import write_whole
from ..core.diagnostics import Diagnostics, ExitCode, Severity
from ..core.output import json_text
from ..core.sarif import sarif
from .command import show, show_result

PROG = "nopt device"
EXAMPLE = "nopt device check asic/edge"
REPORTS = True


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("check", "doc"), help="check: list errors; doc: write the page")
    parser.add_argument("file", metavar="FILE.json", help="a device file, or TARGET/DEVICE of this installation")
    parser.add_argument(
        "--set", metavar="FIELD=VALUE", action="append", default=[], help="override a field: core.neurons=4096"
    )
    parser.add_argument("-o", metavar="OUT.md", default="-", help="doc: the output file; - is standard output")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    if args.what == "doc":
        page = device_doc(args.file, args.set)
        if args.format == "sarif":
            print(json_text(sarif([])))
        if args.o == "-":
            show_result(args.format, lambda: {"schema": "nopt.page/1", "text": page}, lambda: page.rstrip("\n"))
        else:
            write_whole(args.o, page.encode())
        return ExitCode.DONE
    found = check_device(args.file, args.set)
    has_errors = bool(found.errors)
    if args.format == "json":
        print(json_text(found.as_json()))
    elif args.format == "sarif":
        print(json_text(sarif(found.findings)))
    else:
        for finding in found.findings:
            print(finding)
        counts = Counter(finding.severity for finding in found.findings)
        parts = [f"{n} {one}{'s' * (n > 1)}" for one in Severity if (n := counts[one])]
        show(f"{found.device.key if found.device else found.file}: {', '.join(parts) or 'nothing found'}")
    is_refused = has_errors or (args.strict and bool(found.findings))
    return ExitCode.REFUSED if is_refused else ExitCode.DONE
