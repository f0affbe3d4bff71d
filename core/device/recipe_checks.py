"""Checks of the recipes of a device: their names, fields and passes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from .. import registry
from ..diagnostics import Refused, choices_text
from .device_report import DeviceReport
from .fields import fields_of, is_quantity
from .reader import DEV002, DEV006, field_types, value_text
from .recipes import DEFAULT_RECIPE
from .records import Quantization, Recipe

SLUG = re.compile(r"[a-z][a-z0-9_-]*")
NOT_CHANGED = ("source", "note")
"""Fields of the quantisation that no recipe changes."""


class RecipeChecks(DeviceReport):
    """Checks of the recipes of one device."""

    def run(self, *, has_text_checks: bool) -> None:
        seen: dict[str, str] = {DEFAULT_RECIPE: "the recipe of the device itself"}
        for k, recipe in enumerate(self.device.recipes):
            at = f"recipes[{k}]"
            if not SLUG.fullmatch(recipe.name):
                expected = "lower case letters, digits, underscores and dashes, a letter first"
                message = f"{at}.name is not a valid name"
                self.finding(DEV002, message, f"{at}.name", expected=expected, found=recipe.name)
            if (other := seen.setdefault(recipe.name, at)) != at:
                expected = "another name"
                self.contradiction("two recipes have one name", f"{at}.name", expected, f"{recipe.name}, as {other}")
            if not (recipe.passes or recipe.fallbacks or recipe.quantization):
                self.contradiction("a recipe changes nothing", at, "passes, fallbacks or quantization", "none of them")
            self.quantization(recipe, at)
            if has_text_checks:
                self.passes(recipe, at)

    def quantization(self, recipe: Recipe, at: str) -> None:
        """Checks that the fields exist and accept their values."""
        if recipe.quantization and self.device.quantization is None:
            path = f"{at}.quantization"
            self.contradiction("a recipe changes missing recommendations", path, "a section quantization", "none")
            return
        known = [one.name for one in fields_of(Quantization) if one.name not in NOT_CHANGED]
        for name, value in recipe.quantization.items():
            path = f"{at}.quantization.{name}"
            if name not in known:
                near = get_close_matches(name, known, 1, 0)[0]
                found = value_text(name)
                self.finding(DEV002, "unknown field", path, expected=choices_text(known), found=found, help=f'"{near}"')
                continue
            self.value(field_types(Quantization)[name], value, name, path)

    def value(self, kind: Any, value: Any, name: str, path: str) -> None:
        """Checks one value. A number needs a fact of the device, whose source it keeps."""
        if is_quantity(kind):
            most = self.device.integer("synapse.bits") if name == "weight_bits" else None
            if self.device.quantity(f"quantization.{name}") is None:
                expected = f"quantization.{name} of the device, with its source"
                self.contradiction("a recipe changes a number that the device does not have", path, expected, "none")
            elif isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= (most or value):
                expected = "an integer of 1 or more" if most is None else f"an integer from 1 to {most}"
                self.finding(DEV006, f"{path} is out of its range", path, expected=expected, found=value_text(value))
        elif get_origin(kind) is not None and value not in get_args(kind):
            message, expected = f"{path} violates the schema", choices_text(get_args(kind))
            self.finding(DEV002, message, path, expected=expected, found=value_text(value))

    def passes(self, recipe: Recipe, at: str) -> None:
        """Checks that all passes and their options exist."""
        for path, text in texts_of(recipe):
            from ..ir.pipeline import parse_pipeline

            try:
                parse_pipeline(text, registry.passes())
            except Refused as refusal:
                self.passed_on(refusal, f"{at}.{path}")


def texts_of(recipe: Recipe) -> Iterator[tuple[str, str]]:
    """Yields the pipelines of a recipe with their paths."""
    if recipe.passes is not None:
        yield "passes", recipe.passes
    for feature, fallback in recipe.fallbacks.items():
        yield f"fallbacks.{feature}.passes", fallback.passes
