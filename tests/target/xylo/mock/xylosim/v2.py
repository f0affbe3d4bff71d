"""The layer of core v2: hidden neurons with aliases and recurrence, and output neurons. All states have 16 bits and saturate.

A tick adds the events of channels and the hidden spikes of the tick before to the synaptic currents, one event after the other, and updates all neurons.
"""

from __future__ import annotations

from typing import Any

LOW, HIGH = -32768, 32767
MOST_SPIKES = 31


class XyloSynapse:
    def __init__(self, target: int, synapse: int, weight: int) -> None:
        assert all(type(value) is int for value in (target, synapse, weight))
        assert -128 <= weight <= 127
        self.target, self.synapse, self.weight = target, synapse, weight


def saturated(value: int) -> int:
    return min(max(value, LOW), HIGH)


def decayed(value: int, dash: int) -> int:
    """Returns a state after its decay, which is at least 1 for a state other than 0."""
    lost = value >> dash
    return value - (lost or (value > 0) - (value < 0))


class Neurons:
    """Some neurons with their registers and states. The first list of `currents` is that of the first synaptic current of each neuron."""

    def __init__(self, dash_mem: list[int], dash_syns: list[list[int]], threshold: list[int], bias: list[int]) -> None:
        assert len(dash_mem) == len(dash_syns) == len(threshold) == len(bias)
        self.dash_mem, self.dash_syns, self.threshold, self.bias = dash_mem, dash_syns, threshold, bias
        self.size = len(dash_mem)
        self.v = [0] * self.size
        self.currents = [[0] * self.size for _ in range(len(dash_syns[0]))]

    def receive(self, synapses: list[XyloSynapse], shift: int, times: int) -> None:
        for _ in range(times):
            for one in synapses:
                current = self.currents[one.synapse]
                current[one.target] = saturated(current[one.target] + (one.weight << shift))

    def update(self, k: int) -> None:
        for n, current in enumerate(self.currents):
            current[k] = decayed(current[k], self.dash_syns[k][n])
        change = saturated(
            sum(current[k] for current in self.currents) + decayed(self.v[k], self.dash_mem[k]) - self.v[k]
        )
        self.v[k] = saturated(self.v[k] + saturated(change + self.bias[k]))


class XyloLayer:
    def __init__(
        self,
        synapses_in: list[list[XyloSynapse]],
        synapses_rec: list[list[XyloSynapse]],
        synapses_out: list[list[XyloSynapse]],
        aliases: list[list[int]],
        threshold: list[int],
        threshold_out: list[int],
        has_bias: bool,
        bias: list[int],
        bias_out: list[int],
        weight_shift_inp: int,
        weight_shift_rec: int,
        weight_shift_out: int,
        dash_mem: list[int],
        dash_mem_out: list[int],
        dash_syns: list[list[int]],
        dash_syns_out: list[list[int]],
        name: str,
    ) -> None:
        assert has_bias
        assert name
        self.hidden = Neurons(dash_mem, dash_syns, threshold, bias)
        self.readout = Neurons(dash_mem_out, dash_syns_out, threshold_out, bias_out)
        assert len(synapses_rec) == len(synapses_out) == len(aliases) == self.hidden.size
        self.synapses = {"in": synapses_in, "rec": synapses_rec, "out": synapses_out}
        self.shifts = {"in": weight_shift_inp, "rec": weight_shift_rec, "out": weight_shift_out}
        self.aliases = aliases
        self.spikes = [0] * self.hidden.size

    def evolve(self, raster: list[list[int]]) -> list[list[int]]:
        """Runs on from the last tick, and returns the spikes of the output neurons [ticks][neurons]."""
        records: dict[str, list[list[Any]]] = {
            name: [] for name in ("spikes", "v", "i", "i_2", "v_out", "i_out", "out")
        }
        for events in raster:
            for channel, times in enumerate(events):
                self.hidden.receive(self.synapses["in"][channel], self.shifts["in"], times)
            for neuron, times in enumerate(self.spikes):
                self.hidden.receive(self.synapses["rec"][neuron], self.shifts["rec"], times)
                self.readout.receive(self.synapses["out"][neuron], self.shifts["out"], times)
            self.spikes = self.hidden_spikes()
            records["out"].append(self.output_spikes())
            records["spikes"].append(self.spikes)
            currents = [*self.hidden.currents, [0] * self.hidden.size]
            states = {"v": self.hidden.v, "i": currents[0], "i_2": currents[1]}
            states |= {"v_out": self.readout.v, "i_out": self.readout.currents[0]}
            for state, values in states.items():
                records[state].append(list(values))
        self.rec_recurrent_spikes = records["spikes"]
        self.rec_v_mem, self.rec_i_syn, self.rec_i_syn2, self.rec_v_mem_out, self.rec_i_syn_out = (
            [list(column) for column in zip(*records[state], strict=True)]
            for state in ("v", "i", "i_2", "v_out", "i_out")
        )
        return records["out"]

    def hidden_spikes(self) -> list[int]:
        """Updates the hidden neurons. A neuron spikes with its alias, in the order of neurons."""
        spikes, neurons = [0] * self.hidden.size, self.hidden
        for k in range(neurons.size):
            neurons.update(k)
        for k in range(neurons.size):
            own = 0
            while neurons.v[k] >= neurons.threshold[k] and spikes[k] + own < MOST_SPIKES:
                neurons.v[k] -= neurons.threshold[k]
                own += 1
            spikes[k] += own
            for alias in self.aliases[k]:
                spikes[alias] = min(MOST_SPIKES, spikes[alias] + spikes[k])
        return spikes

    def output_spikes(self) -> list[int]:
        """Updates the output neurons, which spike once at most in a tick."""
        spikes = [0] * self.readout.size
        for k in range(self.readout.size):
            self.readout.update(k)
            if self.readout.v[k] >= self.readout.threshold[k]:
                self.readout.v[k] -= self.readout.threshold[k]
                spikes[k] = 1
        return spikes
