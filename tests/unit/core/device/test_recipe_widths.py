"""Passes of devices that round weights use the bits that the same device recommends, in recipes that it inherits as well."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from nopt.core import registry
from nopt.core.device.named_device import resolve_device
from nopt.core.device.recipes import apply_recipe
from nopt.core.device.records import Fallback

NAMES = [f"{target}/{name}" for target, named in registry.devices().items() for name in named]
ROUNDING = re.compile(r"ntensor-quantize-weights\{[^}]*\bbits=(\d+)")


def rounded_bits(fallbacks: Mapping[str, Fallback]) -> set[int]:
    return {int(bits) for fallback in fallbacks.values() for bits in ROUNDING.findall(fallback.passes)}


@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_rounds_to_the_bits_of_its_device(name: str) -> None:
    device = resolve_device(name)
    for recipe in (None, *device.recipes):
        chosen = apply_recipe(device, recipe)
        recommended = chosen.integer("quantization.weight_bits")
        assert rounded_bits(chosen.fallbacks) <= {recommended}, recipe


def test_some_devices_round_in_a_recipe() -> None:
    devices = [resolve_device(name) for name in NAMES]
    assert sum(bool(rounded_bits(recipe.fallbacks)) for device in devices for recipe in device.recipes) >= 5
