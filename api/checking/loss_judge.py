"""Loss of a network on devices: its measurement, on the sample input or on generated input, and the findings about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import define, evolve
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Code, Diagnostics, Refused, Severity
from ...core.ir import pipeline
from ..compiling.device_fit import Fit
from ..judging.loss import Loss
from ..judging.loss_findings import report_loss
from ..judging.probe import can_be_probed, levels_to_cause, report_refusal, run_on_spikes
from ..judging.remedies import Attempt, Remedies
from ..judging.thresholds import Thresholds
from ..modules import available_passes
from ..permissions.calibrated_networks import CalibratedNetworks
from ..running.level_comparison import make_stages
from ..running.level_records import Level
from .device_losses import DeviceLosses

CHK018 = Code("CHK018", "rates-not-compared", "the rates were not compared")


@define
class LossJudge:
    """Judgement of one network on all devices."""

    networks: CalibratedNetworks
    """The network of the user, repaired."""
    losses: DeviceLosses | None
    """Comparisons on the sample input; None without one. Generated input replaces it at the first device that needs it."""
    thresholds: Thresholds
    passes: str
    permitted: Sequence[str]

    @property
    def has_sample(self) -> bool:
        return self.networks.calib is not None

    def judge(
        self, device: Device, fitted: Fit, ready: ModuleOp, lowered: ModuleOp, found: Diagnostics, *, is_thorough: bool
    ) -> Loss | None:
        """Returns the loss on a device, if it can be measured. With `is_thorough`, the cause is searched, and remedies are tried.

        `ready` is the network before the passes of the device, `lowered` the module after all of them. Errors: LOS001. Warnings: LOS001, CHK016 to CHK018. Remarks: LOS002.
        """
        where, network = f"on {device.key}", fitted.network or ready
        if not self.has_sample and not can_be_probed(self.networks.network, network, found, where):
            return None
        level: Level | None = None
        try:
            losses = self.comparisons()
            if losses is not None:
                level = losses.measure(device, fitted, ready, lowered) if self.has_sample else losses.compare(network)
        except Refused as refusal:
            report = report_uncompared if self.has_sample else report_refusal
            report(refusal, found, where)
        if self.losses is None or level is None:
            return None
        attempt, reference = Attempt(device, self.passes), self.losses.reference
        remedies = Remedies(self.networks, attempt, lambda: reference, permitted=self.permitted)
        levels = [self.losses.first, level]
        if is_thorough:
            levels = levels_to_cause(reference, remedies.stages, level, self.thresholds)
        is_tried = is_thorough and self.has_sample
        report_loss(levels, self.thresholds, found, where, remedies if is_tried else None)
        return level.loss

    def comparisons(self) -> DeviceLosses | None:
        """Returns the comparisons with the network of reals on the sample input, or on generated input. Errors: those of a run."""
        if self.losses is None and not self.has_sample:
            given = pipeline.defining_steps(
                pipeline.parse_pipeline(self.passes, available_passes()) if self.passes else []
            )
            first = make_stages(self.networks.network, given, self.networks.choices, Diagnostics())[0]
            self.losses = DeviceLosses.of(run_on_spikes(first))
        return self.losses

    def judge_passes(self, module: ModuleOp, found: Diagnostics) -> None:
        """Reports the loss after the passes of the user, without a device."""
        where = "after the passes"
        if self.losses is None:
            return
        try:
            level = self.losses.compare(module)
        except Refused as refusal:
            report_uncompared(refusal, found, where)
            return
        stages = partial(make_stages, self.networks.network, self.passes, self.networks.choices, Diagnostics())
        levels = levels_to_cause(self.losses.reference, lambda: stages()[1:], level, self.thresholds)
        report_loss(levels, self.thresholds, found, where)


def report_uncompared(refusal: Refused, diagnostics: Diagnostics, where: str) -> None:
    """Reports a network that refuses the sample input. Warnings: CHK018."""
    finding = refusal.findings[0]
    diagnostics.add(
        evolve(
            finding,
            code=CHK018,
            severity=Severity.WARNING,
            message=f"the rates {where} were not compared",
            notes=(f"{finding.code}: {finding.message}", *finding.notes),
            help=finding.help or f"nopt explain {CHK018}",
        )
    )
