"""Reals of 16 bits in updates: the equations that round states, inputs and emitted values to f16 or bf16.

    x = bf16(x)                 values: first
    …
    v = bf16(v)                 states: last
    emit value bf16(y)          values

A state that is emitted is emitted as it is kept. A record reads its value at its own line, which is earlier.
"""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Block, Operation, SSAValue

from ....core.half_precision import Half
from ....dialects import ntensor


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
    """Returns the same update with its real states rounded, at the end of a tick and before the first; None if they are already."""
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
