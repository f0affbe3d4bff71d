"""Imports weights that were trained elsewhere into a network, and writes the network.

WEIGHTS is a .npz, a folder of .npy, or a state_dict of PyTorch (.pt), whose names are NODE.PARAMETER: fc.weight, fc.bias, lif.v_threshold.
Parameters without an entry keep their values.
"""

from __future__ import annotations

import argparse

from ..api.importing.import_weights import ImportedWeights, import_weights
from ..api.modules import format_of, read, write
from ..core.diagnostics import Diagnostics
from ..core.number_texts import number_text
from . import choices
from .command import show_result, table

PROG = "nopt import-weights"
EXAMPLES = {
    "the weights of a training loop": ["nopt import-weights net.nir weights.npz -o trained.nir"],
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
