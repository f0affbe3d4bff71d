"""Kernels of convolutions as linear equations: `convolve(kernel, port)` is a sum of states that a spike raises.

| kernel | equations | raised by a weight w |
| --- | --- | --- |
| `c exp(-t / tau)` | x' = -x / tau | x by c w |
| `c t exp(-t / tau)` | x' = -x / tau + y, y' = -y / tau | y by c w |
| a sum of these | those of each term | |
| `g' = …, f' = …` | the equations, without a rest | each variable by its initial value times w |
| `delta(t)` | none | the variable whose equation has the convolution |

Errors: NML006 another kernel.
"""

from __future__ import annotations

from typing import NoReturn

from attrs import frozen

from ...core.diagnostics import Code
from ...core.expressions.tree import Binary, Call, Expr, Name, Neg, Number
from . import algebra
from .model import Kernel, Model
from .source import Source

NML006 = Code("NML006", "nestml-kernel-unsupported", "a kernel is not a sum of exponential and alpha functions")

TIME = "t"


@frozen
class KernelTerm:
    """`coefficient * t ** order * exp(rate * t)`."""

    coefficient: Expr
    order: int
    rate: Expr


@frozen
class Mode:
    """A state of a convolution."""

    name: str
    equation: Expr
    """Right side of its differential equation."""
    jump: Expr
    """Change by a weight of 1."""


@frozen
class Response:
    """States of a convolution, and the value of the convolution."""

    modes: tuple[Mode, ...]
    value: Expr


def is_delta(kernel: Kernel) -> bool:
    return kernel.function == Call("delta", (Name(TIME),))


def response_of(kernel: Kernel, port: str, model: Model, source: Source) -> Response:
    """Returns the states of a convolution. Errors: NML006."""
    if kernel.function is None:
        return equations_response(kernel, port, model, source)
    found = terms_of(kernel.function)
    if found is None or not found:
        refuse(kernel, source, "a function of t of another form")
    totals: dict[tuple[int, Expr], Expr] = {}
    for term in found:
        key = term.order, term.rate
        totals[key] = algebra.add(totals.get(key, algebra.ZERO), term.coefficient)
    modes: list[Mode] = []
    value: Expr = algebra.ZERO
    for number, ((order, rate), coefficient) in enumerate(totals.items()):
        if order > 1:
            refuse(kernel, source, "a power of t above 1")
        suffix = f"_{number}" if len(totals) > 1 else ""
        name = f"{kernel.name}__{port}{suffix}"
        own = algebra.multiply(rate, Name(name))
        if order:
            slope = f"{name}_rise"
            modes.append(Mode(name, algebra.add(own, Name(slope)), algebra.ZERO))
            modes.append(Mode(slope, algebra.multiply(rate, Name(slope)), coefficient))
        else:
            modes.append(Mode(name, own, coefficient))
        value = algebra.add(value, Name(name))
    return Response(tuple(modes), value)


def refuse(kernel: Kernel, source: Source, found: str) -> NoReturn:
    expected = "sums of c exp(-t / tau) and c t exp(-t / tau), delta(t), or linear equations"
    source.refuse(NML006, kernel.place, expected=expected, found=found, help=f"nopt explain {NML006}")


def terms_of(expr: Expr) -> list[KernelTerm] | None:
    """Returns a function of t as a sum of terms; None if it is none."""
    if TIME not in algebra.names_of(expr):
        return [KernelTerm(expr, 0, algebra.ZERO)]
    match expr:
        case Name():
            return [KernelTerm(algebra.ONE, 1, algebra.ZERO)]
        case Neg(x):
            return scaled(terms_of(x), KernelTerm(algebra.real_number(-1), 0, algebra.ZERO))
        case Binary("+" | "-" as operator, left, right):
            a, b = terms_of(left), terms_of(right)
            if operator == "-":
                b = scaled(b, KernelTerm(algebra.real_number(-1), 0, algebra.ZERO))
            return None if a is None or b is None else [*a, *b]
        case Binary("*", left, right):
            a, b = terms_of(left), terms_of(right)
            return None if a is None or b is None else [times(x, y) for x in a for y in b]
        case Binary("/", left, right) if TIME not in algebra.names_of(right):
            return scaled(terms_of(left), KernelTerm(algebra.quotient_of(algebra.ONE, right), 0, algebra.ZERO))
        case Call("exp", (argument,)):
            form = algebra.linear_form(argument, (TIME,))
            if form is None:
                return None
            factor = algebra.ONE if algebra.fraction_of(form[1]) == 0 else Call("exp", (form[1],))
            return [KernelTerm(factor, 0, form[0].get(TIME, algebra.ZERO))]
        case _:
            return None


def times(a: KernelTerm, b: KernelTerm) -> KernelTerm:
    coefficient = algebra.multiply(a.coefficient, b.coefficient)
    return KernelTerm(coefficient, a.order + b.order, algebra.add(a.rate, b.rate))


def scaled(terms: list[KernelTerm] | None, factor: KernelTerm) -> list[KernelTerm] | None:
    return None if terms is None else [times(factor, one) for one in terms]


def equations_response(kernel: Kernel, port: str, model: Model, source: Source) -> Response:
    """Returns the states of a kernel that equations define. Errors: NML006 equations with a rest, or without an initial value."""
    names = {name: Name(f"{name}__{port}") for name in kernel.equations}
    modes: list[Mode] = []
    for name, value in kernel.equations.items():
        form = algebra.linear_form(value, names.keys())
        if form is None or algebra.fraction_of(form[1]) != 0:
            refuse(kernel, source, f"an equation of {name} that is not linear")
        if name not in model.state:
            refuse(kernel, source, f"no initial value of {name} in the block state")
        modes.append(Mode(names[name].name, algebra.replace_names(value, names), model.state[name].value))
    first = names[kernel.name]
    kept = [one for one in modes if one.jump != Number("0.0")]
    if not kept:
        refuse(kernel, source, "initial values of zero")
    return Response(tuple(modes), first)
