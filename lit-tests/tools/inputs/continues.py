"""Prints whether a record of weights learns, whether samples continue, and whether the saved weights are the last ones."""

import sys

import numpy as np

path, name, saved = sys.argv[1:]
found = np.load(path)[name]
ends, starts = found[:-1, -1], found[1:, 0]
print("learns:", bool((found[0, 0] != found[0, -1]).any()))
print("continues:", bool((np.abs(ends - starts) < 0.2).all() and (found[0, 0] != found[1, 0]).any()))
print("saved:", bool((np.load(saved)[name] == found[-1, -1]).all()))
