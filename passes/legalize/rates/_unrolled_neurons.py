"""The potential of a neuron over the ticks of a frame, as a sum of its inputs and of its own spikes.

    v(t) = c(t) + sum over k of h(k) x(t - k) - sum over k > 0 of g(k) n(t - k)

h, g and c follow from the canonical values of the population. A spike subtracts the threshold at the end of its tick, before the decay of the
next tick, or after it. The update runs with random inputs: its spikes show which of the two holds, and whether this sum is the potential.
"""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen

from ....core.arrays.numeric import Ints, Reals
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.help_text import Phrase
from ....core.ir.operation import element_type
from ....dialects import ntensor
from ..updates._canonical_parameters import canonical_of
from ._rate_curves import SPIKES, Row, distinct_neurons, margin_of, run_ticks, run_window

LEG095 = Code(
    "LEG095", "potential-not-input-sum", "the potential of a population is not a sum of its inputs and spikes"
)

TRAINS = 256
"""Random inputs over a frame that an update runs with."""
AIMS = -2.5, 1.5
"""Least and greatest distance of the potential from the threshold with such an input, in levels."""
NEAR_THRESHOLD = 2.0**-12
"""Part of a threshold within which rounding may decide about a spike."""


@frozen(eq=False)
class Law:
    """The sum of one population. Shapes: response, mark and constants (ticks, neurons), threshold and level (neurons,)."""

    response: Reals
    mark: Reals
    """The part of the potential that a spike of k ticks ago subtracts; 0 for k = 0."""
    constants: Reals
    """The potential without input and spikes."""
    threshold: Reals
    level: Reals
    """The potential of one more spike."""
    most: int
    """The greatest number of spikes in a tick; 0 of a population that emits values."""
    largest: float = 0.0
    mean: float = 0.0
    """Difference of the spikes of random inputs in a tick."""

    @property
    def spikes(self) -> bool:
        return self.most > 0


def neuron_law(
    op: ntensor.NeuronOp, update: ntensor.UpdateOp, window: int, bits: int | None, permit: Phrase | None
) -> Law:
    """Returns the sum rule of a population over a window; counts have `bits` bits. `permit` is the help line if different spikes are refused."""
    canonical = canonical_of(op)
    is_value = update.emits.data is ntensor.Emits.VALUE
    needed = ["decay", "gain", *([] if is_value else ["threshold"])]
    what = {
        "one input of reals": update.takes_integers or len(op.xs) != 1,
        "spikes, counts or values": update.emits.data is ntensor.Emits.GRADED,
        f"canonical {', '.join(needed)}": any(name not in canonical for name in needed),
    }
    if wrong := next((expected for expected, is_wrong in what.items() if is_wrong), None):
        found = f"@{update.sym_name.data} of {', '.join(str(element_type(x)) for x in op.xs)}"
        refuse_op(
            op, LEG095, expected=wrong, found=found, help="unroll the network of reals, before the passes of a device"
        )
    if is_value and (
        readers := [use.operation for use in op.z.uses if not isinstance(use.operation, ntensor.OutputOp)]
    ):
        found, help = f"values, which {describe_op(readers[0])[0]} reads", "a device that computes every tick"
        refuse_op(op, LEG095, expected="spikes between two layers", found=found, help=help)
    rows, inverse = distinct_neurons(op, canonical)
    upper = int(getattr(update.emitted.type, "upper", 1))
    bits = bits or min(upper, SPIKES).bit_length()
    most = 0 if is_value else min(upper, 2**bits - 1)
    laws = [law_of(rows, window, most, is_late) for is_late in (False, True)]
    if is_value:
        return spread(laws[0], inverse)
    inputs = random_inputs(laws[0])
    counts = np.minimum(run_ticks(op, update, rows, inputs), most)
    misses = [np.abs(expected_counts(law, inputs, counts) - counts) for law in laws]
    law, missed = min(zip(laws, misses, strict=True), key=lambda one: float(one[1].sum()))
    if missed.any() and permit is not None:
        refuse_op(
            op,
            LEG095,
            expected="a linear leak and a reset that subtracts the threshold, or no reset",
            found=f"other spikes in {int((missed > 0).sum())} of {missed.size} ticks of random inputs, in @{update.sym_name.data}",
            help=permit,
            notes=["--reset subtract converts a network that was trained with such a reset"],
        )
    free = np.abs(own_counts(law, inputs) - counts) if missed.any() else missed
    is_reached = run_window(op, update, rows, ((law.threshold - law.constants[0]) / law.response[0])[None], 1)[0] > 0
    threshold = law.threshold - margin_of(op) * law.level * is_reached
    found = Law(
        law.response, law.mark, law.constants, threshold, law.level, most, float(free.max()), float(free.mean())
    )
    return spread(found, inverse)


