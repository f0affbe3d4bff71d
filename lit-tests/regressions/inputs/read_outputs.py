"""Compares what the formats of `nopt run -o` hold.

python read_outputs.py X.npz X.npy X.csv X.h5
"""

import csv
import sys

import nir
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

nodes = nir.read_data(hdf).nodes
spikes, states = nodes["output"].observables["spikes"], nodes["lif"].observables["v"]
equal = np.array_equal(spikes.data, output) and np.array_equal(states.data.reshape(-1), rows[:, 4:].reshape(-1))
print(".h5:", "equal" if equal else "different", end="")
print(f", time step {spikes.dt} s, nodes {', '.join(nodes)}")
