"""Writes inputs `a`, `b` and `c` of ticks with 0, 1 and 0.5."""

import sys

import numpy as np

halves = np.array([[0.0], [1.0], [0.5]], np.float32)
np.savez(sys.argv[1], a=halves, b=halves, c=halves)
