"""`net_io.h` and `net_io.c`: a network whose inputs and outputs are integers, events or bits instead of rows."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

import numpy as np

from ....core.diagnostics import Code, Diagnostics
from ....core.help_text import Flag, Phrase
from ....dialects import c
from ....dialects.c import Kind
from .driver import remark
from .projects import known_value
from .text import block, c_type, dtype_of, fill_template, loop

CSR008 = Code("CSR008", "signal-unsupported-by-io-form", "a signal cannot be passed in the form of c.io")

ROWS = "rows"
FORMS = {
    "integers": (
        "integers",
        "Inputs of reals are integers of 16 bits with the same values.",
    ),
    "events": (
        "lists of events",
        "An input is the list of the entries that are 1; in an input of reals, repeated entries add up. The indices are flat, and each\n"
        " * output must have room for all entries. Returns UPPER_IO_RANGE, and computes no tick, if an index is too large.",
    ),
    "bitmap": (
        "bits",
        "Entry k is bit k % 8 of byte k / 8.",
    ),
}
"""The values of `c.io` other than rows, with the noun and the explanation of their files."""


def form_of(preferred: str) -> str:
    """Returns the form of inputs and outputs. Errors: CSR011."""
    return known_value("io", preferred, [ROWS, *FORMS])


def is_spikes(buffer: c.BufferOp) -> bool:
    """Returns whether the entries of a row are spikes: bytes of 0 or 1."""
    is_byte = dtype_of(buffer.element) == np.uint8
    return is_byte and (buffer.kind.data is not Kind.INPUT or buffer.is_spikes is not None)


def check_form(program: c.ProgramOp, form: str) -> None:
    """Refuses a form that loses values of a signal. Errors: CSR008."""
    found = Diagnostics()
    for buffer in program.of_kind(Kind.INPUT, Kind.OUTPUT):
        element = buffer.element
        is_real, is_input = c.is_real(element), buffer.kind.data is Kind.INPUT
        if (is_input or not is_real) if form == "integers" else (is_spikes(buffer) or (is_input and is_real)):
            continue
        node = buffer.node or buffer.label
        expected = "integers or spikes" if form == "integers" else "spikes" + (" or reals" if is_input else "")
        found.error(
            CSR008,
            f"the {buffer.kind.data} cannot be passed as {FORMS[form][0]}",
            at=f'c.program @{program.sym_name.data}, {buffer.kind.data} "{node.data}"',
            node=node.data,
            expected=f"{expected}, for --set c.io={form}",
            found=f"values of type {c_type(element)}",
            help=Phrase(
                Flag(
                    "io=rows",
                    "--set c.io=rows" if is_real else f"--set c.io={'rows' if form == 'integers' else 'integers'}",
                )
            ),
        )
    found.raise_errors()


def index_type(buffer: c.BufferOp) -> str:
    return "uint16_t" if buffer.row_length < 2**16 else "uint32_t"


def count_name(buffer: c.BufferOp) -> str:
    """Returns the name of the parameter with the number of events of an input or output. It differs from all buffer names."""
    program = buffer.parent_op()
    assert isinstance(program, c.ProgramOp)  # buffers are in programs
    name = f"{buffer.label.data}_count"
    return name if all(name != other.label.data for other in program.buffers) else f"{name}_"


def parameters(buffer: c.BufferOp, form: str) -> Iterator[str]:
    """Yields the parameters of the step for an input, output or probe; that of a probe is a row."""
    label, element = buffer.label.data, buffer.element
    if buffer.kind.data is Kind.PROBE:
        yield f"{c_type(element)} *{label}"
        return
    is_input = buffer.kind.data is Kind.INPUT
    const = "const " if is_input else ""
    match form:
        case "integers":
            yield f"{const}{'int16_t' if c.is_real(element) else c_type(element)} *{label}"
        case "events":
            yield f"{const}{index_type(buffer)} *{label}"
            yield f"size_t {count_name(buffer)}" if is_input else f"size_t *{count_name(buffer)}"
        case _:
            yield f"{const}uint8_t *{label}"


def is_copied(buffer: c.BufferOp, form: str) -> bool:
    """Returns whether the interface copies an input or output to its own row; otherwise, it uses the row of the caller."""
    return buffer.kind.data is not Kind.PROBE and (form != "integers" or c.is_real(buffer.element))


def reads(buffer: c.BufferOp, form: str) -> Iterator[str]:
    """Yields the statements that fill the row of an input."""
    label, size = buffer.label.data, buffer.row_length
    row, kind = f"self->{label}", c_type(buffer.element)
    match form:
        case "integers":
            if is_copied(buffer, form):
                yield loop("k", size, f"{row}[k] = ({kind}){label}[k];")
        case "events":
            yield f"memset({row}, 0, sizeof {row});"
            change = f"{row}[{label}[k]] = 1;" if is_spikes(buffer) else f"{row}[{label}[k]] += 1;"
            yield loop("k", count_name(buffer), change)
        case _:
            yield loop("k", size, f"{row}[k] = ({kind})({label}[k / 8] >> (k % 8) & 1);")


def writes(buffer: c.BufferOp, form: str) -> Iterator[str]:
    """Yields the statements that return the row of an output."""
    label, size = buffer.label.data, buffer.row_length
    if form == "events":
        yield f"*{count_name(buffer)} = 0;"
        yield loop(
            "k",
            size,
            block(f"if (self->{label}[k] != 0)", f"{label}[(*{count_name(buffer)})++] = ({index_type(buffer)})k;"),
        )
    elif form == "bitmap":
        yield f"memset({label}, 0, {-(-size // 8)});"
        yield loop("k", size, f"{label}[k / 8] |= (uint8_t)((self->{label}[k] != 0) << (k % 8));")


def print_interface(program: c.ProgramOp, form: str) -> dict[str, str]:
    """Returns the files of an interface; none for rows. Errors: CSR008."""
    if form == ROWS:
        return {}
    check_form(program, form)
    inputs, outputs = program.of_kind(Kind.INPUT), program.of_kind(Kind.OUTPUT)
    prefix, both = program.prefix.data, (*inputs, *outputs, *program.of_kind(Kind.PROBE))
    copied = [b for b in both if is_copied(b, form)]
    rows = [f"self->{b.label.data}" if is_copied(b, form) else b.label.data for b in both]
    ranges = [
        loop(
            "k",
            count_name(b),
            block(f"if ({b.label.data}[k] >= {b.row_length})", f"return {prefix.upper()}_IO_RANGE;"),
        )
        for b in inputs
        if form == "events"
    ]
    body = [
        *ranges,
        *(line for b in inputs for line in reads(b, form)),
        f"{prefix}_step({', '.join(['&self->network_', *rows])});",
        *(line for b in outputs for line in writes(b, form)),
    ]
    noun, explanation = FORMS[form]
    texts = {
        "@": prefix,
        "NETWORK": remark(program.sym_name.data),
        "INTERFACE": noun,
        "FIELDS": "\n".join(f"    {c_type(b.element)} {b.label.data}[{b.row_length}];" for b in copied),
        "EXPLANATION": explanation.replace("UPPER", prefix.upper()),
        "SHAPES": "\n".join(f" * {b.label.data}: {b.kind.data}, {b.row_length} entries" for b in both),
        "PARAMETERS": ", ".join([f"{prefix}_io *self", *(p for b in both for p in parameters(b, form))]),
        "BODY": indent("\n".join(body), "    "),
        "UPPER": prefix.upper(),
    }
    return {f"{prefix}_io.{kind}": fill_template(f"io.{kind}.in", texts) for kind in ("h", "c")}


def interface_bytes(program: c.ProgramOp, form: str) -> int:
    """Returns the bytes of the rows that an interface adds to a network."""
    rows: list[c.BufferOp] = (
        [] if form == ROWS else [b for b in program.of_kind(Kind.INPUT, Kind.OUTPUT) if is_copied(b, form)]
    )
    return sum(b.row_bytes for b in rows)
