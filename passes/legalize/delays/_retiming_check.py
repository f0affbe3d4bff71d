"""Retiming with a proof that every population waits for its delayed input; exceptions are recorded.

A population with the latency `r` repeats its former behaviour `r` ticks later, if

1. with zero input, its state is constant and it emits nothing for `r` ticks,
2. and afterwards its behaviour without events equals its former behaviour without events: biases have the same latency.

All sums are linear except for biases, so that events add the same to both. The proof runs both networks with every population
isolated, with zero input.

Errors: LEG057 of `_retiming.py`; LEG058 a population that does not wait.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ....core import registry
from ....core.diagnostics import Code, finding_about
from ....core.ir.contents import OpContents, op_contents
from ....core.ir.graph_region import Signature, components, names, walk_downstream, walk_upstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....simulation.signals import DenseSignal
from ._bias_retiming import has_bias
from ._retiming import OtherTiming, Retiming, greatest_ticks, inner_sources, is_idle, is_source

LEG058 = Code("LEG058", "population-ignores-input-delay", "a population does not wait for its delayed input")

RUN_TICKS = 4096
"""Maximum number of simulated ticks, in addition to the lags."""

Trace = dict[str, NDArray[Any]]
"""Outputs and states of populations with zero input: by name, [ticks, …]."""


@frozen(eq=False)
class Isolated:
    """Populations in a network of their own, and their updates in the module of the original."""

    network: ntensor.NetworkOp
    updates: Sequence[ntensor.UpdateOp]

    @cached_property
    def contents(self) -> OpContents | None:
        """Returns the contents of all ops; None if they cannot be compared."""
        contents = tuple(map(op_contents, (*self.updates, self.network)))
        return None if None in contents else contents


MOST_TRACES, MOST_BYTES = 128, 1 << 20
"""Traces that are kept, and the size of the largest of them."""
TRACES: dict[OpContents, Trace] = {}
"""Kept traces by the contents of the isolated populations, oldest first: variants of a network and of a device share them."""


def simulate_isolated(populations: Isolated, ticks: int) -> Trace:
    """Simulates isolated populations with zero input."""
    alone = populations.network
    key = None if populations.contents is None else (populations.contents, ticks)
    if key in TRACES:
        return TRACES[key]
    ModuleOp([*(op.clone() for op in populations.updates), alone])  # the engine looks the updates up in it
    record = [f"{op.node.data}.{state}" for op in alone.populations for state in op.initial.data]
    record += [op.node.data for op in alone.populations]
    signals = {
        name.data: DenseSignal(np.zeros((1, ticks, *shape_of(arg)), np.float32))
        for name, arg in zip(alone.input_names, alone.body.block.args, strict=True)
    }
    found: dict[str, NDArray[Any]] = registry.reference()(alone, record=record).run(signals, ticks=ticks)
    trace = {name: found[name][0] for name in record}
    if key is not None and sum(values.nbytes for values in trace.values()) <= MOST_BYTES:
        if len(TRACES) >= MOST_TRACES:
            del TRACES[next(iter(TRACES))]
        TRACES[key] = trace
    return trace


def isolate_populations(network: ntensor.NetworkOp, nodes: Collection[str]) -> Isolated:
    """Returns a network of some populations and of the biases that they read, and their updates.

    Each value that is zero without events becomes an input: the output of a population that reads events, and the sums of such values.
    """
    spontaneous = active_values(network)
    populations = [op for op in network.populations if op.node.data in nodes]
    read = {
        value.owner
        for value in walk_upstream(
            (x for op in populations for x in op.xs), lambda op: any(result in spontaneous for result in op.results)
        )
        if value in spontaneous
    }
    block, heard, copies = Block(), list[str](), dict[SSAValue, SSAValue]()
    pairs: list[tuple[Operation, Operation]] = []
    for op in network.body.block.ops:
        if op in read or op in populations:
            again = op.clone(copies, clone_operands=False)
            again.properties.pop("plasticity", None)
            if isinstance(again, ntensor.DelayOp) and again.part_of is not None:
                again.part_of = None
            block.add_op(again)
            pairs.append((op, again))
    for op, again in pairs:
        for x in op.operands:
            if x not in spontaneous:
                copies[x] = block.insert_arg(x.type, len(block.args))
                heard.append(f"input {len(heard)}")
        again.operands = [copies[x] for x in op.operands]
    block.add_op(ntensor.OutputOp())
    type = FunctionType.from_lists([arg.type for arg in block.args], [])
    signature = Signature(names(heard), names([]), type)
    alone = ntensor.NetworkOp(network.sym_name.data, signature, network.tick_ns.value.data, Region(block))
    updates = ntensor.updates_of(network)
    return Isolated(alone, [updates[name] for name in sorted({op.update_name for op in alone.populations})])


def active_values(network: ntensor.NetworkOp) -> set[SSAValue]:
    """Returns the values that may differ from zero without events, and terms, which no input of a network holds.

    They follow from a bias, from a weight that is not finite, or from a population without inputs.
    """
    starts = [
        op.results[0]
        for op in network.body.block.ops
        if op.results
        and (
            has_bias(op)
            or has_infinities(op)
            or (isinstance(op, ntensor.NeuronOp) and not is_reached(op))
            or isinstance(element_type(op.results[0]), ntensor.TermsType)
        )
    ]
    return set(walk_downstream(starts, lambda op: not isinstance(op, ntensor.NeuronOp | ntensor.OutputOp)))


def has_infinities(op: Operation) -> bool:
    """Returns whether a synapse op has an infinite or NaN weight. The product of such a weight and zero is NaN."""
    weights = op.weights if isinstance(op, ntensor.SynapseOpInterface) else None
    return weights is not None and weights.data.dtype.kind == "f" and not np.isfinite(weights.values).all()


def is_reached(population: ntensor.NeuronOp) -> bool:
    """Returns whether a population reads an input or a population, itself included."""
    return any(map(is_source, walk_upstream(population.xs, lambda op: not is_idle(op))))


def count_settling_ticks(network: ntensor.NetworkOp) -> int:
    """Returns the ticks until the sums of an isolated network are constant: two, plus the longest delay path between populations.

    A population whose state and input equal those of another network at one tick, and whose input is constant, keeps that state for ever.
    If the sums form a cycle, all delays are added instead, because a cycle has no longest path.
    """
    ops = [op for op in network.body.block.ops if op.results and not isinstance(op, ntensor.NeuronOp)]
    groups = components(ops, inner_sources)
    waits: dict[SSAValue, int] = {}
    for op in (op for group in groups for op in group):
        before = max((waits.get(x, 0) for x in op.operands), default=0)
        waits[op.results[0]] = before + greatest_ticks(op)
    if any(len(group) > 1 or group[0] in inner_sources(group[0]) for group in groups):
        return min(2 + sum(map(greatest_ticks, ops)), RUN_TICKS)
    return min(2 + max(waits.values(), default=0), RUN_TICKS)


def traces(before: Isolated, after: Isolated, ticks: int, lags: Mapping[str, int]) -> tuple[Trace, Trace]:
    """Returns the traces of populations before and after a retiming, the second for their lags in addition to `ticks`."""
    late = simulate_isolated(after, ticks + max(lags.values()))
    if before.contents is not None and before.contents == after.contents:
        return {name: values[:ticks] for name, values in late.items()}, late
    return simulate_isolated(before, ticks), late


def find_early(network: ntensor.NetworkOp, before: Trace, after: Trace, lags: Mapping[str, int]) -> list[str]:
    """Returns the populations in `lags` that act before their first delayed event."""
    found: list[str] = []
    for op in network.populations:
        if not (lag := lags.get(op.node.data, 0)):
            continue
        starts = {op.node.data: np.zeros(())}
        starts |= {f"{op.node.data}.{name}": array.values for name, array in op.arrays(op.initial)}
        for name, start in starts.items():
            old, new = before[name], after[name]
            if not are_identical(new[:lag], start) or not are_identical(
                new[lag : lag + len(old)], old[: len(new) - lag]
            ):  # 1, 2
                found.append(op.node.data)
                break
    return found


def are_identical(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return bool(((a == b) | ((a != a) & (b != b))).all())


def retimed(
    step: NoptPass,
    network: ntensor.NetworkOp,
    need: Callable[[ntensor.NeuronOp], int],
    *,
    stretch_loops: bool = False,
    allow_early: bool = False,
    known: Collection[str] | None = None,
) -> None:
    """Moves the delays of a network until every path into a population has the delay that it needs.

    `known` are the nodes that a record may name; default all.
    """
    retiming = Retiming(network, need)
    try:
        longer = retiming.solve(stretch_loops)
    except OtherTiming as refusal:
        raise refusal.helped_by(step) from None
    lags = {op.node.data: retiming.lags[op.z] for op in network.populations if retiming.lags[op.z] > 0}
    ticks = count_settling_ticks(network)
    before = isolate_populations(network, lags)
    retiming.apply(late_biases=not allow_early)
    found = find_early(network, *traces(before, isolate_populations(network, lags), ticks, lags), lags) if lags else []
    if found and not allow_early:
        finding = finding_about(
            next(op for op in network.populations if op.node.data == found[0]),
            LEG058,
            expected=f"the same state for {lags[found[0]]} ticks without any event",
            found="another one",
            notes=[f'"{node}" does not wait either' for node in found[1:]],
        )
        raise OtherTiming(finding, option="allow_early").helped_by(step)
    ahead = {node: lags[node] for node in found}
    touched = [node for node in (*longer, *ahead, *retiming.slower) if known is None or node in known]
    record_retiming(step, network, longer, ahead, touched)


def timing_approximations(step: Any) -> tuple[str, ...]:
    """Returns the names of what a pass with the options `stretch-loops` and `allow-early` approximates."""
    return (*(("loops",) if step.stretch_loops else ()), *(("early",) if step.allow_early else ()))


def record_retiming(
    step: NoptPass, network: ntensor.NetworkOp, longer: Mapping[str, int], ahead: Mapping[str, int], touched: list[str]
) -> None:
    """Records lengthened delays, and populations that are ahead of their input, with the ticks."""
    said: list[str] = []
    if longer:
        said.append("loops wait longer: " + ", ".join(f"{node} by {ticks}" for node, ticks in longer.items()))
    if ahead:
        said.append("populations are ahead of their input: " + ", ".join(f"{k} by {n} ticks" for k, n in ahead.items()))
    ticks = [] if ahead else list(longer.values())  # how much an early population errs is not known
    largest, mean = (max(ticks), sum(ticks) / len(ticks)) if ticks else (None, None)
    unit = "ticks" if ticks else "none"
    if said:
        every = dict.fromkeys(touched)
        network.record(ntensor.ApproximationAttr.of(pass_text(step), "; ".join(said), every, largest, mean, unit))
