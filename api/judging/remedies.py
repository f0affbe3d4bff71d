"""Remedies of a loss: changes of a compilation that are compiled, run on the same input, and kept if the loss is smaller.

| change | tried if |
| --- | --- |
| more bits of weights, up to those of the device | the loss starts when weights are rounded |
| another scale of weights: one for each neuron, or of another kind | the same |
| without a pass of the user | the loss starts after it |
| another device of the target: more bits of weights, or other neurons | always, last |

The first change with a loss within the thresholds is the remedy. Otherwise it is the change with the least loss, if that is at most `CLEARLY` of the
loss without it. The results of all trials are notes of the finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from functools import cache, partial
from itertools import islice
from typing import Any

from attrs import evolve, field, frozen
from xdsl.passes import ModulePass

from ...core import registry
from ...core.budget import Partial
from ...core.device.device import Device, find_device, override_fields
from ...core.diagnostics import Diagnostics, Refused
from ...core.help_text import Phrase, WholePipeline, WithoutOptions
from ...core.ir import pipeline
from ...core.progress import doing
from ...passes.pipeline_edits import split_passes, with_device
from ...passes.pipelines import DISCRETISE, REPAIR, SEARCHED, SHORTHANDS, Shorthand, named_repair
from ..compiling.device_fit import fit
from ..modules import available_passes
from ..permissions.calibrated_networks import CalibratedNetworks
from ..permissions.permitted_fit import MOST_FITS, Outcome, PermittedFit
from ..running.level_comparison import RecordedStages, make_stages, records_of
from ..running.level_records import Stage
from ..running.shared_reference import SharedReference
from .loss import Loss
from .thresholds import Excess, Thresholds

MOST_TRIALS = 4
CLEARLY = 0.5
"""Largest remaining share of a loss for a change that helps."""
MOST_BITS, ENOUGH_BITS = 16, 8
"""Largest number of bits of the pass that rounds weights, and one with which most networks keep their decisions."""
WEIGHTS = next(one for one in SHORTHANDS if one.quantizer == SEARCHED)
FINER_SCALES: Sequence[Mapping[str, str]] = (
    {"per": "spiking-neuron", "scale": "float"},
    {"per": "spiking-neuron", "scale": "power-of-two"},
)
"""Options of the pass that rounds weights."""


@frozen
class Attempt:
    """The choices of a compilation that a remedy changes."""

    device: Device
    passes: str = ""
    bits: Mapping[Shorthand, int] = field(factory=dict[Shorthand, int])
    """Values of the options that are short for passes."""
    typed_bits: Mapping[str, int | None] = field(factory=dict[str, int | None])
    """Values of all options of bits as typed, by name; some of them are fields of the device."""


@frozen
class Variation:
    """A change of a compilation: the option as the user types it, and the choices with it."""

    option: str
    attempt: Attempt


@frozen
class Tried:
    """Results of the trials."""

    help: str | None
    """The option that helps; None if none does."""
    notes: Sequence[str]


@frozen
class Remedies:
    """Trials for one compilation."""

    networks: CalibratedNetworks
    attempt: Attempt
    """The choices of the user."""
    reference: Callable[[], SharedReference]
    """Returns the run of the first level on the sample input, with which the results are compared."""
    pins: Sequence[str] = ()
    permitted: Sequence[str] = ()
    """Names of permitted approximations."""

    def loss_of(self, attempt: Attempt, reference: Callable[[], SharedReference]) -> Loss:
        """Returns the loss of a compilation. Errors: those of the passes; all limits that the network exceeds; those of a run."""
        outcome = self.outcome(attempt)
        Diagnostics(outcome.fit.findings).raise_errors()
        network = outcome.fit.network or outcome.network
        assert network is not None  # no pass refused it
        return reference().compare(Stage("target", None, network)).loss

    def stages(self) -> list[Stage]:
        """Returns the networks between the first level and the result: after each pass of the user, and after each lossy pass of the device.

        Errors: those of the passes; all limits that the network exceeds.
        """
        device, trial = self.attempt.device, self.outcome(self.attempt).trial
        steps = [step for part in self.networks.steps(device, trial.passes, self.short(self.attempt)) for step in part]
        own = [step for step in steps if step.name not in (REPAIR, DISCRETISE)]
        stages = make_stages(self.networks.network, own, self.networks.choices_for(device), Diagnostics())
        recorded = RecordedStages(records_of(stages[-1].module))
        module = stages[-1].module.clone()
        fitted = fit(module, device, pins=self.pins, repairs=trial.repairs, observer=recorded)
        Diagnostics(fitted.findings).raise_errors()
        return [*stages[1:], *recorded.stages]

    def outcome(self, attempt: Attempt) -> Outcome:
        """Returns the fit of a compilation, with the passes that permissions add, if there are any."""
        typed = tuple(map(pipeline.pass_text, pipeline.parse_pipeline(attempt.passes, available_passes())))
        prepare = partial(self.networks.after, attempt.device, short=self.short(attempt))
        further = MOST_FITS if self.permitted else 0
        return PermittedFit(attempt.device, prepare, self.permitted, pins=self.pins, fits_left=further).best(typed)

    def short(self, attempt: Attempt) -> list[ModulePass]:
        """Returns the passes of the options that are short for passes."""
        has_samples = self.networks.calib is not None
        return [one.step(bits, has_samples=has_samples) for one, bits in attempt.bits.items()]

    def try_out(self, step: str | None, before: Loss, thresholds: Thresholds) -> Tried:
        """Tries changes until one brings the loss within the thresholds; `step` is the pass that causes the loss."""
        excesses = thresholds.excesses(before)
        notes, best = list[str](), None
        with Partial() as result:
            reference = cache(self.reference)
            for change in islice(self.changes(step), MOST_TRIALS):
                with doing(f"remedy {change.option}"):
                    loss = self.measured(change.attempt, reference)
                if isinstance(loss, str):
                    notes.append(f"tried: {change.option}: {loss}")
                    continue
                figures = ", ".join(one.figure.text(loss) for one in excesses)
                notes.append(f"tried: {change.option}: {figures}")
                if not thresholds.excesses(loss):
                    return Tried(change.option, [*notes[:-1], f"{notes[-1]}, within the thresholds"])
                share = max(remaining_share(one, one.figure.value_of(loss)) for one in excesses)
                if share <= CLEARLY and (best is None or share < best[0]):
                    best = share, change.option
        if result.is_partial:
            notes.append("no further change was tried: the time is used up")
        if best is not None:
            return Tried(best[1], [*notes, f"{best[1]} makes the loss clearly smaller"])
        return Tried(None, [*notes, "none helps" if notes else "no change of bits, scales or device can be tried"])

    def measured(self, attempt: Attempt, reference: Callable[[], SharedReference]) -> Loss | str:
        """Returns the loss of a change, or the reason why there is none."""
        try:
            return self.loss_of(attempt, reference)
        except Refused as refusal:
            return f"refused ({refusal.findings[0].code})"

    def changes(self, step: str | None) -> Iterator[Variation]:
        """Yields the changes to try, those of the pass `step` that causes the loss first."""
        cause = None if step is None else pipeline.parse_pipeline(step, available_passes())[-1]
        if cause is not None and cause.name == SEARCHED:
            yield from self.bit_changes(cause)
            yield from self.scale_changes(cause)
        typed = pipeline.parse_pipeline(self.attempt.passes, available_passes())
        if step is not None and any(pipeline.typed_text(one) == step for one in typed):
            kept = ",".join(pipeline.typed_text(one) for one in typed if pipeline.typed_text(one) != step)
            yield self.with_passes(kept)
        yield from self.device_changes()

    def with_passes(self, passes: str) -> Variation:
        without = WithoutOptions(("--passes", "-p"), in_pipeline="without --passes")
        return Variation(Phrase(WholePipeline(passes) if passes else without), evolve(self.attempt, passes=passes))

    def bit_changes(self, cause: ModulePass) -> Iterator[Variation]:
        """Yields more bits of weights, of the option or of the field that sets them: those of the device, else twice as many, and `ENOUGH_BITS`."""
        attempt, device, path = self.attempt, self.attempt.device, WEIGHTS.device_field
        quantizer: Any = cause
        bits: int = quantizer.bits
        most = device.integer(WEIGHTS.limit_field)
        for more in (most,) if most is not None else sorted({min(MOST_BITS, 2 * bits), ENOUGH_BITS}):
            option = f"{WEIGHTS.option} {more}"
            if more <= bits:
                continue
            if WEIGHTS in attempt.bits:
                yield Variation(option, evolve(attempt, bits={**attempt.bits, WEIGHTS: more}))
            elif self.is_typed(cause):
                yield self.with_passes(self.replaced(cause, {"bits": more}))
            elif device.integer(path) == bits:
                setting = f"{path}={more}"
                is_typed = attempt.typed_bits.get(WEIGHTS.name) is not None
                changed = evolve(attempt, device=override_fields(device, [setting]))
                yield Variation(option if is_typed else f"--set {setting}", changed)

    def scale_changes(self, cause: ModulePass) -> Iterator[Variation]:
        """Yields passes with other scales of weights, in place of those of the user or before those of the device."""
        for options in FINER_SCALES:
            if all(getattr(cause, name) == value for name, value in options.items()):
                continue
            if self.is_typed(cause):
                yield self.with_passes(self.replaced(cause, options))
            elif (named := named_repair(self.attempt.device, "weight_bits")) is not None:
                own = pipeline.parse_pipeline(named, available_passes())
                texts = [
                    changed_text(cause, options) if one.name == cause.name else pipeline.typed_text(one) for one in own
                ]
                yield self.with_passes(",".join([*filter(None, [self.attempt.passes]), *texts]))

    def is_typed(self, cause: ModulePass) -> bool:
        typed = pipeline.parse_pipeline(self.attempt.passes, available_passes())
        return any(pipeline.typed_text(one) == pipeline.typed_text(cause) for one in typed)

    def replaced(self, cause: ModulePass, options: Mapping[str, Any]) -> str:
        """Returns the passes of the user with other options of one of them."""
        typed = pipeline.parse_pipeline(self.attempt.passes, available_passes())
        text = pipeline.typed_text(cause)
        return ",".join(
            changed_text(one, options) if pipeline.typed_text(one) == text else pipeline.typed_text(one)
            for one in typed
        )

    def device_changes(self) -> Iterator[Variation]:
        """Yields other devices of the target: with more bits of weights, the least first, then with other neurons. Reals have the most bits."""
        device = self.attempt.device
        if device.naming.key != device.key:  # a file of the user
            return
        others = [
            find_device(device.target, name)
            for name in registry.devices()[device.target]
            if f"{device.target}/{name}" != device.key
        ]
        bits = {one.key: one.integer(WEIGHTS.limit_field) for one in (device, *others)}
        own, reals = bits[device.key], 10**9
        finer = [one for one in others if own is not None and (bits[one.key] or reals) > own]
        changed = [one for one in others if one not in finer and set(one.updates) - set(device.updates)]
        for one in [*sorted(finer, key=lambda one: bits[one.key] or reals), *changed]:
            found = self.on_other(one)
            if found is not None:
                yield found

    def on_other(self, other: Device) -> Variation | None:
        """Returns the change to another device with the same settings; None if it does not accept them."""
        attempt, settings = self.attempt, self.attempt.device.naming.settings
        passes = ",".join(with_device(step, other.key) for step in split_passes(attempt.passes))
        try:
            changed = override_fields(other, settings)
        except Refused:
            return None
        return Variation(f"--target {other.key}", evolve(attempt, device=changed, passes=passes))


def changed_text(step: ModulePass, options: Mapping[str, Any]) -> str:
    """Formats a pass with changed options; those that were typed, and those that differ, are shown even if they are defaults."""
    assert is_dataclass(step)
    changed: Any = replace(step, **options)
    differing = {name for name, value in options.items() if getattr(step, name) != value}
    return pipeline.pass_text(changed, {*getattr(step, pipeline.TYPED, ()), *differing})


def remaining_share(excess: Excess, value: float | None) -> float:
    ideal = float(excess.figure.is_share)
    lost = abs(excess.value - ideal)
    return float("inf") if value is None else abs(value - ideal) / lost if lost else 1.0
