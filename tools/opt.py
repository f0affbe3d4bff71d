"""Reads a network, runs passes on it and prints it: nopt FILE, the tool for textual IR, modelled on mlir-opt and xdsl-opt.

FILE is a .nir file, a JSON graph or textual IR, detected by content; - is standard input. Options have the names of mlir-opt and xdsl-opt.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..api.atomic_files import write_arrays, write_whole
from ..api.discretisation import choice_flags, conversion_pass
from ..api.driver import Driver, Request
from ..api.modules import available_passes, format_of
from ..core.arrays.arrays import INLINE
from ..core.diagnostics import Code, Diagnostics, ExitCode, Refused, refuse
from ..core.help_text import Phrase, WithoutOptions
from ..core.ir.context import multiverse
from ..core.ir.pipeline import pass_text, renamed
from ..core.output import json_text, printable
from . import choices
from .command import no_effect, refuse_misuse, show_result
from .progress import Bar

CLI005 = Code("CLI005", "binary-format-needs-file", "a binary format needs a file", exit_code=ExitCode.MISUSED)

PROG = "nopt"
IS_LONG = True
HAS_PIPELINE_SYNTAX = True
EXAMPLES = {
    "print the IR of a network": ["nopt net.nir"],
    "write the network in ticks": ["nopt net.nir -p 'convert-nir-to-ntensor{dt-ns=100000 like=norse}' -o net.mlir"],
    "print the equations of its neurons": [
        "nopt net.nir -p 'convert-nir-to-ntensor{dt-ns=100000 like=norse}' -t neuron"
    ],
    "print the IR after each pass, without large arrays": [
        "nopt net.nir -p nir-fold-scale,nir-remove-dead --print-ir-after-all --elide-arrays-if-larger 16"
    ],
}


FLAGS = {
    "split-input-file": ("is_split", "process the parts between lines // ----- as separate modules"),
    "verify-diagnostics": ("verifies_diagnostics", "require exactly the findings in comments // expected-error {{…}}"),
    "print-ir-after-change": ("prints_changes", "print the module after each pass that changes it"),
    "print-ir-after-all": ("prints_after", "print the module after each pass"),
    "print-ir-before-all": ("prints_before", "print the module before each pass"),
    "print-between-passes": ("prints_between", "print the module before and after every pass"),
    "print-op-generic": ("is_generic", "print ops in MLIR's generic form"),
    "print-debuginfo": ("has_places", "print where each op came from"),
    "allow-unregistered-dialect": ("allows_unregistered", "accept ops of unknown dialects"),
    "disable-verify": ("is_unverified", "do not verify the module"),
    "timing": ("is_timed", "print how long each step took"),
    "statistics": ("counts_ops", "print the number of ops that each pass added and removed"),
}
"""Fields of the request that are flags of the command, with their help texts."""
OTHER_NAMES = {
    "print-ir-after-change": ("mlir-print-ir-after-change",),
    "print-ir-after-all": ("mlir-print-ir-after-all",),
    "print-ir-before-all": ("mlir-print-ir-before-all",),
    "print-op-generic": ("mlir-print-op-generic",),
    "print-debuginfo": ("mlir-print-debuginfo",),
    "timing": ("mlir-timing", "time-passes"),
    "statistics": ("mlir-pass-statistics",),
}
"""Flags with the same names as in mlir-opt and xdsl-opt."""
UNCHANGED = {
    "disable-threading": "run the passes in one thread, as always",
    "print-ir-module-scope": "print the whole module between passes, as always",
    "pass-pipeline-local-reproducer": "write the module before the pass that fails as the reproducer, as always",
}
"""Flags of mlir-opt whose effect is the default of the driver, with their help texts."""
PLACES = ("before", "after")
YES, NO = ("true", "1"), ("false", "0")
"""Values of a flag of mlir-opt."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a .nir file, a JSON graph or textual IR; - is standard input"
    )
    parser.add_argument(
        "-p",
        "--passes",
        "--pass-pipeline",
        metavar="PIPELINE",
        action=choices.AddPasses,
        default="",
        help="'a,b{x=1}' or 'builtin.module(a,b{x=1})'; may be repeated",
    )
    parser.add_argument(
        "-t",
        "--emit",
        metavar="FORMAT",
        help="the output format: mlir, nir, json, neuron, or a target; by default the suffix of OUT chooses, else mlir",
    )
    parser.add_argument("-o", metavar="OUT", default="-", help="the output file; - is standard output")
    parser.add_argument(
        "--arrays",
        metavar="DIR",
        type=Path,
        help="write large arrays to this folder, one .npy each, instead of the text",
    )
    parser.add_argument(
        "--read-arrays", metavar="DIR", type=Path, help="read large arrays from this folder, and write them in the text"
    )
    for name, (_, what) in FLAGS.items():
        other = [f"--{one}" for one in OTHER_NAMES.get(name, ())]
        parser.add_argument(f"--{name}", *other, action="store_true", help=what)
    for name, what in UNCHANGED.items():
        parser.add_argument(f"--{name}", f"--mlir-{name}", action="store_true", help=what)
    for place in PLACES:
        flags = [f"--print-ir-{place}", f"--mlir-print-ir-{place}"]
        what = f"print the module {place} these passes"
        parser.add_argument(*flags, metavar="PASS,…", action=choices.AddEntries, default="", help=what)
    parser.add_argument(
        "--pass-pipeline-crash-reproducer",
        "--mlir-pass-pipeline-crash-reproducer",
        metavar="FILE",
        type=Path,
        help="write the module before a pass that refuses or fails to this file, with the command that repeats it",
    )
    parser.add_argument(
        "--verify-each",
        metavar="true|false",
        choices=(*YES, *NO),
        nargs="?",
        const="true",
        default="true",
        help="verify the module after each pass, as by default; false is --disable-verify",
    )
    parser.add_argument("--dump-pass-pipeline", action="store_true", help="print the pipeline before it runs")
    parser.add_argument(
        "--elide-arrays-if-larger",
        "--mlir-elide-elementsattrs-if-larger",
        metavar="N",
        type=int,
        help="omit the elements of arrays of more than N elements (at least 16); on a terminal of all others",
    )
    parser.add_argument("--show-passes", action="store_true", help="list all passes")
    parser.add_argument("--show-dialects", action="store_true", help="list all dialects")
    choices.add_options(parser, "--limit")
    parser.add_argument(
        "--print-ir-tree-dir",
        "--mlir-print-ir-tree-dir",
        metavar="DIR",
        type=Path,
        help="write the module after each pass to this folder",
    )
    parser.add_argument("--verify-equivalence", metavar="X", help="run the network with this input after each pass")
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.show_passes or args.show_dialects:
        names = available_passes() if args.show_passes else multiverse().all_dialects
        show_result(
            args.format, lambda: {"schema": "nopt.names/1", "names": sorted(names)}, lambda: "\n".join(sorted(names))
        )
        return
    if args.file is None:
        refuse_misuse(PROG, "no file is specified", "FILE, or - for standard input", "none", "nopt - --help")
    args.emit = args.emit or format_of(args.o)
    args.disable_verify |= args.verify_each in NO
    flags = choice_flags(choices.choices_of(args))
    if flags and not args.verify_equivalence:
        refuse_misuse(
            PROG,
            f"{no_effect(flags)} without --verify-equivalence",
            "--verify-equivalence X, or the options of a pass",
            ", ".join(flags),
            f"nopt {shlex.quote(args.file)} -p {shlex.quote(pass_text(conversion_pass(choices.choices_of(args))))}",
        )

    logged: list[str] = []

    def log(text: str) -> None:
        if args.format == "text":
            print(printable(text), file=sys.stderr)
        logged.append(text)

    watch = None
    if args.verify_equivalence:
        from ..api.running.pass_regressions import watcher

        watch = watcher(args.verify_equivalence, choices.choices_of(args), log, diagnostics)
    request = Request(
        **{field: getattr(args, name.replace("-", "_")) for name, (field, _) in FLAGS.items()},
        passes=args.passes,
        emit=args.emit,
        is_strict=args.strict,
        before=args.print_ir_before.split(","),
        after=args.print_ir_after.split(","),
        reproducer=args.pass_pipeline_crash_reproducer,
        tree=args.print_ir_tree_dir,
        limits=args.limit,
        arrays=args.read_arrays or args.arrays,
        leaves_arrays=args.arrays is not None,
        elided=elided_size(args),
    )
    try:
        with Bar("passes") as bar:
            driver = Driver(request, log, watch, bar.progress)
            require_printed_passes(args, [step.name for step in driver.steps])
            if args.dump_pass_pipeline:
                log(f"builtin.module({','.join(map(pass_text, driver.steps))})")
            outcome = driver.run(args.file)
        diagnostics.extend(outcome.diagnostics.findings)
        diagnostics.settle()
    except Refused:
        if logged and args.format == "json":
            print(json_text(text_record(args, None, logged)))
        raise
    output = outcome.output
    if isinstance(output, bytes) and args.o == "-":
        refuse(
            CLI005,
            f"the format {args.emit} is not text",
            at="-o -",
            expected="a file",
            found="standard output",
            help=f"nopt {args.file} -t {args.emit} -o OUT",
        )
    if args.arrays is not None:
        write_arrays(args.arrays, outcome.arrays)
    if args.o != "-":
        write_whole(args.o, output.encode() if isinstance(output, str) else output)
    elif args.format == "text" and isinstance(output, str):
        sys.stdout.write(output)
        if request.elided is not None and args.elide_arrays_if_larger is None and "#nopt.array<h" in output:
            log("large arrays are omitted on a terminal: -o FILE writes them")
    if args.format == "json":
        print(json_text(text_record(args, output if args.o == "-" else None, logged)))


