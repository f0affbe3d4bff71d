"""The parts of a tick that threads compute: the calls of a part, the barriers, and the boundaries between the synapses of the parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import indent

from xdsl.ir import SSAValue

from ....dialects import c
from ....dialects.c import Kind
from .functions import LINE, Cut, Function
from .memory import Memory
from .text import block, c_type, fill_template, loop

WORD_BYTES = 8
"""Alignment of the boundaries of an op."""


def row_bytes(cut: Cut) -> int:
    """Returns the bytes of the boundaries of one part: one for each source, or each source and delay."""
    return -(-cut.groups * c.element_bytes(cut.element) // WORD_BYTES) * WORD_BYTES


def print_parts(program: c.ProgramOp, memory: Memory, tick: Sequence[Function | None]) -> str:
    """Returns the functions that run a program by several threads; `tick` has the function of each op, or None for a barrier."""
    starts: dict[Function, int] = {}
    size = 0
    for function in tick:
        if function is not None and function.cut is not None:
            starts[function] = size
            size += row_bytes(function.cut)
    rows = rows_in_team(program)

    def address(value: SSAValue) -> str:
        buffer = c.buffer_of(value)
        return rows.get(buffer.label.data) or memory.address(value)

    prefix = program.prefix.data
    texts = {
        "@": prefix,
        "UPPER": prefix.upper(),
        "UNUSED": "" if starts else "    (void)0;",
        "PART_BODY": indent("\n".join(calls(prefix, tick, starts, address)), "        "),
        "CUT_BYTES": f"(size_t){size}",
        "CUT_BODY": indent("\n".join(cut_loops(prefix, starts)) or "(void)cuts;\n(void)parts;", "    "),
    }
    return fill_template("parts.c.in", texts)


def rows_in_team(program: c.ProgramOp) -> dict[str, str]:
    """Returns the row of each input, output and probe in tick `t`, by its label."""
    found: dict[str, str] = {}
    inputs, outputs = program.of_kind(Kind.INPUT), program.of_kind(Kind.OUTPUT, Kind.PROBE)
    for const, array, buffers in (("const ", "in", inputs), ("", "out", outputs)):
        for k, b in enumerate(buffers):
            place = "" if b.is_occasional is not None else f" + t * {c.length_of(b.memory)}"
            found[b.label.data] = f"({const}{c_type(b.element)} *)team->{array}[{k}]{place}"
    return found


def cut_pointer(cut: Cut, start: int, part: str) -> str:
    """Returns the boundaries at the start of a part."""
    return f"(const {c_type(cut.element)} *)(team->cuts + (parts + 1) * {start} + {part} * {row_bytes(cut)})"


def calls(
    prefix: str, tick: Sequence[Function | None], starts: dict[Function, int], address: Callable[[SSAValue], str]
) -> Iterator[str]:
    """Yields the statements of a part in a tick."""
    for function in tick:
        if function is None:
            yield f"{prefix}_meet(team);"
        elif not function.is_split:
            yield block("if (part == 0)", function.call(address))
        elif function.cut is None:
            yield function.call(address, ["part", "parts"])
        else:
            pointers = [cut_pointer(function.cut, starts[function], part) for part in ("part", "(part + 1)")]
            yield function.call(address, [*pointers, "part", "parts"])


def cut_loops(prefix: str, starts: dict[Function, int]) -> Iterator[str]:
    """Yields the loops that find the boundaries by bisection."""
    for function, start in starts.items():
        cut = function.cut
        assert cut is not None  # only these have a start
        kind = c_type(cut.element)
        search = block(
            "while (low < high)",
            "const size_t middle = low + (high - low) / 2;",
            block(f"if ({cut.target}[middle] < least)", "low = middle + 1;"),
            block("else", "high = middle;"),
        )
        each = [f"size_t low = {cut.start}[g], high = part == 0 ? low : {cut.start}[g + 1];"]
        each += [block("if (part == parts)", "low = high;"), search, f"to[g] = ({kind})low;"]
        yield loop(
            "part",
            "parts + 1",
            f"const size_t least = {prefix}_part_start({cut.targets}, {LINE}, part, parts);",
            f"{kind} *const to = ({kind} *)((unsigned char *)cuts + (parts + 1) * {start} + part * {row_bytes(cut)});",
            loop("g", cut.groups, *each),
        )
