"""Writes weights for `cross.mlir`: its weight [2, 2] and the thresholds of its two neurons."""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
weight = np.array([[1.5, 0.35], [0.25, -1.0]], np.float32)  # two entries change, by 0.5 and 2
threshold = np.array([0.9, 1.0], np.float32)
np.savez(folder / "good.npz", **{"fc.weight": weight, "if.v_threshold": threshold, "if.beta": threshold})
(folder / "weights").mkdir()
np.save(folder / "weights" / "fc.weight.npy", weight)
np.save(folder / "one.npy", weight)
bad = {
    "fc.weight": np.zeros((2, 3)),
    "fd.weight": weight,
    "fc.wieght": weight,
    "weight": weight,
    "if.r": np.array([1.0, np.nan]),
    "if.v_reset": np.array([0, 1]),
}
np.savez(folder / "bad.npz", **bad)
np.savez(folder / "wide.npz", **{"fc.weight": np.zeros((3, 2), np.float32)})
np.savez(folder / "other.npz", x=weight)
np.savez(folder / "negative.npz", **{"lif.tau": np.array([0.01, -1.0])})
(folder / "empty").mkdir()
