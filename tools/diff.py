"""Compares two builds: size, passes, approximations, loss, memory, mapping and cost. Exit code 0: equal; 1: different.

With --input, both builds run the input, and the first divergence of their outputs is reported.
"""

from __future__ import annotations

import argparse

from ..api.judging.loss_texts import TITLES, known_figures, loss_text
from ..api.report.build_differences import BuildDifferences, diff
from ..core.diagnostics import Diagnostics, ExitCode
from . import choices
from .command import show_result, table
from .compare import comparison_table
from .progress import Bar

PROG = "nopt diff"
IS_LONG = True
EXAMPLES = {
    "two builds, on an input": ["nopt diff build8 build4 --input x.npy"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="a directory of nopt compile")
    parser.add_argument("b", metavar="B", help="a directory of nopt compile")
    choices.add_options(parser, "--input", "--axes")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    with Bar() as bar:
        found = diff(args.a, args.b, args.input, axes=args.axes, progress=bar.progress, diagnostics=diagnostics)
    diagnostics.settle()
    show_result(args.format, found.as_json, lambda: differences_text(found))
    return ExitCode.DONE if found.equal else ExitCode.REFUSED


def differences_text(found: BuildDifferences) -> str:
    """Formats a table of the figures that differ, then the comparison of the outputs."""
    lines: list[str] = []
    if found.changes:
        rows = [[one.topic, *one.texts, one.what] for one in found.changes]
        lines.append(table([["topic", "A", "B", "what"], *rows]))  # a text of any length is last
    if found.loss.between is not None:
        figures = known_figures([found.loss.between])
        texts = [loss_text(name, getattr(found.loss.between, name)) for name in figures]
        lines.append(table([["B against A", *(TITLES[name] for name in figures)], ["", *texts]]))
    if found.outputs is not None:
        *outputs, verdict = comparison_table(found.outputs).split("\n")
        lines += [*outputs, f"outputs: {verdict}"]
    lines.append("equal" if found.equal else "different")
    return "\n".join(lines)
