"""Runs of indices: rows of a compressed array, gathered in another order."""

from __future__ import annotations

import numpy as np

from .numeric import Ints


def indices_of_runs(start: Ints, size: Ints) -> Ints:
    """Returns the concatenated indices of several runs: start[i] … start[i] + size[i] - 1."""
    ends = size.cumsum()
    return np.arange(ends[-1] if len(ends) else 0) + (start - (ends - size)).repeat(size)
