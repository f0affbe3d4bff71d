"""Raw parameters from derived ones: numbers of a NIR node from which an update derives exactly what a population has.

    k = dt / tau,  k = 0.05, dt = 1 ms   =>   tau = 0.02 s

1. A parameter that passes through is itself.
2. Any other is found by bisection over all floats of the one raw parameter that it still depends on; equations are taken to be
   monotone in it. Of all that give the derived number to the last bit, one that f32 holds comes first, then a short one.
3. Where a number of this interval leaves another parameter without a solution, the next one is tried.
4. Canonical parameters are used, too: raw parameters that only they depend on are found from them.
5. A parameter that the rule does not read gets a default: 1 for gains and thresholds, 0 for potentials, ten ticks for time constants.

Each different row of parameters is solved once, with the functions with which the conversion derives.

Errors: NRM008 no float produces the number.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from attrs import define, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, refuse
from ...core.help_text import OutputFormat, Phrase
from ...core.ir.graph_region import walk_upstream
from ...core.ir.operation import texts_of
from ...dialects import fixed, nir, ntensor
from ...simulation.scalars import Program, Scalar, scalar

NRM008 = Code("NRM008", "number-not-nir-representable", "no parameter of NIR produces this number")

MOST_TRIES = 64
"""Numbers of an interval that are tried for the sake of other parameters."""


MOST_SEARCHED = 2000
"""Numbers that are tried for one neuron, before it is taken for one that has none."""


def key(x: float) -> int:
    """Returns a float as an integer with the same order."""
    (bits,) = struct.unpack("<q", struct.pack("<d", x))
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


def unkey(k: int) -> float:
    (x,) = struct.unpack("<d", struct.pack("<q", abs(k)))
    return -x if k < 0 else x


@frozen
class Equation:
    """One number that an update derives."""

    name: str
    slot: int
    """Its place in the program of the rule."""
    raw: frozenset[str]
    """The raw parameters that it depends on."""
    steps: tuple[int, ...]
    """The slots of the ops that it depends on, in order."""
    is_copy: bool
    """Whether it is a raw parameter under another name."""
    fits: Callable[[float], float | int]
    """Its value in the type of the step."""


@define
class Derivation:
    """The region `derive` of an update, number by number."""

    names: list[str]
    program: Program
    equations: list[Equation]
    canonical: list[Equation]

    @staticmethod
    def of(update: ntensor.UpdateOp) -> Derivation:
        program = Program(update.derive.block, known_scalar)
        names, types = texts_of(update.raw), update.param_types
        first, equations = 1 + len(names), list[Equation]()
        last = update.derive.block.last_op
        assert last is not None  # verified: the region ends in ntensor.derived
        listed = texts_of((*update.params, *update.canonical))
        for n, (name, value) in enumerate(zip(listed, last.operands, strict=True)):
            found = sorted(program.slots[x] for x in walk_upstream([value], lambda op: True))
            raw = frozenset(names[slot - 1] for slot in found if 1 <= slot < first)
            steps = tuple(slot for slot in found if slot >= first)
            *_, source = walk_upstream([value], lambda op: isinstance(op, ntensor.LetOp))
            is_copy = 1 <= program.slots[source] < first
            fits = fitting(types.get(name) if n < len(types) else None)
            equations.append(Equation(name, program.slots[value], raw, steps, is_copy, fits))
        return Derivation(names, program, equations[: len(types)], equations[len(types) :])

    def number(self, equation: Equation, dt: float, raw: Mapping[str, float]) -> float | int:
        """Returns the number that an equation derives from raw parameters. Only parameters that the equation reads have to be known."""
        calls, first = self.program.calls, 1 + len(self.names)
        held: list[Any] = [dt, *(raw.get(name, math.nan) for name in self.names), *([math.nan] * len(calls))]
        for slot in equation.steps:
            function, args = calls[slot - first]
            held[slot] = function(*(held[k] for k in args))
        return equation.fits(held[equation.slot])


def known_scalar(op: Operation) -> Scalar:
    function = scalar(op)
    assert function is not None  # the conversion has derived with it
    return function


def fitting(type: Any) -> Callable[[float], float | int]:
    if isinstance(type, fixed.IntType):
        return int
    return in_f32 if type == f32 else float


def in_f32(x: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(x))


def are_identical(a: float, b: float) -> bool:
    return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)


# ---- one neuron


@define
class Search:
    """The numbers of one neuron: those of the step, and the rule that derives them."""

    rule: Derivation
    dt: float
    targets: Mapping[str, float | int]
    positive: frozenset[str]
    tries: int = MOST_SEARCHED
    """How many more numbers are tried."""

    def solve(self, known: dict[str, float], equations: Sequence[Equation]) -> dict[str, float] | None:
        """Returns raw parameters that satisfy every equation; None if none are found."""
        open: list[Equation] = []
        for equation in equations:
            if equation.raw <= known.keys():
                if not are_identical(self.rule.number(equation, self.dt, known), self.targets[equation.name]):
                    return None
            else:
                open.append(equation)
        if not open:
            return known
        fewest = min(len(equation.raw - known.keys()) for equation in open)
        for name in sorted(next(e.raw - known.keys() for e in open if len(e.raw - known.keys()) == fewest))[1:]:
            known = known | {name: self.dt * 10 if name in self.positive else 1.0}  # one of them is free
        told: dict[str, list[Equation]] = {}
        for equation in open:
            if len(unknown := equation.raw - known.keys()) == 1:
                told.setdefault(min(unknown), []).append(equation)
        spans = {name: self.common(found, name, known) for name, found in told.items()}
        if any(start >= stop for start, stop in spans.values()):
            return None
        sought = min(spans, key=lambda name: (spans[name][1] - spans[name][0], name))
        for value in candidate_floats(*spans[sought]):
            self.tries -= 1
            if self.tries < 0:
                return None
            found = self.solve(known | {sought: value}, open)
            if found is not None:
                return found
        return None

    def common(self, told: Sequence[Equation], name: str, known: Mapping[str, float]) -> tuple[int, int]:
        """Returns the interval of one raw parameter's values that satisfy all equations, as float keys: the first, and the last plus 1."""
        largest = float(np.finfo(np.float64).max)
        start, stop = (1 if name in self.positive else key(-largest)), key(largest) + 1
        for equation in told:
            if start < stop:
                start, stop = self.narrowed(equation, name, known, start, stop)
        return start, stop

    def narrowed(
        self, equation: Equation, name: str, known: Mapping[str, float], start: int, stop: int
    ) -> tuple[int, int]:
        """Returns the part of a span that produces one number."""
        target = self.targets[equation.name]

        def at(k: int) -> float | int:
            return self.rule.number(equation, self.dt, {**known, name: unkey(k)})

        ends = at(start), at(stop - 1)
        if any(math.isnan(end) for end in ends):
            return start, start
        sign = 1 if ends[0] <= ends[1] else -1

        def first(a: int, b: int, is_reached: Callable[[float | int], bool]) -> int:
            while a < b:
                middle = (a + b) // 2
                if is_reached(at(middle)):
                    b = middle
                else:
                    a = middle + 1
            return a

        if sign * ends[0] < sign * target:
            start = first(start, stop, lambda x: sign * x >= sign * target)
        if sign * ends[1] > sign * target:
            reach = 1  # floats that give one number are few, so the last is near
            while start + reach < stop and sign * at(start + reach) <= sign * target:
                reach *= 2
            stop = first(start, min(stop, start + reach), lambda x: sign * x > sign * target)
        return start, stop


