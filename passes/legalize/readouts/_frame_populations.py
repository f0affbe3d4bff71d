"""Populations of values that the host updates once in a frame: their states last from one frame to the next.

    s = f(s, u), y = g(s, u) in each tick           u = x / T for the input x of a frame of T ticks
      =>
    y = y_0 + y_x x + y_s s                         the sum of the outputs of the T ticks
    s = s_0 + s_x x + s_s s                         the state after the T ticks

The coefficients are those of the update itself, which runs for T ticks from unit vectors. An update whose output or states are not linear in the
states and the input has none, which random states prove.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import Float32Type, f32, f64

from ....core.arrays.numeric import Reals
from ....core.ir.operation import element_type, shape_of, texts_of
from ....core.neuron.neuron import parse_neurons
from ....dialects import ntensor
from ..rates._rate_curves import Row, distinct_neurons
from ..relays._relays import NodeNames
from ..updates._population_builder import build_population

LINEAR = 1e-4
"""Difference of random states from a linear map, relative to the greatest number, from which on an update is not linear; reals of 32 bits differ by less."""
TRIALS = 4
"""Random states that are compared with the map."""


def frame_population(
    names: NodeNames, op: ntensor.NeuronOp, update: ntensor.UpdateOp, ticks: int
) -> ntensor.NeuronOp | None:
    """Returns a population that has the sum of the outputs of a frame as its output; None if the update is not linear. Units: ticks [ticks]."""
    from ....dialects.equations.build import build_update

    rows, inverse = distinct_neurons(op, {})
    states = texts_of(update.states)
    table = linear_map(op, update, rows, ticks)
    if table is None:
        return None
    is_short = isinstance(element_type(op.xs[0]), Float32Type)
    symbol = f"{update.sym_name.data}.frame_{ticks}"
    (rule,) = parse_neurons(equations(states), symbol).neurons
    made = build_update(rule, options={}, precision=f32 if is_short else f64, symbol=symbol)
    raw = {f"start_{name}": start[inverse].reshape(shape_of(op.z)) for name, start in starts(op, states, rows).items()}
    for to, coefficients in zip(("y", *states), table, strict=True):
        for of, values in zip(("0", "x", *states), coefficients, strict=True):
            raw[f"{to}_{of}"] = values[inverse].reshape(shape_of(op.z))
    return build_population(names, op.node.data, made, op.xs[0], raw, rule)


def equations(states: list[str]) -> str:
    """Returns the text of the neuron with some states."""
    terms = ["x", *states]

    def line(to: str) -> str:
        return " + ".join((f"{to}_0", *(f"{to}_{of} * {of}" for of in terms)))

    params = [f"start_{name}" for name in states] + [f"{to}_{of}" for to in ("y", *states) for of in ("0", *terms)]
    return "\n".join(
        (
            "neuron frame",
            f"param {', '.join(params)}",
            f"state {', '.join(f'{name} = start_{name}' for name in states)}",
            "input x",
            f"y = {line('y')}",
            *(f"next_{name} = {line(name)}" for name in states),
            *(f"{name} = next_{name}" for name in states),
            "emit value y\n",
        )
    )


def starts(op: ntensor.NeuronOp, states: list[str], rows: list[Row]) -> dict[str, Reals]:
    """Returns the initial states of some neurons."""
    return {name: np.array([row[f"state {name}"] for row in rows]) for name in states}


def linear_map(op: ntensor.NeuronOp, update: ntensor.UpdateOp, rows: list[Row], ticks: int) -> Reals | None:
    """Returns the coefficients of output and states for 1, the input and the states; None if there are none.

    Shapes: [1 + states, 2 + states, neurons].
    """
    count = 1 + len(update.states)
    probes = np.concatenate((np.zeros((1, count)), np.eye(count)))
    found = run_frame(op, update, rows, probes, ticks)
    table = np.concatenate((found[:, :1], found[:, 1:] - found[:, :1]), 1)
    trials = np.random.default_rng(0).normal(0, 1, (TRIALS, count))
    ones = np.concatenate((np.ones((TRIALS, 1)), trials), 1)
    expected, there = np.einsum("tp,opn->otn", ones, table), run_frame(op, update, rows, trials, ticks)
    bound = LINEAR * max(1.0, float(np.abs(found).max()))
    return table if np.isfinite(found).all() and np.abs(expected - there).max() <= bound else None


def run_frame(op: ntensor.NeuronOp, update: ntensor.UpdateOp, rows: list[Row], probes: Reals, ticks: int) -> Reals:
    """Returns the sum of the outputs, and the states, of neurons after a frame. Shapes: probes [probes, 1 + states]; [1 + states, probes, neurons]."""
    from ....simulation.update import Step

    shape = len(probes), len(rows)
    params = {
        name: np.array([row[f"param {name}"] for row in rows]).astype(array.values.dtype)
        for name, array in op.arrays(op.params)
    }
    step = Step(update, params, shape)
    held = {
        name: np.repeat(values[:, None], len(rows), 1).astype(step.tape.dtypes[slot])
        for name, slot, values in zip(step.states, step.state_slots, probes.T[1:], strict=True)
    }
    given = np.repeat(probes[:, :1] / ticks, len(rows), 1)
    total = np.zeros(shape)
    for _ in range(ticks):
        total += step([given], held).value
    return np.stack([total, *(held[name].astype(np.float64) for name in step.states)])
