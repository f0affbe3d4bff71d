"""Runs neurons of NEST with given spikes, and writes the spikes that they send: nestml_nest.py IN.json OUT.json

IN.json has the step [ms], the ticks, and a list of populations, each with the model of NEST, its parameters, and for each neuron the current `I_e`
and the spikes that it receives: pairs of a time [ms] and a weight, whose sign selects the receptor. OUT.json has the times of the spikes of each neuron.
"""

import json
import sys

import nest

DELAY = 1.0


def run(case: dict, given: dict) -> list[list[float]]:
    """Returns the spikes of each neuron of a population."""
    nest.ResetKernel()
    nest.resolution = given["step"]
    cells = nest.Create(case["model"], len(case["currents"]), case["parameters"])
    if case["has_current"]:
        cells.I_e = case["currents"]
    for cell, spikes in zip(cells, case["spikes"], strict=True):
        for sign in (1.0, -1.0):
            chosen = [(time, weight) for time, weight in spikes if weight * sign > 0]
            if not chosen:
                continue
            times, weights = zip(*chosen, strict=True)
            generator = nest.Create("spike_generator", {"spike_times": times, "spike_weights": weights})
            nest.Connect(generator, cell, "one_to_one", {"weight": 1.0, "delay": DELAY})
    recorder = nest.Create("spike_recorder")
    nest.Connect(cells, recorder)
    nest.Simulate(given["ticks"] * given["step"])
    events, first = recorder.events, min(cells.tolist())
    found: list[list[float]] = [[] for _ in case["currents"]]
    for time, sender in sorted(zip(events["times"].tolist(), events["senders"].tolist(), strict=True)):
        found[sender - first].append(time)
    return found


if __name__ == "__main__":
    nest.verbosity = nest.VerbosityLevel.ERROR
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump([run(case, given) for case in given["cases"]], file)
