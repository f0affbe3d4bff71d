"""Scripts of PyNN that are refused: `refused.py CASE` ends with the refusal of one of them."""

import sys

CASE = sys.argv[1]
if CASE == "missing":
    sys.modules["pyNN"] = None  # as if it were not installed

from nopt import pynn as sim  # noqa: E402

sim.setup(timestep=0.3e-7 if CASE == "step" else 1.0)
source = sim.Population(2, sim.SpikeSourceArray(spike_times=[[1.0], [-2.0 if CASE == "time" else 2.0]]), label="source")
cells = sim.Population(3, sim.IF_curr_exp(tau_refrac=2.0, tau_m=-5.0 if CASE == "parameter" else 20.0), label="cells")
synapse = sim.StaticSynapse(weight=1.0, delay=1.0)
if CASE == "synapse":
    sim.MultiQuantalSynapse()
if CASE == "rule":
    sim.Vogels2011Rule()
if CASE in ("bounds", "weight", "numbers", "pairs"):
    high = {"bounds": 0.0, "weight": 0.5}.get(CASE, 2.0)
    weights = sim.MultiplicativeWeightDependence(w_min=0.0, w_max=high)
    tau = sim.RandomDistribution("uniform", low=10.0, high=20.0) if CASE == "numbers" else 20.0
    timing = sim.SpikePairRule(tau_plus=tau, tau_minus=20.0, A_plus=0.01, A_minus=0.012)
    synapse = sim.STDPMechanism(timing_dependence=timing, weight_dependence=weights, weight=1.0, delay=1.0)
if CASE == "numbers":
    cells = sim.Population(33, sim.IF_curr_exp(), label="many")
if CASE == "cell":
    sim.Population(1, sim.GIF_cond_exp())
if CASE == "current":
    cells.initialize(isyn_exc=1.0)
projection = sim.Projection(source, cells, sim.AllToAllConnector(), synapse, receptor_type="excitatory")
if CASE == "pairs":
    sim.export("net.mlir", learning="pairs")
if CASE == "injected":
    cells.inject(sim.DCSource(amplitude=0.5))
    sim.export("net.nir", approximate=["refractory"])
if CASE == "suffix":
    sim.export("net.onnx")
if CASE == "period":
    sim.export("net.nir")
sim.run(10.0)
if CASE == "changed":
    projection.set(weight=2.0)
    sim.run(10.0)
