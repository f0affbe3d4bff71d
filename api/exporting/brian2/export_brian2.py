"""Export of a network in reals as a program for Brian 2: one file of Python, and its arrays."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path
from pprint import pformat
from typing import Unpack

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.ir import pass_manager, pipeline
from ....core.ir.context import NoptContext
from ....core.progress import Progress, require_progress
from ....dialects import ntensor
from ....simulation.host.readout_program import archive
from ...atomic_files import write_whole
from ...budgets import MaxTime, with_max_time
from ...discretisation import conversion_pass, is_discretised, refuse_choices, repair_passes, split_by_level
from ...json_record import Record
from ...modules import Network, available_passes, default_diagnostics, only_network, reading
from ...options import Choices, with_options
from ..export_torch import is_module_name, refuse_other_file
from .brian_program import BrianProgram, arguments_of, outputs_of

BRI004 = Code("BRI004", "brian-output-not-python", "the output is not a file of Python", exit_code=ExitCode.MISUSED)
BRIAN_TEMPLATE = Path(__file__).parent / "network.py.in"


@frozen
class ExportedBrian(Record):
    """A program for Brian 2: the record `nopt.export_brian/1`."""

    SCHEMA = "nopt.export_brian/1"

    file: str
    arrays: str
    tick_ns: int
    populations: tuple[str, ...]
    synapses: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@with_options(Choices)
@with_max_time
def export_brian2(
    network: Network,
    *,
    out: str | Path,
    passes: str = "",
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> ExportedBrian:
    """Writes a network in reals as a program for Brian 2: a file of Python, and its arrays in a `.npz` with the same name.

        nopt.export_brian2("net.nir", out="net.py", dt="1ms", like="norse")

    The options are those of `run`; `passes` run on the network in ticks. The program has the spikes of `run`, tick by tick, and the weights of rules.

    Errors: BRI001, BRI002, BRI003 what Brian 2 has no object for; BRI004, PYT006, API012 the file; those of the conversion and of the passes.
    """
    require_progress(progress)
    found, file = default_diagnostics(diagnostics), Path(out)
    if file.suffix != ".py" or not is_module_name(file.stem):
        refuse(
            BRI004, at=str(out), expected="a file that Python imports, NAME.py", found=file.name, help="-o net_brian.py"
        )
    refuse_other_file(file, (".npz",))
    with reading(network, found) as given:
        module = in_ticks(given, choices, passes, found)
    graph = only_network(module)
    program = BrianProgram(graph)
    source = Path(network).name if isinstance(network, str | Path) else graph.sym_name.data
    files = program_files(graph, program, file.stem, source)
    found.settle()
    for name, data in files.items():
        write_whole(file.with_name(name), data)
    return ExportedBrian(
        str(file),
        str(file.with_suffix(".npz")),
        graph.tick_ns.value.data,
        tuple(program.shapes),
        sum(len(array) for name, array in program.arrays.items() if name.endswith(".w")),
        tuple(arguments_of(graph)),
        tuple(outputs_of(graph)),
    )


def in_ticks(given: ModuleOp, choices: Choices, passes: str, diagnostics: Diagnostics) -> ModuleOp:
    """Returns a copy of a network in ticks, in double precision. Errors: those of the conversion."""
    module = given.clone()
    early, late = split_by_level(pipeline.parse_pipeline(passes, available_passes()), module)
    steps = list(late)
    if is_discretised(module):
        refuse_choices(choices)
    else:
        own: Choices = {**choices, "precision": choices.get("precision") or "f64"}
        steps = [*repair_passes(own), *early, conversion_pass(own), *late]
    pass_manager.run_passes(steps, NoptContext(diagnostics=diagnostics), module)
    return module


def program_files(graph: ntensor.NetworkOp, program: BrianProgram, stem: str, source: str) -> dict[str, bytes]:
    """Returns the file of Python, and its arrays."""
    texts = {
        "TITLE": f"{graph.sym_name.data} as a program for Brian 2.",
        "STEM": stem,
        "ARRAYS": f"{stem}.npz",
        "VERSION": version("nopt"),
        "SOURCE": source,
        "TICK_NS": str(graph.tick_ns.value.data),
        "INPUTS": pformat(arguments_of(graph), width=150, sort_dicts=False),
        "OUTPUTS": pformat(outputs_of(graph), width=150, sort_dicts=False),
        "SOURCES": pformat(program.sources, width=150, sort_dicts=False),
        "WEIGHTS": pformat(program.weights, width=150, sort_dicts=False),
        "SIZES": pformat(program.shapes, width=150, sort_dicts=False),
        "BUILD": indented([*program.lines, *program.late]),
    }
    text = re.sub(r"@([A-Z_]+)@", lambda match: texts[match[1]], BRIAN_TEMPLATE.read_text(encoding="utf-8"))
    return {f"{stem}.py": text.encode(), f"{stem}.npz": archive(program.arrays)}


def indented(lines: list[str]) -> str:
    """Returns lines in the body of a function; the lines of a text stay as they are."""
    return "\n".join(f"    {line}" if line else "" for line in lines)
