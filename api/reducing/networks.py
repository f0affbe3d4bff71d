"""Structural changes of networks of any level: a subset of the ops, fewer outputs, and signals that bypass an op.

Ops are numbered in the order of the text. A signal that enters the remaining ops becomes an input of the network, and one that no
remaining op reads becomes an output.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import count

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from ...core.ir.graph_region import NetworkOperation, names
from ...core.ir.operation import element_type, shape_of, texts_of
from ...dialects import nir, ntensor

Enter = Callable[[Attribute], Attribute]
"""Returns the type of a new input for a signal of a type."""
SUMS = (nir.SumOp, ntensor.SumOp)
REACH = 3
"""Maximum number of ops that a shortcut skips."""


def networks_of(module: ModuleOp) -> list[NetworkOperation]:
    """Returns the networks of a module."""
    return [op for op in module.ops if isinstance(op, NetworkOperation)]


def ops_of(network: NetworkOperation) -> list[Operation]:
    """Returns the ops of a network without its terminator."""
    return list(network.body.block.ops)[:-1]


def own_name(op: Operation) -> str | None:
    """Returns the user's name of an op."""
    name = op.properties.get("node")
    return name.data if isinstance(name, StringAttr) else None


def terminator(network: NetworkOperation) -> Operation:
    last = network.body.block.last_op
    assert last is not None  # the network is verified
    return last


def keep_ops(network: NetworkOperation, kept: Collection[int], enter: Enter) -> bool:
    """Keeps only the given ops, and sums of remaining signals."""
    ops = ops_of(network)
    removed = {op for k, op in enumerate(ops) if k not in kept and not isinstance(op, SUMS)}
    if not removed:
        return False
    drop_operands(ops, removed)
    inputs, outputs = texts_of(network.input_names), texts_of(network.output_names)
    left = [op for op in ops if op not in removed]
    free = free_names({*inputs, *outputs, *filter(None, map(own_name, left))})
    enter_signals(network, left, removed, inputs, free, enter)
    last = terminator(network)
    pairs = [(name, x) for name, x in zip(outputs, last.operands, strict=True) if x.owner not in removed]
    computing = [op for op in left if not isinstance(op, SUMS)]
    read = {x for op in left for x in op.operands} | {x for _, x in pairs}
    ends = [result for op in computing for result in op.results if result not in read]
    if not pairs and not ends:
        ends = [result for op in computing[-1:] for result in op.results]
    pairs += [(free("output"), result) for result in ends]
    terminator(network).operands = [value for _, value in pairs]
    erase_all(network.body.block, [op for op in ops if op in removed])
    finish(network, inputs, pairs)
    return True


def erase_all(block: Block, removed: list[Operation]) -> None:
    """Removes ops of a block, which may use each other."""
    for op in removed:
        block.detach_op(op)
    for op in removed:
        op.drop_all_references()


def drop_operands(ops: list[Operation], removed: set[Operation]) -> None:
    """Removes sum operands that removed ops define. A sum without operands is removed, too, and a sum of one signal is replaced by the signal."""
    has_changed = True
    while has_changed:
        has_changed = False
        for op in ops:
            if not isinstance(op, SUMS) or op in removed:
                continue
            operands = [x for x in op.operands if x.owner not in removed and x.owner is not op]
            if len(operands) != len(op.operands):
                has_changed = True
                if operands:
                    op.operands = operands
            if not operands:
                removed.add(op)
            elif len(operands) == 1 and operands[0].type == op.y.type:
                op.y.replace_all_uses_with(operands[0])
                removed.add(op)


def enter_signals(
    network: NetworkOperation,
    left: list[Operation],
    removed: set[Operation],
    inputs: list[str],
    free: Callable[[str], str],
    enter: Enter,
) -> None:
    """Replaces signals from removed ops to remaining ops by network inputs, and appends the names of the inputs to `inputs`."""
    block, entered = network.body.block, dict[SSAValue, SSAValue]()
    for op in left:
        for k, x in enumerate(op.operands):
            if x.owner not in removed:
                continue
            if x not in entered:
                entered[x] = block.insert_arg(enter(x.type), len(block.args))
                inputs.append(free((isinstance(x, OpResult) and own_name(x.op)) or "input"))
            op.operands[k] = entered[x]


def free_names(used: Collection[str]) -> Callable[[str], str]:
    """Returns a function that makes a name unique: it appends a number if the name is used."""
    known = set(used)

    def free(name: str) -> str:
        texts = (name if k == 0 else f"{name}{k}" for k in count())
        text = next(one for one in texts if one not in known)
        known.add(text)
        return text

    return free


