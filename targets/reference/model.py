"""The reference model: runs an `ntensor.network` on NumPy, with no limits.

Every other model and every lowering is compared with this one, so it says exactly what the IR says: each op computes what its
definition states, in the value types that it names, and by default in the order of sums that the dialect defines. How a run
is cut into blocks of samples and ticks changes no bit in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.ir import Attribute, Operation, SSAValue

from ...core.diagnostics import Code, Diagnostics, Finding, described, refuse
from ...core.operation import element_type, shape_of
from ...dialects.ntensor import DelayOp, NetworkOp, NeuronOp, OutputOp, TermsType, interval_of
from ...simulation.elements import result_dtype, working_dtype
from ...simulation.signals import Signal
from .memory import block_of, require_room
from .plan import Neurons, Plan, Running

RUN001 = Code(
    "RUN001",
    "nothing can be recorded under a name",
    cause="A record is a node of the network, for what it emits, or NODE.STATE, for a state of a population. "
    "The node, or the state, is not there.",
    remedy="Use one of the names that the message lists.",
)
RUN002 = Code(
    "RUN002",
    "the inputs of a run are not those of the network",
    cause="Every input of the network needs a signal of its name, and every signal an input.",
    remedy="Name the arrays as the inputs that the message lists.",
)
RUN003 = Code(
    "RUN003",
    "a signal does not fit",
    cause="A signal has the shape of its input, and all signals of a run have equally many samples and ticks.",
    remedy="Reshape the signal, or cut the longer ones; `--ticks N` continues all with zeros or truncates them.",
)
RUN005 = Code(
    "RUN005",
    "an input takes no such value",
    cause="The type of a network input says which values it takes: spikes are 0 or 1, counts and integers are whole and in a range. "
    "Converting another value would change it without a word.",
    remedy="Correct the signal, or give the input a type that holds its values.",
)
RUN007 = Code(
    "RUN007",
    "nothing says how many ticks to run",
    cause="The network has no input, so its length does not follow from a signal, or the number of ticks is negative.",
    remedy="Say how many ticks to run: `--ticks N`.",
)

Array = NDArray[Any]


@frozen
class Watched:
    """What a result shows: a value of the network, or a state of a population."""

    value: SSAValue
    state: str | None
    type: Attribute
    shape: tuple[int, ...]

    @staticmethod
    def of(value: SSAValue) -> Watched:
        return Watched(value, None, element_type(value), shape_of(value))


class ReferenceModel:
    """Runs one network. It may run many times; every run starts from the initial states.

    Options: sum_order `index` adds in the order that the dialect defines, bit for bit; `fast` may use BLAS for dense signals,
    and its last bits depend on the machine and the size of a block. record: names of nodes and states, beside the outputs.
    block: samples and ticks that run at once; chosen by memory where it is not given.
    Errors: RUN001 an unknown record; RUN008 an op or type that cannot be run. The module of the network verifies.
    """

    def __init__(
        self,
        network: NetworkOp,
        *,
        sum_order: Literal["index", "fast"] = "index",
        record: Sequence[str] = (),
        block: tuple[int, int] | None = None,
    ):
        body = network.body.block
        last = body.last_op
        assert isinstance(last, OutputOp)  # verified
        self.network = network
        self.block = block
        self._arguments = dict(zip((name.data for name in network.input_names), body.args, strict=True))
        given = dict(zip((name.data for name in network.output_names), last.operands, strict=True))
        self._watched = {name: Watched.of(value) for name, value in given.items()}
        self.inputs = {name: shape_of(value) for name, value in self._arguments.items()}
        """Shapes of the inputs by name."""
        self.outputs = {name: shape_of(value) for name, value in given.items()}
        """Shapes of the outputs by name."""
        self._nodes = {**self._arguments, **nodes_of(network)}
        self._gives = {**self._nodes, **delayed_nodes_of(network)}
        plan = Plan(network, [*given.values(), *self._recorded_values(record)], fast=sum_order == "fast")
        self._plan = plan
        findings = Diagnostics()
        for name in record:
            if name in given:
                continue  # an output is there already, under the same name
            found = self._find(name)
            if isinstance(found, Finding):
                findings.add(found)
            else:
                self._watched.setdefault(name, found)
        findings.check()
        self._states = {
            op: [w.state for w in self._watched.values() if w.state is not None and w.value.owner is op]
            for op in plan.parts
        }

    # ---- what is recorded

    def _recorded_values(self, record: Sequence[str]) -> Iterator[SSAValue]:
        return (self._gives[name] for name in record if name in self._gives)

    def _find(self, name: str) -> Watched | Finding:
        """What a record shows. The longest node that matches wins, so a node called `a.b` hides the state b of a node a."""
        if name in self._gives:
            value = self._gives[name]
            return added_by_nobody(name, value) if isinstance(element_type(value), TermsType) else Watched.of(value)
        owners = [node for node in self._nodes if name.startswith(f"{node}.")]
        node = max(owners, key=len, default=None)
        if node is not None:
            value, state = self._nodes[node], name[len(node) + 1 :]
            types = self._states_of(node)
            if state in types:
                return Watched(value, state, types[state], shape_of(value))
            if types:
                return Finding(
                    RUN001,
                    f'"{node}" has no state {state}',
                    at=f"record {name}",
                    node=node,
                    expected=", ".join(f"{node}.{known}" for known in types),
                    found=name,
                    help=f"--record {node}.{(get_close_matches(state, types, 1, 0) or [*types])[0]}",
                )
        known = [known for node in self._nodes for known in (node, *(f"{node}.{s}" for s in self._states_of(node)))]
        near = get_close_matches(name, known, 5, 0.5)
        listed = ", ".join(known[:20]) + (f", and {len(known) - 20} more" if len(known) > 20 else "")
        return Finding(
            RUN001,
            f'nothing is called "{name}"',
            at=f"record {name}",
            expected=listed or "no record: the network has no named node",
            found=name,
            help=f"--record {near[0]}" if near else "--record with one of these names",
            notes=[f"near matches: {', '.join(near)}"] if near else [],
        )

    def _states_of(self, node: str) -> dict[str, Attribute]:
        owner = self._nodes[node].owner
        return self._plan.parts[owner].record_types if isinstance(owner, Operation) else {}

    # ---- running

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, Array]:
        """Every output and record by name, `[samples, ticks, *shape]`; row t is what the tick that reads input row t gives.

        Options: ticks beyond the signals continue with zeros, below them truncate. progress is called with the ticks that
        are done, over all samples, and with how many there are.
        Errors: RUN002 a missing or unknown signal; RUN003 a signal that does not fit; RUN004 results beyond the memory;
        RUN005 a value that an input does not take; RUN006 a sum that leaves its integer type; RUN007 no number of ticks.
        """
        samples, ticks = self._extent(signals, ticks)
        shapes = {name: (samples, ticks, *watched.shape) for name, watched in self._watched.items()}
        dtypes = {name: result_dtype(watched.type) for name, watched in self._watched.items()}
        sizes = {name: int(np.prod(shape, dtype=object)) * dtypes[name].itemsize for name, shape in shapes.items()}
        require_room(sizes, ticks, samples)
        results = {name: np.empty(shape, dtypes[name]) for name, shape in shapes.items()}
        together, at_once = self.block or block_of(self._plan.row_bytes, samples, ticks)
        done = 0
        for first in range(0, samples, together):
            some = slice(first, min(first + together, samples))
            running = [stage.start(some.stop - some.start, self._states) for stage in self._plan.stages]
            for start in range(0, ticks, at_once):
                now = slice(start, min(start + at_once, ticks))
                with np.errstate(all="ignore"):
                    self._run_block(signals, some, now, running, results)
                done += (some.stop - some.start) * (now.stop - now.start)
                if progress is not None:
                    progress(done, samples * ticks)
        return results

    def _run_block(
        self,
        signals: Mapping[str, Signal],
        samples: slice,
        ticks: slice,
        running: Sequence[Running],
        results: Mapping[str, Array],
    ) -> None:
        blocks: list[Array | None] = [None] * len(self._plan.slots)
        for name, value in self._arguments.items():
            blocks[self._plan.slots[value]] = converted(name, signals[name].window(samples, ticks), value, ticks.start)
        for stage in running:
            stage(blocks, ticks.stop - ticks.start)
        recorded = {
            op: worker.recorded
            for stage in running
            for op, worker in stage.workers.items()
            if isinstance(worker, Neurons)
        }
        for name, watched in self._watched.items():
            owner = watched.value.owner
            if watched.state is not None and isinstance(owner, Operation):
                block = recorded[owner][watched.state]
            else:
                block = blocks[self._plan.slots[watched.value]]
            assert block is not None  # the plan keeps what is needed
            results[name][samples, ticks] = block.swapaxes(0, 1)

    def _extent(self, signals: Mapping[str, Signal], ticks: int | None) -> tuple[int, int]:
        """Samples and ticks of a run, from signals that fit the inputs."""
        names = ", ".join(f'"{name}"' for name in self.inputs) or "none"
        if signals.keys() != self.inputs.keys():
            given = ", ".join(f'"{name}"' for name in signals) or "none"
            refuse(RUN002, "the inputs of the run are not those of the network", expected=names, found=given)
        findings = Diagnostics()
        for name, signal in signals.items():
            if signal.shape != self.inputs[name]:
                findings.error(
                    RUN003,
                    "a signal has another shape than its input",
                    at=f'input "{name}"',
                    node=name,
                    expected=str(self.inputs[name]),
                    found=str(signal.shape),
                )
        sizes = {name: (signal.samples, signal.ticks) for name, signal in signals.items()}
        if len(set(sizes.values())) > 1:
            findings.error(
                RUN003,
                "signals of one run differ in samples or ticks",
                expected="equally many samples and ticks for each",
                found="; ".join(f'"{name}": {samples} samples of {n} ticks' for name, (samples, n) in sizes.items()),
            )
        findings.check()
        samples, longest = next(iter(sizes.values()), (1, None))
        chosen = longest if ticks is None else ticks
        if chosen is None or chosen < 0:
            found = "no input and no number of ticks" if chosen is None else str(chosen)
            refuse(
                RUN007,
                "nothing says how many ticks to run",
                expected="a number of ticks from 0",
                found=found,
                help="--ticks N",
            )
        return samples, chosen


def added_by_nobody(name: str, value: SSAValue) -> Finding:
    """Terms have no sum: they are added where a neuron accumulates them."""
    readers = [use.operation for use in value.uses]
    neuron = next((described(op)[1] for op in readers if isinstance(op, NeuronOp)), None)
    return Finding(
        RUN001,
        f'"{name}" gives terms, which are added in the neuron that accumulates them',
        at=f"record {name}",
        node=name,
        expected="a node that gives a signal, or a state",
        found=str(value.type),
        help=f"--record {neuron}" if neuron is not None else None,
    )


def nodes_of(network: NetworkOp) -> dict[str, SSAValue]:
    """The result of every named op of a network."""
    named = ((described(op)[1], op) for op in network.body.block.ops)
    return {node: op.results[0] for node, op in named if node is not None and op.results}


def delayed_nodes_of(network: NetworkOp) -> dict[str, SSAValue]:
    """What nodes give that have a delay of their own: what leaves it. Their states are not delayed."""
    return {
        op.part_of.data: op.y for op in network.body.block.ops if isinstance(op, DelayOp) and op.part_of is not None
    }


def converted(name: str, window: Array, value: SSAValue, start: int) -> Array:
    """A window of a signal in the type of its input. Errors: RUN005 a value that this type does not hold."""
    element = element_type(value)
    dtype, held = working_dtype(element), interval_of(element)
    if held is not None and window.dtype.kind != "b" and window.size:
        fits = (window >= held.low) & (window <= held.high)
        if window.dtype.kind == "f":
            fits &= window == np.floor(window)
        if not fits.all():
            tick, sample, *index = (int(n) for n in np.argwhere(~fits)[0])
            refuse(
                RUN005,
                f"an input of type {element} takes no such value",
                at=f'input "{name}"',
                node=name,
                expected=f"whole numbers in {held}",
                found=f"{window[tick, sample, *index]} at tick {start + tick}, index {tuple(index)}",
            )
    return window.astype(dtype, copy=False)
