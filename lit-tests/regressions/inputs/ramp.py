"""Writes the input 1, 2, 3, 4 for one neuron: ramp.py FILE."""

import sys

import numpy as np

np.save(sys.argv[1], np.arange(1.0, 5.0).reshape(4, 1))
