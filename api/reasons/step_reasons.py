"""Reasons of a pass: its changes, its errors, and the errors of its other options, computed by running it with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from math import prod
from typing import Any, Literal, get_args, get_origin, get_type_hints

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...analysis.latency import output_latencies
from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Refused, quote_names
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import option_text
from ...core.number_texts import counted_text, number_text
from ...dialects import ntensor
from ..compiling.build_report import approximations
from ..compiling.device_fit import neurons_of
from .build_trace import TracedPass, apply, network_of
from .records import Alternative, Fact, Why

MOST_ALTERNATIVES = 8
SEARCH = {"moves": [0], "seed": [1, 2]}
"""Values of the options of a search: none of its trials, and other random numbers."""
MEASURES = ("objective",)
"""Options that change the unit of the cost, so that costs cannot be compared."""
WIDTHS = "bits"
"""End of the names of options whose value is a width."""


def reasons_of_step(build: str, step: TracedPass) -> Why:
    """Returns the reasons of one pass."""
    facts = [*changes(step.before, step.after), *(record_fact(one) for one in step.records)]
    return Why(
        build=build,
        subject=step.text,
        kind="pass",
        decision=f"pass {step.number} of the network in ticks: {cost_text(step.before, step.after)}",
        facts=tuple(facts),
        alternatives=tuple(alternatives_of(step)),
    )


def record_fact(one: dict[str, Any]) -> Fact:
    """Returns an approximation as a fact."""
    parts = [one["what"], *([] if (error := error_text(one)) is None else [error])]
    nodes = ", ".join(f'"{name}"' for name in one["touched"])
    return Fact("approximation", f"{', '.join(parts)} ({nodes})" if nodes else ", ".join(parts), one["step"])


def error_text(one: dict[str, Any]) -> str | None:
    """Formats the errors of an approximation; None if it states none."""
    if one["largest"] is None:
        return None
    unit = "" if one["unit"] in ("1", "none") else f" {one['unit']}"
    mean = "" if one["mean"] is None else f", {number_text(one['mean'])}{unit} on average"
    return f"largest error {number_text(one['largest'])}{unit}{mean}"


def changes(before: ModuleOp, after: ModuleOp) -> Iterator[Fact]:
    """Yields the populations that a pass added, removed or computes by another rule, and the number of its ops."""
    first, last = (
        {op.node.data: op for op in network_of(module).body.block.ops if isinstance(op, ntensor.NeuronOp)}
        for module in (before, after)
    )
    for what, names in (("added", last.keys() - first.keys()), ("removed", first.keys() - last.keys())):
        if names:
            own = last if what == "added" else first
            neurons = sum(prod(shape_of(own[name].z)) for name in names)
            yield Fact(f"populations {what}", f"{quote_names(sorted(names))}: {counted_text(neurons, 'neuron')}")
    for name in (name for name in first if name in last):
        rules = [own[name].update_name for own in (first, last)]
        if rules[0] != rules[1]:
            yield Fact("rule", f'"{name}": @{rules[0]} becomes @{rules[1]}')
    sizes = [len(network_of(module).body.block.ops) for module in (before, after)]
    if sizes[0] != sizes[1]:
        yield Fact("ops", f"{sizes[0]} before, {sizes[1]} after")


def cost_text(before: ModuleOp, after: ModuleOp) -> str:
    """Formats the cost of a pass: the worst errors that it records, by unit, the bytes of weights, the neurons that it adds, and the ticks that it makes outputs late by."""
    known = approximations(network_of(before))
    worst: dict[str, dict[str, Any]] = {}
    for one in approximations(network_of(after)):
        if one not in known and one["largest"] is not None:
            held = worst.get(one["unit"])
            worst[one["unit"]] = one if held is None or one["largest"] > held["largest"] else held
    texts = [text for one in worst.values() if (text := error_text(one)) is not None]
    added = neurons_of(network_of(after)) - neurons_of(network_of(before))
    texts += [f"{added:+,} neurons"] if added else []
    weights = [weight_bits(module) for module in (before, after)]
    texts += [f"weights in {counted_text(-(-weights[1] // 8), 'byte')}"] if weights[0] != weights[1] else []
    first, last = (max(output_latencies(network_of(module)).values(), default=0) for module in (before, after))
    texts += [f"outputs {counted_text(last - first, 'tick')} later"] if last != first else []
    return ", ".join(texts) or "no error is recorded"


def weight_bits(module: ModuleOp) -> int:
    """Returns the bits of all weights, quantised or as they are stored in the network."""
    total = 0
    for op in network_of(module).body.block.ops:
        weight, quantized = op.properties.get("weight"), op.properties.get("quantized")
        if isinstance(weight, ArrayAttr):
            is_quantized = isinstance(quantized, ntensor.QuantizedAttr)
            total += weight.values.size * (quantized.bits.data if is_quantized else 8 * weight.values.dtype.itemsize)
    return total


def alternatives_of(step: TracedPass, cost: Callable[[ModuleOp, ModuleOp], str] = cost_text) -> Iterator[Alternative]:
    """Yields the pass with one other option each, and its cost on the same module. `cost` formats it, from the modules before and after the pass."""
    for what, run in list(variants(step.run))[:MOST_ALTERNATIVES]:
        module = step.before.clone()
        try:
            apply(run, module)
        except Refused as refusal:
            first = refusal.findings[0]
            yield Alternative(what, f"{first.code}: {first.message}", is_possible=False)
        else:
            yield Alternative(what, cost(step.before, module), is_possible=True)


def variants(run: Any) -> Iterator[tuple[str, ModulePass]]:
    """Yields a pass with each other value of an option that has few: words, truth values, and widths with one bit more or less, half or twice as many."""
    hints: dict[str, Any] = get_type_hints(type(run))  # pyrefly: ignore[partially-unknown-type]
    for one in fields(run):
        kinds = [hints[one.name], *get_args(hints[one.name])]
        value: Any = getattr(run, one.name)
        if one.name in MEASURES:
            continue
        choices: list[Any] = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
        if bool in kinds:
            choices = [True, False]
        elif int in kinds and one.name.endswith(WIDTHS) and isinstance(value, int):
            choices = [bits for bits in (value // 2, value - 1, value + 1, value * 2) if bits > 0]
        elif int in kinds and one.name in SEARCH:
            choices = SEARCH[one.name]
        for other in dict.fromkeys(choices):
            if other != value:
                yield f"{one.name.replace('_', '-')}={option_text(other)}", replace(run, **{one.name: other})
