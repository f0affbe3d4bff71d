"""Readouts of frames: the chip sends the number of spikes in a frame, and the host computes the ticks of the frame from it.

    y = W x + b     =>  y = W (u x) + T b, for the counts x of a frame of T ticks, each of u spikes
    v = f(v, x)     =>  v = f(… f(f(v, x / T), x / T) …, x / T), which emits the sum of what f emits in the T ticks of a frame

Exactness: synapses and sums are exact. A population gets the spikes of a frame evenly spread over its ticks, which is recorded.

Errors: LEG184 a delay.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, FloatAttr, StringAttr, SymbolRefAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.output_units import output_units
from ....core.arrays.arrays import ArrayAttr
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, refuse_op
from ....core.ir.operation import element_type, shape_of, texts_of
from ....dialects import ntensor
from ....dialects.ntensor import ReadoutOp
from ....dialects.ntensor.readout import host_mark

LEG184 = Code("LEG184", "readout-of-frames", "the host delays ticks, and the chip sends counts of frames")


def read_frames(readout: ReadoutOp, network: ntensor.NetworkOp, ticks: int, by: str) -> None:
    """Makes a readout compute frames of some ticks, and records it on the network. Errors: LEG184."""
    ops, updates = readout.computed, ntensor.find_updates(readout.parent_op())
    for op in ops:
        if isinstance(op, ntensor.DelayOp):
            expected, found = "a readout without delays, for counts of frames", f"frames of {ticks} ticks"
            refuse_op(op, LEG184, expected=expected, found=found, help=OTHER_DEVICE)
        if isinstance(bias := op.properties.get("bias"), ArrayAttr):
            dtype = np.float32 if isinstance(element_type(op.results[0]), Float32Type) else np.float64
            op.properties["bias"] = ArrayAttr.of(bias.values.astype(dtype) * dtype(ticks))
        if isinstance(op, ntensor.NeuronOp):
            use_frames(op, updates, ticks)
    scale_counts(readout, network)
    if nodes := [op.node.data for op in ops if isinstance(op, ntensor.NeuronOp)]:
        what = f"readout of counts: the spikes of a frame of {ticks} ticks are spread evenly"
        network.record(ntensor.ApproximationAttr.of(by, what, nodes, unit="none"))


def use_frames(op: ntensor.NeuronOp, updates: dict[str, ntensor.UpdateOp], ticks: int) -> None:
    """Replaces the update of a population by that of a frame."""
    update = updates[op.update_name]
    name = f"{op.update_name}.frame{ticks}"
    if name not in updates:
        updates[name] = frame_update(update, ticks, name)
        Rewriter.insert_op(updates[name], InsertPoint.after(update))
    op.update = SymbolRefAttr(name)


def scale_counts(readout: ReadoutOp, network: ntensor.NetworkOp) -> None:
    """Multiplies signals that leave the chip by the spikes that a count of 1 stands for, where that is not one spike."""
    units = output_units(network)
    first = readout.computed[0]
    for name, arg in zip(texts_of(readout.input_names), readout.body.block.args, strict=True):
        if (unit := units.get(name)) is None:
            continue
        real = next(element_type(op.y) for op in readout.computed if isinstance(op, ntensor.SynapseOpInterface))
        factor = np.broadcast_to(unit, shape_of(arg)).astype(np.float64)
        properties = {"node": StringAttr(f"{name}.unit"), "scale": ArrayAttr.of(np.ascontiguousarray(factor))}
        type = TensorType(real, shape_of(arg))
        scaled = ntensor.ScaleOp.create(operands=[arg], result_types=[type], properties=properties)
        scaled.attributes.update(host_mark(first))
        Rewriter.insert_op(scaled, InsertPoint.at_start(readout.body.block))
        for use in [*arg.uses]:
            if use.operation is not scaled and use.operation is not readout.outputs:
                use.operation.operands[use.index] = scaled.y


def frame_update(update: ntensor.UpdateOp, ticks: int, name: str) -> ntensor.UpdateOp:
    """Returns an update whose step is that of all ticks of a frame; its records are those of the last tick."""
    made = update.clone()
    made.sym_name = StringAttr(name)
    block, inputs = made.step.block, len(update.inputs)
    states = block.args[inputs : inputs + len(update.states)]
    last = block.last_op
    assert last is not None  # verified
    body = [op for op in block.ops if op is not last]
    given: dict[SSAValue, SSAValue] = {}
    for arg in block.args[:inputs]:
        number = arith.ConstantOp(FloatAttr(float(ticks), 32 if isinstance(arg.type, Float32Type) else 64))
        mean = arith.DivfOp(arg, number.result)
        Rewriter.insert_op([number, mean], InsertPoint.before(last))
        given[arg] = mean.result
    totals, ends = list[SSAValue](), list(last.operands)
    for _ in range(ticks):
        values: dict[SSAValue, SSAValue] = dict(given)
        for op in body:
            if isinstance(op, ntensor.LetOp):  # a name is for one value
                values[op.y] = values.get(op.x, op.x)
                continue
            copy = op.clone(values)
            Rewriter.insert_op(copy, InsertPoint.before(last))
            values.update(zip(op.results, copy.results, strict=True))
        ends = [values.get(value, value) for value in last.operands]
        given |= dict(zip(states, ends[1:], strict=False))
        totals.append(ends[0])
    total = totals[0]
    for value in totals[1:]:
        added = arith.AddfOp(total, value)
        Rewriter.insert_op(added, InsertPoint.before(last))
        total = added.result
    named = [ntensor.LetOp(name, value) for name, value in zip(texts_of(update.states), ends[1:], strict=False)]
    Rewriter.insert_op(named, InsertPoint.before(last))
    last.operands = [total, *(one.y for one in named), *ends[1 + len(named) :]]
    erase(body)
    return made


def erase(ops: list[Operation]) -> None:
    """Erases ops that only each other read."""
    for op in reversed(ops):
        Rewriter.erase_op(op)
