"""Search for the recipe of a device with the least loss on a sample input.

1. The network is legalised with the default recipe, and with each recipe of the effort. Passes of the user win over passes of a recipe. A recipe may
   make the approximations that are permitted; otherwise it is refused, and left out.
2. Each network runs on samples that no pass has fitted to (`held_samples.py`), and is compared with the network of reals, as for the loss of a build.
3. No recipe is tried where the default loses no decision and almost no spike.
4. Recipes whose decisions agree as often as those of the best one, within a standard error, are compared by their errors: the count error, or the
   relative error of values. A recipe wins over those before it if it decreases the error by more than a twentieth. Ties take the first one.
5. The chosen recipe runs through the whole pipeline of the target; if that refuses it, the next one is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import sqrt

from attrs import define, evolve, field, frozen
from xdsl.dialects.builtin import ModuleOp

from ...analysis.calibration_records import kept_samples
from ...core.approximations import NUMBER_FORMATS
from ...core.device.device import Device
from ...core.device.recipes import DEFAULT_RECIPE, Effort, recipes_of
from ...core.device.records import Recipe
from ...core.diagnostics import Refused
from ...core.ir.pipeline import option_text
from ...core.progress import doing
from ...passes.pipeline_edits import insert_passes, merge_steps, pass_name, split_passes
from ...passes.pipelines import LEGALIZE
from ...simulation.frames import read_data
from ...simulation.stimuli import Given
from ..compiling.device_fit import Fit, names_of_passes
from ..compiling.target_pipelines import DISCRETE
from ..modules import only_network
from ..permissions.permitted_fit import Outcome, PermittedFit, Trial, first_error
from ..running.level_records import Level, Stage
from ..running.shared_reference import SharedReference
from .held_samples import hold_samples
from .records import RecipeChoice, RecipeTrial

LEAST_GAIN = 0.05
"""Share of the error by which a recipe improves on those before it."""
LOSSLESS = 0.005
"""Error of a network whose loss no recipe is tried for."""
RECIPE_FITS = 4
"""Maximum number of further fits of a recipe."""
NO_FIT = Fit("", "", None)
"""The fit of a recipe that is not permitted."""


@frozen(eq=False)
class Candidate:
    """A recipe with the result of its trial."""

    recipe: Recipe | None
    """None for the default."""
    result: RecipeTrial
    outcome: Outcome
    samples: int = 0


@frozen(slots=False, eq=False)
class RecipeSearch:
    """The recipes of one device for one network."""

    device: Device
    prepare: Callable[[Sequence[str]], ModuleOp]
    """Returns the network in ticks after passes. Errors: those of the passes."""
    refer: Callable[[int], SharedReference]
    """Runs the network of reals on samples that are held back, from the number of kept samples. Errors: those of a run."""
    effort: Effort
    permitted: Collection[str] = ()
    pins: Sequence[str] = ()
    passes_of_user: str = ""

    def best(self, start: Trial) -> tuple[RecipeChoice, Outcome | None]:
        """Returns the choice, and the fit of the chosen recipe by the whole pipeline; None for the default.

        `start`: the passes of the user, and those of permissions. Errors: those of a run on the sample input.
        """
        choice = RecipeChoice(name=DEFAULT_RECIPE, effort=self.effort)
        recipes = recipes_of(self.device, self.effort)
        if not recipes:
            return choice, None
        with doing("trial of the default recipe"):
            outcome = self.fit(start, DISCRETE).attempt(start)
            if not outcome.fit.is_fitting or outcome.network is None:
                return choice, None
            reference = self.refer(samples_of(outcome.network))
            tried = [judge(None, outcome, reference)]
        if tried[0].result.refused is None and not is_lossless(tried[0].result):
            tried += [self.attempt(recipe, start, reference) for recipe in recipes]
        whole: Outcome | None = None
        while (chosen := choose(tried)).recipe is not None:
            with doing(f"fit with the recipe {chosen.result.name}"):
                whole = self.fit(start).attempt(chosen.outcome.trial)
            if whole.fit.is_fitting:
                break
            refused = evolve(chosen, result=evolve(chosen.result, refused=refusal_text(whole)))
            tried, whole = [refused if one is chosen else one for one in tried], None
        trials = tuple(with_reason(one) for one in tried)
        choice = evolve(choice, name=chosen.result.name, samples=reference.fed.samples, trials=trials)
        return choice, whole

    def fit(self, start: Trial, until: str | None = None) -> PermittedFit:
        """Returns the fit of the network up to a level."""
        fit = PermittedFit(self.device, self.prepare, self.permitted, until, self.pins, RECIPE_FITS)
        fit.typed = start.passes
        return fit

    def attempt(self, recipe: Recipe, start: Trial, reference: SharedReference) -> Candidate:
        """Returns the result of a recipe."""
        with doing(f"trial of the recipe {recipe.name}"):
            trial, fit = with_recipe(start, recipe, self.passes_of_user), self.fit(start, DISCRETE)
            missing = {*names_of(recipe.passes or "")} - {*self.permitted, *names_of(",".join(start.passes))}
            if missing:
                refused = f"not permitted: {', '.join(sorted(missing))}"
                return Candidate(recipe, RecipeTrial(name=recipe.name, refused=refused), Outcome(trial, NO_FIT))
            return judge(recipe, fit.follow(fit.attempt(trial)), reference)


def with_reason(candidate: Candidate) -> RecipeTrial:
    """Returns the result of a candidate with the reason for its recipe."""
    recipe = candidate.recipe
    return candidate.result if recipe is None else evolve(candidate.result, reason=recipe.reason)


def names_of(passes: str) -> set[str]:
    """Returns the approximations of passes that need a permission."""
    return set() if not passes else {*names_of_passes(passes)} - NUMBER_FORMATS


def samples_of(module: ModuleOp) -> int:
    """Returns the number of samples that the calibration of a network keeps."""
    return max((len(array) for array in kept_samples(only_network(module)).values()), default=0)


def judge(recipe: Recipe | None, outcome: Outcome, reference: SharedReference) -> Candidate:
    """Runs the legalised network of a trial."""
    name = DEFAULT_RECIPE if recipe is None else recipe.name
    network = outcome.fit.network or outcome.network
    if not outcome.fit.is_fitting or network is None:
        return Candidate(recipe, RecipeTrial(name=name, refused=refusal_text(outcome)), outcome)
    try:
        level = reference.compare(Stage("target", None, network))
    except Refused as refusal:
        finding = refusal.findings[0]
        return Candidate(recipe, RecipeTrial(name=name, refused=f"{finding.code}: {finding.message}"), outcome)
    return Candidate(recipe, result_of(name, level), outcome, reference.fed.samples)


def result_of(name: str, level: Level) -> RecipeTrial:
    """Returns the result of a trial from the level of its network."""
    loss = level.loss
    return RecipeTrial(
        name=name, agreement=loss.agreement, count_error=loss.count_error, relative_error=loss.relative_error
    )


def refusal_text(outcome: Outcome) -> str:
    """Returns the first refusal of a fit."""
    finding = first_error(outcome.fit)
    return "the network does not fit" if finding is None else f"{finding.code}: {finding.message}"


def is_lossless(result: RecipeTrial) -> bool:
    """Returns whether a trial loses no decision and almost no spike."""
    return result.agreement in (None, 1.0) and result.error <= LOSSLESS


def choose(tried: Sequence[Candidate]) -> Candidate:
    """Returns the candidate with the least loss; the first one if none fits."""  # 4
    fitting = [one for one in tried if one.result.refused is None]
    if not fitting:
        return tried[0]
    most = max(agreement_of(one) for one in fitting)
    close, *others = [one for one in fitting if agreement_of(one) >= most - standard_error(most, one.samples)]
    for one in others:
        if one.result.error < close.result.error * (1 - LEAST_GAIN):
            close = one
    return close


def agreement_of(candidate: Candidate) -> float:
    """Returns the share of equal decisions; 1 without decisions."""
    return 1.0 if candidate.result.agreement is None else candidate.result.agreement


def standard_error(share: float, samples: int) -> float:
    """Returns the standard error of a share of samples, by the rule of succession, so that a share of 1 has one too."""
    likely = (share * samples + 1) / (samples + 2)
    return sqrt(likely * (1 - likely) / max(1, samples))


def with_recipe(start: Trial, recipe: Recipe, passes_of_user: str) -> Trial:
    """Returns passes with those of a recipe, and the legalisation with the recipe. Options of a recipe replace those of passes that permissions add."""
    typed = set(map(pass_name, split_passes(passes_of_user)))
    added = [step for step in split_passes(recipe.passes or "") if pass_name(step) not in typed]
    passes = insert_passes(start.passes, ",".join(added)) if added else start.passes
    return Trial(tuple(passes), with_legalization(start.repairs, recipe))


def with_legalization(repairs: Sequence[str], recipe: Recipe) -> tuple[str, ...]:
    """Returns options of the passes of a target with the recipe as an option of the legalisation."""
    own = f"{LEGALIZE}{{recipe={option_text(recipe.name)}}}"
    if all(pass_name(one) != LEGALIZE for one in repairs):
        return (*repairs, own)
    return tuple(merge_steps(one, own) if pass_name(one) == LEGALIZE else one for one in repairs)


@define
class HeldReference:
    """Runs of the network of reals on samples that are held back, for all devices; each number of kept samples has one."""

    stage: Callable[[], Stage]
    """Returns the network of reals."""
    given: Given
    effort: Effort
    known: dict[int, SharedReference] = field(init=False, factory=dict[int, SharedReference])

    def refer(self, kept_count: int) -> SharedReference:
        """Returns the run for a number of kept samples. Errors: those of a run."""
        if kept_count not in self.known:
            stage = self.stage()
            held = hold_samples(read_data(only_network(stage.module), self.given), kept_count, self.effort)
            self.known[kept_count] = SharedReference.of(stage, self.given if held is None else held)
        return self.known[kept_count]
