"""`vectors.h` and `vectors.c`: the start of a sample input, the outputs of the model for it, and a program that compares."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....dialects import c
from ....dialects.c import Kind
from .driver import remark
from .text import block, c_type, dtype_of, fill_template, lines_of, numbers

TOLERANCE = 1e-5
"""Largest difference of reals, relative to 1 plus their size, of a program that calls functions whose last bits depend on the C library."""


def row_bytes(program: c.ProgramOp) -> int:
    """Returns the bytes of the inputs, outputs and probes of one tick."""
    rows = program.of_kind(Kind.INPUT, Kind.OUTPUT, Kind.PROBE)
    return sum(b.row_bytes for b in rows)


def vector_name(program: c.ProgramOp, buffer: c.BufferOp) -> str:
    """Returns the name of the array with the rows of an input, output or probe."""
    return f"{program.prefix.data}_{buffer.kind.data}_{buffer.label.data}"


def array_text(program: c.ProgramOp, buffer: c.BufferOp, rows: NDArray[Any]) -> str:
    """Returns the definition of the rows of an input, output or probe."""
    element = buffer.element
    values = np.ascontiguousarray(rows).reshape(len(rows), -1).astype(dtype_of(element))
    values = values if values.size else np.zeros((len(rows), 1), values.dtype)
    head = f"static const {c_type(element)} {vector_name(program, buffer)}[{len(rows)} * {buffer.row_length}]"
    return f"{head} = {{\n{indent(chr(10).join(lines_of(numbers(values))), '    ')}\n}};\n"


def found_name(program: c.ProgramOp, buffer: c.BufferOp) -> str:
    """Returns the name of the row of an output or probe that the network writes."""
    return f"{program.prefix.data}_found_{buffer.label.data}"


Rows = Mapping[str, NDArray[Any]]
"""Rows by the name of an input, output or probe, `[ticks, *shape]`."""


def print_vectors(program: c.ProgramOp, given: Rows, expected: Rows, ticks: int, is_exact: bool) -> dict[str, str]:
    """Returns the two files. Options: is_exact: whether reals are compared to the last bit."""
    inputs, outputs = program.of_kind(Kind.INPUT), program.of_kind(Kind.OUTPUT, Kind.PROBE)
    prefix = program.prefix.data
    arrays = [
        array_text(program, b, rows[b.row_name])
        for rows, buffers in ((given, inputs), (expected, outputs))
        for b in buffers
    ]
    arguments = ["&state", *(f"{vector_name(program, b)} + t * {b.row_length}" for b in inputs)]
    tests: list[str] = []
    differs = ""
    for b in outputs:
        here = f"{vector_name(program, b)} + t * {b.row_length}"
        element = b.element
        if is_exact or not c.is_real(element):
            tests.append(f"memcmp({found_name(program, b)}, {here}, sizeof {found_name(program, b)}) != 0")
        else:
            tests.append(f"{prefix}_differs_{c_type(element)}({found_name(program, b)}, {here}, {b.row_length})")
            differs = differs if f"_{c_type(element)}(" in differs else differs + differs_text(prefix, c_type(element))
    declared = [f"static {c_type(b.element)} {found_name(program, b)}[{b.row_length}];" for b in outputs]
    needs_math = any("NAN" in text or "INFINITY" in text for text in arrays)
    texts = {
        "@": prefix,
        "UPPER": prefix.upper(),
        "NETWORK": remark(program.sym_name.data),
        "COUNT": str(ticks),
        "ARRAYS": ("#include <math.h>\n\n" if needs_math else "") + "\n".join(arrays),
        "OUTPUTS": "\n".join(declared),
        "DIFFERS": differs,
        "STEP_ARGUMENTS": ", ".join([*arguments, *(found_name(program, b) for b in outputs)]),
        "TESTS": " || ".join(tests) or "0",
    }
    return {name: fill_template(f"{name}.in", texts) for name in ("vectors.h", "vectors.c")}


def differs_text(prefix: str, type: str) -> str:
    """Returns the function that compares reals with a tolerance."""
    test = f"const double limit = {TOLERANCE} * (1.0 + (b[k] < 0 ? -b[k] : b[k])), d = (double)a[k] - (double)b[k];"
    body = block("for (size_t k = 0; k < size; ++k)", test, block("if (!(d <= limit && d >= -limit))", "return 1;"))
    head = f"static int {prefix}_differs_{type}(const {type} *a, const {type} *b, size_t size)"
    return "\n" + block(head, body, "return 0;") + "\n"
