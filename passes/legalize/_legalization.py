"""Legalisation of one network for a device: the steps that repair its violations, in their order.

The numbers at the code are those of `ntensor_legalize.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from attrs import evolve
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from ...analysis.calibration_records import forget_samples, kept_samples
from ...analysis.node_selection import name_of
from ...analysis.synapse_chains import chain_starts
from ...core import registry
from ...core.approximations import NUMBER_FORMATS, approximations_of
from ...core.device.core_kinds import has_neuron_cores
from ...core.device.device_pass import DevicePass
from ...core.device.limits import OTHER_DEVICE
from ...core.device.named_device import device_of
from ...core.device.recipes import apply_recipe, find_recipe
from ...core.device.records import Device, Feature
from ...core.diagnostics import Code, Diagnostics, Refused, refuse
from ...core.help_text import PassesOption, Phrase
from ...core.ir.context import NoptContext, diagnostics_of
from ...core.ir.graph_region import names
from ...core.ir.operation import texts_of
from ...core.ir.pass_manager import apply as run_step
from ...core.ir.pass_manager import apply_kept
from ...core.ir.pipeline import option_text, parse_pipeline, pass_text, suggest_pass
from ...dialects import ntensor
from ...dialects.ntensor.network import networks
from ...dialects.ntensor.readout import on_chip
from ..pipelines import (
    FORM_LAYERS,
    MERGE_SYNAPSES,
    PLAN,
    QUANTIZE_RULES,
    default_repair,
    limited_step,
    named_repair,
    planning,
    rounded_by_data,
    with_limit,
)
from ._device_alternatives import find_alternatives, report_alternative
from ._device_requirements import (
    exceeds_limit,
    has_layers_to_form,
    has_rules_to_lower,
    is_named_sum,
    require_integer_rules,
    results_of,
    verify_calibration,
    verify_rates,
)
from ._device_violations import CHECKS, DeviceNetwork, Violation, is_planned
from ._held_out_loss import HeldOutLoss, choose
from .delays._retiming import OtherTiming
from .delays._retiming_check import timing_approximations
from .delays.ntensor_retime import NtensorRetimePass
from .fan.ntensor_split_fan_out import NtensorSplitFanOutPass
from .numbers._pins import Pins, spell_pins
from .numbers.ntensor_pin_values import NtensorPinValuesPass, pin_values
from .readouts._chip_scope import SetAside
from .relays._helper_neurons import has_neuron_for, helpers_of, serves
from .relays.ntensor_lower_max_pools import NtensorLowerMaxPoolsPass, most_spikes
from .relays.ntensor_move_max_pools import NtensorMoveMaxPoolsPass, is_pool_of_values
from .updates._neuron_files import neurons_of, serving_neuron
from .updates._update_options import LEG020, PROPERTIES, OtherRule
from .updates.ntensor_set_neuron_model import NtensorSetNeuronModelPass

LEG001 = Code("LEG001", "fallback-repairs-nothing", "a fallback of the device repairs nothing")
LEG101 = Code("LEG101", "approximation-not-permitted", "a device approximates a network without permission")

LEGALIZED_STEPS = "machine.steps"
"""The passes that made a network fit, on the network."""
FITS: Mapping[Feature, str] = {"rates": "threshold", "resets": "reset"}
"""Features whose fallbacks fit parameters to samples, with the approximation that the fit is."""
PLANNED: Feature = "fan_out"
"""The first feature that is repaired under a plan of slices."""
LEGALIZATION_ROUNDS = 8
"""Times that everything is looked at: a repair may undo another."""


@dataclass(frozen=True)
class LegalizeOptions(DevicePass):
    """The options of `ntensor-legalize`."""

    keep: tuple[str, ...] = ()
    approximate: tuple[str, ...] = ()
    stretch_loops: bool = False
    allow_early: bool = False
    recipe: str | None = None
    pin_values: tuple[str, ...] = ()

    @property
    def approximations(self) -> tuple[str, ...]:
        return (*self.approximate, *timing_approximations(self))

    @property
    def kept_features(self) -> tuple[str, ...]:
        """Returns the features of the option `keep`; tables print their names with spaces or hyphens."""
        words = (word.strip() for text in self.keep for word in text.split(","))
        return tuple(re.sub(r"[ -]", "_", word) for word in words if word)

    def pins(self, module: ModuleOp) -> Pins:
        """Returns the pins, for the network as it is."""

        def again(texts: Sequence[str]) -> Phrase:
            return spell_pins(pass_text(replace(self, pin_values=(",".join(texts),))), texts, "pin-values")

        return Pins(module, self.pin_values, again)


class Legalization:
    """The steps of one network; a step may put another network in its place."""

    def __init__(self, ctx: Context, module: ModuleOp, index: int, step: LegalizeOptions):
        self.ctx, self.module, self.index, self.step = ctx, module, index, step
        device = device_of(self.network)
        recipe = None if step.recipe is None else find_recipe(device, step.recipe, f"recipe={step.recipe}")
        self.device: Device = apply_recipe(device, recipe)  # 14
        self.steps: list[str] = []
        self.rejected: set[Feature] = set()
        """Features whose fallback makes the network worse."""
        self.start: int | None = None
        """The number of the network before the first step, where results of earlier legalisations are known."""

    @property
    def network(self) -> ntensor.NetworkOp:
        return list(networks(self.module))[self.index]

    @property
    def subject(self) -> DeviceNetwork:
        return DeviceNetwork(self.network, self.device)

    def run(self) -> None:
        """Runs the repairs until a round changes nothing. Errors: LEG003, LEG004."""
        self.move_readout()
        host = SetAside.of(self.network)
        verify_rates(self.subject)
        if "update" not in self.step.kept_features:
            verify_calibration(self.subject)
        for k in range(LEGALIZATION_ROUNDS):
            done = len(self.steps)
            for feature in CHECKS:
                if feature == PLANNED:
                    self.convert_helpers()
                    self.plan()
                if feature == "update" and has_rules_to_lower(self.subject):  # 17
                    self.run_steps(QUANTIZE_RULES)
                if feature not in self.step.kept_features:
                    self.repair(feature)
                if feature == "update" and self.step.pin_values and k == 0:
                    self.set_pins()
            if len(self.steps) == done:
                break
        forget_samples(self.network)
        host.join(self.network)
        before = self.network.attributes.get(LEGALIZED_STEPS)
        given = texts_of(before) if isa(before, ListAttr[StringAttr]) else []
        if self.steps:
            self.network.attributes[LEGALIZED_STEPS] = names([*given, *self.steps])

    def move_readout(self) -> None:
        """Forms layers, and marks the readouts that the device does not compute as ops of the host. Errors: LEG180, LEG181, LEG182, LEG183."""  # 11, 16
        if has_layers_to_form(self.subject):
            self.run_steps(FORM_LAYERS)
        if "readout" not in self.step.kept_features:
            self.repair("readout")

    def with_moved_readout(self) -> Legalization:
        """Returns the legalisation of a copy whose readout is moved; of the module itself if none moves, or if that is refused."""
        has_readout = "readout" not in self.step.kept_features and CHECKS["readout"](self.subject) is not None
        if not has_readout and not has_layers_to_form(self.subject):
            return self
        context = NoptContext(diagnostics=Diagnostics(), results=results_of(self.ctx))
        copy = Legalization(context, self.module.clone(), self.index, self.step)
        try:
            copy.move_readout()
        except Refused:  # the pass reports it
            return self
        return copy

    def on_chip(self) -> Legalization:
        """Returns the legalisation of the part of the network that the chip computes."""
        module = on_chip(self.network).parent_op()
        assert isinstance(module, ModuleOp)  # networks are in modules
        return Legalization(self.ctx, module, self.index, self.step)

    def set_pins(self) -> None:
        """Sets the integers that the user chose."""  # 7
        step = NtensorPinValuesPass(self.step.pin_values)
        if pin_values(step, self.step.pins(self.module), self.network):
            self.steps.append(pass_text(step))

    def convert_helpers(self) -> None:
        """Replaces the helper populations that earlier steps added by neurons of the device, if the device has suitable neurons."""  # 6
        added = helpers_of(self.network).values()
        if self.device.updates and any(has_neuron_for(self.device, one, self.network.dt) for one in added):
            self.run_steps("ntensor-map-relays")

    def plan(self) -> None:
        """Slices for populations that have none, on a device with cores; before, sums that steps have given a name lose it."""  # 5
        if not has_neuron_cores(self.device):
            return
        if any(is_named_sum(op) for op in self.subject.ops):
            self.run_steps("ntensor-fold-identities,ntensor-merge-sums")
        if not is_planned(self.subject):
            is_kept = "axon_types" in self.step.kept_features
            self.run_steps(PLAN if is_kept else planning(self.device))

    def repair(self, feature: Feature) -> None:
        """Runs the repair passes of a feature, and refuses if the violation remains."""
        if (needed := FITS.get(feature)) is not None and needed not in self.permitted:  # 8
            return
        if feature == "delay" and CHECKS["recurrence"](self.subject) is not None:
            return  # a loop keeps its delays, and is refused
        violation = CHECKS[feature](self.subject)
        if violation is None or not (text := self.fallback(feature)) or feature in self.rejected:
            return
        if feature == "resets" and self.is_worse_with(text):
            self.rejected.add(feature)
            return
        if feature == "update":
            report_alternative(self.network, self.device, diagnostics_of(self.ctx))
        if feature == "plasticity" and feature not in self.permitted:
            again = replace(self.again, approximate=(*self.step.approximate, feature))
            require_integer_rules(self.subject, suggest_pass(again))
        self.run_steps(text, violation)
        if (left := CHECKS[feature](self.subject)) is not None:
            other = default_repair(feature, violation.limit, self.device)
            if (
                feature == "parameters" and violation.limit is not None
            ):  # fewer sets than fit, so that neurons are placed by their sources too
                other = f"ntensor-share-parameters{{max-classes={max(1, violation.limit // 2)}}}"
            is_other = other is not None and other.partition("{")[0] not in text
            refuse(
                LEG001,
                f"the fallback of {self.device.key} for {feature} repairs nothing",
                **left.fields(self.device)
                | {"found": f"{left.found} after {with_limit(text, feature, violation.limit, self.device)}"},
                help=Phrase(PassesOption(other)) if other is not None and is_other else OTHER_DEVICE,
            )

    def is_worse_with(self, text: str) -> bool:
        """Returns whether the network of the device has a larger loss on held-out samples with the passes of a fallback than without them."""  # 8
        loss = HeldOutLoss.of(self.network)
        return loss is not None and choose(loss, ("", text), self.trial) == ""

    def trial(self, text: str) -> ntensor.NetworkOp | None:
        """Returns a copy of the network after some passes and the repairs as far as rates, other resets kept; None if a repair is refused."""
        kept = replace(self.step, keep=(*self.step.keep, "resets"))
        context = NoptContext(diagnostics=Diagnostics(), results=results_of(self.ctx))
        trial = Legalization(context, self.module.clone(), self.index, kept)
        try:
            trial.run_steps(text)
            for feature in takewhile(lambda one: one != PLANNED, CHECKS):
                if feature not in kept.kept_features:
                    trial.repair(feature)
        except Refused:  # the network itself meets the same refusal
            return None
        return trial.network

    def fallback(self, feature: Feature) -> str | None:
        """Returns the repair passes of a feature: the passes that the device names, else passes that follow from its advice and neurons."""  # 2
        if (named := named_repair(self.device, feature)) is not None:
            return named
        advice = self.device.quantization
        if feature == "weight_bits" and advice is not None and advice.weight_bits is not None:
            bits = self.device.integer("quantization.weight_bits")
            classes = self.device.integer("quantization.classes")
            most = "" if classes is None else f" classes={classes}"
            return f"ntensor-quantize-weights{{bits={bits} per={advice.per} scale={advice.scale}{most} balance=sums}}"
        if feature == "activation_bits" and "graded" in self.device.spike_kinds and advice is not None:
            bits = self.device.integer("quantization.activation_bits")
            return None if bits is None else f"ntensor-quantize-inputs{{kind=graded bits={bits}}}"
        if feature in ("sign_modes", "bias", "readout"):
            return default_repair(feature, None)  # exact, and without an option
        if feature == "max_pool":
            return self.max_pool_steps()
        if feature == "synapse_chain":
            nodes = ",".join(option_text(name_of(op)) for op in chain_starts(self.subject.ops))
            return f"{MERGE_SYNAPSES}{{nodes={nodes}}}"
        return self.conversions() if feature == "update" else None

    def max_pool_steps(self) -> str:
        """Returns the passes for max pools: those of values are moved after populations, and those of spikes become populations, or sums."""  # 10
        pools = [op for op in self.subject.ops if isinstance(op, ntensor.MaxPool2dOp)]
        events = max(most_spikes(op) for op in pools)
        is_served = serves(self.device, "spikes", self.network.dt, events=events)
        steps = [pass_text(NtensorMoveMaxPoolsPass())] if any(map(is_pool_of_values, pools)) else []
        return ",".join([*steps, pass_text(NtensorLowerMaxPoolsPass(by="threshold" if is_served else "sum"))])

    def conversions(self) -> str:
        """Returns a step for each neuron of the device, with the populations of the families that it serves."""
        to = option_text(self.device.naming.key)
        properties = tuple(name for name in self.step.approximate if name in PROPERTIES)
        allowed = f" approximate={option_text(properties)}" if properties else ""
        updates, neurons = ntensor.find_updates(self.module), neurons_of(self.device).neurons
        served: dict[str | None, list[str]] = {}
        for op in self.subject.populations:
            if op.family is not None:
                found = serving_neuron(neurons, op, updates[op.update_name].emits.data)
                served.setdefault(None if found is None else found.name, []).append(op.node.data)
        steps: list[str] = []
        for name in (*self.device.updates, None):
            if nodes := served.get(name):
                only = f" neuron={option_text(name)}" if name is not None else ""  # refused: no neuron serves them
                named = ",".join(map(option_text, nodes))
                steps.append(f"ntensor-set-neuron-model{{to={to}{only} nodes={named}{allowed if only else ''}}}")
        return ",".join(steps)

    @property
    def again(self) -> LegalizeOptions:
        """Returns the pass with the device that it legalises for, for a help line."""
        return replace(self.step, device=self.step.device or self.device.naming.key)

    def run_steps(self, text: str, violation: Violation | None = None) -> None:
        """Runs passes, the first with the limit of a violation. If a pass refuses another rule or timing, the help line is an option of legalisation.

        The result is verified once, after this pass. Errors: LEG020, LEG057, LEG058.
        """
        for k, given in enumerate(parse_pipeline(text, registry.passes())):
            step = (
                given
                if k or violation is None
                else limited_step(given, violation.feature, violation.limit, self.device)
            )
            step = rounded_by_data(step, self.device) if kept_samples(self.network) else step  # 15
            if isinstance(step, NtensorSetNeuronModelPass):
                properties = tuple(name for name in self.step.approximate if name in PROPERTIES)
                step = replace(step, approximate=properties)  # a device permits nothing
            if isinstance(step, NtensorRetimePass | NtensorSplitFanOutPass):
                stretch_loops = step.stretch_loops or "loops" in self.permitted
                allow_early = step.allow_early or "early" in self.permitted
                step = replace(step, stretch_loops=stretch_loops, allow_early=allow_early)
            known = len(self.network.approximations or ())
            try:
                self.run_step(step)
            except OtherTiming as refusal:
                raise refusal.helped_by(self.again) from None
            except OtherRule as refusal:
                has_rules = all(finding.code is LEG020 for finding in refusal.findings)  # no other clips than these
                others = find_alternatives(self.network, self.device, self.step.approximate)
                other = next(others, None) if has_rules else None
                raise refusal.helped_by(self.again, *(() if other is None else (other[1], ", or "))) from None
            except Refused as refusal:
                if k or violation is None or violation.limit is None:
                    raise
                raise Refused(
                    *(evolve(one, help=OTHER_DEVICE) if exceeds_limit(one, step) else one for one in refusal.findings)
                ) from None
            self.require_permission(step, known)
            self.steps.append(pass_text(step))

    def run_step(self, step: ModulePass) -> None:
        """Runs a pass, or takes over its result of a legalisation with the same steps so far. Errors: those of the pass."""
        is_observed = isinstance(self.ctx, NoptContext) and self.ctx.observer is not None
        results = None if is_observed else results_of(self.ctx)
        if results is not None and self.start is None and not self.steps:
            self.start = results.number_of(self.module)
        if results is None or self.start is None:
            run_step(step, self.ctx, self.module, is_verified=False)
            return
        key = (self.start, self.index, *self.steps, pass_text(step))
        apply_kept(results, key, step, self.ctx, self.module)

    @property
    def permitted(self) -> set[str]:
        """Returns the names of the permitted approximations."""
        return {*self.step.approximations, *NUMBER_FORMATS}

    def require_permission(self, step: ModulePass, known: int) -> None:
        """Refuses a pass of the device that recorded an approximation without permission; `known`: the number of earlier records. Errors: LEG101."""
        names = [name for name in approximations_of([step]) if name not in self.permitted]
        records = [*(self.network.approximations or ())][known:]
        if not names or not records:
            return
        node = next((name.data for one in records for name in one.touched), None)
        refuse(
            LEG101,
            f"{self.device.key} approximates the network: {', '.join(names)}",
            at=pass_text(step),
            node=node,
            expected=f"a permission of {', '.join(names)}",
            found="; ".join(one.what.data for one in records),
            help=suggest_pass(replace(self.again, approximate=(*self.step.approximate, *names))),
        )
