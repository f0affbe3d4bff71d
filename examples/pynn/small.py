"""Small populations of every supported cell, with given spikes, several connectors and delays, on any back end of PyNN: small.py BACK_END OUT.npz

python examples/pynn/small.py nopt.pynn out.npz
python examples/pynn/small.py pyNN.nest out.npz
"""

import sys
from importlib import import_module

import numpy as np

sim = import_module(sys.argv[1])
sim.setup(timestep=0.1, min_delay=0.1, max_delay=10.0, spike_precision="on_grid")
rng = sim.NumpyRNG(seed=1)
times = [[1.0, 5.0, 20.0, 40.1], [2.0, 30.0], [3.0, 10.0, 11.0, 12.0], [7.7]]
source = sim.Population(4, sim.SpikeSourceArray(spike_times=times), label="source")
first = sim.Population(10, sim.IF_curr_exp(tau_refrac=2.0, i_offset=0.9), label="first")
cell = sim.IF_curr_exp(tau_syn_E=2.0, tau_syn_I=10.0, tau_m=10.0, v_thresh=-55.0)
second = sim.Population(6, cell, label="second")
steps = sim.Population(5, sim.IF_curr_delta(tau_refrac=1.0), label="steps")
conductances = sim.Population(5, sim.IF_cond_exp(tau_refrac=1.0), label="conductances")
first.initialize(v=np.linspace(-65, -51, 10))


def project(pre, post, connector, weight, delay):
    receptor = "inhibitory" if pre is second or weight < 0 else "excitatory"
    sim.Projection(pre, post, connector, sim.StaticSynapse(weight=weight, delay=delay), receptor_type=receptor)


delays = sim.RandomDistribution("uniform", low=0.1, high=3.0, rng=rng)
pairs = [(0, 0, 8.0, 1.0), (1, 1, 9.0, 2.0), (2, 1, 3.0, 1.0), (3, 2, 16.0, 0.3), (4, 3, 20.0, 1.5)]
project(source, first, sim.AllToAllConnector(), 0.5, 1.0)
project(first, second, sim.FixedProbabilityConnector(0.5, rng=rng), 3.5, 0.5)
project(first, first, sim.OneToOneConnector(), -0.3, 0.1)
project(second, second, sim.FixedNumberPreConnector(3, rng=rng), -0.3, delays)
project(first, steps, sim.FromListConnector(pairs), 1.0, 1.0)
project(source, steps, sim.AllToAllConnector(), 7.0, 0.1)
project(first[0:5], conductances, sim.OneToOneConnector(), 0.06, 0.1)
project(second[[4]], conductances, sim.AllToAllConnector(), 0.01, 0.1)
populations = (source, first, second, steps, conductances)
for population in populations:
    population.record("spikes")
for population in (first, second, conductances):
    population.record("v")
sim.run(60.0)
sim.run(140.0)
found = {}
for population in populations:
    segment = population.get_data().segments[0]
    trains = segment.spiketrains
    found[f"{population.label}.neuron"] = np.repeat(np.arange(len(trains)), [len(train) for train in trains])
    found[f"{population.label}.time"] = np.concatenate([np.asarray(train) for train in trains])
    found |= {f"{population.label}.{signal.name}": np.asarray(signal) for signal in segment.analogsignals}
    print(population.label, len(found[f"{population.label}.time"]), "spikes")
np.savez(sys.argv[2], **found)
sim.end()
