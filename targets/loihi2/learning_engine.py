"""Learning engine of Loihi: evaluates the sums of products of a table in the integers of Lava.

    each tick:           the events of axons and compartments set x0, tx, y0, ty; a second spike in an epoch adds its impulse at once
    each t_epoch ticks:  traces decay tick by tick: z = floor(z exp(-1 / tau)), plus 1 by chance; a spike adds the impulse; 0 to 127
                         w = (w 2^7 + sum over products of ((dependency * factors * mantissa) >> shift) << (exponent + 7)) / 2^7, rounded by chance

1. Factors have widths: 1 for spikes, 7 for traces, 9 for w, d and t. `shift` keeps the product within 15 bits: sum of widths + 4 - 15, at least 0. A wide
   product is smaller than its equation reads by 2^-shift, as in Lava.
2. A dependency x0 evaluates traces in the tick of the last event of the axon, y0 in that of the compartment, and u at the end of the epoch.
3. Sums saturate at 16 bits, w at the ends of its sign mode, d at 0 and 255, t at -257 and 255. Only weights change the sums of the compartments.

Rounding, a field of the device: `stochastic`, one number for each trace and synapse; `shared`, the numbers of Lava's generators, one for all traces of a side
and one for all synapses; `nearest`, 0.5. `seed` is the seed of the numbers.

Exactness: with `shared` and `nearest` all integers equal Lava's.
Source: Lava 0.10.0, lava/magma/core/model/py/connection.py (LearningConnectionModelBitApproximate) and learning_rule_applier.py (LearningRuleApplierBitApprox).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import AnyArray, Bools, Ints
from ...core.device.neuron_records import RoundingKind
from ...dialects.loihi2 import LearningRuleAttr, Sign
from ...dialects.loihi2.learning import POST_TRACES, PRE_TRACES, Factor, Product, read_equation
from ...simulation.learning.plastic_table import Events, Synapses, active, axon_columns, places_of
from ...simulation.learning.rounding import stream_of, uniform

TRACE_MOST = 127
FRACTION_BITS = 8
"""Bits of the fraction of an impulse."""
IMPULSE_NUMBERS = 128
"""Numbers of the rounding of impulses are integers below this one."""
WIDTHS = {**dict.fromkeys(("x0", "y0"), 1), **dict.fromkeys((*PRE_TRACES, *POST_TRACES), 7), **dict.fromkeys("wdt", 9)}
MANTISSA_WIDTH, ACCUMULATOR_WIDTH, SHIFT = 4, 15, 7
LOW, HIGH = -(2**ACCUMULATOR_WIDTH) - 1, 2**ACCUMULATOR_WIDTH - 1
TARGETS = {"dw": "w", "dd": "d", "dt": "t"}
ENDS = {Sign.MIXED: (-256, 255), Sign.EXCITATORY: (0, 255), Sign.INHIBITORY: (-255, 0)}
RANGES = {"d": (0, 255), "t": (-257, 255)}


@frozen(eq=False)
class EngineRule:
    """The learning rule of a table."""

    rule: LearningRuleAttr
    sign: Sign
    synapses: Synapses
    rounding: RoundingKind
    seed: int

    @property
    def reads_when_sent(self) -> bool:
        """Returns True: the weights of a row are added to the sums of later ticks when its event arrives at the core."""
        return True

    def start(self, samples: int) -> Engine:
        return Engine(self, samples)


class Engine:
    """The state of the learning engine for one table and some samples. Shapes: traces of a side [samples, columns]; w, d and t [samples, synapses]."""

    def __init__(self, learning: EngineRule, samples: int):
        rule, synapses = learning.rule, learning.synapses
        self.rule, self.synapses, self.sign = rule, synapses, learning.sign
        self.column, self.place, axons = axon_columns(synapses.axon)
        self.sizes = {"x": axons, "y": synapses.neurons}
        self.traces = {side: {one: zeros(samples, n) for one in named(side)} for side, n in self.sizes.items()}
        self.spiked = {side: zeros(samples, n) for side, n in self.sizes.items()}
        shape = samples, synapses.count
        self.weight: AnyArray = np.broadcast_to(synapses.weight.astype(np.int32), shape).copy()
        self.others = {
            "d": np.broadcast_to((synapses.delay - 1).astype(np.int32), shape).copy(),
            "t": np.zeros(shape, np.int32),
        }
        self.products = {name: read_equation(text) for name, text in rule.equations.items()}
        impulses = {one: rule.constants.get(f"{one}_impulse", 0.0) for one in (*PRE_TRACES, *POST_TRACES)}
        self.impulses = {one: (floor(n), round((n - floor(n)) * 2**FRACTION_BITS)) for one, n in impulses.items()}
        taus = {one: rule.constants.get(f"{one}_tau", 0.0) for one in impulses}
        self.decays = {one: float(np.exp(-1 / tau)) if tau else 0.0 for one, tau in taus.items()}
        self.numbers = numbers_of(learning)
        self.elapsed = 0
        """Ticks of the epochs of earlier samples, for random numbers."""

    def follow(self, before: Engine, ticks: int) -> None:
        """Adopts weights, delays and random numbers of the sample before this one; traces and tags start anew, with an epoch."""
        self.weight, self.others["d"], self.numbers = before.weight, before.others["d"], before.numbers
        self.elapsed = before.elapsed + -(-ticks // self.rule.t_epoch) * self.rule.t_epoch

    def learn(self, t: int, past: Sequence[Sequence[Events]], spikes: Bools) -> None:
        """Records the events of a tick, and evaluates the rule at the end of an epoch. Shapes: spikes [samples, neurons]."""
        step, t = t % self.rule.t_epoch + 1, self.elapsed + t
        place = places_of(self.place, past[0])
        arrived = {"x": active(past[0], place, self.spiked["x"].shape), "y": spikes}
        for side, events in arrived.items():
            again = (self.spiked[side] > 0) & events
            if again.any():
                for one, values in self.traces[side].items():
                    number = self.numbers.impulse(one, t, self.sizes[side]) if side == "y" else np.zeros(1)
                    values[again] = self.with_impulse(one, values, number)[again]
            self.spiked[side][events] = step
            self.numbers.advance()
        if step == self.rule.t_epoch:
            self.numbers.advance_weights()
            self.evaluate(t)
            self.spiked = {side: np.zeros_like(values) for side, values in self.spiked.items()}

    def with_impulse(self, name: str, values: AnyArray, number: AnyArray) -> AnyArray:
        whole, fraction = self.impulses[name]
        return np.clip(values + whole + (number < fraction), 0, TRACE_MOST)

    def histories(self, t: int) -> dict[str, AnyArray]:
        """Returns the values of the traces before the epoch and after each of its ticks, and sets the traces to the last. Shapes: [ticks + 1, samples, columns]."""
        found: dict[str, AnyArray] = {}
        for side, traces in self.traces.items():
            for one, before in traces.items():
                rows, n = [before], self.sizes[side]
                for step in range(1, self.rule.t_epoch + 1):
                    tick = t + step - self.rule.t_epoch
                    real = rows[-1] * self.decays[one]
                    whole = np.floor(real)
                    values = (whole + (self.numbers.decay(one, tick, n) < real - whole)).astype(np.int64)
                    events = self.spiked[side] == step
                    if events.any():
                        values = np.where(
                            events, self.with_impulse(one, values, self.numbers.impulse(one, tick, n)), values
                        )
                    rows.append(values)
                found[one] = np.stack(rows)
                traces[one] = rows[-1]
        return found

    def evaluate(self, t: int) -> None:
        """Applies the equations at the end of an epoch."""
        history = self.histories(t)
        changed: dict[str, AnyArray] = {}
        for equation, products in self.products.items():
            target = TARGETS[equation]
            before = self.variable(target)
            sample, synapse = self.active_synapses(products, t)
            if not len(sample):
                continue
            total = before[sample, synapse] << SHIFT
            for product in products:
                total = np.clip(total + self.product(product, history, t, sample, synapse), LOW, HIGH)
            low, high = ENDS[self.sign] if target == "w" else RANGES[target]
            if target == "w" and self.sign is not Sign.MIXED:
                total = np.clip(total, *((0, None) if self.sign is Sign.EXCITATORY else (None, 0)))
            elif target == "d":
                total = np.maximum(total, 0)
            whole, rest = total >> SHIFT, (total & ((1 << SHIFT) - 1)) / (1 << SHIFT)
            number = self.numbers.weight(equation, t, self.synapses.count)
            after = before.copy()
            after[sample, synapse] = np.clip(
                whole + (np.broadcast_to(number, before.shape[1])[synapse] < rest), low, high
            )
            changed[target] = after
        self.weight = changed.get("w", self.weight)
        self.others |= {name: values for name, values in changed.items() if name != "w"}

    def variable(self, name: str) -> AnyArray:
        return self.weight if name == "w" else self.others[name]

    def active_synapses(self, products: Sequence[Product], t: int) -> tuple[Ints, Ints]:
        """Returns sample and synapse of each synapse with a dependency of 1. Other synapses do not change."""
        every = np.zeros(self.weight.shape, np.bool_)
        for dependency in {one.dependency for one in products}:
            every |= self.dependency(dependency, t) != 0
        sample, synapse = np.nonzero(every)
        return sample, synapse

    def dependency(self, name: str, t: int) -> AnyArray:
        """Returns 0 or 1 for each synapse. Shapes: [samples, synapses] or a shape that broadcasts to it."""
        if name == "x0":
            return self.spiked["x"][:, self.column] > 0
        if name == "y0":
            return self.spiked["y"][:, self.synapses.neuron] > 0
        epoch = (t + 1) // self.rule.t_epoch
        return np.full((1, 1), epoch % 2 ** int(name[1:]) == 0)

    def product(
        self, product: Product, history: Mapping[str, AnyArray], t: int, sample: Ints, synapse: Ints
    ) -> AnyArray:
        """Returns a product of some synapses, in units of 2^-7. Shapes: [synapses]."""
        gate = np.broadcast_to(self.dependency(product.dependency, t), self.weight.shape)
        value = gate[sample, synapse].astype(np.int32)
        width = MANTISSA_WIDTH
        for factor in product.factors:
            bits = WIDTHS[factor.variable]
            width += bits
            held = self.factor(factor, product.dependency, history, sample, synapse) + factor.constant
            held = np.sign(held) if factor.is_sign else held
            value = value * np.clip(held, -(2**bits), 2**bits - 1).astype(np.int32)
        value = value * np.int32(product.mantissa)
        value = (value >> max(0, width - ACCUMULATOR_WIDTH)) << (product.exponent + SHIFT)
        return np.clip(value, LOW, HIGH)

    def factor(
        self, factor: Factor, dependency: str, history: Mapping[str, AnyArray], sample: Ints, synapse: Ints
    ) -> AnyArray:
        """Returns a variable of some synapses in the tick of the dependency."""
        name, column, neuron = factor.variable, self.column[synapse], self.synapses.neuron[synapse]
        if name in TARGETS.values():
            return self.variable(name)[sample, synapse]
        if name in ("x0", "y0"):
            return (self.spiked[name[0]][sample, column if name == "x0" else neuron] > 0).astype(np.int64)
        tick = np.full(len(sample), self.rule.t_epoch)
        if dependency == "x0":
            tick = self.spiked["x"][sample, column]
        elif dependency == "y0":
            tick = self.spiked["y"][sample, neuron]
        return history[name][tick, sample, column if name in PRE_TRACES else neuron]


def named(side: str) -> tuple[str, ...]:
    return PRE_TRACES if side == "x" else POST_TRACES


def zeros(samples: int, columns: int) -> Ints:
    return np.zeros((samples, columns), np.int64)


# ---- numbers of the rounding


class Numbers:
    """Numbers that round up a fraction above them: here 0.5. Shapes: of each result () or [columns]."""

    def decay(self, trace: str, tick: int, count: int) -> AnyArray:
        return np.full(1, 0.5)

    def impulse(self, trace: str, tick: int, count: int) -> AnyArray:
        """Returns numbers that are compared with the fraction of an impulse, in units of 2^-8."""
        return np.full(1, IMPULSE_NUMBERS // 2)

    def weight(self, equation: str, tick: int, count: int) -> AnyArray:
        return np.full(1, 0.5)

    def advance(self) -> None:
        """Moves to the next numbers of traces."""

    def advance_weights(self) -> None:
        """Moves to the next numbers of weights."""


class Hashed(Numbers):
    """Numbers of each trace and each synapse: a function of seed, tick and place."""

    def __init__(self, seed: int, place: str):
        self.seed, self.place = seed, place

    def decay(self, trace: str, tick: int, count: int) -> AnyArray:
        return uniform(self.seed, stream_of(self.place, trace, "decay"), tick, count)

    def impulse(self, trace: str, tick: int, count: int) -> AnyArray:
        return uniform(self.seed, stream_of(self.place, trace, "impulse"), tick, count) * 2**FRACTION_BITS

    def weight(self, equation: str, tick: int, count: int) -> AnyArray:
        return uniform(self.seed, stream_of(self.place, equation), tick, count)


class Shared(Numbers):
    """Numbers of Lava's generators: one for all traces of a side, and one for all synapses."""

    def __init__(self, seed: int):
        generators = [np.random.default_rng(seed + k) for k in range(4)]
        self.generators = {"x": generators[:2], "y": generators[2:]}
        self.weights = np.random.default_rng(2)  # in Lava the rounding of weights has no other seed
        self.drawn = dict[str, tuple[float, int]]()
        self.advance()
        self.advance_weights()

    def advance(self) -> None:
        for side, (decay, impulse) in self.generators.items():
            self.drawn[side] = decay.random(), int(impulse.integers(0, IMPULSE_NUMBERS))

    def advance_weights(self) -> None:
        self.rounded = self.weights.random()

    def decay(self, trace: str, tick: int, count: int) -> AnyArray:
        return np.full(1, self.drawn[trace[0]][0])

    def impulse(self, trace: str, tick: int, count: int) -> AnyArray:
        return np.full(1, self.drawn[trace[0]][1])

    def weight(self, equation: str, tick: int, count: int) -> AnyArray:
        return np.full(1, self.rounded)


def numbers_of(learning: EngineRule) -> Numbers:
    """Returns the numbers of the rounding of a rule."""
    if learning.rounding == "shared":
        return Shared(learning.seed)
    return Hashed(learning.seed, learning.synapses.place) if learning.rounding == "stochastic" else Numbers()
