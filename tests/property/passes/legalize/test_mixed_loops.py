"""Loops whose delays differ, on all chips that relay spikes: the chip computes what its neurons compute with the delays of the network."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
import pytest
from both_models import run_equal

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

SIZE, TICKS = 4, 60
DEVICES = {
    "spinnaker/spinn5": "",
    "spinnaker2/chip": "",
    "spinnaker2/chip_delays": "",
    "loihi2/loihi1": "",
    "truenorth/ns1e": "ntensor-linearize-leak",
    "asic/edge": "",
    "asic/bus": "",
    "asic/mesh": "",
    "asic/kinds": "",
    "asic/host": "",
    "dynapse/se2": "approximate=current,refractory,reset,early",
}
"""The passes, or the properties that may differ, for each device."""
AFTER = ("spinnaker/spinn5", "spinnaker2/chip", "asic/edge", "asic/mesh", "dynapse/se2", "loihi2/loihi1")
"""The devices for which the delay is also after the weights."""


def loop(ticks: list[int], *, is_after: bool = False) -> nir.NIRGraph:
    """Returns a population that reads itself, with a delay of its own for each neuron."""
    rng, one = np.random.default_rng(5), np.ones(SIZE, np.float32)
    nodes: dict[str, nir.NIRNode] = {
        "in": nir.Input({"input": np.array([SIZE])}),
        "fc": nir.Linear(rng.uniform(0.1, 1, (SIZE, SIZE)).astype(np.float32)),
        "h": nir.LIF(tau=0.01 * one, r=9 * one, v_leak=0 * one, v_threshold=one, v_reset=0 * one),
        "d": nir.Delay(np.asarray(ticks, np.float32) * 1e-3),
        "w": nir.Linear(rng.uniform(0.1, 1, (SIZE, SIZE)).astype(np.float32)),
        "out": nir.Output({"output": np.array([SIZE])}),
    }
    way = ("h", "w", "d", "h") if is_after else ("h", "d", "w", "h")
    edges = [("in", "fc"), ("fc", "h"), ("h", "out"), *pairwise(way)]
    return nir.NIRGraph(nodes, edges, type_check=False)


@pytest.mark.parametrize(("device", "is_after"), [(name, False) for name in DEVICES] + [(name, True) for name in AFTER])
def test_loops_keep_their_delays(device: str, is_after: bool, tmp_path: Path) -> None:
    graph, more = loop([1, 100 if "loihi" in device else 40, 7, 33], is_after=is_after), DEVICES[device]
    given = f" {more}" if "=" in more else ""
    first = f"{more}," if more and not given else ""
    passes = f'{first}ntensor-legalize{{device="{device}"{given}}}'
    build = tmp_path / "build"
    nopt.compile(graph, target=device, passes=passes, out=build, dt="1ms", like="norse", diagnostics=Diagnostics())
    rate = 0.9 if "dynapse" in device else 0.2  # its neurons integrate slowly near zero
    x = (np.random.default_rng(1).random((TICKS, SIZE)) < rate).astype(np.float32)
    longer = np.concatenate([x, np.zeros((8, SIZE), np.float32)])
    found = run_equal(build, longer, ["h"])

    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    unchanged = f'{first}ntensor-legalize{{device="{device}"{given} keep=delay,latency,fan_out,fan_in}}'
    nopt.apply(module, f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},{unchanged}", diagnostics=Diagnostics())
    wanted = nopt.run(module, x, record=["h"], diagnostics=Diagnostics())["h"]
    lag = next(k for k in range(8) if np.array_equal(found["h"].reshape(-1, SIZE)[k : k + TICKS], wanted))
    assert lag <= 2, "the loop is as fast as before"
    assert 20 < wanted.sum() < wanted.size
