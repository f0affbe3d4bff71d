"""The random balanced network of `bench_balanced.py` and `bench_threads.py` for nopt and other simulators: 10,000 neurons, 10^7 synapses.

Excitation and inhibition follow model A of Brunel, in its strongly inhibited regime, with one change: a constant current replaces
the Poisson drive, because drawing random numbers would dominate the time. All simulators use the same synapses, the
same initial membrane potentials and the same number of ticks.

    v = a v + (1 - a) drive + x     unless refractory; a = exp(-dt / tau)
    z = v > threshold; v = v_reset; then refractory for 2 ms

Source: N. Brunel, Dynamics of sparsely connected networks of excitatory and inhibitory spiking neurons, J. Comput. Neurosci. 8:183
(2000), table 1 and figure 8.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

DT_MS, TAU_MS, DELAY_MS, REFRACTORY_MS = 0.1, 20.0, 1.5, 2.0
THRESHOLD_MV, RESET_MV, DRIVE_MV = 20.0, 10.0, 40.0
J_MV, G = 0.1, 5.0
TICKS = 10_000
PLASTIC_SHARE, PLASTIC_MV = 0.0125, 1.0
"""The network of `bench_plasticity.py`: 10^6 excitatory synapses, whose weights learn by pairs of spikes."""
A_PLUS, A_MINUS, TAU_STDP_MS, MOST_MV = 0.01, 0.0105, 20.0, 2.0


@dataclass(frozen=True)
class Balanced:
    """Synapses sorted by source, then target; initial v."""

    excitatory: int
    inhibitory: int
    source: np.ndarray[Any, np.dtype[np.int32]]
    target: np.ndarray[Any, np.dtype[np.int32]]
    v: np.ndarray[Any, np.dtype[np.float64]]

    @property
    def neurons(self) -> int:
        return self.excitatory + self.inhibitory

    def save(self, path: Path) -> None:
        np.savez(path, excitatory=self.excitatory, source=self.source, target=self.target, v=self.v)

    @staticmethod
    def load(path: str | Path) -> Balanced:
        with np.load(path) as held:
            v = held["v"]
            excitatory = int(held["excitatory"])
            return Balanced(excitatory, len(v) - excitatory, held["source"], held["target"], v)


def balanced(neurons: int = 10_000, share: float = 0.1, seed: int = 0) -> Balanced:
    """Connects every neuron to a share of the excitatory and of the inhibitory neurons, each at most once, never to itself."""
    rng = np.random.default_rng(seed)
    excitatory = neurons * 4 // 5
    inhibitory = neurons - excitatory
    sources = np.empty((neurons, int(excitatory * share) + int(inhibitory * share)), np.int32)
    for target in range(neurons):
        others = (rng.choice(n - (first <= target < first + n), int(n * share), replace=False) + first
                  for first, n in ((0, excitatory), (excitatory, inhibitory)))  # fmt: skip
        row = np.concatenate(list(others))
        row[(row >= target) & ((row < excitatory) == (target < excitatory))] += 1  # skips the neuron itself
        sources[target] = row
    source = sources.ravel()
    target = np.repeat(np.arange(neurons, dtype=np.int32), sources.shape[1])
    order = np.argsort(source, kind="stable")  # targets ascend
    return Balanced(excitatory, inhibitory, source[order], target[order], rng.uniform(0, THRESHOLD_MV, neurons))


def report(peer: str, seconds: float, spikes: int, neurons: int, ticks: int, cpu_seconds: float | None = None) -> None:
    """Prints one line for the comparing script. `cpu_seconds`: processor time, which other load on the machine changes less."""
    import json

    rate = spikes / neurons / (ticks * DT_MS / 1000)
    print(json.dumps({"peer": peer, "seconds": seconds, "spikes": spikes, "rate_hz": rate, "cpu_seconds": cpu_seconds}))
    sys.stdout.flush()
