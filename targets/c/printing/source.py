"""`net.h` and `net.c`: the struct, the constants, one function for each op, and the public functions."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from ....core.diagnostics import refuse
from ....core.names import Names
from ....dialects import c
from ....dialects.c import Kind
from ..building.program import identifier
from .driver import remark
from .functions import MOST_MERGED, Function, constant_name, share
from .memory import Memory, arrays_of, is_real, length_in
from .nests import print_advance, print_clear, print_gather, print_loop, print_past, print_pool
from .scalars import CEM001, HELPERS, Needs, words
from .scatters import print_compressed, print_events, print_rows, print_window
from .text import MANY, ROW, c_type, is_finite, lines_of, loop, numbers, octal, real


def called(op: Operation) -> str:
    """Returns the name of an op in the name of its function."""
    label = op.properties.get("label")
    verb = op.name.removeprefix("c.")
    return f"{verb}_{identifier(label.data)}" if isinstance(label, StringAttr) else verb


def print_op(function: Function, op: Operation) -> None:
    match op:
        case c.LoopOp():
            print_loop(function, op)
        case c.ClearOp():
            print_clear(function, op)
        case c.EventsOp():
            print_events(function, op)
        case c.RowsOp():
            print_rows(function, op)
        case c.WindowOp():
            print_window(function, op)
        case c.CompressedOp():
            print_compressed(function, op)
        case c.PoolOp():
            print_pool(function, op)
        case c.GatherOp():
            print_gather(function, op)
        case c.PastOp():
            print_past(function, op)
        case c.AdvanceOp():
            print_advance(function, op)
        case _:
            refuse(
                CEM001,
                f"{op.name} cannot be compiled to C",
                at="c.tick",
                expected="an op of the dialect c",
                found=op.name,
            )


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


COMMENTS = {
    "loop": "for every element",
    "clear": "starts at zero",
    "events": "where it is not zero",
    "rows": "weights, event by event",
    "window": "convolution, event by event",
    "compressed": "synapses by source, event by event",
    "pool": "sums over windows",
    "gather": "every element from its own past",
    "past": "a tick more ago",
    "advance": "the next row",
}


ALIGNED = 32
"""Alignment in bytes that common compilers use for large arrays."""

BYTES = """/* Large constants are written as bytes, the little end of each number first. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the constants of this file are those of a machine with the little end first"
#endif
#if (defined(__GNUC__) && __GNUC__ >= 15) || (defined(__clang_major__) && __clang_major__ >= 21)
#pragma GCC diagnostic ignored "-Wunterminated-string-initialization"
#endif
"""


class Source:
    """The text of a program."""

    def __init__(self, program: c.ProgramOp):
        self.program = program
        self.prefix = program.prefix.data
        self.memory = Memory(program)
        self.alignment = int(program.preference("alignment", 0))
        self.needs = Needs(self.prefix, int(program.preference("unroll", 0)))
        self.functions: list[Function] = []
        names = Names(start=2)
        for op in program.tick.body.block.ops:
            if is_void(op):
                continue
            name = names.take(f"{self.prefix}_{called(op)}")
            verb = op.name.removeprefix("c.")
            function = Function(name, self.needs, f"{called(op).replace('_', ' ', 1)}: {COMMENTS.get(verb, verb)}")
            print_op(function, op)
            self.functions.append(function)
        self.memory.keep_constants(words(*(line for function in self.functions for line in function.lines)))
        self.is_large = len(self.functions) > MOST_MERGED
        """Whether inlining all functions into one would take the compiler too long."""
        if self.is_large:
            constants = self.memory.constants
            share(self.functions, {constant_name(self.prefix, b): c.element_of_memory(b.memory) for b in constants})

    # ---- net.h

    @property
    def arguments(self) -> list[str]:
        """Returns the rows that `net_step` reads and writes."""
        rows = self.program.of_kind(Kind.INPUT, Kind.OUTPUT, Kind.PROBE)
        return [
            f"{'const ' if b.kind.data is Kind.INPUT else ''}{c_type(c.element_of_memory(b.memory))} *{b.label.data}"
            for b in rows
        ]

    def header(self) -> str:
        p = self.prefix
        guard = f"{p.upper()}_H"
        fields = "\n".join(f"    {c_type(f.element)} {f.label}[{f.length}];" for f in self.memory.fields)
        rows = self.program.of_kind(Kind.INPUT, Kind.OUTPUT, Kind.PROBE)
        shapes = "\n".join(f" * {b.label.data}: {shape_text(b)}" for b in rows)
        return f"""/* {remark(self.program.sym_name.data)}: one tick is {self.program.tick_ns.value.data} ns. Made by nopt; do not edit. */
