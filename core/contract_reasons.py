"""Why a contract holds or fails: each part with its value, the comparisons that decide, and by how much.

! fan_in <= 64 or weight_bits <= 1: fails
!   fan_in <= 64: fails, 16 too many
      fan_in = 80
!   weight_bits <= 1: fails, 3 bits too many
      weight_bits = 4 bits
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from .contract_measures import amount, valued
from .contract_nodes import INVERSE, MIRRORED, Node
from .contract_values import Undefined, Values, compiled

RELATIONS = {
    "<=": "limit",
    "<": "below",
    ">=": "at least",
    ">": "above",
    "==": "must be",
    "!=": "must not be",
}
JOINS = ("and", "or", "not", "implies")


@frozen
class Explanation:
    """Why a contract holds, fails, or cannot be checked."""

    holds: bool | None
    lines: tuple[str, ...]
    """A line for each part, indented by depth; those that make it fail begin with `!`."""
    reasons: tuple[str, ...]
    """A sentence for each comparison that makes it fail: `fan_in = 80, limit 64: 16 too many`."""

    def __str__(self) -> str:
        return "\n".join(self.lines)


@frozen
class Slack:
    """How far the deciding comparison of a contract is from its limit."""

    comparison: str
    """The comparison as text."""
    left: Any
    right: Any
    amount: int | Fraction | None
    """What is left up to the limit; negative what is too much. None where there is no distance: truths, members of lists."""
    unit: str
    relative: Fraction
    """The same as a part of the larger side, by which comparisons of different units are weighed."""


@frozen(eq=False)
class Step:
    """A node with its value: None is not known, an `Undefined` says why there is none."""

    node: Node
    value: Any
    steps: tuple[Step, ...] = field(repr=False)

    @property
    def is_compared(self) -> bool:
        return self.node.op in INVERSE and self.node.args[0].measure.form == "number"

    @property
    def is_known(self) -> bool:
        return self.value is not None and not isinstance(self.value, Undefined)

    @property
    def is_constant(self) -> bool:
        return self.node.op != "name" and all(step.is_constant for step in self.steps)

    @property
    def shown(self) -> str:
        return str(self.value) if isinstance(self.value, Undefined) else valued(self.value, self.node.measure)


def stepped(node: Node, values: Values) -> Step:
    try:
        value = compiled(node)(values)
    except Undefined as failure:
        value = failure
    return Step(node, value, tuple(stepped(arg, values) for arg in node.args))


# ---- which parts decide


def responsible(step: Step, wanted: bool = True) -> Iterator[tuple[Step, bool]]:
    """The comparisons because of which a condition is not as it is wanted, each with what is wanted of it."""
    if not step.is_known or step.value is wanted:
        return
    match step.node.op:
        case "and" | "or":
            for part in step.steps:
                yield from responsible(part, wanted)
        case "not":
            yield from responsible(step.steps[0], not wanted)
        case "implies":
            premise, conclusion = step.steps
            if not wanted:
                yield from responsible(premise, True)
            yield from responsible(conclusion, wanted)
        case "cond":
            then, test, otherwise = step.steps
            yield from responsible(then if test.value is True else otherwise, wanted)
        case _:
            yield step, wanted


def slack(node: Node, values: Values) -> Slack | None:
    """How far the comparison that decides is from its limit.

    Of parts that must all hold the tightest decides, of alternatives the widest; they are weighed by their relative slack.
    """
    weighed = margin(stepped(node, values), True)
    return None if weighed is None else weighed[1]


def margin(step: Step, wanted: bool) -> tuple[tuple[bool, Fraction], Slack] | None:
    """The slack of a condition, behind whether it is as wanted and its relative slack, by which it is weighed."""
    if not step.is_known:
        return None
    op = step.node.op
    if op in ("and", "or", "implies"):
        found = [margin(part, wanted) for part in step.steps]
        if op == "implies":  # the conclusion first: of two that weigh the same it decides
            found = [found[1], margin(step.steps[0], not wanted)]
        known = [one for one in found if one is not None]
        choose = min if (op == "and") == wanted else max
        return choose(known, key=lambda one: one[0], default=None)
    if op == "not":
        return margin(step.steps[0], not wanted)
    if op == "cond":
        then, test, otherwise = step.steps
        return margin(then if test.value else otherwise, wanted) if test.is_known else None
    is_right = step.value is wanted
    if not step.is_compared:
        relative = Fraction(1 if is_right else -1)
        return (is_right, relative), Slack(step.node.text, step.value, wanted, None, "1", relative)
    left, right = (part.value for part in step.steps)
    operator = op if wanted else INVERSE[op]
    room = distance(operator, left, right)
    relative = Fraction(room) / max(abs(left), abs(right), 1)
    unit = step.steps[0].node.measure.name
    return (is_right, relative), Slack(step.node.text, left, right, room, unit, relative)


def distance(operator: str, left: Any, right: Any) -> Any:
    """What is left up to a limit; negative where it is passed."""
    whole = 1 if isinstance(left, int) and isinstance(right, int) else 0
    match operator:
        case "<=":
            return right - left
        case "<":
            return right - left - whole
        case ">=":
            return left - right
        case ">":
            return left - right - whole
        case "==":
            return -abs(left - right)
        case _:
            return abs(left - right) - whole


# ---- text


def explained(node: Node, values: Values) -> Explanation:
    """Every part with its value, and the comparisons that make it fail."""
    step = stepped(node, values)
    deciding = dict(responsible(step))
    marked = marks(step, deciding)
    lines = tuple(rendered(step, 0, deciding, marked))
    held = step.value if step.is_known else None
    return Explanation(held, lines, tuple(sentence(one, wanted) for one, wanted in deciding.items()))


def marks(step: Step, deciding: dict[Step, bool]) -> set[Step]:
    """What leads to a deciding comparison, and these themselves."""
    below = {one for part in step.steps for one in marks(part, deciding)}
    return below | {step} if below or step in deciding else below


def rendered(step: Step, depth: int, deciding: dict[Step, bool], marked: set[Step]) -> Iterator[str]:
    if step.node.op in ("number", "truth"):
        return
    mark = "!" if step in marked else " "
    converted = ""
    while step.node.op == "convert":
        converted = f" = {step.shown}{converted}"
        (step,) = step.steps
    if step.node.op == "number" and not converted:
        return
    yield f"{mark} {'  ' * depth}{described(step, deciding.get(step, True))}{converted}"
    for part in step.steps:
        yield from rendered(part, depth + 1, deciding, marked)


def described(step: Step, wanted: bool) -> str:
    node = step.node
    if node.op == "number":
        return node.text
    if node.measure.form != "boolean" or node.op == "name":
        return f"{node.text} = {step.shown}" if step.is_known else f"{node.text}: {step.shown}"
    if not step.is_known:
        return f"{node.text}: {'not checked' if step.value is None else step.shown}"
    said = "holds" if step.value else "fails"
    if step.is_compared and step.value is not wanted:
        return f"{node.text}: {said}, {excess(step, wanted)}"
    return f"{node.text}: {said}"


def excess(step: Step, wanted: bool) -> str:
    """By how much a comparison fails: `16 too many`, `2 bits too few`, `100 us too much`."""
    left, right = step.steps
    operator = step.node.op if wanted else INVERSE[step.node.op]
    if left.is_constant and not right.is_constant:
        left, right, operator = right, left, MIRRORED[operator]
    measure = left.node.measure
    by = distance(operator, left.value, right.value)
    if operator == "!=" or by == 0:
        return "which is the same" if left.value == right.value else "which is too close"
    is_above = operator in ("<", "<=") or (operator == "==" and left.value > right.value)
    words = ("too many", "too few") if measure.is_pure or measure.is_memory else ("too much", "too little")
    return f"{amount(abs(by), measure)} {words[0] if is_above else words[1]}"


def sentence(step: Step, wanted: bool) -> str:
    """Why a comparison is not as it is wanted: `fan_in = 80, limit 64: 16 too many`."""
    node = step.node
    if step.is_compared:
        left, right = step.steps
        operator = node.op if wanted else INVERSE[node.op]
        if left.is_constant and not right.is_constant:
            left, right, operator = right, left, MIRRORED[operator]
        limit = right.shown if right.is_constant else f"{right.node.text} = {right.shown}"
        return f"{left.node.text} = {left.shown}, {RELATIONS[operator]} {limit}: {excess(step, wanted)}"
    if node.op in ("among", "in"):
        x, *items = step.steps
        listed = ", ".join(item.shown for item in items) if node.op == "among" else items[0].shown
        among = "one of" if node.op == "among" else f"in {items[0].node.text} ="
        return f"{x.node.text} = {x.shown}, must {'' if wanted else 'not '}be {among} {listed}"
    return f"{node.text} is {str(step.value).lower()}, must {'' if wanted else 'not '}be true"
