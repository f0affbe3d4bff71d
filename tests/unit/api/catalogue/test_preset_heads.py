"""The heads of the presets contain all required information."""

from __future__ import annotations

import pytest

from nopt.api.catalogue.preset_entries import PresetEntry, facts, presets


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_every_preset_says_what_it_was_compared_with(preset: PresetEntry) -> None:
    assert any(character.isdigit() for character in preset.versions), "a version is a number"
    assert preset.initial_state.startswith("v = ")
    assert preset.families
    assert preset.arguments or preset.name == "euler"


def test_facts_end_at_an_empty_line() -> None:
    comment = "About it.\n\nVersions: A 1.0.\nArguments: a is b,\nc is d.\n\nMore.\nSource: x"
    assert facts(comment) == {"Versions": "A 1.0", "Arguments": "a is b, c is d", "Source": "x"}


def test_presets_of_one_framework_name_their_difference() -> None:
    """A preset for other versions of a framework names the other one, and both versions differ."""
    found = {preset.name: preset for preset in presets()}
    pairs = [(old, new) for old in found.values() for new in found.values() if old.name.startswith(f"{new.name}_")]
    assert [(old.name, new.name) for old, new in pairs] == [("spyx_0_1", "spyx")]
    for old, new in pairs:
        assert old.versions != new.versions
        assert f"preset {new.name}" in old.difference
        assert f"preset {old.name}" in new.difference
