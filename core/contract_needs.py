"""What would have to change: the value of one quantity at which a contract begins or ceases to hold.

Which way a condition turns as a quantity grows is read off its operations, with the values of all other quantities; where that is
clear, the limit is found by doubling and halving. Where it is not, there is no answer rather than a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from .contract_measures import Measure, amount
from .contract_nodes import Node
from .contract_values import Closure, Undefined, Values, compiled

LARGEST = 1 << 62
"""No quantity is searched beyond."""


@frozen
class Needed:
    """The value of a quantity at which a contract just holds."""

    name: str
    value: int
    """In the unit in which the quantity is declared."""
    is_most: bool
    """Whether it is the largest such value, or the smallest."""
    measure: Measure

    def __str__(self) -> str:
        return f"{self.name} {'at most' if self.is_most else 'at least'} {amount(self.value, self.measure)}"


def needed(node: Node, name: str, values: Values) -> Needed | None:
    """The largest or smallest whole value of a quantity at which a condition holds; None if there is no single limit."""
    measure = next((one.measure for one in nodes(node) if one.op == "name" and one.data == name), None)
    if measure is None or measure.form != "number":
        return None
    found = limit(node, name, values)
    if found is None:
        failing = [part for part in conjuncts(node) if not holds(compiled(part), values)]
        found = common(limit(part, name, values) for part in failing)
        if found is not None and not holds(compiled(node), {**values, name: found[0]}):
            found = None
    return None if found is None else Needed(name, *found, measure)


def nodes(node: Node) -> Iterator[Node]:
    yield node
    for arg in node.args:
        yield from nodes(arg)


def conjuncts(node: Node) -> list[Node]:
    """The conditions that must all hold."""
    return [one for arg in node.args for one in conjuncts(arg)] if node.op == "and" else [node]


def common(limits: Iterable[tuple[int, bool] | None]) -> tuple[int, bool] | None:
    """The limit that keeps all limits, if they are all of one side."""
    found = list(limits)
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found) or len({is_most for _, is_most in known}) > 1:
        return None
    is_most = known[0][1]
    return (min if is_most else max)(known)[0], is_most


def holds(closure: Closure, values: Values) -> bool:
    """Whether a condition is known to hold."""
    try:
        return closure(values) is True
    except Undefined:
        return False


def limit(node: Node, name: str, values: Values) -> tuple[int, bool] | None:
    """The value of a quantity at which a condition turns, and whether it is the largest at which it holds."""
    low = lowest(node, name, values)
    turns = direction(node, name, values, low)
    if turns not in (-1, 1):
        return None

    closure, changed = compiled(node), {**values}

    def kept(value: int) -> bool:
        """Whether the condition is still what it is for small values."""
        changed[name] = value
        return holds(closure, changed) is (turns == -1)

    if not kept(low):
        return None
    last, first = low, max(2 * low, low + 1)
    while kept(first):
        last, first = first, 2 * first
        if first > LARGEST:
            return None
    while first - last > 1:
        middle = (first + last) // 2
        last, first = (middle, first) if kept(middle) else (last, middle)
    return (last, True) if turns == -1 else (first, False)


def lowest(node: Node, name: str, values: Values) -> int:
    """0, or 1 where there is no value for 0: `1024 / banks`."""
    try:
        for one in nodes(node):
            compiled(one)({**values, name: 0})
    except Undefined:
        return 1
    return 0


# ---- directions

Direction = int | None
"""1: does not fall as the quantity grows; -1: does not rise; 0: does not depend on it; None: unclear. A truth rises to true."""


def direction(node: Node, name: str, values: Values, low: int) -> Direction:
    """Which way the value of a node goes as a quantity grows from `low`."""
    if node.op == "name":
        return int(node.data == name)
    ways = [direction(arg, name, values, low) for arg in node.args]
    if not any(way != 0 for way in ways):
        return 0
    return DIRECTIONS.get(node.op, unclear)(node, ways, lambda arg: value_at(arg, name, values, low))


def value_at(node: Node, name: str, values: Values, low: int) -> object:
    try:
        return compiled(node)({**values, name: low})
    except Undefined:
        return None


At = Callable[[Node], object]


def unclear(node: Node, ways: list[Direction], at: At) -> Direction:
    return None


def joined(*ways: Direction) -> Direction:
    """The way of what rises with each of its parts."""
    seen = set(ways) - {0}
    return 0 if not seen else seen.pop() if len(seen) == 1 else None


def opposite(way: Direction) -> Direction:
    return None if way is None else -way


def sign(value: object) -> Direction:
    if not isinstance(value, int | float) and not hasattr(value, "numerator"):
        return None
    number: int = getattr(value, "numerator", 0)
    return (number > 0) - (number < 0)


def rising(node: Node, ways: list[Direction], at: At) -> Direction:
    return joined(*ways)


def falling(node: Node, ways: list[Direction], at: At) -> Direction:
    return opposite(joined(*ways))


def difference(node: Node, ways: list[Direction], at: At) -> Direction:
    return joined(ways[0], opposite(ways[1]))


def opposed(node: Node, ways: list[Direction], at: At) -> Direction:
    return joined(opposite(ways[0]), ways[1])


def product(node: Node, ways: list[Direction], at: At) -> Direction:
    left, right = ways
    if left is None or right is None:
        return None
    if not left or not right:
        way, other = (left, node.args[1]) if left else (right, node.args[0])
        of_other = sign(at(other))
        return None if of_other is None else way * of_other
    starts = [sign(at(arg)) for arg in node.args]
    both_grow = left == right == 1 and all(start is not None and start >= 0 for start in starts)
    return 1 if both_grow else None


def quotient(node: Node, ways: list[Direction], at: At) -> Direction:
    left, right = ways
    first, second = (sign(at(arg)) for arg in node.args)
    if left is None or right is None or first is None or second is None:
        return None
    if not right:
        return left * second
    # a divisor that starts above 0 and grows makes what it divides smaller
    return -first if not left and right == 1 and second == 1 else None


def chosen(node: Node, ways: list[Direction], at: At) -> Direction:
    then, test, otherwise = ways
    decided = at(node.args[1])
    if test != 0:
        return None
    return joined(then, otherwise) if decided is None else then if decided else otherwise


DIRECTIONS: dict[str, Callable[[Node, list[Direction], At], Direction]] = {
    **dict.fromkeys(("+", "min", "max", "sum", "ceil", "floor", "ceil log2", "floor log2", "pow2", "convert"), rising),
    **dict.fromkeys(("and", "or"), rising),
    **dict.fromkeys(("neg", "not"), falling),
    **dict.fromkeys(("-", ">", ">="), difference),
    **dict.fromkeys(("<", "<=", "implies"), opposed),
    "*": product,
    "/": quotient,
    "//": quotient,
    "cond": chosen,
}
