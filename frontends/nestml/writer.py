"""Writer of the equations of one neuron: names, parameters, states, and the lines of a tick.

1. Names become names of the neuron language: `g'` is `g_1`, and a name that the language reserves gets a digit.
2. A part of an expression that depends on parameters alone is a derived parameter, so that it is computed once and in double precision.
3. A parameter with a fixed value is replaced by the number; so are internals that are numbers.
4. Lines whose value nothing reads are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

from attrs import define, field

from ...core.expressions.tree import Binary, Call, Cond, Expr, Name, Neg, Not, Number, format_expression, operands_of
from ...core.neuron.kinds import is_reserved
from . import algebra
from .expressions import STEP_NAME
from .model import BOOLEAN, Model, Variable
from .source import Source

BOOLEAN_RESULTS = ("<", "<=", ">", ">=", "==", "!=", "and", "or")


def is_free(name: str) -> bool:
    """Returns whether a name can be one of the neuron language."""
    is_valid = re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name) is not None
    return is_valid and not is_reserved(name)


@define
class Line:
    name: str
    value: Expr


@define
class Writer:
    source: Source
    model: Model
    fixed: Mapping[str, Expr]
    """Values of parameters that become numbers."""
    names: dict[str, str] = field(factory=dict[str, str])
    """Name in the neuron language of each name of the model."""
    taken: set[str] = field(factory=set[str])
    raw: dict[str, str] = field(factory=dict[str, str])
    """Line of each parameter of the model that is read, by its name."""
    derived_params: dict[str, tuple[str, Expr]] = field(factory=dict[str, tuple[str, Expr]])
    """Type and value of each derived parameter."""
    hoisted: dict[str, str] = field(factory=dict[str, str])
    """Derived parameter of each text."""
    states: dict[str, tuple[str, Expr]] = field(factory=dict[str, tuple[str, Expr]])
    """Type and initial value of each state."""
    inputs: list[str] = field(factory=list[str])
    constant_states: dict[str, Expr] = field(factory=dict[str, Expr])
    """Initial values of states that never change."""
    timers: set[str] = field(factory=set[str])
    """States that count ticks."""
    lines: list[Line] = field(factory=list[Line])
    constants: set[str] = field(factory=set[str])

    def __attrs_post_init__(self) -> None:
        own = (*self.model.parameters, *self.model.state, *self.model.ports, *self.model.internals)
        self.taken |= {name for name in own if is_free(name)}
        self.names |= {name: name if is_free(name) else self.fresh(name) for name in own}

    # ---- names

    def fresh(self, name: str) -> str:
        """Returns a name that is free, with letters, digits and underscores."""
        base = re.sub(r"[^A-Za-z0-9_]", "_", re.sub(r"('+)$", lambda found: f"_{len(found[0])}", name))
        found, number = base, 0
        while found in self.taken or not is_free(found):
            found, number = f"{base}_{number}", number + 1
        self.taken.add(found)
        return found

    # ---- constants

    def resolve(self, expr: Expr) -> Expr:
        """Replaces names of the model by names of the neuron, and constants by numbers where they are known."""
        return algebra.substitute(expr, self.resolved)

    def resolved(self, expr: Expr) -> Expr | None:
        if not isinstance(expr, Name):
            return None
        name = expr.name
        if name in self.fixed:
            return self.resolve(self.fixed[name])
        if name == STEP_NAME:
            return self.step()
        if name in self.constant_states:
            return self.resolve(self.constant_states[name])
        if name in self.model.parameters:
            return self.parameter(self.model.parameters[name])
        if name in self.model.internals:
            return self.internal(self.model.internals[name])
        return Name(self.names[name]) if name in self.names else None

    def internal(self, variable: Variable) -> Expr:
        value = self.resolve(self.initial(variable.value))
        if isinstance(value, Number | Name) or algebra.fraction_of(value) is not None or variable.kind == BOOLEAN:
            return value
        return self.derived(format_expression(value), "", value, name=self.names[variable.name])

    def initial(self, value: Expr) -> Expr:
        """Replaces states by their initial values, for values that are computed before the first tick."""
        given = {name: variable.value for name, variable in self.model.state.items()}
        for _ in given:
            if not algebra.names_of(value) & given.keys():
                break
            value = algebra.replace_names(value, given)
        return value

    def step(self) -> Expr:
        """Returns the length of a tick [ms]."""
        return self.derived("1000 * dt", "h", Binary("*", Number("1000"), Name("dt")))

    def parameter(self, variable: Variable) -> Expr:
        name = self.names[variable.name]
        unit = f" [{variable.unit}]" if variable.unit and variable.scale == 1 else ""
        self.raw.setdefault(name, f"param {name}{unit}")
        self.constants.add(name)
        return Name(name)

    def named(self, expr: Expr, hint: str = "k") -> Expr:
        """Returns a constant as a number, or as the name of a parameter that is derived."""
        if isinstance(expr, Number | Name) or algebra.fraction_of(expr) is not None:
            return expr
        if isinstance(expr, Neg):
            return algebra.negate(self.named(expr.x, hint))
        return self.derived(format_expression(expr), hint, expr)

    def derived(self, text: str, hint: str, expr: Expr, type: str = "", name: str = "") -> Expr:
        """Returns the parameter with a value, whose text is unique; a new one has the name, or a free one like the hint."""
        if text not in self.hoisted:
            name = name or self.fresh(f"{hint}{len(self.hoisted)}" if hint == "k" else hint)
            self.derived_params[name] = type, expr
            self.hoisted[text] = name
            self.constants.add(name)
        return Name(self.hoisted[text])

    def is_constant(self, expr: Expr) -> bool:
        return algebra.names_of(expr) <= self.constants

    def is_real(self, expr: Expr) -> bool:
        return not (isinstance(expr, Not) or (isinstance(expr, Binary) and expr.operator in BOOLEAN_RESULTS))

    # ---- hoisting

    def settled(self, expr: Expr) -> Expr:
        """Returns an expression of names of the neuron, whose constant parts are parameters."""
        return self.hoist(self.resolve(expr))

    def hoist(self, expr: Expr) -> Expr:
        if algebra.is_infinite(expr):
            return Number(repr(algebra.LARGEST_REAL))
        if isinstance(expr, Number | Name):
            return expr
        if self.is_real(expr) and not algebra.is_boolean_choice(expr) and self.is_constant(expr):
            return self.named(expr)
        match expr:
            case Binary("*" | "/") | Neg():
                return self.hoisted_product(expr)
            case Binary("+" | "-"):
                return self.hoisted_sum(expr)
            case Binary(operator, Name(name)) if name in self.timers:
                return Binary(operator, expr.left, Number("0"))
            case Cond() | Call() | Binary() | Not():
                return algebra.rebuild(expr, tuple(self.hoist(part) for part in operands_of(expr)))
            case _:
                return expr

    def hoisted_product(self, expr: Expr) -> Expr:
        value, above, below = algebra.factors(expr)
        known = [[one for one in group if self.is_constant(one)] for group in (above, below)]
        rest = [[self.hoist(one) for one in group if not self.is_constant(one)] for group in (above, below)]
        factor = self.named(algebra.product(value, *known))
        return algebra.product(*algebra.join_factors(factor, *rest))

    def hoisted_sum(self, expr: Expr) -> Expr:
        terms = algebra.terms(expr)
        known = [one for one in terms if self.is_constant(one)]
        rest = [self.hoist(one) for one in terms if not self.is_constant(one)]
        total = reduce(algebra.add, known, algebra.ZERO)
        whole = rest if algebra.fraction_of(total) == 0 else [*rest, self.named(total)]
        return reduce(algebra.add, sorted(whole, key=lambda one: isinstance(one, Neg)))

    # ---- lines

    def line(self, name: str, value: Expr) -> None:
        """Adds `name = value`, with names of the neuron."""
        self.lines.append(Line(name, value))

    def local(self, hint: str, value: Expr) -> Expr:
        """Adds a line with a name of its own, and returns the name; a name or number needs no line."""
        if isinstance(value, Number | Name) or algebra.fraction_of(value) is not None:
            return value
        name = self.fresh(hint)
        self.line(name, value)
        return Name(name)

    def used_lines(self, *results: Expr) -> list[Line]:
        """Returns the lines that a state or a result needs, in order."""
        needed = {name for result in results for name in algebra.names_of(result)}
        kept: list[Line] = []
        for line in reversed(self.lines):
            if line.name in needed or line.name in self.states:
                kept.append(line)
                needed |= algebra.names_of(line.value)
        return kept[::-1]

    def parameter_lines(self, read: set[str]) -> Iterator[str]:
        """Yields the parameters that are read, those of the model first."""
        needed = set(read)
        for name, (_, value) in reversed(self.derived_params.items()):
            if name in needed:
                needed |= algebra.names_of(value)
        for name in self.model.parameters:
            if self.names[name] in needed and self.names[name] in self.raw:
                yield self.raw[self.names[name]]
        for name, (type, value) in self.derived_params.items():
            if name in needed:
                yield f"param {name}{type} = {format_expression(value)}"

    def text(self, name: str, comment: Iterable[str], result: Expr) -> str:
        """Returns the neuron, with a comment above it."""
        used = self.used_lines(result)
        read = {one for line in used for one in algebra.names_of(line.value)}
        values = [*self.states.values()]
        of_states = {one for _, value in values for one in algebra.names_of(value)}
        states = [f"state {one}{type} = {format_expression(value)}" for one, (type, value) in self.states.items()]
        params = self.parameter_lines(read | of_states | algebra.names_of(result))
        lines = [f"{line.name} = {format_expression(line.value)}" for line in used]
        inputs = [f"input {', '.join(self.inputs)}"] if self.inputs else []
        unread = [f"record {one} = {one}" for one in self.inputs if one not in read]
        head = [f"# {line}".rstrip() for line in comment]
        body = [*params, *states, *inputs, *lines, *unread, f"emit spike {format_expression(result)}"]
        return "\n".join([*head, "", f"neuron {name} for {name}", *body]) + "\n"
