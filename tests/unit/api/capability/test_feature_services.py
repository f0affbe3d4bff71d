"""Features of networks and the devices that serve them: every row of the documentation is found again, and follows the device files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from extent import some

import nopt.api as nopt
from nopt.api.capability.device_features import cached_results
from nopt.api.capability.feature_services import LISTED_BITS
from nopt.api.capability.op_support import OP_STATES
from nopt.api.capability.probe_networks import rules_of
from nopt.api.compiling.target_pipelines import steps_of
from nopt.api.devices.device_files import device_columns

DEVICES = device_columns()


BY_BITS = ("asic/edge", "c/int8", "loihi2/loihi1")


@cache
def choices(key: str) -> list[nopt.FeatureChoice]:
    return nopt.feature_choices(key)


@pytest.mark.parametrize("key", dict.fromkeys((*BY_BITS, *some([device.key for device in DEVICES], 12))))
def test_every_row_is_found_again(root: Path, key: str) -> None:
    path = root / "docs" / "reference" / "feature-choices.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    expected = [one for one in record["features"] if one["device"] == key]
    assert [one.as_json() for one in choices(key)] == expected, (
        "remove docs/reference/feature-choices.json, then run `make docs`"
    )
    assert {*record["devices"]} == {device.key for device in DEVICES}


def test_rows_follow_the_device_file() -> None:
    for device in (device for device in DEVICES if device.key in BY_BITS):
        found = {one.feature: one for one in choices(device.key)}
        for bits in LISTED_BITS:
            one = found[f"weights of {bits} bit{'s' * (bits > 1)}"]
            assert (one.service == "served") == (bits <= (device.integer("synapse.bits") or 0))
    (graded,) = nopt.feature_choices("asic/mesh", feature="graded spikes")
    assert graded.service == "served"
    (frozen,) = nopt.feature_choices("asic/edge", feature="plasticity")
    assert (frozen.service, frozen.passes) == ("by passes", "ntensor-freeze-plasticity")


@pytest.mark.parametrize("feature", ["lif, reset value", "recurrence", "long delay", "no such feature"])
def test_one_feature_is_found_as_all_are(feature: str) -> None:
    """Fewer networks are compiled for it."""
    whole = [one for one in choices("asic/edge") if one.feature == feature]
    cached_results.cache_clear()
    assert nopt.feature_choices("asic/edge", feature=feature) == whole
    assert bool(whole) == (feature != "no such feature")
    assert cached_results.cache_info().currsize == 1


def test_values_read_spikes() -> None:
    """A family of values is a readout, which the host computes, also where its feature alone is asked for."""
    (whole,) = [one for one in choices("asic/multi") if one.feature == "li"]
    cached_results.cache_clear()
    assert nopt.feature_choices("asic/multi", feature="li") == [whole]
    assert (whole.service, whole.passes) == ("by passes", "ntensor-move-readout-to-host")


def test_passes_are_those_of_fallbacks(root: Path) -> None:
    record = json.loads((root / "docs" / "reference" / "feature-choices.json").read_text(encoding="utf-8"))
    services = {one["service"] for one in record["features"]}
    assert services == {"served", "by passes", "approximated", "refused", "not checked"}
    for one in record["features"]:
        assert bool(one["passes"]) == (one["service"] == "by passes"), one
        assert bool(one["approximations"]) == (one["service"] == "approximated"), one
    for device in DEVICES:
        if not steps_of(device):
            own = [one for one in record["features"] if one["device"] == device.key]
            assert not [one for one in own if one["feature"].startswith("lif")]


def test_passes_work_in_the_table_of_a_backend(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nopt.tools.main import main

    text = '[project]\ndt = "1ms"\nlike = "norse"\nreset = "subtract"\ntarget = "asic"\n'
    text += '[backend_asic]\ndevice = "edge"\npasses = "ntensor-clamp-delays{max-delay=1}"\n'
    (tmp_path / "nopt.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["compile", str(root / "examples" / "bars" / "bars.nir"), "-o", "build"]) == 0
    report = json.loads((tmp_path / "build" / "report.json").read_text(encoding="utf-8"))
    assert "ntensor-clamp-delays{max-delay=1}" in report["pipeline"]


@pytest.mark.parametrize("feature", ["li", "cuba_li", "i", "threshold", "cuba_lif, reset subtract"])
def test_a_device_without_neurons_of_its_own_is_asked_for_all_families(feature: str) -> None:
    (one,) = nopt.feature_choices("c/generic", feature=feature)
    assert one.service == "served"


@pytest.mark.parametrize("key", ["dynapse/se2", "asic/edge"])
def test_features_agree_with_the_table_of_ops(key: str) -> None:
    """Both tables compile with the same permissions: a family has the same state in both."""
    states = {"served": "exact", "by passes": "exact", "approximated": "approximate", "refused": "refused"}
    services = {one.feature: states[one.service] for one in choices(key) if one.service in states}
    for family in ("if", "lif"):
        best = min((services[f"{family}, reset {rule}"] for rule in rules_of(family)), key=OP_STATES.index)
        (found,) = {cell.state for cell in nopt.op_support(key, op=f"nir.{family}")}
        assert found == best, family
