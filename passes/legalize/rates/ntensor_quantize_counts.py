"""Reduces the counts of activations to a few bits: one of a count then stands for several spikes.

    n = clip(ceil((x - threshold) / level), 0, 16)      weights w of the readers
    =>
    m = clip(ceil((x - (threshold + level (u - 1) / 2)) / (u level)), 0, 15)      weights u w,      m = round(n / u)

1. A population is a layer of `ntensor-encode-rates`, before the conversion to integers.
2. The unit u is `top / (2^bits - 1)`, and at least 1. `top` is the greatest count: that of the population, or the count of the largest input
   that a calibration observed for it (`ntensor-calibrate` after `ntensor-encode-rates`). With `data`, u is the one with the least squared
   error over all counts of the data, and large counts may saturate.
3. A population with a smaller greatest count gets that of the bits: its counts no longer saturate where the number of ticks did.
4. The readers take over u (`_count_units.py`). An output keeps m, and the population holds u as `machine.count_unit`.

Exactness: recorded, if u is not 1 or the greatest count changes. The errors are those of all numbers of spikes from 0 to `top`; with `data` the mean
is that of the counts of the data.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG080 bits; those of reading `data`. Warnings: LEG081 counts of the data that become 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import OBSERVED, find_observation
from ....analysis.node_selection import check_names, choose_ops, name_of
from ....analysis.output_units import count_unit, set_count_unit
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, Diagnostics, ExitCode
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....core.number_texts import counted_text
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ..relays._relays import NodeNames
from ._activations import (
    MOST_COUNT_BITS,
    activate,
    activation_values,
    build_activation,
    is_activation,
    most_of,
    replace_population,
)
from ._count_units import add_errors, check_option, fitted_unit, multiply_readers, unit_of
from ._frame_errors import count_numbers

LEG080 = Code("LEG080", "count-bits-out-of-range", "the bits of counts are out of range", exit_code=ExitCode.MISUSED)
LEG081 = Code("LEG081", "counts-become-zero", "most counts become 0")


@dataclass(frozen=True)
class NtensorQuantizeCountsPass(NoptPass):
    """Reduces the counts of the layers of every `ntensor.network`.

    Options:
        bits: width of a count, 1 to 16, default 4. Fewer bits make coarser counts.
        data: a file as `nopt run --input` takes it, whose counts choose the unit; default none. It keeps more with 1 or 2 bits.
        samples: number of samples of the data, from the first; default all.
        axes: the order of the axes of the data before those of the input, `samples,ticks` or `ticks,samples`; default the first.
        nodes: the populations; default all activations.
    """

    name = "ntensor-quantize-counts"
    APPROXIMATES = ("precision",)
    bits: int = 4
    data: str | None = None
    samples: int | None = None
    axes: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_option(self, LEG080, "bits")
        check_names(op, self.nodes, is_activation, self.name)
        updates = ntensor.find_updates(op)
        for network in networks(op):
            names, errors, units = NodeNames(network), Errors(), [1.0]
            chosen, numbers = choose_ops(network, self.nodes, is_activation), dict[str, Reals]()
            if self.data is not None:
                data = self.data, self.axes or None, self.samples
                numbers = count_numbers(network, data, {name_of(op): 1.0 for op in chosen}, diagnostics_of(ctx))
            for neuron in chosen:
                assert isinstance(neuron, ntensor.NeuronOp)  # is_activation
                most = most_of(neuron, updates)
                units.append(self.quantize(neuron, most, numbers, names, errors, diagnostics_of(ctx)))
            network.update_signature()
            what = f"counts of {counted_text(self.bits, 'bit')}, in units of up to {max(units):.4g} spikes"
            errors.record(network, pass_text(self), what)
        erase_unused_updates(op, updates.values())

    def quantize(
        self,
        op: ntensor.NeuronOp,
        most: int,
        numbers: Mapping[str, Reals],
        names: NodeNames,
        errors: Errors,
        diagnostics: Diagnostics,
    ) -> float:
        """Reduces the counts of a population, and returns their unit."""
        threshold, level = activation_values(op)
        seen = numbers.get(op.node.data)
        top = self.top(op, threshold, level, most) if seen is None else float(len(seen) - 1)  # 2
        unit = unit_of(top, self.bits) if seen is None else fitted_unit(seen, self.bits)
        if seen is not None:
            self.warn(op, unit, seen, diagnostics)
        greatest = 2**self.bits - 1
        made = build_activation(
            names, op.node.data, op.xs[0], greatest, self.bits, threshold + level * (unit - 1) / 2, level * unit
        )
        if unit != 1 or most != greatest:
            add_errors(errors, op.node.data, top, unit, self.bits, seen)
        if (found := op.attributes.get(OBSERVED)) is not None:
            made.attributes[OBSERVED] = found
        set_count_unit(made, unit * count_unit(op))
        replace_population(op, made)
        multiply_readers(made.z, unit, names, made.xs[0])  # 4
        return unit

    def warn(self, op: ntensor.NeuronOp, unit: float, seen: Reals, diagnostics: Diagnostics) -> None:
        """Warns if more than half of the counts of the data that are not 0 become 0. Warnings: LEG081."""
        there = float(seen[1:].sum())

        def lost(unit: float) -> float:
            return float(seen[1 : int(unit / 2) + 1].sum())

        if 2 * lost(unit) > there:
            bits = range(self.bits + 1, MOST_COUNT_BITS)
            enough = next((n for n in bits if 2 * lost(fitted_unit(seen, n)) <= there), MOST_COUNT_BITS)
            diagnostics.warning(
                LEG081,
                op=op,
                expected=f"counts above half a unit of {unit:.4g} spikes",
                found=f"{lost(unit):.0f} of {there:.0f} counts of the data with at most {int(unit / 2)}",
                help=suggest_pass(replace(self, bits=enough)),
            )

    def top(self, op: ntensor.NeuronOp, threshold: Reals, level: Reals, most: int) -> float:
        """Returns the greatest count of a population."""
        seen = find_observation(op, "x")
        if not isinstance(seen, ArrayAttr) or seen.shape != (2,):
            return float(most)
        return max(1.0, float(np.max(activate(seen.values[1], threshold, level, most), initial=0)))
