"""The plastic network in NEST, one thread: python plasticity_nest.py NETWORK.npz TICKS.

`stdp_synapse` with exponents 0 is additive: a pair adds `lambda Wmax` times the trace, or subtracts `alpha lambda Wmax` times it. Its delay is dendritic.
"""

import sys
from pathlib import Path
from time import perf_counter, process_time

import nest
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
import balanced as net

made, ticks = net.Balanced.load(sys.argv[1]), int(sys.argv[2])
nest.verbosity = nest.VerbosityLevel.ERROR
nest.ResetKernel()
nest.resolution = net.DT_MS
nest.local_num_threads = 1
parameters = {
    "E_L": 0.0,
    "V_reset": net.RESET_MV,
    "V_th": net.THRESHOLD_MV,
    "t_ref": net.REFRACTORY_MS,
    "tau_m": net.TAU_MS,
    "C_m": 1.0,
    "tau_minus": net.TAU_STDP_MS,
}
neurons = nest.Create("iaf_psc_delta", made.neurons, parameters | {"I_e": net.DRIVE_MV / net.TAU_MS})
neurons.V_m = made.v
ids = np.array(neurons.tolist())
stdp = {
    "synapse_model": "stdp_synapse",
    "lambda": net.A_PLUS / net.MOST_MV,
    "alpha": net.A_MINUS / net.A_PLUS,
    "mu_plus": 0.0,
    "mu_minus": 0.0,
    "tau_plus": net.TAU_STDP_MS,
    "Wmax": net.MOST_MV,
}
is_excitatory = made.source < made.excitatory
for is_chosen, weight, model in (
    (is_excitatory, net.PLASTIC_MV, stdp),
    (~is_excitatory, -net.G * net.PLASTIC_MV, {"synapse_model": "static_synapse"}),
):
    count = int(is_chosen.sum())
    arrays = {"weight": np.full(count, weight), "delay": np.full(count, net.DELAY_MS)}
    nest.Connect(ids[made.source[is_chosen]], ids[made.target[is_chosen]], "one_to_one", model | arrays)
recorder = nest.Create("spike_recorder", params={"record_to": "memory"})
nest.Connect(neurons, recorder)
nest.Prepare()
start, cpu_start = perf_counter(), process_time()
nest.Run(ticks * net.DT_MS)
seconds, cpu_seconds = perf_counter() - start, process_time() - cpu_start
nest.Cleanup()
net.report(f"NEST {nest.__version__}", seconds, int(recorder.n_events), made.neurons, ticks, cpu_seconds)
