"""Distance of a population at rest from its thresholds: the scale of the width of a surrogate gradient."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from ...core.arrays.numeric import AnyArray
from ...dialects import ntensor
from ...simulation.update import Tape, dtype_of


def reaches(op: ntensor.NeuronOp, update: ntensor.UpdateOp, comparisons: Sequence[Operation]) -> list[float]:
    """Returns the mean distance between the operands of each comparison, for initial states and no input; 1 if the distance is 0."""
    tape = Tape(update, update.step.block, ())
    given: list[AnyArray] = [np.zeros(())] * len(update.inputs)
    for entries, names in ((op.initial, update.states), (op.params, update.params)):
        arrays = {name: array.values for name, array in op.arrays(entries)}
        given += [arrays[name.data] for name in names]
    for arg, value in zip(update.step.block.args, given, strict=True):
        tape.constants[arg] = value.astype(dtype_of(arg.type))
    tape.compile()
    return [distance(*(tape.constants[value].astype(np.float64) for value in one.operands)) for one in comparisons]


def distance(a: AnyArray, b: AnyArray) -> float:
    """Returns the mean distance of the entries that differ, or 1."""
    apart = np.abs(a - b)
    some = apart[np.isfinite(apart) & (apart > 0)]
    return float(some.mean()) if some.size else 1.0
