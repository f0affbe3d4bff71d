"""Fit of a network on a device with permitted approximations.

1. The network is fitted. Each error that remains names passes in its help.
2. Passes of which every approximation is permitted are applied, and the network is fitted again. Exact passes, such as splits and relays, need
   no permission. A pass of the target's own pipeline takes the options of the help; another pass is put where it works, as in a typed pipeline
   (`../../passes/pipeline_edits.py`).
3. The first helps of all errors are applied together, then each help by itself, depth first, in at most 10 further fits.
4. A network that fits with approximations keeps its rates, where the device fits them, if that is permitted too.
5. A network with more neurons than the device holds after every legalisation (`../../analysis/neuron_bound.py`) has no second help tried: the first helps
   report what exceeds the device.
6. The names of the approximations that were needed are in the result. Number formats that the device or the user names need no permission.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from attrs import define, evolve, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...analysis.neuron_bound import exceeds_device
from ...core.approximations import NUMBER_FORMATS, approximations_of
from ...core.device.device import Device
from ...core.diagnostics import Diagnostics, Finding, Severity
from ...core.help_text import Passes, PassesOption, Permission, Phrase
from ...core.ir import pipeline
from ...core.ir.pass_results import PassResults
from ...core.locations import Origins
from ...passes.pipeline_edits import insert_passes, is_pipeline, merge_steps, pass_name, split_passes
from ...passes.pipelines import named_repair, rate_repair
from ..compiling.device_fit import Fit, fit, fit_findings, names_of_passes
from ..compiling.target_pipelines import steps_of
from ..modules import available_passes, only_network

KEPT_STEPS = 48
"""Results of the steps of legalisations that are kept."""
MOST_FITS = 10
"""Maximum number of further fits of a network."""


@frozen
class Trial:
    """Passes with which a network is fitted."""

    passes: tuple[str, ...]
    """Passes on the network in ticks, before those of the target."""
    repairs: tuple[str, ...] = ()
    """Passes whose options the passes of the target take."""

    def with_help(self, text: str, refused: str | None, own: Collection[str]) -> Trial:
        """Returns the passes with those of a help. `refused`: the pass that refused the network. `own`: the names of the target's passes."""
        typed, repairs = list(self.passes), list(self.repairs)
        added = split_passes(text)
        names = set(map(pass_name, typed))
        for step in [one for one in added if pass_name(one) in own and pass_name(one) not in names]:
            added.remove(step)
            known = next((k for k, one in enumerate(repairs) if pass_name(one) == pass_name(step)), None)
            if known is None:
                repairs.append(step)
            else:
                repairs[known] = merge_steps(repairs[known], step)
        if added:
            typed = insert_passes(typed, ",".join(added), None if refused is None else pass_name(refused))
        return Trial(tuple(typed), tuple(repairs))


@frozen(eq=False)
class Outcome:
    """Result of a trial."""

    trial: Trial
    fit: Fit
    network: ModuleOp | None = None
    """The network in ticks before the passes of the target; None if a pass before them refused it."""
    module: ModuleOp | None = None
    """The module after the last pass of the target."""


