"""Records of a NESTML model: declarations, equations, kernels, ports and statements, with expressions of the neuron language.

Names keep the spelling of NESTML: `g'` is the derivative of `g`. A spiking port `p` is the number that NESTML calls `p`, weights per second.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attrs import field, frozen

from ...core.expressions.places import NOWHERE, Place
from ...core.expressions.tree import Expr

BOOLEAN, INTEGER, REAL = "boolean", "integer", "real"


@frozen
class Variable:
    """A declared name with its value."""

    name: str
    kind: str
    """`boolean`, `integer` or `real`."""
    unit: str
    """As written; empty without a unit."""
    scale: Fraction
    """Factor of the unit to that of the equations."""
    value: Expr
    place: Place
    invariant: Expr | None = None


@frozen
class Port:
    name: str
    is_spiking: bool
    qualifiers: tuple[str, ...]
    unit: str
    place: Place


@frozen
class Assign:
    name: str
    operator: str
    """`=`, or the operator of an assignment such as `+=`."""
    value: Expr
    place: Place


@frozen
class Local:
    """Declaration of a name inside of a block."""

    variable: Variable


@frozen
class If:
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]
    place: Place


@frozen
class Integrate:
    """`integrate_odes(…)`; without names, of all variables."""

    names: tuple[str, ...]
    place: Place


@frozen
class EmitSpike:
    place: Place


Statement = Assign | Local | If | Integrate | EmitSpike


@frozen
class EventBlock:
    """Statements of an event: `name` is the port of `onReceive`, `test` the condition of `onCondition`."""

    statements: tuple[Statement, ...]
    place: Place = NOWHERE
    name: str = ""
    test: Expr | None = None


@frozen
class Kernel:
    """A kernel: a function of t, or equations with initial values in the block `state`."""

    name: str
    function: Expr | None
    equations: Mapping[str, Expr]
    """Right side by variable; a higher order has an equation for each derivative."""
    place: Place


@frozen
class Function:
    """A function of the model: local names, and the value that it returns."""

    parameters: tuple[str, ...]
    locals: tuple[tuple[str, Expr], ...]
    value: Expr


@frozen
class Model:
    name: str
    place: Place
    state: Mapping[str, Variable] = field(factory=dict[str, Variable])
    parameters: Mapping[str, Variable] = field(factory=dict[str, Variable])
    internals: Mapping[str, Variable] = field(factory=dict[str, Variable])
    inlines: Mapping[str, Expr] = field(factory=dict[str, Expr])
    equations: Mapping[str, Expr] = field(factory=dict[str, Expr])
    """Right side of the differential equation of each variable, in 1/ms."""
    kernels: Mapping[str, Kernel] = field(factory=dict[str, Kernel])
    ports: Mapping[str, Port] = field(factory=dict[str, Port])
    updates: tuple[EventBlock, ...] = ()
    receives: tuple[EventBlock, ...] = ()
    conditions: tuple[EventBlock, ...] = ()
