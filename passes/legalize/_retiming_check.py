"""Retiming with a proof that every population waits for its delayed input; exceptions are recorded.

A population with the latency `r` repeats its former behaviour `r` ticks later, if

1. with zero input, its state is constant and it emits nothing for `r` ticks,
2. and afterwards its behaviour without events equals its former behaviour without events: biases have the same latency.

All sums are linear except for biases, so that events add the same to both. The proof runs both networks with every population
isolated, with zero input.

Errors: LRT001 of `_retiming.py`; LRT002 a population that does not wait.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ...core import registry
from ...core.diagnostics import Code, refuse_op
from ...core.ir.graph_region import components, names, walk_upstream
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from ...simulation.signals import DenseSignal
from ._retiming import Retiming, greatest_ticks, inner_sources, is_idle, is_source

LRT002 = Code("LRT002", "a population does not wait for its delayed input")

RUN_TICKS = 4096
"""Maximum number of simulated ticks, in addition to the lags."""


Trace = dict[str, NDArray[Any]]
"""Outputs and states of populations with zero input: by name, [ticks, …]."""


def simulate_isolated(module: ModuleOp, network: ntensor.NetworkOp, ticks: int) -> Trace:
    """Simulates every population in isolation, with zero input."""
    copy = module.clone()
    index = [op for op in module.ops if isinstance(op, ntensor.NetworkOp)].index(network)
    alone = [op for op in copy.ops if isinstance(op, ntensor.NetworkOp)][index]
    isolate_populations(alone)
    record = [f"{op.node.data}.{state}" for op in alone.populations for state in op.initial.data]
    record += [op.node.data for op in alone.populations]
    signals = {
        name.data: DenseSignal(np.zeros((1, ticks, *shape_of(arg)), np.float32))
        for name, arg in zip(alone.input_names, alone.body.block.args, strict=True)
    }
    found: dict[str, NDArray[Any]] = registry.reference()(alone, record=record).run(signals, ticks=ticks)
    return {name: found[name][0] for name in record}


def isolate_populations(network: ntensor.NetworkOp) -> None:
    """Replaces each use of a population's output by a fresh network input, and removes unused ops."""
    block = network.body.block
    heard = [name.data for name in network.input_names]
    for op in list(block.ops):
        op.properties.pop("plasticity", None)
        if isinstance(op, ntensor.DelayOp) and op.part_of is not None:
            op.part_of = None
        if isinstance(op, ntensor.NeuronOp) and is_reached(op):  # a population without inputs receives no events
            arg = block.insert_arg(op.z.type, len(block.args))
            heard.append(f"input of {op.node.data}")
            op.z.replace_all_uses_with(arg)
    Rewriter.replace_op(network.outputs, ntensor.OutputOp())
    network.input_names, network.output_names = names(heard), names([])
    network.update_signature()


def is_reached(population: ntensor.NeuronOp) -> bool:
    """Returns whether a population reads an input or a population, itself included."""
    return any(map(is_source, walk_upstream(population.xs, lambda op: not is_idle(op))))


def count_settling_ticks(network: ntensor.NetworkOp) -> int:
    """Returns the ticks after which the sums of an isolated network are constant: two, plus the longest path of delays between populations.

    A population whose state and input equal those of another network at one tick, and whose input is constant, keeps that state for ever.
    In a cycle of sums, where no path is the longest, every delay counts.
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
    module: ModuleOp,
    network: ntensor.NetworkOp,
    need: Callable[[ntensor.NeuronOp], int],
    *,
    lengthen: bool = False,
    early: bool = False,
    known: Collection[str] | None = None,
) -> None:
    """Moves the delays of a network until every path into a population has the delay that it needs.

    `known` are the nodes that a record may name; default all.
    """
    retiming = Retiming(network, need)
    longer = retiming.solve(with_option(step, "lengthen"), lengthen)
    lags = {op.node.data: retiming.lags[op.z] for op in network.populations if retiming.lags[op.z] > 0}
    ticks = count_settling_ticks(network)
    before = simulate_isolated(module, network, ticks) if lags else {}
    retiming.apply(late_biases=not early)
    after = simulate_isolated(module, network, ticks + max(lags.values())) if lags else {}
    found = find_early(network, before, after, lags)
    if found and not early:
        refuse_op(
            next(op for op in network.populations if op.node.data == found[0]),
            LRT002,
            expected=f"the same state for {lags[found[0]]} ticks without any event",
            found="another one",
            help=with_option(step, "early"),
            notes=[f'"{node}" does not wait either' for node in found[1:]],
        )
    ahead = {node: lags[node] for node in found}
    touched = [node for node in (*longer, *ahead, *retiming.slower) if known is None or node in known]
    record_retiming(step, network, longer, ahead, touched)


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


def with_option(step: NoptPass, name: str) -> str:
    """Returns the text of a pass with one more option switched on."""
    known: dict[str, Any] = {field.name: True for field in fields(step) if field.name == name}
    return pass_text(replace(step, **known))
