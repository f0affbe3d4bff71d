"""Populations, projections and networks, as the published examples of py-spinnaker2 make them. Other arguments are refused."""

from __future__ import annotations

from typing import Any

import numpy as np

MEMBRANE = {"threshold", "alpha_decay", "i_offset", "reset", "v_reset"}
CURRENTS = {"exc_decay", "inh_decay", "t_refrac"}
PARAMETERS = {
    "lif": MEMBRANE,
    "lif_no_delay": MEMBRANE,
    "lif_curr_exp": MEMBRANE | CURRENTS,
    "lif_curr_exp_no_delay": MEMBRANE | CURRENTS,
}
LARGEST = {"lif": 15, "lif_curr_exp": 15, "lif_no_delay": 127, "lif_curr_exp_no_delay": 127}
LONGEST = {"lif": 7, "lif_curr_exp": 7, "lif_no_delay": 0, "lif_curr_exp_no_delay": 0}


class Population:
    def __init__(self, size: int, neuron_model: str, params: dict[Any, Any], name: str, record: tuple[str, ...] = ()):
        if neuron_model == "spike_list":
            assert set(params) <= set(range(size))
        else:
            assert set(params) == PARAMETERS[neuron_model]
        self.size, self.neuron_model, self.params, self.name, self.record = size, neuron_model, params, name, record
        self.max_atoms_per_core: int | None = None
        self.clear()

    def clear(self) -> None:
        """Forgets the recordings of all runs, and states and arriving weights."""
        self.spikes: dict[int, list[int]] = {k: [] for k in range(self.size)}
        self.voltages: dict[int, list[np.float32]] = {k: [] for k in range(self.size)}
        self.state = np.zeros((3, self.size), np.float32)  # v and both currents
        self.arriving: dict[int, np.ndarray] = {}

    def set_max_atoms_per_core(self, atoms: int) -> None:
        self.max_atoms_per_core = atoms

    def get_spikes(self) -> dict[int, list[int]]:
        assert "spikes" in self.record
        return self.spikes

    def get_voltages(self) -> dict[int, np.ndarray]:
        assert "v" in self.record
        return {k: np.array(values) for k, values in self.voltages.items()}


class Projection:
    def __init__(self, pre: Population, post: Population, connections: list[list[int]]):
        for i, j, weight, delay in connections:
            assert 0 <= i < pre.size
            assert 0 <= j < post.size
            assert isinstance(weight, int)
            assert abs(weight) <= LARGEST[post.neuron_model]
            assert 0 <= delay <= LONGEST[post.neuron_model]
        self.pre, self.post, self.connections = pre, post, connections


class Network:
    def __init__(self, name: str):
        self.name = name
        self.populations: list[Population] = []
        self.projections: list[Projection] = []

    def add(self, *parts: Population | Projection) -> None:
        for part in parts:
            if isinstance(part, Population):
                self.populations.append(part)
            else:
                assert part.pre in self.populations
                assert part.post in self.populations
                self.projections.append(part)

    def reset(self) -> None:
        """Clears spikes and potentials of earlier runs."""
        for pop in self.populations:
            pop.clear()


def simulate(net: Network, timesteps: int) -> None:
    """Runs the published equations in single precision, with the two synaptic currents of `lif_curr_exp`. A run without a reset goes on from the last one."""
    real = np.float32
    for t in range(timesteps):
        fired: dict[str, set[int]] = {}
        for pop in net.populations:
            if pop.neuron_model == "spike_list":
                assert set(pop.params) <= set(range(pop.size))
                fired[pop.name] = {k for k, times in pop.params.items() if t in times}
                continue
            p = {
                name: np.broadcast_to(np.asarray(value, real), pop.size)
                for name, value in pop.params.items()
                if name != "reset"
            }
            excitatory, inhibitory = (one.astype(real) for one in pop.arriving.pop(t, np.zeros((2, pop.size), int)))
            v, i_exc, i_inh = pop.state
            if "exc_decay" in p:
                i_exc = excitatory = p["exc_decay"] * i_exc + excitatory
                i_inh = inhibitory = p["inh_decay"] * i_inh + inhibitory
            v = p["alpha_decay"] * v + p["i_offset"] + (excitatory - inhibitory)
            z = v > p["threshold"]
            back = v - p["threshold"] if pop.params["reset"] == "reset_by_subtraction" else p["v_reset"]
            pop.state[:] = np.where(z, back, v), i_exc, i_inh
            fired[pop.name] = set(np.flatnonzero(z).tolist())
            for k in range(pop.size):
                pop.voltages[k].append(pop.state[0, k])
            for k in fired[pop.name]:
                pop.spikes[k].append(t)
        for projection in net.projections:
            for i, j, weight, delay in projection.connections:
                if i in fired[projection.pre.name]:
                    sums = projection.post.arriving.setdefault(t + delay + 1, np.zeros((2, projection.post.size), int))
                    sums[int(weight < 0), j] += abs(weight)
