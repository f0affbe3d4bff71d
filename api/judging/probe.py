"""Loss without sample input: a network before and after all passes on generated input.

1. A network whose passes recorded no approximation is not run: it has no loss.
2. Random spikes are a valid input only if all inputs of the lowered network are events; for values, the remark LOS002 asks for sample input.
3. Only the first and the last network run. If a threshold is exceeded, the networks between them run as well, to find the cause.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Diagnostics, Refused
from ...dialects import ntensor
from ...passes.pipelines import DISCRETISE, REPAIR
from ..modules import only_network
from ..running.level_comparison import records_of
from ..running.level_records import Level, Stage
from ..running.shared_reference import SharedReference
from .generated_input import generate_spikes, takes_events
from .loss import Loss
from .loss_findings import GENERATED, LOS002, judge, report_loss
from .thresholds import Thresholds

SHAPE = "x.npy is [samples, ticks, *shape]: typical data of the network, some samples of each kind"


def probe_loss(
    given: ModuleOp,
    stages: Callable[[], Sequence[Stage]],
    lowered: ModuleOp,
    thresholds: Thresholds,
    diagnostics: Diagnostics,
    where: str,
) -> Loss | None:
    """Returns the loss of a lowered network on generated input; None if it has no approximation, or cannot be measured so.

    `given` is the network of the user, and `stages` returns all networks up to the lowered one. Remarks: LOS001, LOS002, CHK016, CHK017.
    """
    if not can_be_probed(given, lowered, diagnostics, where):
        return None
    first, *others = stages()
    try:
        reference = run_on_spikes(first)
        last = reference.compare(Stage("target", None, lowered))
    except Refused as refusal:
        report_refusal(refusal, diagnostics, where)
        return None
    levels = levels_to_cause(reference, lambda: others, last, thresholds)
    report_loss(levels, thresholds, diagnostics, where)
    return last.loss


def can_be_probed(given: ModuleOp, lowered: ModuleOp, diagnostics: Diagnostics, where: str) -> bool:
    """Returns whether the loss of a lowered network can be measured on generated input, and whether it can have one. Remarks: LOS002."""
    if not added_records(given, lowered):
        return False
    if not takes_events(only_network(lowered)):
        report_unmeasured(diagnostics, where, "inputs that are events", "inputs that are values")
        return False
    return True


def run_on_spikes(first: Stage) -> SharedReference:
    """Runs the network of reals on generated input. Errors: those of a run."""
    return SharedReference.of(first, generate_spikes(only_network(first.module)), measured_on=GENERATED)


def levels_to_cause(
    reference: SharedReference, stages: Callable[[], Sequence[Stage]], last: Level, thresholds: Thresholds
) -> list[Level]:
    """Returns the first and the last level, and those between them if the last one is beyond a threshold. Errors: those of a run."""
    first = reference.level()
    between = stages() if judge([first, last], thresholds) is not None else ()
    return [first, *map(reference.compare, between), last]


def added_records(given: ModuleOp, lowered: ModuleOp) -> list[ntensor.ApproximationAttr]:
    """Returns the approximations of a lowered network, without those of the network of the user and of the conversion to ticks."""
    known, names = records_of(given), (DISCRETISE, REPAIR)
    return [one for one in records_of(lowered) if one not in known and one.step.data.partition("{")[0] not in names]


def report_refusal(refusal: Refused, diagnostics: Diagnostics, where: str) -> None:
    """Reports that generated input cannot be run. Remarks: LOS002."""
    finding = refusal.findings[0]
    found = f"{finding.code}: {finding.message}"
    report_unmeasured(diagnostics, where, "a network that runs on generated input", found)


def report_unmeasured(diagnostics: Diagnostics, where: str, expected: str, found: str) -> None:
    diagnostics.remark(
        LOS002,
        f"the loss {where} was not measured: give --calib",
        expected=expected,
        found=found,
        help="--calib x.npy",
        notes=[SHAPE],
    )
