"""Scatters: the additions of events to sums.

All of them visit the presynaptic neurons in flat order C, from a list of events or all of them, and print for each the
innermost run over postsynaptic neurons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product as product_of
from math import prod

from xdsl.ir import SSAValue

from ....core.arrays.arrays import is_half
from ....core.windows import WindowAxis
from ....dialects import c
from ....dialects.c import Layout, length_of, memory_shape
from ....dialects.ntensor import interval_of
from .functions import Cut, Function, sum_type
from .scalars import Body, needed_in, used_lines, words
from .text import block, c_type, loop, product, total

WORD = 16
"""Packed weights in a word of 8 bytes."""

# ---- one term


class Term:
    """The addition of one term: the statements for one postsynaptic neuron."""

    def __init__(self, function: Function, op: c.ScatterOp, planes: int | None = None):
        self.function, self.op = function, op
        self.sums = c.element_of_memory(op.sums)
        self.table = c.element_of_memory(op.table)
        needs_events = op.combine is not None or op.is_finite is None or not isinstance(op, c.RowsOp)
        self.tests = op.list is None and needs_events
        """Whether zeros are skipped by a test: because they would have an effect, or because the test is cheap."""
        self.is_spikes = op.is_spikes is not None and (op.list is not None or self.tests)
        """Terms are weights: the value of an event is 1."""
        self.kind = "int64_t" if op.combine is not None else sum_type(self.sums, c.element_of_memory(op.x))
        base = c.base_of(op.x)
        self.is_last = c.layout_of(base) is Layout.CHANNELS_LAST
        planes = planes or (memory_shape(base)[0] if self.is_last else 1)
        self.planes, self.each = (planes, length_of(op.x) // planes) if op.list is None else memory_shape(op.list)
        """The planes of the operand, and the neurons in each."""
        self.index = "p" if self.planes == 1 else f"plane * {self.each} + p"
        """The flat index of neuron `p` of a plane, in order C."""
        self.block = c.buffer_of(op.table).block_size
        """The elements of a block of packed weights."""
        self.is_unpacked = c.is_packed(self.table) and isinstance(op, c.WindowOp) and self.block == WORD
        """Whether the weights of a channel are unpacked once for all of its events."""
        self.is_packed = c.is_packed(self.table) and not self.is_unpacked
        self.weight_type = "int8_t" if self.is_unpacked else c_type(self.table)
        self.before: list[str] = []
        """The statements before the loop over the events of a plane."""
        function.has_rows |= isinstance(op, c.RowsOp) and not c.is_real(self.sums)

    def address(self) -> str:
        """Returns the address of neuron `p` of a plane, and adds the pointer."""
        index = f"p * {self.planes} + plane" if self.is_last and self.planes > 1 else self.index
        return f"{self.function.pointer(self.op.x)}[{index}]"

    def for_each_source(self, lines: Sequence[str]) -> None:
        """Prints a loop over the events of a list, or over all neurons, in flat order C; `lines` are the statements for neuron `p`."""
        op, function = self.op, self.function
        if op.list is None:
            loops = loop("p", self.each, *lines)
        else:
            assert op.count is not None  # verified by the format: both or none
            if "p" in words(*lines):
                start = f"plane * {self.each} + " if self.planes > 1 else ""
                lines = [f"const size_t p = {function.pointer(op.list)}[{start}k];", *lines]
            count = f"{function.pointer(op.count)}[{'plane' if self.planes > 1 else 0}]"
            loops = loop("k", count, *lines)
            if self.before:
                loops = block(f"if ({count} != 0)", *self.before, loops)
            function.add(loop("plane", self.planes, loops) if self.planes > 1 else loops)
            return
        inner = [*self.before, loops]
        function.add(*([loop("plane", self.planes, *inner)] if self.planes > 1 else inner))

    def held(self, weight: str, target: str) -> str:
        """Returns a weight of real sums in their type, for the place of its target in scales and zero points."""
        if is_half(self.table):
            weight = self.function.needs.widened(self.table, weight, is_finite=self.op.is_finite is not None)
        zero, scale = (
            None if memory is None else self.entry(memory, target) for memory in (self.op.zero, self.op.scale)
        )
        weight = weight if zero is None else f"({weight} - {zero})"
        element = "float" if is_half(self.table) else self.weight_type
        held = weight if element == self.kind else f"({self.kind}){weight}"
        return held if scale is None else f"{held} * {scale}"

    def entry(self, memory: SSAValue, target: str) -> str:
        """Returns the element of a target, or that of all targets, and adds the pointer."""
        return f"{self.function.pointer(memory)}[{'0' if length_of(memory) == 1 else target}]"

    def weight_at(self, table: str, index: str) -> str:
        """Returns the weight at an index of a table."""
        if not self.is_packed:
            return f"{table}[{index}]"
        if self.block == 2:
            return f"{self.function.needs.helper('weight_at')}({table}, {index})"
        return f"{self.function.needs.helper('weight_in')}({table}, {index}, {self.block // 2})"

    def has_blocks(self, count: int, *starts: int) -> bool:
        """Returns whether runs of packed weights can be read by blocks: a run has several weights, and all numbers in `starts` are whole blocks."""
        is_run = self.is_packed and self.op.combine is None and count > 1
        return (
            is_run and not any(start % self.block for start in starts) and (self.block == 2 or not count % self.block)
        )

    def blocks(
        self, count: int, byte: Callable[[str], str], lines: Callable[[str, str], Sequence[str]], first: str | int = 0
    ) -> str:
        """Returns the loops over a run of packed weights.

        `byte` returns the byte at an index of the run, and `lines` the statements for a target and its weight; targets start at `first`.
        """
        low, high = (self.function.needs.helper(f"{half}_weight") for half in ("low", "high"))
        innermost, half = self.function.needs.innermost, self.block // 2
        if half == 1:
            both = (
                *lines(total("2 * h", first), f"{low}({byte('h')})"),
                *lines(total("2 * h", 1, first), f"{high}({byte('h')})"),
            )
            return innermost(loop("h", count // 2, *both))
        is_single = count == self.block
        index = "h" if is_single else f"b * {half} + h"
        start = 0 if is_single else f"b * {self.block}"
        halves = [
            innermost(loop("h", half, *lines(total(start, "h", first), f"{low}({byte(index)})"))),
            innermost(loop("h", half, *lines(total(start, "h", half, first), f"{high}({byte(index)})"))),
        ]
        return "\n".join(halves) if is_single else loop("b", count // self.block, *halves)

    def lines(self, sum: str, weight: str, shift: str | None, place: str) -> list[str]:
        """Returns the statements that add one term to `sum`; `place` is the index of the target in the scales."""
        if self.op.combine is not None:
            return self.combined(sum, weight, shift)
        target = c_type(self.sums)
        if self.kind in ("float", "double"):
            held = self.held(weight, place)
            return [f"{sum} += {held if self.is_spikes else f'{held} * x'};"]
        if self.kind == "int64_t":
            term = f"(uint64_t)(int64_t){weight}" + ("" if self.is_spikes else " * (uint64_t)x")
            return [f"{sum} = ({target})((uint64_t){sum} + {term});"]
        term = f"(int32_t){weight}" + ("" if self.is_spikes else " * x")
        return [f"{sum} = ({target})({sum} + {term});"]

    def combined(self, sum: str, weight: str, shift: str | None) -> list[str]:
        region = self.op.combine
        assert region is not None  # guaranteed by the caller
        args = region.block.args
        body = Body(self.function.needs, "t")
        term = f"(int64_t){weight}" + ("" if self.is_spikes else " * x")
        held = interval_of(args[0].type)
        assert held is not None  # terms are integers
        needed = needed_in(region.block)
        if args[0] in needed:
            body.define(args[0], term if body.type_of(args[0].type, held) == "int64_t" else f"(int32_t)({term})", held)
        if args[1] in needed:
            body.load(args[1], self.sums, sum)
        if shift is not None and self.op.shift is not None and args[2] in needed:
            body.load(args[2], c.element_of_memory(self.op.shift), shift)
        body.run(region.block)
        last = region.block.last_op
        assert last is not None  # verified
        return body.statements(f"{sum} = {body.store(last.operands[0], self.sums)};")

    def value(self, address: Callable[[], str], *inner: str) -> list[str]:
        """Returns the code that reads the value of a neuron, skips zeros if required, and continues with `inner`, the rest of the loop."""
        lines = [block(f"if ({address()} == 0)", "continue;")] if self.tests else []
        if not self.is_spikes and "x" in words(*inner):
            cast = "" if c_type(c.element_of_memory(self.op.x)) == self.kind else f"({self.kind})"
            lines.append(f"const {self.kind} x = {cast}{address()};")
        return [*lines, *inner]


# ---- the scatters


def print_rows(function: Function, op: c.RowsOp) -> None:
    lead, inputs, outputs = memory_shape(op.table)
    term = Term(function, op)
    table, sums = function.pointer(op.table), function.pointer(op.sums, True)
    flat = "p" if term.planes == 1 else f"({term.index})"
    shift = None if op.shift is None else function.pointer(op.shift)
    offset = "" if lead == 1 else f" + {flat} / {inputs} * {outputs}"

    lines: list[str] = []
    target, moved = sums, shift
    if offset:
        lines.append(f"{c_type(term.sums)} *restrict y = {sums}{offset};")
        target = "y"
        if shift is not None and op.shift is not None:
            lines.append(f"const {c_type(c.element_of_memory(op.shift))} *restrict e = {shift}{offset};")
            moved = "e"

    def lines_of(o: str, weight: str) -> list[str]:
        place = f"{flat} / {inputs} * {outputs} + {o}" if offset else o
        return term.lines(f"{target}[{o}]", weight, None if moved is None else f"{moved}[{o}]", place)

    start, kind = product(flat, outputs), c_type(term.table)
    if term.has_blocks(outputs, outputs):
        lines.append(f"const {kind} *restrict w = {table} + {product(flat, outputs // 2)};")
        run = [term.blocks(outputs, lambda h: f"w[{h}]", lines_of)]
    elif (
        term.has_blocks(outputs) and term.block == 2
    ):  # odd: every second row starts with a half, the others end with one
        lines += [
            f"const size_t s = {start};",
            "const size_t r = s % 2;",
            f"const {kind} *restrict w = {table} + (s + r) / 2;",
            f"const size_t m = r != 0 ? 0 : {outputs - 1};",
        ]
        run = [term.blocks(outputs, lambda h: f"w[{h}]", lines_of, "r"), *lines_of("m", term.weight_at(table, "s + m"))]
    elif term.is_packed:
        each = lines_of("o", term.weight_at(table, total(start, "o")))
        run = [function.needs.innermost(loop("o", outputs, *each))]
    else:
        lines.append(f"const {kind} *restrict w = {table} + {start};")
        first, last = function.bounds(outputs)
        run = [function.needs.innermost(loop("o", last, *lines_of("o", "w[o]"), start=first))]
    term.for_each_source(term.value(term.address, *used_lines(lines, *run)))


def print_compressed(function: Function, op: c.CompressedOp) -> None:
    sources, synapses = length_of(op.x), length_of(op.target)
    term = Term(function, op)
    table, sums, start, target = (function.pointer(m, m is op.sums) for m in (op.table, op.sums, op.start, op.target))
    weights = length_of(op.table)
    if weights == 1 != synapses:
        index = "0"
    elif weights == sources != synapses:
        index = "i"
    else:
        index = "s"
    weight = term.weight_at(table, index)
    shift = None if op.shift is None else f"{function.pointer(op.shift)}[o]"
    run = ["const size_t o = " + f"{target}[s];", *term.lines(f"{sums}[o]", weight, shift, "o")]

    def run_over(group: str) -> str:
        first, end = (f"{start}[{group}]", f"{start}[{group} + 1]")
        if op.is_cut is not None:
            groups, targets = length_of(op.start) - 1, length_of(op.sums)
            function.cut = Cut(start, target, c.element_of_memory(op.start), groups, targets)
            first, end = f"from[{group}]", f"to[{group}]"
        elif function.is_split:
            low, high = function.bounds(length_of(op.sums))
            head = f"for (; s < {end} && {target}[s] < {high}; ++s)"
            skip = block(f"while (s < {end} && {target}[s] < {low})", "++s;")
            return "\n".join([f"size_t s = {first};", skip, function.needs.innermost(block(head, *run))])
        return function.needs.innermost(loop("s", end, *run, start=first))

    if op.ring is not None:
        assert op.group is not None  # verified by the format: all or none
        assert op.delay is not None
        group, delay, ring = (function.pointer(m) for m in (op.group, op.delay, op.ring))
        inside = run_over("g")
        groups = (f"{group}[i]", f"{group}[i + 1]")
        if op.cursor is None:
            test = block(f"if (({ring}[i] >> {delay}[g] & 1u) == 0)", "continue;")
            value = [] if "x" not in words(inside) else [f"const {term.kind} x = 1;"]
            each_group = loop("g", groups[1], test, *value, inside, start=groups[0])
            function.add(loop("i", sources, block(f"if ({ring}[i] == 0)", "continue;"), each_group))
            return
        rows = memory_shape(op.ring)[0]
        late = f"const int32_t late = {function.pointer(op.cursor)}[0] - (int32_t){delay}[g];"
        value = f"{ring}[(size_t)(late < 0 ? late + {rows} : late) * {sources} + i]"
        function.add(
            loop("i", sources, loop("g", groups[1], late, *term.value(lambda: value, inside), start=groups[0]))
        )
        return
    each_synapse = run_over("i")
    if op.row is not None and not term.is_spikes:
        each_synapse = block("if (x - x == 0)", each_synapse) + "\n" + block("else", *whole_row(op, term, sums, run))
    term.for_each_source(term.value(term.address, f"const size_t i = {term.index};", each_synapse))


def whole_row(op: c.CompressedOp, term: Term, sums: str, run: Sequence[str]) -> list[str]:
    """Returns the statements that add the row of an infinite or NaN element, in the order of targets: missing weights add 0 times the element."""
    assert op.row is not None  # guaranteed by the caller
    row, targets = op.row.value.data, length_of(op.sums)
    first = "0" if row == targets else f"i / {length_of(op.x) // (targets // row)} * {row}"
    start, target = (term.function.pointer(memory) for memory in (op.start, op.target))
    before = block(f"for (; m < {target}[s]; ++m)", f"{sums}[m] += 0 * x;")
    synapses = loop("s", f"{start}[i + 1]", before, *run, "m = o + 1;", start=f"{start}[i]")
    end = str(row) if first == "0" else f"{first} + {row}"
    return [f"size_t m = {first};", synapses, block(f"for (; m < {end}; ++m)", f"{sums}[m] += 0 * x;")]


class SpacedAxis:
    """An axis of a window with the margin of its sums."""

    def __init__(self, axis: WindowAxis, room: int, after: int):
        self.is_split = False
        """Whether each thread adds to its part of the targets on this axis."""
        self.stride, self.before, self.step, self.outputs = axis.stride, axis.before, axis.step, axis.outputs
        self.counts, self.back, self.room = axis.counts, axis.back, room
        self.is_free = room >= max(axis.back) and after >= max(0, axis.highest - axis.outputs + 1)
        """Whether every event stays inside of the memory."""


def unpacked(term: Term, table: str, count: int, plane: str) -> list[str]:
    """Returns the statements that unpack the `count` weights of a channel into bytes, by words of `WORD` weights."""
    unpack = term.function.needs.helper("unpack")
    rest = count % WORD
    if not plane or not rest:
        start = total(table, product(plane or 0, count // 2))
        lines = [f"int8_t held[{-(-count // WORD) * WORD}];", f"{unpack}(held, {start}, {-(-count // WORD)});"]
        return [*lines, "const int8_t *restrict taps = held;"]
    return [
        f"const size_t s = {product(plane, count)}, r = s % {WORD};",
        f"int8_t held[{-(-count // WORD) * WORD + WORD}];",
        f"{unpack}(held, {table} + s / {WORD} * {WORD // 2}, (r + {count + WORD - 1}) / {WORD});",
        "const int8_t *restrict taps = held + r;",
    ]


def print_window(function: Function, op: c.WindowOp) -> None:
    x_shape, y_shape = memory_shape(op.x), memory_shape(op.sums)
    channels, groups = x_shape[0], op.groups.value.data
    targets, inside = y_shape[0] // groups, channels // groups
    at = c.placement_of(op.sums)
    owner = op.sums.owner
    margins = owner.margin_pairs if isinstance(owner, c.BufferOp) else []
    margins = margins or [(0, 0)] * (len(x_shape) - 1)
    axes = [SpacedAxis(axis, *margin) for axis, margin in zip(op.axes, margins, strict=True)]
    if function.is_split:
        axes[0].is_split, axes[0].is_free = True, False
        function.bounds(axes[0].outputs, 1)
    stride = [axis.stride for axis in axes]
    term = Term(function, op, channels)
    table, sums = function.pointer(op.table), function.pointer(op.sums, True)
    shift = None if op.shift is None else function.pointer(op.shift)
    per_channel = length_of(op.table) // channels
    strides, channel_stride = at.strides[1:], at.strides[0]
    letters = "yx"[-len(axes) :]

    rests: list[tuple[int, ...]] = list(product_of(*map(range, stride)))
    counts = [prod(a.counts[r] for a, r in zip(axes, rest, strict=True)) * targets for rest in rests]
    starts = [sum(counts[:k]) for k in range(len(rests))]

    def place(rest: tuple[int, ...], offset: int) -> list[str]:
        """Returns the statements for events whose padded position has the remainders `rest`."""
        if not all(a.counts[r] for a, r in zip(axes, rest, strict=True)):
            return []
        lines: list[str] = []
        base = [f"{sums}"]
        margin_start = at.start - sum(a.room * s for a, s in zip(axes, strides, strict=True))
        if margin_start:
            base.append(str(margin_start))
        for axis, r, letter, s in zip(axes, rest, letters, strides, strict=True):
            first = f"q{letter} - {axis.back[r]}" if axis.back[r] else f"q{letter}"
            if axis.is_free:
                index = f"q{letter} {'+' if axis.room > axis.back[r] else '-'} {abs(axis.room - axis.back[r])}"
                base.append(product(f"q{letter}" if axis.room == axis.back[r] else f"({index})", s))
                continue
            step, n = axis.step, axis.counts[r]
            m, most = ("m", "(m - 1)") if axis.is_split else (axis.outputs, axis.outputs - 1)
            f, last = f"f{letter}", f"l{letter}"
            below, above = f"-{f}", f"{m} - {f}"  # taps before the first target, and those from there to the last
            if step > 1:
                below, above = f"({step - 1} - {f}) / {step}", f"{f} >= {m} ? 0 : ({most} - {f}) / {step} + 1"
            if axis.is_split:
                lines.append("const int m = (int)last - (int)first;")
            lines += [
                f"const int {f} = (int){f'({first}) - (int)first' if axis.is_split else first};",
                f"const int a{letter} = {f} < 0 ? {below} : 0;",
                f"const int {last} = {above};",
                f"const int b{letter} = {last} < {n} ? {last} : {n};",
            ]
        if groups > 1:
            base.append(product(f"(plane / {inside})", targets, channel_stride))
        lines.append(f"{c_type(term.sums)} *restrict y = {' + '.join(base)};")
        if shift is not None and op.shift is not None:
            e = " + ".join([shift, *base[1:]])
            lines.append(f"const {c_type(c.element_of_memory(op.shift))} *restrict e = {e};")
        return used_lines(lines, nest(rest, offset, lines))

    def nest(rest: tuple[int, ...], offset: int, lines: list[str]) -> str:
        """Returns the loops over taps and targets, the innermost as long as memory allows."""
        last, s = axes[-1], strides[-1]
        has_scales = any(memory is not None and length_of(memory) > 1 for memory in (op.scale, op.zero))
        joined = last.is_free and groups == 1 and last.step == 1 and channel_stride == 1 and s == targets
        joined = joined and not has_scales
        index: list[str] = []
        starts: list[tuple[str, int]] = []
        loops: list[tuple[str, str | int, str | int]] = []
        for k, (axis, r, letter, move) in enumerate(zip(axes, rest, letters, strides, strict=True)):
            behind = prod(a.counts[q] for a, q in zip(axes[k + 1 :], rest[k + 1 :], strict=True)) * targets
            if k == len(axes) - 1 and joined:
                break
            if axis.is_free:
                loops.append((f"j{letter}", 0, axis.counts[r]))
                index.append(product(f"j{letter}", axis.step * move))
            else:
                loops.append((f"j{letter}", f"a{letter}", f"b{letter}"))
                steps = f"(int)j{letter}{f' * {axis.step}' if axis.step > 1 else ''}"
                moved = total(f"f{letter}", steps, *(["(int)first", axis.room] if axis.is_split else []))
                index.append(product(f"(size_t)({moved})", move))
            starts.append((f"j{letter}" if axis.is_free else f"(size_t)j{letter}", behind))
        run = targets * (last.counts[rest[-1]] if joined else 1)
        move = 1 if joined else channel_stride

        def lines_of(o: str, weight: str) -> list[str]:
            to = total(*index, product(o if move == 1 or o.isidentifier() else f"({o})", move))
            place = o if groups == 1 else f"plane / {inside} * {targets} + {o}"
            return term.lines(f"y[{to}]", weight, f"e[{to}]" if shift is not None else None, place)

        def at(o: str | int, part: int = 1) -> str:
            return total(*(product(name, size // part) for name, size in starts), o)

        first = total(product("plane", per_channel) if channels > 1 else 0, offset)
        w = "w" if offset else "taps"
        whole = (per_channel if channels > 1 else 0, offset, *(size for _, size in starts))
        if is_paired := term.has_blocks(run, *whole):
            text = term.blocks(run, lambda h: f"{w}[{at(h, 2)}]", lines_of)
            if run % 2:
                text = "\n".join([text, *lines_of(str(run - 1), term.weight_at(table, total(first, at(run - 1))))])
        else:
            weight = term.weight_at(table, total(first, at("o"))) if term.is_packed else f"{w}[{at('o')}]"
            text = function.needs.innermost(loop("o", run, *lines_of("o", weight)))
        if offset:
            lines.append(f"const {term.weight_type} *restrict w = taps + {offset // 2 if is_paired else offset};")
        for name, start, end in reversed(loops):
            text = loop(name, end, text, start=start, kind="size_t" if start == 0 else "int")
        return text

    lines: list[str] = []
    positions = ["p"] if len(axes) == 1 else [f"p / {x_shape[2]}", f"p % {x_shape[2]}"]
    for axis, letter, position in zip(axes, letters, positions, strict=True):
        padded = f"{position} + {axis.before}" if axis.before else position
        if axis.stride == 1:
            lines.append(f"const size_t q{letter} = {padded};")
        else:
            lines.append(f"const size_t n{letter} = {padded};")
            lines.append(f"const size_t q{letter} = n{letter} / {axis.stride};")
    if len(rests) == 1:
        reached = place(rests[0], 0)
    else:
        rest = " + ".join(
            product(f"n{letter} % {axis.stride}", prod(a.stride for a in axes[k + 1 :]))
            for k, (axis, letter) in enumerate(zip(axes, letters, strict=True))
            if axis.stride > 1
        )
        cases = [block(f"case {k}:", *place(r, starts[k]), "break;") for k, r in enumerate(rests)]
        reached = [block(f"switch ({rest})", *cases)]
    if "taps" in words(*reached):
        each = per_channel // 2 if term.is_packed else per_channel
        offset = f" + plane * {each}" if channels > 1 else ""
        if term.is_unpacked:
            term.before = unpacked(term, table, per_channel, "plane" if channels > 1 else "")
        else:
            lines.append(f"const {term.weight_type} *restrict taps = {table}{offset};")
    term.for_each_source(term.value(term.address, *lines, *reached))
