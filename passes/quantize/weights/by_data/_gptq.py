"""Rounding with error feedback: the error of a weight is compensated by the weights that are rounded after it.

The loss of rounded weights Q of rows W is the squared error of their sums, `tr((Q - W) H (Q - W)^T)`, with the second moments H = E[x x^T] of their
inputs. The columns are rounded in the order of decreasing moments. With `U^T U = (H + damping)^-1`, U upper triangular, column j is rounded to q, and
the error `(w_j - q) / U_jj` is subtracted from the later columns, times row j of U: they become the best reals for the columns that are
fixed. With H diagonal this is nearest rounding.

The grid is a function, so that a row, or a weight, may have a scale and ends of its own, or a set of values.

Source: E. Frantar et al., GPTQ: Accurate Post-Training Quantization for Generative Pre-trained Transformers, ICLR 2023.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from attrs import frozen

from .....core.arrays.numeric import Ints, Reals

GridRounding = Callable[[Reals, int], Reals]
"""Returns the nearest values of the grid for the weights of a column. Shapes: [rows], [] => [rows]."""

DAMPING = 0.01
"""Variance that each input gets in addition, relative to the mean second moment: a few samples do not determine all directions."""
TOGETHER = 64
"""Columns whose errors change later columns in one product of matrices."""


@frozen(eq=False)
class Moments:
    """Second moments of the inputs of rows of weights. Shapes: [inputs, inputs]."""

    plain: Reals

    @cached_property
    def damped(self) -> Reals:
        """Returns the moments with a damped diagonal, which are positive definite."""
        mean = float(np.diagonal(self.plain).mean()) if len(self.plain) else 0.0
        return self.plain + np.eye(len(self.plain)) * (DAMPING * mean if mean > 0 else 1.0)

    @cached_property
    def order(self) -> Ints:
        """Returns the inputs by decreasing moment."""
        return np.argsort(-np.diagonal(self.plain), kind="stable")

    @cached_property
    def feedback(self) -> Reals:
        """Returns U, whose rows distribute the errors, in the order of rounding."""
        inverse = np.linalg.inv(self.damped[np.ix_(self.order, self.order)])
        return np.linalg.cholesky((inverse + inverse.T) / 2).T.astype(np.float64)

    def losses(self, errors: Reals) -> Reals:
        """Returns the squared error of the sum of each row. Shapes: [rows, inputs] => [rows]."""
        return np.einsum("ri,ri->r", errors @ self.damped, errors)


def round_with_feedback(weights: Reals, moments: Moments, grid: GridRounding) -> Reals:
    """Returns values of a grid for rows of weights. Shapes: [rows, inputs]."""
    order, feedback = moments.order, moments.feedback
    left, found = weights[:, order], np.empty_like(weights)
    for first in range(0, len(order), TOGETHER):
        last = min(first + TOGETHER, len(order))
        errors = np.zeros((len(weights), last - first))
        for j in range(first, last):
            values = grid(left[:, j], int(order[j]))
            found[:, order[j]] = values
            error = (left[:, j] - values) / feedback[j, j]
            left[:, j + 1 : last] -= error[:, None] * feedback[j, j + 1 : last]
            errors[:, j - first] = error
        left[:, last:] -= errors @ feedback[first:last, last:]
    return found
