"""Writes a recurrent network of twelve neurons with eight inputs: python recurrent.py NET.nir"""

import sys

import nir
import numpy as np

rng = np.random.default_rng(0)
ones = np.ones(12, np.float32)
nodes = {
    "input": nir.Input({"input": np.array([8])}),
    "in": nir.Linear(rng.integers(1, 4, (12, 8)).astype(np.float32)),
    "back": nir.Linear(rng.integers(1, 4, (12, 12)).astype(np.float32)),
    "lif": nir.LIF(tau=0.02 * ones, r=20 * ones, v_leak=0 * ones, v_threshold=3 * ones, v_reset=0 * ones),
    "output": nir.Output({"output": np.array([12])}),
}
edges = [("input", "in"), ("in", "lif"), ("lif", "back"), ("back", "lif"), ("lif", "output")]
nir.write(sys.argv[1], nir.NIRGraph(nodes, edges))
