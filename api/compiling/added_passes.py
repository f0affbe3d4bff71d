"""Passes that a compilation adds to those of the user: by permissions, and by the recipe of the device."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from attrs import evolve
from xdsl.dialects.builtin import ModuleOp

from ...core.approximations import NUMBER_FORMATS, approximations_of
from ...core.device.recipes import find_recipe
from ...core.device.records import Device
from ...core.diagnostics import Diagnostics
from ...core.ir import pipeline
from ...core.unused_modules import free_modules
from ..modules import available_passes, only_network
from ..permissions.calibrated_networks import CalibratedNetworks
from ..permissions.permitted_fit import PermittedFit, Trial
from ..recipes.recipe_search import HeldReference, RecipeSearch, with_recipe
from ..recipes.records import RecipeChoice
from ..running.chips import refuse_other_device
from ..running.level_comparison import make_stages
from ..running.level_records import Stage
from .legalized_networks import legalized_device
from .request import CompileRequest, refuse_number_options


def with_added_passes(request: CompileRequest, networks: CalibratedNetworks) -> CompileRequest:
    """Returns the request with the passes that permissions and a recipe add; none on a legalised network, whose device it gets.

    Errors: CMP013, CMP014 those of a legalised network; those of the choices, of the passes of the user and of a run.
    """
    if (legalized := legalized_device(networks.network)) is not None:
        return on_legalized(request, networks.network, legalized)
    request = with_recipe_passes(with_permitted_passes(request, networks), networks)
    free_modules(networks.network)  # those of the searches
    return request


def on_legalized(request: CompileRequest, network: ModuleOp, device: Device) -> CompileRequest:
    """Returns the request for the device that a network is legalised for, with the approximations that it records. Errors: CMP013, CMP014."""
    refuse_number_options(request)
    is_plain = request.device.key == device.key and not request.device.overridden
    if request.device.digest != device.digest and not is_plain:
        refuse_other_device(request.device, device, "legalised")
    records = only_network(network).approximations or ()
    steps = pipeline.parse_pipeline(",".join(one.step.data for one in records), available_passes())
    names = tuple(name for name in approximations_of(steps) if name not in NUMBER_FORMATS)
    return evolve(request, device=device, needed=names)


def with_permitted_passes(request: CompileRequest, networks: CalibratedNetworks) -> CompileRequest:
    """Returns the request with the passes that permissions add. Errors: those of the choices and of the passes of the user."""
    if not request.permitted:
        return request
    typed = [pipeline.pass_text(step) for step in pipeline.parse_pipeline(request.passes, available_passes())]
    best = permitted_fit(request, networks, request.permitted).best(typed)
    passes = request.passes if best.trial.passes == tuple(typed) else ",".join(best.trial.passes)
    return evolve(request, passes=passes, repairs=best.trial.repairs, needed=best.fit.approximations)


def permitted_fit(request: CompileRequest, networks: CalibratedNetworks, permitted: Collection[str]) -> PermittedFit:
    """Returns the search for passes with which a network fits on the device of a request."""
    prepare = partial(networks.after, request.device, short=request.short)
    return PermittedFit(request.device, prepare, permitted, request.until, request.pins)


def with_recipe_passes(request: CompileRequest, networks: CalibratedNetworks) -> CompileRequest:
    """Returns the request with the recipe that the user names, else with the best one on the sample input. Errors: DEV025; those of a run."""
    device, trial = request.device, trial_of(request)
    if request.recipe is not None:
        recipe = find_recipe(device, request.recipe, f"--recipe {request.recipe}")
        choice = RecipeChoice(name=request.recipe, effort=None)
        return (
            evolve(request, choice=choice)
            if recipe is None
            else changed(request, with_recipe(trial, recipe, request.typed_passes), choice)
        )
    if request.sample is None or not device.recipes:
        return request
    held = HeldReference(partial(first_stage, request, networks), request.sample, request.effort)
    prepare = partial(networks.after, device, short=request.short)
    rules = (request.permitted, request.pins, request.typed_passes)
    search = RecipeSearch(device, prepare, held.refer, request.effort, *rules)
    choice, outcome = search.best(trial)
    if outcome is None:
        return evolve(request, choice=choice)
    names = (*request.needed, *outcome.fit.approximations)
    return changed(evolve(request, needed=tuple(dict.fromkeys(names))), outcome.trial, choice)


def trial_of(request: CompileRequest) -> Trial:
    """Returns the passes of a request."""
    steps = pipeline.parse_pipeline(request.passes, available_passes()) if request.passes else []
    return Trial(tuple(map(pipeline.pass_text, steps)), tuple(request.repairs))


def changed(request: CompileRequest, trial: Trial, choice: RecipeChoice) -> CompileRequest:
    """Returns a request with the passes of a recipe; the text of the user stays if the recipe adds none."""
    passes = request.passes if trial.passes == trial_of(request).passes else ",".join(trial.passes)
    return evolve(request, passes=passes, repairs=trial.repairs, choice=choice)


def first_stage(request: CompileRequest, networks: CalibratedNetworks) -> Stage:
    """Returns the network of reals."""
    steps = pipeline.parse_pipeline(request.passes, available_passes()) if request.passes else []
    given = pipeline.defining_steps(steps)
    first, _ = pipeline.split_enabling(steps[len(given) :])
    return make_stages(networks.network, [*given, *first], networks.choices_for(request.device), Diagnostics())[0]
