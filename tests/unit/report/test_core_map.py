"""The core map: fullness counts capacities alone, every link with load is drawn on every topology, and large machines are folded."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from nopt.api.judging.fullness import fullest
from nopt.api.report.schematics.core_drawing import map_svg
from nopt.api.report.schematics.core_map import MOST_BOXES, MOST_LINKS, CoreMap, core_map, map_record
from nopt.api.report.schematics.core_places import core_places
from nopt.api.report.schematics.link_drawing import shapes
from nopt.core.device.named_device import resolve_device
from nopt.core.device.records import Device
from nopt.core.device.topology import topology_of

DEVICES = {
    "mesh": "asic/mesh",
    "mesh of chips": "asic/multi",
    "cores that share routers": "loihi2/programmable",
    "hex torus": "spinnaker/spinn3",
    "hierarchy": "neurogrid/board",
    "bus": "asic/bus",
    "all-to-all": "spinnaker2/chip",
}


def use(quantity: str, used: float | None, limit: float | None) -> dict[str, Any]:
    return {"quantity": quantity, "used": used, "limit": limit, "fields": []}


def mapped(device: Device, cores: list[int]) -> CoreMap:
    """Returns the map of a population on some cores, each of which sends to the next."""
    topology = topology_of(device, len(cores))
    sources, targets = np.array(cores), np.roll(np.array(cores), -1)
    trees = topology.trees(sources, np.arange(len(cores) + 1), targets)
    places = [divmod(core, topology.own) for core in cores]
    mapping: dict[str, Any] = {
        "vertices": [
            {"id": f"n/{k}", "neurons": 3, "chip": chip, "core": core} for k, (chip, core) in enumerate(places)
        ],
        "cores": [{"chip": chip, "id": core} for chip, core in places],
        "edges": [{"source": f"n/{k}", "target": f"n/{(k + 1) % len(cores)}"} for k in range(len(cores))],
        "routes": [{"source": f"n/{k}", "links": trees.links(k).tolist()} for k in range(len(cores))],
    }
    links = sorted({tuple(link) for route in mapping["routes"] for link in route["links"]})
    uses = [use("neurons", 3, 12), use("weight_bits", 8, 8)]
    summary = {
        "occupancy": [{"chip": chip, "core": core, "uses": uses} for chip, core in places],
        "links": {"loads": [{"link": [*link], "load": 1.0 + k} for k, link in enumerate(links)]},
    }
    found = core_map(mapping, summary, device)
    assert found.loads + found.hidden == len(links)
    record = map_record(found, mapping, summary)
    assert {*record} == {box.key for box in found.boxes}
    if found.fold == 1:
        routed = {found.link_of[tuple(link)] for link in mapping["routes"][0]["links"]}
        assert record[found.box_of[cores[0]].key]["links"] == sorted(routed)
    return found


def test_limits_that_are_no_capacities_do_not_fill_a_core() -> None:
    uses = [use("weight_bits", 8, 8), use("delay", 3, 3), use("neurons", 71, 8192), use("memory_bytes", 6365, 196608)]
    full = fullest(uses)
    assert full is not None
    assert (full.name, round(full.share, 3)) == ("memory", 0.032)


def test_a_core_without_limited_capacities_has_no_fullness() -> None:
    assert fullest([use("synapses", 7, None), use("weight_bits", 8, 8)]) is None


@pytest.mark.parametrize("kind", DEVICES)
def test_every_link_with_load_is_drawn(kind: str) -> None:
    device = resolve_device(DEVICES[kind])
    cores = topology_of(device, 1).cores
    found = mapped(device, sorted({k * max(1, cores // 8) for k in range(8) if k * max(1, cores // 8) < cores}))
    drawn = map_svg(found)
    assert found.loads > 0
    assert found.hidden == 0
    assert sum(map(int, re.findall(r'data-links="(\d+)"', drawn))) == found.loads
    assert drawn.count('class="core ') == len(found.boxes)


@pytest.mark.parametrize("kind", [kind for kind in DEVICES if kind != "bus"])
def test_no_link_is_behind_a_core(kind: str) -> None:
    device = resolve_device(DEVICES[kind])
    cores = topology_of(device, 1).cores
    found = mapped(device, sorted({k * max(1, cores // 8) for k in range(8) if k * max(1, cores // 8) < cores}))
    at = core_places(found)
    points = [point for link in found.links for shape in shapes(found, link, at) for point in shape]
    assert len(points) >= 7 * len(found.links)
    for x, y in points:
        assert not any(
            box.x + 2 < x < box.x + box.width - 2 and box.y + 2 < y < box.y + box.height - 2
            for box in (*at.boxes.values(), *at.free)
        )


def test_links_around_a_border_are_stubs() -> None:
    found = mapped(resolve_device("spinnaker/boards24"), [0, 47 * 16])
    assert any(link.is_wrapped for link in found.links)
    assert all(abs(step) <= 1 for link in found.links for step in link.step)


@pytest.mark.parametrize("kind", ["mesh", "mesh of chips", "hex torus", "all-to-all"])
def test_a_large_machine_is_folded(kind: str) -> None:
    base = resolve_device(DEVICES[kind])
    fields = topology_of(base, 1).enlarged(4000)
    device = resolve_device(DEVICES[kind], [f"{path}={number}" for path, number in fields.items()])
    found = mapped(device, list(range(0, topology_of(device, 1).cores, 3)))
    assert len(found.boxes) <= MOST_BOXES
    assert len(found.links) <= MOST_LINKS
    assert sum(len(box.cores) for box in found.boxes) == len(range(0, topology_of(device, 1).cores, 3))


def test_places_without_cores_are_drawn_where_links_pass() -> None:
    """Events of two leaves pass the root of a tree, which has no neurons."""
    found = mapped(resolve_device("neurogrid/board"), [3, 6])
    at = core_places(found)
    assert len(found.spots) == 5
    assert len(at.free) == 3
    assert {*at.free} | {*at.boxes.values()} == {*at.places}


def test_a_tree_has_its_root_above() -> None:
    topology = topology_of(resolve_device("neurogrid/board"), 1)
    spots = topology.spots(np.arange(7))
    assert spots[:, 1].tolist() == [0, 1, 1, 2, 2, 2, 2]
    assert spots[0, 0] == (spots[1, 0] + spots[2, 0]) / 2
    assert len({tuple(spot) for spot in spots.tolist()}) == 7
