"""Reasons of a build agree with its mapping and its report, and alternatives are computed, not stated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

import nopt
from nopt.api.compiling.build_report import approximations
from nopt.api.reasons.build_trace import Trace, network_of
from nopt.core.diagnostics import Diagnostics, Refused

FC = ROOT / "examples" / "digits" / "fc.nir"
NEURONS = 40
"""Neurons of a core: 128 neurons need 4 cores, since 128 / 3 is 43."""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("why") / "build"
    fields = [f"core.neurons={NEURONS}"]
    nopt.compile(FC, target="asic/mesh", set=fields, out=folder, dt="1ms", like="norse", diagnostics=Diagnostics())
    return folder


def test_the_trace_ends_in_the_network_of_the_build(build: Path) -> None:
    """The passes of the legalisation, run one by one, have its result."""
    trace = Trace.of(build)
    assert not trace.unfinished
    report = json.loads((build / "report.json").read_text())
    assert approximations(network_of(trace.steps[-1].after)) == report["approximations"]
    assert network_of(trace.steps[-1].after).body.is_structurally_equivalent(network_of(trace.networks[-1][1]).body)
    assert (
        sum(len(step.records) for step in trace.steps) == len(report["approximations"]) - 1
    )  # without the discretisation


def test_slices_of_a_population(build: Path) -> None:
    found = nopt.why(build, "1")
    assert (found.kind, found.decision) == ("population", "128 neurons in 4 slices on 4 cores")
    mapping = json.loads((build / "mapping.json").read_text())
    (slices,) = [one.value for one in found.facts if one.what == "slices"]
    assert all(f"{one['id']} ({one['neurons']})" in slices for one in mapping["vertices"] if one["node"] == "1")
    (fewer,) = found.alternatives
    assert not fewer.is_possible
    assert fewer.what == "3 slices of at most 43 neurons"
    assert fewer.cost.startswith(f"neurons: 43 of at most {NEURONS} (asic/mesh, core.neurons")


def test_a_population_in_one_slice_has_no_smaller_number(build: Path) -> None:
    assert nopt.why(build, "3").alternatives == ()


def test_bits_are_those_of_the_pass_that_chose_them(build: Path) -> None:
    facts = {one.what: one for one in nopt.why(build, "1").facts}
    assert facts['weights of "0"'].value == "8 bits"
    assert (facts['weights of "0"'].source or "").startswith("ntensor-quantize-weights{")
    assert (facts["states"].source or "").startswith("ntensor-set-neuron-model{")


def test_a_core_has_the_uses_of_the_report(build: Path) -> None:
    report = json.loads((build / "report.json").read_text())
    for row in report["mapping"]["occupancy"]:
        found = nopt.why(build, f"core {row['core']}")
        facts = {one.what: one.value for one in found.facts}
        used = next(use for use in row["uses"] if use["quantity"] == "neurons")
        assert facts["neurons"].startswith(f"{used['used']} of {NEURONS} ")
        assert all(one in facts["vertices"] for one in row["vertices"])


def neurons_of_cores(report: Any) -> dict[int, int]:
    """Returns the number of neurons of each core that has some."""
    rows = report["mapping"]["occupancy"]
    return {row["core"]: use["used"] for row in rows for use in row["uses"] if use["quantity"] == "neurons"}


def test_vertices_that_fit_are_possible(build: Path) -> None:
    """A slice fits on the core of another one exactly if both together have at most 40 neurons."""
    report = json.loads((build / "report.json").read_text())
    sizes = neurons_of_cores(report)
    assert sum(sizes.values()) == 138
    for core, used in sizes.items():
        for one in nopt.why(build, f"core {core}").alternatives:
            total = used + int(one.what.split("(")[1].split()[0])
            assert one.is_possible == (total <= NEURONS)
            assert one.is_possible or one.cost == f"neurons: {total} of at most {NEURONS} (core.neurons)"


def test_a_larger_core_takes_another_vertex(tmp_path: Path) -> None:
    """On cores of 60 neurons, a slice of 42 or 43 neurons leaves room for the population of 10 neurons, which is on a core with another slice."""
    given = {"target": "asic/mesh", "set": ["core.neurons=60"], "dt": "1ms", "like": "norse"}
    nopt.compile(FC, out=tmp_path / "build", diagnostics=Diagnostics(), **given)
    report = json.loads((tmp_path / "build" / "report.json").read_text())
    alone = [row["core"] for row in report["mapping"]["occupancy"] if len(row["vertices"]) == 1]
    assert len(alone) == 2
    for core in alone:
        costs = {
            one.what: (one.cost, one.is_possible) for one in nopt.why(tmp_path / "build", f"core {core}").alternatives
        }
        assert costs["3/0 (10 neurons) on this core, too"] == ("fits", True)
        assert sum(is_possible for _, is_possible in costs.values()) == 1


def test_the_binding_limit_has_its_margin(build: Path) -> None:
    found = nopt.why(build, "limit")
    report = json.loads((build / "report.json").read_text())
    most = max(neurons_of_cores(report).values())
    assert found.decision.startswith(f"core.neurons: {most} of {NEURONS} at core ")
    facts = {one.what: one.value for one in found.facts}
    assert facts["margin"] == str(NEURONS - most)
    ratios = [eval_share(one.cost) for one in found.alternatives]
    assert ratios == sorted(ratios, reverse=True)
    assert nopt.why(build, "core.neurons").decision == found.decision


def eval_share(text: str) -> float:
    used, _, limit = text.partition(" (")[0].replace(",", "").partition(" of ")
    return int(used) / int(limit)


def test_fewer_bits_have_a_larger_error(build: Path) -> None:
    found = nopt.why(build, "ntensor-quantize-weights")
    costs = {one.what: one.cost for one in found.alternatives}
    errors = {
        what: float(cost.split("largest error ")[1].split(",")[0]) for what, cost in costs.items() if "error" in cost
    }
    own = float(found.decision.split("largest error ")[1].split(",")[0])
    assert errors["bits=4"] > errors["bits=7"] > own > errors["bits=9"]
    assert "per=population" in errors
    assert costs["bits=4"].endswith("weights in 4,736 bytes")  # (64 * 128 + 128 * 10) weights of 4 bits


def test_the_placement_costs_no_less_than_its_bound(build: Path) -> None:
    found = nopt.why(build, "machine-place-vertices")
    facts = {one.what: float(one.value.replace(",", "")) for one in found.facts}
    report = json.loads((build / "report.json").read_text())
    assert facts["communication cost"] == report["mapping"]["cost"]["value"]
    assert facts["least possible cost"] <= facts["communication cost"]
    costs = {one.what: float(one.cost.rpartition(" ")[2].replace(",", "")) for one in found.alternatives}
    assert list(costs) == ["moves=0", "seed=1", "seed=2", "effort=fast", "effort=best"]
    assert costs["moves=0"] > facts["communication cost"]  # the search found a better placement than the first
    assert all(cost >= facts["least possible cost"] for cost in costs.values())


def test_an_unknown_subject_has_a_near_name(build: Path) -> None:
    with pytest.raises(Refused, match="API026") as refusal:
        nopt.why(build, "ntensor-quantize-weigths")
    (finding,) = refusal.value.findings
    assert finding.help == "--why ntensor-quantize-weights"
    assert refusal.value.exit_code == 2
