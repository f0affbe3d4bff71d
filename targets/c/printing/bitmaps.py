"""Scatters by bitmaps: the addition of one weight to all sums whose bits are 1, by vectors of sums.

Two rows are added at once, so that vectors of sums are read and written half as often.
"""

from __future__ import annotations

from textwrap import indent

from xdsl.ir import Attribute

from ....dialects import c
from ....dialects.c import WORD_BITS, length_of, memory_shape
from .functions import Function
from .scatters import Term
from .text import block, c_type, fill_template, lines_of, loop, product

VECTOR_BYTES = 32
"""Bytes of a vector in programs without a profile."""
MOST_VECTOR_BYTES = 64


def print_bitmap(function: Function, op: c.BitmapOp) -> None:
    """Adds the statements of a scatter by a bitmap."""
    term = Term(function, op)
    table, sums, start, bits = (function.pointer(m, m is op.sums) for m in (op.table, op.sums, op.start, op.bits))
    words = memory_shape(op.bits)[1]
    weight = term.weight_at(table, "0" if length_of(op.table) == 1 else "r")
    real = term.kind in ("float", "double")
    if real:
        held = term.held(weight, "0")
        value = held if term.is_spikes else f"{held} * x"
    elif term.kind == "int64_t":
        value = f"(uint64_t)(int64_t){weight}" + ("" if term.is_spikes else " * (uint64_t)x")
    else:
        value = f"(int32_t){weight}" + ("" if term.is_spikes else " * x")
    added = added_type(term.sums)
    first, last = function.bounds(length_of(op.sums))
    add = function.needs.bit_adder(term.sums)
    row = [
        f"const uint32_t *row = {bits} + {product('r', words)};",
        f"const {added} w = {value if real else f'({added})({value})'};",
        block("if (held != NULL)", f"{add}({sums}, held, row, {first}, {last}, u, w);", "held = NULL;", "continue;"),
        "held = row;",
        "u = w;",
    ]
    rows = loop("r", f"{start}[i + 1]", *row, start=f"{start}[i]")
    function.add("const uint32_t *held = NULL; /* the first row of a pair, and its weight */", f"{added} u = 0;")
    term.for_each_source(term.value(term.address, f"const size_t i = {term.index};", rows))
    function.add(block("if (held != NULL)", f"{add}({sums}, held, held, {first}, {last}, u, 0);"))


def added_type(sums: Attribute) -> str:
    """Returns the C type in which sums are added: integers without a sign, because they may wrap around before they are narrowed."""
    return c_type(sums) if c.is_real(sums) else f"uint{8 * c.element_bytes(sums)}_t"


def adder_text(prefix: str, sums: Attribute, vector_bytes: int) -> str:
    """Returns the function that adds a weight to sums where bits are 1. Options: vector_bytes: those of a profile, or 0."""
    size = c.element_bytes(sums)
    width = min(WORD_BITS, 8 * size)
    lanes = min(width, min(vector_bytes or VECTOR_BYTES, MOST_VECTOR_BYTES) // size)
    powers = [1 << k % width for k in range(WORD_BITS)]
    texts = {
        "@": prefix,
        "SUM": c_type(sums),
        "ADDED": added_type(sums),
        "WORD": f"uint{8 * size}_t",
        "WIDTH": str(width),
        "BYTES": str(lanes * size),
        "POWERS": indent("\n".join(lines_of(f"{power}u" for power in powers)), "        "),
    }
    return fill_template("bits.c.in", texts)
