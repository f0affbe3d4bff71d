"""The verb `import` for an ONNX model: as a network of values, or of spikes with balanced thresholds."""

from __future__ import annotations

import argparse

from ..api.importing.import_onnx import DEFAULT_TICKS, ImportedOnnx, import_onnx
from ..api.modules import format_of, write
from ..core.diagnostics import Diagnostics
from ..core.number_texts import counted_text
from .command import no_effect, refuse_misuse, show_result
from .progress import Bar

PROG = "nopt import"
OF_FRAMEWORKS = ("axes", "samples", "seed", "shape", "dt", "like", "reset", "options", "precision", "input")
"""Options of networks of PyTorch alone."""


def import_model(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    """Imports an ONNX model, and writes it. Errors: CLI001 an option of networks of PyTorch, or of spikes without them."""
    unused = [f"--{name}" for name in OF_FRAMEWORKS if getattr(args, name) is not None]
    unused += ["--allow-differing"] if args.allow_differing else []
    unused += [] if args.spikes else [f"--{name}" for name in ("calib", "ticks") if getattr(args, name) is not None]
    if unused:
        expected = "a network of PyTorch" if unused[0][2:] not in ("calib", "ticks") else "--spikes rates"
        refuse_misuse(PROG, no_effect(unused), expected, str(args.source), f"{PROG} {args.source} -o net.mlir")
    ticks = DEFAULT_TICKS if args.ticks is None else args.ticks
    with Bar("balance of thresholds") as bar:
        found = import_onnx(
            args.source,
            spikes=args.spikes,
            calib=args.calib,
            ticks=ticks,
            progress=bar.progress,
            diagnostics=diagnostics,
        )
    diagnostics.settle()
    if args.o:
        write(found.module, args.o, format=format_of(args.o), diagnostics=diagnostics)
    record = {**found.as_json(), "written": args.o}
    show_result(args.format, lambda: record, lambda: describe_model(found, args.o))


def describe_model(found: ImportedOnnx, written: str | None) -> str:
    """Formats the inputs, outputs and size of a network, and the command that runs it."""
    kind = "values" if found.spikes is None else f"spikes, {found.ticks} ticks for a sample"
    lines = [
        f"network of {kind}: {counted_text(found.populations, 'population')}, {counted_text(found.neurons, 'neuron')}, {counted_text(found.weights, 'weight')}"
    ]
    for title, ends in (("input", found.inputs), ("output", found.outputs)):
        lines += [f"{title} {name}: {type}" for name, type in ends.items()]
    lines += [f"changed: {what}" for what in found.approximations]
    if written:
        lines.append(f"wrote {written}")
    return "\n".join(lines)
