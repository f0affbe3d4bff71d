"""A network in ticks before the passes of a target, after the passes of a user or of a trial.

Trials, and devices of one family, begin with the same passes. Each sequence of passes runs once, and the last results are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.pass_results import PassResult, PassResults
from ...passes.pipelines import LIFT
from ...simulation.stimuli import Given
from ..calibration_inputs import calibration_pass
from ..compiling.number_types import with_precision
from ..compiling.target_pipelines import passes_before_target
from ..options import Choices

KEPT_RESULTS = 24
"""Results of passes that are kept."""


@define
class CalibratedNetworks:
    """One network with its choices and its sample input, for all devices."""

    network: ModuleOp
    """The network of the user."""
    choices: Choices
    calib: Given | None = None
    axes: str | None = None
    is_lifted: bool = False
    """Whether the network was a machine graph; it is a network already, so that passes that lift it are left out."""
    calibrated: dict[tuple[str, ...], ModuleOp] = field(init=False, factory=dict[tuple[str, ...], ModuleOp])
    """The calibrated modules, by the passes before the calibration and the short ones after it."""
    results: PassResults = field(init=False, factory=lambda: PassResults(KEPT_RESULTS))
    """The results of further passes, by all passes so far."""

    def choices_for(self, device: Device) -> Choices:
        """Returns the choices with the precision of the target."""
        return with_precision(self.choices, self.network, device)

    def steps(
        self, device: Device, passes: Sequence[str], short: Sequence[ModulePass] = ()
    ) -> tuple[list[ModulePass], list[ModulePass]]:
        """Returns the passes up to the calibration and the options that are `short` for passes, and the further passes of the user.

        Errors: those of `passes_before_target`.
        """
        first, late = passes_before_target(self.network, self.choices_for(device), ",".join(passes), device, short)
        late = [step for step in late if not self.is_lifted or step.name != LIFT]
        return [*first, *calibration_pass(self.calib, self.axes, device, [*short, *late]), *short], late

    def after(
        self,
        device: Device,
        passes: Sequence[str],
        short: Sequence[ModulePass] = (),
        diagnostics: Diagnostics | None = None,
    ) -> ModuleOp:
        """Returns the network in ticks after passes; `diagnostics` receives the findings of those after the calibration. Errors: those of the passes."""
        first, late = self.steps(device, passes, short)
        key = tuple(map(pipeline.pass_text, first))
        if key not in self.calibrated:
            module = self.network.clone()
            pass_manager.run_passes(first, NoptContext(diagnostics=Diagnostics()), module)
            self.calibrated[key] = module
        module = self.calibrated[key]
        for step in late:
            key = (*key, pipeline.pass_text(step))
            module = self.after_pass(key, step, module, Diagnostics() if diagnostics is None else diagnostics)
        return module.clone()

    def after_pass(
        self, key: tuple[str, ...], step: ModulePass, before: ModuleOp, diagnostics: Diagnostics
    ) -> ModuleOp:
        """Returns the module after a pass, the last one of the passes `key`. Errors: those of the pass."""
        result = self.results.find(key)
        if result is not None:
            diagnostics.extend(result.findings)
            return result.module
        module, found = before.clone(), Diagnostics()
        try:
            pass_manager.run_passes([step], NoptContext(diagnostics=found), module)
        finally:
            diagnostics.extend(found.findings)
        self.results.keep(key, PassResult(module, tuple(found.findings)))
        return module
