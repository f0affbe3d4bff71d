"""Runs an artefact of Loihi in the emulator of nengo-loihi, with the integers of the artefact.

python loihi_nengo.py ARTEFACT IN.npz OUT.npz

The emulator has no delays. It adds weights one by one in units of 1/64, so a negative exponent must not round. It starts with states of 0.
`low` and `high` bound v; without them, the bounds are those of Lava.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from loihi_artefact import Artefact, main
from nengo_loihi.block import Axon, LoihiBlock, Synapse
from nengo_loihi.builder import Model
from nengo_loihi.builder.discretize import discretize_model
from nengo_loihi.emulator import EmulatorInterface
from nengo_loihi.inputs import SpikeInput
from nengo_loihi.probe import LoihiProbe

BOUND = 2**23 - 1
KEYS = ("spiked", "current", "voltage")


def connect(sender: Any, block: LoihiBlock, shape: tuple[int, int]) -> Synapse:
    """Returns a synapse of every pair, whose weights are set later. Shapes: [targets, sources]."""
    synapse, axon = Synapse(shape[1]), Axon(shape[1])
    synapse.set_weights(np.ones(shape[::-1]))
    block.add_synapse(synapse)
    axon.target = synapse
    axon.set_compartment_axon_map(np.arange(shape[1]))
    sender.add_axon(axon)
    return synapse


def run(artefact: Artefact) -> dict[Any, tuple[Any, Any, Any]]:
    warnings.simplefilter("ignore")  # it warns of each overflow
    model, made = Model(), dict[Any, Any]()
    for source in artefact.sources:
        made[source] = SpikeInput(len(source.index))
        for tick, row in enumerate(artefact.spikes(source)):
            made[source].add_spikes(tick + 1, np.flatnonzero(row), permanent=True)  # ticks are counted from 1
        model.add_input(made[source])
    for block in artefact.blocks:
        assert not any(states.any() for states in block.initial.values())
        made[block] = LoihiBlock(len(block.index))
        made[block].compartment.configure_relu()
        made[block].compartment.configure_filter(0.005)
        model.add_block(made[block])
    synapses: list[tuple[Synapse, dict[str, Any], np.ndarray]] = []
    for block in artefact.blocks:
        for sender, table, weights, delays in artefact.connections(block):
            assert not delays.any()
            synapses.append((connect(made[sender], made[block], weights.shape), table, weights))
    probes = {(block, key): LoihiProbe(target=made[block], key=key) for block in artefact.blocks for key in KEYS}
    for probe in probes.values():
        model.add_probe(probe)
    discretize_model(model)
    for block in artefact.blocks:  # the integers of the artefact replace those that it has chosen
        compartment, values = made[block].compartment, block.values
        compartment.decay_u[:], compartment.decay_v[:] = values["du"], values["dv"]
        compartment.vth[:] = values["vth"] << 6
        e = values.get("e", np.zeros(len(block.index), int))
        compartment.bias[:] = (values["bias"] << np.maximum(e, 0)) >> np.maximum(-e, 0)
        compartment.refract_delay[:] = values["refractory"]
        compartment.vmin, compartment.vmax = values.get("low", -BOUND), values.get("high", BOUND)
    for synapse, table, weights in synapses:
        shift = table["weight_exp"] + 6
        scaled = weights << shift if shift >= 0 else weights >> -shift
        assert shift >= 0 or not (weights % (1 << -shift)).any()
        for axon, row in enumerate(synapse.weights):
            row[:] = scaled[:, axon].reshape(row.shape)
    emulator = EmulatorInterface(model, seed=0)
    emulator.run_steps(artefact.ticks)
    outputs = emulator.probes.outputs
    found = {block: [np.array(outputs[probes[block, key]][0]) for key in KEYS] for block in artefact.blocks}
    return {block: (spikes, current, voltage) for block, (spikes, current, voltage) in found.items()}


if __name__ == "__main__":
    main(run, __doc__)
