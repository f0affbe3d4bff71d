"""Reasons of populations and of latencies: slices and the limit that a slice less would exceed, bits, errors, and ticks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from attrs import evolve
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...analysis.latency import latencies, output_latencies
from ...analysis.slicing import needs_of_slices, planned_slicing
from ...analysis.wiring import wiring_of
from ...core.arrays.arrays import ArrayAttr
from ...core.device.limits import excesses
from ...core.diagnostics import describe_op
from ...core.fixed_point import Interval
from ...core.ir.graph_region import walk_upstream
from ...core.ir.operation import shape_of
from ...core.number_texts import counted_text, number_text
from ...dialects import fixed, ntensor
from ...dialects.chip_base.slicing import Slicing, single_slice
from ...dialects.ntensor.readout import is_on_host, on_chip
from ...passes.pipelines import MERGE_SUMS
from ..compiling.build_report import approximations, only_graph
from .build_trace import Trace, network_of
from .records import Alternative, Fact, Why
from .step_reasons import alternatives_of, record_fact


def reasons_of_population(build: str, trace: Trace, name: str) -> Why:
    """Returns the reasons of one population."""
    last = trace.networks[-1][1]
    neuron = populations_of(last)[name]
    size = prod(shape_of(neuron.z))
    facts = [Fact("neurons", f"{size:,}, shape {'x'.join(map(str, shape_of(neuron.z)))}")]
    decision, alternatives = counted_text(size, "neuron"), list[Alternative]()
    if is_on_host(neuron):
        decision += " on the host"
        moved = [
            one.text for one in trace.steps if name not in host_nodes(one.before) and name in host_nodes(one.after)
        ]
        facts.append(Fact("host", "computed from the spikes that leave the chip (readout.py)", next(iter(moved), None)))
    elif trace.graph is not None:
        vertices = {one.node.data: one for one in only_graph(trace.graph).vertices.values() if one.source.data == name}
        cores = {one.place for one in vertices.values()}
        decision += f" in {counted_text(len(vertices), 'slice')} on {counted_text(len(cores), 'core')}"
        placed = [f"{node} ({one.neurons}) on core {one.place}" for node, one in vertices.items()]
        facts.append(Fact("slices", ", ".join(placed)))
        alternatives += fewer_slices(trace, last, name)
    synapses = upstream_of(neuron)
    facts += [*bits_facts(trace, neuron, synapses), *rate_facts(trace, name)]
    facts += [record_fact(one) for one in approximations(network_of(last)) if {name, *synapses} & set(one["touched"])]
    ticks = latencies(network_of(last)).get(name, 0)
    if ticks:
        facts.append(Fact("latency", f"{counted_text(ticks, 'tick')} later than in the network before"))
    return Why(
        build=build,
        subject=name,
        kind="population",
        decision=decision,
        facts=tuple(facts),
        alternatives=tuple(alternatives),
    )


def host_nodes(module: ModuleOp) -> set[str]:
    """Returns the names of the populations that the host computes."""
    return {name for name, op in populations_of(module).items() if is_on_host(op)}


def populations_of(module: ModuleOp) -> dict[str, ntensor.NeuronOp]:
    return {op.node.data: op for op in network_of(module).populations}


def upstream_of(neuron: ntensor.NeuronOp) -> dict[str, Operation]:
    """Returns the ops with weights between a population and those before it, by name."""
    values = walk_upstream(neuron.operands, lambda op: not isinstance(op, ntensor.NeuronOp))
    ops = [value.owner for value in values if isinstance(value.owner, Operation)]
    found = [op for op in ops if isinstance(op.properties.get("weight"), ArrayAttr)]
    return {name: op for op in found if (name := describe_op(op)[1]) is not None}


def bits_facts(trace: Trace, neuron: ntensor.NeuronOp, synapses: dict[str, Operation]) -> Iterator[Fact]:
    """Yields the widths of weights and states, each with the pass that chose it."""
    for name, op in synapses.items():
        quantized = op.properties.get("quantized")
        if isinstance(quantized, ntensor.QuantizedAttr):
            step = next(
                (one.text for one in reversed(trace.steps) if is_quantized_by(one.before, one.after, name)), None
            )
            yield Fact(f'weights of "{name}"', f"{quantized.bits.data} bits", step)
        else:
            weight = op.properties["weight"]
            assert isinstance(weight, ArrayAttr)  # `upstream_of` chooses these
            yield Fact(f'weights of "{name}"', str(weight.values.dtype))
    update = ntensor.updates_of(network_of(trace.networks[-1][1]))[neuron.update_name]
    widths = {
        name: f"{interval_of(type).signed_bits} bits" if isinstance(type, fixed.IntType) else str(type)
        for name, type in update.state_types.items()
    }
    if widths:
        rules = [step for step in trace.steps if rule_of(step.before, neuron) != rule_of(step.after, neuron)]
        text = ", ".join(f"{name}: {width}" for name, width in widths.items())
        yield Fact("states", text, rules[-1].text if rules else None)


def interval_of(type: fixed.IntType) -> Interval:
    return type.interval


def is_quantized_by(before: ModuleOp, after: ModuleOp, name: str) -> bool:
    first, last = (quantized_of(module, name) for module in (before, after))
    return last is not None and first != last


def quantized_of(module: ModuleOp, name: str) -> Any:
    ops = network_of(module).body.block.ops
    return next((op.properties.get("quantized") for op in ops if describe_op(op)[1] == name), None)


def rule_of(module: ModuleOp, neuron: ntensor.NeuronOp) -> str | None:
    own = populations_of(module).get(neuron.node.data)
    return None if own is None else own.update_name


def rate_facts(trace: Trace, name: str) -> Iterator[Fact]:
    """Yields the rate of a population on the sample input."""
    levels: list[dict[str, Any]] = trace.report["levels"] or []
    own: dict[str, Any] | None = levels[-1]["populations"].get(name) if levels else None
    if own is not None and own["rate"] is not None and own["rate_before"] is not None:
        text = f"{number_text(own['rate'])} events per neuron and tick, before {number_text(own['rate_before'])}"
        yield Fact("rate", text, "the sample input")


def fewer_slices(trace: Trace, module: ModuleOp, name: str) -> Iterator[Alternative]:
    """Yields the population in one slice less, in even runs of the same order, with the limit that a core would exceed."""
    network, updates = on_chip(network_of(module)), ntensor.find_updates(module)
    wiring = wiring_of(network, MERGE_SUMS)
    slices = {source: single_slice(shape) for source, shape in wiring.sources.items()}
    planned = {source: planned_slicing(neuron) for source, neuron in wiring.neurons.items()}
    slices |= {source: one for source, one in planned.items() if one is not None}
    own = slices[name]
    count = len(own.boxes) - 1
    if count < 1:
        return
    ends = [own.size * number // count for number in range(count + 1)]
    boxes = np.array(list(pairwise(ends)), np.int64).reshape(-1, 1, 2)
    fewer = Slicing(own.shape, boxes, own.arranged)
    _, needs = needs_of_slices(wiring, slices | {name: fewer}, updates, trace.device)
    found = sorted((one for need in needs[name] for one in excesses(trace.device, need)), key=lambda one: -one.found)
    what = f"{counted_text(count, 'slice')} of at most {counted_text(int((boxes[:, 0, 1] - boxes[:, 0, 0]).max()), 'neuron')}"
    if found:
        first = found[0]
        yield Alternative(
            what, f"{first.need}: {first.found:,} of at most {first.limit:,} ({first.source})", is_possible=False
        )
    else:
        yield Alternative(
            what,
            "keeps every limit of a core, so the slices follow from another population or the shape",
            is_possible=True,
        )


# ---- latency


def reasons_of_latency(build: str, trace: Trace) -> Why:
    """Returns the reasons of the latency of all outputs: the passes that made outputs later, and their other options."""
    facts, alternatives = list[Fact](), list[Alternative]()
    total: dict[str, int] = trace.report["latency_ticks"]
    compiled = output_latencies(network_of(trace.networks[-1][1])) if trace.networks else {}
    for step in trace.steps:
        first, last = (latencies(network_of(module)) for module in (step.before, step.after))
        later = {name: ticks - first.get(name, 0) for name, ticks in last.items() if ticks != first.get(name, 0)}
        if later:
            text = ", ".join(f'"{name}" {ticks:+} ticks' for name, ticks in later.items())
            facts.append(Fact("pass", text, step.text))
            alternatives += [evolve(one, what=f"{step.run.name} with {one.what}") for one in alternatives_of(step)]
    for name, ticks in total.items():
        rest = ticks - compiled.get(name, 0)
        if rest:
            facts.append(Fact("device", f'"{name}" {rest:+} ticks', f"the model of {trace.device.key}"))
    late = [f'"{name}" {counted_text(ticks, "tick")}' for name, ticks in total.items()]
    return Why(
        build=build,
        subject="latency",
        kind="latency",
        decision=", ".join(late),
        facts=tuple(facts),
        alternatives=tuple(alternatives),
    )
