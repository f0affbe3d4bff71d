"""Every cell type with given spikes and injected currents, on any back end of PyNN: cells.py BACK_END OUT.npz

python examples/pynn/cells.py nopt.pynn out.npz
python examples/pynn/cells.py pyNN.nest out.npz
"""

import sys
from importlib import import_module

import numpy as np

STEP, MS = 0.125, 200.0

sim = import_module(sys.argv[1])
sim.setup(timestep=STEP, min_delay=STEP, max_delay=10.0, spike_precision="on_grid")
draw = np.random.default_rng(5)
times = [(STEP * np.sort(draw.choice(np.arange(40, 1500), 30, replace=False))).tolist() for _ in range(6)]
source = sim.Population(6, sim.SpikeSourceArray(spike_times=times), label="source")
for variable in ("g_r", "g_s"):  # pyNN.nest 0.13 fails with these
    sim.IF_cond_exp_gsfa_grr.default_initial_values.pop(variable, None)
models = {
    "curr_exp": (sim.IF_curr_exp(tau_refrac=2.0, cm=0.5, tau_syn_I=8.0), 1.0),
    "curr_alpha": (sim.IF_curr_alpha(tau_refrac=2.0, cm=0.5, tau_syn_E=3.0, tau_syn_I=20.0), 1.0),
    "curr_delta": (sim.IF_curr_delta(tau_refrac=2.0, cm=0.5), 5.0),
    "cond_exp": (sim.IF_cond_exp(tau_refrac=2.0, cm=0.5), 0.01),
    "cond_alpha": (sim.IF_cond_alpha(tau_refrac=2.0, cm=0.5, tau_syn_E=2.0, tau_syn_I=4.0), 0.01),
    "cond_exp_gsfa_grr": (sim.IF_cond_exp_gsfa_grr(tau_refrac=1.0, cm=0.5, q_sfa=5.0, q_rr=500.0), 0.02),
    "eif_exp": (sim.EIF_cond_exp_isfa_ista(tau_refrac=2.0), 0.01),
    "eif_alpha": (sim.EIF_cond_alpha_isfa_ista(tau_refrac=2.0, tau_syn_E=2.0, tau_syn_I=3.0), 0.01),
    "izhikevich": (sim.Izhikevich(i_offset=0.004), 3.0),
    "hh": (sim.HH_cond_exp(tau_syn_E=1.0), 0.02),
}
populations = {name: sim.Population(4, model, label=name) for name, (model, _) in models.items()}
populations["curr_delta"].initialize(v=-70.0)  # where it starts in pyNN.nest 0.13, whatever a script asks for
currents = (
    lambda size: sim.DCSource(amplitude=0.6 * size, start=20.0, stop=120.0),
    lambda size: sim.StepCurrentSource(
        times=[10.0, 60.0, 100.0, 150.0], amplitudes=[0.3 * size, 0.7 * size, -0.2 * size, 0.4 * size]
    ),
    lambda size: sim.ACSource(
        start=10.0, stop=180.0, amplitude=0.4 * size, offset=0.3 * size, frequency=20.0, phase=45.0
    ),
)
for name, population in populations.items():
    for k, current in enumerate(currents):
        population[k : k + 1].inject(current(0.01 if name == "izhikevich" else 1.0))
    weight = models[name][1]
    for sources, receptor, sign in ((source[0:4], "excitatory", 1), (source[4:6], "inhibitory", -1)):
        by_conductance = "gsyn_exc" in population.celltype.recordable
        synapse = sim.StaticSynapse(weight=weight if by_conductance else sign * weight, delay=1.0)
        sim.Projection(sources, population, sim.AllToAllConnector(), synapse, receptor_type=receptor)
    population.record(["spikes"])
    if name != "curr_delta":  # pyNN.nest 0.13 cannot record its potential
        population.record("v")
    if by_conductance:
        population.record(["gsyn_exc", "gsyn_inh"])
sim.run(MS)
found = {}
for name, population in populations.items():
    segment = population.get_data().segments[0]
    trains = segment.spiketrains
    found[f"{name}.neuron"] = np.repeat(np.arange(len(trains)), [len(train) for train in trains])
    found[f"{name}.time"] = np.concatenate([np.asarray(train) for train in trains])
    found |= {f"{name}.{signal.name}": np.asarray(signal) for signal in segment.analogsignals}
    print(name, len(found[f"{name}.time"]), "spikes")
np.savez(sys.argv[2], **found)
sim.end()
