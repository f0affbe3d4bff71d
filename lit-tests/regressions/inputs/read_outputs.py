"""Compares what the formats of `nopt run -o` hold.

python read_outputs.py X.npz X.npy X.csv X.h5
"""

import csv
import sys

import h5py
import numpy as np

npz, npy, table, hdf = sys.argv[1:]
output = np.load(npz)["output"]
print(".npy:", "equal" if np.array_equal(np.load(npy), output) else "different")

with open(table, newline="") as file:
    head, *lines = csv.reader(file)
rows = np.array(lines, float)
spikes = rows[:, 2:4].reshape(output.shape)
places = rows[:, :2].astype(int).tolist() == [[s, t] for s in range(output.shape[0]) for t in range(output.shape[1])]
print(".csv:", "equal" if places and np.array_equal(spikes, output) else "different", end="")
print(f", columns {', '.join(head)}")

with h5py.File(hdf) as opened:
    equal = np.array_equal(opened["output"][()], output)
    equal &= np.array_equal(opened["lif.v"][()].reshape(-1), rows[:, 4:].reshape(-1))
    print(".h5:", "equal" if equal else "different", end="")
    print(f", axes {opened.attrs['axes']}")
