"""Chips whose cores share routers: the mapping is delivered over links between positions, and the model equals the network."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_models import run_equal
from extent import times

import nopt.api as nopt
from nopt.api.conformance.conform import conform
from nopt.core.device import device as devices
from nopt.core.diagnostics import Diagnostics

SHARED = ("topology.mesh.width=3", "topology.mesh.height=3", "topology.mesh.cores=4")
"""The 36 cores of `asic/mesh`, four at each of 3 x 3 positions."""
CHIPS = ("topology.mesh.width=2", "topology.mesh.height=2", "topology.mesh.cores=4")
"""The 64 cores of `asic/multi` on 4 chips; its reserved positions have four cores each."""
LEGALISED = 'ntensor-legalize{{device="{device}" set={settings} approximate=bound,count,comparison}}'


def built(net: Path, out: Path, target: str, settings: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """Compiles a network, and returns its mapping."""
    nopt.compile(net, out=out, target=target, set=settings, dt="1ms", diagnostics=Diagnostics(), **more)
    return json.loads((out / "mapping.json").read_text(encoding="utf-8"))


def check_delivery(mapped: dict[str, Any], width: int, slots: int) -> set[int]:
    """Follows the links of every route by position, and returns the numbers of links of the routes."""
    cores = {(one["chip"], one["id"]): one for one in mapped["cores"]}
    for one in cores.values():
        assert one["id"] == (one["y"] * width + one["x"]) * slots + one["slot"]
        assert 0 <= one["slot"] < slots
    core = {one["id"]: (one["chip"], one["core"]) for one in mapped["vertices"]}
    size = {one["id"]: one["neurons"] for one in mapped["vertices"]}
    place = {name: tuple(cores[at][axis] for axis in ("chip", "x", "y")) for name, at in core.items()}
    reached: dict[tuple[str, tuple[int, ...]], set[int]] = defaultdict(set)
    total = 0.0
    for route in mapped["routes"]:
        links = [link if len(link) == 6 else [0, *link[:2], 0, *link[2:]] for link in route["links"]]
        seen = {place[route["source"]]}
        for tail, head in ((tuple(link[:3]), tuple(link[3:])) for link in links):
            assert tail in seen
            assert head not in seen
            seen.add(head)
        for spot in seen:
            neurons = route["neurons"]
            reached[route["source"], spot] |= {*(range(size[route["source"]]) if neurons is None else neurons)}
        weights = mapped["cost"]["weights"]
        crossings = sum(link[0] != link[3] for link in links)
        total += route["activity"] * (len(links) * weights["hop"] + crossings * weights["crossing"])
    for edge in mapped["edges"]:
        if core[edge["source"]] != core[edge["target"]]:
            assert len(reached[edge["source"], place[edge["target"]]]) >= edge["axons"] > 0
    assert mapped["cost"]["value"] == total
    assert mapped["cost"]["network_bound"] <= mapped["cost"]["value"] >= mapped["cost"]["bound"]
    return {len(route["links"]) for route in mapped["routes"]}


def check_equality(build: Path, x: np.ndarray, record: list[str]) -> None:
    """Compares a run of the chip with one of the network."""
    assert all(values.any() for values in run_equal(build, x, record).values())


def test_dense_network(root: Path, tmp_path: Path) -> None:
    settings = (*SHARED, "core.neurons=7")
    net = root / "examples" / "digits" / "fc.nir"
    mapped = built(net, tmp_path / "b", "asic/mesh", settings, like="norse", reset="subtract")
    lengths = check_delivery(mapped, 3, 4)
    assert 0 in lengths  # routes to other cores of the same position
    assert max(lengths) > 0
    rng = np.random.default_rng(0)
    check_equality(tmp_path / "b", rng.random((4, 40, 64)) < rng.random((4, 1, 64)) * 0.35, ["1", "1.v"])
    report = json.loads((tmp_path / "b" / "report.json").read_text(encoding="utf-8"))
    known = {(one["chip"], one["id"]): (one["x"], one["y"], one["slot"]) for one in mapped["cores"]}
    rows = report["mapping"]["occupancy"]
    assert [(one["x"], one["y"], one["slot"]) for one in rows] == [known[one["chip"], one["core"]] for one in rows]
    loads: dict[tuple[int, ...], float] = defaultdict(float)
    for route in mapped["routes"]:
        for link in route["links"]:
            loads[tuple(link)] += route["activity"]
    found = {tuple(one["link"]): one["load"] for one in report["mapping"]["links"]["loads"]}
    assert found == pytest.approx(loads)


def test_convolutional_network_on_all_cores(shared: Path, tmp_path: Path) -> None:
    net = shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir"
    quoted = ",".join(f'"{one}"' for one in SHARED)
    passes = LEGALISED.format(device="asic/mesh", settings=quoted)
    mapped = built(net, tmp_path / "b", "asic/mesh", SHARED, like="sinabs", passes=passes)
    assert 0 in check_delivery(mapped, 3, 4)
    assert len(mapped["cores"]) == 36
    check_equality(tmp_path / "b", np.random.default_rng(0).random((30, 2, 34, 34)) < 0.02, ["3", "6", "12"])


def test_several_chips(root: Path, tmp_path: Path) -> None:
    settings = (*CHIPS, "core.neurons=8")
    net = root / "examples" / "digits" / "fc.nir"
    options = {"like": "norse", "reset": "subtract", "passes": "ntensor-quantize-inputs{kind=spike}"}
    mapped = built(net, tmp_path / "b", "asic/multi", settings, **options)
    assert check_delivery(mapped, 2, 4) >= {0, 1}
    links = [link for route in mapped["routes"] for link in route["links"]]
    assert any(link[0] != link[3] for link in links)
    assert len({one["chip"] for one in mapped["cores"]}) >= 2  # 18 vertices of 8 neurons, 12 usable cores of a chip
    inputs = {one["node"] for one in mapped["populations"] if one["is_input"]}
    busy = {(one["chip"], one["core"]) for one in mapped["vertices"] if one["node"] not in inputs}
    assert not {core for _, core in busy} & {0, 1, 2, 3}  # the position (0, 0) of each chip is reserved
    rng = np.random.default_rng(0)
    check_equality(tmp_path / "b", rng.random((2, 20, 64)) < 0.2, ["1", "1.v"])


def test_faulty_cores_and_kinds_stay_apart(root: Path, tmp_path: Path) -> None:
    """One core of a position is faulty, all of another are; kinds count cores position by position."""
    folder = root / "targets" / "asic" / "devices"
    chip = json.loads((folder / "kinds.json").read_text(encoding="utf-8"))
    mesh = chip["topology"]["mesh"]
    mesh |= {"cores": {**mesh["width"], "value": 4}, "width": {**mesh["width"], "value": 3}}
    mesh["height"] = {**mesh["height"], "value": 2}
    chip["topology"]["faulty"] = [
        {"x": 1, "y": 0, "slot": 2, "source": "synthetic"},
        {"x": 2, "y": 1, "source": "synthetic"},
    ]
    for one in chip["neuron"]["updates"].values():
        one["file"] = str(folder / one["file"])
    path = tmp_path / "kinds.json"
    path.write_text(json.dumps(chip), encoding="utf-8")
    given = devices.load_device(path)
    kind = {core: name for name, one in given.core_kinds.items() for core in one.cores}
    net = root / "examples" / "digits" / "fc.nir"
    options = {"like": "norse", "reset": "subtract", "dt": "1ms", "set": ("core_kinds.small.neurons=8",)}
    nopt.compile(net, out=tmp_path / "b", device=path, diagnostics=Diagnostics(), **options)
    mapped = json.loads((tmp_path / "b" / "mapping.json").read_text(encoding="utf-8"))
    check_delivery(mapped, 3, 4)
    inputs = {one["node"] for one in mapped["populations"] if one["is_input"]}
    used: dict[int, int] = defaultdict(int)
    for one in mapped["vertices"]:
        used[one["core"]] += one["neurons"] * (one["node"] not in inputs)
    assert not {core for core, neurons in used.items() if neurons} & {1 * 4 + 2, *range(20, 24)}
    rows = json.loads((tmp_path / "b" / "report.json").read_text(encoding="utf-8"))["mapping"]["occupancy"]
    for row in rows:
        (use,) = [one for one in row["uses"] if one["quantity"] == "neurons"]
        name = kind.get(row["core"])
        assert use["fields"] == [f"core_kinds.{name}.neurons" if name else "core.neurons"]
        assert used[row["core"]] == use["used"] <= use["limit"]


@pytest.mark.parametrize(("key", "settings"), [("mesh", SHARED), ("multi", CHIPS)])
def test_chip_equals_network(key: str, settings: tuple[str, ...]) -> None:
    (found,) = conform(
        f"asic/{key}", set=settings, only=["artefact", "equivalence", "limits"], networks=times(3)
    ).devices
    assert not [*map(str, found.findings())]
    assert {one.status for one in found.questions} == {"passed"}
