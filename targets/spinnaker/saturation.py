"""Warnings of ring buffers that saturate: the spikes of one tick can add up to more than an entry holds.

The largest sum of an entry is that of all synapses of its neuron and receptor, since the spikes of several ticks arrive in one by different delays.
Weights that learn count as the largest ones of their rule. This bound is a warning without a calibration, and a remark with one: then the model runs the
sample input, and the sums that saturated in this run are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...analysis.calibration_records import OBSERVED
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code, Diagnostics
from ...core.help_text import PassesOption, Phrase
from ...dialects.spinnaker import ChipOp, NeuronsOp
from ...dialects.spinnaker.cores import RECEPTORS
from ...dialects.spinnaker.rows import RING_MOST
from ...simulation.fan_out_grid import SumTally

SPN011 = Code("SPN011", "ring-buffer-may-saturate", "a ring buffer can saturate")
SPN012 = Code("SPN012", "ring-buffer-saturates", "a ring buffer saturates on the sample input")

RECEPTOR_NAMES = "excitatory", "inhibitory"
HOLD_ALL_SUMS = "ntensor-quantize-receptors{rate=1000 per=neuron}"
WITH_SPARE_BITS = "ntensor-quantize-receptors{{spare-bits={} per=neuron}}"
LIMIT = f"sums of at most {RING_MOST}, since an entry of a ring buffer has 16 bits (sPyNNaker 7.4.1, synapses.c)"


def report_saturation(chip: ChipOp, diagnostics: Diagnostics) -> None:
    """Reports the largest possible sum of each population, if an entry does not hold it. Warnings: SPN011 without a calibration. Remarks: SPN011 with one."""
    worst: dict[str, tuple[int, int, NeuronsOp]] = {}
    for group in chip.groups:
        sums = largest_sums(group)
        place = int(sums.argmax())
        name = group.source.data
        if sums.flat[place] > RING_MOST and sums.flat[place] > worst.get(name, (0,))[0]:
            worst[name] = int(sums.flat[place]), place, group
    is_calibrated = OBSERVED in chip.attributes
    again = (
        "" if is_calibrated else "; --calib chooses shifts for the rates of its data, and counts the sums that saturate"
    )
    for name, (most, place, group) in worst.items():
        receptor, neuron = divmod(place, group.size)
        report = diagnostics.remark if is_calibrated else diagnostics.warning
        report(
            SPN011,
            op=group,
            at=f'population "{name}"',
            node=name,
            expected=LIMIT,
            found=f"up to {most} of the {RECEPTOR_NAMES[receptor]} weights of neuron {int(group.index.values.reshape(-1)[neuron])}, if all spikes arrive in one tick",
            help=Phrase(PassesOption(remedy(chip, HOLD_ALL_SUMS))),
            notes=[f"nopt run saturates as the chip does{again}"],
        )


def remedy(chip: ChipOp, passes: str) -> str:
    """Returns passes of the user that choose other shifts, after biases became synapses where the chip has a clock for them."""
    has_clock = any(not group.rows for group in chip.groups)  # neurons without synapses
    return f"ntensor-replace-biases,{passes}" if has_clock else passes


def report_share(
    tallies: Sequence[Mapping[str, SumTally]], chip: ChipOp, diagnostics: Diagnostics
) -> list[dict[str, Any]]:
    """Returns the sums of each population and receptor that saturated in a run, of those other than 0. Warnings: SPN012."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    groups: dict[str, NeuronsOp] = {}
    for group in chip.groups:
        name = group.source.data
        groups.setdefault(name, group)
        for tally in (one[group.node.data] for one in tallies):
            columns = (values.reshape(RECEPTORS, -1) for values in (tally.sums, tally.saturated, tally.largest))
            for receptor, sums, saturated, largest in zip(RECEPTOR_NAMES, *columns, strict=True):
                none = {
                    "population": name,
                    "input": receptor,
                    "sums": 0,
                    "saturated": 0,
                    "largest": 0,
                    "limit": RING_MOST,
                }
                row = rows.setdefault((name, receptor), none)
                row["sums"] += int(sums.sum())
                row["saturated"] += int(saturated.sum())
                row["largest"] = max(row["largest"], int(largest.max(initial=0)))
    for name, group in groups.items():
        found = [row for receptor in RECEPTOR_NAMES if (row := rows.get((name, receptor))) and row["saturated"]]
        if not found:
            continue
        largest = max(int(row["largest"]) for row in rows.values())
        shares = (f"{row['saturated']} of {row['sums']} {row['input']} sums, up to {row['largest']}" for row in found)
        passes = remedy(chip, WITH_SPARE_BITS.format((largest // (RING_MOST + 1)).bit_length()))
        diagnostics.warning(
            SPN012,
            op=group,
            at=f'population "{name}"',
            node=name,
            expected=LIMIT,
            found=" and ".join(shares),
            help=Phrase(PassesOption(passes)),
            notes=["each bit of a shift halves the sums, and makes weights coarser by one bit"],
        )
    return [*rows.values()]


def largest_sums(group: NeuronsOp) -> Ints:
    """Returns the sum of the weights of each entry. Shapes: result [receptors, neurons]."""
    found = np.zeros(RECEPTORS * group.size, np.int64)
    for rows, synapses in ((op, block) for op in group.rows for block in op.blocks(group.format)):
        weight = synapses.weight
        if rows.plasticity is not None:
            weight = np.maximum(weight, int(rows.plasticity.values["w_max"]))
        found += np.bincount(synapses.receptor * group.size + synapses.neuron, weight, len(found)).astype(np.int64)
    return found.reshape(RECEPTORS, group.size)
