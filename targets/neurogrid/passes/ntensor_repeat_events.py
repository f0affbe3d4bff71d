"""Rounds weights to numbers of events: a spike sends several events to a site in place of a weight.

    %s = ntensor.linear "fc" %x {weight = [0.5, 0.9, -0.26]}
      =>  (max-events=2)
    %s = ntensor.linear "fc" %x {weight = [1, 2, -1], quantized = <3, scale [0.46, 0.46, 0.26]>}

1. The weights of one sign into a population share the value of one event. It is the one with the least squared error of these weights: by Lloyd's
   rounds from several starts, among them the quotients of the largest weight, with which such weights stay as they are.
2. A weight becomes the nearest number of events up to `max-events`. With max-events=1 a synapse has one event or none, so that weights are clustered into two values.
3. Biases are rounded to the same values. `ntensor-replace-biases` makes them synapses.
4. Populations that share synapses share their values.

The errors of all weights and biases that changed are recorded. More events take more entries of the tables of the chip.

Errors: NTE009 a network in continuous time; NGR011 `max-events` out of range; NGR013 a weight that is not finite.
Warnings: ANA028, ANA029, ANA030, ANA026, ANA027 weights and biases that are lost.
Source: S. Lloyd, Least squares quantization in PCM, IEEE Trans. Inf. Theory 28 (1982), for one unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import name_of
from ....analysis.rounding_losses import RoundedWeights, report_bias, report_weights
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Reals
from ....core.diagnostics import Diagnostics
from ....core.fixed_point import Interval
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....core.number_texts import counted_text
from ....dialects.ntensor.network import networks
from ..receptors import SIGNS, ReceptorWeights, Weighted, counted, receptor_groups
from .ntensor_count_events import MOST_EVENTS, limited_events, store, verify_finite, verify_most_events

ROUNDS = 20
"""Rounds of Lloyd's algorithm; it usually ends earlier."""
STARTS = 24
"""Starts between the largest weight and its smallest quotient."""


@dataclass(frozen=True)
class NtensorRepeatEventsPass(NoptPass):
    """Rounds the weights of every `ntensor.network`.

    Options:
        max-events: the events of one weight, 1 to 127, default 7. A device that the network names can have fewer.
    """

    name = "ntensor-repeat-events"
    APPROXIMATES = ("precision",)
    max_events: int = 7

    def milder_variants(self) -> Iterator[ModulePass]:
        """Yields more events, to 127."""
        yield from (replace(self, max_events=2**k - 1) for k in range(1, 8) if 2**k - 1 > self.max_events)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most_events(self, self.max_events)
        for network in networks(op):
            most, errors = limited_events(network, self.max_events), Errors()
            for group in receptor_groups(network):
                verify_finite(group)
                units = [best_unit(group.magnitudes(sign), most) for sign in SIGNS]
                round_biases(group, units, most, errors, diagnostics_of(ctx))
                found, limit = diagnostics_of(ctx), limited_events(network, MOST_EVENTS)

                def finer(size: float, step: float, group: ReceptorWeights = group, limit: int = limit) -> str:
                    enough = enough_events(group, size, self.max_events + 1, limit)
                    return "" if enough is None else suggest_pass(replace(self, max_events=enough))

                report_weights([counted_weights(group, op, units, most) for op in group.ops], found, finer)
                store(group, units, most, errors)
            errors.record(network, pass_text(self), f"weights rounded to at most {counted_text(most, 'event')}")


def enough_events(group: ReceptorWeights, size: float, least: int, most: int) -> int | None:
    """Returns the least maximum of events per weight that rounds a weight of this size to at least one event; None without such a maximum."""
    every = [sizes for sizes in map(group.magnitudes, SIGNS) if len(sizes)]
    counts = (count for k in range(1, 8) if least <= (count := 2**k - 1) <= most)
    return next((count for count in counts if max(best_unit(sizes, count) for sizes in every) < 2 * size), None)


def best_unit(magnitudes: Reals, most: int) -> float:
    """Returns the value of one event with the least squared error. Shapes: magnitudes [weights], above 0."""  # 1
    return unit_of(np.asarray(magnitudes, np.float64).tobytes(), most) if len(magnitudes) else 1.0


@lru_cache(maxsize=64)
@np.errstate(over="ignore", invalid="ignore")  # huge weights have an infinite error with each unit
def unit_of(values: bytes, most: int) -> float:
    """Returns the value of one event for 64-bit reals. The same weights are tried with many limits of events, network after network."""
    magnitudes = np.frombuffer(values)
    largest = float(magnitudes.max())
    starts = [largest / k for k in range(1, most + 1)] + (largest / np.geomspace(1, most, STARTS)).tolist()
    best, rounds = (np.inf, largest), dict[float, int]()
    events, terms = np.empty_like(magnitudes), np.empty_like(magnitudes)
    for unit in starts:
        for k in range(ROUNDS):
            if rounds.get(unit, ROUNDS) <= k:  # another start came here in as many rounds, and went on
                break
            rounds[unit] = k
            np.minimum(np.rint(np.divide(magnitudes, unit, out=events), out=events), most, out=events)
            np.subtract(magnitudes, np.multiply(events, unit, out=terms), out=terms)
            error = float(np.square(terms, out=terms).sum())
            best = min(best, (error, unit), key=lambda one: one[0])
            if not events.any():
                break
            # sums, because the last bits of a product of vectors depend on the number of threads
            total = np.multiply(magnitudes, events, out=terms).sum()
            unit = float(total / np.square(events, out=terms).sum())
    return best[1]


def counted_weights(group: ReceptorWeights, op: Weighted, units: list[float], most: int) -> RoundedWeights:
    events = group.counts(op, units, most)
    step = np.where(group.values[op] < 0, units[1], units[0])
    return RoundedWeights(op, group.values[op], events * step, step)


def round_biases(
    group: ReceptorWeights, units: list[float], most: int, errors: Errors, diagnostics: Diagnostics
) -> None:  # 3
    for op, bias in group.biases.items():
        events = counted(bias, units, most)
        rounded = events * np.where(events < 0, units[1], units[0])
        step = np.where(bias < 0, units[1], units[0])
        report_bias(op, bias, rounded, step, Interval(-most, most), diagnostics)
        given = op.optional_array("bias")
        assert given is not None  # it has one
        op.properties["bias"] = ArrayAttr.of(rounded.astype(given.values.dtype))
        if (lost := np.abs(rounded - bias)).any():
            errors.add(name_of(op), lost)
