"""Partial sums that are sent as spikes: their load follows the activity of the sources, so that parts do not spike in every tick."""

from __future__ import annotations

from pathlib import Path

import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor

INPUTS, NEURONS = 40, 6


@pytest.mark.parametrize(("density", "load"), [(0.05, 0.125), (0.5, 0.5)])
def test_load_is_the_observed_share_of_active_sources(density: float, load: float, tmp_path: Path) -> None:
    """The sum of a busy part is worth several spikes in a tick with the load of quiet ones, and most of it would be lost."""
    rng, one = np.random.default_rng(48), np.ones(NEURONS)
    nodes = {
        "in": nir.Input({"input": np.array([INPUTS])}),
        "fc": nir.Linear(weight=rng.normal(0.02, 0.1, (NEURONS, INPUTS))),
        "if": nir.IF(r=one, v_threshold=one, v_reset=0 * one),
        "out": nir.Output({"output": np.array([NEURONS])}),
    }
    graph = nir.NIRGraph(nodes, [("in", "fc"), ("fc", "if"), ("if", "out")])
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract}", diagnostics=Diagnostics())
    x = rng.random((4, 80, INPUTS)) < density
    np.save(tmp_path / "x.npy", x)
    wanted = nopt.run(module, x, diagnostics=Diagnostics())["out"].sum(axis=1).astype(int)
    errors: list[int] = []
    for option in ("", " load=0.125"):
        after = module.clone()
        steps = f'ntensor-calibrate{{data="{tmp_path / "x.npy"}"}},ntensor-split-fan-in{{max-fan-in=16 code=spikes{option}}}'
        nopt.apply(after, steps, diagnostics=Diagnostics())
        counts = nopt.run(after, x, diagnostics=Diagnostics())["out"].sum(axis=1).astype(int)
        errors.append(int(np.abs(counts - wanted).sum()))
        network = next(op for op in after.ops if isinstance(op, ntensor.NetworkOp))
        record = list(network.approximations or ())[-1]
        share = float(record.what.data.split("sent as spikes of ")[1].split()[0])
        assert share == pytest.approx(0.125 if option else load, rel=0.05)
    assert errors[0] == errors[1] if load == 0.125 else errors[0] < errors[1] / 2


def test_joined_parts_send_the_same_spikes() -> None:
    """Joined parts are the same neurons in one population, so that the sums, here of weights that f64 adds exactly, and the spikes are equal."""
    rng, one = np.random.default_rng(49), np.ones(NEURONS)
    nodes = {
        "in": nir.Input({"input": np.array([INPUTS])}),
        "fc": nir.Linear(weight=rng.integers(-8, 12, (NEURONS, INPUTS)) / 64),
        "if": nir.IF(r=one, v_threshold=one, v_reset=0 * one),
        "out": nir.Output({"output": np.array([NEURONS])}),
    }
    graph = nir.NIRGraph(nodes, [("in", "fc"), ("fc", "if"), ("if", "out")])
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract}", diagnostics=Diagnostics())
    x = rng.random((4, 80, INPUTS)) < 0.2
    outputs: list[np.ndarray] = []
    for option in ("", " join=true"):
        after = module.clone()
        nopt.apply(
            after, f"ntensor-split-fan-in{{max-fan-in=16 code=spikes load=0.25{option}}}", diagnostics=Diagnostics()
        )
        outputs.append(nopt.run(after, x, diagnostics=Diagnostics())["out"])
        network = next(op for op in after.ops if isinstance(op, ntensor.NetworkOp))
        assert len(network.populations) == 3 if option else len(network.populations) > 5
    assert outputs[0].any()
    assert np.array_equal(*outputs)
