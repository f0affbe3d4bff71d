"""Use of cores and links in the report agrees with the limits that `check` compares, and with the cost of the mapping."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i1

import nopt.api as nopt
from nopt.api.checking.rate_comparison import rate_changes
from nopt.api.compiling.device_fit import fit, limit_uses
from nopt.api.compiling.mapping import mapping
from nopt.api.compiling.occupancy import largest_sets, link_loads, occupancy
from nopt.api.running.level_records import Level
from nopt.api.running.rate_similarity import Likeness, Tally
from nopt.core import registry
from nopt.core.device import device as devices
from nopt.core.device.topology import topology_of
from nopt.core.topology.mesh import MeshTopology
from nopt.dialects import machine

NETWORKS = {"bars": "norse reset=subtract", "rhythm": "norse"}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("slug", [*registry.devices()["asic"]])
def test_uses_are_those_that_check_compares(root: Path, name: str, slug: str) -> None:
    passes = f"convert-nir-to-ntensor{{dt-ns=1000000 like={NETWORKS[name]}}},ntensor-quantize-inputs{{kind=spike}}"
    module = nopt.apply(nopt.read(root / "examples" / name / f"{name}.nir"), passes)
    device = devices.find_device("asic", slug)
    found = fit(module, device, is_brief=False)
    if not found.is_fitting:
        assert name == "rhythm"  # neurons with a synaptic current
        assert not any("cuba_lif" in update.families for update in device.updates.values())
        return
    assert found.graph is not None
    graph = next(op for op in found.graph.ops if isinstance(op, machine.GraphOp))
    rows = occupancy(graph, device)
    assert len(rows) == found.cores
    for quantity, total in (("neurons", found.neurons), ("synapses", found.synapses)):
        assert sum(use["used"] for row in rows for use in row["uses"] if use["quantity"] == quantity) == total
    most: dict[str, int] = {}
    for use in (use for row in rows for use in row["uses"]):
        assert use["limit"] is None or use["used"] <= use["limit"]
        if len(use["fields"]) == 1:
            most[use["fields"][0]] = max(most.get(use["fields"][0], 0), use["used"])
    for one in limit_uses(graph, device):
        if not one["limit"].startswith(
            ("topology.", "core.memory", "memory.")
        ):  # memory outside of the cores extends that of the cores
            assert one["used"] <= most[one["limit"]]
    assert any(path.endswith(".neurons") for path in most)
    mapped = mapping(found.graph)
    assert mapped is not None
    topology = topology_of(device, len(mapped["vertices"]))
    weights, links = mapped["cost"]["weights"], link_loads(mapped["routes"], topology)
    crossing = sum(one["load"] for one in links["loads"] if len(one["link"]) == 6 and one["link"][0] != one["link"][3])
    assert links["total"] * weights["hop"] + crossing * weights["crossing"] == pytest.approx(mapped["cost"]["value"])


def test_loads_of_links_by_hand() -> None:
    # (0, 0) -> (1, 0) carries 3 + 4 = 7; the next link 3, and the link upwards 4; in total 3 * 2 + 4 * 2 = 14.
    shared, right, up = [0, 0, 1, 0], [1, 0, 2, 0], [1, 0, 1, 1]
    routes: list[dict[str, Any]] = [
        {"source": "a/0", "activity": 3.0, "links": [shared, right]},
        {"source": "b/0", "activity": 4.0, "links": [shared, up]},
    ]
    found = link_loads(routes, MeshTopology(3, 2))
    loads = [{"link": shared, "load": 7.0}, {"link": up, "load": 4.0}, {"link": right, "load": 3.0}]
    assert found["loads"] == sorted(loads, key=lambda one: one["link"])
    assert found["total"] == 14
    assert found["busiest"] == {"link": shared, "name": "(0, 0) to (1, 0)", "load": 7.0, "sources": ["a/0", "b/0"]}
    busiest = {"link": shared, "name": "(0, 0) to (1, 0)", "load": 3.0, "sources": ["a/0"]}
    routes[1]["links"] = [up]
    routes[1]["activity"] = 3.0  # all links carry 3: the first one is named
    assert link_loads(routes, MeshTopology(3, 2))["busiest"] == busiest
    assert link_loads([], MeshTopology(3, 2)) == {"loads": [], "total": 0, "busiest": None}


def test_contents_that_share_regions_are_one_limit() -> None:
    apart = {("s",): (["x"], 4), ("n",): (["y"], 2), ("s", "n"): (["x", "y"], 6)}
    assert [*largest_sets(apart)] == [("s",), ("n",)]  # the limit of both follows
    one_region = {("s",): (["x"], 4), ("n",): (["x"], 4), ("s", "n"): (["x"], 4)}
    assert [*largest_sets(one_region)] == [("s", "n")]
    overlap = {("s",): (["x", "y"], 6), ("n",): (["y"], 2), ("s", "n"): (["x", "y"], 6)}
    assert [*largest_sets(overlap)] == [("n",), ("s", "n")]


def level(**rates: tuple[float | None, float | None]) -> Level:
    likeness = {
        name: Likeness(rate=after, rate_before=before, rate_cosine=None, bin_cosine=None, first=None)
        for name, (before, after) in rates.items()
    }
    figures: dict[str, Any] = dict.fromkeys(
        ("step", "accuracy", "loss", "rate_cosine", "bin_cosine", "first", "output")
    )
    return Level(level="target", populations=likeness, **figures)


def test_rates_that_change_by_more_than_a_fifth_are_named() -> None:
    last = level(
        less=(0.5, 0.25), at=(0.5, 0.375), within=(0.5, 0.4375), silent=(0.0, 0.1), none=(0.0, 0.0), value=(None, None)
    )
    found = rate_changes(last)
    assert [(one["population"], one["change"]) for one in found] == [("less", -0.5), ("at", -0.25), ("silent", None)]


def test_rate_of_the_first_level_counts_the_compared_ticks() -> None:
    a = np.zeros((1, 4, 1), np.bool_)
    a[0, 3] = True  # a level that is one tick later cannot show this spike
    delayed = Tally(i1)
    delayed.add(np.roll(a, 1, axis=1)[:, 1:], a[:, :-1], 0)
    assert (delayed.rate, delayed.rate_before) == (0, 0)
    other = Tally(i1)
    other.add(np.zeros((1, 4, 2), np.bool_), a, 0)  # another shape
    assert other.likeness().rate_before is None


def test_report_has_the_hash_of_every_other_file(root: Path, tmp_path: Path) -> None:
    net = root / "examples" / "bars" / "bars.nir"
    for target, until in (("asic/mesh", "machine"), ("c", None)):
        built = [
            nopt.compile(
                net, target=target, until=until, dt="1ms", like="norse", reset="subtract", out=tmp_path / f"{k}-{until}"
            )
            for k in range(2)
        ]
        first, again = (build.report["files"] for build in built)
        assert first == again
        folder = built[0].folder
        written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert [one["name"] for one in first] == sorted(written - {"report.json"})
        assert all(sha256((folder / one["name"]).read_bytes()).hexdigest() == one["sha256"] for one in first)
        assert json.loads((folder / "report.json").read_text(encoding="utf-8")) == built[0].report
