"""Runs an artefact of Loihi in brian2-loihi, with the integers of the artefact.

python loihi_brian.py ARTEFACT IN.npz OUT.npz

The tool has no biases, and its register of delays ends at 62. It applies the exponent to each weight, so a negative one must not round.
It starts with states of 0.
"""

from __future__ import annotations

from typing import Any

import brian2
import numpy as np
from brian2_loihi import (
    LoihiNetwork,
    LoihiNeuronGroup,
    LoihiSpikeGeneratorGroup,
    LoihiSpikeMonitor,
    LoihiStateMonitor,
    LoihiSynapses,
    synapse_sign_mode,
)
from loihi_artefact import Artefact, main

brian2.prefs.codegen.target = "numpy"  # nothing is compiled
STATES = {"I": 1, "v": 2}


def connect(pre: Any, post: Any, table: dict[str, Any], weights: np.ndarray, delay: int) -> LoihiSynapses:
    """Returns the synapses of one delay. Shapes: weights [targets, sources]."""
    target, source = np.nonzero(weights)
    made = LoihiSynapses(
        pre,
        post,
        delay=delay,
        w_exp=table["weight_exp"],
        num_weight_bits=table["num_weight_bits"],
        sign_mode=getattr(synapse_sign_mode, table["sign_mode"].upper()),
    )
    made.connect(i=source, j=target)
    made.w = weights[np.array(made.j), np.array(made.i)]
    return made


def run(artefact: Artefact) -> dict[Any, tuple[Any, Any, Any]]:
    made, monitors = dict[Any, Any](), dict[Any, Any]()
    for source in artefact.sources:
        tick, neuron = np.nonzero(artefact.spikes(source))
        made[source] = LoihiSpikeGeneratorGroup(len(source.index), neuron, tick)
    for block in artefact.blocks:
        values = block.values
        assert not any(np.any(states) for states in [*block.initial.values(), values.get("bias", 0)])
        made[block] = LoihiNeuronGroup(
            len(block.index),
            refractory=values["refractory"],
            threshold_v_mant=values["vth"],
            decay_v=values["dv"],
            decay_I=values["du"] + 1,
        )
        monitors |= {(block, state): LoihiStateMonitor(made[block], state) for state in STATES}
        monitors[block, "spikes"] = LoihiSpikeMonitor(made[block])
    synapses = [
        connect(made[sender], made[block], table, np.where(delays == delay, weights, 0), delay)
        for block in artefact.blocks
        for sender, table, weights, delays in artefact.connections(block)
        for delay in np.unique(delays[weights != 0]).tolist()
    ]
    LoihiNetwork(*made.values(), *synapses, *monitors.values()).run(artefact.ticks - 1)
    found: dict[Any, tuple[Any, Any, Any]] = {}
    for block in artefact.blocks:
        # the tool's spikes act in their tick, so every row is a tick later than in Lava, and the first is at rest
        rows = [np.zeros((artefact.ticks, len(block.index)), np.int64) for _ in range(3)]
        spikes = monitors[block, "spikes"]
        rows[0][np.round(np.array(spikes.t)).astype(int) + 1, np.array(spikes.i)] = 1
        for state, k in STATES.items():
            rows[k][1:] = np.array(getattr(monitors[block, state], state)).T
        found[block] = rows[0], rows[1], rows[2]
    return found


if __name__ == "__main__":
    main(run, __doc__)
