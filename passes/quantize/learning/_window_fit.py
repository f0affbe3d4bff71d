"""Fit of a learning window by sums of products of traces.

1. The change at the last spike of a history is linear in the constants of the products, for given time constants. The constants are those of least squares, with equal
   shares of pairs and triplets.
2. Time constants start with those of the rule's own traces. If these do not fit, a pattern search on their logarithms changes them, and adds the traces that are left.
   Hooke and Jeeves, Journal of the ACM 8:212 (1961).
3. Products that the error hardly needs are removed, the least important first.
4. Constants move to the grid of the device, and then one by one to neighbours on it as long as the error falls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from math import inf

import numpy as np
from attrs import evolve, frozen

from ....analysis.learning.product_quantization import ProductNumbers
from ....core.arrays.numeric import AnyArray
from ....core.synapse.tree import POST, PRE
from ....dialects.equations.trace_products import WEIGHT, TraceProduct, TraceRule, named, side_of
from ....simulation.learning.windows import DEFAULT_TAU, LEAST_TAU, SpikeHistory, WindowChanges

FITTING = 1e-6
"""A square of the relative error below which time constants stay."""
MOST_GROWTH = 4.0
"""The growth of the error beyond which fewer products are not tried."""
NEEDED = 1e-5
"""The square of the relative error that a product has to remove."""
RATIOS = (2.0, 1.4, 1.15, 1.05, 1.01)
"""Steps of time constants, as ratios."""
STARTS = 3
"""Starts from which time constants are searched."""
EQUAL_ERRORS = 1.05
"""The ratio of errors that count as equal."""
NEIGHBOURS, CENTRE_NEIGHBOURS = (-2, -1, 1, 2), (-64, -16, -2, 2, 16, 64)
OTHER_SIDE = {PRE: POST, POST: PRE}


@frozen
class Traces:
    """Time constants by trace, and the traces that count the last spike alone. Units: [ticks]."""

    taus: Mapping[str, float]
    nearest: frozenset[str]

    def of(self, side: str) -> list[str]:
        return named([*self.taus], side)


class Window:
    """The wanted changes of a window, with the weights of its errors."""

    def __init__(self, histories: Sequence[SpikeHistory], changes: WindowChanges):
        at = changes.is_free
        self.history, self.weight, self.change = (x[at] for x in (changes.history, changes.weight, changes.change))
        is_pair = np.array([one.is_pair for one in histories])[self.history]
        energies = [float((self.change[kind] ** 2).sum()) for kind in (is_pair, ~is_pair)]
        largest = max(energies)
        self.share = np.sqrt(np.where(is_pair, *(0.5 / (one or largest or 1.0) for one in energies)))
        """Factors of the errors, so that the squares of all changes have the sum 1."""
        self.last = {side: np.array([one.last == side for one in histories])[self.history] for side in (PRE, POST)}
        self.ages = {side: np.full((len(histories), 2), inf) for side in (PRE, POST)}
        for side, ages in self.ages.items():
            for k, one in enumerate(histories):
                ages[k, : len(one.ages(side))] = sorted(one.ages(side))

    def trace(self, traces: Traces, name: str) -> AnyArray:
        """Returns a trace before the last spikes. Shapes: [changes]."""
        decayed = np.exp(-self.ages[side_of(name)] / traces.taus[name])
        found = decayed[:, 0] if name in traces.nearest else decayed.sum(axis=1)
        return found[self.history]

    def column(self, traces: Traces, one: TraceProduct) -> AnyArray:
        """Returns a product with a constant of 1 and without a centre, 0 where another side spikes last. Shapes: [changes]."""
        found = self.last[one.event].astype(np.float64)
        for name in one.traces:
            found *= self.trace(traces, name)
        return found * self.weight if WEIGHT in one.factors else found

    def columns(self, traces: Traces, products: Sequence[TraceProduct]) -> AnyArray:
        return np.stack([self.column(traces, one) for one in products], axis=1)

    def solve(self, columns: AnyArray) -> tuple[AnyArray, float]:
        """Returns the constants of least squares, and the square of the relative error."""
        if not columns.shape[1]:
            return np.zeros(0), float(((self.share * self.change) ** 2).sum())
        wide = columns * self.share[:, None]
        size = np.linalg.norm(wide, axis=0)
        size[size == 0] = 1
        found: AnyArray = np.linalg.lstsq(wide / size, self.share * self.change, rcond=1e-7)[0] / size
        return found, self.error(columns, found)

    def error(self, columns: AnyArray, constants: AnyArray) -> float:
        return float(((self.share * (columns @ constants - self.change)) ** 2).sum())


def products_with(traces: Traces) -> list[TraceProduct]:
    """Returns the products of the traces: one of the other side, alone, with a summed one of the own side, or with the weight; and a constant."""
    found = list[TraceProduct]()
    for event in (POST, PRE):
        own = [one for one in traces.of(event) if one not in traces.nearest]
        found.append(TraceProduct(event, ()))
        for one in traces.of(OTHER_SIDE[event]):
            found += [TraceProduct(event, (one,)), TraceProduct(event, (one, WEIGHT))]
            found += [TraceProduct(event, tuple(sorted((one, other)))) for other in own]
    return found


def starts(names: Sequence[str], taus: Mapping[str, Sequence[float]]) -> Iterator[Traces]:  # 2
    """Yields the traces to start with: the time constants of the rule in each order, the first trace of each side summed or nearest."""
    sides = {side: named(names, side) for side in (PRE, POST)}
    orders = [
        [*permutations(taus[side] or [DEFAULT_TAU], min(len(taus[side] or [0]), len(sides[side])))] for side in sides
    ]
    for pre, post in product(*orders):
        known = {**dict(zip(sides[PRE], pre, strict=False)), **dict(zip(sides[POST], post, strict=False))}
        firsts = [sides[side][0] for side in sides if sides[side]]
        for chosen in product((False, True), repeat=len(firsts)):
            nearest = frozenset(one for one, is_nearest in zip(firsts, chosen, strict=True) if is_nearest)
            yield Traces(known, nearest)


def refined(window: Window, traces: Traces, names: Sequence[str]) -> tuple[Traces, float]:  # 2
    """Returns the traces after a pattern search, with traces that are left where they lower the error."""

    def error(one: Traces) -> float:
        return window.solve(window.columns(one, products_with(one)))[1]

    best, least = traces, error(traces)
    while True:
        for ratio in RATIOS:
            improved = True
            while improved:
                improved = False
                for name, factor in product([*best.taus], (ratio, 1 / ratio)):
                    trial = evolve(best, taus={**best.taus, name: max(best.taus[name] * factor, LEAST_TAU)})
                    if (found := error(trial)) < least * (1 - 1e-4):
                        best, least, improved = trial, found, True
        if least < FITTING:
            return best, least
        more = [
            evolve(best, taus={**best.taus, name: tau})
            for name in names
            if name not in best.taus
            for tau in tries(best)
        ]
        candidates = [(error(one), k) for k, one in enumerate(more)]
        if not candidates or min(candidates)[0] > least * 0.9:
            return best, least
        least, k = min(candidates)
        best = more[k]


def tries(traces: Traces) -> list[float]:
    """Returns time constants for one more trace: below, between and above those there are."""
    known = sorted(set(traces.taus.values()))
    return [max(known[0] / 3, LEAST_TAU), *(known[:-1] + np.diff(known) / 2), known[-1] * 3]


def product_sets(window: Window, traces: Traces) -> Iterator[list[TraceProduct]]:  # 3
    """Yields the products that the error needs, then those without the least important, one by one."""
    products = products_with(traces)
    columns = window.columns(traces, products)
    kept = [*range(len(products))]
    least = window.solve(columns)[1]
    while kept:
        error = window.solve(columns[:, kept])[1]
        if error > max(least, FITTING) * MOST_GROWTH + NEEDED:
            return
        trials = [(window.solve(columns[:, [k for k in kept if k != drop]])[1], drop) for drop in kept]
        found, drop = min(trials)
        if found - error > NEEDED:
            yield [products[k] for k in kept]
        kept.remove(drop)


@frozen
class Constants:
    """The constants of a rule on the grid of a device, and the integers that are subtracted from weights."""

    places: tuple[int, ...]
    """Places in the known constants of each product, with the sign of the constant."""
    centres: tuple[int, ...]


def centres_of(
    window: Window, products: Sequence[TraceProduct], columns: AnyArray, plain: AnyArray
) -> dict[TraceProduct, float]:
    """Returns the number that least squares subtract from the weight, for each product with the weight. Shapes: columns and plain [changes, products]."""
    weighted = [k for k, one in enumerate(products) if one.centre is not None]
    alone = [k for k in weighted if without_weight(products[k]) not in products]
    constants = window.solve(np.concatenate([columns, plain[:, alone]], axis=1))[0].tolist()
    shares = dict(zip((without_weight(products[k]) for k in alone), constants[len(products) :], strict=True))
    shares = {**dict(zip(products, constants, strict=False)), **shares}
    return {products[k]: -shares[without_weight(products[k])] / constants[k] if constants[k] else 0.0 for k in weighted}


def without_weight(one: TraceProduct) -> TraceProduct:
    return evolve(one, factors=one.traces)


def with_centres(
    window: Window, traces: Traces, products: Sequence[TraceProduct], numbers: ProductNumbers, step: float
) -> list[TraceProduct]:
    """Returns products with and without the weight: those without are a part of those with it, if the device can subtract their number from the weight."""
    weighted = [one for one in products if one.centre is not None]
    every = [*products, *(plain for one in weighted if (plain := without_weight(one)) not in products)]
    columns, plain = (window.columns(traces, each) for each in (every, [*map(without_weight, every)]))
    centres = centres_of(window, every, columns, plain)
    near = [without_weight(one) for one, value in centres.items() if numbers.has_centre(value, step)]
    return [one for one in every if one not in near]


class ConstantSearch:
    """The search for constants on the grid of a device."""  # 4

    def __init__(self, window: Window, traces: Traces, rule: TraceRule, numbers: ProductNumbers, step: float):
        self.window, self.rule, self.unit = window, rule, numbers.unit(step)
        self.numbers, self.step = numbers, step
        self.columns = window.columns(traces, rule.products)
        plain = [*map(without_weight, rule.products)]
        self.plain = window.columns(traces, plain)
        """The products without the weight."""
        self.mean_weight = float(window.weight.mean())
        self.known = [
            [value * numbers.scale(rule, each, step) for value in numbers.known(rule, each)] for each in rule.products
        ]

    def values(self, found: Constants) -> AnyArray:
        return np.array([np.sign(k) * known[abs(k)] for k, known in zip(found.places, self.known, strict=True)])

    def error(self, found: Constants) -> float:
        values = self.values(found)
        centres = np.array(found.centres) * self.unit
        return self.window.error(self.columns - self.plain * centres, values)

    def start(self) -> Constants:
        """Returns the constants next to those of least squares."""
        found = centres_of(self.window, self.rule.products, self.columns, self.plain)
        centres = [self.numbers.centre(found[one], self.step) if one in found else 0 for one in self.rule.products]
        again = self.window.solve(self.columns - self.plain * (np.array(centres) * self.unit))[0]
        places = [self.place(k, value) for k, value in enumerate(again.tolist())]
        return Constants(tuple(places), tuple(centres))

    def place(self, k: int, value: float) -> int:
        table = self.known[k]
        near = min(range(len(table)), key=lambda place: (abs(table[place] - abs(value)), place))
        return -near if value < 0 else near

    def balanced(self, k: int, found: Constants, other: Constants) -> int:
        """Returns the place of a constant with which a product has another centre, and its change from the mean weight."""
        before, after = (self.mean_weight - one.centres[k] * self.unit for one in (found, other))
        return self.place(k, float(self.values(found)[k]) * before / after) if after else found.places[k]

    def neighbours(self, found: Constants) -> Iterator[Constants]:
        for k, place in enumerate(found.places):
            for d in NEIGHBOURS:
                if abs(place + d) < len(self.known[k]):
                    yield evolve(found, places=(*found.places[:k], place + d, *found.places[k + 1 :]))
        for k, one in enumerate(self.rule.products):
            for d in CENTRE_NEIGHBOURS if one.centre is not None else ():
                centre = self.numbers.centre((found.centres[k] + d) * self.unit, self.step)
                other = evolve(found, centres=(*found.centres[:k], centre, *found.centres[k + 1 :]))
                yield other
                yield evolve(other, places=(*found.places[:k], self.balanced(k, found, other), *found.places[k + 1 :]))

    def search(self) -> tuple[Constants, float]:
        """Returns the constants that no neighbour improves."""
        best = self.start()
        least = self.error(best)
        while True:
            found, other = min(((self.error(one), k), one) for k, one in enumerate(self.neighbours(best)))
            if found[0] >= least * (1 - 1e-9):
                return best, least
            best, least = other, found[0]


@frozen
class FittedRule:
    """A rule on the grid of a device, its numbers, and the square of its relative error. Units: time constants [ticks]."""

    rule: TraceRule
    values: Mapping[str, float]
    error: float


def fit_window(window: Window, taus: Mapping[str, Sequence[float]], numbers: ProductNumbers, step: float) -> FittedRule:
    """Returns the rule of a device that is nearest to a window. Units: taus [ticks], by side."""
    ranked: dict[float, Traces] = {}
    for traces in starts(numbers.traces, taus):
        error = max(window.solve(window.columns(traces, products_with(traces)))[1], FITTING)
        ranked.setdefault(float(f"{error:.4g}"), traces)  # the first of equal ones, whatever the last bits are
    found: list[FittedRule] = []
    best_starts = sorted(ranked.items(), key=lambda one: one[0])
    for error, traces in best_starts[: 1 if best_starts[0][0] <= FITTING else STARTS]:
        best = traces if error <= FITTING else refined(window, traces, numbers.traces)[0]
        found.append(on_grid(window, best, numbers, step))
    return first_traces(min(found, key=lambda one: one.error), numbers.traces)


def first_traces(found: FittedRule, names: Sequence[str]) -> FittedRule:
    """Returns an equal rule that uses the first traces of each side."""
    rule = found.rule
    other = {
        old: new for side in (PRE, POST) for old, new in zip(named(rule.traces, side), named(names, side), strict=False)
    }
    moved = {one: evolve(one, factors=tuple(other.get(name, name) for name in one.factors)) for one in rule.products}
    values = {moved[one].name: found.values[one.name] for one in rule.products}
    values |= {new.centre: found.values[old.centre] for old, new in moved.items() if old.centre and new.centre}
    made = TraceRule(
        tuple(sorted(moved.values(), key=lambda one: one.name)), frozenset(other[name] for name in rule.nearest)
    )
    return FittedRule(
        made, {**values, **{made.tau(other[name]): found.values[rule.tau(name)] for name in other}}, found.error
    )


def on_grid(window: Window, traces: Traces, numbers: ProductNumbers, step: float) -> FittedRule:
    """Returns the rule with constants of the device: of those with about the least error, the one with the fewest products."""
    found = [
        rule
        for products in product_sets(window, traces)
        if (rule := rounded_rule(window, traces, products, numbers, step)) is not None
    ]
    least = min(one.error for one in found)
    return min(
        (one for one in found if one.error <= least * EQUAL_ERRORS), key=lambda one: (len(one.rule.products), one.error)
    )


def rounded_rule(
    window: Window, traces: Traces, needed: Sequence[TraceProduct], numbers: ProductNumbers, step: float
) -> FittedRule | None:
    """Returns a rule of some products, with constants of the device; None if nothing but 0 is near."""
    products = with_centres(window, traces, needed, numbers, step)
    while products:
        used = {name for one in products for name in one.traces}
        rule = TraceRule(tuple(sorted(products, key=lambda one: one.name)), traces.nearest & used)
        grid = ConstantSearch(window, traces, rule, numbers, step)
        constants, error = grid.search()
        kept = [one for one, place in zip(rule.products, constants.places, strict=True) if place]
        if len(kept) < len(products):
            products = kept
            continue
        values = dict(zip((one.name for one in rule.products), grid.values(constants).tolist(), strict=True))
        for one, centre in zip(rule.products, constants.centres, strict=True):
            if one.centre is not None:
                values[one.centre] = centre * grid.unit
        return FittedRule(rule, {**values, **{rule.tau(name): traces.taus[name] for name in rule.traces}}, error)
    return None
