"""Potentials that equal the threshold: `>` and `>=` are exact on TrueNorth, with both resets, for weights that axon types hold.

Weights and thresholds are multiples of a quarter, so that many potentials equal the threshold. A threshold that is subtracted cannot be one step higher
than that of the population: the potential starts one step below 0 instead.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

SIZES = (20, 16, 6)
TICKS = 40
REACHED = Path(__file__).with_name("reached.neuron")
"""The rule that spikes at the threshold, and subtracts it."""


def network(rng: np.random.Generator, file: Path) -> None:
    """Writes two layers of integrate-and-fire neurons."""
    nodes: dict[str, Any] = {"input": nir.Input({"input": np.array([SIZES[0]])})}
    for k, (sources, targets) in enumerate(pairwise(SIZES)):
        one = np.ones(targets)
        nodes[f"fc{k}"] = nir.Linear(rng.choice([-0.5, 0.0, 0.25, 0.75], (targets, sources)))
        nodes[f"if{k}"] = nir.IF(r=1000 * one, v_threshold=1.5 * one, v_reset=0 * one)
    nodes["output"] = nir.Output({"output": np.array([SIZES[-1]])})
    nir.write(file, nir.NIRGraph(nodes, list(pairwise(nodes)), type_check=False))


def spikes_of(what: Path, x: np.ndarray, **choices: Any) -> np.ndarray:
    (output,) = nopt.run(what, x, diagnostics=Diagnostics(), **choices).values()
    return np.asarray(output)


@pytest.mark.parametrize("seed", range(3))
def test_spikes_at_and_above_the_threshold_are_those_of_reals(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng([48, seed])
    network(rng, net := tmp_path / "net.nir")
    x = rng.random((4, TICKS, SIZES[0])) < 0.2
    rules: dict[str, dict[str, Any]] = {
        "above": {"like": "euler", "reset": "subtract"},
        "at": {"like": str(REACHED)},
        "value": {"like": "euler", "reset": "value"},
    }
    reals = {name: spikes_of(net, x, dt="1ms", **rule) for name, rule in rules.items()}
    assert not np.array_equal(reals["above"], reals["at"])  # potentials equal the threshold
    for name, rule in rules.items():
        build = tmp_path / name
        report = nopt.compile(
            net, out=build, target="truenorth/ns1e", dt="1ms", diagnostics=Diagnostics(), **rule
        ).report
        (latency,) = report["latency_ticks"].values()
        late = np.pad(x, ((0, 0), (0, latency), (0, 0)))
        assert np.array_equal(spikes_of(build, late)[:, latency:], reals[name])
        assert reals[name].any()
