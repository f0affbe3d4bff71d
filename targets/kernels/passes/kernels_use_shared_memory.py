"""Moves values of groups into the memory of their workgroup, which is faster than the buffers of the device and needs no host.

    kernels.buffer "lif_spikes" #kernels<kind scratch> …   =>   kernels.buffer "lif_spikes" #kernels<kind shared> …
    kernels.buffer "lif_v" #kernels<kind state> …               kernels.buffer "lif_v" #kernels<kind state> …
                                                                kernels.buffer "lif_v_shared" #kernels<kind shared> …
    kernels.kernel "ticks" … {                                  kernels.kernel "ticks" … {
                                                                  kernels.stage 10 {phase = enter} { lif_v_shared[e] = lif_v[e] }
      kernels.stage 10 { … lif_v … }                              kernels.stage 10 { … lif_v_shared … }
    }                                                             kernels.stage 10 {phase = leave} { lif_v[e] = lif_v_shared[e] } }

1. Scratch of a group becomes shared: the sums, spikes, and bitmaps or lists of spikes between two stages. The workgroup reads the spikes of a tick
   from its own memory for each target.
2. States that a group writes are copied into shared memory before the first tick of a dispatch, and back after the last one.
3. All of this fits into the memory of a workgroup; the largest scratch stays in buffers where it does not, and the states that are left over.
   Values share bytes by their lifetimes, as in `kernels-plan-buffers`.
4. From here on, the program has all limits of its device, and the verifier refuses buffers that exceed one (KRN002).

Grids stay as they are: no workgroup of a grid outlives a tick. Exactness: no number changes.
Errors: KNL003 an unknown limit; KRN002, from the verifier, a limit of the device.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, StringAttr, i32, i64
from xdsl.ir import Attribute, SSAValue

from ....core.ir.pipeline import NoptPass
from ....core.names import Names
from ....dialects import c, fixed, kernels
from ....dialects.kernels import Form, Kind, KindAttr, Phase
from ....dialects.kernels.kernels import memories_in
from ....dialects.kernels.regions import Word, word_of
from ..building.bodies import INDEX, Builder, stage
from ..building.memory import WORD
from ..words.bodies import split_stage
from ._limits import read_limits, set_limits
from ._placement import WORD_ELEMENTS, arena_of, lifetimes, place_by_lifetime

SUFFIX = "_shared"
"""Added to the name of a state, for its copy."""


def copied(b: Builder, source: SSAValue, e: SSAValue) -> SSAValue:
    """Adds a load of an element; returns its value, which no store changes."""
    element = c.element_of_memory(source)
    bits = c.integer_bits(element)
    if bits is None or element == i32:  # reals, and words of bits
        return b.load(source, e, element)
    if bits == WORD and c.is_unsigned(element):  # its interval does not fit into 32 bits with a sign
        return b.add(arith.IndexCastOp(b.load(source, e, INDEX), i32))
    held = c.stored_interval(element)
    assert held is not None  # an integer
    return b.load(source, e, fixed.IntType.of(held))


def copy_stage(source: SSAValue, target: SSAValue, phase: Phase) -> kernels.StageOp:
    """Returns the stage that copies one buffer into another."""
    made = stage(c.length_of(source), lambda b, e: b.store(copied(b, source, e), target, e))
    if kernels.buffer_of(source).form is kernels.Storage.SPLIT:
        made = split_stage(made)
    made.phase = kernels.PhaseAttr(phase)
    return made


class SharedMemory:
    """The memory of the workgroup of one group."""

    def __init__(self, program: kernels.ProgramOp, group: kernels.KernelOp):
        self.program, self.group = program, group
        self.names = Names(op.label.data for op in (*program.buffers, *program.kernels))
        others = [memory for one in program.kernels if one is not group for memory in one.bindings]
        written = {memory for memory, is_written in memories_in(group).items() if is_written and memory not in others}
        self.written = [kernels.buffer_of(memory) for memory in group.bindings if memory in written]

    def of_kind(self, kind: Kind) -> list[kernels.BufferOp]:
        """Returns the buffers of a kind that the group alone writes, the smallest first."""
        found = [one for one in self.written if one.kind.data is kind]
        return sorted(found, key=lambda one: word_of(one).bytes_of(one.entries))

    def bytes_of(self, buffers: Sequence[kernels.BufferOp]) -> int:
        """Places buffers and returns the bytes that they take."""
        used, arenas = lifetimes(self.program), dict[Word, list[kernels.BufferOp]]()
        always = 0, sum(len(one.stages) for one in self.program.kernels)
        for buffer in buffers:
            used.setdefault(buffer, always)
            arenas.setdefault(arena_of(buffer)[1], []).append(buffer)
        return sum(word.bytes_of(place_by_lifetime(held, 0, used, WORD_ELEMENTS)) for word, held in arenas.items())

    def move_scratch(self, limit: int | None) -> list[kernels.BufferOp]:
        """Makes scratch shared, all that fits (1, 3); returns it."""
        moved, offsets = self.of_kind(Kind.SCRATCH), {one: one.offset for one in self.written}
        while moved and limit is not None and self.bytes_of(moved) > limit:
            largest = moved.pop()
            largest.offset = offsets[largest]
        for buffer in moved:
            buffer.kind = KindAttr(Kind.SHARED)
        return moved

    def copy_states(self, held: list[kernels.BufferOp], limit: int | None) -> None:
        """Copies states while they fit with the buffers that are shared already (2, 3)."""
        for state in self.of_kind(Kind.STATE):
            if not state.length:
                continue
            made = self.copy_of(state)
            if limit is not None and self.bytes_of([*held, made]) > limit:
                made.detach()
                made.erase()
                break
            held.append(made)
            state.memory.replace_uses_with_if(made.memory, lambda use: self.group.is_ancestor(use.operation))
            block = self.group.body.block
            block.insert_op_before(copy_stage(state.memory, made.memory, Phase.ENTER), self.group.stages[0])
            block.add_op(copy_stage(made.memory, state.memory, Phase.LEAVE))

    def copy_of(self, state: kernels.BufferOp) -> kernels.BufferOp:
        """Returns the shared buffer for the copy of a state."""
        properties: dict[str, Attribute] = {
            "label": StringAttr(self.names.take(f"{state.label.data}{SUFFIX}")),
            "kind": KindAttr(Kind.SHARED),
            "offset": IntegerAttr(0, i64),
        }
        if state.storage is not None:
            properties["storage"] = state.storage
        if state.is_spikes is not None:
            properties["spikes"] = state.is_spikes
        type = MemRefType(state.element, c.memory_shape(state.memory))
        made = kernels.BufferOp(properties=properties, result_types=[type])
        self.program.body.block.insert_op_before(made, self.group)
        return made

    def finish(self, held: Sequence[kernels.BufferOp]) -> None:
        """Places the shared buffers, and binds those of the bodies."""
        self.bytes_of(held)
        self.group.rebind()


@dataclass(frozen=True)
class KernelsUseSharedMemoryPass(NoptPass):
    """Moves values of the groups of every `kernels.program` into the memory of their workgroups, within the limit `shared_bytes` of the device.

    Options:
        shared: `none`, `scratch` alone, or `states` too; default states.
        limits: limits of the device, `limits="bindings:8","shared_bytes:16384"`; an absent one is unknown; default none.
    """

    name = "kernels-use-shared-memory"
    shared: Literal["none", "scratch", "states"] = "states"
    limits: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        limits = read_limits(self, self.limits)
        for program in [inner for inner in op.ops if isinstance(inner, kernels.ProgramOp)]:
            set_limits(program, limits)  # 4
            if self.shared == "none":
                continue
            limit = program.limit("shared_bytes")
            for group in [one for one in program.kernels if one.form_data is Form.GROUP]:
                memory = SharedMemory(program, group)
                held = memory.move_scratch(limit)
                if self.shared == "states" and group.most_ticks > 1:
                    memory.copy_states(held, limit)
                memory.finish(held)
