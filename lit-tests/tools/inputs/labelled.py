"""Writes an input of two samples for `weights.mlir`, the second silent, and labels, into a folder.

python labelled.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
np.save(folder / "x.npy", np.stack([np.ones((10, 1)), np.zeros((10, 1))]))
np.save(folder / "one.npy", np.ones(10))
np.save(folder / "y.npy", np.array([1, 1]))
np.save(folder / "short.npy", np.array([1]))
np.save(folder / "floats.npy", np.array([1.0, 0.0]))
np.save(folder / "classes.npy", np.array([1, 2]))
np.savez(folder / "several.npz", a=np.array([1, 1]), b=np.array([1, 1]))
np.savez(folder / "both.npz", left=np.ones((2, 5, 1)), right=np.ones((2, 5, 1)))