#ifndef {guard}
#define {guard}

#include <stddef.h>
#include <stdint.h>

/* All that a network remembers, and room to work in. As many as you like in one program; never shared by two threads at a time. */
typedef struct {p}_state {{
{fields or "    unsigned char nothing[1];"}
}} {p}_state;

/* Starts a network: call it once before anything else. */
void {p}_init({p}_state *self);
/* Back to the state before the first tick. */
void {p}_reset({p}_state *self);
/* One tick. Rows in C order; spikes are 0 or 1.
{shapes}
 */
void {p}_step({", ".join([f"{p}_state *self", *self.arguments])});
/* Writes the state to `out` and returns its size in bytes; with NULL only the size. Read it back on the same kind of machine. */
size_t {p}_save(const {p}_state *self, void *out);
/* Continues from a saved state and returns its size in bytes. */
size_t {p}_load({p}_state *self, const void *saved);
/* The size of the struct in bytes. */
size_t {p}_size(void);

#ifdef NET_RUN
/* Many ticks, row after row. */
void {p}_run({p}_state *self, int64_t ticks, const void *const in[], void *const out[]);
#endif

#endif
"""

    # ---- net.c

    def source(self) -> str:
        return "".join(self.pieces())

    def code(self) -> str:
        """Returns the source with declarations instead of large constants, which is sufficient to measure the code size."""
        return "".join(self.pieces(are_declared=True))

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
        resets = "\n".join(self.resets())
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
            yield BYTES
        for name in HELPERS:
            if name in self.needs.helpers:
                yield HELPERS[name].replace("@", f"{p}_") + "\n"
        for constant in arrays:
            is_large = constant[2].size >= MANY
            yield self.declaration(constant) if is_large and are_declared else self.array(constant)
        for function in self.functions:
            if function.same is function:
                yield function.text(f"{p.upper()}_APART " if self.is_large else "")
        yield f"void {p}_init({p}_state *self) {{\n    memset(self, 0, sizeof *self);\n    {p}_reset(self);\n}}\n"
        yield f"void {p}_reset({p}_state *self) {{\n{indent(resets or '(void)self;', '    ')}\n}}\n"
        calls = "\n".join(f"    {function.call(memory.address)}" for function in self.functions)
        unused = "".join(f"    (void){name};\n" for name in self.unused(calls))
        yield f"void {p}_step({', '.join([f'{p}_state *self', *self.arguments])}) {{\n{unused}{calls}\n}}\n"
        yield self.saving()
        yield f"size_t {p}_size(void) {{\n    return sizeof({p}_state);\n}}\n"
        yield self.running()

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
        if self.alignment:
            aligned = f"#define {p}_ALIGNED __attribute__((aligned({self.alignment})))"
            yield f"#if defined(__GNUC__)\n{aligned}\n#else\n#define {p}_ALIGNED\n#endif\n"
        if self.is_large:
            apart = f"#define {p}_APART __attribute__((noinline))"
            yield f"#if defined(__GNUC__)\n{apart}\n#else\n#define {p}_APART\n#endif\n"
        if n > 1:
            clang = f'#define {p}_UNROLL _Pragma("clang loop unroll_count({n})")'
            gcc = f'#define {p}_UNROLL _Pragma("GCC unroll {n}")'
            tests = (
                "#if defined(__clang__)",
                clang,
                "#elif defined(__GNUC__)",
                gcc,
                "#else",
                f"#define {p}_UNROLL",
                "#endif",
            )
            yield "\n".join(tests) + "\n"

    def unused(self, calls: str) -> list[str]:
        """Returns the unused arguments of `net_step`."""
        import re

        rows = [b.label.data for b in self.program.of_kind(Kind.INPUT, Kind.OUTPUT, Kind.PROBE)]
        used = set(re.findall(r"\w+", calls))
        return [name for name in ["self", *rows] if name not in used]

    def resets(self) -> Iterator[str]:
        """Yields the initialisation of every state."""
        for buffer in self.memory.states:
            label, element = buffer.label.data, c.element_of_memory(buffer.memory)
            length = length_in(buffer)
            if self.memory.start_of(buffer) is not None:
                yield f"memcpy(self->{label}, {constant_name(self.prefix, buffer)}, sizeof self->{label});"
                continue
            value = 0 if buffer.values is None else buffer.values.values.reshape(-1)[0]
            if not is_real(element):
                text = str(int(value)) if abs(int(value)) < 2**31 else f"({int(value) + 1} - 1)"
                is_zero = int(value) == 0
            else:
                text = real(value, c.element_bytes(element) == 4)
                is_zero = text in ("0.0", "0.0f")
            if is_zero:
                yield f"memset(self->{label}, 0, sizeof self->{label});"
            else:
                yield loop("k", length, f"self->{label}[k] = {text};")
        for buffer in self.memory.own:
            if buffer.zeroed is not None:
                yield f"memset(self->{buffer.label.data}, 0, sizeof self->{buffer.label.data});"

    def saving(self) -> str:
        p, states = self.prefix, [b.label.data for b in self.memory.states]
        size = self.memory.state_bytes
        saves: list[str] = []
        loads: list[str] = []
        at = 0
        for field, name in zip(self.memory.state_fields, states, strict=True):
            saves.append(f"        memcpy(bytes + {at}, self->{name}, {field.bytes});")
            loads.append(f"    memcpy(self->{name}, bytes + {at}, {field.bytes});")
            at += field.bytes
        lines = "\n".join(saves)
        body = (
            f"    unsigned char *bytes = out;\n    if (bytes != NULL) {{\n{lines}\n    }}\n"
            if saves
            else "    (void)out;\n"
        )
        head = "" if saves else "    (void)self;\n"
        back = "    const unsigned char *bytes = saved;\n" if loads else "    (void)saved;\n"
        loaded = "\n".join(loads) + ("\n" if loads else "")
        return (
            f"size_t {p}_save(const {p}_state *self, void *out) {{\n{head}{body}    return {size};\n}}\n\n"
            f"size_t {p}_load({p}_state *self, const void *saved) {{\n{back}    {p}_init(self);\n{loaded}    return {size};\n}}\n"
        )

    def running(self) -> str:
        p = self.prefix
        inputs, outputs = self.program.of_kind(Kind.INPUT), self.program.of_kind(Kind.OUTPUT, Kind.PROBE)
        rows = [
            f"(const {c_type(c.element_of_memory(b.memory))} *)in[{k}] + t * {c.length_of(b.memory)}"
            for k, b in enumerate(inputs)
        ]
        rows += [
            f"({c_type(c.element_of_memory(b.memory))} *)out[{k}] + t * {c.length_of(b.memory)}"
            for k, b in enumerate(outputs)
        ]
        call = f"{p}_step({', '.join(['self', *rows])});"
        unused = ("" if inputs else "    (void)in;\n") + ("" if outputs else "    (void)out;\n")
        return (
            "#ifdef NET_RUN\n"
            f"void {p}_run({p}_state *self, int64_t ticks, const void *const in[], void *const out[]) {{\n{unused}"
            f"    for (int64_t t = 0; t < ticks; ++t) {{\n        {call}\n    }}\n}}\n#endif\n"
        )


def shape_text(buffer: c.BufferOp) -> str:
    """Formats the shape and type of an argument's row."""
    shape = ", ".join(map(str, c.memory_shape(buffer.memory))) or "1"
    node = "" if buffer.node is None or buffer.node.data == buffer.label.data else f' "{remark(buffer.node.data)}"'
    return f"{buffer.kind.data}{node}, [{shape}]"