def require_printed_passes(args: argparse.Namespace, names: Sequence[str]) -> None:
    """Refuses to print the module around a pass that the pipeline does not contain. Errors: CLI001."""
    for place in PLACES:
        flag = f"--print-ir-{place}"
        typed: str = getattr(args, f"print_ir_{place}")
        missing = next((name for name in typed.split(",") if name and name not in names), None)
        if missing is None:
            continue
        near = get_close_matches(missing, names, 1)
        typed_words = [
            renamed(word, missing, near[0]) if near and missing in word.rpartition("=")[2].split(",") else word
            for word in args.typed
        ]
        refuse_misuse(
            PROG,
            no_effect([f"{flag} {missing}"]),
            f"a pass of the pipeline: {', '.join(dict.fromkeys(names)) or 'it has none'}",
            missing,
            shlex.join([PROG, *typed_words]) if near else Phrase(WithoutOptions((flag, f"--mlir-print-ir-{place}"))),
        )


def elided_size(args: argparse.Namespace) -> int | None:
    """Returns the size of arrays above which their elements are omitted: the typed size, else a default on a terminal, else None."""
    size: int | None = args.elide_arrays_if_larger
    is_shown = args.o == "-" and args.format == "text" and args.emit == "mlir" and sys.stdout.isatty()
    return INLINE if size is None and is_shown and args.arrays is None else size


def text_record(args: argparse.Namespace, output: str | bytes | None, logged: Sequence[str]) -> dict[str, Any]:
    """Returns the record `nopt.text/1`: the output, unless it was written to a file, and the output between passes."""
    return {
        "schema": "nopt.text/1",
        "emit": args.emit,
        "written": None if args.o == "-" else args.o,
        "text": output,
        "log": list(logged),
    }