@define
class PermittedFit:
    """Search for passes with which a network fits on a device; without a device, for passes that run."""

    device: Device | None
    prepare: Callable[[Sequence[str]], ModuleOp]
    """Returns the network in ticks after passes. Errors: those of the passes."""
    permitted: Collection[str] = ()
    until: str | None = None
    pins: Sequence[str] = ()
    fits_left: int = MOST_FITS
    is_end: Callable[[Fit], bool] | None = None
    """Returns whether a refusal ends the search; None: none does."""
    tried: set[Trial] = field(factory=set[Trial])
    typed: tuple[str, ...] = ()
    """The passes of the user."""
    results: PassResults = field(factory=lambda: PassResults(KEPT_STEPS))
    """Results of the steps of legalisations for the device."""

    def best(self, passes: Sequence[str], first: Outcome | None = None) -> Outcome:
        """Returns the fit with the fewest helps, from the passes of the user on; the first dead end if there is none.

        `first`: the fit with the passes of the user, if it is known.
        """
        self.typed = tuple(passes)
        return self.with_rates(self.follow(first or self.attempt(Trial(self.typed))))

    def with_rates(self, outcome: Outcome) -> Outcome:
        """Returns the fit of an approximated network with its rates fitted, if that is permitted and changes the network."""  # 4
        if self.device is None or outcome.fit.fits != "approximate":
            return outcome
        text = rate_repair(self.device)
        if text is None or not set(names_of_passes(text)) <= set(self.permitted):
            return outcome
        better = self.attempt(outcome.trial.with_help(text, None, self.own_passes))
        return (
            better
            if better.fit.is_fitting and has_record_of(better.fit, named_repair(self.device, "rates") or "")
            else outcome
        )

    @property
    def own_passes(self) -> set[str]:
        """Returns the names of the target's passes."""
        return set() if self.device is None else {step.name for step in steps_of(self.device, self.until)}

    def follow(self, outcome: Outcome) -> Outcome:
        """Returns the outcome of the first help that leads to a fit, else the last outcome of the first one."""
        self.tried.add(outcome.trial)
        if self.is_last(outcome.fit):
            return outcome
        dead_end = None
        for trial in self.next_trials(outcome):
            if trial in self.tried or self.fits_left == 0:
                continue
            if dead_end is not None and self.is_hopeless(outcome):  # 5
                break
            self.fits_left -= 1
            last = self.follow(self.attempt(trial))
            if self.is_last(last.fit):
                return last
            dead_end = dead_end or last
        return dead_end or outcome

    def is_last(self, fitted: Fit) -> bool:
        """Returns whether the search ends with a fit."""
        return fitted.fits != "no" or (self.is_end is not None and self.is_end(fitted))

    def is_hopeless(self, outcome: Outcome) -> bool:
        """Returns whether no help leads to a fit, and no refusal ends the search."""
        if self.device is None or self.is_end is not None or outcome.network is None:
            return False
        return exceeds_device(only_network(outcome.network), self.device)

    def attempt(self, trial: Trial) -> Outcome:
        """Fits the network with the passes of a trial."""
        found, network = Diagnostics(), None
        with found.collecting():
            network = self.prepare(trial.passes)
        if self.device is None:
            fitted = Fit("", "", "no" if found.errors else None, tuple(found.findings))
            return Outcome(trial, fitted, network, network)
        if network is None:
            findings = fit_findings(found, Origins(ModuleOp([])), self.device)
            return Outcome(trial, Fit(self.device.target, self.device.key, "no", findings))
        module = network.clone()
        fitted = fit(module, self.device, until=self.until, pins=self.pins, repairs=trial.repairs, results=self.results)
        added = [*(one for one in trial.passes if one not in self.typed), *trial.repairs]
        fitted = with_approximations(fitted, parsed(self.typed), approximations_of(parsed(added)))
        if added and fitted.is_fitting:
            fitted = evolve(fitted, passes=tuple(insert_passes(trial.passes, ",".join(trial.repairs))))
        return Outcome(trial, fitted, network, module)

    def next_trials(self, outcome: Outcome) -> Iterator[Trial]:
        """Yields the passes with the first permitted help of each error, then with each permitted help alone."""
        own = self.own_passes
        errors = [one for one in outcome.fit.findings if one.severity is Severity.ERROR]
        helps = [(one, text) for one in errors for text in dict.fromkeys(self.permitted_helps(one))]
        first = {id(one): (one, text) for one, text in reversed(helps)}
        for chosen in (list(first.values())[::-1], *([pair] for pair in helps)):
            trial = outcome.trial
            for text, refused in dict.fromkeys((text, one.step) for one, text in chosen):
                trial = trial.with_help(text, refused, own)
            if trial != outcome.trial:
                yield trial

    def permitted_helps(self, finding: Finding) -> Iterator[str]:
        """Yields the passes in the help of a finding that approximate only what is permitted."""
        for text in pipelines_of(finding):
            if set(names_of_passes(text)) <= set(self.permitted):
                yield text


