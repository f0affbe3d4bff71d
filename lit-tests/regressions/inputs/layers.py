"""Writes a fully connected network and a sample input in which every fifth entry is a spike: layers.py DIR SIZE SIZE …"""

import sys
from itertools import pairwise
from pathlib import Path

import nir
import numpy as np

folder, sizes = Path(sys.argv[1]), [int(size) for size in sys.argv[2:]]
rng = np.random.default_rng(0)
nodes = []
for n, m in pairwise(sizes):
    nodes.append(nir.Affine(weight=rng.normal(0, 1, (m, n)).astype(np.float32), bias=np.zeros(m, np.float32)))
    full = {"tau": 0.02, "r": 1.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0}
    nodes.append(nir.LIF(**{name: np.full(m, value, np.float32) for name, value in full.items()}))
nir.write(folder / "net.nir", nir.NIRGraph.from_list(*nodes))
x = np.zeros((2, 50, sizes[0]), np.float32)
x.reshape(-1)[::5] = 1
np.save(folder / "x.npy", x)
