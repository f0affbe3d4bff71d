"""Findings about the loss of a network on a device: the figures beyond their thresholds, and where the loss starts.

1. The cause is the pass after which a figure is beyond its threshold at every later level.
2. The population is the first one, in the order of the network, whose rate changes after this pass by more than the threshold of the count error; else
   the first one whose neurons fire in another proportion; else the first one with any difference.
3. A figure that is defined at the first level but not at the last, as for a number that is not finite, is beyond every threshold.

On generated input the findings are remarks, because the data of the user can cause less loss, or more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

from attrs import frozen

from ...core.diagnostics import Code, Diagnostics, Severity, choices_text
from ...core.number_texts import counted_text
from ..checking.rate_comparison import compare_rates
from ..running.level_records import Level
from ..running.rate_similarity import Likeness
from .loss import Loss
from .remedies import Remedies, Tried
from .thresholds import BY_NAME, Excess, Thresholds

LOS001 = Code("LOS001", "loss-beyond-threshold", "the loss is beyond a threshold")
LOS002 = Code("LOS002", "loss-not-measured", "the loss was not measured")
LOS005 = Code("LOS005", "loss-threshold-not-applicable", "a threshold of loss does not apply to the network")
LOS006 = Code("LOS006", "outputs-silent", "no output has an event on the samples")

GENERATED = "generated input"
ON_GENERATED = f" on {GENERATED}"
ALIKE = 0.995
"""Cosine of the rates of neurons below which their proportion counts as changed: about that of a relative error of 0.1."""


@frozen
class Verdict:
    """A loss beyond its thresholds."""

    loss: Loss
    excesses: Sequence[Excess]
    cause: Level
    """The first level from which on the loss is beyond a threshold."""
    population: str | None
    """Where the loss starts; None if no population differs."""

    @property
    def is_required(self) -> bool:
        """Whether a threshold of the user is exceeded."""
        return any(one.is_required for one in self.excesses)

    @property
    def named(self) -> set[str]:
        """Returns the populations that the finding names."""
        named = {one.population for one in self.loss.populations}
        return named if self.population is None else named | {self.population}


def judge(levels: Sequence[Level], thresholds: Thresholds) -> Verdict | None:
    """Returns the verdict on the last level; None if its loss is within the thresholds."""
    first, last = levels[0], levels[-1]
    excesses = thresholds.excesses(last.loss, first.loss)
    if not excesses:
        return None
    start = len(levels) - 1
    while start > 1 and thresholds.excesses(levels[start - 1].loss, first.loss):
        start -= 1
    return Verdict(last.loss, excesses, levels[start], population_of(first, levels[start], thresholds))


def population_of(first: Level, cause: Level, thresholds: Thresholds) -> str | None:
    """Returns the population where the loss of a level starts."""
    shared = [(name, cause.populations[name]) for name in first.populations if name in cause.populations]
    limit = thresholds.limits[BY_NAME["count_error"]]
    tests: Sequence[Callable[[Likeness], bool]] = (
        lambda one: is_rate_beyond(one, limit),
        lambda one: one.rate_cosine is not None and one.rate_cosine < ALIKE,
        lambda one: one.first is not None,
    )
    return next((name for test in tests for name, one in shared if test(one)), None)


def is_rate_beyond(one: Likeness, limit: float) -> bool:
    if one.rate is None or one.rate_before is None:
        return False
    return abs(one.rate - one.rate_before) > limit * one.rate_before


def report_loss(
    levels: Sequence[Level],
    thresholds: Thresholds,
    diagnostics: Diagnostics,
    where: str,
    remedies: Remedies | None = None,
) -> Verdict | None:
    """Reports the loss of the last level, and the rates of its populations; `where` describes the level: "on c/int4".

    Returns the verdict; None within the thresholds. Errors: LOS001 beyond a threshold of the user. Warnings: LOS001, LOS006, CHK016, CHK017. Remarks: LOS005.
    """
    last, verdict = levels[-1], judge(levels, thresholds)
    is_generated = last.loss.measured_on == GENERATED
    where = f"{where}{ON_GENERATED}" if is_generated else where
    severity = Severity.REMARK if is_generated else Severity.WARNING
    if verdict is not None:
        severity_of_loss = Severity.ERROR if verdict.is_required and not is_generated else severity
        report_verdict(verdict, levels, thresholds, diagnostics, where, severity_of_loss, remedies)
    if last.loss.is_silent:
        report_silence(last.loss, diagnostics, where, severity)
    for name in thresholds.undefined(levels[0].loss):
        diagnostics.remark(
            LOS005,
            f"the threshold of {name} does not apply: the {BY_NAME[name].words} of this network is not defined",
            at=f"--max-loss {name}",
            help="nopt explain LOS005",
        )
    compare_rates(last, diagnostics, where, severity, set() if verdict is None else verdict.named)
    return verdict


def report_silence(loss: Loss, diagnostics: Diagnostics, where: str, severity: Severity) -> None:
    """Reports outputs without events, before and after all passes: their figures are perfect without a meaning. Warnings: LOS006."""
    names = ", ".join(f'"{name}"' for name in loss.outputs)
    help = "--calib x.npy" if loss.measured_on == GENERATED else f"nopt explain {LOS006}"
    diagnostics.report(
        severity,
        LOS006,
        f"no output has an event {where}: the figures of loss compare silence",
        at=f"output {names}",
        expected="samples on which the network in reals emits an event",
        found=f"none in {samples_text(loss)}",
        help=help,
    )


def report_verdict(
    verdict: Verdict,
    levels: Sequence[Level],
    thresholds: Thresholds,
    diagnostics: Diagnostics,
    where: str,
    severity: Severity,
    remedies: Remedies | None,
) -> None:
    names = [one.figure.words for one in verdict.excesses]
    many = "s" * (len(names) > 1)
    tried = None if remedies is None else remedies.try_out(verdict.cause.step, verdict.loss, thresholds)
    worst, name = verdict.excesses[0], verdict.population
    diagnostics.report(
        severity,
        LOS001,
        f"the loss is beyond its threshold{many} of {choices_text(names).replace(' or ', ' and ')} {where}",
        at="" if name is None else f'ntensor.neuron "{name}"',
        node=name,
        expected=", ".join(one.figure.threshold_text(one.threshold) for one in verdict.excesses),
        found=f"{', '.join(one.figure.text(verdict.loss) for one in verdict.excesses)}, over {samples_text(verdict.loss)}",
        help=help_of(verdict, tried),
        limit=worst.threshold,
        value=None if isnan(worst.value) else worst.value,
        notes=[*start_notes(verdict), *state_notes(verdict), *(() if tried is None else tried.notes)],
    )


def help_of(verdict: Verdict, tried: Tried | None) -> str:
    """Returns the change that helps; on generated input, the option for the data of the user."""
    if verdict.loss.measured_on == GENERATED:
        return "--calib x.npy"
    return f"nopt explain {LOS001}" if tried is None or tried.help is None else tried.help


def samples_text(loss: Loss) -> str:
    return counted_text(loss.samples, "sample")


def start_notes(verdict: Verdict) -> list[str]:
    """Returns a note about the pass and the population where the loss starts."""
    cause, name = verdict.cause, verdict.population
    step = cause.step or {"discretized": "the conversion to ticks"}.get(cause.level, "the last pass")
    if name is None:
        return [f"it starts after {step}"]
    one = cause.populations[name]
    is_changed = one.rate is not None and one.rate_before is not None and one.rate != one.rate_before
    rates = f", {one.rate_before:.4g} -> {one.rate:.4g} spikes per neuron and tick" if is_changed else ""
    state = next((f", which becomes {one.state}" for one in cause.loss.populations if one.population == name), "")
    return [f'it starts in "{name}"{state}{rates}, after {step}']


def state_notes(verdict: Verdict) -> list[str]:
    """Returns a note about each other population that becomes silent, saturated or bursting."""
    known = {
        (one.population, one.state) for one in verdict.cause.loss.populations if one.population == verdict.population
    }
    return [
        f'"{one.population}" becomes {one.state}: {one.before:.4g} -> {one.after:.4g} spikes per neuron and tick'
        for one in verdict.loss.populations
        if (one.population, one.state) not in known
    ]
