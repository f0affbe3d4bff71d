"""The plan of a network: its ops in execution order, each as an object that runs blocks of ticks or single ticks.

Ops outside of cycles run one after the other, each over a whole block of ticks of all samples. The ops of a cycle, which contains
a delay, run together, tick by tick: first the delays output their values, last they store the new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Protocol

import numpy as np
from attrs import frozen
from xdsl.ir import Operation, SSAValue

from ...core.arrays.numeric import AnyArray, Ints
from ...core.diagnostics import Code, describe_op, refuse, refuse_op
from ...core.ir.graph_region import components, schedule, sources
from ...core.ir.operation import element_type, shape_of
from ...core.memory import available_bytes
from ...dialects.ntensor import (
    DelayOp,
    NetworkOp,
    NeuronOp,
    OutputOp,
    SparseLinearOp,
    SynapseOpInterface,
    TermsType,
    UpdateOp,
    breaks_loops,
    updates_of,
)
from ...dialects.ntensor.probes import record_types
from ...simulation.delays import DelayRing
from ...simulation.elements import working_dtype
from ...simulation.learning.plastic_ops import learning_values, named_values, plastic_ops
from ...simulation.memory_budget import format_bytes
from ...simulation.update import Accumulation, Step
from .kernels import kernel_of
from .plasticity import Plastic
from .sparse import Sparse, Synapses, sparse_of
from .terms import TermsBlock, Unadded, maker_of
from .windows import Kernel

SIM024 = Code("SIM024", "op-unsupported-by-engine", "the engine cannot run an op or a type")
SIM026 = Code("SIM026", "delay-history-exceeds-memory", "the past of a delay does not fit into memory")


class Worker(Protocol):
    """An op in execution on some samples, with its state."""

    def block(self, *xs: AnyArray) -> AnyArray:
        """Runs a block of ticks, `[ticks, samples, *shape]`."""
        ...

    def tick(self, *xs: AnyArray) -> AnyArray:
        """Runs one tick, `[samples, *shape]`. The result is valid until the next tick."""
        ...


class Stateless:
    """Adapter for a kernel without state: each pair of a tick and a sample is one row of its operand."""

    def __init__(self, kernel: Kernel):
        self.tick = kernel

    def block(self, *xs: AnyArray) -> AnyArray:
        ticks, samples = xs[0].shape[:2]
        y = self.tick(*(x.reshape(ticks * samples, *x.shape[2:]) for x in xs))
        return y.reshape(ticks, samples, *y.shape[1:])


class Delay:
    """A delay outside of cycles, or one that is zero for some neurons."""

    def __init__(self, ring: DelayRing):
        self.ring = ring

    def block(self, *xs: AnyArray) -> AnyArray:
        return self.ring.push(xs[0])

    def tick(self, *xs: AnyArray) -> AnyArray:
        return self.ring.tick(xs[0])


class Neurons:
    """A population: its states, and the recorded ones among them."""

    def __init__(self, op: NeuronOp, update: UpdateOp, samples: int, wanted: Sequence[str]):
        self.shape = (samples, *shape_of(op.z))
        params = {name: array.values for name, array in op.arrays(op.params)}
        self.step = Step(update, params, self.shape)
        self.accumulations = [Accumulation(update, *one, self.shape) for one in update.accumulators]
        self.inputs = len(update.inputs)
        starts = {name: array.values for name, array in op.arrays(op.initial)}
        self.states = {
            name: np.broadcast_to(starts[name], self.shape).astype(working_dtype(type), order="C")
            for name, type in update.state_types.items()
        }
        self.dtype = working_dtype(element_type(op.z))
        types = record_types(update)
        self.wanted = {name: working_dtype(types[name]) for name in wanted}
        self.recorded: dict[str, AnyArray] = {}
        """Blocks of recorded values, by the name of the state."""
        self.now = 0

    def begin(self, ticks: int) -> None:
        """Allocates a block of records."""
        self.recorded = {name: np.empty((ticks, *self.shape), dtype) for name, dtype in self.wanted.items()}
        self.now = 0

    def tick(self, *xs: Any) -> AnyArray:
        for accumulation, terms in zip(self.accumulations, xs[self.inputs :], strict=True):
            for term in terms:
                accumulation(term, self.states[accumulation.into])
        emission = self.step(xs[: self.inputs], self.states)
        for name, block in self.recorded.items():
            block[self.now] = emission.records[name] if name in emission.records else self.states[name]
        self.now += 1
        return emission.value

    def block(self, *xs: Any) -> AnyArray:
        found = np.empty((len(xs[0]), *self.shape), self.dtype)
        if self.accumulations:
            for row, *inputs in zip(found, *xs, strict=True):
                row[...] = self.tick(*inputs)
            return found
        ends, t = ends_of_runs(xs), 0
        while t < len(found):
            end = int(ends[t])
            before = [state.tobytes() for state in self.states.values()] if end - t > REPEATS else None
            found[t] = self.tick(*(x[t] for x in xs))
            t += 1
            if before is not None and before == [state.tobytes() for state in self.states.values()]:
                found[t:end] = found[t - 1]  # a tick is a function of input and state
                for block in self.recorded.values():
                    block[self.now : self.now + end - t] = block[self.now - 1]
                self.now += end - t
                t = end
        return found


REPEATS = 2
"""Ticks with equal input after which the state is tested for a fixpoint."""


def ends_of_runs(xs: Sequence[AnyArray]) -> Ints:
    """Returns, for each tick, the first later tick with another input, bit by bit."""
    ticks = len(xs[0])
    is_new = np.zeros(ticks + 1, np.bool_)
    is_new[ticks] = True
    for x in xs:
        rows = np.ascontiguousarray(x).reshape(ticks, -1).view(np.uint8)
        if ticks > 1 and rows.shape[1]:
            is_new[1:ticks] |= (rows[1:] != rows[:-1]).any(axis=1)
    starts = np.flatnonzero(is_new)
    return starts[np.searchsorted(starts, np.arange(ticks), side="right")]


Start = Callable[[int, Sequence[str]], Worker]
"""A function that puts an op into execution, on a number of samples and with the names of the recorded states."""


@frozen(eq=False)
class Part:
    """An op of the plan."""

    op: Operation
    reads: tuple[int, ...]
    """Slots of its operands."""
    writes: int
    """Slot of its result."""
    start: Start
    learns: tuple[int, ...] = ()
    """Slots that the rule of a plastic op reads at the end of a tick: the spikes of its population, the presynaptic spikes, the modulators."""


def ring_of(op: DelayOp, samples: int) -> DelayRing:
    dtype = working_dtype(element_type(op.y))
    assert dtype is not None  # the plan refuses other types
    return DelayRing(op.ticks.values, samples, shape_of(op.y), dtype)


@frozen(eq=False)
class Stage:
    """Ops that run together: one op outside of cycles, or all ops of a cycle in execution order."""

    parts: tuple[Part, ...]
    running: type[Running]
    """The class that runs the stage: `Running` for one op, `Loop` for a cycle."""
    kept: tuple[int, ...] = ()
    """Slots of a cycle that ops outside of it read."""
    last_use: tuple[int, ...] = ()
    """Slots that are unused after this stage."""


class Running:
    """A stage in execution on some samples: one op outside of cycles."""

    def __init__(self, stage: Stage, samples: int, wanted: Mapping[Operation, Sequence[str]]):
        self.stage = stage
        self.samples = samples
        self.workers: dict[Operation, Worker] = {
            part.op: part.start(samples, wanted.get(part.op, ()))
            for part in stage.parts
            if not (stage.running is Loop and breaks_loops(part.op))
        }
        self.recording = [worker for worker in self.workers.values() if isinstance(worker, Neurons | Plastic)]

    def __call__(self, blocks: list[AnyArray | None], ticks: int) -> None:
        """Runs a block of ticks: reads and writes `blocks` by slot."""
        for worker in self.recording:
            worker.begin(ticks)
        self.run(blocks, ticks)
        for slot in self.stage.last_use:
            blocks[slot] = None

    def run(self, blocks: list[AnyArray | None], ticks: int) -> None:
        """Runs a block of ticks of the one op."""
        (part,) = self.stage.parts
        xs = [block for slot in part.reads if (block := blocks[slot]) is not None]
        blocks[part.writes] = self.workers[part.op].block(*xs)


class Loop(Running):
    """The ops of a cycle, tick by tick."""

    def __init__(self, stage: Stage, samples: int, wanted: Mapping[Operation, Sequence[str]]):
        super().__init__(stage, samples, wanted)
        self.calls: list[tuple[Callable[..., AnyArray], tuple[int, ...], int]] = []
        self.takes: list[tuple[Callable[[AnyArray], None], int]] = []
        for part in stage.parts:
            if isinstance(part.op, DelayOp) and breaks_loops(part.op):
                ring = ring_of(part.op, samples)
                self.calls.append((ring.read, (), part.writes))
                self.takes.append((ring.write, part.reads[0]))
            else:
                self.calls.append((self.workers[part.op].tick, part.reads, part.writes))
        self.learners = [
            (worker, part.learns) for part in stage.parts if isinstance(worker := self.workers.get(part.op), Plastic)
        ]
        for worker, _ in self.learners:
            population = self.workers[worker.population]
            assert isinstance(population, Neurons)  # part of the same cycle
            worker.observe(population.states)
        inside = {part.writes for part in stage.parts}
        read = chain.from_iterable((*part.reads, *part.learns) for part in stage.parts)
        self.outside = list(dict.fromkeys(slot for slot in read if slot not in inside))
        self.values = {part.writes: part.op.results[0] for part in stage.parts}

    def run(self, blocks: list[AnyArray | None], ticks: int) -> None:
        now: list[Any] = [None] * len(blocks)
        given = [(slot, block) for slot in self.outside if (block := blocks[slot]) is not None]
        kept = [(slot, self.room(slot, ticks)) for slot in self.stage.kept]
        for t in range(ticks):
            for slot, block in given:
                now[slot] = block[t]
            for call, reads, writes in self.calls:
                now[writes] = call(*[now[slot] for slot in reads])
            for take, slot in self.takes:
                take(now[slot])
            for worker, (z, x, *signals) in self.learners:
                worker.learn(now[z], now[x], [now[slot] for slot in signals])
            for slot, block in kept:
                block[t] = now[slot]
        for slot, block in kept:
            blocks[slot] = block

    def room(self, slot: int, ticks: int) -> Any:
        value = self.values[slot]
        if isinstance(element_type(value), TermsType):
            return TermsBlock.room(ticks)
        return np.empty((ticks, self.samples, *shape_of(value)), working_dtype(element_type(value)))


class Plan:
    """The stages of a network, and the slots that hold its values.

    `needed` are the results of a run; they are kept to the end of a block, and other values only until their last use.
    Errors: SIM022 weights too large to be added; SIM024 an unsupported op or type; SIM031 to SIM034, SIM036 and NTE025 plasticity; SIM026 a delay beyond memory;
    NTE005 a neuron whose update is not in the module.
    """

    def __init__(self, network: NetworkOp, needed: Iterable[SSAValue], *, fast: bool):
        block = network.body.block
        ops = [op for op in block.ops if not isinstance(op, OutputOp)]
        values = [*block.args, *(result for op in ops for result in op.results)]
        for value in values:
            require_type(value)
        self.slots: dict[SSAValue, int] = {value: k for k, value in enumerate(values)}
        updates = updates_of(network)
        self.plastic = plastic_ops(network, ops)
        self.signals = named_values(network)
        self.parts = {op: self.part(op, updates, fast) for op in ops}
        order = {op: k for k, op in enumerate(chain.from_iterable(schedule(block, breaks_loops)))}
        groups = [
            (sorted(group, key=order.__getitem__), len(group) > 1 or group[0] in sources(group[0]))
            for group in components(ops, self.sources)
        ]
        held = {self.slots[value] for value in needed}
        self.stages = self.staged(groups, held)
        self.row_bytes = sum(shape_bytes(value) for value in values)
        """Bytes of all values of one sample in one tick."""

    def part(self, op: Operation, updates: Mapping[str, UpdateOp], fast: bool) -> Part:
        reads = tuple(self.slots[x] for x in op.operands)
        writes = self.slots[op.results[0]] if op.results else 0
        plastic = self.plastic.get(op)
        if plastic is None:
            return Part(op, reads, writes, start_of(op, updates, fast))
        learns = tuple(self.slots[value] for value in learning_values(plastic, self.signals))
        return Part(op, reads, writes, partial(Plastic, plastic), learns)

    def sources(self, op: Operation) -> list[Operation]:
        """Returns the ops that an op reads; a plastic op also reads the spikes and signals of its rule, from the tick before."""
        if (plastic := self.plastic.get(op)) is None:
            return sources(op)
        learned = [value.owner for value in learning_values(plastic, self.signals)]
        return [*sources(op), *(owner for owner in learned if isinstance(owner, Operation))]

    def staged(self, groups: Sequence[tuple[list[Operation], bool]], held: set[int]) -> list[Stage]:
        """Adds to each group the slots that later groups read, and the slots that are unused after it."""
        stages: list[Stage] = []
        later = set(held)
        for ops, is_loop in reversed(groups):
            parts = tuple(self.parts[op] for op in ops)
            own = {part.writes for part in parts}
            read = set(chain.from_iterable((*part.reads, *part.learns) for part in parts)) - own
            kept = sorted(own & later) if is_loop else ()
            stages.append(Stage(parts, Loop if is_loop else Running, tuple(kept), tuple(sorted((read | own) - later))))
            later |= read
        return stages[::-1]


def start_of(op: Operation, updates: Mapping[str, UpdateOp], fast: bool) -> Start:
    """Returns the function that puts an op into execution, with all that is known before a run."""
    if isinstance(op, NeuronOp):
        update = updates.get(op.update_name)
        op.verify_against(update)
        assert update is not None  # verified above
        return partial(Neurons, op, update)
    if isinstance(op, DelayOp):
        require_ring(op, int(op.ticks.data.greatest()) if op.ticks.data.size else 0)
        return lambda samples, _: Delay(ring_of(op, samples))
    if isinstance(op, SparseLinearOp):
        require_ring(op, int(op.delay.data.greatest()) if op.delay is not None and op.delay.data.size else 0)
        synapses = Synapses(op)
        return lambda samples, _: Sparse(synapses, samples)
    if op.results and isinstance(element_type(op.results[0]), TermsType) and (maker := maker_of(op)) is not None:
        return lambda _, __: Unadded(maker)
    if (kernel := kernel_of(op, fast)) is not None:
        return lambda _, __: Stateless(kernel)
    if isinstance(op, SynapseOpInterface):
        sparse = Synapses(sparse_of(op))
        return lambda samples, _: Sparse(sparse, samples)
    refuse(
        SIM024,
        f"the engine cannot run {op.name}",
        at=describe_op(op)[0],
        expected="an op of ntensor",
        found=op.name,
    )


def require_ring(op: DelayOp | SparseLinearOp, longest: int) -> None:
    """Refuses a delay whose past of one sample does not fit into memory."""
    needed, available = (longest + 1) * shape_bytes(op.x), available_bytes()
    if available is not None and needed > available:
        refuse_op(
            op,
            SIM026,
            expected=f"at most {format_bytes(available)}, which is available now",
            found=f"{format_bytes(needed)} for {longest} ticks",
            help="-p ntensor-clamp-delays{max-delay=1000}",
            notes=["delays of more than 1000 ticks become shorter"],
        )


def require_type(value: SSAValue) -> None:
    element = element_type(value)
    if working_dtype(element) is None:
        refuse(
            SIM024,
            f"the engine does not support type {element}",
            at=describe_op(value.owner)[0] if isinstance(value.owner, Operation) else "an input of the network",
            expected="i1, f32, f64, iN, !ntensor.count or !ntensor.graded of at most 64 signed bits",
            found=str(element),
        )


def shape_bytes(value: SSAValue) -> int:
    dtype = working_dtype(element_type(value))
    assert dtype is not None  # refused before
    return int(np.prod(shape_of(value), dtype=object)) * dtype.itemsize
