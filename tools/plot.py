"""Draws one array of a file: a raster of events, rates, or traces of values.

FILE is a .npz, .npy or .h5, as nopt run writes. The suffix of OUT chooses between SVG and PNG.
"""

from __future__ import annotations

import argparse

from ..api.report.plots import PLOT_KINDS, plot
from ..api.unit_values import refuse_option
from ..core.counts import count_of
from ..core.diagnostics import Diagnostics
from ..core.output import shortened
from .command import show_result
from .progress import Bar

PROG = "nopt plot"
IS_LONG = True
EXAMPLES = {
    "a raster of spikes": ["nopt plot a.npz --name output -o output.svg"],
    "traces of a state, of two neurons": ["nopt plot a.npz --name v --kind trace --neurons 0,1 -o v.svg"],
    "rates": ["nopt plot a.npz --name output --kind rates -o rates.png"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .npz, .npy or .h5")
    parser.add_argument("-o", metavar="OUT", required=True, help="the output file: .svg or .png")
    parser.add_argument("--name", metavar="NAME", help="the array of a .npz or .h5; by default its first")
    parser.add_argument("--kind", choices=PLOT_KINDS, help="by default a trace of real numbers, and a raster of others")
    parser.add_argument("--neurons", metavar="N,…", default="", help="the neurons of a trace, by their flat index")
    parser.add_argument(
        "--samples", choices=("yes", "no"), help="whether the first axis is samples, if the file does not specify it"
    )


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    entries = [text.strip() for text in args.neurons.split(",") if text.strip()]
    neurons = [count_of(text) for text in entries]
    if None in neurons:
        refuse_option("--neurons", shortened(entries[neurons.index(None)]), "flat indices of neurons", "0,1,2")
    samples = None if args.samples is None else args.samples == "yes"
    with Bar("drawing"):
        name = plot(
            args.file,
            args.o,
            name=args.name,
            kind=args.kind,
            neurons=[one for one in neurons if one is not None],
            samples=samples,
        )
    record = {"schema": "nopt.plot/1", "written": args.o, "array": name}
    show_result(args.format, lambda: record, lambda: f"wrote {args.o}: {name}")
