"""Writes the arrays of the goldens of `sweep` into a folder.

python sweep_arrays.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)

# Two samples of four ticks: one input spikes all along, then the other.
x = np.zeros((2, 4, 2), bool)
x[0, :, 0] = x[1, :, 1] = True
np.save(folder / "x.npy", x)
np.save(folder / "other.npy", ~x)
np.save(folder / "one.npy", x[0])
np.save(folder / "y.npy", np.array([0, 1]))
np.save(folder / "three.npy", np.array([0, 1, 1]))
np.save(folder / "real.npy", np.array([0.0, 1.0]))
