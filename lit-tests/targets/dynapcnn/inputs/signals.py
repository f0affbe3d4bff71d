"""Writes a random input of `net.mlir`: signals.py OUT.npy."""

import sys

import numpy as np

np.save(sys.argv[1], np.random.default_rng(0).random((2, 16, 2, 8, 8)) < 0.3)
