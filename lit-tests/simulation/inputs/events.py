"""Writes events as the input of a run: `events.py x.npz '{"tick": [0], "index": [1], "shape": [2], "ticks": 3}'`."""

import ast
import sys

import numpy as np

np.savez(sys.argv[1], **{name: np.array(value) for name, value in ast.literal_eval(sys.argv[2]).items()})
