"""Rounds weights, states or values to reals of 16 bits, f16 or bf16: to nearest, ties to even, once.

    %s = ntensor.linear "fc" %x {weight = [0.1, -0.26] : f32}
    %z = ntensor.neuron "lif" @norse_lif.value(%s) {initial = {v = 0.3}}
      =>
    %s = ntensor.linear "fc" %x {weight = [0.10009765625, -0.259765625] : bf16}         of=weights
    %z = ntensor.neuron "lif" @norse_lif.value.bf16_states(%s) {initial = {v = 0.30078125 : bf16}}         of=states

1. `weights` are those of all synapse ops, and their biases and scales. Their arrays get the format as their element type.
2. `states` are rounded at the end of each tick, and before the first: a new update whose last lines are `v = bf16(v)`.
3. `values` are the real inputs of populations, `x = bf16(x)` first, and the real values that populations emit.
4. The arithmetic stays f32 or f64. Integers, spikes and parameters of neurons stay what they are.
5. A finite weight or initial state beyond the largest number of the format is refused; in a run it becomes infinite, as IEEE 754 defines.
6. Quantized weights are integers already, and stay what they are.

Recorded: the largest and mean error of weights and biases. For states and values half a unit in the last place of the largest magnitude that a
calibration observed, and of initial values; without one the error is not known, only its bound relative to each number.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; QUA030 a weight that is not finite; QUA031 too little memory; QUA033 a
number beyond the format; QUA034 nothing to round, because the numbers are integers. Warnings: ANA028, ANA029, ANA027 weights and biases that become zero; QUA035 a state or input that was
observed beyond the format.
Source: IEEE 754-2019, 3.4 and 4.3.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import frexp, ldexp
from typing import Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import check_names, choose_ops, name_of
from ....analysis.rounding_losses import RoundedWeights, report_bias, report_weights
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Bools
from ....core.diagnostics import Code, Diagnostics, refuse
from ....core.fixed_point import Interval
from ....core.half_precision import LARGEST, PRECISION, SMALLEST, Half, round_to_half
from ....core.help_text import Passes, Phrase, WithoutPass
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import element_type
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import add_update, erase_unused_updates, networks
from ..neurons._parameter_grid import changes
from ..neurons._populations import entry_values, is_population, observed
from ..weights._weight_groups import check_readable

QUA033 = Code("QUA033", "number-exceeds-half-precision", "a number exceeds a format of 16 bits")
QUA034 = Code("QUA034", "no-reals-to-round", "no reals to round")
QUA035 = Code("QUA035", "observed-values-exceed-half-precision", "observed values exceed a format of 16 bits")

ROUNDED = ("bias", "scale", "weight")
"""Parameters of synapse ops that are weights."""


FORMAT_STEPS = 512
"""More bits than the smallest steps of the largest number of a format need."""


def is_real(value: SSAValue) -> bool:
    return isinstance(value.type, Float32Type | Float64Type)


def is_rounded(value: SSAValue, format: Half) -> bool:
    """Returns whether the last op of a value rounds it to a format."""
    rounding = ntensor.rounding_of(value)
    return rounding is not None and rounding.format == format


def insert_named(block: Block, name: str, x: SSAValue, format: Half, before: Operation) -> list[Operation]:
    """Adds `name = format(x)` before an op, and returns the ops; the last one has the result."""
    rounding = ntensor.RoundRealOp(format, x)
    let = ntensor.LetOp(name, rounding.y)
    let.y.name_hint = name
    ops: list[Operation] = [rounding, let]
    block.insert_ops_before(ops, before)
    return ops


def round_states(update: ntensor.UpdateOp, format: Half) -> ntensor.UpdateOp | None:
    """Returns the same update with its real states rounded, at the end of a tick and before the first; None if they are already.

    A state that is emitted is emitted as it is kept. A record reads its value at its own line, which is earlier.
    """
    made = update.clone()
    start, step = made.initial.block, made.step.block
    first, last = start.last_op, step.last_op
    assert first is not None  # verified
    assert last is not None
    wanted = ntensor.HALF_TYPES[format]
    pending = [
        k for k, type in enumerate(made.stored_types.values()) if type != wanted and is_real(last.operands[1 + k])
    ]
    for k in pending:
        name = made.states.data[k].data
        if not is_rounded(first.operands[k], format):
            rounding = ntensor.RoundRealOp(format, first.operands[k])
            start.insert_op_before(rounding, first)
            first.operands[k] = rounding.y
        before = last.operands[1 + k]
        if not is_rounded(before, format):
            after = insert_named(step, name, before, format, last)[-1].results[0]
            for at in (0, 1 + k):
                if last.operands[at] is before:
                    last.operands[at] = after
    return made if pending else None


def round_values(update: ntensor.UpdateOp, format: Half) -> ntensor.UpdateOp | None:
    """Returns the same update with its real inputs and its real output rounded; None if they are already."""
    made = update.clone()
    block = made.step.block
    first, last = block.first_op, block.last_op
    assert first is not None  # verified
    assert last is not None
    changed = False
    for name, arg in zip(made.inputs, block.args, strict=False):
        users = [use.operation for use in arg.uses]
        if is_real(arg) and any(not isinstance(op, ntensor.RoundRealOp) or op.format != format for op in users):
            rounding, let = insert_named(block, name.data, arg, format, first)
            arg.replace_uses_with_if(let.results[0], lambda use, own=rounding: use.operation is not own)
            changed = True
    emitted = last.operands[0]
    if is_real(emitted) and not is_rounded(emitted, format):
        rounding = ntensor.RoundRealOp(format, emitted)
        block.insert_op_before(rounding, last)
        last.operands[0] = rounding.y
        changed = True
    return made if changed else None


def real_arrays(op: Operation) -> dict[str, ArrayAttr]:
    """Returns the weights, the bias and the scale of a synapse op that are reals and are added as reals."""
    if not isinstance(op, ntensor.SynapseOpInterface) or not isinstance(element_type(op.y), Float32Type | Float64Type):
        return {}
    found = {name: op.optional_array(name) for name in ROUNDED}
    return {name: array for name, array in found.items() if array is not None and array.data.dtype.kind == "f"}  # 6


def is_synapse(op: Operation) -> bool:
    return isinstance(op, ntensor.SynapseOpInterface) and any(op.optional_array(name) for name in ROUNDED)


@dataclass
class Roundings:
    """Changes of updates in one network: the populations, and the largest error of a tick or initial value, None if it is not known."""

    touched: list[str] = field(default_factory=list[str])
    largest: float | None = 0.0

    def add(self, node: str, error: float | None) -> None:
        self.touched.append(node)
        self.largest = None if error is None or self.largest is None else max(self.largest, error)


def exceeds(values: AnyArray, format: Half) -> Bools:
    """Returns which finite numbers become infinite in a format."""
    return np.isinf(round_to_half(values.astype(np.float64), format)) & np.isfinite(values)


def half_unit(size: float, format: Half) -> float:
    """Returns the largest error of the rounding of numbers up to a size."""
    exponent = frexp(min(size, LARGEST[format]))[1] - PRECISION[format]
    return max(ldexp(1.0, exponent), SMALLEST[format]) / 2


@dataclass(frozen=True)
class NtensorRoundRealsPass(NoptPass):
    """Rounds the reals of every `ntensor.network` to 16 bits.

    Options:
        to: `f16`, the default: 11 bits of precision, up to 65504; `bf16`: 8 bits of precision, the range of f32.
        of: `weights`, the default, with biases; `states`: at the end of each tick; `values`: real inputs and outputs of populations.
        nodes: the synapse ops or populations, `nodes=fc1,"lif2.lif"`; default all.
    """

    name = "ntensor-round-reals"
    APPROXIMATES = ("precision",)
    to: Half = "f16"
    of: Literal["weights", "states", "values"] = "weights"
    nodes: tuple[str, ...] = ()

    def milder_variants(self) -> Iterator[ModulePass]:
        """Yields nothing: the two formats trade range for precision."""
        return iter(())

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        is_meant = is_synapse if self.of == "weights" else is_population
        check_names(op, self.nodes, is_meant, self.name)
        updates = ntensor.find_updates(op)
        replaced = dict[str, str]()
        for network in networks(op):
            ops = choose_ops(network, self.nodes, is_meant)
            self.check_reals(network, ops, updates)
            if self.of == "weights":
                self.round_weights(network, ops, diagnostics_of(ctx))
            else:
                self.round_updates(network, ops, updates, replaced, diagnostics_of(ctx))
        erase_unused_updates(op, [updates[name] for name in replaced])

    def check_reals(
        self, network: ntensor.NetworkOp, ops: list[Operation], updates: dict[str, ntensor.UpdateOp]
    ) -> None:
        """Refuses named nodes without reals, and a network without any reals. Errors: QUA034."""

        def has_reals(op: Operation) -> bool:
            if not isinstance(op, ntensor.NeuronOp):
                return bool(real_arrays(op))
            update = updates[op.update_name]
            types = [*update.state_types.values()]
            if self.of == "values":
                types = [*update.input_types, update.emitted.type]
            return any(isinstance(type, Float32Type | Float64Type) for type in types)

        without = [op for op in ops if not has_reals(op)]
        if without and (self.nodes or len(without) == len(ops)):
            others = [op for op in ops if op not in without]
            again = replace(self, nodes=tuple(map(name_of, others)))
            refuse(
                QUA034,
                f"the {self.of} are not reals",
                at=f'{without[0].name} "{name_of(without[0])}"',
                node=name_of(without[0]),
                expected=f"{self.of} of f32 or f64",
                found=self.found(without[0], updates),
                help=suggest_pass(again)
                if others
                else Phrase(Passes(pass_text(self)), ", or ", WithoutPass(self.name)),
            )

    def found(self, op: Operation, updates: dict[str, ntensor.UpdateOp]) -> str:
        """Formats the types that cannot be rounded."""
        if isinstance(op, ntensor.NeuronOp):
            update = updates[op.update_name]
            types = (
                update.state_types
                if self.of == "states"
                else dict(zip(update.operand_names, update.input_types, strict=False))
            )
            return ", ".join(f"{name}: {type}" for name, type in types.items()) or f"no {self.of}"
        assert isinstance(op, ntensor.SynapseOpInterface)  # is_synapse
        arrays = ((name, op.optional_array(name)) for name in ROUNDED)
        return ", ".join(f"{name}: {array.element}" for name, array in arrays if array is not None)

    # ---- weights

    def round_weights(self, network: ntensor.NetworkOp, ops: list[Operation], diagnostics: Diagnostics) -> None:  # 1
        check_readable(ops)
        self.check_range([(op, name, array.values) for op in ops for name, array in real_arrays(op).items()])
        errors = Errors()
        for op in ops:
            for name, array in real_arrays(op).items():
                rounded = ArrayAttr.nearest(array.values, self.to)
                found = changes(array.values, rounded.values)
                if found.any():
                    errors.add(name_of(op), found)
                    self.report(op, name, array.values, rounded.values, diagnostics)
                op.properties[name] = rounded
        errors.record(network, pass_text(self), f"weights and biases rounded to {self.to}")

    def report(self, op: Operation, name: str, before: AnyArray, after: AnyArray, diagnostics: Diagnostics) -> None:
        """Warns of weights and biases that become zero."""
        assert isinstance(op, ntensor.SynapseOpInterface)  # is_synapse
        finer = pass_text(replace(self, to="bf16")) if self.to == "f16" else ""
        if name == op.WEIGHTS:
            cause = f"the smallest number of {self.to} is {SMALLEST[self.to]:.4g}"
            report_weights([RoundedWeights(op, before, after)], diagnostics, finer, cause)
        else:
            within = Interval.signed(FORMAT_STEPS)
            report_bias(op, before, after, SMALLEST[self.to], within, diagnostics, finer=finer)

    def check_range(self, numbers: Sequence[tuple[Operation, str, AnyArray]]) -> None:  # 5
        """Refuses arrays with finite numbers that become infinite, with one finding per array. Errors: QUA033."""
        found = [(op, name, values) for op, name, values in numbers if exceeds(values, self.to).any()]
        ops = [op for op, *_ in found]
        others = tuple(dict.fromkeys(name_of(op) for op, *_ in numbers if op not in ops))
        help = (
            suggest_pass(replace(self, nodes=others)) if others else "leave out this node: its numbers need f32 or f64"
        )
        if self.to == "f16" and not any(exceeds(values, "bf16").any() for _, _, values in found):
            help = suggest_pass(replace(self, to="bf16"))
        findings = Diagnostics()
        for op, name, values in found:
            beyond = exceeds(values, self.to)
            count = int(beyond.sum())
            at = np.unravel_index(int(beyond.argmax()), values.shape)
            index = f"[{', '.join(map(str, at))}]" if at else ""
            findings.error(
                QUA033,
                f"a number exceeds {self.to}",
                op=op,
                expected=f"at most {LARGEST[self.to]:.8g}, the largest number of {self.to}",
                found=f"{name}{index} = {values[at]:.8g}" + f", the first of {count}" * (count > 1),
                help=help,
            )
        findings.raise_errors()

    # ---- states and values

    def round_updates(
        self,
        network: ntensor.NetworkOp,
        ops: list[Operation],
        updates: dict[str, ntensor.UpdateOp],
        replaced: dict[str, str],
        diagnostics: Diagnostics,
    ) -> None:
        module, roundings = network.parent_op(), Roundings()
        assert isinstance(module, ModuleOp)  # networks are ops of a module
        populations = [op for op in ops if isinstance(op, ntensor.NeuronOp)]
        if self.of == "states":
            starts = [(op, name) for op in populations for name in self.pending(updates[op.update_name])]
            self.check_range([(op, name, entry_values(op.initial, name)) for op, name in starts])
        for op in populations:
            update, own = updates[op.update_name], op.update_name
            names = self.pending(update)
            if own not in replaced:
                made = (round_states if self.of == "states" else round_values)(update, self.to)
                if made is None:
                    continue
                stem, precision = (own.removesuffix(".f32"), ".f32") if own.endswith(".f32") else (own, "")
                replaced[own] = add_update(module, made, update, f"{stem}.{self.to}_{self.of}", precision)
            op.update = SymbolRefAttr(replaced[own])
            roundings.add(name_of(op), self.error_of(op, names, diagnostics))
            if self.of == "states":
                op.initial = self.rounded_initial(op, names)
        if roundings.touched:
            what = f"{self.of} rounded to {self.to} {'at the end of' if self.of == 'states' else 'in'} each tick"
            least = frexp(SMALLEST[self.to])[1] - 2
            bound = f"by at most 2^-{PRECISION[self.to]} of each number, or 2^{least}"
            network.record(
                ntensor.ApproximationAttr.of(
                    pass_text(self), f"{what}, {bound}", roundings.touched, roundings.largest, unit="1 per tick"
                )
            )

    def pending(self, update: ntensor.UpdateOp) -> list[str]:
        """Returns the states that do not have the format yet, or the real inputs."""
        if self.of == "states":
            types: dict[str, Attribute] = update.stored_types
        else:
            types = dict(zip(update.operand_names, update.input_types, strict=False))
        return [
            name for name, type in types.items() if isinstance(type, Float32Type | Float64Type) or self.differs(type)
        ]

    def differs(self, type: Attribute) -> bool:
        """Returns whether a state has the other format of 16 bits."""
        return type in ntensor.HALF_TYPES.values() and type != ntensor.HALF_TYPES[self.to]

    def rounded_initial(self, op: ntensor.NeuronOp, names: list[str]) -> DictionaryAttr:
        held: dict[str, Attribute] = dict(op.initial.data)
        return DictionaryAttr(
            {**held, **{name: ArrayAttr.nearest(entry_values(op.initial, name), self.to) for name in names}}
        )

    def error_of(self, op: ntensor.NeuronOp, names: list[str], diagnostics: Diagnostics) -> float | None:
        """Returns the largest error of a rounding by the ranges of a calibration, None if they are not known. Warnings: QUA035."""
        errors: list[float | None] = []
        for name in names:
            seen = observed(op, name)
            if seen is not None and exceeds(np.array(seen), self.to).any():
                diagnostics.warning(
                    QUA035,
                    f"{name} exceeds {self.to}, and becomes infinite there",
                    op=op,
                    expected=f"at most {LARGEST[self.to]:.8g} in magnitude",
                    found=f"{seen[0]:.6g} to {seen[1]:.6g}",
                    help=suggest_pass(replace(self, to="bf16")) if self.to == "f16" else "leave out this node",
                )
                seen = None
            start = np.abs(entry_values(op.initial, name)).astype(np.float64) if self.of == "states" else np.zeros(1)
            errors.append(None if seen is None else half_unit(max(*map(abs, seen), start.max(initial=0.0)), self.to))
        if self.of == "values" and isinstance(element_type(op.z), Float32Type | Float64Type):
            errors.append(None)  # no calibration observes what is emitted
        known = [error for error in errors if error is not None]
        return max(known, default=0.0) if len(known) == len(errors) else None
