"""Rows of SpiNNaker that learn: the vectorised engine equals a loop over events with the histories of one synapse, as the program of a core computes it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from nopt.dialects.spinnaker import StdpAttr, TripletAttr
from nopt.targets.spinnaker.plastic_rows import PlasticRows, accum_bits, exponential_table

ROWS, NEURONS, SHIFT = 3, 2, 5
Array = np.ndarray


def rule_of(seed: int, timing: str = "spike_pair", weights: str = "additive") -> StdpAttr:
    rng = np.random.default_rng(seed)
    taus = rng.uniform(3, 40, 2).tolist()
    changes = rng.uniform(0, 900, 2)
    shares = (changes / 20000).tolist()
    if weights == "multiplicative":
        return StdpAttr.of(timing, weights, *taus, *shares, 100.0, 20000.0)
    return StdpAttr.of(timing, weights, *taus, *changes.tolist(), 100.0, 20000.0)


def triplet_of(rule: StdpAttr) -> TripletAttr | None:
    """Returns terms of triplets in proportion to those of pairs, for the timing that has them."""
    values = rule.values
    slow = 1.7 * values["tau_plus"], 2.3 * values["tau_minus"], 0.8 * values["a_plus"], 0.6 * values["a_minus"]
    return TripletAttr.of(*slow) if rule.timing.data == "pfister_triplet" else None


def rows_of(rule: StdpAttr, weight: Array) -> PlasticRows:
    """Returns rows with a synapse to each neuron. Shapes: weight [rows, neurons]."""
    source, neuron = np.repeat(np.arange(ROWS), NEURONS), np.tile(np.arange(NEURONS), ROWS)
    shift = np.full(source.size, SHIFT)
    return PlasticRows(
        "fc", rule, triplet_of(rule), NEURONS, ROWS, source, neuron, neuron, weight.reshape(-1), shift, 1.0
    )


def run(rows: PlasticRows, pre: Array, post: Array) -> Array:
    """Returns the stored weights of two equal samples after each tick. Shapes: pre [ticks, rows], post [ticks, neurons]; result [ticks, rows, neurons]."""
    engine, found = rows.start(2), list[Array]()
    for t, (x, y) in enumerate(zip(pre, post, strict=True)):
        engine.spike(t, np.stack([y, y]))
        sample, neuron = np.nonzero(np.stack([x, x]))
        event = np.repeat(np.arange(len(sample)), NEURONS)
        synapse = neuron[event] * NEURONS + np.tile(np.arange(NEURONS), len(sample))
        added = engine.arrive(t, sample, neuron, event, synapse)
        assert np.array_equal(added, engine.stored[sample[event], synapse])
        assert np.array_equal(engine.stored[0], engine.stored[1])
        found.append(engine.stored[0].reshape(ROWS, NEURONS).copy())
    return np.stack(found)


def halfword(x: int) -> int:
    return (x + 0x8000) % 0x10000 - 0x8000


class Synapse:
    """One synapse with the history of its target."""

    def __init__(self, rule: StdpAttr, weight: int):
        values, self.weight = rule.values, weight
        self.is_nearest = rule.timing.data == "spike_nearest_pair"
        self.plus, self.minus = (exponential_table(values[f"tau_{side}"]).tolist() for side in ("plus", "minus"))
        self.is_share = rule.weights.data == "multiplicative"
        units = dict.fromkeys(("a_plus", "a_minus"), 1.0 if self.is_share else 2.0 ** (SHIFT - 15))
        units |= dict.fromkeys(("w_min", "w_max"), 2.0 ** (SHIFT - 15))
        scaled = {name: accum_bits(values[name] * unit) for name, unit in units.items()}
        self.up, self.down, self.low, self.high = scaled.values()
        self.spikes, self.slow_spikes = [(0, 0)], [0]
        self.last, self.trace, self.slow = 0, 0, 0
        triplet = triplet_of(rule)
        more = {"tau_x": 1.0, "tau_y": 1.0, "a3_plus": 0.0, "a3_minus": 0.0} if triplet is None else triplet.values
        self.x, self.y = (exponential_table(more[name], 2).tolist() for name in ("tau_x", "tau_y"))
        self.up3, self.down3 = (accum_bits(more[name] * 2.0 ** (SHIFT - 15)) for name in ("a3_plus", "a3_minus"))

    @staticmethod
    def decayed(trace: int, table: list[int], ticks: int) -> int:
        return halfword(trace) * (table[ticks] if ticks < len(table) else 0) >> 11

    def spike(self, t: int) -> None:
        last, trace = self.spikes[-1]
        slow = self.decayed(self.slow_spikes[-1] + 2048, self.y, (t - last) // 4) if last else 0
        self.slow_spikes.append(halfword(slow))
        self.spikes.append((t, halfword(self.decayed(trace, self.minus, t - last) + 2048)))
        if len(self.spikes) > 16:
            del self.spikes[1], self.slow_spikes[1]

    def event(self, t: int) -> None:
        weight = self.weight << SHIFT
        slow = halfword(self.decayed(self.slow + 2048, self.x, (t - self.last) // 4) if self.last else 0)
        for k, ((earlier, _), (s, _)) in enumerate(pairwise(self.spikes), 1):
            if s > self.last and not (self.is_nearest and earlier > self.last):
                factor = self.decayed(2048 if self.is_nearest else self.trace, self.plus, s - self.last)
                third = halfword(factor) * self.slow_spikes[k] >> 11
                if self.is_share:
                    weight += ((self.high - weight) * self.up >> 15) * (factor << 4) >> 15
                    continue
                weight = min(weight + (self.up * (factor << 4) >> 15) + (self.up3 * (third << 4) >> 15), self.high)
        s, trace = self.spikes[-1]
        if len(self.spikes) > 1:
            factor = self.decayed(2048 if self.is_nearest else trace, self.minus, t - s)
            third = halfword(factor) * slow >> 11
            if self.is_share:
                weight -= ((weight - self.low) * self.down >> 15) * (factor << 4) >> 15
            else:
                weight = max(weight - (self.down * (factor << 4) >> 15) - (self.down3 * (third << 4) >> 15), self.low)
        self.weight = weight >> SHIFT & 0xFFFF
        self.trace = halfword(self.decayed(self.trace, self.plus, t - self.last) + 2048)
        self.slow, self.last = slow, t


RULES = [
    ("spike_pair", "additive"),
    ("spike_nearest_pair", "additive"),
    ("pfister_triplet", "additive"),
    ("spike_pair", "multiplicative"),
    ("spike_nearest_pair", "multiplicative"),
]


@pytest.mark.parametrize(("timing", "weights"), RULES)
@pytest.mark.parametrize("seed", range(40))
def test_rows_equal_a_loop_over_events(seed: int, timing: str, weights: str) -> None:
    """Rates up to one spike in each tick, so that histories are full and traces wrap."""
    rng = np.random.default_rng(seed)
    pre, post = rng.random((120, ROWS)) < rng.uniform(0.02, 0.6), rng.random((120, NEURONS)) < rng.uniform(0.02, 1.0)
    rule, weight = rule_of(seed, timing, weights), rng.integers(100, 20000, (ROWS, NEURONS))
    found = run(rows_of(rule, weight), pre, post)
    for i, j in np.ndindex(ROWS, NEURONS):
        one = Synapse(rule, int(weight[i, j]))
        for t in range(120):
            if post[t, j]:
                one.spike(t)
            if pre[t, i]:
                one.event(t)
            assert found[t, i, j] == one.weight, (t, i, j)
    assert (found[-1] != weight).any()


def test_a_table_ends_below_one() -> None:
    """floor(2048 exp(-k / 20)) is 1 at k = 152, and the table has an even number of entries."""
    table = exponential_table(20.0)
    assert table[:3].tolist() == [2048, 1948, 1853]
    assert len(table) % 2 == 0
    assert len(table) >= 20 * np.log(2048)
    assert table[152] == 1
    assert table[-1] <= 1
