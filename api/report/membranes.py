"""Units of a membrane: the state of each neuron at rest and at its threshold, found by running its update for one tick.

    membrane in units of the threshold = (v - rest) / (threshold - rest)

The rest is the initial state. The threshold is the next state of a neuron that almost spikes: so it is comparable with recorded states, for reals and integers
alike, whatever the parameters of an update are called.

1. The largest input at rest without a spike is found by bisection. Where no input causes a spike in the same tick, it is zero.
2. With this input, the largest state without a spike is found in the same way. It is close to the rest, so that a reset that is pending plays no role.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.ir import Attribute

from ...core.arrays.numeric import AnyArray, Bools, Reals
from ...core.ir.operation import element_type, shape_of, texts_of
from ...dialects import ntensor
from ...simulation.update import Step, dtype_of

STATE = "v"
"""The state that is drawn: the membrane potential."""
BISECTIONS = 64
LARGEST = 2**40
"""Upper end of the search."""


@frozen
class MembraneUnit:
    """State at rest and at the threshold. Shapes: [neurons]."""

    rest: Reals
    threshold: Reals

    def scaled(self, states: NDArray[np.generic]) -> Reals:
        """Returns states in units of the threshold; not a number for neurons without a threshold. Shapes: [..., neurons]."""
        with np.errstate(all="ignore"):
            return (states.astype(np.float64) - self.rest) / (self.threshold - self.rest)


def membrane_unit(op: ntensor.NeuronOp, update: ntensor.UpdateOp) -> MembraneUnit | None:
    """Returns the unit of the membrane of a spiking population; None if no state makes its neurons spike, or if they always do."""
    types = update.state_types
    if STATE not in types or not ntensor.is_event(element_type(op.z.type)):
        return None
    shape = (1, *shape_of(op.z.type))
    params = {name: array.values for name, array in op.arrays(op.params)}
    initial = {name: array.values for name, array in op.arrays(op.initial)}
    step = Step(update, params, shape)

    held = ntensor.interval_of(types[STATE])

    def next_state(drive: AnyArray, v: AnyArray) -> tuple[Bools, AnyArray]:
        """Returns whether neurons spike, and their next states."""
        states = {name: fresh_state(initial[name], type, shape) for name, type in types.items()}
        states[STATE][...] = v if held is None else np.clip(v, held.low, held.high)
        emission = step([drive] * len(update.inputs), states)
        return np.array(emission.value != 0), states[STATE]

    rest = fresh_state(initial[STATE], types[STATE], shape)
    nothing = np.zeros(shape, np.int64 if update.takes_integers else np.float64)
    is_quiet = ~next_state(nothing, rest)[0]
    drive = largest_quiet(nothing, lambda drive: next_state(drive, rest)[0])  # 1
    drive = np.where(drive < LARGEST, drive, 0)
    shift = largest_quiet(np.zeros_like(rest), lambda shift: next_state(drive, rest + shift)[0])  # 2
    is_known = is_quiet & (shift < LARGEST)
    if not is_known.any():
        return None
    threshold = next_state(drive, rest + shift)[1]
    return MembraneUnit(*(np.where(is_known, one, np.nan).astype(np.float64).reshape(-1) for one in (rest, threshold)))


def is_recorded_before(update: ntensor.UpdateOp) -> bool:
    """Returns whether the recorded membrane of a tick is that before its update, as some chips record it."""
    names, step = texts_of(update.records), update.step.block
    if STATE not in names or step.last_op is None:
        return False
    recorded = step.last_op.operands[1 + len(update.states) + names.index(STATE)]
    return recorded in step.args


def largest_quiet(zero: AnyArray, spikes: Callable[[AnyArray], Bools]) -> AnyArray:
    """Returns the largest number for which a neuron does not spike, from zero to the first power of two for which it does; LARGEST without one."""
    is_whole = zero.dtype.kind == "i"
    high = np.full_like(zero, 1 if is_whole else 1 / LARGEST)
    while not (is_done := spikes(high) | (high >= LARGEST)).all():
        high = np.where(is_done, high, 2 * high)
    is_found, low = spikes(high), zero
    for _ in range(BISECTIONS):
        middle = low + (high - low) // 2 if is_whole else low + (high - low) / 2
        is_spiking = spikes(middle)
        low, high = np.where(is_spiking, low, middle), np.where(is_spiking, middle, high)
    return np.where(is_found, low, zero + LARGEST)


def fresh_state(initial: AnyArray, type: Attribute, shape: tuple[int, ...]) -> AnyArray:
    """Returns a state before the first tick, in the type of computation."""
    return np.array(np.broadcast_to(initial, shape), dtype_of(type))
