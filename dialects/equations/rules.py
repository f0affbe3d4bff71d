"""Conversion of a synapse of the synapse language to an `ntensor.rule`, with one scalar op for every operation of the equations.

The chosen options are folded: only the events of the chosen values are built, and unused parameters are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64
from xdsl.ir import Attribute, Region, SSAValue

from ...core.neuron.kinds import Kind, Real, Value
from ...core.neuron.neuron import choose_options
from ...core.synapse.elaboration import (
    MODULATOR,
    OBSERVED,
    RANDOM,
    SYNAPSE,
    WEIGHT,
    RuleElaboration,
    every_value,
)
from ...core.synapse.synapse import check_synapse
from ...core.synapse.tree import POST, PRE, Synapse
from .. import ntensor
from .build import Ops, leaves, line_location

SIDES = {"synapse": SYNAPSE, "pre": PRE, "post": POST, "observed": OBSERVED, "modulators": MODULATOR, "randoms": RANDOM}
"""Side of each list of names of a rule."""


def symbol_of_rule(synapse: Synapse, options: Mapping[str, str], precision: Attribute) -> str:
    """Returns `NAME`, or `NAME.value1.value2` for options with several values; with the suffix `.f32` in that precision."""
    chosen = [value for name, value in options.items() if len(synapse.options[name]) > 1]
    return ".".join([synapse.name, *chosen, *(["f32"] if precision == f32 else [])])


def build_rule(synapse: Synapse, *, options: Mapping[str, str], precision: Float32Type | Float64Type) -> ntensor.RuleOp:
    """Builds the rule of a synapse, for a choice of its options; an option that is not given has its first value.

    Errors: NEU005 an unknown option or value; those of `check_synapse`.
    """
    check_synapse(synapse)
    values = choose_options(synapse, options)
    read = RuleElaboration(synapse, values)
    read.found.raise_errors()
    assert read.weight is not None  # checked

    results = [value for block in read.blocks for value in block.finals.values()]
    results += [read.efficacy] if read.efficacy is not None else []
    needed = set(every_value([*results, *read.initial.values()]))
    used = leaves(needed)
    derived = {let.name: let.value for let in read.derived}
    bounds = [let.value for let in read.canonical]
    kept = set(every_value([*(value for name, value in derived.items() if name in used), *bounds]))
    raw = [param.name for param in synapse.raw_params if param.name in used | leaves(kept)]
    params = [
        *(name for name in raw if name in used),
        *(name for name in derived if name in used),
        *(["dt"] if "dt" in used else []),
    ]
    kinds: dict[str, Kind] = {**read.kinds, "dt": Real()}
    sides = {name: read.named(side) for name, side in SIDES.items()}
    sides |= {
        name: [one for one in sides[name] if any(is_leaf(value, one) for value in needed)] for name in ("randoms",)
    }
    given = [*read.named(WEIGHT), *(name for side in SIDES for name in sides[side]), *params]

    def region(
        values: Iterable[Value], lines: Iterable[Value], end: type[ntensor.LearnedOp | ntensor.TransmittedOp]
    ) -> Region:
        ops = Ops(precision, [(name, types(kinds[name])) for name in given], synapse.source)
        held = list(values)
        reached = set(every_value(held))
        for line in lines:
            if line in reached:
                ops.build(line)
        return ops.end(end(*map(ops.build, held)))

    types = Ops(precision, []).type_of
    ends: list[SSAValue] = []
    derive = Ops(f64, [("dt", f64), *((name, f64) for name in raw)], synapse.source)
    for name in params:
        ends.append(derive.args[name] if name in derive.args else derive.build(derived[name]))
    ends += [derive.build(value) for value in bounds]
    states = [name for side in ("synapse", "pre", "post") for name in sides[side]]
    initial = Ops(precision, [(name, types(kinds[name])) for name in params])
    starts = [initial.build(read.initial[name]) for name in states]
    blocks = [
        region(
            [block.finals[name] for name in (read.weight.name, *states)],
            (line.value for line in block.lines),
            ntensor.LearnedOp,
        )
        for block in read.blocks
    ]
    rule = ntensor.RuleOp(
        symbol_of_rule(synapse, values, precision),
        read.delay,
        read.weight.name,
        sides,
        params=params,
        raw=raw,
        derive=derive.end(ntensor.DerivedOp(*(derive.converted(value, f64) for value in ends))),
        initial=initial.end(ntensor.InitialOp(*starts)),
        events=[block.event for block in read.blocks],
        blocks=blocks,
        efficacy=None if read.efficacy is None else region([read.efficacy], (), ntensor.TransmittedOp),
    )
    rule.location = line_location(synapse.source, read.weight.place)
    return rule


def is_leaf(value: Value, name: str) -> bool:
    """Returns whether a value is the argument of a name."""
    return value.op == "state" and value.data == name
