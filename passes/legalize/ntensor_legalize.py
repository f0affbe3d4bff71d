"""Rewrites a network until it fits its device, by the passes that the device names for unsupported features.

    ntensor.network @n … attributes {machine.device = "asic/edge"}
      =>  quantised, converted, retimed, planned: attributes {machine.device = #nopt.device<"asic/edge", …>, machine.steps = ["ntensor-quantize-weights{bits=4}", …]}

1. Violations are found feature by feature (`_device_violations.py`): plasticity, inputs, resets, weights, shared parameters, updates, kinds of
   spikes, loops, delays, fan-in, latency, rates; then, under a plan of slices, fan-out and axon types.
2. The device's `fallbacks` list the passes that repair a feature. The options `max-…`, `op-ticks`, `bits` and `classes` of the first of them follow the
   device's numbers, overridden ones included. Weights follow the device's advice (`quantization`), updates its own neurons, and tables its signs of weights, even without a fallback.
3. A step may cause another violation, as late biases lengthen delays. That is repaired in turn.
4. A violation without a fallback stays. The plan, or the conversion to `machine`, refuses it.
5. Populations that have no slices yet are planned (`ntensor-plan-cores`), before fan-out and after what changes populations, unless cores
   compute layers (`execution.granularity`). Names of sums that steps have made, the plan cannot cut, so they go (`ntensor-fold-identities`).
6. Populations that steps have added become neurons of the device (`ntensor-map-relays`), before they are planned.
7. Integers that the user chose (`pin-values`) are set once, when populations are neurons of the device (`ntensor-pin-values`).
8. Rates are fitted (`ntensor-fit-rates`) where the device names that pass, the network keeps samples, and `approximate` names `threshold`. Resets are replaced
   (`ntensor-replace-reset`) before weights are rounded, on the same conditions with `reset`, unless copies of the network as far as rates show a larger loss with the
   replaced resets than with those of the device, on samples that no fit has seen (`_held_out_loss.py`).
9. A pass of the device that approximates more than number formats needs the permission `approximate`.
10. Max pools of spikes become populations on a device that has a neuron for them (`ntensor-lower-max-pools`), else sum pools, which approximates
   `count`. Max pools of values are moved after the next population (`ntensor-move-max-pools`), which approximates `dynamics`.
11. A readout that no neuron of the device computes moves to the host before all other steps (`ntensor-move-readout-to-host`). The other steps
   work on the network of the chip alone; then the readout is a part of the network again, and starts with the latency of the chip.
12. An op that repeats events, or a list of synapses, becomes one op with the weights after it where cores compute neurons (`ntensor-merge-synapses`).
13. `machine.steps` lists the passes that ran, as they can be typed. Each records what it loses by itself.
14. A recipe of the device changes its `fallbacks` and its `quantization` (`../../core/device/recipes.py`); a compilation with sample input chooses it.
15. Weights are rounded with the method of the device's advice (`quantization.method`) where the network keeps samples.
16. Requantised integers, as an ONNX model has them, become layers of counts where the neurons of the device are such layers (`ntensor-form-layers`).
17. Learning rules become rules of integers (`ntensor-quantize-rules`) after weights are rounded, before populations are neurons of the device.

Errors: LEG072, LEG073, LEG074, LEG075, LEG076, LEG077, LEG078, LEG079 a pin; LEG020 a neuron of the device with another rule; LEG001 a fallback that repairs nothing; LEG002 an unknown feature in `keep`; LEG003 no calibration; LEG004 rates on a device that does not count them; DEV023 no device; DEV025 an unknown recipe; LEG101 an approximation without permission; ANA050 a learning rule without an integer form; those of the passes. Remarks: LEG196.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import get_args

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...core.approximations import APPROXIMATIONS
from ...core.device.named_device import device_of, name_device
from ...core.device.records import Feature
from ...core.diagnostics import Code, Diagnostics, ExitCode, Refused, refuse
from ...core.ir.context import NoptContext
from ...core.ir.pipeline import pass_text
from ...dialects.ntensor.network import networks
from ._device_requirements import (
    results_of,
)
from ._device_violations import CHECKS
from ._legality_report import LegalizeExamination
from ._legalization import LEG001, Legalization, LegalizeOptions
from .updates._update_options import OtherRule, verify_properties

__all__ = ["LEG001", "NtensorLegalizePass"]

LEG002 = Code("LEG002", "kept-feature-unknown", "unknown feature to keep", exit_code=ExitCode.MISUSED)


@dataclass(frozen=True)
class NtensorLegalizePass(LegalizeOptions):
    """Legalises every `ntensor.network` for the device that it names.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names.
        set: fields of the device that are overridden: `set="core.neurons=64,core.fan_in=32"`.
        approximate: approximations that the passes of the device may make, on record: properties of rules, as in `ntensor-set-neuron-model`, and `delay`, `early`,
            `loops`, `order` and `plasticity`; default none.
        stretch-loops: lengthen loops that hold too few ticks for the device, as `stretch-loops` of the passes that it names, and record it; default false.
        allow-early: let populations be ahead of their input that change without it, as `allow-early` of the passes that the device names, and record it; default false.
        keep: features that are left as they are, `keep=weight_bits,update`, also `keep="axon types"`: for what was done before, in another way; default none.
        recipe: a recipe of the device, by its name; default none, the fallbacks and the quantisation of the device as they are.
        pin-values: integers of the device that are set by hand, `pin-values="1.dv=163,0.weight=10"`, as `values` of `ntensor-pin-values`; default none.
    """

    name = "ntensor-legalize"
    sees_host = True

    def examine(self, ctx: Context, module: ModuleOp, found: Diagnostics) -> LegalizeExamination:
        if self.device is not None:
            network = next(iter(networks(module)))
            name_device(network, self.device_for(network))
        legalization = Legalization(ctx, module, 0, self)
        moved = legalization.with_moved_readout()
        examination = LegalizeExamination(
            module,
            legalization.device,
            moved.on_chip().fallback,
            lambda features: replace(self, keep=(*self.keep, *features)),
            found,
            moved.network,
        )
        if moved.steps and (violation := CHECKS["readout"](legalization.subject)) is not None:
            examination.report(violation, ",".join(moved.steps))
        return examination

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        features: tuple[str, ...] = get_args(Feature)
        for feature in self.kept_features:
            if feature not in features:
                known = ", ".join(features)
                near = [get_close_matches(one, features, 1, 0)[0] for one in self.kept_features]
                help = pass_text(replace(self, keep=tuple(dict.fromkeys(near))))
                message = f"unknown feature {feature}"
                refuse(LEG002, message, at="keep", expected=known, found=feature, help=help)
        verify_properties(self.approximate, self, APPROXIMATIONS)
        self.pins(op).parse()  # no other step runs with a pin of a node that is not there
        before = op.clone()
        try:
            self.legalize(ctx, op)
        except OtherRule as refusal:
            raise self.with_later_differences(refusal, before, ctx) from None

    def legalize(self, ctx: Context, op: ModuleOp) -> None:
        for index, network in enumerate(list(networks(op))):
            name_device(network, self.device_for(network))
            Legalization(ctx, op, index, self).run()

    def with_later_differences(self, refusal: OtherRule, before: ModuleOp, ctx: Context) -> OtherRule:
        """Returns a refusal that also has the differing properties of later steps, so that one command permits them all."""
        while True:
            step = replace(self, approximate=refusal.properties)
            try:
                step.legalize(NoptContext(diagnostics=Diagnostics(), results=results_of(ctx)), before.clone())
            except OtherRule as later:
                if later.remedy is None and not set(later.properties) <= set(refusal.properties):
                    again = replace(self, device=self.device or device_of(next(networks(before))).naming.key)
                    refusal = refusal.joined(later).helped_by(again, *refusal.before)
                    continue
            except Refused:
                pass  # reported after these differences are permitted
            return refusal
