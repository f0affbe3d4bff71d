"""`main.c`, the program that runs a network on `.npy` files, and the `Makefile`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, Signedness
from xdsl.ir import Attribute

from ....dialects import c
from ....dialects.c import Kind
from .text import c_type


def quoted(text: str) -> str:
    """Returns a C string; other characters than plain ASCII become escaped bytes."""
    plain = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode())
    return f'"{plain}"'


def remark(text: str) -> str:
    """Escapes a text for a C comment."""
    return json.dumps(text)[1:-1].replace("*/", "* /").replace("/*", "/ *")


def kind_of(element: Attribute, is_result: bool) -> str:
    """Returns the name of an element type in `main.c`: signedness and bits; `b1` for spikes."""
    match element:
        case Float32Type():
            return "f4"
        case Float64Type():
            return "f8"
        case IntegerType():
            size = element.width.data // 8
            is_unsigned = element.signedness.data is Signedness.UNSIGNED
            return "b1" if is_result and is_unsigned and size == 1 else f"{'u' if is_unsigned else 'i'}{size}"
        case _:
            raise TypeError(f"no file holds {element}")


def row(buffer: c.BufferOp) -> str:
    """Returns the entry of an argument in the table of `main.c`."""
    shape = c.memory_shape(buffer.memory) or (1,)
    name = buffer.node.data if buffer.node is not None else buffer.label.data
    element = c.element_of_memory(buffer.memory)
    is_spike = buffer.kind.data is not Kind.INPUT or buffer.is_spikes is not None
    kind = kind_of(element, is_spike).upper()
    length = max(1, c.length_of(buffer.memory))
    return f"    {{{quoted(name)}, {quoted(', '.join(map(str, shape)))}, {len(shape)}, {length}, sizeof({c_type(element)}), {kind}}},"


def driver(program: c.ProgramOp) -> str:
    """Returns the text of `main.c`."""
    p = program.prefix.data
    inputs, outputs = program.of_kind(Kind.INPUT), program.of_kind(Kind.OUTPUT, Kind.PROBE)
    nothing = '    {"", "", 0, 1, 1, B1},'
    arguments = ["&state"]
    arguments += [
        f"(const {c_type(c.element_of_memory(b.memory))} *)in[{k}] + t * {max(1, c.length_of(b.memory))}"
        for k, b in enumerate(inputs)
    ]
    arguments += [
        f"({c_type(c.element_of_memory(b.memory))} *)out[{k}] + t * {max(1, c.length_of(b.memory))}"
        for k, b in enumerate(outputs)
    ]
    table = {
        "@": p,
        "INPUT_ROWS": "\n".join(map(row, inputs)) or nothing,
        "OUTPUT_ROWS": "\n".join(map(row, outputs)) or nothing,
        "INPUT_COUNT": str(len(inputs)),
        "OUTPUT_COUNT": str(len(outputs)),
        "STEP_ARGUMENTS": ", ".join(arguments),
    }
    text = Path(__file__).with_name("main.c.in").read_text("utf-8")
    for name, value in table.items():
        text = text.replace(name, value)
    return text


def makefile(program: c.ProgramOp, flags: Sequence[str]) -> str:
    p = program.prefix.data
    return f"""CC = cc
CFLAGS = -O2
# the language, and no product that is added without being rounded first: with these the numbers are those of the model
CFLAGS += {" ".join(flags)}

{p}: main.c {p}.c {p}.h
	$(CC) $(CFLAGS) -o $@ main.c {p}.c -lm

clean:
	rm -f {p}

.PHONY: clean
"""
