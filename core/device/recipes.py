"""Recipes of a device: changes of its fallbacks and of its quantisation, from which a compilation chooses one.

The recipe `default` changes nothing. It is the first one of every device, and no device file lists it.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Literal

from attrs import evolve

from ..diagnostics import Code, ExitCode, refuse
from .fields import Quantity, Scalar
from .records import Device, Quantization, Recipe

DEV025 = Code("DEV025", "device-recipe-unknown", "a device has no such recipe", exit_code=ExitCode.MISUSED)

Effort = Literal["fast", "normal", "best"]
DEFAULT_RECIPE = "default"
"""The name of the recipe that changes nothing."""


def recipe_names(device: Device) -> list[str]:
    """Returns the names of the recipes of a device, in the order of the trials."""
    return [DEFAULT_RECIPE, *(recipe.name for recipe in device.recipes)]


def find_recipe(device: Device, name: str, at: str) -> Recipe | None:
    """Returns a recipe by its name; None for the default. Errors: DEV025 a device has no such recipe."""
    names = recipe_names(device)
    if name not in names:
        near, *_ = get_close_matches(name, names, 1, 0)
        refuse(
            DEV025,
            f"{device.key} has no recipe {name}",
            at=at,
            expected=", ".join(names),
            found=name,
            help=at.replace(name, near),
        )
    return next((recipe for recipe in device.recipes if recipe.name == name), None)


def recipes_of(device: Device, effort: Effort) -> Sequence[Recipe]:
    """Returns the recipes that an effort tries in addition to the default."""
    return [recipe for recipe in device.recipes if effort == "best" or recipe.effort == effort]


def apply_recipe(device: Device, recipe: Recipe | None) -> Device:
    """Returns a device with the fallbacks and the quantisation of a recipe."""
    if recipe is None:
        return device
    advice = device.quantization
    if advice is not None and recipe.quantization:
        advice = change_quantization(advice, recipe.quantization)
    return evolve(device, fallbacks={**device.fallbacks, **recipe.fallbacks}, quantization=advice)


def change_quantization(advice: Quantization, values: dict[str, Scalar]) -> Quantization:
    """Returns recommendations with other values; facts keep their sources."""
    changed: dict[str, Any] = {}
    for name, value in values.items():
        fact = getattr(advice, name)
        changed[name] = evolve(fact, value=value) if isinstance(fact, Quantity) else value
    return evolve(advice, **changed)
