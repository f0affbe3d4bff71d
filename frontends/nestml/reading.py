"""Reader of the tree of rules of NESTML: blocks, declarations, equations, kernels, ports and statements as records.

Errors: NML002 constructs without equations here, with their line; NML003 names; NML005 a file without one neuron.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from attrs import define, field

from ...core.diagnostics import Code, quote_names
from ...core.expressions.places import Place
from ...core.expressions.tree import Expr, Name
from . import algebra
from .expressions import ExpressionReader, variable_name
from .model import (
    BOOLEAN,
    INTEGER,
    REAL,
    Assign,
    EmitSpike,
    EventBlock,
    Function,
    If,
    Integrate,
    Kernel,
    Local,
    Model,
    Port,
    Statement,
    Variable,
)
from .source import GrammarRule, Source

NML005 = Code("NML005", "nestml-neuron-missing", "the file has no neuron that can be read")

KERNEL = "kernel"
BLOCKS = {"STATE_KEYWORD": "state", "PARAMETERS_KEYWORD": "parameters", "INTERNALS_KEYWORD": "internals"}
OPERATORS = ("EQUALS", "PLUS_EQUALS", "MINUS_EQUALS", "STAR_EQUALS", "FORWARD_SLASH_EQUALS")
LOOPS = {"forStmt": "loops are", "whileStmt": "loops are"}


def read_model(source: Source, tree: GrammarRule, name: str | None = None) -> Model:
    """Returns the model of a file. Errors: NML002, NML003; NML005 none, several, or an unknown name."""
    models = {rule.one("NAME").text: rule for rule in tree.all("model")}
    chosen = models.get(name) if name is not None else next(iter(models.values()), None)
    if chosen is None or (name is None and len(models) > 1):
        expected = "one model" if name is None else quote_names(models)
        place = next(iter(models.values())).place if models else tree.place
        found = name if name is not None else quote_names(models)
        help = f"--model {next(iter(models))}" if models else "write a line `model NAME:`"
        source.refuse(NML005, place, expected=expected, found=found, help=help)
    return ModelReader(source, chosen).model()


@define
class ModelReader:
    source: Source
    rule: GrammarRule
    expressions: ExpressionReader = field(init=False)
    bodies: dict[str, GrammarRule] = field(init=False, factory=dict[str, GrammarRule])
    """The functions of the model."""
    names: dict[str, str] = field(init=False, factory=dict[str, str])
    """Kinds of the names of the model."""
    ready: dict[str, Function | None] = field(init=False, factory=dict[str, Function | None])
    """Functions that were read; None while one is read."""

    def __attrs_post_init__(self) -> None:
        self.expressions = ExpressionReader(self.source, functions=self.function_of)

    def model(self) -> Model:
        body = self.rule.one("modelBody")
        self.declare(body)
        self.names = dict(self.expressions.kinds)
        self.bodies |= {rule.one("NAME").text: rule for rule in body.all("function")}
        groups: dict[str, dict[str, Variable]] = {name: {} for name in BLOCKS.values()}
        inlines: dict[str, Expr] = {}
        for block in body.all("blockWithVariables"):
            for rule in self.declarations(block):
                group = groups[BLOCKS[block.parts[0].name]]
                for variable in self.variables(rule):
                    if rule.has("INLINE_KEYWORD"):
                        inlines[variable.name] = variable.value
                    else:
                        group[variable.name] = variable
        equations, kernels = dict[str, Expr](), dict[str, Kernel]()
        for block in body.all("equationsBlock"):
            for rule in block.all("inlineExpression"):
                inlines[rule.one("NAME").text] = self.expressions.read(rule.one("expression"))
            for rule in block.all("odeEquation"):
                equations |= self.equation(rule.one("variable"), rule.one("expression"))
            for rule in block.all("kernel"):
                kernel = self.kernel(rule)
                kernels[kernel.name] = kernel
        return Model(
            self.rule.one("NAME").text,
            self.rule.place,
            **groups,
            inlines=inlines,
            equations=equations,
            kernels=kernels,
            ports=self.ports(body),
            updates=tuple(self.block(rule) for rule in body.all("updateBlock")),
            receives=tuple(self.block(rule, name=rule.one("NAME").text) for rule in body.all("onReceiveBlock")),
            conditions=self.conditions(body),
        )

    # ---- names

    def declare(self, body: GrammarRule) -> None:
        """Collects the kinds of all names of the model. Errors: NML005 a synapse, or a model without spikes."""
        kinds = self.expressions.kinds
        for block in body.all("blockWithVariables"):
            for rule in self.declarations(block):
                kinds |= dict.fromkeys(map(variable_name, rule.all("variable")), declared_kind(rule.one("dataType")))
        for block in body.all("equationsBlock"):
            for rule in block.all("inlineExpression"):
                kinds[rule.one("NAME").text] = declared_kind(rule.one("dataType"))
            for rule in block.all("odeEquation"):
                name = variable_name(rule.one("variable"))
                kinds |= dict.fromkeys(derivatives(name), REAL)
            for rule in block.all("kernel"):
                kinds |= dict.fromkeys((variable_name(one).rstrip("'") for one in rule.all("variable")), KERNEL)
        for block in body.all("inputBlock"):
            for rule in block.all("spikeInputPort", "continuousInputPort"):
                kinds[rule.one("NAME").text] = REAL
        outputs = [part.name for block in body.all("outputBlock") for part in block.parts]
        if "SPIKE_KEYWORD" not in outputs:
            expected, found = "a neuron: `output:` with `spike`", "a model without an output of spikes"
            self.source.refuse(NML005, self.rule.place, expected=expected, found=found, help=f"nopt explain {NML005}")

    def declarations(self, block: GrammarRule) -> Iterator[GrammarRule]:
        for line in block.all("declaration_newline"):
            yield line.one("declaration")

    def variables(self, rule: GrammarRule) -> Iterator[Variable]:
        """Yields the variables of a declaration. Errors: NML002 vectors and texts."""
        type = rule.one("dataType")
        unit = type.first("unitType")
        scale = Fraction(1) if unit is None else self.expressions.unit(unit)
        if type.has("STRING_KEYWORD", "VOID_KEYWORD"):
            self.source.unsupported(type.place, "this type is", "real, integer, boolean or a unit", type.spelled())
        values = rule.all("expression")
        value = self.expressions.read(values[0]) if values and rule.has("EQUALS") else None
        default = Name("false") if type.has("BOOLEAN_KEYWORD") else algebra.ZERO
        invariant = self.expressions.boolean(values[-1]) if rule.has("LEFT_LEFT_SQUARE") else None
        for one in rule.all("variable"):
            self.single(one)
            spelled = "" if unit is None else "".join(unit.tokens())
            name = variable_name(one)
            kept = default if value is None else value
            yield Variable(name, declared_kind(type), spelled, scale, kept, one.place, invariant)

    def single(self, rule: GrammarRule) -> None:
        if rule.has("LEFT_SQUARE_BRACKET"):
            self.source.unsupported(rule.place, "vectors are", "a single number", rule.spelled())

    # ---- equations

    def equation(self, variable: GrammarRule, value: GrammarRule) -> dict[str, Expr]:
        """Returns the equations of first order of a differential equation."""
        self.single(variable)
        names = derivatives(variable_name(variable))
        if not names:
            self.source.unsupported(variable.place, "this equation is", "a differential equation", variable.spelled())
        lower: dict[str, Expr] = {name: Name(after) for name, after in pairwise(names)}
        return {**lower, names[-1]: self.expressions.read(value)}

    def kernel(self, rule: GrammarRule) -> Kernel:
        variables, values = rule.all("variable"), rule.all("expression")
        name = variable_name(variables[0])
        self.expressions.kinds["t"] = REAL
        if "'" not in name and len(variables) == 1:
            function, equations = self.expressions.read(values[0]), dict[str, Expr]()
        else:
            function, equations = None, dict[str, Expr]()
            for variable in variables:
                names = derivatives(variable_name(variable))
                self.expressions.kinds |= dict.fromkeys(names, REAL)
            for variable, value in zip(variables, values, strict=True):
                equations |= self.equation(variable, value)
        del self.expressions.kinds["t"]
        return Kernel(name.rstrip("'"), function, equations, rule.place)

    def ports(self, body: GrammarRule) -> dict[str, Port]:
        found: dict[str, Port] = {}
        for block in body.all("inputBlock"):
            for rule in block.all("spikeInputPort", "continuousInputPort"):
                self.single(rule)
                name, is_spiking = rule.one("NAME").text, rule.name == "spikeInputPort"
                qualifiers = tuple(one.parts[0].text for one in rule.all("inputQualifier"))
                unit = rule.one("dataType").spelled() if rule.has("dataType") else ""
                found[name] = Port(name, is_spiking, qualifiers, unit, rule.place)
        return found

    def function_of(self, name: str, place: Place) -> Function | None:
        """Returns a function of the model by name. Errors: NML002 a function that calls itself."""
        if name not in self.bodies:
            return None
        if name not in self.ready:
            self.ready[name] = None
            outer, self.expressions.kinds = self.expressions.kinds, dict(self.names)
            self.ready[name] = self.function(self.bodies[name])
            self.expressions.kinds = outer
        found = self.ready[name]
        if found is None:
            self.source.unsupported(place, "a function that calls itself is", "functions without recursion", name)
        return found

    def function(self, rule: GrammarRule) -> Function:
        """Returns a function of local names and one returned value. Errors: NML002 another body."""
        parameters = tuple(one.one("NAME").text for one in rule.all("parameter"))
        kinds = {one.one("NAME").text: declared_kind(one.one("dataType")) for one in rule.all("parameter")}
        self.expressions.kinds |= kinds
        values: list[tuple[str, Expr]] = []
        result: Expr | None = None
        for statement in rule.one("stmtsBody").all("stmt"):
            inner = statement.parts[0].parts[0]
            if inner.name == "declaration" and inner.has("EQUALS") and result is None:
                values += [(one.name, one.value) for one in self.variables(inner)]
                names = map(variable_name, inner.all("variable"))
                self.expressions.kinds |= dict.fromkeys(names, declared_kind(inner.one("dataType")))
            elif inner.name == "returnStmt" and inner.has("expression") and result is None:
                result = self.expressions.read(inner.one("expression"))
            else:
                expected = "declarations and one `return`"
                self.source.unsupported(inner.place, "this statement of a function is", expected, inner.spelled()[:60])
        if result is None:
            self.source.unsupported(rule.place, "a function without a result is", "one `return`", rule.one("NAME").text)
        return Function(parameters, tuple(values), result)

    # ---- statements

    def conditions(self, body: GrammarRule) -> tuple[EventBlock, ...]:
        found = [self.block(rule, test=rule.one("expression")) for rule in body.all("onConditionBlock")]
        for rule in body.all("onConditionBlock", "onReceiveBlock"):
            if rule.has("constParameter"):
                self.source.unsupported(rule.place, "an order of events is", "no priority", rule.spelled()[:60])
        return tuple(found)

    def block(self, rule: GrammarRule, name: str = "", test: GrammarRule | None = None) -> EventBlock:
        condition = None if test is None else self.expressions.boolean(test)
        before = dict(self.expressions.kinds)
        statements = self.statements(rule.one("stmtsBody"))
        self.expressions.kinds = before
        return EventBlock(statements, rule.place, name, condition)

    def statements(self, body: GrammarRule) -> tuple[Statement, ...]:
        return tuple(one for rule in body.all("stmt") for one in self.statement(rule.parts[0].parts[0]))

    def statement(self, rule: GrammarRule) -> Sequence[Statement]:
        """Returns a statement; a declaration of several names is several statements. Errors: NML002."""
        match rule.name:
            case "assignment":
                return [self.assignment(rule)]
            case "declaration":
                found = [Local(one) for one in self.variables(rule)]
                self.expressions.kinds |= {one.variable.name: one.variable.kind for one in found}
                return found
            case "functionCall":
                return [self.called(rule)]
            case "ifStmt":
                clauses = [*rule.all("ifClause"), *rule.all("elifClause")]
                branches = tuple(
                    (self.expressions.boolean(one.one("expression")), self.statements(one.one("stmtsBody")))
                    for one in clauses
                )
                other = rule.first("elseClause")
                return [If(branches, () if other is None else self.statements(other.one("stmtsBody")), rule.place)]
            case _:
                what = LOOPS.get(rule.name, "this statement is")
                expected = "assignments, if, integrate_odes and emit_spike"
                self.source.unsupported(rule.place, what, expected, rule.spelled()[:60])

    def assignment(self, rule: GrammarRule) -> Assign:
        variable = rule.one("variable")
        self.single(variable)
        name, sign = variable_name(variable), rule.one(*OPERATORS) if rule.has(*OPERATORS) else rule.parts[1]
        if sign.name not in OPERATORS:
            self.source.unsupported(sign.place, "this assignment is", "=, +=, -=, *= or /=", sign.text)
        if name not in self.expressions.kinds:
            self.expressions.unknown(variable.place, name)
        value, kind = self.expressions.typed(rule.one("expression"))
        is_boolean = self.expressions.kinds[name] == BOOLEAN
        if is_boolean != (kind == BOOLEAN) or (is_boolean and sign.name != "EQUALS"):
            found = rule.spelled()[:60]
            self.source.unsupported(rule.place, "an assignment of another type is", "the type of the variable", found)
        return Assign(name, sign.text, value, rule.place)

    def called(self, rule: GrammarRule) -> Statement:
        name, given = rule.one("NAME").text, rule.all("expression")
        if name == "emit_spike" and not given:
            return EmitSpike(rule.place)
        if name == "integrate_odes":
            names = tuple("".join(one.tokens()) for one in given)
            return Integrate(names, rule.place)
        expected = "integrate_odes(…) and emit_spike()"
        return self.source.unsupported(rule.place, "this statement is", expected, rule.spelled()[:60])


def derivatives(name: str) -> list[str]:
    """Returns the variables of a differential equation: `g''` is that of `g` and `g'`."""
    base = name.rstrip("'")
    return [base + "'" * order for order in range(len(name) - len(base))]


def declared_kind(type: Any) -> str:
    if type.has("BOOLEAN_KEYWORD"):
        return BOOLEAN
    return INTEGER if type.has("INTEGER_KEYWORD") else REAL
