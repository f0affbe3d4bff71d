"""Prints the arrays of a run, one line for each tick: `show.py out.npz`."""

import sys

import numpy as np

for name, array in np.load(sys.argv[1]).items():
    print(f"{name}: {array.dtype}")
    for row in array:
        print(" ", row.tolist())
