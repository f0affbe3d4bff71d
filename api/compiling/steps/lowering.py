"""Lowering of a prepared network: the passes of its target, and the artefact."""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen
from xdsl.dialects.builtin import ModuleOp

from ....analysis.latency import output_latencies
from ....core.approximations import APPROXIMATIONS
from ....core.ir import pipeline
from ....core.progress import doing
from ....core.target import Artefact
from ....simulation.host.readout_files import write_artefact
from ...costing.estimates import memory_use, over_limit, total_bytes
from ...modules import available_passes
from ...permissions.permitted_fit import Outcome, Trial, with_approximations, with_whole_permission
from ...running.level_records import RecordedStages, records_of
from ...running.run import lift_graphs
from ..added_passes import permitted_fit
from ..device_fit import Fit, fit
from ..legalized_networks import legalized_device
from ..mapping import mapping
from ..request import (
    CompileRequest,
)
from ..test_vectors import with_vectors
from .preparation import Prepared


@frozen
class Lowered:
    """A network after the passes of its target."""

    fit: Fit
    module: ModuleOp
    """The result of the last pass."""
    network: ModuleOp
    """The network in ticks that the target runs; the module itself if it was already compiled."""
    mapped: dict[str, Any] | None
    """Record of the mapping; None without a machine graph."""
    recorded: RecordedStages | None
    """The networks between the passes; None for a network that was compiled before."""


def lower_network(request: CompileRequest, prepared: Prepared) -> Lowered:
    """Runs the passes of the target. Errors: all limits that the network exceeds (`fit`)."""
    found, module, before = request.diagnostics, prepared.module, prepared.module.clone()
    if prepared.start is not None and prepared.start.is_compiled:
        latencies = output_latencies(prepared.start.op)
        fitted = Fit(request.device.target, request.device.key, fits=None, latency_ticks=latencies)
        return Lowered(fitted, module, module, None, None)
    lifted = None if prepared.start is None else lift_graphs(module, found)
    recorded = RecordedStages(records_of(module))
    repairs = (*request.repairs, *request.searches)
    options: dict[str, Any] = {"until": request.until, "pins": request.pins, "repairs": repairs}
    options |= {"hook": prepared.stages, "lifted": lifted}
    fitted = fit(module, request.device, observer=recorded, is_brief=False, progress=request.part(1), **options)
    fitted = with_approximations(fitted, prepared.steps, names=request.needed)
    if fitted.fits == "no" and prepared.start is None and legalized_device(module) is None:
        search = permitted_fit(request, prepared.networks, tuple(APPROXIMATIONS))
        typed = tuple(map(pipeline.pass_text, pipeline.parse_pipeline(request.passes, available_passes())))
        first = None if request.permitted else Outcome(Trial(typed), fitted, before, module)
        fitted = with_whole_permission(fitted, search, typed, request.permitted, first)
    found.extend(fitted.findings)
    found.raise_errors()
    mapped = None if fitted.graph is None else mapping(fitted.graph)
    return Lowered(fitted, module, fitted.network or before, mapped, recorded)


def emit_artefact(request: CompileRequest, lowered: Lowered) -> Artefact:
    """Returns the artefact with its test vectors; an empty artefact if the compilation stops at a level. Errors: CMP012; those of the target.

    Findings stop the compilation here if they are to be errors.
    """
    found, device, made = request.diagnostics, request.device, Artefact({}, {})
    if request.is_whole and request.exit.artefact is not None:
        with doing(f"artefact of {device.key}"):
            made = write_artefact(request.exit.artefact(), lowered.module, device, found)
        with doing("test vectors"):
            made = with_vectors(made, lowered.module, lowered.network, device, request.sample)
    if lowered.fit.graph is not None:
        made = evolve(made, memory=made.memory or memory_use(lowered.fit.graph))
    found.extend(over_limit(total_bytes(made.memory or {}), request.max_bytes, f"on {device.key}"))
    return made
