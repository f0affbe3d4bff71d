"""The balanced network in NEST, one thread: python balanced_nest.py NETWORK.npz TICKS."""

import sys
from pathlib import Path
from time import perf_counter

import nest
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
import balanced as net

made, ticks = net.Balanced.load(sys.argv[1]), int(sys.argv[2])
nest.set_verbosity("M_ERROR")
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
}
neurons = nest.Create("iaf_psc_delta", made.neurons, parameters | {"I_e": net.DRIVE_MV / net.TAU_MS})
neurons.V_m = made.v
ids = np.array(neurons.tolist())
weights = np.where(made.source < made.excitatory, net.J_MV, -net.G * net.J_MV)
delays = np.full(len(weights), net.DELAY_MS)
nest.Connect(
    ids[made.source], ids[made.target], "one_to_one",
    {"synapse_model": "static_synapse", "weight": weights, "delay": delays},
)  # fmt: skip
recorder = nest.Create("spike_recorder", params={"record_to": "memory"})
nest.Connect(neurons, recorder)
nest.Prepare()
start = perf_counter()
nest.Run(ticks * net.DT_MS)
seconds = perf_counter() - start
nest.Cleanup()
net.report(f"NEST {nest.__version__}", seconds, int(recorder.n_events), made.neurons, ticks)
