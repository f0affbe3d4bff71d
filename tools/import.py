"""Imports a network of PyTorch by the exporter of its framework, repairs it, and compares it with the framework on the same input; or an ONNX or NESTML model.

SOURCE is FILE.py:NAME: a network, or a function or class that makes one without arguments. The file is executed. The frameworks are
snnTorch, Norse, sinabs, Rockpool and SpikingJelly, and Spyx in JAX. The exit code is 1 if an output differs.

A SOURCE that is an ONNX model becomes a network of values, or with --spikes rates one of spikes. A SOURCE that is a NESTML model becomes a file of
equations, or a network of one population if OUT is IR.
"""

from __future__ import annotations

import argparse

from ..api.importing.import_nestml import is_nestml
from ..api.importing.import_network import DEFAULT_INPUT, Imported, import_network
from ..api.importing.import_onnx import is_onnx
from ..api.modules import format_of, write
from ..api.unit_values import refuse_option
from ..core.counts import count_of
from ..core.diagnostics import Diagnostics
from ..core.number_texts import number_text
from ..simulation.generated_inputs import is_generated
from ..simulation.stimuli import extent as extent_text
from . import choices
from .command import no_effect, refuse_misuse, show_result, table
from .nestml_import import configure_nestml, import_neuron, population_size, refuse_elsewhere
from .onnx_import import import_model
from .progress import Bar

