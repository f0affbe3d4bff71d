"""Writes arrays to calibrate with into a folder.

python arrays.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
np.save(folder / "three.npy", np.array([1.0, -0.5, 1.25]))
np.save(folder / "two.npy", np.array([[[1], [0], [1]], [[2], [0], [0]]], np.int8))
np.save(folder / "zeros.npy", np.zeros(3))
np.save(folder / "huge.npy", np.full(3, 1e308))
np.save(folder / "empty.npy", np.zeros(0))
np.save(folder / "wide.npy", np.zeros((3, 4)))
