"""Populations with another threshold, at the same distance of all other values from the leak."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr

from ....core.arrays.arrays import ArrayAttr, dtype_of, uniform
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, refuse_op
from ....dialects import ntensor
from ....simulation.update import derive, initial
from ..updates._canonical_parameters import canonical_of, raw_values

LEG191 = Code("LEG191", "threshold-not-scalable", "a threshold cannot be scaled")

POTENTIAL = "v"


def scale_threshold(op: ntensor.NeuronOp, update: ntensor.UpdateOp, factor: Reals, dt: float) -> None:
    """Multiplies the distance of the threshold from the leak by a factor; the parameters that derive from it follow. Errors: LEG191."""
    canonical = canonical_of(op)
    leak = canonical.get("leak", np.asarray(0.0))
    wanted = leak + factor * (canonical["threshold"] - leak)
    before = derived(op, update, dt)
    held = op.canonical
    set_canonical(op, {"threshold": wanted})
    after = derived(op, update, dt)
    if not np.allclose(after["threshold"], wanted, rtol=2.0**-20):
        op.canonical = held
        refuse_op(
            op,
            LEG191,
            expected=f"a raw parameter of @{update.sym_name.data} that is the threshold",
            found=", ".join(name.data for name in update.raw) or "no parameters",
            help="declare it in the neuron: param v_threshold, canonical threshold = v_threshold",
        )
    types = update.param_types
    params = {name: after[name] for name in types if not np.array_equal(before[name], after[name])}
    states = changed(initial(update, cast(update, before)), initial(update, cast(update, after)))
    op.params = replaced(op.params, {name: value for name, value in cast(update, after).items() if name in params})
    op.initial = replaced(op.initial, states)
    others = {name.data for name in update.canonical} - {"threshold"}
    set_canonical(op, changed(*({name: x[name] for name in others} for x in (before, after))))


def shift_potential(op: ntensor.NeuronOp) -> None:
    """Starts the potential half of the way from the leak to the threshold further. Errors: LEG191 a population without a potential."""
    states = dict(op.arrays(op.initial))
    if POTENTIAL not in states:
        refuse_op(
            op,
            LEG191,
            "an initial potential cannot be shifted",
            expected=f"a state {POTENTIAL}",
            found=", ".join(states) or "no states",
            help="ntensor-balance-thresholds{shift=none}",
        )
    canonical = canonical_of(op)
    half = (canonical["threshold"] - canonical.get("leak", 0.0)) / 2
    v = states[POTENTIAL].values
    op.initial = replaced(op.initial, {POTENTIAL: (v.astype(np.float64) + half).astype(v.dtype)})


def derived(op: ntensor.NeuronOp, update: ntensor.UpdateOp, dt: float) -> dict[str, AnyArray]:
    """Returns the parameters and canonical values that follow from the canonical values of a population."""
    return derive(update, dt, raw_values(op, update, {}, dt), op.node.data)


def cast(update: ntensor.UpdateOp, values: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Returns the parameters of an update in their types."""
    return {
        name: np.asarray(values[name]).astype(dtype_of(type) or np.int64) for name, type in update.param_types.items()
    }


def changed(before: Mapping[str, AnyArray], after: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    return {name: value for name, value in after.items() if not np.array_equal(before[name], value)}


def set_canonical(op: ntensor.NeuronOp, values: Mapping[str, AnyArray]) -> None:
    op.canonical = replaced(op.canonical, {name: value.astype(np.float64) for name, value in values.items()})


def replaced(entries: DictionaryAttr | None, new: Mapping[str, AnyArray]) -> DictionaryAttr:
    """Returns the entries with new values for some of them."""
    held = {} if entries is None else dict(entries.data)
    return DictionaryAttr({**held, **{name: ArrayAttr.of(uniform(np.asarray(value))) for name, value in new.items()}})
