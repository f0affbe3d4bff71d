"""Features that `nopt device check` runs: a device that is broken in one way fails in that feature alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from extent import FACTOR

import nopt.api as nopt
from nopt.api.capability.device_features import SERVED
from nopt.api.capability.probe_networks import PROBED_FAMILIES, families_of
from nopt.core import registry
from nopt.core.device.device import find_device

Edit = Callable[[dict[str, Any]], object]


def checked(tmp_path: Path, edit: Edit) -> tuple[dict[str, str], list[str]]:
    """Returns the status of each feature of an edited device, and the places of declared features that are refused."""
    file, _ = nopt.new_device("my_chip", tmp_path)
    record = json.loads(file.read_text(encoding="utf-8"))
    edit(record)
    file.write_text(json.dumps(record), encoding="utf-8")
    found = nopt.check_device(file)
    assert found.features is not None, found.findings
    refused = [finding.at for finding in found.errors if finding.code.id == "DEV017"]
    assert len(refused) == len(found.errors)
    return {one.feature: one.status for one in found.features}, refused


WHOLE = {
    "if, reset value": "served",
    "if, reset subtract": "served",
    "lif, reset value": "served",
    "lif, reset subtract": "served",
    "real inputs": "by a fallback",
    "no delay": "by a fallback",
    "bias": "served",
    "delay": "served",
    "long delay": "by a fallback",
    "wide fan-in": "by a fallback",
    "wide fan-out": "served",
    "recurrence": "served",
}


def test_a_new_device_serves_every_feature(tmp_path: Path) -> None:
    assert checked(tmp_path, lambda record: None) == (WHOLE, [])


def without(section: str, name: str) -> Edit:
    return lambda record: record[section].pop(name)


def set_passes(feature: str, passes: str) -> Edit:
    return lambda record: record["fallbacks"][feature].update(passes=passes)


def rewrite_neuron(old: str, new: str, *families: str) -> Edit:
    """Returns an edit of the lines of the neuron, which may declare further families."""

    def edit(record: dict[str, Any]) -> None:
        update = record["neuron"]["updates"]["my_lif"]
        assert any(old in line for line in update["text"])
        update["text"] = [line.replace(old, new) for line in update["text"]]
        update["families"] += families

    return edit


MUTANTS: dict[str, tuple[Edit, dict[str, str], list[str]]] = {
    "no neuron adds partial sums": (
        lambda record: record["neuron"]["updates"].pop("my_sum"),
        {"wide fan-in": "refused"},
        ["$.fallbacks.fan_in"],
    ),
    "no fallback for fan-in": (without("fallbacks", "fan_in"), {"wide fan-in": "refused"}, []),
    "a fallback that leaves long delays": (
        set_passes("delay", "ntensor-freeze-plasticity"),
        {"long delay": "by passes"},  # a user can type what the fallback lacks
        ["$.fallbacks.delay"],
    ),
    "no fallback for delays": (without("fallbacks", "delay"), {"long delay": "by passes"}, []),
    "no fallback for latency, which partial sums need, too": (
        without("fallbacks", "latency"),
        {"no delay": "by passes", "wide fan-in": "refused"},
        ["$.fallbacks.fan_in"],
    ),
    "a fallback that leaves the latency": (
        set_passes("latency", "ntensor-freeze-plasticity"),
        {"no delay": "by passes", "wide fan-in": "refused"},
        ["$.fallbacks.latency", "$.fallbacks.fan_in"],
    ),
    "inputs of reals": (without("fallbacks", "activation_bits"), {"real inputs": "by passes"}, []),
    "no loops": (lambda record: record["features"]["recurrence"].update(value=False), {"recurrence": "refused"}, []),
    "one rule of the reset": (
        rewrite_neuron("(0 if reset is value else v - vth) if z else v", "v - vth if z else v"),
        {"if, reset value": "with approximations", "lif, reset value": "with approximations"},
        [],
    ),
    "a family without its current": (
        rewrite_neuron("for if, lif", "for if, lif, cuba_lif", "cuba_lif"),
        {"cuba_lif, reset value": "with approximations", "cuba_lif, reset subtract": "with approximations"},
        [],  # an approximation is the choice of the user
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_device_fails_in_one_feature(name: str, tmp_path: Path) -> None:
    edit, changes, places = MUTANTS[name]
    statuses, refused = checked(tmp_path, edit)
    assert {feature: status for feature, status in statuses.items() if WHOLE.get(feature) != status} == changes
    assert refused == places


def test_a_family_whose_parameters_do_not_fit_is_an_error(tmp_path: Path) -> None:
    statuses, refused = checked(tmp_path, lambda record: record["neuron"].update(dtypes=["i8"]))
    assert {status for feature, status in statuses.items() if "reset" in feature} == {"refused"}
    assert {status for feature, status in statuses.items() if "reset" not in feature} == {"not checked"}
    assert refused == ["$.neuron.updates.my_lif"] * 2


def installed() -> list[str]:
    """Returns the first device of those of a target with the same neurons; in `make soak` all devices."""
    keys = [f"{slug}/{name}" for slug, names in sorted(registry.devices().items()) for name in names]
    first: dict[tuple[str, str], str] = {}
    for key in keys:
        slug, _, name = key.partition("/")
        first.setdefault((slug, json.dumps(find_device(slug, name).as_json().get("neuron"))), key)
    return [*first.values()] if FACTOR == 1 else keys


@pytest.mark.parametrize("key", installed())
def test_installed_devices_serve_their_families(key: str) -> None:
    found = nopt.check_device(key)
    assert found.features is not None
    assert not found.errors
    families = [one for one in found.features if one.feature.partition(",")[0] in PROBED_FAMILIES]
    declared = families_of(find_device(*key.split("/"))).keys()
    assert {one.feature.partition(",")[0] for one in families} == declared & PROBED_FAMILIES.keys()
    for one in families:
        assert one.status in SERVED, "each reset rule has a remedy"
        assert bool(one.approximations) == (one.status == "with approximations"), "approximations are named"
