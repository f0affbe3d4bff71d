"""`net.h` and `net.c`: the struct, the constants, one function for each op, and the public functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import accumulate
from struct import unpack
from textwrap import indent
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from ....core.arrays.arrays import half_of, is_half
from ....core.diagnostics import refuse
from ....core.half_precision import half_bits
from ....core.names import Names
from ....dialects import c
from ....dialects.c import Kind
from ..building.program import identifier
from .bitmaps import adder_text, print_bitmap
from .driver import remark, rows_of_tick
from .events import print_events
from .functions import MOST_MERGED, Function, constant_name, share
from .memory import Memory, arrays_of, length_in
from .nests import print_advance, print_clear, print_gather, print_loop, print_past, print_pool
from .parts import print_parts
from .scalars import CSR006, HELPERS, Needs, words
from .scatters import print_compressed, print_rows, print_window
from .text import MANY, ROW, block, c_type, fill_template, is_finite, lines_of, loop, numbers, octal, real
from .visits import print_visit


def function_suffix(op: Operation) -> str:
    """Returns the name of an op in the name of its function."""
    label = op.properties.get("label")
    verb = op.name.removeprefix("c.")
    return f"{verb}_{identifier(label.data)}" if isinstance(label, StringAttr) else verb


PRINTERS: dict[type[Operation], tuple[Callable[[Function, Any], None], str]] = {
    c.LoopOp: (print_loop, "for every element"),
    c.ClearOp: (print_clear, "starts at zero"),
    c.EventsOp: (print_events, "where it is not zero"),
    c.RowsOp: (print_rows, "weights, event by event"),
    c.WindowOp: (print_window, "convolution, event by event"),
    c.BitmapOp: (print_bitmap, "bits of targets, event by event"),
    c.CompressedOp: (print_compressed, "synapses by source, event by event"),
    c.PoolOp: (print_pool, "sums over windows"),
    c.GatherOp: (print_gather, "every element from its own past"),
    c.PastOp: (print_past, "a tick more ago"),
    c.VisitOp: (print_visit, "synapses or traces, event by event"),
    c.AdvanceOp: (print_advance, "the next row"),
}
"""The function that prints each kind of op, and the comment on the result."""


def is_void(op: Operation) -> bool:
    """Returns whether an op has no effect: populations may be empty."""
    match op:
        case c.LoopOp():
            memories = op.outs[:1]
        case c.ScatterOp():
            memories = [op.x, op.sums]
        case _:
            memories = op.operands
    return any(c.length_of(memory) == 0 for memory in memories)


HEAD_BYTES = 16
"""Bytes before the memory in a saved state."""
SAVED_FORMAT = "nopt.c.state/1"
ALIGNED = 32
"""Alignment in bytes that common compilers use for large arrays."""


ROWS = {
    "defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8": '__attribute__((noinline, optimize("no-loop-unroll-and-jam")))'
}
"""Keeps the rows of two events apart: GCC 12 merges them at -O3, and then adds one integer at a time instead of a vector."""


def condition(test: str) -> str:
    """Returns a condition of the preprocessor; a single word is a macro that has to be defined."""
    return f"defined({test})" if test.isidentifier() else test


class Source:
    """The text of a program."""

    def __init__(self, program: c.ProgramOp):
        self.program = program
        self.prefix = program.prefix.data
        self.memory = Memory(program)
        self.alignment = int(program.preference("alignment", 0))
        self.needs = Needs(self.prefix, int(program.preference("unroll", 0)))
        self.functions: list[Function] = []
        self.tick: list[Function | None] = []
        """The function of each op of a tick, or None for a barrier."""
        names = Names(start=2)
        for op in program.tick.body.block.ops:
            if isinstance(op, c.BarrierOp):
                self.tick.append(None)
                continue
            if is_void(op):
                continue
            if type(op) not in PRINTERS:
                expected = "an op of the dialect c"
                refuse(CSR006, f"{op.name} cannot be compiled to C", at="c.tick", expected=expected, found=op.name)
            print_op, comment = PRINTERS[type(op)]
            name = names.take(f"{self.prefix}_{function_suffix(op)}")
            title = f"{function_suffix(op).replace('_', ' ', 1)}: {comment}"
            function = Function(name, self.needs, title, "split" in op.properties)
            print_op(function, op)
            self.functions.append(function)
            self.tick.append(function)
        starts = {function.cut.start for function in self.functions if function.cut is not None}
        self.memory.keep_constants(words(*(line for function in self.functions for line in function.lines)) | starts)
        self.is_large = len(self.functions) > MOST_MERGED
        """Whether inlining all functions into one would take the compiler too long."""
        if self.is_large:
            constants = self.memory.constants
            share(self.functions, {constant_name(self.prefix, b): b.element for b in constants})

    # ---- net.h

    @property
    def rows(self) -> list[c.BufferOp]:
        """Returns the rows that `net_step` reads and writes."""
        return self.program.of_kind(Kind.INPUT, Kind.OUTPUT, Kind.PROBE)

    @property
    def switch(self) -> c.BufferOp | None:
        """Returns the state that turns learning on, if weights learn."""
        visits = (op for op in self.program.tick.body.block.ops if isinstance(op, c.VisitOp))
        return next((c.buffer_of(op.switch) for op in visits if op.switch is not None), None)

    @property
    def step_parameters(self) -> str:
        rows = [
            f"{'const ' if b.kind.data is Kind.INPUT else ''}{c_type(b.element)} *{b.label.data}" for b in self.rows
        ]
        return ", ".join([f"{self.prefix}_state *self", *rows])

    def header(self) -> str:
        fields = "\n".join(f"    {c_type(f.element)} {f.label}[{f.length}];" for f in self.memory.fields)
        texts = {
            "@": self.prefix,
            "NETWORK": remark(self.program.sym_name.data),
            "TICK_NS": str(self.program.tick_ns.value.data),
            "GUARD": f"{self.prefix.upper()}_H",
            "UPPER_SAVED_BYTES SAVED_BYTES": f"{self.prefix.upper()}_SAVED_BYTES {self.saved_bytes}",
            "UPPER": self.prefix.upper(),
            "LEARN": "" if self.switch is None else fill_template("learn.h.in", {"@": self.prefix}),
            "FIELDS": fields or "    unsigned char nothing[1];",
            "SHAPES": "\n".join(f" * {b.label.data}: {shape_text(b)}" for b in self.rows),
            "STEP_PARAMETERS": self.step_parameters,
        }
        return fill_template("net.h.in", texts)

    # ---- net.c

    def source(self) -> str:
        return "".join(self.pieces())

    def code(self) -> str:
        """Returns the source with declarations instead of large constants, which is sufficient to measure the code size."""
        return "".join(self.pieces(are_declared=True))

    @property
    def declared(self) -> dict[str, NDArray[Any]]:
        """Returns the constants that `code` declares without their numbers, by name."""
        return {name: values for name, _, values in arrays_of(self.memory) if values.size >= MANY}

    @property
    def declared_bytes(self) -> int:
        """Returns the bytes of these constants."""
        return sum(values.nbytes for values in self.declared.values())

    def pieces(self, are_declared: bool = False) -> Iterator[str]:
        """Yields the source piece by piece, so that the text of large constants is never in memory as a whole."""
        for k, part in enumerate(self.parts(are_declared)):
            yield "\n" if k else ""
            if isinstance(part, str):
                yield part
            else:
                yield from part

    def parts(self, are_declared: bool) -> Iterator[str | Iterator[str]]:
        p, memory = self.prefix, self.memory
        arrays = list(arrays_of(memory))
        resets = "\n".join([*self.resets(is_kept=False), *self.resets(is_kept=True)]) or "(void)self;"
        if (
            self.needs.math
            or not all(is_finite(values) for *_, values in arrays)
            or "INFINITY" in resets
            or "NAN" in resets
        ):
            yield "#include <math.h>"
        yield "#include <string.h>\n"
        yield f'#include "{p}.h"\n'
        yield from self.macros()
        if any(values.size >= MANY for *_, values in arrays):
            yield fill_template("bytes.c.in", {"@": p})
        for name in HELPERS:
            if name in self.needs.helpers:
                yield HELPERS[name].replace("@", f"{p}_") + "\n"
        for sums in self.needs.bit_sums:
            yield adder_text(p, sums, int(self.program.preference("vector_bytes", 0)))
        for constant in arrays:
            is_large = constant[2].size >= MANY
            yield self.declaration(constant) if is_large and are_declared else self.array(constant)
        for function in self.functions:
            if function.same is function:
                marks = [f"{p.upper()}_APART "] * self.is_large + [f"{p.upper()}_ROWS "] * function.has_rows
                yield function.text("".join(marks))
        yield self.public_functions(resets)
        if self.is_split:
            yield print_parts(self.program, self.memory, self.tick)

    @property
    def is_split(self) -> bool:
        """Returns whether several threads can compute a tick."""
        return None in self.tick

    def array(self, constant: tuple[str, Attribute, NDArray[Any]]) -> str | Iterator[str]:
        """Returns a constant: numbers, or bytes for large arrays."""
        name, element, values = constant
        aligned = f" {self.prefix.upper()}_ALIGNED" if self.alignment else ""
        kind = c_type(element)
        if values.size < MANY:
            lines = "\n".join(f"    {line}" for line in lines_of(numbers(values)))
            return f"static const {kind} {name}[{values.size}]{aligned} = {{\n{lines}\n}};\n"
        return self.large_array(name, kind, values, aligned)

    def large_array(self, name: str, kind: str, values: NDArray[Any], aligned: str) -> Iterator[str]:
        """Yields a constant as strings of bytes, one after the other."""
        rows, rest = divmod(values.nbytes, ROW)
        members = f"char rows[{rows}][{ROW}];" + (f" char rest[{rest}];" if rest else "")
        yield (
            f"static const union {{\n    struct {{ {members} }} bytes;\n    {kind} values[{values.size}];\n"
            f"}} {name}_bytes{aligned} = {{{{{{\n"
        )
        for k, text in enumerate(octal(values)):
            yield ("" if k == 0 else ",\n" if k < rows else "\n}, ") + text
        yield ("" if rest else "\n}") + f"}}}};\n#define {name} {name}_bytes.values\n"

    def declaration(self, constant: tuple[str, Attribute, NDArray[Any]]) -> str:
        """Returns the declaration of a constant without its numbers, as if another object file defined it."""
        name, element, values = constant
        hidden = f'visibility("hidden"), aligned({max(self.alignment, ALIGNED)})'
        return f"extern const {c_type(element)} {name}[{values.size}] __attribute__(({hidden}));\n"

    def macros(self) -> Iterator[str]:
        """Yields macros for attributes of compilers that support them; others get empty macros."""
        p, n = self.prefix.upper(), self.needs.unroll
        unroll = {"__clang__": f'_Pragma("clang loop unroll_count({n})")', "__GNUC__": f'_Pragma("GCC unroll {n}")'}
        for name, is_used, texts in (
            (f"{p}_ALIGNED", self.alignment > 0, {"__GNUC__": f"__attribute__((aligned({self.alignment})))"}),
            (f"{p}_APART", self.is_large, {"__GNUC__": "__attribute__((noinline))"}),
            (f"{p}_UNROLL", n > 1, unroll),
            (f"{p}_ROWS", any(function.has_rows for function in self.functions), ROWS),
        ):
            if is_used:
                tests = "#el".join(f"if {condition(test)}\n#define {name} {text}\n" for test, text in texts.items())
                yield f"#{tests}#else\n#define {name}\n#endif\n"
        if self.needs.shorts:
            yield fill_template("short.c.in", {"@": self.prefix})

    def public_functions(self, resets: str) -> str:
        """Returns the functions of the header."""
        calls = "\n".join(function.call(self.memory.address) for function in self.functions)
        used = words(calls)
        unused = [f"(void){name};" for name in ("self", *(b.label.data for b in self.rows)) if name not in used]
        bodies = {
            "RESTART_BODY": list(self.resets(is_kept=False)) or ["(void)self;"],
            "RESET_BODY": [resets]
            if self.switch is None
            else [f"{self.prefix}_restart(self);", *self.resets(is_kept=True)],
            "STEP_BODY": [*unused, calls],
            "HEAD_BODY": self.identity(),
            "SAVE_BODY": self.saves(),
            "LOAD_BODY": self.loads(),
            "RUN_BODY": self.runs(),
        }
        texts = {name: indent("\n".join(lines), "    ") for name, lines in bodies.items()}
        switch = self.switch
        learn = (
            ""
            if switch is None
            else fill_template("learn.c.in", {"@": self.prefix, "SWITCH": switch.label.data, **texts})
        )
        texts |= {"STEP_PARAMETERS": self.step_parameters, "UPPER": self.prefix.upper(), "LEARN": learn}
        return fill_template("net.c.in", {"@": self.prefix, **texts})

    def resets(self, *, is_kept: bool) -> Iterator[str]:
        """Yields the initialisation of every state that a restart keeps, or of all other memory."""
        for buffer in self.memory.states:
            if (buffer.is_kept is not None) != is_kept:
                continue
            label, element = buffer.label.data, buffer.element
            length = length_in(buffer)
            if self.memory.start_of(buffer) is not None:
                yield f"memcpy(self->{label}, {constant_name(self.prefix, buffer)}, sizeof self->{label});"
                continue
            value = 0 if buffer.values is None else buffer.values.values.reshape(-1)[0]
            if is_half(element):
                bits = (
                    0
                    if buffer.values is None
                    else int(half_bits(buffer.values.values.reshape(-1), half_of(element))[0])
                )
                text, is_zero = str(bits), bits == 0
            elif not c.is_real(element):
                text = str(int(value)) if abs(int(value)) < 2**31 else f"({int(value) + 1} - 1)"
                is_zero = int(value) == 0
            else:
                text = real(value, c.element_bytes(element) == 4)
                is_zero = text in ("0.0", "0.0f")
            if is_zero:
                yield f"memset(self->{label}, 0, sizeof self->{label});"
            else:
                yield loop("k", length, f"self->{label}[k] = {text};")
        for buffer in () if is_kept else self.memory.own:
            if buffer.zeroed is not None:
                yield f"memset(self->{buffer.label.data}, 0, sizeof self->{buffer.label.data});"

    @property
    def saved_bytes(self) -> int:
        """Returns the size of a saved state."""
        return HEAD_BYTES + self.memory.state_bytes

    def identity(self) -> Iterator[str]:
        """Yields the words that identify a saved state: a digest of the network's name, its tick, and the arrays of its state."""
        arrays = [(field.label, c_type(field.element), field.length) for field in self.memory.state_fields]
        own = repr((SAVED_FORMAT, self.program.sym_name.data, self.program.tick_ns.value.data, arrays))
        words = unpack("<3I", blake2b(own.encode(), digest_size=12).digest())
        yield from (f"head[{k}] = UINT32_C({word});" for k, word in enumerate(words))

    def saved(self) -> Iterator[tuple[int, str, int]]:
        """Yields each state in a saved state: its offset, its name and its bytes."""
        fields = self.memory.state_fields
        offsets = accumulate((field.bytes for field in fields), initial=HEAD_BYTES)
        for offset, field in zip(offsets, fields, strict=False):
            yield offset, field.label, field.bytes

    def saves(self) -> list[str]:
        copies = [f"    memcpy(bytes + {offset}, self->{name}, {size});" for offset, name, size in self.saved()]
        return copies or ["    (void)self;"]

    def loads(self) -> list[str]:
        return [f"memcpy(self->{name}, bytes + {offset}, {size});" for offset, name, size in self.saved()]

    def runs(self) -> list[str]:
        kinds = {b.kind.data is Kind.INPUT for b in self.rows}
        unused = [f"(void){name};" for name, is_input in (("in", True), ("out", False)) if is_input not in kinds]
        call = f"{self.prefix}_step({', '.join(['self', *rows_of_tick(self.program)])});"
        return [*unused, block("for (int64_t t = 0; t < ticks; ++t)", call)]


def shape_text(buffer: c.BufferOp) -> str:
    """Formats the shape and type of an argument's row."""
    shape = ", ".join(map(str, c.memory_shape(buffer.memory))) or "1"
    node = "" if buffer.node is None or buffer.node.data == buffer.label.data else f' "{remark(buffer.node.data)}"'
    return f"{buffer.kind.data}{node}, [{shape}]"
