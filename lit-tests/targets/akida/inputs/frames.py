"""Writes four random frames of 8 bits for `net.mlir`: `frames.py x.npy`, as one sample of four ticks."""

import sys

import numpy as np

np.save(sys.argv[1], np.random.default_rng(1).integers(0, 256, (4, 1, 6, 5)))