def finish(network: NetworkOperation, inputs: list[str], outputs: list[tuple[str, SSAValue]]) -> None:
    """Sets the outputs, removes unused inputs, and adopts all types; terminals without a name lose their metadata."""
    block, last = network.body.block, terminator(network)
    last.operands = [value for _, value in outputs]
    for k in reversed(range(len(block.args))):
        if block.args[k].first_use is None:
            block.erase_arg(block.args[k])
            del inputs[k]
    network.input_names, network.output_names = names(inputs), names(name for name, _ in outputs)
    adopt_types(network)
    network.properties.pop("terminal_metadata", None)
    for op in block.ops:
        if isinstance(op, ntensor.DelayOp) and op.part_of is not None:
            source = op.x.owner
            if not isinstance(source, Operation) or own_name(source) != op.part_of.data:
                op.part_of = None


def adopt_types(network: NetworkOperation) -> None:
    """Recomputes the kinds of signals that pass through ops of continuous time, and the signature of the network."""
    has_changed = True
    while has_changed:
        has_changed = False
        for op in network.body.block.ops:
            if isinstance(op, nir.KeepingOp) and element_type(op.y) != (kind := element_type(op.x)):
                Rewriter.replace_value_with_new_type(op.y, TensorType(kind, shape_of(op.y)))
                has_changed = True
    values = network.body.block.args, terminator(network).operands
    network.function_type = FunctionType.from_lists(*([value.type for value in one] for one in values))


def remove_dead(network: NetworkOperation) -> None:
    """Removes ops without a path to an output, and unused inputs."""
    block: Block = network.body.block
    alive, work = set[Operation](), [terminator(network)]
    while work:
        if (op := work.pop()) not in alive:
            alive.add(op)
            work += [x.owner for x in op.operands if isinstance(x, OpResult)]
    erase_all(block, [op for op in block.ops if op not in alive])
    outputs = list(zip(texts_of(network.output_names), terminator(network).operands, strict=True))
    finish(network, texts_of(network.input_names), outputs)


def keep_outputs(network: NetworkOperation, kept: Collection[int]) -> bool:
    """Removes all other outputs, and ops that only they use."""
    if not kept:
        return False
    outputs = list(zip(texts_of(network.output_names), terminator(network).operands, strict=True))
    finish(network, texts_of(network.input_names), [outputs[k] for k in sorted(kept)])
    remove_dead(network)
    return True


def shortcuts(network: NetworkOperation) -> Iterator[tuple[int, int]]:
    """Yields pairs of an op and the number of an upstream signal with the same shape, the farthest signal first."""
    numbers = {value: k for k, value in enumerate(all_signals(network))}
    for k, op in enumerate(ops_of(network)):
        if len(op.results) != 1:
            continue
        near, seen = [op], dict[SSAValue, None]()
        for _ in range(REACH):
            signals = [x for one in near for x in one.operands]
            seen |= dict.fromkeys(signals)
            near = [x.op for x in signals if isinstance(x, OpResult) and x.op is not op]
        yield from ((k, numbers[x]) for x in reversed(seen) if is_alike(x, op.results[0]))


def is_alike(x: SSAValue, y: SSAValue) -> bool:
    """Returns whether two signals have the same shape."""
    if x is y or not isinstance(x.type, TensorType) or not isinstance(y.type, TensorType):
        return False
    return shape_of(x) == shape_of(y)


def all_signals(network: NetworkOperation) -> list[SSAValue]:
    """Returns the signals of a network."""
    return [*network.body.block.args, *(result for op in ops_of(network) for result in op.results)]


def skip(network: NetworkOperation, op: int, value: int) -> bool:
    """Replaces the result of an op by another signal, and removes the op."""
    found, signal = ops_of(network)[op], all_signals(network)[value]
    found.results[0].replace_all_uses_with(signal)
    if signal.owner is found:
        return False
    remove_dead(network)
    return True


def drop_operand(network: NetworkOperation, op: int, operand: int) -> bool:
    """Removes an operand of a sum, and ops that only it uses."""
    found = ops_of(network)[op]
    found.operands = [x for k, x in enumerate(found.operands) if k != operand]
    if len(found.operands) == 1 and found.operands[0].type == found.results[0].type:
        found.results[0].replace_all_uses_with(found.operands[0])
    remove_dead(network)
    return True
