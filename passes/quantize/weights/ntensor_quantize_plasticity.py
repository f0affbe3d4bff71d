"""Moves learning rules, and the weights that they change, onto the grid of a device with quantized learning.

    ntensor.linear "fc" {weight = w, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -1.0, 1.0>}        (mantissas of 4 bits, impulse 16, 8 bits)
      =>
    ntensor.linear "fc" {weight = n, quantized = <8, 2 / 255>, plasticity = #nir.stdp<0.00980, 0.0118, 0.02, 0.02, -1.0039, 0.9961>}

1. The device declares its numbers: `mantissa_bits`, `exponent`, `impulse` and `register_bits` of a rule `stdp` in `plasticity`, or of a rule `programmable` for rules of
   `ntensor-fit-plasticity`. `analysis/learning/device_learning_rules.py` defines the grids.
2. The step of the weights is the distance of w_min and w_max over the range of a register. All synapses of the population share it, since their
   integers are added. Weights that have such a step already stay.
3. Both bounds lie within half a step of the ends of the register, where the device saturates; they move there.
4. a_plus and a_minus become mantissa * 2^exponent * impulse, in units of the register; the constants of trace products have their own scale. None vanishes or saturates.
5. Other synapses of the population stay within the range of the step.

The time constants stay. A pair of spikes counts from the ticks in which both are sent, so each tick that `ntensor-retime` inserts lengthens its interval by one.
Recorded: the largest and the mean error of weights, constants and bounds; without a change nothing is recorded.

Errors: ANA031 a node that does not exist, or whose weights do not change; NTE009 a network in continuous time; DEV023 no device; QUA023, QUA024, QUA025, QUA026 as
numbered; QUA030 a weight that is not finite; QUA031 too little memory. Warnings: ANA028, ANA029, ANA030 weights that are lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.approximation_errors import Errors
from ....analysis.learning.device_learning_rules import Constant, LearningGrid, has_grid_rule, rule_values
from ....analysis.learning.stdp_quantization import BOUNDS, PairRule, step_of
from ....analysis.node_selection import check_names, choose_ops, name_of
from ....analysis.rounding_losses import RoundedWeights, report_weights
from ....analysis.weight_lines import Weighted
from ....core.device.device_pass import DevicePass
from ....core.device.records import Device
from ....core.diagnostics import Code, refuse_op
from ....core.help_text import PassesOption, Phrase
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import option_text, pass_text
from ....dialects.chip_base.weights import sign_of
from ....dialects.ntensor.network import networks
from ._weight_groups import Group, check_readable, is_weighted, together
from ._weight_quantizer import on_grid, quantized, real_weights, stored
from .scales._weight_scales import most_of, precise

QUA023 = Code("QUA023", "device-without-learning-constants", "the device declares no constants of learning rules")
QUA024 = Code(
    "QUA024", "learning-bounds-not-register-ends", "the bounds of a learning rule are not the ends of a register"
)
QUA025 = Code("QUA025", "learning-constant-out-of-range", "a constant of a learning rule is out of range")
QUA026 = Code(
    "QUA026", "weights-exceed-learning-range", "weights exceed the range of a learning rule of their population"
)


@dataclass(frozen=True)
class NtensorQuantizePlasticityPass(DevicePass):
    """Quantizes the learning rules of every `ntensor.network`.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names.
        set: fields of the device that are overridden: `set="plasticity.pairs.impulse=32"`.
        nodes: the synapse ops; default all whose weights change.
    """

    name = "ntensor-quantize-plasticity"
    APPROXIMATES = ("precision",)
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, has_grid_rule, self.name)
        for network in networks(op):
            chosen = [one for one in choose_ops(network, self.nodes, has_grid_rule) if isinstance(one, Weighted)]
            if not chosen:
                continue
            device = self.device_for(network)
            grid, registers = constants_of(device, chosen)
            errors = Errors()
            for group in together(network, choose_ops(network, (), is_weighted), "population"):
                if learning := [lines.op for lines in group.lines if lines.op in chosen]:
                    report_weights(move_weights(group, learning, grid, registers, errors), diagnostics_of(ctx))
            for one in chosen:
                move_rule(one, grid, registers, errors)
            numbers = f"weights of {registers.bits} bits, constants with mantissas of {registers.mantissa_bits} bits"
            what = f"learning rules: {numbers}, bounds at the ends of a register; pairs count from the ticks in which spikes are sent"
            errors.record(network, pass_text(self), what)


def constants_of(device: Device, ops: Sequence[Weighted]) -> tuple[LearningGrid, PairRule]:  # 1
    """Returns the numbers of a device for the rules of some ops, and the registers of their weights. Errors: QUA023."""
    grid = LearningGrid.of(device)
    registers = [grid.registers(op) for op in ops]
    for op, found in zip(ops, registers, strict=True):
        if found is None:
            kind = "stdp" if op.pair_rule is not None else "programmable"
            refuse_op(
                op,
                QUA023,
                f"{device.key} declares no constants of learning rules",
                expected=f"plasticity.NAME with the rule {kind}, mantissa_bits, exponent, impulse and register_bits",
                found=", ".join(f"{key} ({one.rule})" for key, one in (device.plasticity or {}).items()) or "none",
                **device.limit_facts("plasticity"),
                help=freeze(op),
            )
    assert registers[0] is not None  # refused before
    return grid, registers[0]


def freeze(op: Operation) -> Phrase:
    return Phrase(PassesOption(f"ntensor-freeze-plasticity{{nodes={option_text(name_of(op))}}}"))


def move_weights(
    group: Group, learning: Sequence[Weighted], grid: LearningGrid, registers: PairRule, errors: Errors
) -> list[RoundedWeights]:  # 2
    """Rounds all weights into a population to the grid of its learning rules, and returns them. Errors: QUA024, QUA026, QUA030, QUA031."""
    ops = [lines.op for lines in group.lines]
    if all(is_kept(op, ops[0], learning, grid, registers) for op in ops):
        return []
    check_readable(ops, [ops])
    values = [real_weights(lines) for lines in group.lines]
    step = grid.step_of(learning[0])
    scale = precise(np.array([step]), values, most_of(registers.bits))
    for op in learning:
        verify_bounds(op, grid, float(scale[0]) if step > 0 else 0.0)
    roundings: list[RoundedWeights] = []
    for lines, array in zip(group.lines, values, strict=True):
        found = on_grid(lines, group, array, scale, registers.bits)
        roundings.append(RoundedWeights(lines.op, array, found.after, found.scale))
        if lines.op not in learning:
            most = most_of(registers.bits) * float(scale[0])
            verify_range(lines.op, learning[0], float(np.abs(array).max(initial=0)), most)
        if not found.is_exact:
            errors.add(name_of(lines.op), found.errors)
        lines.op.replace_weights(stored(found, registers.bits), quantized(found, registers.bits))
    return roundings


def is_kept(
    op: Weighted, first: Weighted, learning: Sequence[Weighted], grid: LearningGrid, registers: PairRule
) -> bool:
    """Returns whether the weights of an op are already on the grid of the population's learning rules."""
    given, step = op.quantized_weights, step_of(op)
    if given is None or given.has_zero or given.bits.data != registers.bits or step is None or step != step_of(first):
        return False
    return op not in learning or grid.has_bounds(op, step)


