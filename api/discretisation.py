"""The choices that a network in continuous time leaves open, as `run` takes them: they become options of `convert-nir-to-ntensor`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..analysis.exporters import Exporter, find, suspected
from ..analysis.flat_graph import flatten
from ..core.diagnostics import Code, Diagnostics, refuse
from ..core.ir import pipeline
from ..core.ir.context import NoptContext
from ..dialects import nir
from ..passes import pipelines
from ..passes.pipelines import CONTINUOUS, DISCRETISE
from .values import time_ns

CHO001 = Code(
    "CHO001",
    "the network is discretised already",
    cause="A time step, a preset and their like are chosen where a network goes from `nir` to `ntensor`. "
    "This network is `ntensor`, so the choice was made and stands in it.",
    remedy="Leave the options out, or start from the `.nir` file.",
)

CHO002 = Code(
    "CHO002",
    "the numbers look as an exporter wrote them",
    cause="Some exporters write numbers that mean something else than NIR says: time constants in ticks, or times the time step, or "
    "gains that their framework does not compute with. The file does not say who wrote it, so nopt reads it as NIR says.",
    remedy="Name the exporter if the file comes from it: `--exported-by NAME`; else nothing needs to be done.",
)

SHOWN = 6
"""Populations that a message names."""


class Choices(TypedDict, total=False):
    """What `convert-nir-to-ntensor` is told; what is left out is chosen by the preset, or refused."""

    dt: str | None
    """Length of a tick, with a unit: `0.1ms`."""
    like: str | None
    """A preset, or a file in the neuron language."""
    exported_by: str | None
    """The framework that wrote the file, `NAME` or `NAME@VERSION`: its numbers are repaired first."""
    reset: str | None
    loop_delay: str | None
    loop_delay_at: str | None
    synapse_delay: int | None
    neuron_delay: int | None
    output_delay: int | None
    precision: Literal["f32", "f64"] | None
    options: str | None
    """Other options of the preset's neurons, `NAME=VALUE,…`."""


def given(choices: Choices) -> dict[str, Any]:
    """The choices that were made, as options of the pass.

    Errors: VAL001 a time that cannot be read.
    """
    made: dict[str, Any] = {}
    for name, value in choices.items():
        if value is not None:
            made |= {"dt_ns": time_ns(str(value))} if name == "dt" else {name: value}
    return made


def conversion(choices: Choices) -> ModulePass:
    """The pass that makes these choices.

        conversion({"dt": "0.1ms", "like": "norse"})

    Errors: VAL001 a time that cannot be read; PAS002 an option that the pass does not take.
    """
    made = given(choices)
    made.pop("exported_by", None)
    return pipelines.discretise(made)


def repairs(choices: Choices) -> list[ModulePass]:
    """The pass that repairs the numbers of the exporter, where one is named; without a time step none, since the conversion refuses.

    Errors: VAL001 a time that cannot be read; REX001 no such exporter.
    """
    made = given(choices)
    by = made.get("exported_by")
    if by is None:
        return []
    find(by.partition("@")[0])
    if "dt_ns" not in made:
        return []
    return [pipelines.repair(by, made["dt_ns"])]


def repaired(module: ModuleOp, choices: Choices, diagnostics: Diagnostics) -> ModuleOp:
    """A module with the numbers that its exporter meant, in a copy; the same module where no exporter is named.

    Errors: those of the repair. Warnings: CHO002.
    """
    if steps := repairs(choices):
        module = module.clone()
        pipeline.run(steps, NoptContext(diagnostics=diagnostics), module)
    elif choices.get("exported_by") is None:
        suspect_export(module, choices, diagnostics)
    return module


def suspect_export(module: ModuleOp, choices: Choices, diagnostics: Diagnostics) -> None:
    """Warns where the numbers of a network look as an exporter wrote them. Warnings: CHO002."""
    tick_ns = given(choices).get("dt_ns")
    dt = None if tick_ns is None else tick_ns / 1e9
    for graph in (op for op in module.ops if isinstance(op, nir.GraphOp) and not op.repairs):
        found: dict[str, tuple[list[Exporter], list[tuple[str, nir.PopulationOp]]]] = {}
        for node in flatten(graph).nodes:
            if isinstance(node.op, nir.PopulationOp) and (exporters := suspected(node.op, dt)):
                key = " ".join([node.op.name, *(exporter.name for exporter in exporters)])
                found.setdefault(key, (exporters, []))[1].append((node.name, node.op))
        for exporters, nodes in found.values():
            warn_suspected(exporters, nodes, diagnostics)


def warn_suspected(
    exporters: list[Exporter], nodes: list[tuple[str, nir.PopulationOp]], diagnostics: Diagnostics
) -> None:
    """One warning for populations that the same exporters may have written."""
    (first, op), *_ = nodes
    family = op.name.partition(".")[2]
    numbers = {name: array.values for name, array in op.parameters() if array.values.size}
    listed = ", ".join(f'"{name}"' for name, _ in nodes[:SHOWN]) + (", …" if len(nodes) > SHOWN else "")
    names = " or ".join(exporter.name for exporter in exporters)
    flags = " or ".join(f"--exported-by {exporter.name}" for exporter in exporters)
    diagnostics.warning(
        CHO002,
        f"the numbers look as {names} writes them",
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


def placed(steps: Sequence[ModulePass], module: ModuleOp) -> tuple[list[ModulePass], list[ModulePass]]:
    """The leading passes that work on a network in continuous time, which run before the conversion, and those that run after it.

    Errors: PAS006 such a pass after another one.
    """
    if is_discretised(module):
        return [], list(steps)
    count = next((k for k, step in enumerate(steps) if pipeline.level_of(step) != CONTINUOUS), len(steps))
    early, late = list(steps[:count]), list(steps[count:])
    wrong = [step for step in late if pipeline.level_of(step) == CONTINUOUS and step.name != DISCRETISE]
    if wrong:
        ordered = [*early, *wrong, *(step for step in late if step not in wrong)]
        refuse(
            pipeline.PAS006,
            f"{wrong[0].name} works on another level",
            at=f"-p {','.join(map(pipeline.pass_text, steps))}",
            expected=f"{CONTINUOUS} passes first: they run before the network is discretised",
            found=f"{wrong[0].name} after {late[0].name}",
            help=f"-p '{','.join(map(pipeline.pass_text, ordered))}'",
        )
    return early, late


def is_discretised(module: ModuleOp) -> bool:
    """Whether no network of the module is still in continuous time."""
    return all(not isinstance(op, nir.GraphOp) for op in module.ops)


def refuse_choices(choices: Choices) -> None:
    """Refuses choices for a network where they were made before.

    Errors: CHO001.
    """
    if made := given(choices):
        flags = ", ".join("--dt" if name == "dt_ns" else f"--{name.replace('_', '-')}" for name in made)
        refuse(
            CHO001,
            "the network is discretised already",
            at=flags,
            expected="no choices of a time step, preset or reset",
            found=f"{flags} for an ntensor network",
            help=f"leave {flags} out, or start from the .nir file",
        )
