"""Counts of the clock cycles of Xylo: the numbers that the cycle model of the vendor takes, for `cost.cycles` of the devices.

Only the weights of the first synaptic current count: those of the second are added at the same time. Several spikes of a neuron in a tick cost as much
as one, so that the share of neurons that spike is at most the mean number of spikes.

Source: rockpool 3.1.0, power_cycles_model.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...dialects.xylo.chip import ChipOp
from ...dialects.xylo.neurons import NO_ALIAS
from ...dialects.xylo.weights import WeightLayer
from .model import Model


def event_counts(module: ModuleOp, device: Device, mapping: Mapping[str, Any] | None) -> dict[str, float]:
    """Returns the numbers of the cycle model; without known rates every neuron spikes in each tick, the worst case."""
    rates = {one["node"]: one["rate"] for one in (mapping or {}).get("populations", ())}
    return network_counts(Model.chip_of(module), rates)


def network_counts(chip: ChipOp, rates: Mapping[str, float | None]) -> dict[str, float]:
    core = chip.core
    hidden, outputs = (sum(op.size for op in ops) for ops in (core.hidden, core.readouts))
    first = {layer: places(chip, layer) for layer in WeightLayer}
    aliases = sum(int(np.count_nonzero(op.aliases.values != NO_ALIAS)) for op in core.hidden)
    return {
        "inputs": chip.channels,
        "input_activity": activity(chip.inputs, rates),
        "input_targets": len(np.unique(first[WeightLayer.INPUT][1])),
        "hidden": hidden,
        "hidden_activity": activity(core.hidden, rates),
        "hidden_fan_out": len(first[WeightLayer.RECURRENT][0]) / max(1, hidden),
        "output_sources": len(np.unique(first[WeightLayer.OUTPUT][0])),
        "outputs": outputs,
        "output_activity": activity(core.readouts, rates),
        "alias_targets": aliases / max(1, hidden),
        "alias_sources": aliases / max(1, hidden),
    }


def places(chip: ChipOp, layer: WeightLayer) -> tuple[np.ndarray, np.ndarray]:
    """Returns source and target of the weights of the first current. Shapes: [weights]."""
    op = chip.core.weights.get(layer)
    if op is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    source, target, current, _ = op.synapses
    return source[current == 0], target[current == 0]


def activity(ops: Sequence[Any], rates: Mapping[str, float | None]) -> float:
    """Returns the mean share of neurons that spike in a tick; 1 for unknown rates."""
    known = [(op.size, rates.get(op.source.data)) for op in ops]
    shares = [size * (1.0 if rate is None else min(1.0, rate)) for size, rate in known]
    return sum(shares) / max(1, sum(size for size, _ in known))
