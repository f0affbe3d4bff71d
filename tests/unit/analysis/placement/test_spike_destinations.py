"""Routes with deliveries that some of their neurons do not need."""

from __future__ import annotations

from pathlib import Path

import pytest

import nopt.api as nopt
from nopt.analysis.placement.placement_problem import problem_of
from nopt.analysis.placement.spike_destinations import shared_routes
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import machine


def test_routes_are_shared_in_runs_of_vertices_as_in_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Routes are merged, since routers hold 24 routes; a run of few targets has a single vertex."""
    module = nopt.read(root / "examples/bars/bars.nir")
    steps = (
        "convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=4 per=population fit=error},"
    )
    plan = 'ntensor-plan-cores{device="asic/edge" set="core.neurons=12,topology.mesh.width=4,topology.mesh.height=4,topology.cores=16,synapse.delay.min=0,topology.routers.entries=24"},'
    place = "convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges"
    nopt.apply(module, steps + plan + place, diagnostics=Diagnostics())
    graph = next(op for op in module.ops if isinstance(op, machine.GraphOp))
    found = shared_routes(graph)
    assert any(found)
    assert not all(found)
    monkeypatch.setattr("nopt.analysis.placement.multicast_sets.RUN_PAIRS", 1)
    assert len([*problem_of(graph).parts()]) > 2
    assert shared_routes(graph) == found