def has_record_of(fitted: Fit, text: str) -> bool:
    """Returns whether a network records an approximation by a pass of a pipeline. A fit of rates can make the record of an earlier pass unnecessary."""
    records = () if fitted.network is None else only_network(fitted.network).approximations or ()
    steps = [pass_name(step) for step in split_passes(text)]
    return any(pass_name(one.step.data) in steps for one in records)


def pipelines_of(finding: Finding) -> Iterator[str]:
    """Yields the alternatives of a help that are passes."""
    for part in finding.help.parts if isinstance(finding.help, Phrase) else [finding.help or ""]:
        if isinstance(part, Passes):
            yield part.text
        elif isinstance(part, str):
            yield from filter(is_pipeline, part.split(", or "))


def parsed(texts: Sequence[str]) -> list[ModulePass]:
    return pipeline.parse_pipeline(",".join(texts), available_passes()) if texts else []


def with_approximations(fitted: Fit, typed: Sequence[ModulePass], names: Sequence[str] = ()) -> Fit:
    """Returns a fit with the names of what the passes of the user and of the target approximate, and with further names.

    The number formats that the user or the device names are left out.
    """
    if not fitted.is_fitting:
        return fitted
    named = {*approximations_of([*typed, *fitted.steps])} - NUMBER_FORMATS
    every = tuple(sorted({*names, *named}))
    return evolve(fitted, fits="approximate" if every else "exact", approximations=every)


def with_whole_permission(
    fitted: Fit,
    search: PermittedFit,
    passes: Sequence[str],
    permitted: Collection[str] = (),
    first: Outcome | None = None,
) -> Fit:
    """Returns a refused fit with all approximations that it needs, in its `approximations` and in the helps that permit some of them.

    `search` has the permission of every approximation; if the network does not fit with it, the fit has the obstacle. `permitted`: names that are permitted already; their helps are passes again. `first`: the fit with the passes of the user, if it is known. Without further names that solve it, there are none in the fit.
    """
    findings = tuple(without_permission(one, permitted) for one in fitted.findings)
    fitted = evolve(fitted, findings=findings)
    if fitted.fits != "no" or not any(text for one in findings for text in pipelines_of(one)):
        return fitted
    if set(permitted) >= set(search.permitted):  # the fit has the result of this search
        return evolve(fitted, obstacle=first_error(fitted))
    best = search.best(passes, first)
    if not best.fit.is_fitting:
        return evolve(fitted, obstacle=first_error(best.fit))
    needed = {"fits": best.fit.fits, "approximations": best.fit.approximations, "passes": best.fit.passes}
    if best.fit.approximations:
        names = tuple(sorted({*best.fit.approximations, *permitted}))
        findings = tuple(permitting(one, names) for one in findings)
    return evolve(fitted, is_permitted=False, findings=findings, **needed)


def first_error(fitted: Fit) -> Finding | None:
    return next((one for one in fitted.findings if one.severity is Severity.ERROR), None)


def permissions_of(finding: Finding) -> list[Permission]:
    """Returns the permissions in the help of a finding."""
    parts = finding.help.parts if isinstance(finding.help, Phrase) else ()
    return [part for part in parts if isinstance(part, Permission)]


def without_permission(finding: Finding, permitted: Collection[str]) -> Finding:
    """Returns a finding with passes in place of permissions that are given already."""
    if not isinstance(finding.help, Phrase) or not permissions_of(finding):
        return finding
    parts = (
        PassesOption(part.text, part.bits, part.is_whole)
        if isinstance(part, Permission) and set(part.names) <= set(permitted)
        else part
        for part in finding.help.parts
    )
    return evolve(finding, help=Phrase(*parts))


def permitting(finding: Finding, names: tuple[str, ...]) -> Finding:
    """Returns a finding whose help permits all of these approximations, if it permits any."""
    if not isinstance(finding.help, Phrase) or not permissions_of(finding):
        return finding
    parts = (evolve(part, names=names) if isinstance(part, Permission) else part for part in finding.help.parts)
    return evolve(finding, help=Phrase(*parts))