def law_of(rows: list[Row], ticks: int, most: int, is_late: bool) -> Law:
    """Returns the sum of some neurons by their canonical values. `is_late`: a spike subtracts the threshold after the next decay."""

    def column(name: str, default: float) -> Reals:
        return np.array([row.get(name, default) for row in rows])

    def values(name: str, default: float) -> Reals:
        return column(f"canonical {name}", default)

    decay, leak, threshold = values("decay", 1), values("leak", 0), values("threshold", np.inf)
    decay_i, gain_i, gain = values("decay_i", 0), values("gain_i", 1), values("gain", 1)
    v, i = column("state v", 0.0), column("state i", 0.0)
    response, constants = np.zeros((ticks, len(rows))), np.zeros((ticks, len(rows)))
    impulse, current = np.zeros(len(rows)), gain_i
    for tick in range(ticks):
        impulse = decay * impulse + gain * current
        current = decay_i * current
        response[tick] = impulse
        i = decay_i * i
        v = leak + decay * (v - leak) + gain * i
        constants[tick] = v
    powers = np.arange(ticks)[:, None] - (1 if is_late else 0)
    mark = (
        np.where(np.arange(ticks)[:, None] > 0, threshold * decay ** np.maximum(powers, 0), 0.0)
        if most
        else response * 0
    )
    return Law(response, mark, constants, threshold, threshold, most)


def spread(law: Law, inverse: Ints) -> Law:
    """Returns the sum rule of all neurons; `inverse` maps each neuron to its column in the rule of the distinct neurons."""
    return evolve(
        law,
        response=law.response[:, inverse],
        mark=law.mark[:, inverse],
        constants=law.constants[:, inverse],
        threshold=law.threshold[inverse],
        level=law.level[inverse],
    )


def random_inputs(law: Law) -> Reals:
    """Returns inputs that move the potential of the sum to random values around the threshold. Shapes: (ticks, trains, neurons)."""
    rng = np.random.default_rng(0)
    aims = law.threshold + rng.uniform(*AIMS, (len(law.response), TRAINS, len(law.level))) * law.level
    inputs, counts = np.zeros(aims.shape), np.zeros(aims.shape)
    first = np.where(law.response[0] == 0, 1.0, law.response[0])
    for tick in range(len(aims)):
        inputs[tick] = (aims[tick] - potential(law, inputs, counts, tick)) / first
        counts[tick] = emitted(law, potential(law, inputs, counts, tick))
    return inputs


def expected_counts(law: Law, inputs: Reals, counts: Reals) -> Reals:
    """Returns the spike counts that the sum predicts for each tick from the real counts of earlier ticks; near a threshold, the real counts."""
    found = counts.copy()
    for tick in range(len(inputs)):
        v = potential(law, inputs, counts, tick)
        above = (v - law.threshold) / law.level
        is_near = np.abs(above - np.rint(above)) < NEAR_THRESHOLD
        found[tick] = np.where(is_near, counts[tick], emitted(law, v))
    return found


def own_counts(law: Law, inputs: Reals) -> Reals:
    """Returns the spikes by the sum alone."""
    found = np.zeros(inputs.shape)
    for tick in range(len(inputs)):
        found[tick] = emitted(law, potential(law, inputs, found, tick))
    return found


def emitted(law: Law, v: Reals) -> Reals:
    """Returns the spikes of potentials."""
    return np.clip(np.ceil((v - law.threshold) / law.level), 0, law.most)


def potential(law: Law, inputs: Reals, counts: Reals, tick: int) -> Reals:
    """Returns the potential in a tick, before its reset. Shapes: inputs and counts (ticks, trains, neurons)."""
    back = slice(tick, None, -1)
    v = (law.response[: tick + 1, None] * inputs[back]).sum(0) + law.constants[tick]
    return v - (law.mark[: tick + 1, None] * counts[back]).sum(0)
