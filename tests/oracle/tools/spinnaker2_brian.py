"""Runs the script of an artefact of SpiNNaker 2 with Brian 2 in place of py-spinnaker2.

python spinnaker2_brian.py ARTEFACT IN.npz OUT.npz [--record NAME,NAME.v]

The modules `spinnaker2.snn` and `spinnaker2.brian2_sim` of this file have the calls that the script uses. Populations are groups of neurons of Brian 2,
with the published equations in single precision and two synaptic currents. Projections are its synapses. Order of a tick in Brian 2:
equations, thresholds, synapses, resets. So a delay of 0 adds a weight before the equations of the next tick.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import brian2
import numpy as np

brian2.prefs.codegen.target = "numpy"  # nothing is compiled
brian2.prefs.core.default_float_dtype = np.float32
TICK = 1 * brian2.ms
MODEL = """
v : 1
i_exc : 1
i_inh : 1
w_exc : 1
w_inh : 1
threshold : 1
alpha_decay : 1
i_offset : 1
v_reset : 1
exc_decay : 1
inh_decay : 1
"""
UPDATE = """
i_exc = exc_decay * i_exc + w_exc
i_inh = inh_decay * i_inh + w_inh
v = alpha_decay * v + i_offset + (i_exc - i_inh)
w_exc = 0
w_inh = 0
"""
RESETS = {"reset_by_subtraction": "v = v - threshold", "reset_to_v_reset": "v = v_reset"}


class Population:
    def __init__(
        self, size: int, neuron_model: str, params: dict[Any, Any], name: str, record: list[str] | None = None
    ):
        self.size, self.model, self.params, self.name, self.record = size, neuron_model, params, name, record or []

    def start(self) -> list[Any]:
        """Makes the group of a run in its initial state. Returns all objects of Brian 2."""
        if self.model == "spike_list":
            pairs = [(neuron, tick) for neuron, ticks in self.params.items() for tick in ticks]
            neuron, tick = np.array(pairs, np.int64).reshape(-1, 2).T
            self.group = brian2.SpikeGeneratorGroup(self.size, neuron, tick * TICK, dt=TICK)
            return [self.group]
        self.group = brian2.NeuronGroup(
            self.size, MODEL, threshold="v > threshold", reset=RESETS[self.params["reset"]], dt=TICK
        )
        self.group.run_regularly(UPDATE, when="groups", dt=TICK)
        values = {"exc_decay": 0.0, "inh_decay": 0.0, **self.params}
        for key in ("threshold", "alpha_decay", "i_offset", "v_reset", "exc_decay", "inh_decay"):
            setattr(self.group, key, values[key])
        self.monitor = brian2.SpikeMonitor(self.group)
        self.potentials = brian2.StateMonitor(self.group, "v", record=True, dt=TICK, when="end")
        return [self.group, self.monitor, self.potentials]

    def set_max_atoms_per_core(self, atoms: int) -> None:
        """The simulator has no cores."""

    def get_spikes(self) -> dict[int, list[int]]:
        return {k: np.rint(times / TICK).astype(int).tolist() for k, times in self.monitor.spike_trains().items()}

    def get_voltages(self) -> dict[int, np.ndarray]:
        return dict(enumerate(np.asarray(self.potentials.v)))


class Projection:
    def __init__(self, pre: Population, post: Population, connections: list[list[int]]):
        self.pre, self.post, self.rows = pre, post, np.array(connections, np.int64).reshape(-1, 4)

    def start(self) -> list[Any]:
        """Returns the synapses of a run, one object for each sign."""
        synapses: list[Any] = []
        for sign, variable in ((1, "w_exc"), (-1, "w_inh")):
            chosen = self.rows[np.sign(self.rows[:, 2]) == sign]
            if not len(chosen):
                continue
            made = brian2.Synapses(self.pre.group, self.post.group, "w : 1", on_pre=f"{variable}_post += w", dt=TICK)
            made.connect(i=chosen[:, 0], j=chosen[:, 1])
            made.w = np.abs(chosen[:, 2])
            made.delay = chosen[:, 3] * TICK
            synapses.append(made)
        return synapses


class Network:
    def __init__(self, name: str):
        self.parts: list[Population | Projection] = []

    def add(self, *parts: Population | Projection) -> None:
        self.parts += parts

    def reset(self) -> None:
        """Each run makes new groups."""


class Brian2Backend:
    def run(self, net: Network, timesteps: int) -> None:
        populations = [part.start() for part in net.parts if isinstance(part, Population)]
        projections = [part.start() for part in net.parts if isinstance(part, Projection)]
        objects = [one for each in populations + projections for one in each]
        brian2.Network(objects).run(timesteps * TICK)


def main() -> None:
    artefact, *options = sys.argv[1:]
    package, snn, backend = (ModuleType(f"spinnaker2{name}") for name in ("", ".snn", ".brian2_sim"))
    snn.__dict__.update(Population=Population, Projection=Projection, Network=Network)
    backend.__dict__.update(Brian2Backend=Brian2Backend)
    package.__dict__.update(snn=snn, brian2_sim=backend)
    sys.modules.update({"spinnaker2": package, "spinnaker2.snn": snn, "spinnaker2.brian2_sim": backend})
    script = Path(artefact) / "spinnaker2_network.py"
    sys.argv = [str(script), *options, "--backend", "brian2"]
    runpy.run_path(str(script), run_name="__main__")


if __name__ == "__main__":
    main()
