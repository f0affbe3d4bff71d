"""Populations and projections as sPyNNaker simulates them on a machine: ring buffers of 16 bits, currents and potentials in s16.15.

Source: sPyNNaker 7.4.1, neural_modelling: neuron_model_lif_impl.h, synapse_types_exponential_impl.h, synapse_types_delta_impl.h, synapses.c.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

ONE, HIGHEST, RECEPTORS = 32768, 65535, ("excitatory", "inhibitory")
Cell = SimpleNamespace
calls: dict[str, Any] = {"setup": [], "resets": 0, "sources": {}}
populations: list[Population] = []
projections: list[Projection] = []


def fixed(values: Any, size: int, one: int = ONE) -> np.ndarray:
    """Returns a value, or one for each neuron, in units of 1 / one."""
    return np.broadcast_to(np.round(np.asarray(values, float) * one), size).astype(np.int64)


def wrapped(values: np.ndarray) -> np.ndarray:
    """Returns values in 32 bits with a sign."""
    return (values + 2**31) % 2**32 - 2**31


def IF_curr_delta(**params: Any) -> Cell:
    return Cell(kind="delta", params=params)


def IF_curr_exp(**params: Any) -> Cell:
    return Cell(kind="exp", params=params)


def SpikeSourceArray(spike_times: Any) -> Cell:
    return Cell(kind="array", spike_times=spike_times)


def SpikeSourcePoisson(rate: float) -> Cell:
    return Cell(kind="poisson", rate=rate)


external_devices = SimpleNamespace(SpikeInjector=lambda port: Cell(kind="live", port=port))


def FromListConnector(listed: list[tuple[int, int, float, float]]) -> list[tuple[int, int, float, float]]:
    return listed


class Population:
    """Neurons of one kind, or a source of spikes."""

    def __init__(
        self,
        size: int,
        cell: Cell,
        label: str,
        initial_values: dict[str, Any] | None = None,
        additional_parameters: dict[str, Any] | None = None,
    ) -> None:
        self.size, self.cell, self.recorded = size, cell, ()
        self._vertex = SimpleNamespace(send_buffer_times=getattr(cell, "spike_times", None))
        self.start = fixed((initial_values or {}).get("v", 0.0), size)
        sums = (additional_parameters or {}).get("max_expected_summed_weight", (1.0, 1.0))
        self.shifts = [next(s for s in range(16) if most < 2.0**s) for most in sums]
        if cell.kind not in ("delta", "exp"):
            calls["sources"][label] = vars(cell) if cell.kind != "array" else {"kind": "array"}
        populations.append(self)

    def record(self, names: list[str]) -> None:
        self.recorded = tuple(names)

    def begin(self) -> None:
        self.v, self.currents, self.rings = self.start.copy(), [np.zeros(self.size, np.int64)] * 2, {}
        self.spikes, self.potentials = [], []
        self.refractory = np.zeros(self.size, np.int64)

    def arrive(self, tick: int, receptor: int, sums: np.ndarray) -> None:
        """Adds weights to the entries of the ring buffers for a tick, which saturate."""
        ring = self.rings.setdefault(tick, np.zeros((2, self.size), np.int64))
        ring[receptor] = np.minimum(ring[receptor] + sums, HIGHEST)

    def step(self, tick: int) -> np.ndarray:
        if self.cell.kind == "array":
            return np.array([tick in each for each in self._vertex.send_buffer_times])
        if self.cell.kind not in ("delta", "exp"):
            return np.zeros(self.size, bool)
        params, size = self.cell.params, self.size
        ring = self.rings.pop(tick, np.zeros((2, size), np.int64))
        incoming = [ring[k] << self.shifts[k] for k in (0, 1)]
        if self.cell.kind == "exp":
            decay = np.exp(-1 / np.broadcast_to(np.asarray(params["tau_syn_E"], float), size))
            init = fixed((1 - decay) / -np.log(decay), size, 2**32)
            self.currents = [now + (new * init >> 32) for now, new in zip(self.currents, incoming, strict=True)]
        else:
            self.currents = incoming
        tau = np.broadcast_to(np.asarray(params["tau_m"], float), size)
        resistance, kept = fixed(tau / np.asarray(params["cm"], float), size), fixed(np.exp(-1 / tau), size)
        self.potentials.append(self.v.copy())
        alpha = wrapped(
            (wrapped(self.currents[0] - self.currents[1]) * resistance >> 15) + fixed(params["v_rest"], size)
        )
        is_free = self.refractory == 0
        self.v = np.where(is_free, wrapped(alpha - (kept * wrapped(alpha - self.v) >> 15)), self.v)
        fired = self.v >= fixed(params["v_thresh"], size)
        ticks = np.broadcast_to(np.asarray(params["tau_refrac"], float), size).astype(np.int64)
        self.refractory = np.where(fired, ticks, np.maximum(self.refractory - 1, 0))
        self.v = np.where(fired, fixed(params["v_reset"], size), self.v)
        if self.cell.kind == "exp":
            self.currents = [now * fixed(decay, size, 2**32) >> 32 for now in self.currents]
        return fired

    def get_data(self, names: list[str]) -> Any:
        spikes = np.array(self.spikes)
        trains = [Train(np.flatnonzero(column), k) for k, column in enumerate(spikes.T)]
        assert set(names) <= set(self.recorded)
        signal = np.array(self.potentials) / ONE
        return SimpleNamespace(segments=[SimpleNamespace(spiketrains=trains, filter=lambda name: [signal])])


class Train(list[float]):
    """Spike times of one neuron."""

    def __init__(self, times: np.ndarray, index: int) -> None:
        super().__init__(times.astype(float).tolist())
        self.annotations = {"source_index": index}


class Projection:
    """Synapses of one receptor between two populations."""

    def __init__(
        self, pre: Population, post: Population, connector: list[tuple[int, int, float, float]], receptor_type: str
    ) -> None:
        self.pre, self.post, self.receptor = pre, post, RECEPTORS.index(receptor_type)
        columns = np.array(connector)
        self.sources, self.targets, self.delays = (columns[:, k].astype(int) for k in (0, 1, 3))
        self.weights = np.round(columns[:, 2] * 2.0 ** (15 - post.shifts[self.receptor])).astype(np.int64)
        projections.append(self)

    def send(self, tick: int, spikes: np.ndarray) -> None:
        active = spikes[self.sources]
        for delay in np.unique(self.delays[active]).tolist():
            chosen = active & (self.delays == delay)
            sums = np.bincount(self.targets[chosen], self.weights[chosen], self.post.size).astype(np.int64)
            self.post.arrive(tick + delay, self.receptor, sums)


def setup(timestep: float) -> None:
    calls["setup"].append(timestep)


def set_number_of_neurons_per_core(cell: Any, most: int) -> None:
    calls.setdefault("most", {})[cell.__name__] = most


def reset() -> None:
    calls["resets"] += 1


def run(ticks: int) -> None:
    for one in populations:
        one.begin()
    for tick in range(ticks):
        fired = {one: one.step(tick) for one in populations}
        for one, spikes in fired.items():
            one.spikes.append(spikes)
        for one in projections:
            one.send(tick, fired[one.pre])


def end() -> None:
    Path("calls.json").write_text(json.dumps(calls))
