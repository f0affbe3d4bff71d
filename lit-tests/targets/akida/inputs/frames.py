"""Writes four random frames, as one sample of four ticks: `frames.py x.npy` of 8 bits for `net.mlir`, `frames.py x.npy 4 2 4 4` of 4 bits for `net2.mlir`."""

import sys

import numpy as np

bits, *shape = map(int, sys.argv[2:] or (8, 1, 6, 5))
np.save(sys.argv[1], np.random.default_rng(1).integers(0, 2**bits, (4, *shape)))
