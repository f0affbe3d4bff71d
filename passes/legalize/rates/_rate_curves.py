"""Responses of populations: the count of spikes in a window of ticks as a function of a constant input.

The update of the population runs for one window with many constant inputs, from its initial state. A neuron that integrates without a leak
and subtracts its threshold has the response of an activation, exactly:

    n = ceil((T x + v - threshold) / threshold)    fires above the threshold (`>`)
    n = floor((T x + v) / threshold)               fires where v equals it (`>=`)

The second one is the first one with a threshold that is lower by more than rounding (`margin_of`). Any other response is approximated: the
threshold is that of the response, so that silence stays silent, and the level has the least squared error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import f32

from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.diagnostics import Code, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....dialects import ntensor
from ..updates._canonical_parameters import canonical_of
from ._activations import activate

LEG082 = Code("LEG082", "population-response-unknown", "the response of a population to its input is not known")

SPIKES = 255
"""Spikes in a tick for which the default width of a count has room, of neurons without another limit."""
DENSITY = 2
"""Inputs of a response between two counts."""
FITTED = 512
"""Levels from which a fit chooses."""
NEURONS = 64
"""Neurons whose responses are measured together."""


@frozen(eq=False)
class Response:
    """The activation with the response of a population. Shapes: (neurons,), or () if all are alike."""

    threshold: Reals
    level: Reals
    most: int
    """The greatest count."""
    is_exact: bool
    """Whether all counts of constant inputs are equal."""
    largest: float
    mean: float
    """Difference of the counts."""


def measure_response(op: ntensor.NeuronOp, update: ntensor.UpdateOp, ticks: int, bits: int, longer: str) -> Response:
    """Returns the response of a spiking population in a window, with counts of at most some bits; `longer` is the help for a longer window.

    Units: ticks [ticks], bits [bits]. Errors: LEG082 a population without a threshold, or that does not spike.
    """
    canonical = canonical_of(op)
    if missing := [name for name in ("threshold", "gain") if name not in canonical]:
        refuse_op(
            op,
            LEG082,
            expected="canonical threshold and gain",
            found=f"no {missing[0]}",
            help="add to its neuron, for example: canonical decay = 1, gain = r, leak = 0, threshold = v_threshold",
        )
    rows, inverse = distinct_neurons(op, canonical)
    found = [row_response(op, update, rows[k : k + NEURONS], ticks, bits, longer) for k in range(0, len(rows), NEURONS)]
    threshold, level = (np.concatenate([getattr(one, name) for one in found]) for name in ("threshold", "level"))
    shape = shape_of(op.z)
    alike = len(rows) == 1
    return Response(
        threshold[0] if alike else threshold[inverse].reshape(shape),
        level[0] if alike else level[inverse].reshape(shape),
        max(one.most for one in found),
        all(one.is_exact for one in found),
        max(one.largest for one in found),
        float(np.mean([one.mean for one in found])),
    )


def margin_of(op: ntensor.NeuronOp) -> float:
    """Returns the relative distance between the thresholds of `>=` and `>`. It exceeds the rounding error of sums in the potential's type."""
    return 2.0**-18 if element_type(op.xs[0]) == f32 else 2.0**-32


Row = dict[str, float]
"""The parameters, initial states and canonical values of a neuron, by kind and name."""


def distinct_neurons(op: ntensor.NeuronOp, canonical: dict[str, Reals]) -> tuple[list[Row], Ints]:
    """Returns the different neurons of a population, and the index of each."""
    named = {f"param {name}": array.values for name, array in op.arrays(op.params)}
    named |= {f"state {name}": array.values for name, array in op.arrays(op.initial)}
    named |= {f"canonical {name}": value for name, value in canonical.items()}
    shape = shape_of(op.z)
    table = np.stack([np.broadcast_to(value, shape).reshape(-1).astype(np.float64) for value in named.values()], 1)
    unique, inverse = np.unique(table, axis=0, return_inverse=True)
    return [dict(zip(named, map(float, row), strict=True)) for row in unique], inverse.reshape(-1)


