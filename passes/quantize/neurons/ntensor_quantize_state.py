"""Sets the width of neuron states: they are rounded to a fixed point at the end of every tick, and saturate or wrap at the ends.

    %z = ntensor.neuron "lif" @norse_lif.value(%x) {initial = {v = 0.3}}
        =>
    ntensor.update @norse_lif.value.v8q4 <spike> …                     // … and then: v = clip(real(round(v * 16)) * 0.0625, -8, 7.9375)
    %z = ntensor.neuron "lif" @norse_lif.value.v8q4(%x) {initial = {v = 0.3125}}

1. All states that are reals. Integers have their width already. Each pair of an update and widths needs one new update.
2. The step is a power of two: 2^-fraction where that is given, else the finest with which the bits hold the range, for each state of
   each population by itself. The ends are those of two's complement: -2^(bits - 1) and 2^(bits - 1) - 1 steps.
3. Spikes are decided, and records read, before the state is rounded, in the order of the equations. A state that is emitted is emitted
   as it is kept. Initial values are rounded alike.
4. A state that has this width already stays. An update declares the widths of its states: `ntensor.widths = {v = {bits, fraction,
   overflow, rounding}}`.

The arithmetic stays that of reals and is exact: `_state_widths.py`. Recorded: step / 2 as the largest error that a tick adds to a state
(`rounding=round`; else a step), that of initial values where it is larger; a mean is not known. Overflow is not part of it.

Errors: NTE009 a network in continuous time;
QUA028 no range is known; QUA029 `low` and `high` do not fit `range`; QUA036 a fraction out of range, or together with a range; QUA027
bits; ANA031 a node that is not there. Warnings: QUA037 a state that leaves its width; QUA038 one whose observed
values all become 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, SymbolRefAttr, f64
from xdsl.passes import ModulePass

from ....analysis.node_selection import name_of
from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.help_text import Phrase
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, option_text, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import add_update, erase_unused_updates
from ._parameter_grid import bits_for, bits_held, changes, check_bits, exponent_for, in_type, steps_of
from ._populations import check_range, entry_values, observed, populations, range_of, replaced
from ._state_widths import Overflow, Rounding, Width, met, narrowed, real_states

QUA036 = Code("QUA036", "state-fraction-out-of-range", "a fraction is out of range", exit_code=ExitCode.MISUSED)
QUA037 = Code("QUA037", "state-exceeds-width", "a state leaves its width")
QUA038 = Code("QUA038", "state-becomes-zero", "a state becomes 0")

FINEST = 100


@dataclass
class Change:
    """The changes of a pass in one network: the populations, the steps, and the largest error of a tick or initial value."""

    touched: list[str] = field(default_factory=list[str])
    fractions: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    largest: float = 0.0

    def add(self, node: str, widths: dict[str, Width]) -> None:
        self.touched.append(node)
        for name, width in widths.items():
            self.fractions[name] = sorted({*self.fractions.get(name, []), width.fraction})
            self.largest = max(self.largest, width.error)

    @property
    def steps(self) -> str:
        """The steps of the states: `2^-8 (v), 2^-10 to 2^-8 (i)`."""
        shown: dict[str, list[str]] = {}
        for name, fractions in self.fractions.items():
            ends = dict.fromkeys((fractions[-1], fractions[0]))
            shown.setdefault(" to ".join(f"2^{-fraction}" for fraction in ends), []).append(name)
        return ", ".join(f"{steps} ({', '.join(names)})" for steps, names in shown.items())


Made = dict[tuple[str, tuple[tuple[str, Width], ...]], str]
"""The symbols of the updates that a pass added, by the symbol of the old one and the widths."""


@dataclass(frozen=True)
class NtensorQuantizeStatePass(NoptPass):
    """Sets the width of the states of the populations of every `ntensor.network`.

    Options:
        bits: signed bits of a state, 2 to 53, to 24 where it is an f32; default 16.
        fraction: fraction bits, -100 to 100; default none: from the range. More round less and end earlier.
        range: `observed`, the default: the lowest and highest value of `ntensor.observed`, state by state; `given`: low and high.
        low, high: the range of every state; with `range=given` only.
        overflow: `saturate`, the default: the nearer end; `wrap`: modulo 2^bits steps.
        rounding: `round`, the default: to nearest, ties to even; `floor`, `ceil`, or `truncate`, toward zero.
        nodes: the populations, `nodes=lif1,"lif2.lif"`; default all.
    """

    name = "ntensor-quantize-state"
    APPROXIMATES = ("precision",)
    bits: int = 16
    fraction: int | None = None
    range: Literal["observed", "given"] = "observed"
    low: float | None = None
    high: float | None = None
    overflow: Overflow = "saturate"
    rounding: Rounding = "round"
    nodes: tuple[str, ...] = ()

    def milder_variants(self) -> Iterator[ModulePass]:
        """Yields wider states: those of twice to 64 times a given range, or with fewer fraction bits, then those
        that round less, too.
        """
        if self.range == "given" and self.low is not None and self.high is not None:
            yield from (
                replace(self, bits=self.bits + k, low=self.low * 2**k, high=self.high * 2**k)
                for k in range(1, 7)
                if self.bits + k <= bits_held(f64)
            )
        for wider in super().milder_variants():
            yield wider
            if self.fraction is not None and isinstance(wider, NtensorQuantizeStatePass):
                yield replace(wider, fraction=min(FINEST, self.fraction + wider.bits - self.bits))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check()
        made: Made = {}
        for network, found in populations(op, self.nodes, self.name):
            change = Change()
            for neuron, update in found:
                if widths := self.widths(neuron, update):
                    self.warn(neuron, update, widths, diagnostics_of(ctx))
                    self.quantize(neuron, update, widths, op, made, change)
            if change.touched:
                does = "saturate" if self.overflow == "saturate" else "wrap"
                what = f"states rounded to {change.steps} at the end of each tick; beyond {self.bits} bits they {does}"
                network.record(
                    ntensor.ApproximationAttr.of(
                        pass_text(self), what, change.touched, change.largest, unit="1 per tick"
                    )
                )
        narrowed_names = {name for name, _ in made}
        erase_unused_updates(op, [one for name, one in ntensor.find_updates(op).items() if name in narrowed_names])

    def check(self) -> None:
        check_bits(self, self.bits, 2, 53)
        check_range(self.name, self.range == "given", self.low, self.high)
        if self.fraction is not None and (self.range == "given" or not -FINEST <= self.fraction <= FINEST):
            beside = self.range == "given"
            refuse(
                QUA036,
                "a fraction is given together with a range" if beside else "the fraction is out of range",
                at=self.name,
                expected="a fraction or a range" if beside else f"{-FINEST} to {FINEST}",
                found=f"fraction={self.fraction}" + (" range=given" if beside else ""),
                help=f"{self.name}{{bits={self.bits} fraction={min(max(self.fraction, -FINEST), FINEST)}}}",
            )

    def quantize(
        self,
        op: ntensor.NeuronOp,
        update: ntensor.UpdateOp,
        widths: dict[str, Width],
        module: ModuleOp,
        made: Made,
        change: Change,
    ) -> None:
        """Sets the widths of the states of a population."""
        key = update.sym_name.data, tuple(widths.items())
        if key not in made:
            made[key] = self.add(module, update, widths)
        op.update = SymbolRefAttr(made[key])
        types = update.state_types
        starts = {name: in_type(entry_values(op.initial, name), types[name]) for name in widths}
        ends = {name: met(values, widths[name]) for name, values in starts.items()}
        op.initial = replaced(op.initial, ends)
        change.add(name_of(op), widths)
        errors = (float(changes(starts[name], ends[name]).max(initial=0)) for name in ends)
        change.largest = max(change.largest, *errors)

    def widths(self, op: ntensor.NeuronOp, update: ntensor.UpdateOp) -> dict[str, Width]:
        """Returns the widths of the states that do not have theirs yet."""
        found: dict[str, Width] = {}
        held = update.attributes.get("ntensor.widths")
        for name in real_states(update):  # 1
            check_bits(self, self.bits, 2, bits_held(update.state_types[name]), op)
            width = Width(self.bits, self.fraction_of(op, name), self.overflow, self.rounding)
            if not isinstance(held, DictionaryAttr) or held.data.get(name) != width.attribute:  # 4
                found[name] = width
        return found

    def fraction_of(self, op: ntensor.NeuronOp, name: str) -> int:  # 2
        if self.fraction is not None:
            return self.fraction
        node = option_text(name_of(op))
        help = f'ntensor-calibrate{{data="x.npy"}},{pass_text(self)}, or {self.name}{{fraction=8 nodes={node}}}'
        lowest, highest = range_of(op, name, (self.low, self.high), help)
        return max(-FINEST, -exponent_for(lowest, highest, self.bits, -FINEST))

    def warn(
        self, op: ntensor.NeuronOp, update: ntensor.UpdateOp, widths: dict[str, Width], diagnostics: Diagnostics
    ) -> None:
        """Warns of states that exceed their widths, and of states that are always 0."""
        for name, width in widths.items():
            start = entry_values(op.initial, name).astype(np.float64)
            seen = observed(op, name) or (0.0, 0.0)
            start = start[np.isfinite(start)]
            lowest, highest = min(seen[0], float(start.min(initial=0))), max(seen[1], float(start.max(initial=0)))
            low, high = width.ends
            is_small = 0 < max(map(abs, seen)) < width.step
            if is_small and not met(np.array(seen), width).any():  # nor is a value between them another number
                diagnostics.warning(
                    QUA038,
                    f"{name} becomes 0 in each tick",
                    op=op,
                    expected=f"values of half a step or more: {width.step / 2:.6g}",
                    found=f"{seen[0]:.6g} to {seen[1]:.6g}",
                    help=self.again(lowest, highest, -exponent_for(*seen, self.bits, -FINEST)),
                )
            if low <= lowest and highest <= high:
                continue
            wanted = bits_for(steps_of(lowest, width.step), steps_of(highest, width.step))
            bits, fraction = wanted, width.fraction
            if wanted > bits_held(update.state_types[name]):
                bits, fraction = self.bits, -exponent_for(lowest, highest, self.bits, -FINEST)
            diagnostics.warning(
                QUA037,
                f"{name} leaves its width, and {'saturates' if self.overflow == 'saturate' else 'wraps'} there",
                op=op,
                expected=f"{low:.6g} to {high:.6g}: {width.bits} bits, {width.fraction} of fraction",
                found=f"{lowest:.6g} to {highest:.6g}",
                help=self.again(min(low, lowest), max(high, highest), fraction, bits),
            )

    def again(self, low: float, high: float, fraction: int, bits: int | None = None) -> Phrase:
        """Formats this pass for a range: a given one, else by a fraction."""
        ends: dict[str, Any] = {"low": low, "high": high} if self.range == "given" else {"fraction": fraction}
        return suggest_pass(replace(self, bits=bits or self.bits, **ends))

    def add(self, module: ModuleOp, update: ntensor.UpdateOp, widths: dict[str, Width]) -> str:
        """Returns the symbol of an update with these widths, which is added where it is not there yet."""
        base = update.sym_name.data
        stem, precision = (base.removesuffix(".f32"), ".f32") if base.endswith(".f32") else (base, "")
        parts = [stem, *(f"{name}{width.text}" for name, width in widths.items())]
        parts += [self.overflow] * (self.overflow != "saturate") + [self.rounding] * (self.rounding != "round")
        return add_update(module, narrowed(update, widths), update, ".".join(parts), precision)
