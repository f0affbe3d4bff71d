"""Fuses kernels over the same elements, so that a sum, its bias and its neuron are one dispatch and no value between them is stored.

    kernels.kernel "fc" { kernels.stage 10 { … store %s, %sums[%e] } }
    kernels.kernel "lif" { kernels.stage 10 { … load %sums[%e] … } }       =>   kernels.kernel "lif" { kernels.stage 10 { … } }

1. Two kernels are fused if their stages have as many elements, and each buffer that one writes and the other accesses is accessed by both at the
   element of the invocation alone. Then no invocation reads what another one writes.
2. The later kernel moves to the earlier one, if no kernel between them accesses what it writes, or writes what it reads.
3. A value that is stored and then read at the same element is not read from memory; scratch that nothing else reads is removed.
4. A fused kernel has at most `largest` ops.

Exactness: no number changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, IndexType, ModuleOp, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....core.ir.pipeline import NoptPass
from ....dialects import c, fixed, kernels
from ....dialects.kernels import Form, Kind
from ..building.bodies import Builder

Accesses = dict[SSAValue, tuple[bool, bool]]
"""Of each buffer: whether it is written, and whether every access is at the element of the invocation."""


def accesses_of(stage: kernels.StageOp) -> Accesses:
    """Returns the accesses of a stage."""
    own = stage.body.block.args[0]
    found: Accesses = {}
    for op in stage.walk():
        if isinstance(op, kernels.LoadOp | kernels.StoreOp):
            written, is_own = found.get(op.memory, (False, True))
            found[op.memory] = (written or isinstance(op, kernels.StoreOp), is_own and op.index is own)
    return found


def can_fuse(a: Accesses, b: Accesses) -> bool:
    """Returns whether the bodies of two stages can run one after the other in each invocation (1)."""
    return all(a[m][1] and b[m][1] for m in a.keys() & b.keys() if a[m][0] or b[m][0])


def can_swap(a: Accesses, b: Accesses) -> bool:
    """Returns whether two stages can be exchanged (2)."""
    return not any(a[m][0] or b[m][0] for m in a.keys() & b.keys())


def size_of(op: Operation) -> int:
    return sum(1 for _ in op.walk())


def converted(b: Builder, value: SSAValue, load: kernels.LoadOp) -> SSAValue | None:
    """Returns a stored value in the type of a load; None if a store to this memory can change it."""
    element, type = c.element_of_memory(load.memory), load.value.type
    if value.type == type and not (isinstance(value.type, Float64Type) and isinstance(element, Float32Type)):
        return value
    if value.type == i1:
        if isinstance(type, fixed.IntType):
            one, zero = b.add(fixed.ConstantOp(1)), b.add(fixed.ConstantOp(0))
            return b.widened(b.add(fixed.SelectOp(value, one, zero)), type)
        if isinstance(type, Float32Type | Float64Type):
            return b.add(arith.SelectOp(value, b.number(1.0, type), b.number(0.0, type)))
        return None
    if isinstance(value.type, fixed.IntType):
        if isinstance(type, fixed.IntType):
            return b.widened(value, type)
        if isinstance(type, Float32Type | Float64Type):
            return b.add(fixed.ToRealOp(value, type))
        return b.is_nonzero(value) if type == i1 else None
    if isinstance(value.type, Float32Type) and isinstance(type, Float64Type):
        return b.add(arith.ExtFOp(value, type))
    return None


def forward(block: Block) -> None:
    """Replaces reads of the element that the same invocation stored before (3)."""
    own = block.args[0]
    stored: dict[SSAValue, SSAValue] = {}
    for op in list(block.ops):
        if isinstance(op, kernels.LoadOp) and op.index is own and op.memory in stored:
            made = Block()
            value = converted(Builder(made), stored[op.memory], op)
            if value is not None:
                for new in list(made.ops):
                    new.detach()
                    block.insert_op_before(new, op)
                op.value.replace_all_uses_with(value)
                Rewriter.erase_op(op)
            continue
        for inner in op.walk():
            if isinstance(inner, kernels.StoreOp):
                stored.pop(inner.memory, None)
        if isinstance(op, kernels.StoreOp) and op.index is own:
            stored[op.memory] = op.value


def drop_stores(block: Block) -> None:
    """Removes stores to an element that the same block overwrites without a read between them."""
    own = block.args[0]
    ahead: set[SSAValue] = set()
    for op in reversed(list(block.ops)):
        if isinstance(op, kernels.StoreOp) and op.index is own:
            if op.memory in ahead:
                Rewriter.erase_op(op)
            else:
                ahead.add(op.memory)
            continue
        for inner in op.walk():
            if isinstance(inner, kernels.LoadOp):
                ahead.discard(inner.memory)


def joined(a: kernels.KernelOp, b: kernels.KernelOp) -> kernels.KernelOp:
    """Returns a kernel with the ops of both stages. The name is that of the later kernel."""
    first, second = a.stages[0], b.stages[0]
    block = Block(arg_types=[IndexType()])
    for stage in (first, second):
        known: dict[SSAValue, SSAValue] = {stage.body.block.args[0]: block.args[0]}
        for op in stage.body.block.ops:
            copy = op.clone(known)
            known.update(zip(op.results, copy.results, strict=True))
            block.add_op(copy)
    forward(block)
    drop_stores(block)
    stage = kernels.StageOp(first.elements, block)
    return kernels.KernelOp(b.label.data, [stage], b.invocations)


def fuse(program: kernels.ProgramOp, largest: int) -> None:
    """Moves each kernel to the nearest earlier one that it can be fused with."""
    done: list[kernels.KernelOp] = []
    accesses: list[Accesses] = []
    sizes: list[int] = []
    for one in program.kernels:
        if one.form_data is not Form.GRID:
            return
        own, size = accesses_of(one.stages[0]), size_of(one)
        at = next((k for k in reversed(range(len(done))) if not can_swap(accesses[k], own)), None)
        place = find_partner(done, accesses, sizes, one, own, size, largest, at)
        if place is None:
            done.append(one)
            accesses.append(own)
            sizes.append(size)
            continue
        made = joined(done[place], one)
        program.body.block.insert_op_before(made, done[place])
        for old in (done[place], one):
            Rewriter.erase_op(old)
        done[place], accesses[place], sizes[place] = made, accesses_of(made.stages[0]), size_of(made)


def find_partner(
    done: list[kernels.KernelOp],
    accesses: list[Accesses],
    sizes: list[int],
    one: kernels.KernelOp,
    own: Accesses,
    size: int,
    largest: int,
    last: int | None,
) -> int | None:
    """Returns the kernel to fuse with: the nearest, not before the last one that `one` cannot be exchanged with."""
    for k in range(len(done) - 1, (-1 if last is None else last) - 1, -1):
        if k < 0:
            break
        same = done[k].stages[0].elements == one.stages[0].elements
        related = bool(accesses[k].keys() & own.keys())
        if same and related and sizes[k] + size <= largest and can_fuse(accesses[k], own):
            return k
    return None


def drop_scratch(program: kernels.ProgramOp) -> None:
    """Removes scratch that no kernel reads, and the stores to it (3)."""
    while True:
        read = {op.memory for one in program.kernels for op in one.walk() if isinstance(op, kernels.LoadOp)}
        dead = [b for b in program.of_kind(Kind.SCRATCH, Kind.CONSTANT) if b.memory not in read]
        if not dead:
            return
        gone = {buffer.memory for buffer in dead}
        for one in program.kernels:
            for op in [op for op in one.walk() if isinstance(op, kernels.StoreOp) and op.memory in gone]:
                Rewriter.erase_op(op)
            for stage in one.stages:
                drop_unused(stage.body.block)
            one.rebind()
        for buffer in dead:
            Rewriter.erase_op(buffer)
        for one in program.kernels:
            if not list(one.bindings):
                Rewriter.erase_op(one)


def drop_unused(block: Block) -> None:
    """Removes ops whose results have no use, in a block and in its loops."""
    for op in reversed(list(block.ops)):
        if op.results and not any(result.uses for result in op.results) and not has_store(op):
            Rewriter.erase_op(op)
            continue
        for region in op.regions:
            for inner in region.blocks:
                drop_unused(inner)


def has_store(op: Operation) -> bool:
    return any(isinstance(inner, kernels.StoreOp) for inner in op.walk())


@dataclass(frozen=True)
class KernelsFuseStagesPass(NoptPass):
    """Fuses the kernels of every `kernels.program`.

    Options:
        fusion: false keeps a kernel for each op; default true.
        largest: the most ops of a fused kernel; default 4096.
    """

    name = "kernels-fuse-stages"
    fusion: bool = True
    largest: int = 4096

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, kernels.ProgramOp)]:
            if self.fusion:
                fuse(program, self.largest)
            drop_scratch(program)
