"""Dead chips and cores of SpiNNaker as options: no vertex is placed there, no tree passes a dead chip, and every spike arrives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from both_models import run_equal
from extent import seeds

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing
from nopt.core.device.named_device import resolve_device
from nopt.core.device.topology import topology_of
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir

LAYERS, WIDTH, SIDE = 12, 40, 8
CORES = 16
CHOICES = {"dt": "1ms", "like": "euler", "reset": "value"}
MISSING = (5, 6, 7, 14, 15, 23, 32, 40, 41, 48, 49, 50, 56, 57, 58, 59)
"""Positions of a grid of 8 x 8 that a board does not have."""


def chain(seed: int) -> nir.GraphOp:
    """Returns a chain of populations, each with synapses to the next one."""
    rng, drawing = np.random.default_rng(seed), Drawing(WIDTH)
    given = {"tau": 0.004, "r": 2.0, "v_leak": 0.0, "v_threshold": 0.5, "v_reset": 0.0}
    x = drawing.x
    for k in range(LAYERS):
        x = drawing.linear(f"fc{k}", x, np.abs(rng.normal(0, 0.4, (WIDTH, WIDTH))).astype(np.float32))
        parameters = {name: np.full(shape_of(x), value) for name, value in given.items()}
        x = drawing.add(nir.LIFOp, f"p{k}", x, **parameters)
    return drawing.finish(x)


@pytest.mark.parametrize("seed", seeds(2))
def test_placement_and_routes_avoid_dead_chips_and_cores(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng([18, seed])
    present = [chip for chip in range(SIDE * SIDE) if chip not in MISSING]
    dead = sorted(rng.choice(present, 14, replace=False).tolist())
    cores = [(chip, core) for chip in present for core in range(CORES) if core % 5 != seed % 5]
    setting = "+".join([*map(str, dead), *(f"{chip}/{core}" for chip, core in cores)])
    device = f"topology.faulty={setting}"
    module, build = chain(seed), tmp_path / "build"
    nopt.compile(module, target="spinnaker/spinn5", out=build, set=[device], diagnostics=Diagnostics(), **CHOICES)
    mapping = json.loads((build / "mapping.json").read_text(encoding="utf-8"))
    used = {(one["chip"], one["core"]) for one in mapping["vertices"] if one["node"].startswith("p")}
    assert len(used) == LAYERS
    assert not used & {*cores}
    topology = topology_of(resolve_device("spinnaker/spinn5", (device,)))
    passed = {chip for chip, _ in used}
    for route in mapping["routes"]:
        links = np.array(route["links"], np.int64).reshape(-1, 2)
        passed |= {*links[:, 0].tolist(), *topology.neighbours[links[:, 0], links[:, 1]].tolist()}
    assert len(passed) > 1
    assert not passed & {*dead, *MISSING, -1}
    x = rng.random((20, WIDTH)) < 0.3
    assert run_equal(build, x, [last := f"p{LAYERS - 1}"])[last].any()
