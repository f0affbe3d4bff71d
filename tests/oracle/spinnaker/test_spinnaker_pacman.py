"""PACMAN's checker finds the same routes in compressed routing tables as in the originals, and neither of its compressors makes smaller ones.

The chips and links of devices are those of its virtual machines.

The energy of a mapping is that of its functions for the same boards, cores and packets: a packet is handled by the router of its source, and by one
more for each link.

Tables have invented keys and routes, with and without structure, up to 1,500 entries; or are those of the routers of random trees.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from places import TESTS
from router_tables import KINDS, drawn_nets, entries_of, generated

import nopt.api as nopt
from nopt.api.costing.costs import cost_of
from nopt.core.arrays.numeric import Bools
from nopt.core.device.device import find_device
from nopt.core.device.named_device import resolve_device
from nopt.core.device.topology import topology_of
from nopt.core.diagnostics import Diagnostics
from nopt.core.routing.compression import compress
from nopt.core.routing.table import Table
from nopt.core.topology.hex_torus import HexTorusTopology

TOOLS = TESTS / "oracle" / "tools"
TOOL, MACHINE = TOOLS / "spinnaker_tables.py", TOOLS / "spinnaker_machine.py"
ENERGY = TOOLS / "spinnaker_energy.py"
SIZES = 8
"""Tables of each kind."""
LARGEST = 1500
COMPRESSORS = ("pair", "ordered covering")
MINUTES = 15
BOARDS = {"spinn3": (3, 1, 4), "spinn5": (5, 1, 48), "boards24": (5, 24, 1152)}
"""Version, boards and chips of each device."""
NETWORKS, TICKS, TICK_NS = 20, 1000, 10**6


def tables() -> Iterator[tuple[str, Table, Bools]]:
    """Yields the name of each table, its entries, and those with a default route."""
    for kind in KINDS:
        for seed, entries in enumerate(np.random.default_rng(18).integers(20, 400, SIZES).tolist()):
            yield f"{kind}, {entries} entries", *generated(kind, seed, entries)
    yield f"unstructured, {LARGEST} entries", *generated("random keys", 0, LARGEST)
    topology = HexTorusTopology(1, 1, 8, 8, slots=16)
    for seed in range(SIZES):
        found = entries_of(topology, drawn_nets(topology, seed, 300, 24))
        largest = max(found, key=lambda position: len(found[position][0]))
        yield f"router, seed {seed}", *found[largest]


def test_compressed_tables_have_the_routes_of_the_originals_and_are_as_small_as_those_of_the_tool(
    python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    python, given, sizes = python_of("pacman"), dict[str, np.ndarray](), list[tuple[str, int]]()
    for n, (name, table, is_default) in enumerate(tables()):
        small = compress(table, is_default)
        sizes.append((name, len(small)))
        given[f"{n}.is_default"] = is_default
        for column in ("key", "mask", "route"):
            given[f"{n}.{column}"] = getattr(table, column)
            given[f"{n}.small_{column}"] = getattr(small, column)
    found = checked(python, given, tmp_path)
    assert len(found) == len(sizes)
    for (name, size), theirs in zip(sizes, found, strict=True):
        assert theirs["difference"] is None, (name, theirs)
        assert size <= min(theirs[one] for one in COMPRESSORS), (name, size, theirs)


@pytest.mark.parametrize(("device", "version"), [("spinn3", 3), ("spinn5", 5), ("boards24", 5)])
def test_a_machine_has_the_chips_and_links_of_the_tool(
    device: str, version: int, python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    topology = topology_of(resolve_device(f"spinnaker/{device}"))
    assert isinstance(topology, HexTorusTopology)
    (x, y), neighbours, out = topology.at, topology.neighbours, tmp_path / "machine.json"
    size = [str(topology.grid_columns), str(topology.grid_rows)]
    command = [str(python_of("pacman")), str(MACHINE), str(version), *size, str(out)]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=MINUTES * 60, check=True)
    found = json.loads(out.read_text(encoding="utf-8"))
    place, link = np.nonzero(neighbours >= 0)
    head = neighbours[place, link]
    assert sorted(np.stack([x[place], y[place], link, x[head], y[head]], 1).tolist()) == found["links"]
    works = np.flatnonzero(topology.is_usable.reshape(-1, topology.slots).any(axis=1))
    assert sorted(np.stack([x[works], y[works]], 1).tolist()) == found["chips"]


def test_the_tool_finds_an_entry_with_another_route(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    table, is_default = generated("random keys", 0, 40)
    columns = {"key": table.key, "mask": table.mask, "route": table.route}
    given = {"0.is_default": is_default, **{f"0.{name}": one for name, one in columns.items()}}
    columns["route"] = np.where(np.arange(40) == 7, table.route << 1, table.route)
    given |= {f"0.small_{name}": one for name, one in columns.items()}
    (found,) = checked(python_of("pacman"), given, tmp_path)
    assert "has a different" in found["difference"]


def checked(python: Path, given: dict[str, np.ndarray], folder: Path) -> list[dict[str, Any]]:
    """Returns what the tool finds of each table."""
    np.savez(folder / "tables.npz", **given)
    command = [str(python), str(TOOL), str(folder / "tables.npz"), str(folder / "found.json")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=MINUTES * 60, check=False)
    assert not done.returncode, done.stderr[-2000:]
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    return [found[str(n)] for n in range(len(found))]


# ---- energy


def mappings(tmp_path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the device and the mapping of drawn networks."""
    for seed in range(NETWORKS):
        rng = np.random.default_rng([49, seed])
        sizes = [int(n) for n in rng.integers(20, 600, 3)]
        ones = [np.ones(n) for n in sizes]
        nodes: dict[str, Any] = {"input": nir.Input(np.array(sizes[:1]))}
        for k, (before, after) in enumerate(pairwise(sizes)):
            nodes[f"fc{k}"] = nir.Linear(rng.normal(0, 0.3, (after, before)) * (rng.random((after, before)) < 0.3))
            one = ones[k + 1]
            nodes[f"lif{k}"] = nir.LIF(tau=one * 0.02, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one)
        nodes["output"] = nir.Output(np.array(sizes[-1:]))
        names = [*nodes]
        device = [*BOARDS][seed % len(BOARDS)]
        build = tmp_path / str(seed)
        nopt.compile(
            nir.NIRGraph(nodes, [*pairwise(names)]),
            target=f"spinnaker/{device}",
            out=build,
            dt="1ms",
            like="norse",
            calib=rng.random((40, sizes[0])) < rng.random() * 0.3,
            approximate="all",
            diagnostics=Diagnostics(),
        )
        yield device, json.loads((build / "mapping.json").read_text())


