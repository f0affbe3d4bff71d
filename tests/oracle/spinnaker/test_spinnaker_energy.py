"""The energy of a mapping on SpiNNaker 1 is that of SpiNNMachine's functions for the same boards, cores and packets.

A packet is handled by the router of its source and by one more for each link of its route.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import TESTS

import nopt.api as nopt
from nopt.api.costing.costs import cost_of
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics

TOOL = TESTS / "oracle" / "tools" / "spinnaker_energy.py"
DEVICES = {"spinn3": (3, 1, 4), "spinn5": (5, 1, 48), "boards24": (5, 24, 1152)}
"""Version, boards and chips of each device."""
NETWORKS, TICKS, TICK_NS = 20, 1000, 10**6


def drawn(tmp_path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the device and the mapping of drawn networks."""
    import nir

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
        device = [*DEVICES][seed % len(DEVICES)]
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


def test_energy_is_that_of_the_vendor(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    cases, found = list[dict[str, Any]](), list[float]()
    for name, mapping in drawn(tmp_path):
        version, boards, chips = DEVICES[name]
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
    command = [str(python_of("pacman")), str(TOOL), str(tmp_path / "in.json"), str(tmp_path / "out.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert found == pytest.approx(json.loads((tmp_path / "out.json").read_text()), rel=1e-9)
    assert len({one["cores"] for one in cases}) > 1
    assert sum(one["packets"] > 0 for one in cases) > NETWORKS / 2
