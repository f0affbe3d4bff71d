"""Rules of trace products: changes at spikes that are sums of products of traces, as programmable learning engines compute them.

    on post    w = w + post_x1 * x1 + post_x1_y2 * x1 * y2 + post_x1_w * x1 * (w - at_post_x1_w)
    on pre     w = w + pre_y1 * y1

1. The names of the raw parameters define the rule. `EVENT_FACTOR_…` is the constant of a product at an event, `pre` or `post`.
2. A factor is a trace of sources `x1`, `x2`, …, a trace of targets `y1`, `y2`, …, or `w`, the weight minus `at_EVENT_FACTOR_…`. Without a factor the name ends in `1`.
3. A trace adds 1 at each spike of its neuron, and decays by `tau_TRACE`. With `nearest_TRACE` instead, it is set to 1, and counts the last spike alone.
4. Traces are those before the spikes of the tick. A `nearest` trace is 0 in a tick with a spike of its own neuron.
5. All changes of a tick are those of a learning engine with one sum of products, except that `pre` reads the weight after `post`.

Units: time constants [s], weights and constants [1].
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from attrs import frozen
from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64

from ...core.synapse.synapse import parse_synapses
from ...core.synapse.tree import POST, PRE
from ..ntensor import LearningAttr, RuleOp, SynapseOpInterface
from ..ntensor.learning.bounds import rule_of
from .rules import build_rule

NAME = "trace_products"
BOUNDS = ("w_min", "w_max")
WEIGHT, CONSTANT = "w", "1"
SUMMED, NEAREST, CENTRE = "tau_", "nearest_", "at_"
SIDES = {"x": PRE, "y": POST}
"""The side of a trace by the first letter of its name."""


@frozen
class TraceProduct:
    """A product of a rule: the event at which it is added, and its factors: traces in the order of their names, then the weight."""

    event: str
    factors: tuple[str, ...]

    @property
    def name(self) -> str:
        return "_".join((self.event, *(self.factors or (CONSTANT,))))

    @property
    def centre(self) -> str | None:
        """Returns the name of the number that is subtracted from the weight; None without the weight as a factor."""
        return CENTRE + self.name if WEIGHT in self.factors else None

    @property
    def traces(self) -> tuple[str, ...]:
        return tuple(one for one in self.factors if one != WEIGHT)

    @property
    def crossing(self) -> tuple[str, ...]:
        """Returns the traces of the other side."""
        return tuple(one for one in self.traces if side_of(one) != self.event)

    @property
    def text(self) -> str:
        shown = (f"({WEIGHT} - {self.centre})" if one == WEIGHT else one for one in self.factors)
        return " * ".join((self.name, *shown))

    @staticmethod
    def read(name: str) -> TraceProduct | None:
        """Returns the product of a constant; None for any other name."""
        event, *factors = name.split("_")
        if event not in (PRE, POST) or not factors:
            return None
        if factors == [CONSTANT]:
            return TraceProduct(event, ())
        names = [one for one in factors if one != WEIGHT]
        is_known = all(map(is_trace, names)) and factors.count(WEIGHT) <= 1
        product = TraceProduct(event, (*sorted(names), *([WEIGHT] if WEIGHT in factors else [])))
        return product if is_known and len(set(names)) == len(names) and product.name == name else None


def is_trace(name: str) -> bool:
    return name[:1] in SIDES and name[1:].isdigit()


def side_of(trace: str) -> str:
    """Returns the event that adds to a trace."""
    return SIDES[trace[0]]


@frozen
class TraceRule:
    """The products and traces of a rule, by the names of its raw parameters."""

    products: tuple[TraceProduct, ...]
    nearest: frozenset[str]
    """Traces that count the last spike alone."""

    @property
    def traces(self) -> list[str]:
        return sorted({trace for product in self.products for trace in product.traces})

    def tau(self, trace: str) -> str:
        """Returns the name of the time constant of a trace."""
        return (NEAREST if trace in self.nearest else SUMMED) + trace

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the names of the raw parameters."""
        centres = (one.centre for one in self.products)
        numbers = (*(one.name for one in self.products), *(name for name in centres if name is not None))
        return (*numbers, *map(self.tau, self.traces), *BOUNDS)

    @property
    def text(self) -> str:
        """Returns the rule in the synapse language."""
        taus = {trace: self.tau(trace) for trace in self.traces}
        numbers = [name for name in self.names if name not in taus.values()]
        lines = [f"synapse {NAME}", f"param {', '.join(numbers)}"]
        for trace, tau in taus.items():
            lines += [f"param {tau} [s] in 1e-9..inf", f"param decay_{trace} = exp(-dt / {tau})"]
        lines.append("weight w in w_min..w_max")
        lines += [f"{side_of(trace)} state {trace}" for trace in taus]
        if taus:
            lines += ["on tick", *(f"{trace} = {trace} * decay_{trace}" for trace in taus)]
        for event in (PRE, POST):
            own = [trace for trace in taus if side_of(trace) == event and trace in self.nearest]
            lines += [f"on {event}", *(f"{trace} = 0" for trace in own)] if own else []
        for event in (POST, PRE):
            terms = [one.text for one in self.products if one.event == event]
            lines += [f"on {event}", f"w = w + {' + '.join(terms)}"] if terms else []
        for event in (PRE, POST):
            own = [trace for trace in taus if side_of(trace) == event]
            adds = (f"{trace} = {'1' if trace in self.nearest else f'{trace} + 1'}" for trace in own)
            lines += [f"on {event}", *adds] if own else []
        return "\n".join([*lines, ""])

    @staticmethod
    def read(names: Iterable[str]) -> TraceRule | None:
        """Returns the rule with some raw parameters; None if they are not those of such a rule."""
        given = sorted(names)
        products = [one for one in map(TraceProduct.read, given) if one is not None]
        rule = TraceRule(
            tuple(products), frozenset(one.removeprefix(NEAREST) for one in given if one.startswith(NEAREST))
        )
        return rule if products and sorted(rule.names) == given else None


@cache
def build_products(rule: TraceRule, precision: Float32Type | Float64Type) -> RuleOp:
    """Returns the op of a rule. Callers must not change it."""
    return build_rule(parse_synapses(rule.text, f"{NAME}.synapse").synapses[0], options={}, precision=precision)


def products_of(op: SynapseOpInterface) -> TraceRule | None:
    """Returns the trace products by which the weights of an op change; None for another rule, or none."""
    given = op.learning_rule
    if not isinstance(given, LearningAttr) or not given.symbol.startswith(NAME) or given.modulators:
        return None
    found, rule = rule_of(op, given), TraceRule.read(given.values)
    if found is None or rule is None:
        return None
    return rule if any(found.is_equal(build_products(rule, one)) for one in (f32, f64)) else None


def named(traces: Sequence[str], side: str) -> list[str]:
    """Returns the traces of a side, of those of a device."""
    return [one for one in traces if is_trace(one) and side_of(one) == side]
