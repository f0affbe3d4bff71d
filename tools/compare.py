"""Compares two files of arrays and reports the first difference. Exit code 0: equal; 1: different.

Row t of A is compared with row t+N of B; --shift auto searches the best N in -16..16. "relative error" is the root mean
square of the differences, relative to that of A; "bin cos" is the cosine of all entries.
"""

from __future__ import annotations

import argparse

from ..api.running.comparison import Comparison, compare
from ..api.unit_values import refuse_option
from ..core.contradictions import find_contradiction
from ..core.diagnostics import Diagnostics, ExitCode, near_names
from ..core.number_texts import number_text
from ..core.output import printable_line
from .command import show_result, table
from .progress import Bar

PROG = "nopt compare"
IS_LONG = True
EXAMPLES = {
    "arrays of the same names": ["nopt compare a.npz b.npz --tolerance 1e-6"],
    "arrays of different names": ["nopt compare a.npz c.npz --map v=voltage --tolerance 1e-6"],
    "an output that comes later": ["nopt compare a.npz b.npz --shift auto --tolerance 1e-6"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="a .npz, .npy or .h5, or a folder of .npy")
    parser.add_argument("b", metavar="B", help="a .npz, .npy or .h5, or a folder of .npy")
    parser.add_argument("--tolerance", metavar="T", type=float, default=0.0, help="absolute tolerance, 0 by default")
    parser.add_argument("--shift", metavar="N|auto", default="0", help="delay of B in ticks")
    parser.add_argument(
        "--map",
        metavar="NAME=OTHER,…",
        action="append",
        default=[],
        help="compare the array NAME of A with the array OTHER of B; may be repeated",
    )
    parser.add_argument(
        "--samples", choices=("yes", "no"), help="whether the first axis is samples, if the files do not specify it"
    )


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    shift = args.shift
    if shift != "auto":
        try:
            shift = int(shift)
        except ValueError:
            refuse_option("--shift", args.shift, "an integer number of ticks, or auto", "auto")
    samples = None if args.samples is None else args.samples == "yes"
    pairs = [name_pair(pair) for text in args.map for pair in text.split(",")]
    if (wrong := find_contradiction(pairs)) is not None:
        name, first, second = wrong
        refuse_option("--map", f"{name}={first},{name}={second}", "one array of B for each of A", f"{name}={second}")
    with Bar("arrays") as bar:
        found = compare(
            args.a,
            args.b,
            tolerance=args.tolerance,
            shift=shift,
            samples=samples,
            names=dict(pairs),
            progress=bar.progress,
        )
    show_result(args.format, found.as_json, lambda: comparison_table(found))
    return ExitCode.DONE if found.equal else ExitCode.REFUSED


def name_pair(text: str) -> tuple[str, str]:
    """Returns the two names of `NAME=OTHER`. Errors: API022 another text."""
    name, _, other = text.partition("=")
    if not name or not other:
        refuse_option("--map", text, "NAME=OTHER, two names of arrays", "out=output")
    return name, other


def comparison_table(found: Comparison) -> str:
    """Formats a table of the arrays, then the arrays of only one file."""
    rows = [["name", "equal", "differing", "first", "a", "b", "max abs", "relative error", "bin cos", "best shift"]]
    for name, one in found.arrays.items():
        if one.differing is None:
            shapes = ("x".join(map(str, shape)) or "scalar" for shape in (one.shape_a, one.shape_b))
            rows.append([name, "no", "shape", "", *shapes, "", "", "", ""])
            continue
        first = one.first
        rows.append(
            [
                name,
                "yes" if one.equal else "no",
                str(one.differing),
                first.place if first else "",
                f"{first.a:.9g}" if first else "",
                f"{first.b:.9g}" if first else "",
                f"{one.max_abs:g}",
                "" if one.relative_error is None else number_text(one.relative_error),
                "" if one.bin_cosine is None else f"{one.bin_cosine:.6f}",
                str(one.best_shift),
            ]
        )
    lines = [table(rows)]
    sides = (("A", found.only_in_a, "B", found.only_in_b), ("B", found.only_in_b, "A", found.only_in_a))
    for file, names, other, others in sides:
        for name in names:
            near = f"; near matches in {other}: {', '.join(similar)}" if (similar := near_names(name, others)) else ""
            lines.append(printable_line(f"only in {file}: {name}{near}"))
    if found.only_in_a and found.only_in_b:
        lines.append("--map NAME=OTHER compares the array NAME of A with the array OTHER of B")
    lines.append("equal" if found.equal else "different")
    return "\n".join(lines)
