"""Warnings of ring buffers that can saturate: the spikes of one tick can add up to more than an entry holds.

The largest sum of an entry is that of all synapses of its neuron and receptor, since the spikes of several ticks arrive in one by different delays.
Weights that learn count as the largest ones of their rule. Whether a sum occurs is for a run to show: the model saturates as the chip does.
"""

from __future__ import annotations

import numpy as np

from ...analysis.calibration_records import OBSERVED
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code, Diagnostics
from ...core.help_text import PassesOption, Phrase
from ...dialects.spinnaker import ChipOp, NeuronsOp
from ...dialects.spinnaker.cores import RECEPTORS
from ...dialects.spinnaker.rows import RING_MOST

SPN011 = Code("SPN011", "ring-buffer-may-saturate", "a ring buffer can saturate")

RECEPTOR_NAMES = "excitatory", "inhibitory"
HOLD_ALL_SUMS = "ntensor-quantize-receptors{rate=1000}"


def report_saturation(chip: ChipOp, diagnostics: Diagnostics) -> None:
    """Reports the largest sum of each population, if an entry does not hold it. Warnings: SPN011."""
    worst: dict[str, tuple[int, int, NeuronsOp]] = {}
    for group in chip.groups:
        sums = largest_sums(group)
        place = int(sums.argmax())
        name = group.source.data
        if sums.flat[place] > RING_MOST and sums.flat[place] > worst.get(name, (0,))[0]:
            worst[name] = int(sums.flat[place]), place, group
    has_clock = any(not group.rows for group in chip.groups)  # neurons without synapses: those of biases
    passes = f"ntensor-replace-biases,{HOLD_ALL_SUMS}" if has_clock else HOLD_ALL_SUMS
    for name, (most, place, group) in worst.items():
        receptor, neuron = divmod(place, group.size)
        again = "" if OBSERVED in chip.attributes else "; --calib chooses shifts for the rates of its data"
        diagnostics.warning(
            SPN011,
            op=group,
            at=f'population "{name}"',
            node=name,
            expected=f"sums of at most {RING_MOST}, since an entry of a ring buffer has 16 bits (sPyNNaker 7.4.1, synapses.c)",
            found=f"up to {most} of the {RECEPTOR_NAMES[receptor]} weights of neuron {int(group.index.values.reshape(-1)[neuron])}, if all spikes arrive in one tick",
            help=Phrase(PassesOption(passes)),
            notes=[f"nopt run saturates as the chip does{again}"],
        )


def largest_sums(group: NeuronsOp) -> Ints:
    """Returns the sum of the weights of each entry. Shapes: result [receptors, neurons]."""
    found = np.zeros(RECEPTORS * group.size, np.int64)
    for rows, synapses in zip(group.rows, group.synapses(), strict=True):
        weight = synapses.weight
        if rows.plasticity is not None:
            weight = np.maximum(weight, int(rows.plasticity.values["w_max"]))
        found += np.bincount(synapses.receptor * group.size + synapses.neuron, weight, len(found)).astype(np.int64)
    return found.reshape(RECEPTORS, group.size)
