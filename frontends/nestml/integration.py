"""Differential equations of a model over one tick.

1. A timer, `refr_t' = -1`, that is only compared with 0 counts whole ticks.
2. Equations that are linear with constant coefficients are solved exactly (`propagators.py`), if their matrix is triangular.
3. All other equations are integrated by the classical method of Runge and Kutta of fourth order, or by that of Euler, in one or several equal steps for a
   tick. Exact solutions that they read are computed for each stage.
4. Convolutions advance in every tick, whether or not `integrate_odes` is called. Weights are added after the integration.

Source: E. Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential Equations I (1993), table II.1.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import define, field

from ...core.expressions.places import Place
from ...core.expressions.tree import Binary, Call, Cond, Expr, Name, Number
from . import algebra
from .kernels import Response, is_delta, response_of
from .model import Model
from .propagators import LinearForms, Propagators, is_exact, order_of
from .source import Source
from .writer import Writer

Convolution = tuple[str, str]
"""Kernel and port."""
RK4, EULER = "rk4", "euler"
SOLVERS = (RK4, EULER)
HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)


@define
class Integration:
    source: Source
    model: Model
    writer: Writer
    timers: set[str]
    ports: tuple[str, ...]
    """Ports with an input; all others are silent."""
    substeps: int
    solver: str
    """Method for equations without an exact solution: `rk4` or `euler`."""
    responses: dict[Convolution, Response] = field(factory=dict[Convolution, Response])
    deltas: dict[str, Convolution] = field(factory=dict[str, Convolution])
    """Convolutions with delta(t), by the name that stands for the kernel."""

    exact: list[str] = field(factory=list[str])
    """Variables whose equations are solved exactly."""
    solved: list[str] = field(factory=list[str])
    """Variables that are integrated numerically."""

    # ---- convolutions

    def without_convolutions(self, expr: Expr) -> Expr:
        """Replaces convolutions by their states."""
        return algebra.substitute(expr, self.convolved)

    def convolved(self, expr: Expr) -> Expr | None:
        if not isinstance(expr, Call) or expr.function != "convolve":
            return None
        kernel, port = (one.name for one in expr.arguments if isinstance(one, Name))
        if kernel not in self.model.kernels or port not in self.model.ports or not self.model.ports[port].is_spiking:
            found = f"convolve({kernel}, {port})"
            self.source.unsupported(expr.place, "this convolution is", "a kernel and a spiking port", found)
        if port not in self.ports:
            return algebra.ZERO
        if is_delta(self.model.kernels[kernel]):
            marker = f"{kernel}*{port}"
            self.deltas[marker] = kernel, port
            return Name(marker)
        if (kernel, port) not in self.responses:
            response = response_of(self.model.kernels[kernel], port, self.model, self.source)
            self.responses[kernel, port] = response
            for mode in response.modes:
                name = self.writer.fresh(mode.name)
                self.writer.names[mode.name] = name
                self.writer.states[name] = "", algebra.ZERO
        return self.responses[kernel, port].value

    def expanded(self, expr: Expr) -> Expr:
        """Replaces inline expressions and convolutions."""
        return self.without_convolutions(algebra.replace_names(expr, self.inlines()))

    def inlines(self) -> Mapping[str, Expr]:
        """Returns the inline expressions, without other inline expressions in them."""
        found: dict[str, Expr] = {}
        for name, value in self.model.inlines.items():
            found[name] = algebra.replace_names(value, found)
        return found

    def mode_forms(self) -> LinearForms:
        """Returns the equations of the states of all convolutions, with names of the neuron."""
        modes = [mode for response in self.responses.values() for mode in response.modes]
        names = [self.writer.names[mode.name] for mode in modes]
        found = {}
        for name, mode in zip(names, modes, strict=True):
            form = algebra.linear_form(self.writer.resolve(mode.equation), names)
            assert form is not None
            found[name] = form
        return found

    def advance_convolutions(self) -> None:
        """Adds the lines that let convolutions decay, and then add weights."""
        forms = self.mode_forms()
        if not forms:
            return
        if not is_exact(forms):
            place = next(iter(self.model.kernels.values())).place
            self.source.unsupported(place, "this kernel is", "a chain of at most three variables", "a longer one")
        solution = Propagators(self.writer, forms, self.writer.step())
        jumps = {
            self.writer.names[mode.name]: (mode.jump, port)
            for (_, port), response in self.responses.items()
            for mode in response.modes
        }
        for name in order_of(forms):
            value = solution.after(name, {one: Name(one) for one in forms})
            jump, port = jumps[name]
            factor = self.writer.resolve(self.writer.initial(jump))
            value = algebra.add(value, algebra.multiply(factor, Name(self.writer.names[port])))
            self.writer.line(name, self.writer.hoist(value))

    # ---- integrate_odes

    def integrate(self, names: Iterable[str], place: Place, guard: Expr | None) -> None:
        """Adds the lines of `integrate_odes`. Errors: NML002 a name without an equation."""
        given = list(names) or [one for one in self.model.equations if "'" not in one]
        unknown = [one for one in given if one not in self.model.equations]
        if unknown:
            expected = f"a variable with an equation: {', '.join(self.model.equations)}"
            self.source.unsupported(place, "this argument of integrate_odes is", expected, unknown[0])
        chosen = [one for one in self.model.equations if one.rstrip("'") in given]
        for one in chosen:
            if one in self.timers:
                self.count_down(self.writer.names[one], guard)
        variables = [one for one in chosen if one not in self.timers]
        for one in variables:
            if one not in self.model.state:
                self.source.unsupported(place, "a variable without a declaration is", "a line in the block state", one)
        jumps = self.jumps(variables, place)
        linear, other = self.divided(variables)
        self.numeric(other, linear, guard)
        self.solved += [one for one in other if one not in self.solved]
        self.exact += [one for one in variables if one not in (*other, *self.exact)]
        for name, value in self.exact_values(linear):
            self.assign(name, value, guard)
        for name, value in jumps.items():
            self.assign(name, algebra.add(Name(name), value), guard)

    def count_down(self, name: str, guard: Expr | None) -> None:
        is_running = Binary(">", Name(name), Number("0"))
        less = Binary("-", Name(name), Number("1"))
        test = is_running if guard is None or guard == is_running else Binary("and", guard, is_running)
        self.writer.line(name, Cond(less, test, Name(name)))

    def assign(self, name: str, value: Expr, guard: Expr | None) -> None:
        hoisted = self.writer.hoist(value)
        self.writer.line(name, hoisted if guard is None else algebra.select_value(hoisted, guard, Name(name)))

    def right_side(self, name: str) -> Expr:
        """Returns the right side of an equation with names of the neuron, without inline expressions and delta functions."""
        value = algebra.replace_names(
            self.expanded(self.model.equations[name]), dict.fromkeys(self.deltas, algebra.ZERO)
        )
        for port in algebra.names_of(value) & self.model.ports.keys():
            if self.model.ports[port].is_spiking:
                place, expected = self.model.ports[port].place, f"convolve(kernel, {port}), or onReceive({port})"
                self.source.unsupported(place, f"a spiking port in the equation of {name} is", expected, port)
        return self.writer.resolve(value)

    def jumps(self, variables: Iterable[str], place: Place) -> dict[str, Expr]:
        """Returns what delta functions add to each variable. Errors: NML002 a factor that is not constant."""
        found: dict[str, Expr] = {}
        for name in variables:
            value = self.expanded(self.model.equations[name])
            markers = [one for one in self.deltas if one in algebra.names_of(value)]
            form = algebra.linear_form(value, markers)
            for marker in markers:
                factor = None if form is None else self.writer.resolve(form[0][marker])
                if factor is None or not self.writer.is_constant(factor):
                    expected = "a constant times the convolution"
                    self.source.unsupported(place, f"the delta function in the equation of {name} is", expected, marker)
                port = Name(self.writer.names[self.deltas[marker][1]])
                own = self.writer.names[name]
                found[own] = algebra.add(found.get(own, algebra.ZERO), algebra.multiply(factor, port))
        return found

    def divided(self, variables: list[str]) -> tuple[LinearForms, list[str]]:
        """Returns the linear equations that are solved exactly, with those of convolutions, and the other variables."""
        sides = {self.writer.names[one]: self.right_side(one) for one in variables}
        other = set[str]()
        while True:
            forms: dict[str, tuple[Mapping[str, Expr], Expr]] = dict(self.mode_forms())
            known = [*forms, *(one for one in sides if one not in other)]
            for name in known[len(forms) :]:
                form = algebra.linear_form(sides[name], known)
                is_linear = form is not None and not algebra.names_of(form[1]) & other
                if form is None or not is_linear or not all(map(self.writer.is_constant, form[0].values())):
                    other.add(name)
                    break
                forms[name] = form
            else:
                own = [name for name in forms if name in sides]
                if not own or is_exact(forms):
                    break
                other.add(self.hindering(forms, own))
        return forms, [one for one in variables if self.writer.names[one] in other]

    def hindering(self, forms: LinearForms, own: list[str]) -> str:
        """Returns a variable without which the matrix is closer to a triangular one: the last whose equation reads most variables."""
        return max(own, key=lambda name: len(forms[name][0]))

    def exact_values(self, forms: LinearForms) -> list[tuple[str, Expr]]:
        """Returns the values of variables after a tick, without those of convolutions; each reads old values of those after it."""
        modes = self.mode_forms()
        solution = Propagators(self.writer, forms, self.writer.step())
        values: dict[str, Expr] = {name: Name(name) for name in forms}
        return [(name, solution.after(name, values)) for name in order_of(forms) if name not in modes]

    # ---- Runge and Kutta

    def numeric(self, variables: list[str], forms: LinearForms, guard: Expr | None) -> None:
        """Adds the lines of the method of Runge and Kutta."""
        if not variables:
            return
        own = {name: self.writer.names[name] for name in variables}
        step = algebra.quotient_of(self.writer.step(), algebra.real_number(self.substeps))
        half = algebra.multiply(algebra.real_number(HALF), step)
        read = {one for name in variables for one in algebra.names_of(self.right_side(name))}
        exact: dict[str, Expr] = {name: Name(name) for name in forms if self.is_read(name, read, forms)}
        kept = {name: forms[name] for name in exact}
        now: dict[str, Expr] = {one: Name(one) for one in own.values()}
        for number in range(self.substeps):
            if self.solver == EULER:
                now = self.moved(own, now, self.slopes(own, now | exact), step)
                exact = self.exact_stage(kept, exact, step, f"{number + 1}") if number + 1 < self.substeps else exact
                continue
            middle = self.exact_stage(kept, exact, half, f"{2 * number + 1}")
            end = self.exact_stage(kept, middle, half, f"{2 * number + 2}")
            slopes = [self.slopes(own, now | exact)]
            for times, fraction in ((middle, half), (middle, half), (end, step)):
                stage = self.moved(own, now, slopes[-1], fraction)
                slopes.append(self.slopes(own, stage | times))
            now, exact = self.stepped(own, now, slopes, step), end
        for name in own.values():
            self.assign(name, now[name], guard)

    def is_read(self, name: str, read: set[str], forms: LinearForms) -> bool:
        """Returns whether a variable is read, or one that depends on it."""
        users = [one for one in forms if one != name and name in forms[one][0]]
        return name in read or any(self.is_read(one, read, forms) for one in users)

    def exact_stage(self, forms: LinearForms, values: Mapping[str, Expr], step: Expr, suffix: str) -> dict[str, Expr]:
        if not forms:
            return {}
        solution = Propagators(self.writer, forms, self.writer.named(step))
        return {
            name: self.writer.local(f"{name}_at{suffix}", self.writer.hoist(solution.after(name, values)))
            for name in forms
        }

    def slopes(self, own: Mapping[str, str], values: Mapping[str, Expr]) -> dict[str, Expr]:
        """Adds the lines of all right sides at a stage. Inline expressions are lines of their own."""
        lines: dict[str, Expr] = {}
        model_names = {name: values[here] for name, here in self.writer.names.items() if here in values}
        for name, value in self.model.inlines.items():
            inner = algebra.replace_names(self.without_convolutions(value), lines | model_names)
            settled = self.writer.settled(inner)
            is_boolean = not self.writer.is_real(settled) or algebra.is_boolean_choice(settled)
            lines[name] = settled if is_boolean else self.writer.local(self.hint(name), settled)
        found: dict[str, Expr] = {}
        for name, here in own.items():
            side = self.without_convolutions(self.model.equations[name])
            side = algebra.replace_names(side, lines | dict.fromkeys(self.deltas, algebra.ZERO) | model_names)
            found[here] = self.writer.local(f"d_{here}", self.writer.settled(side))
        return found

    def hint(self, name: str) -> str:
        return f"{name}_0" if name in self.writer.taken else name

    def moved(
        self, own: Mapping[str, str], now: Mapping[str, Expr], slopes: Mapping[str, Expr], step: Expr
    ) -> dict[str, Expr]:
        factor = self.writer.named(step)
        return {
            here: self.writer.local(f"{here}_s", algebra.add(now[here], algebra.multiply(factor, slopes[here])))
            for here in own.values()
        }

    def stepped(
        self, own: Mapping[str, str], now: Mapping[str, Expr], slopes: list[dict[str, Expr]], step: Expr
    ) -> dict[str, Expr]:
        factor, two = self.writer.named(algebra.multiply(algebra.real_number(SIXTH), step)), Number("2.0")
        found: dict[str, Expr] = {}
        for here in own.values():
            first, second, third, last = (one[here] for one in slopes)
            inner = Binary("*", two, algebra.add(second, third))
            total = algebra.add(algebra.add(first, inner), last)
            found[here] = self.writer.local(f"{here}_e", algebra.add(now[here], algebra.multiply(factor, total)))
        return found
