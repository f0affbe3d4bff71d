"""Fit of a slice to axon types by the inputs of its neurons: the errors of sums decrease, while those of single weights may grow.

The loss of fitted weights Q of the neurons W of a slice is the squared error of their sums, `tr((Q - W) H (Q - W)^T)`, with the second moments H of the
sources. The axons of the sources stay. In turn

1. each source takes for each neuron the sum of values of its axons with the least loss, while all other sources stay: coordinate descent, in which a source
   compensates the errors of others;
2. the values of each neuron become those of the least loss for its connections, by linear least squares, rounded to the grid.

Neither step increases the loss of a neuron, or the neuron keeps what it had. A weight of zero stays zero.

Source: cyclic coordinate descent, S. J. Wright, Coordinate descent algorithms, Mathematical Programming 151 (2015); the loss is that of E. Frantar et al., GPTQ:
Accurate Post-Training Quantization for Generative Pre-trained Transformers, ICLR 2023.
"""

from __future__ import annotations

import numpy as np

from ....core.arrays.numeric import AnyArray, Bools, Ints, Reals
from ....dialects.ntensor.axon_types import mask_members
from ._axon_fit import AxonFit, Grid, sums_of

DAMPING = 0.01
"""Second moment that each source gets in addition, relative to their mean: a few samples do not determine all directions."""
ROUNDS, SWEEPS = 8, 2
"""Most rounds of both steps, and passes over all sources in each."""
LEAST_GAIN = 1e-3
"""Share of the loss by which a round improves a fit; less ends the rounds."""


def with_feedback(fit: AxonFit, weights: Reals, moments: Reals, grid: Grid) -> AxonFit:
    """Returns a fit with the axons of another one, and at most its loss. Shapes: weights [neurons, sources]; moments [sources, sources]."""
    if not weights.size or fit.error == 0:
        return fit
    low, high = (-np.inf, np.inf) if grid.real is not None else (min(0.0, weights.min()), max(0.0, weights.max()))
    damped = moments + np.eye(len(moments)) * max(DAMPING * float(np.diagonal(moments).mean()), 1e-9)
    values, masks = fit.values.copy(), fit.masks.copy()
    first = losses(weights - fit.weights, damped)
    least = first
    for _ in range(ROUNDS):
        masks = connected(weights, values, masks, fit.members, damped, low, high)
        values = solved_values(weights, values, masks, damped, grid, low, high)
        reached = losses(weights - sums(values, masks), damped)
        is_done = float(reached.sum()) >= float(least.sum()) * (1 - LEAST_GAIN)
        least = reached
        if is_done:
            break
    is_better = least < first

    def chosen(new: AnyArray, old: AnyArray) -> AnyArray:
        return np.where(is_better[:, None], new, old)

    found = chosen(sums(values, masks), fit.weights)
    values, masks = chosen(values, fit.values), chosen(masks, fit.masks)
    return AxonFit(values, fit.members, masks, found, float(np.abs(weights - found).sum()))


def losses(errors: Reals, damped: Reals) -> Reals:
    """Returns the squared error of the sum of each neuron. Shapes: [neurons, sources] => [neurons]."""
    return np.einsum("ni,ni->n", errors @ damped, errors)


def sums(values: Reals, masks: Ints) -> Reals:
    """Returns the sums of the values of the connected types. Shapes: [neurons, sources]."""
    every = values @ mask_members(np.arange(1 << values.shape[1]), values.shape[1]).T.astype(np.float64)
    return np.take_along_axis(every, masks, axis=1)


def connected(
    weights: Reals, values: Reals, masks: Ints, members: Bools, damped: Reals, low: float, high: float
) -> Ints:
    """Returns the connected types of each source after passes over all sources."""  # 1
    own_masks: Ints = np.where(members, 1 << np.arange(members.shape[1]), 0).sum(axis=1)
    choices = {own: sums_of(values, own, low, high) for own in np.unique(own_masks).tolist()}
    found, neurons = masks.copy(), np.arange(len(weights))
    errors = sums(values, found) - weights
    slopes = errors @ damped
    order = np.argsort(-np.diagonal(damped), kind="stable")
    for _ in range(SWEEPS):
        is_changed = False
        for i in order:
            candidates, subsets = choices[int(own_masks[i])]
            steps = candidates - weights[:, i, None] - errors[:, i, None]
            with np.errstate(invalid="ignore"):
                gains = -steps * (2 * slopes[:, i, None] + steps * damped[i, i])
            gains = np.where(np.isfinite(steps), gains, -np.inf)
            best = gains.argmax(axis=1)
            is_better = (gains[neurons, best] > 0) & (weights[:, i] != 0)
            if is_better.any():
                step = np.where(is_better, steps[neurons, best], 0.0)
                errors[:, i] += step
                slopes += step[:, None] * damped[i]
                found[:, i] = np.where(is_better, subsets[best], found[:, i])
                is_changed = is_changed or bool(step.any())
        if not is_changed:
            break
    return found


def solved_values(
    weights: Reals, values: Reals, masks: Ints, damped: Reals, grid: Grid, low: float, high: float
) -> Reals:
    """Returns the values of each neuron for its connections, or those it has where others do not decrease the loss."""  # 2
    types: int = values.shape[1]
    used = np.bitwise_and(np.right_shift(masks[:, :, None], np.arange(types)), 1).astype(np.float64)
    weighted: Reals = np.einsum("ij,njt->nit", damped, used)
    normal: Reals = np.einsum("nit,niu->ntu", used, weighted)
    ridge: Reals = 1e-9 * (1 + np.trace(normal, axis1=1, axis2=2))[:, None, None] * np.eye(types)
    right: Reals = np.einsum("nit,ni->nt", weighted, weights)[:, :, None]
    solved = grid.rounded(np.linalg.solve(normal + ridge, right).astype(np.float64)[:, :, 0])
    before, after = sums(values, masks), sums(solved, masks)
    is_better = losses(weights - after, damped) < losses(weights - before, damped)
    is_better &= ((after >= low) & (after <= high)).all(axis=1)
    return np.where(is_better[:, None], solved, values)
