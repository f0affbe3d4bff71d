"""A script of PyNN for any back end, in which sPyNNaker counts its cores: pynn_cores.py BACK_END OUT [DELAY]

With `nopt.pynn`, OUT is the exported network; with `pyNN.spiNNaker`, it is the number of cores of each population as JSON. Populations are larger than a core
or smaller, of both current-based cells, with and without a refractory period, and with synapses that learn.
"""

import json
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

sim = import_module(sys.argv[1])
out, delay = Path(sys.argv[2]), float((sys.argv[3:] or [1])[0])
sim.setup(timestep=1.0)
source = sim.Population(300, sim.SpikeSourceArray(spike_times=[[5.0]] * 300), label="source")
cells = {
    "excitatory": (800, sim.IF_curr_exp(cm=0.2, tau_refrac=2.0)),
    "inhibitory": (200, sim.IF_curr_exp(cm=0.2, tau_refrac=0.0)),
    "steps": (257, sim.IF_curr_delta(tau_refrac=3.0, tau_m=10.0)),
    "learning": (400, sim.IF_curr_exp(cm=0.2, tau_refrac=2.0)),
}
populations = {name: sim.Population(size, cell, label=name) for name, (size, cell) in cells.items()}
some = sim.FixedProbabilityConnector(0.1)


def project(pre, post, weight, delay):
    receptor = "excitatory" if weight > 0 else "inhibitory"
    sim.Projection(pre, post, some, sim.StaticSynapse(weight=weight, delay=delay), receptor_type=receptor)


project(source, populations["excitatory"], 0.2, 2.0)
for target in ("excitatory", "inhibitory"):
    project(populations["excitatory"], populations[target], 0.1, delay)
    project(populations["inhibitory"], populations[target], -0.5, delay)
project(populations["excitatory"], populations["steps"], 1.0, 3.0)
rule = sim.STDPMechanism(
    timing_dependence=sim.SpikePairRule(tau_plus=20.0, tau_minus=20.0, A_plus=0.02, A_minus=0.022),
    weight_dependence=sim.AdditiveWeightDependence(w_min=0.0, w_max=1.0),
    weight=0.3,
    delay=delay,
)
sim.Projection(source, populations["learning"], some, rule, receptor_type="excitatory")
for population in populations.values():
    population.record("spikes")
if sys.argv[1] == "nopt.pynn":
    sim.export(out, learning="pairs")
else:
    sim.run(20)
    from pacman.data import PacmanDataView

    placed = (one.vertex.app_vertex for one in PacmanDataView.iterate_placemements())
    counts = Counter(vertex.label for vertex in placed if vertex is not None)
    out.write_text(json.dumps({name: counts[name] for name in populations}))
