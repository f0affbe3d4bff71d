"""Moves the decays of neurons onto a grid: multiples of a power of two, or the decays that bit shifts compute.

    k = 0.032, canonical decay = 0.968        =>        k = 0.03125, canonical decay = 0.96875        (bits = 8: 248 / 256)

    mode=nearest:   decay' = round(decay 2^bits) / 2^bits, ties to even
    mode=shift:     decay' = 1 - 2^-n for the nearest n of 0 .. bits, as in `v - (v >> n)`; 1 stays 1

1. A population whose rule has a canonical `decay` or `decay_i` that follows from its parameters.
2. The parameters of the step that carry it. They are derived from the same raw parameters and dt, and equal it, or 1 minus it, neuron
   by neuron. All of them change, the others stay: `_populations.py`.
3. A rule whose step carries it as an integer has its own grid, and stays.

The other canonical values that are derived from these parameters follow, such as the gain `k r`. Recorded: the largest and the mean
error over the numbers of the parameters as they are stored; without a change nothing is recorded.

Errors: NTE009 a network in continuous time;
QUA011 a decay that no parameter of the step carries; QUA013 one beyond 0..1; QUA027 bits; ANA031 a node that is not there. Warnings: QUA012 a decay
that becomes 0 or 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import name_of
from ....analysis.rounding_losses import Lost
from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, Diagnostics, refuse_op
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ._parameter_grid import changes, check_bits
from ._populations import Carrier, carriers, entry_values, follow, param_of, populations, refuse_uncarried

QUA011 = Code("QUA011", "decay-not-step-parameter", "a decay is not a parameter of the step")
QUA012 = Code("QUA012", "decay-becomes-zero-or-one", "a decay becomes 0 or 1")
QUA013 = Code("QUA013", "decay-out-of-range", "a decay is not between 0 and 1")

WIDEST = 24
"""Multiples of 2^-24 up to 1 are numbers of f32."""
DECAYS = ("decay", "decay_i")


def round_decay(decay: NDArray[np.float64], bits: int) -> NDArray[np.float64]:
    return np.ldexp(np.rint(np.ldexp(decay, bits)), -bits)


def shift_decay(decay: NDArray[np.float64], bits: int) -> NDArray[np.float64]:
    """Returns the nearest 1 - 2^-n, or the smaller one of two that are equally near."""
    leak = 1 - decay
    _, exponent = np.frexp(np.where(leak > 0, leak, 1.0))  # leak in 2^(exponent - 1) .. 2^exponent
    n = np.clip(-exponent, 0, bits)
    below, above = 1 - np.ldexp(1.0, -n), 1 - np.ldexp(1.0, -np.minimum(n + 1, bits))
    return np.where(leak > 0, np.where(decay - below <= above - decay, below, above), decay)


def bits_kept(decay: NDArray[np.float64], end: float) -> int:
    """Returns the least number of bits such that no decay is rounded to `end`, which is 0 or 1."""
    nearest_to_end = float(np.abs(decay - end).min())
    return max(1, math.floor(-math.log2(nearest_to_end)))


def carried(carrier: Carrier, decay: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 - decay if carrier.is_complement else decay


@dataclass(frozen=True)
class NtensorQuantizeDecayPass(NoptPass):
    """Moves the decays of the populations of every `ntensor.network` onto a grid.

    Options:
        bits: binary digits of a decay, 1 to 24; default 12. Time constants of 2^bits ticks are the longest.
        mode: `nearest`, the default: a multiple of 2^-bits; `shift`: 1 - 2^-n with n up to bits, coarser, for chips that decay by
            shifting bits.
        nodes: the populations, `nodes=lif1,"lif2.lif"`; default all that have a decay.
    """

    name = "ntensor-quantize-decay"
    APPROXIMATES = ("precision",)
    bits: int = 12
    mode: Literal["nearest", "shift"] = "nearest"
    nodes: tuple[str, ...] = ()

    def milder_variants(self) -> Iterator[ModulePass]:
        """Yields multiples of 2^-bits instead of shifts, then more bits."""
        if self.mode == "shift":
            yield replace(self, mode="nearest")
        yield from super().milder_variants()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_bits(self, self.bits, 1, WIDEST)
        digits = f"multiples of 2^-{self.bits}" if self.mode == "nearest" else f"1 - 2^-n with n up to {self.bits}"
        for network, found in populations(op, self.nodes, self.name):
            errors = Errors()
            for neuron, update in found:
                self.quantize(neuron, update, errors, diagnostics_of(ctx))
            errors.record(network, pass_text(self), f"decays as {digits}")

    def quantize(
        self, op: ntensor.NeuronOp, update: ntensor.UpdateOp, errors: Errors, diagnostics: Diagnostics
    ) -> None:
        params: dict[str, NDArray[Any]] = {}
        canonical: dict[str, NDArray[Any]] = {}
        for name in DECAYS:
            if op.canonical is None or name not in op.canonical.data:  # 1
                continue
            found = carriers(op, update, name)
            if found.is_constant or (found.has_integers and not found.found):  # 1, 3
                continue
            decay = entry_values(op.canonical, name).astype(np.float64)
            self.check(op, name, decay, bool(found.found))
            made = (round_decay if self.mode == "nearest" else shift_decay)(decay, self.bits)
            self.warn(op, name, decay, made, diagnostics)
            for one in found.found:
                before = param_of(op, update, one.name)
                after = carried(one, made).astype(before.dtype)
                if (change := changes(before, after)).any():
                    errors.add(name_of(op), change)
                    params[one.name] = after
                    canonical[name] = made
        if params:
            follow(op, update, params, canonical)

    def check(self, op: ntensor.NeuronOp, name: str, decay: Reals, is_carried: bool) -> None:
        """Refuses a decay that no parameter stores (2), and a decay outside of 0..1."""
        if not is_carried:
            refuse_uncarried(QUA011, name, op, f"is {name}, or 1 - {name}")
        outside = decay[~((decay >= 0) & (decay <= 1))]
        if outside.size:
            refuse_op(
                op,
                QUA013,
                f"{name} is not a decay",
                expected="0 to 1, the share that is kept over a tick",
                found=f"{outside.flat[0]:.9g}",
                help="choose a time step below the time constant",
            )

    def warn(self, op: ntensor.NeuronOp, name: str, decay: Reals, made: Reals, diagnostics: Diagnostics) -> None:
        """Warns of decays that become 0 or 1."""
        every = {end: lost for end in (0.0, 1.0) if (lost := Lost.of(decay, made, end)) is not None}
        bits = max((bits_kept(lost.values, end) for end, lost in every.items()), default=self.bits)
        finer = replace(self, bits=bits, mode="nearest")
        for end, lost in every.items():
            value = float(lost.values[0])
            ticks = 1 / (1 - value)
            diagnostics.warning(
                QUA012,
                f"{name} becomes {end:g}{lost.neurons}",
                op=op,
                expected="a decay between 0 and 1",
                found=f"{value:.9g}, a time constant of {ticks:.6g} ticks,{lost.places}".removesuffix(","),
                help=suggest_pass(finer)
                if finer.bits <= WIDEST
                else "dt-ns=N of convert-nir-to-ntensor with a larger N",
            )
