"""Runs pairs of spike trains through a plastic synapse of NEST, and writes the weight of each presynaptic spike: plasticity_nest.py IN.npz OUT.npz

The file has `pre` and `post` [trains, ticks of 1 ms], `weight` [trains], `delay` [trains, ms], the name `model`, and `parameters` and `neuron` as JSON.
The result has `weight` [trains, ticks], NaN without a presynaptic spike.
"""

import json
import sys

import nest
import numpy as np

LATE = 2
"""Ticks from a row of a train to the spike of its relay: a generator starts at 1 ms, and its synapse takes 1 ms."""


def relays(trains, parameters):
    """Returns neurons that spike LATE ticks after each spike of their train."""
    times = [{"spike_times": np.flatnonzero(train) + 1.0} for train in trains]
    generators, neurons = (
        nest.Create("spike_generator", len(times), times),
        nest.Create("parrot_neuron", len(times), parameters),
    )
    nest.Connect(generators, neurons, "one_to_one", {"delay": 1.0})
    return neurons


given = np.load(sys.argv[1])
nest.verbosity = nest.VerbosityLevel.ERROR
nest.resolution = 1.0
pre, post = relays(given["pre"], {}), relays(given["post"], json.loads(str(given["neuron"])))
recorder = nest.Create("weight_recorder")
nest.CopyModel(str(given["model"]), "recorded", {"weight_recorder": recorder})
parameters = {name: np.full(len(pre), value) for name, value in json.loads(str(given["parameters"])).items()}
synapse = {"synapse_model": "recorded", "weight": given["weight"], "delay": given["delay"].astype(float), **parameters}
# receptor 1 of a relay records spikes, and does not repeat them
nest.Connect(pre, post, "one_to_one", {**synapse, "receptor_type": np.ones(len(pre), int)})
nest.Simulate(float(given["pre"].shape[1] + LATE + 1))
events = recorder.events
found = np.full(given["pre"].shape, np.nan)
row = np.asarray(events["senders"]) - pre.tolist()[0]
found[row, np.asarray(events["times"]).astype(int) - LATE] = events["weights"]
np.savez(sys.argv[2], weight=found)
