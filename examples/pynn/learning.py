"""Synapses that learn from pairs of spikes, and synapses with short-term plasticity, on any back end of PyNN: learning.py BACK_END OUT.npz

Sources have random spikes and a last one at the end, since NEST changes a weight at presynaptic spikes. Each of four dependences on the weight has populations
with currents, conductances and steps, and a recurrent projection.

    python examples/pynn/learning.py nopt.pynn out.npz
    python examples/pynn/learning.py pyNN.nest out.npz
"""

import sys
from importlib import import_module

import numpy as np

MS = 400.0
STEP = 0.125
SOURCES, CELLS = 12, 5

sim = import_module(sys.argv[1])
sim.setup(timestep=STEP, min_delay=STEP, max_delay=10.0, spike_precision="on_grid")
draw = np.random.default_rng(3)
ticks = [np.sort(draw.choice(np.arange(20, 2800), 25, replace=False)) for _ in range(SOURCES)]
times = [np.append(one * STEP, MS - STEP).tolist() for one in ticks]
source = sim.Population(SOURCES, sim.SpikeSourceArray(spike_times=times), label="source")
cells = {
    "currents": (sim.IF_curr_exp(tau_refrac=2.0, cm=0.5, tau_m=15.0), 2.0),
    "receptors": (sim.IF_curr_exp(tau_refrac=1.0, tau_syn_E=3.0, tau_syn_I=8.0, cm=0.4), 1.5),
    "steps": (sim.IF_curr_delta(tau_refrac=1.0), 6.0),
}
rules = {
    "additive": sim.AdditiveWeightDependence,
    "multiplicative": sim.MultiplicativeWeightDependence,
    "mixed": sim.AdditivePotentiationMultiplicativeDepression,
    "power": sim.GutigWeightDependence,
}
found = {}
projections, populations = {}, {"source": source}
for rule, dependence in rules.items():
    for cell, (model, weight) in cells.items():
        name = f"{rule}.{cell}"
        unit = (
            1e-3 if cell == "steps" and sys.argv[1] == "pyNN.nest" else 1.0
        )  # PyNN 0.13 passes w_max to NEST in thousandths here
        population = populations[name] = sim.Population(CELLS, model, label=name)
        population.initialize(v=-70.0)  # where steps start in pyNN.nest 0.13, whatever a script asks for
        for pre, delay in ((source, STEP), (population, 1.5)):
            timing = sim.SpikePairRule(tau_plus=16.0, tau_minus=25.0, A_plus=0.03, A_minus=0.025)
            synapse = sim.STDPMechanism(
                timing_dependence=timing,
                weight_dependence=dependence(w_min=0.0, w_max=2 * weight * unit),
                weight=weight if pre is source else 0.2 * weight,
                delay=delay,
            )
            some = sim.FixedProbabilityConnector(0.6, rng=sim.NumpyRNG(seed=len(projections)))
            projections[name, delay, unit] = sim.Projection(pre, population, some, synapse, receptor_type="excitatory")
for kind, (use, recovery, facilitation) in {"depressing": (0.5, 80.0, 0.0), "facilitating": (0.1, 30.0, 200.0)}.items():
    population = populations[kind] = sim.Population(CELLS, sim.IF_curr_exp(cm=0.5, tau_syn_E=4.0), label=kind)
    synapse = sim.TsodyksMarkramSynapse(U=use, tau_rec=recovery, tau_facil=facilitation, weight=3.0, delay=1.0)
    sim.Projection(source, population, sim.AllToAllConnector(), synapse, receptor_type="excitatory")
for population in populations.values():
    population.record("spikes")
for population in (one for one in populations.values() if "tau_syn_E" in one.celltype.default_parameters):
    population.record("v")
sim.run(MS)
for name, population in populations.items():
    segment = population.get_data().segments[0]
    trains = segment.spiketrains
    found[f"{name}.neuron"] = np.repeat(np.arange(len(trains)), [len(train) for train in trains])
    found[f"{name}.time"] = np.concatenate([np.asarray(train) for train in trains])
    found |= {f"{name}.{signal.name}": np.asarray(signal) for signal in segment.analogsignals}
    print(name, len(found[f"{name}.time"]), "spikes")
for (name, delay, unit), projection in projections.items():
    if delay == STEP:  # its sources have a last spike at the end
        weights = np.asarray(sorted(projection.get("weight", format="list")))
        found[f"{name}.weight"] = weights * (1, 1, 1 / unit)
np.savez(sys.argv[2], **found)
sim.end()
