"""Consequences of parameters that are set by hand: the canonical values and the initial states of a population that follow from them.

    canonical decay = real(4096 - dv) / 4096,  dv: 205 => 163      decay: 0.94995 => 0.96021
    canonical threshold = real(vth) * unit,    vth: 256 => 25      threshold: 0.1 => 0.00977

1. A canonical value that depends on a pinned parameter is computed again by the region `derive` of the update. The parameters of the step are
   its leaves, whatever they were derived from.
2. A population does not store the raw parameters of its update. One with the name of a canonical value has this value. One to which a canonical
   value is proportional, such as `unit`, is found from this value before the change: 0.1 / 256 above.
3. A canonical value that these raw parameters do not reproduce before the change is kept.
4. An initial state is computed again if it is the one that the update computes from the parameters before the change.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isclose
from typing import Any

import numpy as np
from attrs import define, frozen
from xdsl.ir import Operation, SSAValue

from ....core.arrays.arrays import uniform
from ....core.arrays.numeric import AnyArray
from ....core.ir.graph_region import walk_upstream
from ....core.ir.operation import texts_of
from ....dialects import fixed, ntensor
from ....simulation.scalars import Program, Scalar, scalar
from ....simulation.update import initial

COPIES = (ntensor.LetOp, fixed.WidenOp, fixed.ToRealOp)
"""Ops whose result is the number of their operand."""


TOLERANCE = 2.0**-40
"""Relative difference of a canonical value that is computed again: several roundings of f64."""


@define
class Followed:
    """Values that follow from pinned parameters, by name."""

    canonical: dict[str, AnyArray]
    kept: list[str]
    """Canonical values that depend on a pinned parameter, and cannot be computed again."""
    initial: dict[str, AnyArray]


@frozen
class Formula:
    """A canonical value as a function of the parameters of the step and of raw parameters."""

    name: str
    slot: int
    steps: tuple[int, ...]
    """The slots of the ops between, in order."""
    params: frozenset[str]
    raw: frozenset[int]
    """The slots of the raw parameters."""


class Meaning:
    """The canonical values of an update as functions of the parameters of its step; `pinned` ones are preferred where two are the same value."""

    def __init__(self, update: ntensor.UpdateOp, pinned: Mapping[str, int]):
        block, self.names = update.derive.block, texts_of(update.raw)
        self.raw = range(1, 1 + len(self.names))
        self.program = Program(block, known_scalar)
        slots, params = self.program.slots, texts_of(update.params)
        last = block.last_op
        assert last is not None  # verified: the region ends in ntensor.derived
        values = dict(zip(params, last.operands, strict=False))
        held: dict[SSAValue, str] = {}
        for name in sorted(params, key=lambda name: name not in pinned):
            for copy in walk_upstream([values[name]], lambda op: isinstance(op, COPIES)):
                held.setdefault(copy, name)
        self.leaves = {slots[value]: (name, isinstance(value.type, fixed.IntType)) for value, name in held.items()}
        self.formulas: list[Formula] = []
        for name, value in zip(texts_of(update.canonical), last.operands[len(params) :], strict=True):
            reached = [slots[x] for x in walk_upstream([value], lambda op: op.results[0] not in held)]
            inner = sorted(slot for slot in reached if slot not in self.leaves)
            self.formulas.append(
                Formula(
                    name,
                    slots[value],
                    tuple(slot for slot in inner if slot > len(self.raw)),
                    frozenset(self.leaves[slot][0] for slot in reached if slot in self.leaves),
                    frozenset(slot for slot in inner if slot in self.raw),
                )
            )

    def number(self, formula: Formula, dt: float, params: Mapping[str, float], raw: Mapping[int, float]) -> float:
        """Returns a canonical value; all raw parameters that it depends on are given."""
        held: dict[int, Any] = {0: dt, **raw}
        for slot, (name, is_whole) in self.leaves.items():
            held[slot] = int(params[name]) if is_whole else params[name]
        for slot in formula.steps:
            function, operands = self.program.calls[slot - 1 - len(self.raw)]
            held[slot] = function(*(held[k] for k in operands))
        return float(held[formula.slot])

    def raw_parameters(
        self, dt: float, params: Mapping[str, float], canonical: Mapping[str, float]
    ) -> dict[int, float]:
        """Returns the raw parameters that are known, by their slots."""  # 2
        found = {slot: canonical[name] for name, slot in zip(self.names, self.raw, strict=True) if name in canonical}
        for formula in self.formulas:
            if len(unknown := formula.raw - found.keys()) != 1:
                continue
            (slot,) = unknown
            half, one, two = (self.number(formula, dt, params, {**found, slot: x}) for x in (0.5, 1.0, 2.0))
            if one != 0 and 2 * half == one == two / 2 and np.isfinite(one):
                found[slot] = canonical[formula.name] / one
        return found


def known_scalar(op: Operation) -> Scalar:
    function = scalar(op)
    assert function is not None  # the conversion has derived with it
    return function


def follow_pins(op: ntensor.NeuronOp, update: ntensor.UpdateOp, dt: float, pinned: Mapping[str, int]) -> Followed:
    """Returns the canonical and initial values that change with pinned parameters. Units: dt [s]. Shapes: () or that of the population."""
    before = {name: array.values for name, array in op.arrays(op.params)}
    after: dict[str, AnyArray] = {name: np.asarray(pinned.get(name, values)) for name, values in before.items()}
    return Followed(*canonical_after(op, update, dt, before, pinned), initial_after(op, update, before, after))


def canonical_after(
    op: ntensor.NeuronOp, update: ntensor.UpdateOp, dt: float, before: Mapping[str, AnyArray], pinned: Mapping[str, int]
) -> tuple[dict[str, AnyArray], list[str]]:
    """Returns the changed canonical values, and the names of values that depend on a pin but stay unchanged."""
    if op.canonical is None:
        return {}, []
    meaning, given = Meaning(update, pinned), {name: array.values for name, array in op.arrays(op.canonical)}
    wanted = [formula for formula in meaning.formulas if not formula.params.isdisjoint(pinned)]
    columns = [*before.values(), *given.values()]
    shape = np.broadcast_shapes(*(array.shape for array in columns)) if columns else ()
    rows = list(zip(*(np.broadcast_to(array, shape).reshape(-1).tolist() for array in columns), strict=True))

    def numbers(row: tuple[float, ...]) -> list[float | None]:
        params, canonical = dict(zip(before, row, strict=False)), dict(zip(given, row[len(before) :], strict=True))
        raw = meaning.raw_parameters(dt, params, canonical)

        def after(formula: Formula) -> float | None:
            if not formula.raw <= raw.keys():
                return None
            old = meaning.number(formula, dt, params, raw)
            is_known = isclose(old, canonical[formula.name], rel_tol=TOLERANCE)  # 3
            return meaning.number(formula, dt, {**params, **pinned}, raw) if is_known else None

        return list(map(after, wanted))

    seen = {row: numbers(row) for row in dict.fromkeys(rows)}
    changed, kept = dict[str, AnyArray](), list[str]()
    for k, formula in enumerate(wanted):
        found = [seen[row][k] for row in rows]
        if any(number is None for number in found):
            kept.append(formula.name)
        elif not is_everywhere(given[formula.name], made := np.array(found, np.float64).reshape(shape)):
            changed[formula.name] = uniform(made)
    return changed, kept


def initial_after(
    op: ntensor.NeuronOp, update: ntensor.UpdateOp, before: Mapping[str, AnyArray], after: Mapping[str, AnyArray]
) -> dict[str, AnyArray]:
    """Returns the initial states that change."""  # 4
    was, now = initial(update, before), initial(update, after)
    return {
        name: uniform(np.asarray(now[name]))
        for name, array in op.arrays(op.initial)
        if not np.array_equal(was[name], now[name]) and is_everywhere(array.values, was[name])
    }


def is_everywhere(values: AnyArray, expected: AnyArray) -> bool:
    return bool(np.all(values == expected))
