"""Statements of a model as lines of a tick, and the neuron that they make.

A tick is a step of NEST: the blocks `update`, then `onReceive` of each port, then weights of convolutions, then `onCondition`. An assignment in a
branch keeps the old value where the condition is false.

Errors: NML007 an `onReceive` that does more than add multiples of the weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from ...core.diagnostics import Code
from ...core.expressions.tree import Binary, Call, Expr, Name, Number, operands_of
from . import algebra
from .expressions import STEP_NAME
from .integration import Integration
from .model import BOOLEAN, Assign, EmitSpike, EventBlock, If, Integrate, Local, Model, Statement
from .source import Source
from .writer import Writer

NML007 = Code("NML007", "nestml-event-unsupported", "an onReceive block does not add multiples of the weight")

MOST_TIMER_TICKS = "16777215"
"""Largest number of ticks of a timer."""
SLACK = Number("1e-6")
"""Share of a tick by which a period may exceed a number of ticks by rounding."""


def used_expressions(statements: Iterable[Statement]) -> Iterator[Expr]:
    """Yields all expressions of statements, without the values of assignments to a single name."""
    for one in statements:
        match one:
            case If(branches, otherwise):
                for test, body in branches:
                    yield test
                    yield from used_expressions(body)
                yield from used_expressions(otherwise)
            case Assign():
                yield one.value
            case Local(variable):
                yield variable.value
            case _:
                pass


def assignments(statements: Iterable[Statement]) -> Iterator[Assign]:
    for one in statements:
        if isinstance(one, Assign):
            yield one
        elif isinstance(one, If):
            for _, body in one.branches:
                yield from assignments(body)
            yield from assignments(one.otherwise)


def blocks_of(model: Model) -> tuple[EventBlock, ...]:
    return (*model.updates, *model.receives, *model.conditions)


def timers_of(model: Model) -> set[str]:
    """Returns the variables that count down by 1 ms in a ms, are set to constants, and are compared with 0 alone."""
    known = {*model.parameters, *model.internals, STEP_NAME}
    found = {
        name for name, value in model.equations.items() if algebra.fraction_of(value) == -1 and name in model.state
    }
    statements = [one for block in blocks_of(model) for one in block.statements]
    expressions = [*used_expressions(statements), *model.inlines.values()]
    expressions += [block.test for block in model.conditions if block.test is not None]
    expressions += [value for name, value in model.equations.items()]
    expressions += [variable.value for variable in (*model.state.values(), *model.internals.values())]
    for one in expressions:
        found -= outside_tests(one)
    for assign in assignments(statements):
        if assign.operator != "=" or not algebra.names_of(assign.value) <= known:
            found.discard(assign.name)
    return {name for name in found if algebra.names_of(model.state[name].value) <= known}


def outside_tests(expr: Expr) -> set[str]:
    """Returns the names that occur outside of `name > 0` and `name <= 0`."""
    match expr:
        case Binary(">" | "<=", Name(), right) if algebra.fraction_of(right) == 0:
            return set()
        case Name(name):
            return {name}
        case _:
            return {name for part in operands_of(expr) for name in outside_tests(part)}


@define
class Lowering:
    """Conversion of the statements of a model."""

    source: Source
    model: Model
    writer: Writer
    integration: Integration
    spike: Expr | None = None
    locals: dict[str, Expr] = field(factory=dict[str, Expr])
    """Values of local names, and of names that NESTML reads at another scale."""

    def tick(self) -> Expr:
        """Adds the lines of a tick, and returns the condition of a spike."""
        model, ports = self.model, self.integration.ports
        for port in model.ports.values():
            here: Expr = Name(self.writer.names[port.name]) if port.name in ports else algebra.ZERO
            # Weights per second, which NESTML multiplies by 1 s.
            self.locals[port.name] = (
                Binary("/", here, Number("1000.0")) if port.is_spiking and port.name in ports else here
            )
        for value in (*model.equations.values(), *model.inlines.values()):
            self.integration.without_convolutions(value)
        for block in model.updates:
            self.body(block.statements, None)
        for block in model.receives:
            if block.name in ports:
                self.check_receive(block)
                self.body(block.statements, None)
        self.integration.advance_convolutions()
        for block in model.conditions:
            assert block.test is not None
            self.body([If(((block.test, block.statements),), (), block.place)], None)
        return Name("false") if self.spike is None else self.spike

    def check_receive(self, block: EventBlock) -> None:
        """Refuses a block whose effect for several spikes is not the sum of their effects. Errors: NML007."""
        changed = {one.name for one in assignments(block.statements)}
        for one in block.statements:
            self.check_added(one, block, changed)

    def check_added(self, one: Statement, block: EventBlock, changed: set[str]) -> None:
        match one:
            case Assign():
                value = self.integration.expanded(one.value)
                form = algebra.linear_form(value, (block.name,))
                is_linear = form is not None and algebra.fraction_of(form[1]) == 0
                if one.operator not in ("+=", "-=") or not is_linear or algebra.names_of(value) & changed:
                    self.refuse_receive(one, block)
            case If(branches, otherwise):
                for test, body in branches:
                    if algebra.names_of(self.integration.expanded(test)) & {*changed, block.name}:
                        self.refuse_receive(one, block)
                    for inner in body:
                        self.check_added(inner, block, changed)
                for inner in otherwise:
                    self.check_added(inner, block, changed)
            case Local():
                pass
            case _:
                self.refuse_receive(one, block)

    def refuse_receive(self, one: If | Assign | Integrate | EmitSpike, block: EventBlock) -> None:
        expected = f"lines `x += c * {block.name}`, whose c does not change in the block"
        found = "a statement with another effect"
        self.source.refuse(NML007, one.place, expected=expected, found=found, help=f"nopt explain {NML007}")

    # ---- statements

    def body(self, statements: Iterable[Statement], guard: Expr | None) -> None:
        for one in statements:
            match one:
                case Assign():
                    self.assign(one, guard)
                case Local(variable):
                    value = self.value(variable.value)
                    is_boolean = variable.kind == BOOLEAN
                    self.locals[variable.name] = value if is_boolean else self.writer.local(variable.name, value)
                case Integrate(names, place):
                    self.integration.integrate(names, place, guard)
                case EmitSpike():
                    test = Name("true") if guard is None else guard
                    self.spike = test if self.spike is None else algebra.both("or", self.spike, test)
                    if not isinstance(self.spike, Name):
                        self.spike = self.writer.local("spike", self.spike)
                case If():
                    self.branches(one, guard)

    def branches(self, one: If, guard: Expr | None) -> None:
        rest = guard
        for test, body in one.branches:
            own = self.flag(self.value(test))
            if algebra.truth(own) is not False:
                self.body(body, own if rest is None else algebra.both("and", rest, own))
            rest = algebra.invert(own) if rest is None else algebra.both("and", rest, algebra.invert(own))
        if rest is None or algebra.truth(rest) is not False:
            self.body(one.otherwise, rest)

    def flag(self, test: Expr) -> Expr:
        """Returns a test as a name, so that statements of its branch do not change it."""
        return test if algebra.truth(test) is not None else self.writer.local("test", test)

    def value(self, expr: Expr) -> Expr:
        """Returns an expression with names of the neuron."""
        full = self.integration.expanded(expr)
        return self.writer.settled(algebra.replace_names(full, self.locals))

    def assign(self, one: Assign, guard: Expr | None) -> None:
        """Adds the line of an assignment. Errors: NML002 another name than that of a state."""
        known = {**self.model.state, **self.locals}
        if one.name not in known or one.name in self.model.ports:
            self.source.unsupported(one.place, "this assignment is", "a state or a local name", one.name)
        if one.name in self.integration.timers:
            name = self.writer.names[one.name]
            value = self.ticks(one.value)
            self.writer.line(name, value if guard is None else algebra.select_value(value, guard, Name(name)))
            return
        value = one.value
        if one.operator != "=":
            value = algebra.rebuild(Binary(one.operator[0], Name(one.name), value), (Name(one.name), value))
        settled = self.value(value)
        if one.name in self.locals:
            old = self.locals[one.name]
            chosen = settled if guard is None else algebra.select_value(settled, guard, old)
            self.locals[one.name] = self.writer.local(one.name, chosen)
            return
        name = self.writer.names[one.name]
        self.writer.line(name, settled if guard is None else algebra.select_value(settled, guard, Name(name)))

    def ticks(self, value: Expr) -> Expr:
        """Returns a period as whole ticks, of which the last one ends the period."""
        resolved = self.writer.resolve(value)
        if algebra.fraction_of(resolved) == 0:
            return Number("0")
        quotient = algebra.quotient_of(resolved, self.writer.step())
        rounded = Call("ceil", (Binary("-", quotient, SLACK),))
        whole = Call("clip", (rounded, Number("0"), Number(MOST_TIMER_TICKS)))
        return self.writer.derived(f"ticks of {quotient}", "ticks", whole, ": u24")
