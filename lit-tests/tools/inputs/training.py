"""Writes samples for `cross.mlir`, `straight.mlir` and `li.mlir`, of which each class has one input neuron, into a folder.

python training.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
labels = np.arange(12) % 2
x = np.zeros((12, 8, 2), np.float32)
x[np.arange(12), :, labels] = 0.5
np.savez(folder / "train.npz", input=x, labels=labels)
np.savez(folder / "x.npz", input=x)
np.savez(folder / "one.npz", input=x[:1], labels=labels[:1])
np.savez(folder / "wide.npz", input=np.zeros((12, 8, 3), np.float32), labels=labels)
np.savez(folder / "classes.npz", input=x, labels=labels + 1)
np.save(folder / "y.npy", labels)
spikes = np.zeros((12, 16, 2), np.bool_)
spikes[np.arange(12), :, 1 - labels] = True  # the class is that of the other input neuron
np.savez(folder / "swapped.npz", input=spikes, labels=labels)
