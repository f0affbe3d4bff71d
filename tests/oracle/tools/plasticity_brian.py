"""Runs pairs of spike trains through a plastic synapse of Brian 2, and writes the weight after each tick: plasticity_brian.py IN.npz OUT.npz

The file has `pre` and `post` [trains, ticks of 1 ms], `weight` [trains], the `equations`, `on_pre` and `on_post` of the synapse, and `parameters` as JSON.
The result has `weight` [trains, ticks].
"""

import json
import sys

import numpy as np
from brian2 import Network, SpikeGeneratorGroup, StateMonitor, Synapses, defaultclock, ms, prefs

prefs.codegen.target = "numpy"
given = np.load(sys.argv[1])
defaultclock.dt = 1 * ms
trains, ticks = given["pre"].shape
groups = []
for name in ("pre", "post"):
    row, tick = np.nonzero(given[name])
    groups.append(SpikeGeneratorGroup(trains, row, tick * ms))
namespace = {
    name: value * ms if name.startswith("tau") else value
    for name, value in json.loads(str(given["parameters"])).items()
}
synapses = Synapses(
    *groups, str(given["equations"]), on_pre=str(given["on_pre"]), on_post=str(given["on_post"]), namespace=namespace
)
synapses.connect(j="i")
synapses.w = given["weight"]
monitor = StateMonitor(synapses, "w", record=True, when="end")
Network(*groups, synapses, monitor).run(ticks * ms)
np.savez(sys.argv[2], weight=np.asarray(monitor.w))
