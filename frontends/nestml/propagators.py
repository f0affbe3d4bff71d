"""Exact solution of linear differential equations over a step, as derived parameters.

For x' = A x + c with a triangular A, the entry of exp(A s) for a path of variables is the product of the coefficients on the path and the divided
difference of exp over the rates of its variables; with one more rate of 0 it is the entry for c. Divided differences are written so that
equal and nearly equal rates (tau_m = tau_syn) lose no digits.

Source: the divided differences of a function of a triangular matrix, N. Higham, Functions of Matrices (2008), theorem 4.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from attrs import define

from ...core.expressions.tree import Binary, Call, Cond, Expr, Name, Number
from . import algebra
from .writer import Writer

LONGEST = 3
"""Largest number of rates of a divided difference."""
CLOSE, NEAR, TOGETHER = "0.05", "0.1", "0.02"
"""Distances of two rates, of a double and a single rate, and of three rates, below which a series replaces the quotient."""

LinearForms = Mapping[str, tuple[Mapping[str, Expr], Expr]]
"""Coefficients and rest of the equation of each variable."""


def num(text: str) -> Number:
    return Number(text)


def path_lengths(forms: LinearForms) -> dict[str, int] | None:
    """Returns the largest number of rates on a path from each variable to those it depends on; None if a path is a cycle."""
    found: dict[str, int] = {}
    started: set[str] = set()

    def length(name: str) -> int | None:
        if name in found or name in started:
            return found.get(name)
        started.add(name)
        coefficients, rest = forms[name]
        longest = 1 + int(algebra.fraction_of(rest) != 0)
        for other, coefficient in coefficients.items():
            if other != name and algebra.fraction_of(coefficient) != 0:
                inner = length(other)
                if inner is None:
                    return None
                longest = max(longest, 1 + inner)
        found[name] = longest
        return longest

    return found if all(length(name) is not None for name in forms) else None


def is_exact(forms: LinearForms) -> bool:
    """Returns whether the equations are triangular, and all divided differences have at most three rates."""
    lengths = path_lengths(forms)
    return lengths is not None and max(lengths.values(), default=0) <= LONGEST


def order_of(forms: LinearForms) -> list[str]:
    """Returns the variables, each before those that it depends on, so that an update reads old values."""
    found: list[str] = []

    def visit(name: str) -> None:
        if name not in found:
            for other, coefficient in forms[name][0].items():
                if other != name and algebra.fraction_of(coefficient) != 0:
                    visit(other)
            found.append(name)

    for name in forms:
        visit(name)
    return found[::-1]


@define
class Propagators:
    """Solution of linear equations over a step. Coefficients are constants of the neuron."""

    writer: Writer
    forms: LinearForms
    step: Expr

    def after(self, name: str, values: Mapping[str, Expr]) -> Expr:
        """Returns a variable after the step; `values` are the variables before it."""
        terms: list[Expr] = []
        self.walk(name, [], algebra.ONE, values, terms)
        return reduce(algebra.add, terms, algebra.ZERO)

    def walk(self, name: str, rates: list[Expr], factor: Expr, values: Mapping[str, Expr], terms: list[Expr]) -> None:
        """Adds the terms of all paths that continue at a variable."""
        coefficients, rest = self.forms[name]
        rates = [*rates, coefficients.get(name, algebra.ZERO)]
        terms.append(self.term(factor, rates, values[name]))
        if algebra.fraction_of(rest) != 0:
            for one in algebra.terms(rest):
                terms.append(self.term(factor, [*rates, algebra.ZERO], one))
        for other, coefficient in coefficients.items():
            if other != name and algebra.fraction_of(coefficient) != 0:
                self.walk(other, rates, algebra.multiply(factor, coefficient), values, terms)

    def term(self, factor: Expr, rates: list[Expr], value: Expr) -> Expr:
        """Returns one term: the coefficients of a path, the divided difference of its rates, and a value."""
        scaled = algebra.multiply(factor, self.difference(rates))
        return algebra.multiply(scaled, value)

    def difference(self, rates: list[Expr]) -> Expr:
        """Returns the divided difference of exp(rate * step) over one to three rates."""
        exponents = [self.writer.named(self.writer.resolve(algebra.multiply(rate, self.step))) for rate in rates]
        counted = sorted(exponents, key=lambda one: (-exponents.count(one), algebra_text(one)))
        scale = algebra.power(self.step, algebra.real_number(len(rates) - 1))
        return algebra.multiply(scale, self.exponentials(counted))

    def exponentials(self, at: list[Expr]) -> Expr:
        """Returns the divided difference of exp at points, equal ones first."""
        if all(algebra.fraction_of(one) == 0 for one in at):
            return [algebra.ONE, algebra.ONE, num("0.5")][len(at) - 1]
        first = self.keep(Call("exp", (at[0],))) if algebra.fraction_of(at[0]) != 0 else algebra.ONE
        if len(at) == 1 or (len(at) == 2 and at[0] == at[1]):
            return first
        if len(at) == 2:
            return self.pair(*at)
        if at[0] == at[1] == at[2]:
            return algebra.multiply(num("0.5"), first)
        return self.double(at[0], at[2]) if at[0] == at[1] else self.triple(*at)

    def keep(self, expr: Expr, hint: str = "k") -> Expr:
        return self.writer.named(expr, hint)

    def pair(self, a: Expr, b: Expr) -> Expr:
        """exp(high) (1 - exp(-gap)) / gap."""
        gap = self.keep(Call("abs", (algebra.subtract(a, b),)))
        is_apart = Binary(">", gap, num(CLOSE))
        apart = self.keep(Cond(gap, is_apart, num("1.0")))
        quotient = Binary("/", Binary("-", num("1.0"), Call("exp", (algebra.negate(gap),))), apart)
        series = reduce(
            lambda inner, n: Binary("-", num("1.0"), Binary("*", Binary("/", gap, num(f"{n}.0")), inner)),
            range(9, 1, -1),
            num("1.0"),
        )
        mean = self.keep(Cond(quotient, is_apart, series))
        return self.keep(Binary("*", Call("exp", (Call("max", (a, b)),)), mean))

    def double(self, a: Expr, b: Expr) -> Expr:
        """(exp(b) - exp(a) (1 + d)) / d^2 with d = b - a."""
        d = self.keep(algebra.subtract(b, a))
        is_apart = Binary(">", Call("abs", (d,)), num(NEAR))
        apart = self.keep(Cond(d, is_apart, num("1.0")))
        rest = Binary("*", Call("exp", (a,)), Binary("+", num("1.0"), d))
        quotient = Binary("/", Binary("/", Binary("-", Call("exp", (b,)), rest), apart), apart)
        series = reduce(
            lambda inner, n: Binary("+", num("1.0"), Binary("*", Binary("/", d, num(f"{n}.0")), inner)),
            range(11, 2, -1),
            num("1.0"),
        )
        return self.keep(Cond(quotient, is_apart, Binary("*", Binary("*", Call("exp", (a,)), num("0.5")), series)))

    def triple(self, a: Expr, b: Expr, c: Expr) -> Expr:
        """(f[middle, high] - f[low, middle]) / (high - low), or a series around the mean."""
        low = self.keep(Call("min", (Call("min", (a, b)), c)))
        high = self.keep(Call("max", (Call("max", (a, b)), c)))
        middle = self.keep(Call("max", (Call("min", (a, b)), Call("min", (Call("max", (a, b)), c)))))
        width = self.keep(algebra.subtract(high, low))
        is_apart = Binary(">", width, num(TOGETHER))
        apart = self.keep(Cond(width, is_apart, num("1.0")))
        quotient = Binary("/", Binary("-", self.pair(middle, high), self.pair(low, middle)), apart)
        mean = self.keep(Binary("/", algebra.add(algebra.add(low, middle), high), num("3.0")))
        x, y, z = (self.keep(algebra.subtract(one, mean)) for one in (low, middle, high))
        two = self.keep(Binary("/", algebra.add(algebra.add(power(x, 2), power(y, 2)), power(z, 2)), num("2.0")))
        three = self.keep(algebra.multiply(algebra.multiply(x, y), z))
        terms = [
            num("0.5"),
            Binary("/", two, num("24.0")),
            Binary("/", three, num("120.0")),
            Binary("/", power(two, 2), num("720.0")),
            Binary("/", algebra.multiply(two, three), num("2520.0")),
        ]
        series = Binary("*", Call("exp", (mean,)), reduce(algebra.add, terms))
        return self.keep(Cond(quotient, is_apart, series))


def power(x: Expr, n: int) -> Expr:
    return algebra.power(x, algebra.real_number(n))


def algebra_text(expr: Expr) -> str:
    """Returns a text that orders constants: numbers after names."""
    return expr.name if isinstance(expr, Name) else f"~{expr}"
