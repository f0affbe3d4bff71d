"""The verb `import` for a NESTML model: as equations, or as a network of one population."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from math import prod
from pathlib import Path

from ..api.atomic_files import write_whole
from ..api.importing.import_nestml import DEFAULT_DT, ImportedNestml, import_nestml
from ..api.modules import format_of, write
from ..api.unit_values import refuse_option
from ..core.diagnostics import Diagnostics
from .command import no_effect, refuse_misuse, show_result, table

PROG = "nopt import"
OF_OTHERS = ("axes", "samples", "seed", "like", "reset", "options", "precision", "input", "spikes", "calib", "ticks")
"""Options of networks of PyTorch and of ONNX models alone."""
ONLY_HERE = ("model", "ports", "fixed", "set", "substeps", "solver")
"""Options of NESTML models alone."""
EQUATIONS_SUFFIX = ".neuron"


def configure_nestml(parser: argparse.ArgumentParser, entries: type[argparse.Action]) -> None:
    group = parser.add_argument_group("NESTML models")
    group.add_argument("--model", metavar="NAME", help="the model, in a file of several")
    group.add_argument("--ports", metavar="NAME,…", action=entries, help="ports with an input: all by default")
    group.add_argument("--set", metavar="NAME=VALUE,…", action=entries, help="values of parameters, in ms, mV, pA, nS")
    group.add_argument(
        "--fixed", metavar="NAME,…|all", action=entries, help="parameters that become numbers in the equations"
    )
    group.add_argument("--solver", choices=("rk4", "euler"), help="method for equations without an exact solution: rk4")
    group.add_argument("--substeps", metavar="N", type=int, help="its steps in a tick, 1 by default")


def refuse_elsewhere(args: argparse.Namespace, source: str) -> None:
    """Refuses options of NESTML models for another source. Errors: CLI001."""
    unused = [f"--{name}" for name in ONLY_HERE if getattr(args, name) is not None]
    if unused:
        refuse_misuse(PROG, no_effect(unused), "a NESTML model", source, f"{PROG} {source}")


def import_neuron(args: argparse.Namespace, diagnostics: Diagnostics, size: int) -> None:
    """Imports a NESTML model, and writes its equations, or a network. Errors: CLI001 an option of other sources."""
    unused = [f"--{name}" for name in OF_OTHERS if getattr(args, name) is not None]
    unused += ["--allow-differing"] if args.allow_differing else []
    is_network = args.o is not None and Path(args.o).suffix != EQUATIONS_SUFFIX
    unused += [] if is_network else [f"--{name}" for name in ("dt", "shape") if getattr(args, name) is not None]
    if unused:
        expected = "an output that is a network" if unused[0] in ("--dt", "--shape") else "another source"
        refuse_misuse(PROG, no_effect(unused), expected, str(args.source), f"{PROG} {args.source} -o net.mlir")
    fixed: list[str] = args.fixed.split(",") if args.fixed else []
    found = import_nestml(
        args.source,
        model=args.model,
        ports=None if args.ports is None else args.ports.split(","),
        values=parse_assignments(args.set),
        fixed=True if fixed == ["all"] else fixed,
        substeps=1 if args.substeps is None else args.substeps,
        solver=args.solver or "rk4",
        diagnostics=diagnostics,
    )
    diagnostics.settle()
    if is_network:
        network = found.network(dt=args.dt or DEFAULT_DT, size=size)
        write(network, args.o, format=format_of(args.o), diagnostics=diagnostics)
    elif args.o:
        write_whole(args.o, found.equations.encode())
    record = {**found.as_json(), "written": args.o}
    show_result(args.format, lambda: record, lambda: describe_neuron(found, args.o, is_network))


def parse_assignments(text: str | None) -> Mapping[str, float]:
    """Returns the numbers of `tau_m=10,E_L=-65`. Errors: API022 another text."""
    found: dict[str, float] = {}
    for part in text.split(",") if text else []:
        name, sign, number = part.partition("=")
        try:
            found[name.strip()] = float(number) if sign else float("nan")
        except ValueError:
            found[name.strip()] = float("nan")
        if found[name.strip()] != found[name.strip()]:
            refuse_option("--set", part, "NAME=VALUE with a number", "tau_m=10")
    return found


def population_size(shape: tuple[int, ...] | dict[str, tuple[int, ...]] | None) -> int:
    """Returns the number of neurons of `--shape`. Errors: API022 a shape for each input."""
    if isinstance(shape, dict):
        refuse_option("--shape", "a shape for each input", "one number of neurons", "100")
    return 1 if shape is None else prod(shape)


def describe_neuron(found: ImportedNestml, written: str | None, is_network: bool) -> str:
    """Formats the inputs, the parameters and the methods, or the equations without an output."""
    if written is None:
        return found.equations.rstrip()
    lines = [f"neuron {found.neuron}: inputs {', '.join(found.inputs)}"]
    methods = {"exact": found.exact, "numeric": found.numeric}
    lines += [f"{name}: {', '.join(variables)}" for name, variables in methods.items() if variables]
    rows = [["parameter", "unit", "default"]]
    rows += [[name, found.units[name], f"{value:g}"] for name, value in found.parameters.items()]
    lines += [table(rows)] if len(rows) > 1 else []
    lines.append(f"wrote {written}")
    file = shlex.quote(written)
    if is_network:
        lines.append(f"run it: nopt run {file} --input poisson:0.1 --ticks 1000")
    elif len(found.inputs) == 1:
        lines.append(f"use it: nopt run NETWORK --load-node {file} --dt 0.1ms --like norse")
    return "\n".join(lines)
