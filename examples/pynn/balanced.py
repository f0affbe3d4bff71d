"""A balanced network of 4,000 neurons with exponential currents, on any back end of PyNN: balanced.py BACK_END OUT.npz [NEURONS] [MS]

The excitatory population has four times the neurons of the inhibitory one; a fiftieth of all pairs is connected. Neurons are driven by a resting
potential above the threshold, and start at random potentials.

    python examples/pynn/balanced.py nopt.pynn out.npz
    python examples/pynn/balanced.py pyNN.nest out.npz
"""

import sys
from importlib import import_module

import numpy as np

sim = import_module(sys.argv[1])
out, neurons, duration = sys.argv[2], int((sys.argv[3:] or [4000])[0]), float((sys.argv[4:] or [1000])[0])
sim.setup(timestep=0.1, min_delay=0.1, max_delay=1.0, spike_precision="on_grid")
rng = sim.NumpyRNG(seed=42)
cell = {
    "tau_m": 20.0,
    "cm": 0.2,
    "v_rest": -49.0,
    "v_reset": -60.0,
    "v_thresh": -50.0,
    "tau_refrac": 5.0,
    "tau_syn_E": 5.0,
    "tau_syn_I": 10.0,
}
excitatory = sim.Population(neurons * 4 // 5, sim.IF_curr_exp(**cell), label="excitatory")
inhibitory = sim.Population(neurons // 5, sim.IF_curr_exp(**cell), label="inhibitory")
for population in (excitatory, inhibitory):
    population.initialize(v=sim.RandomDistribution("uniform", low=-60.0, high=-50.0, rng=rng))
    population.record("spikes")
some = sim.FixedProbabilityConnector(0.02, rng=rng)
for source, weight, receptor in ((excitatory, 0.0162, "excitatory"), (inhibitory, -0.09, "inhibitory")):
    synapse = sim.StaticSynapse(weight=weight * 4000 / neurons, delay=0.2)
    for target in (excitatory, inhibitory):
        sim.Projection(source, target, some, synapse, receptor_type=receptor)
sim.run(duration)
found = {}
for population in (excitatory, inhibitory):
    trains = population.get_data("spikes").segments[0].spiketrains
    found[f"{population.label}.neuron"] = np.repeat(np.arange(len(trains)), [len(train) for train in trains])
    found[f"{population.label}.time"] = np.concatenate([np.asarray(train) for train in trains])
    print(population.label, len(found[f"{population.label}.time"]), "spikes")
np.savez(out, **found)
sim.end()
