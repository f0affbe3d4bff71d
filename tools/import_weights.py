"""Imports weights that were trained elsewhere into a network, and writes the network.

WEIGHTS is a .npz, a folder of .npy, or a state_dict of PyTorch (.pt), whose names are NODE.PARAMETER: fc.weight, fc.bias, lif.v_threshold.
Parameters without an entry keep their values.

For the network that nopt export wrote with a module of PyTorch, WEIGHTS is the state_dict of this module. nopt compile keeps the numbers of the training.
"""

from __future__ import annotations

import argparse
import shlex

from ..api.importing.import_weights import ImportedWeights, import_weights
from ..api.modules import format_of, read, write
from ..core.diagnostics import Diagnostics
from ..core.number_texts import number_text
from . import choices
from .command import show_result, table
from .summary import next_lines

PROG = "nopt import-weights"
EXAMPLES = {
    "the weights of a training loop": ["nopt import-weights net.nir weights.npz -o trained.nir"],
    "the training of a module that nopt export wrote": ["nopt import-weights chip.mlir trained.pt -o trained.mlir"],
    "a part of them": ["nopt import-weights net.nir weights.npz --skip lif.r -o trained.nir"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file")
    parser.add_argument("weights", metavar="WEIGHTS", help="a .npz, a folder of .npy, or a .pt")
    parser.add_argument("-o", metavar="OUT", required=True, help="the output file: .nir, or IR")
    parser.add_argument(
        "--skip",
        metavar="NAME,…",
        action=choices.AddEntries,
        help="entries to leave out, by name or pattern: *.beta,*.mem; may be repeated",
    )
    choices.add_options(parser, "--arrays", "--limit")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    network = read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=diagnostics)
    skip: list[str] = args.skip.split(",") if args.skip else []
    imported = import_weights(network, args.weights, skip=skip, diagnostics=diagnostics)
    write(imported.module, args.o, format=format_of(args.o), diagnostics=diagnostics)
    diagnostics.settle()
    args.is_legalized = imported.device is not None
    record = {**imported.as_json(), "written": args.o}
    show_result(args.format, lambda: record, lambda: describe_weights(imported, args.o))


def describe_weights(imported: ImportedWeights, written: str) -> str:
    """Formats the changes of each parameter."""
    rows = [["parameter", "shape", "type", "changed entries", "largest change"]]
    for one in imported.imported:
        shape = "x".join(map(str, one.shape)) or "1"
        rows.append(
            [f"{one.node}.{one.parameter}", shape, one.dtype, str(one.changed), number_text(one.largest_change)]
        )
    lines = [table(rows)]
    lines += [
        f"{what}: {', '.join(names)}"
        for what, names in (("kept", imported.kept), ("skipped", imported.skipped))
        if names
    ]
    return "\n".join([*lines, f"wrote {written}"])


def closing(args: argparse.Namespace) -> str:
    """Returns the command to type next."""
    file = shlex.quote(args.o)
    return next_lines([f"nopt compile {file} -o build" if args.is_legalized else f"nopt check {file}"])
