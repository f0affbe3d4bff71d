"""Explanation of a contract: each part with its value, the comparisons that decide, and their excess.

! fan_in <= 64 or weight_bits <= 1: fails
!   fan_in <= 64: fails, 16 too many
      fan_in = 80
!   weight_bits <= 1: fails, 3 bits too many
      weight_bits = 4 bits
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

from ..expressions.tree import INVERSE, MIRRORED
from ..units import COUNT, UNITS
from .evaluation import Undefined, Values, evaluate
from .terms import Term, format_amount, format_value

RELATION_WORDS = {"<=": "limit", "<": "below", ">=": "at least", ">": "above", "==": "must be", "!=": "must not be"}
COUNTED = (COUNT, UNITS["bit"].dimension)
"""Dimensions of countable quantities ("too many"); others are uncountable ("too much")."""


@frozen
class Explanation:
    """Explanation of why a contract holds, fails, or cannot be checked."""

    lines: tuple[str, ...]
    """One line per part, indented by depth; lines that cause a failure begin with `!`."""
    reasons: tuple[str, ...]
    """One sentence for each comparison that causes the failure: `fan_in = 80, limit 64: 16 too many`."""

    def __str__(self) -> str:
        return "\n".join(self.lines)


@frozen(eq=False)
class Step:
    """Term with its value: None if it is unknown, an `Undefined` if it is undefined."""

    term: Term
    value: Any
    steps: tuple[Step, ...] = field(repr=False)

    @property
    def is_compared(self) -> bool:
        return self.term.operation in INVERSE

    @property
    def is_known(self) -> bool:
        return self.value is not None and not isinstance(self.value, Undefined)

    @property
    def is_constant(self) -> bool:
        return all(term.operation != "name" for term in self.term.walk())

    @property
    def shown(self) -> str:
        return str(self.value) if isinstance(self.value, Undefined) else format_value(self.value, self.term.unit)


def explain(term: Term, values: Values) -> Explanation:
    """Returns every part with its value, and the comparisons that make the contract fail."""
    step = evaluate_steps(term, values)
    deciding = dict(find_deciding(step))
    lines = tuple(format_step(step, 0, deciding, marked_steps(step, deciding)))
    return Explanation(lines, tuple(format_reason(one, wanted) for one, wanted in deciding.items()))


def evaluate_steps(term: Term, values: Values) -> Step:
    try:
        value = evaluate(term, values)
    except Undefined as failure:
        value = failure
    return Step(term, value, tuple(evaluate_steps(arg, values) for arg in term.args))


def find_deciding(step: Step, wanted: bool = True) -> Iterator[tuple[Step, bool]]:
    """Yields the comparisons that cause a condition to differ from its required value, each with its own required value."""
    if not step.is_known or step.value is wanted:
        return
    match step.term.operation:
        case "and" | "or":
            for part in step.steps:
                yield from find_deciding(part, wanted)
        case "not":
            yield from find_deciding(step.steps[0], not wanted)
        case _:
            yield step, wanted


def marked_steps(step: Step, deciding: dict[Step, bool]) -> set[Step]:
    """Returns the deciding comparisons, and all steps that contain one of them."""
    below = {one for part in step.steps for one in marked_steps(part, deciding)}
    return below | {step} if below or step in deciding else below


# ---- text


def format_step(step: Step, depth: int, deciding: dict[Step, bool], marked: set[Step]) -> Iterator[str]:
    if step.term.operation == "number":
        return
    mark = "!" if step in marked else " "
    converted = ""
    while step.term.operation == "convert":
        converted = f" = {step.shown}{converted}"
        (step,) = step.steps
    yield f"{mark} {'  ' * depth}{describe_step(step, deciding.get(step, True))}{converted}"
    for part in step.steps:
        yield from format_step(part, depth + 1, deciding, marked)


def describe_step(step: Step, wanted: bool) -> str:
    term = step.term
    if term.operation == "number":
        return term.text
    if term.unit is not None or term.operation == "name":
        return f"{term.text} = {step.shown}" if step.is_known else f"{term.text}: {step.shown}"
    if not step.is_known:
        return f"{term.text}: {'not checked' if step.value is None else step.shown}"
    excess = f", {format_excess(step, wanted)}" if step.is_compared and step.value is not wanted else ""
    return f"{term.text}: {'holds' if step.value else 'fails'}{excess}"


def orient(step: Step, wanted: bool) -> tuple[Step, str, Step]:
    """Returns the sides and operator of the wanted comparison, with a constant side on the right."""
    left, right = step.steps
    operator = step.term.operation if wanted else INVERSE[step.term.operation]
    return (right, MIRRORED[operator], left) if left.is_constant and not right.is_constant else (left, operator, right)


def format_excess(step: Step, wanted: bool) -> str:
    """Returns by how much a comparison fails: `16 too many`, `2 bits too few`, `100 us too much`."""
    left, operator, right = orient(step, wanted)
    unit = left.term.unit
    assert unit is not None
    if left.value == right.value and operator == "!=":
        return "the values are equal"
    is_above = left.value > right.value or (left.value == right.value and operator == "<")
    # A strict comparison of integers is passed by one more.
    is_strict = operator in ("<", ">") and isinstance(left.value, int) and isinstance(right.value, int)
    by = abs(left.value - right.value) + is_strict
    if not by:
        return "the values are equal"
    words = ("too many", "too few") if unit.dimension in COUNTED else ("too much", "too little")
    return f"{format_amount(by, unit)} {words[0] if is_above else words[1]}"


def format_reason(step: Step, wanted: bool) -> str:
    """Returns why a comparison differs from its wanted value: `fan_in = 80, limit 64: 16 too many`."""
    if not step.is_compared:
        return f"{step.term.text} is {step.shown}, must {'' if wanted else 'not '}be true"
    left, operator, right = orient(step, wanted)
    limit = right.shown if right.is_constant else f"{right.term.text} = {right.shown}"
    return f"{left.term.text} = {left.shown}, {RELATION_WORDS[operator]} {limit}: {format_excess(step, wanted)}"
