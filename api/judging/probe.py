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
from ...simulation.stimuli import Given
from ..modules import only_network
from ..running.level_comparison import Stage, measure, records_of
from ..running.level_records import Levels
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
    if not added_records(given, lowered):
        return None
    if not takes_events(only_network(lowered)):
        report_unmeasured(diagnostics, where, "inputs that are events", "inputs that are values")
        return None
    rows = [*stages(), Stage("target", None, lowered)]
    spikes = generate_spikes(only_network(rows[0].module))
    try:
        levels = on_spikes([rows[0], rows[-1]], spikes).levels
        if judge(levels, thresholds) is not None:
            levels = on_spikes(rows, spikes).levels
    except Refused as refusal:
        finding = refusal.findings[0]
        report_unmeasured(
            diagnostics, where, "a network that runs on generated input", f"{finding.code}: {finding.message}"
        )
        return None
    report_loss(levels, thresholds, diagnostics, where)
    return levels[-1].loss


def on_spikes(stages: Sequence[Stage], spikes: Given) -> Levels:
    return measure(stages, spikes, diagnostics=Diagnostics(), measured_on=GENERATED)


def added_records(given: ModuleOp, lowered: ModuleOp) -> list[ntensor.ApproximationAttr]:
    """Returns the approximations of a lowered network, without those of the network of the user and of the conversion to ticks."""
    known = records_of(given)
    names = (DISCRETISE, REPAIR)
    return [one for one in records_of(lowered) if one not in known and one.step.data.partition("{")[0] not in names]


def report_unmeasured(diagnostics: Diagnostics, where: str, expected: str, found: str) -> None:
    diagnostics.remark(
        LOS002,
        f"the loss {where} was not measured: give --calib",
        expected=expected,
        found=found,
        help="--calib x.npy",
        notes=[SHAPE],
    )
