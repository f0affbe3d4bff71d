"""Names, kinds and units of a contract: what each part of it means, checked before any value is known.

`Checker` turns the expressions of `contract_tree` into `Node`s, each with its measure, and puts conversions where units of one
dimension meet. All findings are collected; a part that could not be understood causes no further ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import reduce
from typing import Any

from attrs import evolve

from .contract_measures import BIT, BOOLEAN, PURE, Measure, counted, element, finer, measure_of, product, quotient
from .contract_nodes import (
    Node,
    converted,
    eight_of_product,
    eight_of_quotient,
    exact_number,
    is_zero,
    one_mark,
    pure,
    retold,
    whole,
)
from .contract_tree import Among, Between, Binary, Call, Compare, Cond, Expr, Name, Neg, Not, Number, Truth, spelled
from .diagnostics import Code, Diagnostics, Finding
from .places import Place, shown
from .units import UNITS

CON002 = Code(
    "CON002",
    "a contract uses a quantity that is not known",
    cause="A contract speaks of the numbers of its device and of the quantities of what is verified, and of nothing else.",
    remedy="Use one of the quantities that the message lists, spelled as it lists them.",
)
CON003 = Code(
    "CON003",
    "a number has a unit that is not known",
    cause="Behind a number stands the name of a unit; anything else there is an operator that is missing.",
    remedy="Use a unit that docs/contracts.md lists, or write the operator.",
)
CON004 = Code(
    "CON004",
    "units do not fit",
    cause="Only what has the same dimension can be added or compared: bytes with bits, but neither with times, nor with bare numbers.",
    remedy="Give a number its unit (`32 KiB`, `100 us`), or divide by what the numbers have in common.",
)
CON005 = Code(
    "CON005",
    "a number, a truth or a list stands where another of them is needed",
    cause="`and`, `or`, `not` and `implies` join conditions; arithmetic and comparisons join numbers; a list is for `sum`, `min`, `max`, `len` and `in`.",
    remedy="Compare a number to make a condition of it; reduce a list to make a number of it.",
)
CON006 = Code(
    "CON006",
    "a function is not there, or takes other arguments",
    cause="The language has few functions, each with a fixed number of arguments.",
    remedy="Use one of the functions that docs/contracts.md lists.",
)
CON007 = Code(
    "CON007",
    "a logarithm or a time is not rounded as it should be",
    cause="log2 of most numbers cannot be written down exactly, so the contract says which way it rounds; and a time or an energy has no whole numbers until something divides it.",
    remedy="Write `ceil(log2(x))` or `floor(log2(x))`, `ceil(x / 1 us)`.",
)
CON008 = Code(
    "CON008",
    "a factor of 8 may be a conversion or not",
    cause="Bytes and bits convert by themselves, and a bare 8 beside bytes that meet bits is taken for that conversion. Here only part of a sum has it, or both sides do.",
    remedy="Take the 8 away where it converts; write what it counts where it counts (`8 rows`).",
)

ROUNDINGS = ("ceil", "floor")
FUNCTIONS = ("abs", "ceil", "floor", "len", "log2", "max", "min", "pow2", "sum")


class Unfit(Exception):
    """A part that cannot be understood; its finding is made."""


class Checker:
    """Resolves an expression under declared names.

    Errors: CON002 to CON008, collected in `found`.
    """

    def __init__(self, declared: Mapping[str, Measure], lines: Sequence[str], at: str = "", file: str | None = None):
        self.declared = declared
        self.lines = lines
        self.at = at
        self.file = file
        self.found = Diagnostics()

    def contract(self, expr: Expr) -> Node | None:
        """The whole expression, which is a condition; None where something was found."""
        try:
            return self.truth(expr, "a contract")
        except Unfit:
            return None

    def fail(self, code: Code, message: str, place: Place, **parts: Any) -> Unfit:
        note = shown(self.lines, place)
        self.found.add(Finding(code, message, at=self.at, file=self.file, notes=(note,), **parts))
        return Unfit()

    def all(self, exprs: Sequence[Expr], one: Callable[[Expr], Node]) -> list[Node]:
        """Every operand, so that the findings in each of them are reported."""
        made: list[Node] = []
        unfit = None
        for expr in exprs:
            try:
                made.append(one(expr))
            except Unfit as failure:
                unfit = failure
        if unfit:
            raise unfit
        return made

    # ---- forms

    def truth(self, expr: Expr, what: str) -> Node:
        node = self.node(expr)
        if node.measure.form != "boolean":
            parts = {"expected": "true or false", "found": f"{node.text}: {node.measure}"}
            message = f"{what} is a condition"
            raise self.fail(CON005, message, expr.place, help=f"{node.text} >= 1", **parts)
        return node

    def number(self, expr: Expr) -> Node:
        node = self.node(expr)
        if node.measure.form != "number":
            form = "a condition" if node.measure.form == "boolean" else "a list"
            parts = {"expected": "a number", "found": f"{node.text}: {node.measure}"}
            help = f"sum({node.text}), or min, max or len of it" if form == "a list" else f"1 if {node.text} else 0"
            raise self.fail(CON005, f"{form} stands where a number is needed", expr.place, help=help, **parts)
        return node

    # ---- expressions

    def node(self, expr: Expr) -> Node:
        match expr:
            case Number(text, unit):
                value = exact_number(text)
                eight = "factor" if value == 8 and unit is None else ""
                return Node("number", self.unit(expr), expr, data=value, is_bare=unit is None, eight=eight)
            case Truth(value):
                return Node("truth", BOOLEAN, expr, data=value)
            case Name(name):
                return Node("name", self.quantity(expr), expr, data=name)
            case Neg(x):
                arg = self.number(x)
                return Node("neg", arg.measure, expr, (arg,), is_bare=arg.is_bare, eight=arg.eight)
            case Not(x):
                return Node("not", BOOLEAN, expr, (self.truth(x, "what `not` denies"),))
            case Binary("and" | "or" | "implies" as operator, left, right):
                args = self.all((left, right), lambda x: self.truth(x, f"a side of `{operator}`"))
                return Node(operator, BOOLEAN, expr, tuple(args))
            case Binary(operator, left, right):
                first, second = self.all((left, right), self.number)
                return self.arithmetic(expr, operator, first, second)
            case Compare():
                return self.chain(expr)
            case Between(x, low, high, place):
                given, first, second = self.all((x, low, high), self.number)
                above = self.comparison(Compare((x, low), (">=",), (place,)), given, first)
                return Node(
                    "and", BOOLEAN, expr, (above, self.comparison(Compare((x, high), ("<=",), (place,)), given, second))
                )
            case Among(x, items, place):
                return self.among(expr, x, items, place)
            case Cond():
                return self.choice(expr)
            case Call():
                return self.call(expr)

    def unit(self, expr: Number) -> Measure:
        if expr.unit is None:
            return PURE
        found = measure_of(expr.unit)
        if found is None or found.form != "number":
            near = get_close_matches(expr.unit, UNITS, 3)
            help = f"{expr.text} {near[0]}" if near else None
            if expr.unit in self.declared:
                help = f"{expr.text} * {expr.unit}"
            raise self.fail(
                CON003,
                f"there is no unit {expr.unit}",
                expr.place,
                expected=", ".join(near or UNITS),
                found=expr.unit,
                help=help,
            )
        return found

    def quantity(self, expr: Name) -> Measure:
        found = self.declared.get(expr.name)
        if found is None:
            near = get_close_matches(expr.name, self.declared, 3)
            near += [name for name in self.declared if name.rpartition(".")[2] == expr.name and name not in near]
            if expr.name in FUNCTIONS:
                near = [f"{expr.name}(…)", *near]
            raise self.fail(
                CON002,
                f"{expr.name} is not known",
                expr.place,
                expected=f"one of {', '.join(sorted(self.declared))}",
                found=expr.name,
                help=" or ".join(near) or None,
            )
        return found

    def arithmetic(self, expr: Binary, operator: str, left: Node, right: Node) -> Node:
        if operator in ("+", "-"):
            args, measure, is_bare, eight = self.met(expr, expr.place, f"`{operator}`", left, right)
            return Node(operator, measure, expr, args, is_bare=is_bare, eight=eight)
        if operator == "*":
            measure = product(left.measure, right.measure)
            if any(one.measure.is_pure and not one.is_bare for one in (left, right)):
                measure = counted(measure)
            node = Node("*", measure, expr, (left, right))
            return evolve(pure(node), is_bare=left.is_bare and right.is_bare, eight=eight_of_product(left, right))
        # a bare number divided by bits is bits: 64 // weight_bits
        same = left.measure.powers == right.measure.powers or (left.is_bare and right.measure.is_bit)
        if same:
            args, measure, is_bare, _ = self.met(expr, expr.place, f"`{operator}`", left, right)
            return Node(operator, measure if operator == "%" else PURE, expr, args, is_bare=is_bare)
        if operator == "/":
            node = pure(Node("/", quotient(left.measure, right.measure), expr, (left, right)))
            return evolve(node, eight=eight_of_quotient(left, right))
        if not (right.measure.is_pure and left.measure.is_memory):
            raise self.differ(expr.place, f"`{operator}`", left, right)
        eight = eight_of_quotient(left, right) if operator == "//" else ""
        return Node(operator, left.measure, expr, (left, right), eight=eight)

    def chain(self, expr: Compare) -> Node:
        operands = self.all(expr.operands, self.node)
        places = expr.places or (expr.place,) * len(expr.operators)
        pairs = [
            self.comparison(Compare((first.expr, second.expr), (operator,), (place,)), first, second)
            for first, second, operator, place in zip(operands[:-1], operands[1:], expr.operators, places, strict=True)
        ]
        return pairs[0] if len(pairs) == 1 else Node("and", BOOLEAN, expr, tuple(pairs))

    def comparison(self, expr: Compare, left: Node, right: Node) -> Node:
        operator = expr.operators[0]
        forms = {left.measure.form, right.measure.form}
        if forms == {"boolean"} and operator in ("==", "!="):
            return Node(operator, BOOLEAN, expr, (left, right))
        if forms != {"number"}:
            odd = left if left.measure.form != "number" else right
            message = f"`{operator}` compares numbers"
            parts = {"expected": "a number", "found": f"{odd.text}: {odd.measure}"}
            raise self.fail(CON005, message, odd.expr.place, **parts)
        args, _, _, _ = self.met(expr, expr.place, f"`{operator}`", left, right)
        return Node(operator, BOOLEAN, expr, args)

    def among(self, expr: Among, x: Expr, items: tuple[Expr, ...] | Expr, place: Place) -> Node:
        if isinstance(items, tuple):
            given, *listed = self.all((x, *items), self.number)
            # each item meets the value by itself, in the value's own unit where that is the finer one
            pairs = [self.met(expr, place, "`in`", given, item) for item in listed]
            measure = reduce(finer, (measure for _, measure, _, _ in pairs))
            both = [[converted(arg, measure) for arg in args] for args, _, _, _ in pairs]
            return Node("among", BOOLEAN, expr, (both[0][0], *(second for _, second in both)))
        given, held = self.number(x), self.node(items)
        if held.measure.form != "list":
            parts = {"expected": "a list, or low..high", "found": f"{held.text}: {held.measure}"}
            help = f"{given.text} in [{held.text}], or {given.text} in 1..{held.text}"
            raise self.fail(CON005, "`in` looks into a list", items.place, help=help, **parts)
        unlisted = evolve(held, measure=element(held.measure))
        (value, _), measure, _, _ = self.met(expr, place, "`in`", given, unlisted)
        factor = unlisted.measure.scale / measure.scale
        listed = Node("convert", evolve(measure, form="list"), held.expr, (held,), data=whole(factor))
        return Node("in", BOOLEAN, expr, (value, held if factor == 1 else listed))

    def choice(self, expr: Cond) -> Node:
        test, then, otherwise = self.all((expr.test, expr.then, expr.otherwise), self.node)
        if test.measure.form != "boolean":
            test = self.truth(expr.test, "what stands behind `if`")
        forms = {then.measure.form, otherwise.measure.form}
        if forms == {"boolean"}:
            return Node("cond", BOOLEAN, expr, (then, test, otherwise))
        if forms != {"number"}:
            parts = {"expected": str(then.measure), "found": f"{otherwise.text}: {otherwise.measure}"}
            raise self.fail(CON005, "both values of a choice are of one kind", expr.otherwise.place, **parts)
        (first, second), measure, is_bare, eight = self.met(expr, expr.place, "a choice", then, otherwise)
        return Node("cond", measure, expr, (first, test, second), is_bare=is_bare, eight=eight)

    # ---- functions

    def call(self, expr: Call) -> Node:
        name, arguments = expr.function, expr.arguments
        if name not in FUNCTIONS:
            near = get_close_matches(name, FUNCTIONS, 1)
            help = f"{near[0]}(…)" if near else f"{name} * (…)" if name in self.declared else None
            parts = {"expected": ", ".join(FUNCTIONS), "found": name, "help": help}
            raise self.fail(CON006, f"there is no function {name}", expr.place, **parts)
        several = name in ("min", "max", "sum")
        if not several and len(arguments) != 1:
            parts = {"expected": f"{name}(x)", "found": f"{len(arguments)} arguments"}
            raise self.fail(CON006, f"{name} takes one argument", expr.place, **parts)
        if name == "len" or (several and len(arguments) == 1):
            return self.reduction(expr, self.node(arguments[0]))
        if name in ROUNDINGS and isinstance(arguments[0], Call) and arguments[0].function == "log2":
            return self.logarithm(expr, arguments[0])
        args = self.all(arguments, self.number)
        if several:
            return self.several(expr, args)
        (arg,) = args
        if name == "abs":
            return Node(name, arg.measure, expr, (arg,), is_bare=arg.is_bare, eight=arg.eight)
        if name == "log2":
            help = f"ceil({spelled(expr)}) or floor({spelled(expr)})"
            parts = {"expected": "log2 directly inside of ceil or floor", "found": spelled(expr), "help": help}
            raise self.fail(CON007, "log2 is not rounded", expr.place, **parts)
        if name == "pow2":
            if not (arg.measure.is_pure or arg.measure.is_bit):
                raise self.needs_pure(expr, arg)
            return Node(name, PURE, expr, (arg,))
        if not (arg.measure.is_pure or arg.measure.is_memory):
            help = f"{name}({spelled(arguments[0])} / 1 {arg.measure.name})"
            parts = {"expected": "a pure number, bits or bytes", "found": f"{arg.text}: {arg.measure}", "help": help}
            raise self.fail(CON007, f"{name} has nothing whole to round to", expr.place, **parts)
        return Node(name, arg.measure, expr, (arg,), is_bare=arg.is_bare, eight=arg.eight)

    def several(self, expr: Call, args: list[Node]) -> Node:
        """`min`, `max` or `sum` of numbers, in the finest of their units."""
        bits, bytes = ([arg for arg in args if arg.measure.is_bit is kind] for kind in (True, False))
        if bits and bytes and any(len({arg.eight for arg in side}) > 1 for side in (bits, bytes)):
            raise self.ambiguous(expr.place, bits[0], bytes[0])
        for k, arg in enumerate(args):
            args[k] = reduce(lambda one, other: self.bridged(expr.place, one, other)[0], args, arg)
        met = [self.met(expr, expr.place, f"`{expr.function}`", args[0], arg) for arg in args[1:]]
        pairs = [pair for pair, _, _, _ in met]
        measure = reduce(finer, (one for _, one, _, _ in met if not one.is_pure), met[0][1])
        marks = {eight for _, _, _, eight in met}
        same = [converted(arg, measure) for arg in (pairs[0][0], *(second for _, second in pairs))]
        is_bare = all(arg.is_bare for arg in args)
        return Node(expr.function, measure, expr, tuple(same), is_bare=is_bare, eight=one_mark(marks))

    def reduction(self, expr: Call, arg: Node) -> Node:
        name = expr.function
        if arg.measure.form != "list":
            expected = f"{name}(a list)" if name == "len" else f"{name}(a list), or several numbers"
            parts = {"expected": expected, "found": f"{arg.text}: {arg.measure}"}
            raise self.fail(CON005, f"{name} of a single value", expr.place, **parts)
        return Node(f"list {name}", PURE if name == "len" else element(arg.measure), expr, (arg,))

    def logarithm(self, expr: Call, inner: Call) -> Node:
        if len(inner.arguments) != 1:
            parts = {"expected": "log2(x)", "found": f"{len(inner.arguments)} arguments"}
            raise self.fail(CON006, "log2 takes one argument", inner.place, **parts)
        arg = self.number(inner.arguments[0])
        if not arg.measure.is_pure:
            raise self.needs_pure(inner, arg)
        return Node(f"{expr.function} log2", PURE, expr, (arg,), is_bare=True)

    def needs_pure(self, expr: Call, arg: Node) -> Unfit:
        parts = {"expected": "a pure number", "found": f"{arg.text}: {arg.measure}"}
        help = f"{expr.function}({spelled(Binary('/', arg.expr, Number('1', arg.measure.name)))})"
        return self.fail(CON004, f"{expr.function} takes a pure number", expr.place, help=help, **parts)

    # ---- where two measures meet

    def met(
        self, expr: Expr, place: Place, what: str, left: Node, right: Node
    ) -> tuple[tuple[Node, Node], Measure, bool, Any]:
        """Both operands in one measure, whether both are bare, and what is left of a factor 8. Errors: CON004, CON008."""
        if is_zero(left) or is_zero(right):
            one = right if is_zero(left) else left
            both = evolve(left, measure=one.measure), evolve(right, measure=one.measure)
            return both, one.measure, left.is_bare and right.is_bare, one.eight
        if left.is_bare != right.is_bare and not (left.measure.is_pure and right.measure.is_pure):
            bare, other = (left, right) if left.is_bare else (right, left)
            if other.measure != BIT:
                raise self.differ(place, what, left, right)
            as_bits = evolve(bare, measure=BIT)
            return ((as_bits, right) if bare is left else (left, as_bits)), BIT, False, other.eight
        if left.measure.powers != right.measure.powers:
            raise self.differ(place, what, left, right)
        left, right = self.bridged(place, left, right)
        measure = finer(left.measure, right.measure)
        eight = one_mark({left.eight, right.eight}) if measure.is_memory else ""
        return (converted(left, measure), converted(right, measure)), measure, left.is_bare and right.is_bare, eight

    def bridged(self, place: Place, left: Node, right: Node) -> tuple[Node, Node]:
        """Takes a bare factor of 8 between bytes and bits for the conversion that it is. Errors: CON008."""
        if not {left.eight, right.eight} & {"bits", "mixed"}:
            return left, right
        if left.measure.is_bit == right.measure.is_bit:
            return left, right
        if {left.eight, right.eight} == {"bits", ""}:
            return (retold(left), right) if left.eight else (left, retold(right))
        raise self.ambiguous(place, left, right)

    def ambiguous(self, place: Place, left: Node, right: Node) -> Unfit:
        parts = {"expected": "bytes and bits, which convert by themselves", "found": f"{left.text} beside {right.text}"}
        help = "take each 8 away that converts; write `8 rows`, `8 entries`, … where it counts"
        return self.fail(CON008, "a factor of 8 may be a conversion or not", place, help=help, **parts)

    def differ(self, place: Place, what: str, left: Node, right: Node) -> Unfit:
        described = [
            f"{node.text}: {'a number without a unit' if node.is_bare else node.measure}" for node in (left, right)
        ]
        bare, other = (left, right) if left.is_bare else (right, left)
        help = None
        if bare.is_bare and isinstance(bare.expr, Number):
            help = f"{bare.text} {other.measure.name}"
        elif left.measure.is_pure or right.measure.is_pure:
            other = right if left.measure.is_pure else left
            help = spelled(Binary("/", other.expr, Number("1", other.measure.name)))
        parts = {"expected": "two numbers of one dimension", "found": "\n".join(described), "help": help}
        return self.fail(CON004, f"{what} joins what does not fit together", place, **parts)
