"""Measurement of a compilation: the loss at each level, and the results of the chip on sample input."""

from __future__ import annotations

from functools import partial

from ....core.diagnostics import Diagnostics
from ....passes.pipelines import DISCRETISE, REPAIR
from ....simulation.host.hosted_model import chip_model
from ....simulation.learning.plastic_ops import can_learn
from ...checking.rate_comparison import rate_changes
from ...executing.listing import unmeasured_chip
from ...judging.loss import Loss
from ...judging.loss_findings import report_loss
from ...judging.probe import probe_loss
from ...judging.remedies import Attempt, Remedies
from ...judging.sum_saturation import WatchedChip
from ...running.level_comparison import make_stages, measure
from ...running.level_records import Stage
from ...running.shared_reference import SharedReference
from ...running.variability import measure_chips
from ..build_report import (
    Measurement,
)
from ..fidelity import agreement
from ..request import (
    CompileRequest,
)
from .lowering import Lowered
from .preparation import Prepared


def measure_build(request: CompileRequest, prepared: Prepared, lowered: Lowered) -> Measurement:
    """Runs the network before and after each lossy pass, and on the chip, on the sample input; without one, on generated input.

    Errors: LOS001 a loss beyond a threshold of the user; those of a run. Warnings: LOS001, CHK016, CHK017. Remarks: those, LOS002, LOS005, RUN017.
    """
    found, device, sample = request.diagnostics, request.device, request.sample
    model = request.exit.model if request.is_whole else None
    unmeasured = None if model is None or sample is None else unmeasured_chip(device.target, found)
    request.settle()
    if lowered.recorded is None:
        return Measurement(unmeasured=unmeasured)
    if sample is None:
        loss = None if prepared.start is not None else probe(request, prepared, lowered)
        request.settle()
        return Measurement(loss=None if loss is None else loss.as_json(), unmeasured=unmeasured)
    rows = stages_of(request, prepared, lowered)
    chip = None if model is None or unmeasured else chip_model(model(), lowered.module, device)
    watched = None if chip is None else WatchedChip(chip)
    if unmeasured is None and (chip is not None or lowered.fit.network is not None):
        rows.append(Stage("target", None, lowered.network, watched))
    labels = request.labels
    measured = measure(rows, sample, labels=labels, progress=request.part(2), diagnostics=found)
    saturation = None if watched is None else watched.saturation(found)
    report_loss(measured.levels, request.thresholds, found, f"on {device.key}", remedies_of(request, prepared, rows[0]))
    request.settle()
    chips = agreed = None
    if request.draw is not None and chip is not None:
        runs = measure_chips(
            lowered.network, chip, device, request.draw, sample, labels=labels, progress=request.part(3)
        )
        chips = runs.as_json()
    if chip is not None and device.fidelity.tier != "exact" and can_learn(lowered.network):
        agreed = agreement(lowered.network, chip, device, sample).as_json()
    return Measurement(
        loss=measured.levels[-1].loss.as_json(),
        levels=[row.as_json() for row in measured.levels],
        rate_changes=rate_changes(measured.levels[-1]),
        calibration={"samples": measured.samples, "ticks": measured.ticks},
        ticks=measured.ticks,
        chips=chips,
        confusion=None if measured.confusion is None else measured.confusion.as_json(),
        agreement=agreed,
        saturation=saturation,
        unmeasured=unmeasured,
    )


def stages_of(request: CompileRequest, prepared: Prepared, lowered: Lowered) -> list[Stage]:
    """Returns the networks before and after the passes of the user, and after each lossy pass of the target."""
    own = [step for step in prepared.steps if step.name not in (REPAIR, DISCRETISE)]  # these follow from the choices
    recorded = () if lowered.recorded is None else lowered.recorded.stages
    choices = prepared.networks.choices_for(request.device)
    return [*make_stages(prepared.networks.network, own, choices, Diagnostics()), *recorded]


def probe(request: CompileRequest, prepared: Prepared, lowered: Lowered) -> Loss | None:
    """Returns the loss on generated input, if it can be measured. Remarks: LOS001, LOS002, CHK016, CHK017."""
    found, where = request.diagnostics, f"on {request.device.key}"
    stages = partial(stages_of, request, prepared, lowered)
    return probe_loss(prepared.networks.network, stages, lowered.network, request.thresholds, found, where)


def remedies_of(request: CompileRequest, prepared: Prepared, first: Stage) -> Remedies | None:
    """Returns the trials of changes for a loss; None for a compilation that stops at a level."""
    if request.until is not None or request.calib is None or request.sample is None:
        return None
    attempt = Attempt(request.device, request.typed_passes, request.bits, request.typed_bits)
    reference = partial(SharedReference.of, first, request.sample, request.labels)
    return Remedies(prepared.networks, attempt, reference, request.pins, request.permitted)
