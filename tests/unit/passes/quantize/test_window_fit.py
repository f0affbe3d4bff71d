"""Fit of learning windows to trace products: no worse than a search over a grid, exact where the device has the rule, and on the grid of the device."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from attrs import evolve
from learning_windows import BOUNDS, DT, RULES, in_ticks, learning_in, network_of, plastic_op, window_of

import nopt.api as nopt
from nopt.analysis.learning.product_quantization import ProductNumbers, product_numbers
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.synapse.tree import POST, PRE
from nopt.dialects.equations.trace_products import TraceProduct, TraceRule, products_of
from nopt.passes.quantize.learning._window_fit import ConstantSearch, Traces, Window, fit_window
from nopt.simulation.learning.windows import SpikeHistory, window_changes

STEP = 2 / 255
FIT = "ntensor-fit-plasticity{device=loihi2/loihi1 tolerance=0.5}"
GRID_TAUS = np.geomspace(6, 60, 5).tolist()


@cache
def numbers() -> ProductNumbers:
    found = product_numbers(find_device("loihi2", "loihi1"))
    assert found is not None
    return found


def baseline(window: Window) -> float:
    """Returns the square of the least error over a grid of time constants, for pairs with constants, weights and triplets, each constant rounded by itself."""
    products = [TraceProduct(*one) for one in ((POST, ("x1",)), (PRE, ("y1",)))]
    weighted = [TraceProduct(one.event, (*one.factors, "w")) for one in products]
    triplets = [*products, TraceProduct(POST, ("x1", "y2")), TraceProduct(PRE, ("x2", "y1"))]
    errors: list[float] = []
    for taus in product(GRID_TAUS, repeat=2):
        for others in product(GRID_TAUS[3:], repeat=2):
            known = dict(zip(("x1", "y1", "x2", "y2"), (*taus, *others), strict=True))
            for nearest in (frozenset[str](), frozenset({"x1", "y1"})):
                for chosen in (products, weighted, triplets):
                    traces = Traces(known, nearest)
                    used = {name for one in chosen for name in one.traces}
                    rule = TraceRule(tuple(sorted(chosen, key=lambda one: one.name)), nearest & used)
                    grid = ConstantSearch(window, traces, rule, numbers(), STEP)
                    errors.append(grid.error(grid.start()))
    return min(errors)


@pytest.mark.parametrize("name", RULES)
def test_a_fit_is_no_worse_than_a_grid_search(name: str) -> None:
    found = window_of(learning_in(in_ticks(network_of(*RULES[name]))))
    window = Window(found.histories, found.changes)
    fitted = fit_window(window, found.taus, numbers(), STEP)
    assert fitted.error <= baseline(window) * (1 + 1e-9)


@pytest.mark.parametrize("name", RULES)
def test_a_fitted_rule_is_on_the_grid(name: str) -> None:
    module = in_ticks(network_of(*RULES[name]))
    nopt.apply(module, FIT, diagnostics=Diagnostics())
    op, grid = plastic_op(module), numbers()
    rule = products_of(op)
    assert rule is not None
    given = op.learning_rule
    assert given is not None
    rounded = grid.rounded(rule, given.values, "excitatory", STEP)
    assert rounded == pytest.approx(given.values, rel=1e-9, abs=1e-12)
    for one in rule.products:
        assert grid.nearest(rule, one, given.values[one.name], STEP).mantissa != 0


def test_a_rule_of_the_device_is_fitted_exactly() -> None:
    """5 * 2^-7 * 16 / 255 and 3 * 2^-6 * 16 / 255 are constants of the device, 20 and 30 ticks time constants of the rule."""
    entries = {"a_plus": 5 / 8 / 255, "a_minus": 3 / 4 / 255, "tau_plus": 0.02, "tau_minus": 0.03, **BOUNDS}
    learning = learning_in(in_ticks(network_of("stdp", {**entries, "delay": "axonal"})))
    found = window_of(learning)
    fitted = fit_window(Window(found.histories, found.changes), found.taus, numbers(), STEP)
    assert [one.name for one in fitted.rule.products] == ["post_x1", "pre_y1"]
    assert fitted.values["post_x1"] == pytest.approx(entries["a_plus"])
    assert fitted.values["pre_y1"] == pytest.approx(-entries["a_minus"])
    assert fitted.error < 1e-12


def test_fewer_traces_fit_triplets_worse() -> None:
    """Without y2 and y3, two target spikes have no product."""
    found = window_of(learning_in(in_ticks(network_of(*RULES["triplet"]))))
    window = Window(found.histories, found.changes)
    few = evolve(numbers(), traces=("x1", "y1"))
    assert fit_window(window, found.taus, few, STEP).error > 1.5 * fit_window(window, found.taus, numbers(), STEP).error


@pytest.mark.parametrize("name", RULES)
def test_a_window_is_that_of_the_engine(name: str) -> None:
    """The last change of a history in `nopt run`, with a population that repeats its input: post spikes are forced by a second, strong layer."""
    learning = learning_in(in_ticks(network_of(*RULES[name])))
    histories = [SpikeHistory(POST, (3, 9), (5,)), SpikeHistory(PRE, (7,), (2, 4)), SpikeHistory(POST, (1,), ())]
    found = window_changes(learning, histories, [0.5])
    weights = []
    for one in histories:
        ticks = {
            side: {10 - age for age in (*one.ages(side), *([0] if one.last == side else []))} for side in (PRE, POST)
        }
        weights.append(np.diff(run_forced(name, ticks)[-2:])[0])
    assert found.change == pytest.approx(weights, rel=1e-9)
    assert np.abs(found.change).min() > 1e-4


def run_forced(name: str, ticks: dict[str, set[int]]) -> np.ndarray:
    """Returns the weight after each of 11 ticks, where the neuron spikes in given ticks: its synapse that learns is too weak, and another one is strong."""
    text = network_of(*RULES[name]).replace('"in" %x: tensor<1xi1>', '"in" %x: tensor<1xi1>, "force" %f: tensor<1xi1>')
    text = text.replace(
        '  %1 = nir.lif "lif" %0',
        '  %2 = nir.linear "strong" %f {weight = #nopt.array<[[1000.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>\n'
        "  %3 = nir.sum %0, %2 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>\n"
        '  %1 = nir.lif "lif" %3',
    ).replace("v_threshold = #nopt.array<1.0", "v_threshold = #nopt.array<100.0")
    x = {
        key: np.array([[t in ticks[side]] for t in range(11)], np.bool_) for key, side in (("in", PRE), ("force", POST))
    }
    done = nopt.run(nopt.parse(text), x, dt=f"{DT * 1e3:g}ms", like="norse", record=["fc.weight"], engine="numpy")
    return np.asarray(done["fc.weight"]).reshape(-1)
