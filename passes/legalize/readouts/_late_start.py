"""Start of a readout: it begins in the tick in which the first events of the input arrive from the chip.

A readout reads signals with latencies. On the host:

1. Signals that arrive earlier than others are delayed until the latest ones, so that outputs depend on spikes of one tick of the input.
2. A population whose state changes without input (by a bias, or towards a leak) waits for its latency: it keeps its initial state until
   then. Its update is a copy with the state `wait`, the ticks that remain.
3. A delay of values that are not zero without input gets zeros until then.

Exactness: in tick t + latency the readout has the states and values of tick t of the network before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DictionaryAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.latency import LATENCY, NODE_LATENCY, latency_of, output_latencies
from ....analysis.node_selection import name_of
from ....core.arrays.arrays import ArrayAttr
from ....core.ir.graph_region import names, schedule
from ....core.ir.operation import element_type, shape_of, texts_of
from ....core.names import PrimedNames
from ....dialects import ntensor
from ....dialects.ntensor.readout import ReadoutOp, host_mark, latency_attribute
from ....simulation.update import Step

WAIT = "wait"
"""The state with the ticks that a population still waits."""


def start_late(readout: ReadoutOp, network: ntensor.NetworkOp, before: Mapping[str, int]) -> None:
    """Aligns the inputs of a readout with latencies that the outputs of a network have gained; `before`: their latencies before."""
    gained = {name: ticks - before.get(name, 0) for name, ticks in output_latencies(network).items()}
    if any(gained.values()):
        LateStart(readout, network, gained).run()


class LateStart:
    """The rewrite of one readout."""

    def __init__(self, readout: ReadoutOp, network: ntensor.NetworkOp, lags: Mapping[str, int]):
        self.readout = readout
        args = dict(zip(texts_of(readout.input_names), readout.body.block.args, strict=True))
        self.names: dict[SSAValue, str] = {arg: name for name, arg in args.items()}
        self.lags: dict[SSAValue, int] = {arg: lags.get(name, 0) for name, arg in args.items()}
        self.resting: dict[SSAValue, bool] = dict.fromkeys(args.values(), True)
        """Whether a value is zero as long as no event arrives."""
        self.updates = ntensor.find_updates(readout.parent_op())
        ops = (*network.body.block.ops, *readout.body.block.ops)
        self.node_names = PrimedNames(map(name_of, ops))
        self.node_names.taken |= {*texts_of(network.input_names), *texts_of(readout.output_names)}

    def run(self) -> None:
        block, last = self.readout.body.block, self.readout.outputs
        ops = [op for (op,) in schedule(block, lambda op: False) if op is not last]  # a readout has no loops
        for group in connected(ops):
            lag = max((self.lags[x] for op in group for x in op.operands if x in self.lags), default=0)
            waits: dict[SSAValue, SSAValue] = {}
            for op in group:
                for k, x in enumerate(op.operands):
                    if isinstance(x, BlockArgument) and self.lags[x] < lag:
                        if x not in waits:
                            waits[x] = self.wait(x, lag - self.lags[x], op)
                        op.operands[k] = waits[x]
            for op in group:
                self.lags[op.results[0]] = lag
                self.resting[op.results[0]] = self.rests(op, lag)
                if lag and name_of(op):
                    op.attributes[NODE_LATENCY] = IntegerAttr(latency_of(op) + lag, i64)
        outputs = zip(texts_of(self.readout.output_names), last.values, strict=True)
        known = output_latencies(self.readout)
        late = {name: known.get(name, 0) + self.lags[value] for name, value in outputs}
        if any(late.values()):
            self.readout.attributes[LATENCY] = latency_attribute(late)

    def wait(self, x: BlockArgument, ticks: int, at: Operation) -> SSAValue:
        """Returns a signal of the chip delayed by some ticks."""  # 1
        delay = ntensor.DelayOp(self.node_names.take(f"{self.names[x]}.wait{ticks}"), x, ticks)
        delay.attributes.update(host_mark(at))
        delay.location = at.location
        Rewriter.insert_op(delay, InsertPoint.before(at))
        self.lags[delay.y], self.resting[delay.y] = self.lags[x] + ticks, True
        return delay.y

    def rests(self, op: Operation, lag: int) -> bool:
        """Returns whether an op produces zeros as long as its inputs are zero; a population that does not rest waits."""
        is_resting = all(self.resting[x] for x in op.operands)
        if isinstance(op, ntensor.NeuronOp):
            update = self.updates[op.update_name]
            is_idle, is_silent = idles(op, update)
            if lag and not (is_resting and is_idle):
                self.hold(op, update, lag)  # 2
            return is_resting and is_idle and is_silent
        if isinstance(op, ntensor.DelayOp) and lag and not is_resting:
            self.gate(op, lag)
            return True
        bias = op.properties.get("bias")
        return is_resting and not (isinstance(bias, ArrayAttr) and bias.values.any())

    def gate(self, op: ntensor.DelayOp, ticks: int) -> None:
        """Inserts a population before a delay that emits zeros for some ticks, then its input."""  # 3
        made = gate_update(ticks, element_type(op.x))
        name = self.node_names.take(f"{name_of(op)}.start")
        initial = DictionaryAttr({WAIT: ArrayAttr.of(np.float64(ticks))})
        gate = ntensor.NeuronOp(
            name, self.add_update(made), [op.x], op.x.type, params=DictionaryAttr({}), initial=initial
        )
        gate.attributes.update(host_mark(op))
        gate.location = op.location
        Rewriter.insert_op(gate, InsertPoint.before(op))
        op.operands[0] = gate.z

    def add_update(self, made: ntensor.UpdateOp) -> str:
        """Adds an update to the module unless it is there, and returns its symbol."""
        module, name = self.readout.parent_op(), made.sym_name.data
        assert isinstance(module, ModuleOp)  # updates are in it
        if name not in self.updates:
            self.updates[name] = made
            Rewriter.insert_op(made, InsertPoint.at_start(module.body.block))
        return name

    def hold(self, op: ntensor.NeuronOp, update: ntensor.UpdateOp, ticks: int) -> None:
        """Replaces the update of a population by one that waits."""
        op.update = SymbolRefAttr(self.add_update(waiting_update(update, ticks)))
        op.initial = DictionaryAttr({**op.initial.data, wait_name(update): ArrayAttr.of(np.float64(ticks))})


def connected(ops: Sequence[Operation]) -> list[list[Operation]]:
    """Returns the ops in groups of those that depend on each other, each in the given order."""
    groups: dict[Operation, list[Operation]] = {}
    for op in ops:
        whole = [op]
        for other in dict.fromkeys(x.owner for x in op.operands if isinstance(x.owner, Operation)):
            if groups[other] is not whole:
                whole[:0] = groups[other]
            for member in groups[other]:
                groups[member] = whole
        groups[op] = whole
    return list({id(group): group for group in groups.values()}.values())


def idles(op: ntensor.NeuronOp, update: ntensor.UpdateOp) -> tuple[bool, bool]:
    """Returns whether the states of a population stay as they are without input, and whether its output is zero."""
    shape = (1, *shape_of(op.z))
    params = {name: array.values for name, array in op.arrays(op.params)}
    states = {
        name: np.array(np.broadcast_to(array.values, shape)).astype(
            np.float32 if isinstance(update.state_types[name], Float32Type) else np.float64
        )
        for name, array in op.arrays(op.initial)
    }
    before = {name: array.copy() for name, array in states.items()}
    step = Step(update, {name: np.asarray(values) for name, values in params.items()}, shape)
    emitted = step([np.zeros(shape) for _ in update.inputs], states).value
    is_idle = all(np.array_equal(states[name], before[name]) for name in states)
    return is_idle, not np.any(emitted)


def gate_update(ticks: int, real: Attribute) -> ntensor.UpdateOp:
    """Returns the update of a population that emits zeros for some ticks, then its input."""
    width = 32 if isinstance(real, Float32Type) else 64
    start, step = Block(), Block(arg_types=[real, real])
    for name, arg in zip(("x", WAIT), step.args, strict=True):
        arg.name_hint = name
    first, zero, one = (arith.ConstantOp(FloatAttr(n, width)) for n in (float(ticks), 0.0, 1.0))
    start.add_ops([first, ntensor.InitialOp(first.result)])
    x, held = step.args
    waits = arith.CmpfOp(held, zero.result, "ogt")
    emitted, less = arith.SelectOp(waits.result, zero.result, x), arith.SubfOp(held, one.result)
    left = arith.SelectOp(waits.result, less.result, held)
    shown = ntensor.LetOp(WAIT, left.result)
    step.add_ops([zero, one, waits, emitted, less, left, shown, ntensor.EmitOp(emitted.result, shown.y)])
    derive = Block([ntensor.DerivedOp()], arg_types=[f64])
    return ntensor.UpdateOp(
        f"readout_start.late{ticks}.f{width}",
        ntensor.Emits.VALUE,
        inputs=["x"],
        states=[WAIT],
        params=[],
        raw=[],
        canonical=[],
        records=[],
        derive=Region(derive),
        initial=Region(start),
        step=Region(step),
    )


def wait_name(update: ntensor.UpdateOp) -> str:
    """Returns a name for the state of a waiting population that no other value of the update has."""
    taken = {*texts_of(update.inputs), *texts_of(update.states), *texts_of(update.params), *texts_of(update.records)}
    name = WAIT
    while name in taken:
        name += "_"
    return name


def waiting_update(update: ntensor.UpdateOp, ticks: int) -> ntensor.UpdateOp:
    """Returns a copy of an update whose states stay as they are for some ticks."""
    made = update.clone()
    made.sym_name = StringAttr(f"{update.sym_name.data}.late{ticks}")
    made.states = names([*texts_of(update.states), wait_name(update)])
    real = next(type for type in update.step.block.arg_types if isinstance(type, Float32Type | Float64Type))
    first, count = made.initial.block.last_op, len(update.inputs) + len(update.states)
    block, last = made.step.block, made.step.block.last_op
    assert first is not None
    assert last is not None
    start = arith.ConstantOp(FloatAttr(float(ticks), real))
    Rewriter.insert_op(start, InsertPoint.before(first))
    first.operands = [*first.operands, start.result]
    held = block.insert_arg(real, count)
    held.name_hint = wait_name(update)
    zero, one = (arith.ConstantOp(FloatAttr(n, real)) for n in (0.0, 1.0))
    waits = arith.CmpfOp(held, zero.result, "ogt")
    ops: list[Operation] = [zero, one, waits]
    emitted, *rest = last.operands
    states = zip(texts_of(update.states), block.args[len(update.inputs) : count], rest, strict=False)
    after: list[SSAValue] = []
    for name, old, new in states:
        kept = arith.SelectOp(waits.result, old, new)
        shown = ntensor.LetOp(name, kept.result)
        ops += [kept, shown]
        after.append(shown.y)
    less = arith.SubfOp(held, one.result)
    left = arith.SelectOp(waits.result, less.result, held)
    shown = ntensor.LetOp(wait_name(update), left.result)
    ops += [less, left, shown]
    Rewriter.insert_op(ops, InsertPoint.before(last))
    last.operands = [emitted, *after, shown.y, *rest[len(after) :]]
    return made