PROG = "nopt import"
IS_LONG = True
EXAMPLES = {
    "import, and compare with the framework on a generated input": [
        "nopt import train.py:make_network --input poisson:0.2 --ticks 50 --samples 8 -o net.nir"
    ],
    "import an ONNX model as a network of spikes": ["nopt import net.onnx --spikes rates --calib x.npy -o net.mlir"],
    "import a NESTML model as equations": ["nopt import iaf_psc_exp_neuron.nestml -o iaf_psc_exp.neuron"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="FILE.py:NAME, a network, or a function or class that makes one; or an ONNX or NESTML model",
    )
    parser.add_argument("-o", metavar="OUT", help="the output file: .nir, or IR; .neuron for a NESTML model")
    choices.add_option(
        parser,
        "--input",
        help="the input of the comparison: a .npy, a .npz, poisson:P (0.2 by default), constant:X or zeros",
    )
    choices.add_options(parser, "--axes")
    for name, what in (("ticks", "ticks"), ("samples", "samples"), ("seed", "random numbers")):
        help = f"number of {what} of a generated input" if name != "seed" else "seed of a generated input"
        parser.add_argument(f"--{name}", metavar="N", type=int, help=help)
    parser.add_argument(
        "--shape",
        metavar="CxHxW",
        help="shape of one input without samples and ticks: 64, 2x28x28; of several inputs: x=16,y=2x8x8",
    )
    parser.add_argument(
        "--allow-differing",
        metavar="SHARE",
        type=float,
        default=0.0,
        help="permitted share of differing entries, 0 by default",
    )
    group = parser.add_argument_group("ONNX models")
    group.add_argument("--spikes", choices=("rates",), help="make a network of spikes, whose rates are activations")
    group.add_argument("--calib", metavar="X", help="sample input that balances the thresholds of a network of spikes")
    configure_nestml(parser, choices.AddEntries)
    group = parser.add_argument_group("choices that replace those of the network")
    group.add_argument("--dt", metavar="TIME", help="length of a tick: that of the layers, or 1ms, by default")
    group.add_argument("--like", metavar="NAME|FILE", help="a preset: that of the framework by default")
    group.add_argument("--reset", metavar="RULE", help="effect of a spike on v: that of the layers by default")
    group.add_argument(
        "--options",
        metavar="NAME=VALUE,…",
        action=choices.AddEntries,
        help="other options of the preset's neurons; may be repeated",
    )
    group.add_argument("--precision", choices=("f32", "f64"), help="f64 by default, then f32 if a layer differs")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if is_nestml(args.source):
        import_neuron(args, diagnostics, population_size(parse_shape(args.shape)))
        return
    refuse_elsewhere(args, args.source)
    if is_onnx(args.source):
        import_model(args, diagnostics)
        return
    unused = [f"--{name}" for name in ("spikes", "calib") if getattr(args, name) is not None]
    if unused:
        refuse_misuse(PROG, no_effect(unused), "an ONNX model", args.source, f"{PROG} {args.source}")
    given = choices.arguments(args, "axes", "dt", "like", "reset", "options", "precision", "allow_differing")
    input, shape = complete_input(args), parse_shape(args.shape)
    with Bar("export and runs") as bar:
        found = import_network(
            args.source, input=input, shape=shape, progress=bar.progress, diagnostics=diagnostics, **given
        )
    differs = bool(diagnostics.errors)
    if not differs:
        diagnostics.settle()
        if args.o:
            write(found.module, args.o, format=format_of(args.o), diagnostics=diagnostics)
    record = {**found.as_json(), "written": None if differs else args.o}
    show_result(args.format, lambda: record, lambda: describe(found, None if differs else args.o))


def complete_input(args: argparse.Namespace) -> str:
    """Returns the input with `--ticks`, `--samples` and `--seed`. Errors: CLI001 an input that is not generated."""
    counts = {"ticks": args.ticks, "samples": args.samples, "seed": args.seed}
    words = [f",{name}={count}" for name, count in counts.items() if count is not None]
    given = args.input or (DEFAULT_INPUT if args.samples is None else DEFAULT_INPUT.partition(",")[0])
    if is_generated(given):
        return given + "".join(words)
    if words:
        flags = [f"--{name}" for name, count in counts.items() if count is not None]
        example = f"{PROG} {args.source} --input poisson:0.2 {flags[0]} 8"
        refuse_misuse(PROG, no_effect(flags), "a generated input", str(given), example)
    return given


def parse_shape(text: str | None) -> tuple[int, ...] | dict[str, tuple[int, ...]] | None:
    """Returns the sizes of `2x28x28`, or of each input of `x=16,y=2x8x8`. Errors: API022."""
    if text is None:
        return None
    if "=" in text:
        named = [part.partition("=") for part in text.split(",")]
        return {name.strip(): parse_sizes(sizes, text) for name, _, sizes in named}
    return parse_sizes(text, text)


def parse_sizes(sizes: str, text: str) -> tuple[int, ...]:
    counts = [count_of(size) or 0 for size in sizes.split("x")]
    if not all(counts):
        refuse_option("--shape", text, "sizes of 1 or more with x between them", "2x28x28")
    return tuple(counts)


def describe(found: Imported, written: str | None) -> str:
    """Formats the comparison of each layer, and the command that runs the network."""
    rows = [["layer", "entries", "equal", "first difference", found.framework, "nopt", "relative error"]]
    for name, layer in found.layers.items():
        first, entries = layer.first, found.entries(name)
        if layer.differing is None:
            sizes = ("x".join(map(str, shape)) for shape in (layer.shape_a, layer.shape_b))
            rows.append([name, str(entries), "", "the shape", *sizes, ""])
            continue
        share = 1 - layer.differing / entries if entries else 1.0
        error = "" if layer.relative_error is None else number_text(layer.relative_error)
        values = (f"{first.a:.6g}", f"{first.b:.6g}") if first else ("", "")
        rows.append([name, str(entries), f"{share:.2%}", first.place if first else "", *values, error])
    versions = ", ".join(f"{name} {version}" for name, version in found.versions.items())
    shapes = ", ".join("x".join(map(str, shape)) for shape in found.shapes.values())
    extent = f"{extent_text(found.samples, found.ticks)} of shape {shapes}"
    verdict = "equal" if found.equal else f"{found.equal_share():.4%} of the entries are equal"
    lines = [table(rows), f"{versions}; {extent}", f"{verdict} in {found.precision}"]
    lines += [f"repaired: {formula} ({', '.join(names)})" for formula, names in found.repairs.items()]
    if written:
        lines += [f"wrote {written}", f"run it: {found.command(written)}"]
    return "\n".join(lines)
