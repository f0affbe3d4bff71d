"""Visits of synapses and traces: loops over the groups that have an event, and over their members."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Attribute, SSAValue

from ....core.fixed_point import Interval
from ....dialects import c
from ....dialects.fixed import IntType
from ....simulation.learning.rules import mix
from .functions import Function
from .scalars import Body, needed_in, words
from .text import block, c_type, integer, loop, product, real, total


def print_visit(function: Function, op: c.VisitOp) -> None:
    """Prints a visit: nothing without its switch, then each group with an event, and the body for each of its members."""
    written = {*op.outs}
    names = {memory: function.name_of(memory) for memory, _ in op.ways}
    here = [f"{names[memory]}[{index_of(op, memory, way, function)}]" for memory, way in op.ways]
    body = Body(function.needs)
    needed = needed_in(op.body.block)
    count = len(op.ins)
    for arg, memory, text in zip(op.body.block.args, op.ins, here, strict=False):
        if arg in needed:
            body.load(arg, c.element_of_memory(memory), text)
    for k, arg in enumerate(op.body.block.args[count:]):
        if arg in needed:
            draw(function, body, op, arg, k)
    body.run(op.body.block)
    stores = [
        f"{text} = {body.store(value, c.element_of_memory(memory))};"
        for value, memory, text in zip(op.yielded, op.outs, here[count:], strict=True)
    ]
    lines = body.statements(*stores)
    used = words(*lines)
    for memory, _ in op.ways:
        if names[memory] in used:
            function.pointer(memory, memory in written)
    if op.start is not None and op.member is not None:
        lines = [f"const size_t s = {function.pointer(op.member)}[k];", *lines]
    for memory in (op.marks, *op.places):
        if memory is not None and function.name_of(memory) in used:
            function.pointer(memory)
    if op.start is not None:
        start = function.pointer(op.start)
        index = "s" if op.member is None else "k"
        lines = [loop(index, "b", *lines, start="a")]
        lines.insert(0, f"const size_t a = {start}[g], b = {start}[g + 1];")
    if op.events is not None:
        lines = [*event(function, op), block("if (x != 0)", *lines)]
    if op.switch is not None:
        function.add(block(f"if ({function.pointer(op.switch)}[0] == 0)", "return;"))
    for k, number in enumerate(op.drawn):
        if f"w{k}" in used:
            function.add(seeded(function, op, k, number))
    function.add(loop(group_of(op), op.groups.value.data, *lines))


def group_of(op: c.VisitOp) -> str:
    """Returns the index of a group; a group without a start is its only member."""
    return "s" if op.start is None else "g"


def index_of(op: c.VisitOp, memory: SSAValue, way: int, function: Function) -> str:
    """Returns the index of the element that a visit accesses."""
    match way:
        case c.SINGLE:
            return "0"
        case c.GROUP:
            return group_of(op)
        case c.MEMBER:
            return "s"
        case c.PLACE_IN_GROUP:
            return "s - a"
        case c.EVENT_ROW:
            return total(product("r", c.memory_shape(memory)[1]), "s")
        case _:
            return f"{function.name_of(op.places[way])}[s]"


def event(function: Function, op: c.VisitOp) -> list[str]:
    """Returns the statements that read the event of a group: its row `r`, if it is in a ring, and its value `x`."""
    assert op.events is not None  # asked before
    lines: list[str] = []
    memory, kind = function.pointer(op.events), c_type(c.element_of_memory(op.events))
    neurons = c.length_of(op.events)
    if op.cursor is not None:
        rows, *_ = c.memory_shape(op.events)
        neurons //= rows
        cursor = function.pointer(op.cursor)
        if op.delay is None:
            lines.append(f"const size_t r = (size_t){cursor}[0];")
        else:
            late = f"{cursor}[0] - (int32_t){function.pointer(op.delay)}[{group_of(op)}]"
            lines.append(f"const int32_t l = {late};")
            lines.append(f"const size_t r = (size_t)(l < 0 ? l + {rows} : l);")
    neuron = group_of(op) if op.neuron is None else f"{function.pointer(op.neuron)}[{group_of(op)}]"
    at = total(product("r", neurons), neuron) if op.cursor is not None else neuron
    return [*lines, f"const {kind} x = {memory}[{at}];"]


# ---- random numbers


def seeded(function: Function, op: c.VisitOp, k: int, number: int) -> str:
    """Returns the statement with the start of the random numbers of a tick and a draw."""
    assert op.seed is not None  # draws have a seed
    assert op.clock is not None  # and a clock
    with np.errstate(over="ignore"):
        first = int(mix(np.array([op.seed.value.data], np.int64).astype(np.uint64))[0])
    mixed, clock = function.needs.helper("mix"), function.pointer(op.clock)
    inner = f"{mixed}(UINT64_C({first}) ^ (uint64_t){clock}[0])"
    return f"const uint64_t w{k} = {mixed}({inner} ^ UINT64_C({number}));"


def draw(function: Function, body: Body, op: c.VisitOp, arg: SSAValue, k: int) -> None:
    """Defines a random number of a member."""
    assert op.marks is not None  # draws have marks
    bits = f"{function.needs.helper('mix')}(w{k} ^ (uint64_t){function.name_of(op.marks)}[s])"
    type: Attribute = arg.type
    if isinstance(type, IntType):
        width = type.interval.high.bit_length()
        text = f"(int{64 if width > 31 else 32}_t)({bits} >> {64 - width})" if width else integer(0)
        body.define(arg, text, Interval(0, 2**width - 1))
        return
    assert type in (f32, f64)  # verified
    digits = 24 if type == f32 else 53
    kind = "float" if type == f32 else "double"
    body.define(arg, f"({kind})({bits} >> {64 - digits}) * {real(2.0**-digits, type == f32)}")
