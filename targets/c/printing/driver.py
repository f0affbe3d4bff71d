"""`main.c`, the program that runs a network on `.npy` files, and the `Makefile`."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from ....dialects import c
from ....dialects.c import Kind
from .text import c_type, dtype_of, fill_template


def c_string(text: str) -> str:
    """Returns a C string; other characters than plain ASCII become escaped bytes."""
    plain = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode())
    return f'"{plain}"'


def remark(text: str) -> str:
    """Escapes a text for a C comment."""
    return json.dumps(text)[1:-1].replace("*/", "* /").replace("/*", "/ *")


def row(buffer: c.BufferOp) -> str:
    """Returns the entry of an argument in the table of `main.c`; its kind is signedness and bytes of its elements, or `B1` for spikes."""
    shape = c.memory_shape(buffer.memory) or (1,)
    name = buffer.row_name
    element = buffer.element
    is_spike = buffer.kind.data is not Kind.INPUT or buffer.is_spikes is not None
    dtype = dtype_of(element)
    kind = "B1" if is_spike and dtype == np.uint8 else f"{dtype.kind}{dtype.itemsize}".upper()
    length = buffer.row_length
    return f"    {{{c_string(name)}, {c_string(', '.join(map(str, shape)))}, {len(shape)}, {length}, sizeof({c_type(element)}), {kind}}},"


def rows_pointer(buffer: c.BufferOp, k: int) -> str:
    """Returns the pointer to the rows of argument `k` in `in` or `out`."""
    is_input = buffer.kind.data is Kind.INPUT
    return f"({'const ' if is_input else ''}{c_type(buffer.element)} *){'in' if is_input else 'out'}[{k}]"


def rows_of_tick(program: c.ProgramOp) -> list[str]:
    """Returns the arguments of `net_step` in tick `t` of a run over `in` and `out`; a record in an interval of ticks has one row."""
    groups = program.of_kind(Kind.INPUT), program.of_kind(Kind.OUTPUT, Kind.PROBE)
    return [
        rows_pointer(b, k) + ("" if b.is_occasional is not None else f" + t * {c.length_of(b.memory)}")
        for buffers in groups
        for k, b in enumerate(buffers)
    ]


def feature_name(name: str) -> str:
    """Returns the name of a feature for GCC and clang; Linux writes sse4_1 and avx512_vnni."""
    return name.replace("sse4_", "sse4.").replace("avx512_", "avx512")


def feature_test(program: c.ProgramOp) -> str:
    """Returns the function that ends the program on a processor without the features of its profile, where the compiler can test them."""
    features = str(program.preference("features", "")).split()
    if not features:
        return ""
    tests = "".join(
        f'    if (!__builtin_cpu_supports("{feature_name(name)}")) {{\n        fail("processor", "it has no {name}, which the profile '
        f'{program.preference("profile", "")} needs");\n    }}\n'
        for name in features
    )
    guard = "#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))"
    return f"static void require_processor(void) {{\n{guard}\n    __builtin_cpu_init();\n{tests}#endif\n}}\n\n"


def driver(program: c.ProgramOp) -> str:
    """Returns the text of `main.c`. It writes no records in intervals of ticks."""
    inputs, rows = program.of_kind(Kind.INPUT), program.of_kind(Kind.OUTPUT, Kind.PROBE)
    outputs = [b for b in rows if b.is_occasional is None]
    places = {
        b: f"{rows_pointer(b, k)} + t * {max(1, c.length_of(b.memory))}"
        for buffers in (inputs, outputs)
        for k, b in enumerate(buffers)
    }
    arguments = [places.get(b, "NULL") for b in (*inputs, *rows)]
    nothing = '    {"", "", 0, 1, 1, B1},'
    texts = {
        "@": program.prefix.data,
        "INPUT_ROWS": "\n".join(map(row, inputs)) or nothing,
        "OUTPUT_ROWS": "\n".join(map(row, outputs)) or nothing,
        "INPUT_COUNT": str(len(inputs)),
        "OUTPUT_COUNT": str(len(outputs)),
        "FEATURE_TEST\n": feature_test(program),
        "FEATURE_CALL\n": "    require_processor();\n" if program.preference("features", "") else "",
        "STEP_ARGUMENTS": ", ".join(["&state", *arguments]),
    }
    return fill_template("main.c.in", texts)


def makefile(
    program: c.ProgramOp,
    flags: Sequence[str],
    compiler: str = "cc",
    own: Sequence[str] = ("-O2",),
    *,
    has_vectors: bool = False,
) -> str:
    """Returns the text of the Makefile, with `make check` for an artefact with test vectors. Options: own: flags that a user may change."""
    texts = {
        "PROGRAM": program.prefix.data,
        "REQUIRED": " ".join(flags),
        "COMPILER": compiler,
        "OPTIMISED": " ".join(own),
    }
    return fill_template("Makefile.in", texts) + (fill_template("check.in", texts) if has_vectors else "")