def candidate_floats(start: int, stop: int) -> Iterator[float]:
    """Floats of a span, the likeliest first; not all of them where there are many."""
    tried: dict[float, None] = {}
    for value in likely(unkey(start), unkey(stop - 1)):
        if start <= key(value) < stop and value not in tried:
            tried[value] = None
            yield value
    step = max(1, (stop - start) // MOST_TRIES)
    yield from (unkey(k) for k in range(start, stop, step) if unkey(k) not in tried)


def likely(low: float, high: float) -> Iterator[float]:
    """Yields plausible numbers of an interval; numbers that f32 represents exactly come first."""
    middle = low / 2 + high / 2
    short = [float(f"{x:.{digits}g}") for digits in range(1, 18) for x in (low, middle, high)]
    with np.errstate(over="ignore"):
        yield from (float(np.float32(x)) for x in (middle, low, high))
        yield from (x for x in short if x == float(np.float32(x)))
    yield from short


# ---- a population


def raw_parameters(
    op: ntensor.NeuronOp, update: ntensor.UpdateOp, kind: type[nir.PopulationOp], dt: float
) -> dict[str, NDArray[np.float64]]:
    """Returns every parameter of the node that a population came from. Shapes: () or that of the population. Errors: NRM008."""
    rule = Derivation.of(update)
    arrays = {name: array.values for name, array in op.arrays(op.params)}
    aside = {name: array.values for name, array in op.arrays(op.canonical)} if op.canonical is not None else {}
    hints = [equation for equation in rule.canonical if equation.name in aside and equation.name not in arrays]
    equations = [*rule.equations, *hints]
    given = {e.name: np.asarray(arrays[e.name] if e.name in arrays else aside[e.name]) for e in equations}
    shape = np.broadcast_shapes(*(array.shape for array in given.values()))
    flat = [np.broadcast_to(array, shape).ravel() for array in given.values()]
    table = (
        np.stack([np.ascontiguousarray(x, np.float64).view(np.int64) for x in flat])
        if flat
        else np.zeros((0, 1), np.int64)
    )
    _, first, inverse = np.unique(table, axis=1, return_index=True, return_inverse=True)
    types = update.param_types
    passing = [e for e in rule.equations if e.is_copy and types[e.name] != f32]
    rows: list[dict[str, float]] = []
    for place in first.tolist():
        targets = {name: column[place].item() for name, column in zip(given, flat, strict=True)}
        known = {name: float(targets[e.name]) for e in passing for name in e.raw}
        numbers = {name: x if isinstance(x, int) else float(x) for name, x in targets.items()}
        found = None
        for wanted in (equations, rule.equations):
            if found is None:
                found = Search(rule, dt, numbers, frozenset(kind.TIMES)).solve(known, wanted)
        if found is None:
            unsolved(op, update, rule, targets, known)
        rows.append(found)
    defaults = {"v_leak": 0.0, "v_reset": 0.0} | dict.fromkeys(kind.TIMES, 10 * dt)
    columns: dict[str, NDArray[np.float64]] = {}
    for name in kind.PARAMETERS:
        values = np.array([row.get(name, defaults.get(name, 1.0)) for row in rows])
        is_one = (values.view(np.int64) == values.view(np.int64)[0]).all()
        columns[name] = values[0].reshape(()) if is_one else values[inverse.reshape(-1)].reshape(shape)
    return columns


def unsolved(
    op: ntensor.NeuronOp,
    update: ntensor.UpdateOp,
    rule: Derivation,
    targets: Mapping[str, float],
    known: Mapping[str, float],
) -> NoReturn:
    """Refuses a population. Errors: NRM008."""
    open = [e for e in rule.equations if not e.raw <= known.keys()] or rule.equations
    numbers = ", ".join(f"{e.name} = {targets[e.name]!r}" for e in open)
    names = ", ".join(sorted(frozenset[str]().union(*(e.raw for e in open)) - known.keys()))
    refuse(
        NRM008,
        at=f'{op.name} "{op.node.data}", @{update.sym_name.data}',
        node=op.node.data,
        expected=f"floats for {names or 'the raw parameters'} from which the rule derives it",
        found=numbers,
        help=Phrase(OutputFormat("mlir")),
    )


def as_parameters(columns: Mapping[str, NDArray[np.float64]], dtype: np.dtype[Any]) -> dict[str, ArrayAttr]:
    return {name: ArrayAttr.of(column.astype(dtype)) for name, column in columns.items()}
