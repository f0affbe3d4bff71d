"""A substitute for JAX: shapes by a run with zeros."""

from dataclasses import dataclass

import numpy as np


@dataclass
class ShapeDtypeStruct:
    shape: tuple
    dtype: type


def eval_shape(function, x):
    return function(np.zeros(x.shape, x.dtype))
