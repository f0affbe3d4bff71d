"""SANA-FE: runs the two files of an artefact with given spikes, and writes spikes, potentials, energies and counters.

    python loihi_sanafe.py FOLDER IN.npz OUT.npz

FOLDER holds `architecture.yaml` and `network.yaml`. IN.npz holds an array [ticks, neurons] for each group of an input. OUT.npz holds for each group
`GROUP` [ticks, neurons]; for those with compartments `GROUP.v`; `energy.PART` [J]; and for each tick `tick.COUNTER`, `tick.sim_time` [s] in
the timing mode `simple` among them.
"""

import sys
from pathlib import Path

import numpy as np
import sanafe


def main(folder: Path, given: str, result: str) -> None:
    arch = sanafe.load_arch(str(folder / "architecture.yaml"))
    net = sanafe.load_net(str(folder / "network.yaml"), arch)
    with np.load(given) as found:
        inputs = {name: found[name] for name in found.files}
    (ticks,) = {len(spikes) for spikes in inputs.values()}
    for name, spikes in inputs.items():
        for neuron, column in zip(net.groups[name].neurons, spikes.T, strict=True):
            neuron.set_attributes(model_attributes={"spikes": column.astype(int).tolist()})
    sizes = {name: len(group.neurons) for name, group in net.groups.items()}
    chip = sanafe.SpikingChip(arch)
    chip.load(net)
    run = chip.sim(ticks, timing_model="simple", spike_trace=True, potential_trace=True, perf_trace=True)
    arrays = {name: np.zeros((ticks, size), bool) for name, size in sizes.items()}
    for tick, fired in enumerate(run["spike_trace"]):
        for one in fired:
            arrays[one.group_name][tick, one.neuron_offset] = True
    v, start = np.array(run["potential_trace"], float).reshape(ticks, -1), 0
    for name in sorted(name for name in sizes if name not in inputs):  # the order of the trace
        arrays[f"{name}.v"] = v[:, start : start + sizes[name]]
        start += sizes[name]
    assert start == v.shape[1]
    arrays |= {f"energy.{part}": np.array(value) for part, value in run["energy"].items()}
    arrays |= {f"tick.{name}": np.array(values) for name, values in run["perf_trace"].items()}
    arrays["messages"] = np.array(run["packets_sent"])
    np.savez(result, **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