def verify_bounds(op: Weighted, grid: LearningGrid, step: float | None) -> None:  # 3
    """Refuses learning bounds that do not map to the ends of a register. Errors: QUA024 such bounds, or weights without one step."""
    if step is not None and grid.has_bounds(op, step):
        return
    (low, high), sign = grid.ends(op), sign_of(op)
    given = [rule_values(op)[name] for name in BOUNDS]
    fitting = (given[1] - given[0]) / (high - low)
    refuse_op(
        op,
        QUA024,
        expected=f"w_min and w_max at {low:g} and {high:g} steps of the weights, which are {sign}",
        found=f"{given[0]:g} and {given[1]:g}"
        + (f", with a step of {step:g}" if step else ", without one step" if step is None else ""),
        path="plasticity",
        help=freeze(op),
        notes=[f"with this distance the bounds are {low * fitting:.6g} and {high * fitting:.6g}"]
        if fitting > 0
        else [],
    )


def verify_range(op: Weighted, learning: Weighted, largest: float, most: float) -> None:  # 5
    """Errors: QUA026."""
    if largest > most * (1 + 1e-6):
        refuse_op(
            op,
            QUA026,
            expected=f'at most {most:.6g}, the range of the weights of "{name_of(learning)}" in the same sum',
            found=f"{largest:.6g}",
            path="plasticity",
            help=freeze(learning),
        )


def move_rule(op: Weighted, grid: LearningGrid, registers: PairRule, errors: Errors) -> None:  # 4
    """Moves the constants and bounds of a rule onto the grid. Errors: QUA024, QUA025."""
    step, given = step_of(op), rule_values(op)
    verify_bounds(op, grid, step)
    assert step is not None  # verify_bounds
    for one in grid.constants(op, step):
        verify_constant(op, one, registers)
    made = grid.rounded(op, step)
    assert made is not None  # a rule with a grid
    if made != op.learning_rule:
        op.properties["plasticity"] = made
        changes = [abs(made.values[name] - value) for name, value in given.items()]
        errors.add(name_of(op), np.array(changes))


def verify_constant(op: Weighted, one: Constant, registers: PairRule) -> None:
    """Errors: QUA025 a constant that would vanish or saturate."""
    if one.value and not one.least / 2 < abs(one.value) <= one.most * (1 + 0.5 / registers.most):
        refuse_op(
            op,
            QUA025,
            f"{one.name} of its plasticity is out of range",
            expected=f"0, or {one.least:.3g} to {one.most:.3g} in size",
            found=f"{one.value:g}",
            path="plasticity",
            help=freeze(op),
        )
