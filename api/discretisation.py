"""Choices that a network in continuous time leaves open: options of `run` that become options of `convert-nir-to-ntensor`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..analysis.exporters import Exporter, can_write, find_exporter, suspected
from ..analysis.flat_graph import Node, flatten
from ..core.diagnostics import Code, Diagnostics, refuse
from ..core.help_text import Phrase, WholePipeline, WithoutOptions
from ..core.ir import pass_manager, pipeline
from ..core.ir.context import NoptContext
from ..dialects import nir
from ..passes import pipelines
from ..passes.pipelines import CONTINUOUS, DISCRETISE
from .options import Choices
from .unit_values import time_ns

API006 = Code("API006", "network-already-discretised", "the network is discretised already")

API007 = Code("API007", "exporter-numbers-suspected", "the numbers are probably those of an exporter")
API008 = Code("API008", "layer-missing-after-linear", "a layer is probably missing after a linear layer")

SHOWN = 6
"""Maximal number of populations in a message."""


def conversion_options(choices: Choices) -> dict[str, Any]:
    """Returns the choices as options of the pass.

    Errors: API022 an invalid time.
    """
    made: dict[str, Any] = {}
    for name, value in choices.items():
        if value is not None:
            made |= {"dt_ns": time_ns(str(value))} if name == "dt" else {name: value}
    return made


def conversion_pass(choices: Choices) -> ModulePass:
    """Returns the pass with these choices.

        conversion({"dt": "0.1ms", "like": "norse"})

    Errors: API022 an invalid time; COR013 an unknown option of the pass.
    """
    made = conversion_options(choices)
    made.pop("exported_by", None)
    return pipelines.discretise(made)


def repair_passes(choices: Choices) -> list[ModulePass]:
    """Returns the pass that repairs the numbers of a named exporter; none without a time step, because the conversion then refuses.

    Errors: API022 an invalid time; ANA032 an unknown exporter.
    """
    made = conversion_options(choices)
    by = made.get("exported_by")
    if by is None:
        return []
    find_exporter(by.partition("@")[0])
    if "dt_ns" not in made:
        return []
    return [pipelines.repair(by, made["dt_ns"])]


def repair_numbers(module: ModuleOp, choices: Choices, diagnostics: Diagnostics) -> ModuleOp:
    """Repairs the numbers of the module's exporter in a copy, and returns it; returns the module itself if no exporter is named.

    Errors: those of the repair. Warnings: API007, API008.
    """
    if steps := repair_passes(choices):
        module = module.clone()
        pass_manager.run_passes(steps, NoptContext(diagnostics=diagnostics), module)
    elif choices.get("exported_by") is None:
        suspect_export(module, choices, diagnostics)
    suspect_gaps(module, choices, diagnostics)
    return module


def suspect_export(module: ModuleOp, choices: Choices, diagnostics: Diagnostics) -> None:
    """Warns about numbers of a network that an exporter probably wrote. Warnings: API007."""
    tick_ns = conversion_options(choices).get("dt_ns")
    dt = None if tick_ns is None else tick_ns / 1e9
    for graph in (op for op in module.ops if isinstance(op, nir.GraphOp) and not op.repairs):
        populations = [(node.name, node.op) for node in flatten(graph).nodes if isinstance(node.op, nir.PopulationOp)]
        found: dict[str, tuple[list[Exporter], list[tuple[str, nir.PopulationOp]]]] = {}
        for name, op in populations:
            exporters = [one for one in suspected(op, dt) if all(can_write(one, other, dt) for _, other in populations)]
            if exporters:
                key = " ".join([op.name, *(exporter.name for exporter in exporters)])
                found.setdefault(key, (exporters, []))[1].append((name, op))
        for exporters, nodes in found.values():
            warn_suspected(exporters, nodes, diagnostics)


def suspect_gaps(module: ModuleOp, choices: Choices, diagnostics: Diagnostics) -> None:
    """Warns about linear layers without neurons after them: before another one, and at the end of a network whose exporter omits layers.

    Two consecutive linear maps are equivalent to one, so a layer between them is probably missing. Warnings: API008.
    """
    by = choices.get("exported_by")
    exporter = None if by is None else find_exporter(by.partition("@")[0])
    omitted = () if exporter is None else exporter.omits
    notes = [f"{exporter.name} writes files without these layers: {', '.join(omitted)}"] if exporter and omitted else []
    for graph in (op for op in module.ops if isinstance(op, nir.GraphOp)):
        for node in flatten(graph).nodes:
            readers = [reader for reader in later_nodes(node) if isinstance(reader.op, nir.WeightedOp)]
            found = (
                f'nir.{readers[0].op.name.partition(".")[2]} "{readers[0].name}"' if readers and readers[0].op else ""
            )
            if not found and not (omitted and node.is_output and isinstance(node.op, nir.WeightedOp)):
                continue
            diagnostics.warning(
                API008,
                at=f'{node.op.name} "{node.name}"' if node.op is not None else "",
                node=node.name,
                expected="neurons after a linear layer",
                found=found or "an output of the network",
                help="nopt explain API008",
                notes=notes,
            )


def later_nodes(node: Node) -> list[Node]:
    """Returns the nodes that read a linear layer directly or through reshaping nodes; none for other nodes."""
    if not isinstance(node.op, nir.WeightedOp):
        return []
    found, waiting = list[Node](), [reader for reader, _ in node.readers]
    for reader in waiting:
        if isinstance(reader.op, nir.FlattenOp | nir.IdentityOp | nir.ReshapeOp):
            waiting += [other for other, _ in reader.readers]
        else:
            found.append(reader)
    return found


def warn_suspected(
    exporters: list[Exporter], nodes: list[tuple[str, nir.PopulationOp]], diagnostics: Diagnostics
) -> None:
    """Warns about populations that the exporters in question may have written."""
    (first, op), *_ = nodes
    family = op.name.partition(".")[2]
    numbers = {name: array.values for name, array in op.parameters() if array.values.size}
    listed = ", ".join(f'"{name}"' for name, _ in nodes[:SHOWN]) + (", …" if len(nodes) > SHOWN else "")
    names = " or ".join(exporter.name for exporter in exporters)
    flags = ", or ".join(f"--exported-by {exporter.name}" for exporter in exporters)
    diagnostics.warning(
        API007,
        f"the numbers are probably those of {names}",
        at=f"{op.name} {listed}",
        node=first,
        expected="numbers in the units of NIR",
        found=", ".join(f"{name} = {array.flat[0]:g}" for name, array in numbers.items()),
        help=flags,
        notes=[
            *(f"{exporter.name}: {exporter.families[family].meaning}" for exporter in exporters),
            f"this is right only if {names} wrote the file",
        ],
    )


def split_by_level(steps: Sequence[ModulePass], module: ModuleOp) -> tuple[list[ModulePass], list[ModulePass]]:
    """Splits passes into the leading passes on a network in continuous time, which run before the conversion, and all others.

    Errors: COR017 a pass on a network in continuous time after another one.
    """
    if is_discretised(module):
        return [], list(steps)
    count = next((k for k, step in enumerate(steps) if pipeline.level_of(step) != CONTINUOUS), len(steps))
    early, late = list(steps[:count]), list(steps[count:])
    wrong = [step for step in late if pipeline.level_of(step) == CONTINUOUS and step.name != DISCRETISE]
    if wrong:
        ordered = [*early, *wrong, *(step for step in late if step not in wrong)]
        refuse(
            pass_manager.COR017,
            f"{wrong[0].name} works on another level",
            at=f"-p {','.join(map(pipeline.pass_text, steps))}",
            expected=f"{CONTINUOUS} passes first: they run before the network is discretised",
            found=f"{wrong[0].name} after {late[0].name}",
            help=Phrase(WholePipeline(",".join(map(pipeline.pass_text, ordered)))),
        )
    return early, late


def is_discretised(module: ModuleOp) -> bool:
    """Whether all networks of the module are in ticks."""
    return all(not isinstance(op, nir.GraphOp) for op in module.ops)


def choice_flags(choices: Choices) -> tuple[str, ...]:
    """Returns the options of the choices that are made."""
    return tuple(f"--{name.replace('_', '-')}" for name, value in choices.items() if value is not None)


def refuse_choices(choices: Choices) -> None:
    """Refuses choices for a discretised network.

    Errors: API006.
    """
    if named := choice_flags(choices):
        flags = ", ".join(named)
        refuse(
            API006,
            at=flags,
            expected="no choices of a time step, preset or reset",
            found=f"{flags} for an ntensor network",
            help=Phrase(WithoutOptions(named)),
        )
