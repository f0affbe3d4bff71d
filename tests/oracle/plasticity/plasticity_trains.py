"""Random spike trains on both sides of single plastic synapses, run by nopt and by other simulators."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict, frozen
from numpy.typing import NDArray
from plastic_networks import array_text, entries_text

import nopt

TICKS = 1000
TOOLS = Path(__file__).parents[1] / "tools"
TEACHER = 1000.0
"""The input that makes the postsynaptic neuron spike, whatever the weight is."""


@frozen
class Trains:
    """Spike trains of pairs of neurons. Shapes: pre and post [trains, ticks], weight and delay [trains]."""

    pre: NDArray[np.bool_]
    post: NDArray[np.bool_]
    weight: NDArray[np.float64]
    delay: NDArray[np.int64]
    """[ticks]"""

    @staticmethod
    def draw(count: int, seed: int, delays: tuple[int, ...]) -> Trains:
        """Returns trains of 2 to 80 Hz. The first presynaptic spike is in the first tick: NEST counts from there."""
        rng = np.random.default_rng(seed)
        pre, post = (rng.random((count, TICKS)) < rng.uniform(0.002, 0.08, (count, 1)) for _ in range(2))
        pre[:, 0], post[:, 0] = True, False
        return Trains(pre, post, rng.uniform(0.05, 0.95, count), np.resize(delays, count))


def network_of(rule: str, entries: Mapping[str, float | str], weight: NDArray[np.float64], delay: int) -> str:
    """Returns a network of single plastic synapses, each with a teacher. Units: delay [ms]."""
    late = f", delays = {array_text(np.array(delay / 1e3))}" if delay else ""
    shape, teacher = f"{len(weight)}x1", np.full((len(weight), 1, 1), TEACHER)
    return f"""
nir.graph @net("in" %x: tensor<{shape}xi1>, "teach" %t: tensor<{shape}xi1>) -> ("out": tensor<{shape}xi1>) {{
  %0 = nir.linear "fc" %x {{weight = {array_text(weight[:, None, None])}, plasticity = {entries_text(rule, entries)}{late}}} : tensor<{shape}xi1> -> tensor<{shape}xf32>
  %1 = nir.linear "teacher" %t {{weight = {array_text(teacher)}}} : tensor<{shape}xi1> -> tensor<{shape}xf32>
  %2 = nir.sum %0, %1 : (tensor<{shape}xf32>, tensor<{shape}xf32>) -> tensor<{shape}xf32>
  %3 = nir.threshold "post" %2 {{threshold = {array_text(np.array(TEACHER / 2))}}} : tensor<{shape}xf32> -> tensor<{shape}xi1>
  nir.output %3 : tensor<{shape}xi1>
}}
"""


def run_nopt(
    trains: Trains, rule: str, entries: Mapping[str, float | str], record: str = "fc.weight"
) -> NDArray[np.float64]:
    """Returns a record after each tick. Shapes: [trains, ticks]."""
    found = np.full(trains.pre.shape, np.nan)
    for delay in np.unique(trains.delay).tolist():
        some = np.flatnonzero(trains.delay == delay)
        network = nopt.parse(network_of(rule, entries, trains.weight[some], delay))
        given = {"in": trains.pre[some].T[..., None], "teach": trains.post[some].T[..., None]}
        results = nopt.run(network, given, dt="1ms", record=[record], engine="numpy")
        assert (trains.post[some] == results["out"][..., 0].T).all()
        found[some] = results[record].reshape(trains.pre.shape[1], len(some)).T
    return found


def run_tool(
    python: Path, script: str, folder: Path, trains: Trains | Mapping[str, NDArray[Any]], **parts: Any
) -> NDArray[np.float64]:
    """Returns the weights that another simulator computes from trains, or from arrays by name. Shapes: [trains, ticks]."""
    texts = {name: json.dumps(part) if isinstance(part, dict) else part for name, part in parts.items()}
    given = trains if isinstance(trains, Mapping) else asdict(trains)
    np.savez(folder / "in.npz", **given, **texts)
    command = [str(python), str(TOOLS / script), str(folder / "in.npz"), str(folder / "out.npz")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[-2000:]
    return np.load(folder / "out.npz")["weight"]


def greatest_error(found: NDArray[np.float64], wanted: NDArray[np.float64]) -> float:
    """Returns the greatest relative difference of the entries that are wanted."""
    known = ~np.isnan(wanted)
    scale = np.maximum(np.abs(wanted[known]), 1e-3)
    return float((np.abs(found[known] - wanted[known]) / scale).max())
