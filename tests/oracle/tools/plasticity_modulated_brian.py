"""Runs synapses onto one neuron in Brian 2, whose rule has states, a signal and a membrane, and writes the weights: plasticity_modulated_brian.py IN.npz OUT.npz

The file has `pre` [synapses, ticks of 1 ms], `post`, `signal` and `v` [ticks], `weight` [synapses], the `equations` of the synapse, and the code that runs
in a tick in this order: `on_post_first`, `on_pre`, `on_post_last`, `end`. `parameters` is JSON. The result has `weight` [synapses, ticks].
"""

import json
import sys

import numpy as np
from brian2 import Network, SpikeGeneratorGroup, StateMonitor, Synapses, TimedArray, defaultclock, ms, prefs

prefs.codegen.target = "numpy"
given = np.load(sys.argv[1])
defaultclock.dt = 1 * ms
count, ticks = given["pre"].shape
row, tick = np.nonzero(given["pre"])
pre = SpikeGeneratorGroup(count, row, tick * ms)
(tick,) = np.nonzero(given["post"])
post = SpikeGeneratorGroup(1, np.zeros(len(tick), int), tick * ms)
namespace = {
    name: value * 1e3 * ms if name.startswith("tau") else value
    for name, value in json.loads(str(given["parameters"])).items()
}
namespace |= {"signal": TimedArray(given["signal"], dt=1 * ms), "seen": TimedArray(given["v"], dt=1 * ms)}
code = {side: str(given[f"on_{side}"]) for side in ("post_first", "pre", "post_last")}
synapses = Synapses(
    pre,
    post,
    str(given["equations"]),
    on_pre={"pre": code["pre"]} if code["pre"] else None,
    on_post={side: code[side] for side in ("post_first", "post_last") if code[side]} or None,
    namespace=namespace,
    method="exact",
)
synapses.connect()
for order, side in enumerate(code):
    if code[side]:
        getattr(synapses, side).order = order
synapses.w = given["weight"]
synapses.run_regularly(str(given["end"]), when="after_synapses")
monitor = StateMonitor(synapses, "w", record=True, when="end")
Network(pre, post, synapses, monitor).run(ticks * ms)
np.savez(sys.argv[2], weight=np.asarray(monitor.w))