def test_the_energy_of_a_mapping_is_that_of_the_tool(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    cases, found = list[dict[str, Any]](), list[float]()
    for name, mapping in mappings(tmp_path):
        version, boards, chips = BOARDS[name]
        inputs = {one["node"] for one in mapping["populations"] if one["is_input"]}
        cores = {(one["chip"], one["core"]) for one in mapping["vertices"] if one["node"] not in inputs}
        handled = sum(one["activity"] * (1 + len(one["links"])) for one in mapping["routes"]) * TICKS
        cases.append(
            {
                "version": version,
                "seconds": TICKS * TICK_NS * 1e-9,
                "boards": boards,
                "chips": chips,
                "cores": len(cores),
                "packets": handled,
            }
        )
        sample = cost_of(find_device("spinnaker", name), mapping, TICK_NS, TICKS)["sample"]
        found.append(sample["real_time"]["energy"]["value"] * 1e-12)
    (tmp_path / "in.json").write_text(json.dumps(cases))
    command = [str(python_of("pacman")), str(ENERGY), str(tmp_path / "in.json"), str(tmp_path / "out.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=MINUTES * 60, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert found == pytest.approx(json.loads((tmp_path / "out.json").read_text()), rel=1e-9)
    assert len({one["cores"] for one in cases}) > 1
    assert sum(one["packets"] > 0 for one in cases) > NETWORKS / 2