@np.errstate(over="ignore", invalid="ignore")  # a response beyond the reals fits no layer
def row_response(
    op: ntensor.NeuronOp, update: ntensor.UpdateOp, rows: list[Row], ticks: int, bits: int, longer: str
) -> Response:
    """Returns the response of some neurons. Shapes: inputs and counts (inputs, neurons)."""

    def column(name: str, default: float = 0.0) -> Reals:
        return np.array([row.get(name, default) for row in rows])

    threshold, gain = column("canonical threshold"), column("canonical gain", 1) * column("canonical gain_i", 1)
    leak, decay, decay_i = column("canonical leak"), column("canonical decay", 1), column("canonical decay_i")
    start, steady = column("state v"), gain / (1 - decay_i)
    way = (threshold - leak) / steady  # the input of one tick that reaches the threshold from rest
    most = int(getattr(update.emitted.type, "upper", 1)) * ticks
    most = min(most, 2**bits - 1)
    places = (np.arange(-DENSITY, DENSITY * (most + 2)) + 0.5)[:, None] / DENSITY / ticks
    inputs = places * way - start / steady / ticks
    counts = np.minimum(run_window(op, update, rows, inputs, ticks), most)
    total = inputs * ticks
    level = threshold / steady
    above = (threshold - start) / steady
    is_integrating = ((decay == 1) & (leak == 0)).all() and (level > 0).all()
    if is_integrating and np.array_equal(activate(total, above, level, most), counts):
        is_reached = run_window(op, update, rows, above[None], 1)[0] > 0
        return Response(above - margin_of(op) * level * is_reached, level, most, True, 0.0, 0.0)
    return fitted_response(op, total, counts, most, longer)


def fitted_response(op: ntensor.NeuronOp, total: Reals, counts: Reals, most: int, longer: str) -> Response:
    """Returns the activation with the threshold of the response, and the level with the least squared error."""
    threshold, level = np.zeros(counts.shape[1]), np.zeros(counts.shape[1])
    for k, (x, n) in enumerate(zip(total.T, counts.T, strict=True)):
        silent, spiking = x[n == 0], x[n > 0]
        if not spiking.size or np.unique(n).size < 3 or (silent.size and silent.max() > spiking.min()):
            refuse_op(
                op,
                LEG082,
                "the population has no counts that grow with a constant input",
                expected="counts between 0 and the number of ticks of a window",
                found=f"{int(n.min())} to {int(n.max())}",
                help=longer,
            )
        threshold[k] = (silent.max() + spiking.min()) / 2 if silent.size else spiking.min()
        way = x.max() - threshold[k]
        levels = way * (4.0 * most) ** np.linspace(-1, 0, FITTED)[:, None]
        losses = ((activate(x, threshold[k], levels, most) - n) ** 2).sum(1)
        level[k] = levels[int(losses.argmin()), 0]
    errors = np.abs(activate(total, threshold, level, most) - counts)
    return Response(threshold, level, most, not errors.any(), float(errors.max()), float(errors.mean()))


def run_window(op: ntensor.NeuronOp, update: ntensor.UpdateOp, rows: list[Row], inputs: Reals, ticks: int) -> Reals:
    """Returns the sum of the output of neurons over a window of a constant input. Shapes: (inputs, neurons)."""
    total = np.zeros(inputs.shape)
    for value in outputs(op, update, rows, repeat(inputs, ticks)):
        total += value
    return total


def run_ticks(op: ntensor.NeuronOp, update: ntensor.UpdateOp, rows: list[Row], inputs: Reals) -> Reals:
    """Returns the output of neurons in each tick. Shapes: (ticks, inputs, neurons)."""
    return np.stack([value.astype(np.float64) for value in outputs(op, update, rows, inputs)])


def outputs(
    op: ntensor.NeuronOp, update: ntensor.UpdateOp, rows: list[Row], inputs: Iterable[Reals]
) -> Iterator[AnyArray]:
    """Yields the output of neurons in each tick, from their initial state. Shapes: each (inputs, neurons)."""
    from ....simulation.update import Step

    def entries(kind: str, types: dict[str, np.dtype[np.generic]]) -> dict[str, np.ndarray]:
        return {name: np.array([row[f"{kind} {name}"] for row in rows]).astype(dtype) for name, dtype in types.items()}

    params = entries("param", {name: array.values.dtype for name, array in op.arrays(op.params)})
    states = entries("state", {name: array.values.dtype for name, array in op.arrays(op.initial)})
    step: Step | None = None
    held: dict[str, AnyArray] = {}
    for x in inputs:
        if step is None:
            step = Step(update, params, x.shape)
            dtypes = dict(zip(step.states, (step.tape.dtypes[slot] for slot in step.state_slots), strict=True))
            held = {name: np.broadcast_to(value, x.shape).astype(dtypes[name]) for name, value in states.items()}
        yield step([x], held).value
