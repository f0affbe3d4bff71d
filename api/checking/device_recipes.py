"""Recipes of the devices of a check: those that a compilation for the same device chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.device.recipes import Effort, find_recipe
from ..permissions.permitted_fit import Outcome, PermittedFit, Trial
from ..recipes.recipe_search import HeldReference, RecipeSearch, with_recipe


@define
class DeviceRecipes:
    """The choice of recipes for one network on all devices."""

    name: str | None
    """The recipe that the user names."""
    effort: Effort
    held: HeldReference | None
    """Runs on the samples of the trials; None without a sample input."""
    permitted: Sequence[str]

    def fit(
        self, device: Device, trial: Trial, prepare: Callable[[Sequence[str]], ModuleOp], typed: Sequence[str]
    ) -> tuple[str | None, Outcome | None]:
        """Returns the recipe for a device with its fit; no fit for the default, and no recipe where the device has no other.

        Errors: DEV025 an unknown recipe; those of a run.
        """
        passes = ",".join(typed)
        if self.name is not None:
            recipe = find_recipe(device, self.name, f"--recipe {self.name}")
            if recipe is None:
                return self.name, None
            fit = PermittedFit(device, prepare, self.permitted, typed=tuple(typed))
            return self.name, fit.attempt(with_recipe(trial, recipe, passes))
        if self.held is None or not device.recipes:
            return None, None
        rules = (self.permitted, (), passes)
        choice, outcome = RecipeSearch(device, prepare, self.held.refer, self.effort, *rules).best(trial)
        return choice.name, outcome
