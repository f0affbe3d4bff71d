"""Potentials that can leave their bits: the first tick of the largest excitation, or inhibition, after which one wraps or saturates.

A potential starts at 0, meets the sum of a tick, and is reset. A source neuron with several axons of the same delay sends over all of them at once, so that it
counts with the sum of their weights. By worst cases, in each tick the same:

| side | reset | v before the reset of tick k |
| --- | --- | --- |
| up | to a value R | at most max(alpha - 1, R) + E: the first tick or none |
| up | by subtraction, none | E <= alpha: at most alpha - 1 + E; else E + (k - 1) (E - alpha), or k E without a reset |
| down | kappa = 1, V = -beta | at least -beta - I |
| down | to -R, or by addition of beta | at least min(-beta, -R) - I; for I > beta it falls by I - beta |
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import Ints, Reals
from ...core.device.named_device import device_of
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, Diagnostics
from ...dialects.truenorth import ChipOp, NeuronsOp
from .model import axon_weights

TRN011 = Code("TRN011", "potentials-wrap", "potentials wrap after a few ticks")

FEW_TICKS = 8
"""Ticks of the largest excitation or inhibition within which a wrap is reported."""
SUBTRACT, NO_RESET = 1, 2
"""Values of the register `reset_mode`."""
SIDES = ("excitation", "inhibition")


@frozen
class Overflow:
    """Neurons of a population whose potentials leave their bits."""

    op: NeuronsOp
    tick: int
    """The first tick in which the largest sums can do it."""
    neurons: int
    side: str
    sum: int
    """The largest sum of a tick that does it."""


def overflows(chip: ChipOp) -> Iterator[Overflow]:
    """Yields an entry for each group and side (upper or lower end) if potentials of the group can overflow there."""
    senders = axon_senders(chip)
    for place, core in chip.cores.items():
        types = core.types.values.astype(np.int64)
        for op in core.neurons:
            rows = op.first_rows()
            typed = sums_of_senders(axon_weights(op, types)[rows], senders[place])
            registers = {name: values[rows] for name, values in op.registers().items()}
            for side, sign in zip(SIDES, (1, -1), strict=True):
                leak = np.where(registers["leak_reversal"] == 1, 0, np.maximum(sign * registers["leak"], 0))
                sums = np.maximum(sign * typed, 0).sum(axis=1) + leak
                ticks = first_ticks(sums, registers, chip.potential_bits.value.data, is_up=sign > 0)
                if np.isfinite(ticks).any():
                    count = int(np.isfinite(ticks).sum())
                    yield Overflow(op, int(ticks.min()), count, side, int(sums[np.isfinite(ticks)].max()))


def axon_senders(chip: ChipOp) -> dict[int, Ints]:
    """Returns for each core the sender of each axon: a number for each source neuron and delay."""
    device = device_of(chip)
    topology = topology_of(device, len(chip.cores))
    numbers = dict[tuple[str, int, int], int]()
    found = {place: np.zeros(core.axons.value.data, np.int64) for place, core in chip.cores.items()}

    def arrive(source: str, core: Ints, axon: Ints, neuron: Ints, delay: Ints) -> None:
        for place, at, which, late in zip(*(one.tolist() for one in (core, axon, neuron, delay)), strict=True):
            if place in found:  # not the output bus
                found[place][at] = numbers.setdefault((source, which, late), len(numbers))

    for input in chip.inputs:
        if (packets := input.packets) is not None:
            core, axon, neuron, delay = (
                one.values.astype(np.int64) for one in (packets.core, packets.axon, packets.neuron, packets.delay)
            )
            arrive(input.source.data, core, axon, input.index.values.astype(np.int64)[neuron], delay)
    for place, core in chip.cores.items():
        for op in core.neurons:
            if (sent := chip.sent(place, op, topology)) is not None:
                neuron = op.index.values.astype(np.int64)[sent.row]
                arrive(op.source.data, sent.core, sent.axon, neuron, sent.tick)
    return found


def sums_of_senders(typed: Ints, sender: Ints) -> Ints:
    """Returns the weight of each sender. Shapes: typed [rows, axons], sender [axons], result [rows, senders]."""
    different, index = np.unique(sender, return_inverse=True)
    found = np.zeros((len(different), len(typed)), np.int64)
    np.add.at(found, index.reshape(-1), typed.T)
    return found.T


def first_ticks(sums: Ints, registers: dict[str, Ints], bits: int, *, is_up: bool) -> Reals:
    """Returns the first tick in which each potential can overflow; infinity for a potential that never overflows."""
    alpha, beta, back = (
        registers[name].astype(np.int64) for name in ("threshold", "negative_threshold", "reset_potential")
    )
    mode, keeps = registers["reset_mode"], registers["negative_mode"] == 1
    room = (1 << bits - 1) - (1 if is_up else 0)
    bound = alpha - 1 if is_up else beta
    held = np.where(mode == 0, np.maximum(bound, back), bound)
    drift = np.where(mode == SUBTRACT, np.maximum(sums - bound - is_up, 0), np.where(mode == NO_RESET, sums, 0))
    if not is_up:
        drift = np.where(keeps, 0, drift)
    can = (sums > 0) & ((held + sums > room) | (drift > 0))
    rising = np.where(drift > 0, 1 + np.ceil(np.maximum(room + 1 - sums, 0) / np.maximum(drift, 1)), np.inf)
    steady = np.where(held + sums > room, room // np.maximum(sums, 1) + 1, np.inf)
    return np.where(can, np.minimum(rising, steady), np.inf)


def report_wraps(chip: ChipOp, diagnostics: Diagnostics) -> None:
    """Warns of potentials that can wrap within a few ticks. Warnings: TRN011."""
    if chip.overflow.data != "wrap":
        return
    bits = chip.potential_bits.value.data
    soon: dict[tuple[str, str], list[Overflow]] = {}
    for one in overflows(chip):
        if one.tick <= FEW_TICKS:
            soon.setdefault((one.op.source.data, one.side), []).append(one)
    for (name, side), found in soon.items():
        tick, neurons, largest = (
            min(one.tick for one in found),
            sum(one.neurons for one in found),
            max(one.sum for one in found),
        )
        diagnostics.warning(
            TRN011,
            at=f'population "{name}"',
            node=name,
            expected=f"potentials of {bits} bits, {-(1 << bits - 1)} to {(1 << bits - 1) - 1}",
            found=f"{neurons} neuron{'s' * (neurons > 1)} that can leave them after {tick} tick{'s' * (tick > 1)} of the largest {side}; "
            f"one tick adds up to {largest}",
            help="--target truenorth/ns1e, whose potentials have more bits",
        )
