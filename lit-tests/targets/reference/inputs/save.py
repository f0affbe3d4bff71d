"""Writes a literal as the input of a run: `save.py x.npy '[[1, 0], [0, 1]]'`."""

import ast
import sys

import numpy as np

np.save(sys.argv[1], np.array(ast.literal_eval(sys.argv[2])))
