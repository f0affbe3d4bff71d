"""Runs a network of NEST's `iaf_psc_exp`, and prints how often its neurons fire: nest_balanced.py NETWORK.npz

The file has the weights `recurrent` and `external` (targets, sources) [nA], the spikes `x` [ticks, sources] of a tick of 1 ms, and the
parameters of all neurons: `tau_m`, `tau_syn` [ms], `c_m` [nF], `threshold` [mV].
"""

import sys

import nest
import numpy as np


def connect(sources, targets, weights) -> None:
    """Connects with a delay of one tick."""
    post, pre = np.nonzero(weights)
    given = {"weight": 1e3 * weights[post, pre], "delay": np.ones(len(pre))}
    nest.Connect(np.array(sources.tolist())[pre], np.array(targets.tolist())[post], "one_to_one", given)


network = np.load(sys.argv[1])
nest.verbosity = nest.VerbosityLevel.ERROR
nest.resolution = 1.0
given = {
    "tau_m": float(network["tau_m"]),
    "tau_syn_ex": float(network["tau_syn"]),
    "tau_syn_in": float(network["tau_syn"]),
    "C_m": 1e3 * float(network["c_m"]),
    "V_th": float(network["threshold"]),
} | dict.fromkeys(("V_m", "E_L", "V_reset", "t_ref", "I_e"), 0.0)
cells = nest.Create("iaf_psc_exp", len(network["recurrent"]), given)
times = [{"spike_times": np.flatnonzero(column) + 1.0} for column in network["x"].T]
inputs = nest.Create("spike_generator", len(times), times)
connect(inputs, cells, network["external"])
connect(cells, cells, network["recurrent"])
recorder = nest.Create("spike_recorder")
nest.Connect(cells, recorder)
nest.Simulate(float(len(network["x"])))
print(len(recorder.events["times"]))
