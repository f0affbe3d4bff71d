"""Loop nests over buffers: loops, clears, pools, gathers. Axes that are contiguous in all of a loop's memory become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen
from xdsl.ir import SSAValue

from ....dialects import c
from ....dialects.c import Layout, Placement, length_of, memory_shape
from .functions import Function, sum_type
from .scalars import Body, needed_in, words
from .text import block, c_type, loop, product, total

RUN = 32
"""Elements of a run that fill the vectors of common machines: bytes of spikes in 256 bits, and as many states. A profile has its own number."""


@frozen
class Axis:
    """One loop of a nest: its trip count, and the stride of each operand."""

    size: int
    strides: tuple[int, ...]


def iteration_shape(wide: Sequence[SSAValue]) -> tuple[int, ...]:
    """Returns the shape of a loop: the shape of a buffer that is not in plain order, else of the first buffer."""
    shapes = [memory_shape(m) for m in wide if not is_plain(m)] or [memory_shape(m) for m in wide]
    return shapes[0] if shapes else (1,)


def is_plain(memory: SSAValue) -> bool:
    """Returns whether elements are in flat order C without a margin."""
    placement = c.placement_of(memory)
    return placement == c.place(placement.shape, Layout.C)


def placement_of(memory: SSAValue, shape: tuple[int, ...], length: int) -> Placement:
    """Returns the placement of an operand in a loop over `shape`; its stride is 0 along axes that it does not have."""
    found = c.placement_of(memory)
    if found.shape == shape:
        return found
    if length_of(memory) == length:
        return c.place(shape, Layout.C)
    strides = tuple(s if n > 1 else 0 for n, s in zip(found.shape, found.strides, strict=True))
    strides = strides if len(strides) == len(shape) else (0,) * len(shape)
    return Placement(shape, strides, found.start, found.length)


def axes_of(shape: tuple[int, ...], placements: Sequence[Placement], channels_last: bool) -> list[Axis]:
    """Returns the loops of a nest, outermost first, merged if every operand allows it."""
    order = [*range(1, len(shape)), 0] if channels_last else list(range(len(shape)))
    axes: list[Axis] = []
    for k in order:
        if shape[k] == 1:
            continue
        axis = Axis(shape[k], tuple(p.strides[k] for p in placements))
        if axes and all(a == b * axis.size for a, b in zip(axes[-1].strides, axis.strides, strict=True)):
            axes[-1] = Axis(axes[-1].size * axis.size, axis.strides)
        else:
            axes.append(axis)
    return axes or [Axis(1, (0,) * len(placements))]


def run_of(op: c.LoopOp) -> int:
    """Returns the elements of a run that fill a vector: as many as it has bytes."""
    tick = op.parent_op()
    program = None if tick is None else tick.parent_op()
    return int(program.preference("vector_bytes", RUN)) if isinstance(program, c.ProgramOp) else RUN


@frozen
class Nest:
    """The loops over the elements of an op, outermost first."""

    operands: list[SSAValue]
    placements: list[Placement]
    axes: list[Axis]
    run: int
    """Elements of a run that fill a vector."""

    @staticmethod
    def of(op: c.LoopOp) -> Nest:
        operands = list(dict.fromkeys([*op.ins, *op.outs]))
        length = max((length_of(m) for m in operands), default=0)
        wide = [m for m in (*op.outs, *op.ins) if length_of(m) == length]
        shape = iteration_shape(wide)
        placements = [placement_of(m, shape, length) for m in operands]
        last = any(c.layout_of(m) is Layout.CHANNELS_LAST and memory_shape(m) == shape for m in wide)
        return Nest(operands, placements, axes_of(shape, placements, last), run_of(op))

    def repeated(self) -> tuple[int, list[c.BufferOp]]:
        """Returns how many positions one run can cover, and the constants of which it reads as many copies.

        A short run over channels is a waste for vectors. Several positions are one run if all other operands are contiguous there.
        """
        if len(self.axes) < 2 or self.axes[-1].size >= self.run:
            return 1, []
        outer, inner = self.axes[-2:]
        constants: list[c.BufferOp] = []
        for memory, far, near in zip(self.operands, outer.strides, inner.strides, strict=True):
            buffer = c.buffer_of(memory)
            if not far and near == 1 and buffer.kind.data is c.Kind.CONSTANT and length_of(memory) == inner.size:
                constants.append(buffer)
            elif far != near * inner.size:
                return 1, []
        most = self.run // inner.size
        return max(k for k in range(1, most + 1) if outer.size % k == 0), constants

    def run_over(self, count: int) -> list[Axis]:
        """Returns the axes with the innermost run over `count` positions."""
        if count == 1:
            return self.axes
        *rest, outer, inner = self.axes
        far = Axis(outer.size // count, tuple(count * s for s in outer.strides))
        return [*rest, *([far] if far.size > 1 else []), Axis(inner.size * count, inner.strides)]


def print_loop(function: Function, op: c.LoopOp) -> None:
    """Prints a loop: pointers to the innermost run of each operand, then the body for each element of the run."""
    nest = Nest.of(op)
    operands, placements = nest.operands, nest.placements
    count, constants = nest.repeated()
    is_repeated = bool(constants) and all(buffer.copy_count >= count for buffer in constants)
    *outer, inner = nest.run_over(count if is_repeated else 1)

    written = {*op.outs, *(op.ins[k] for k in op.cleared)}
    here: dict[SSAValue, str] = {}
    starts: dict[SSAValue, str] = {}
    for k, (memory, placement) in enumerate(zip(operands, placements, strict=True)):
        start = total(placement.start, *(product(f"i{d}", a.strides[k]) for d, a in enumerate(outer) if a.strides[k]))
        if outer or start != "0":
            starts[memory] = start
        name = f"p{k}" if memory in starts else function.name_of(memory)
        here[memory] = f"{name}[{product('j', inner.strides[k]) if inner.strides[k] else '0'}]"
    body = body_of(function, op, here, 32)
    if body.is_short:
        body = body_of(function, op, here, 16)
    stores = [
        f"{here[m]} = {body.store(value, c.element_of_memory(m))};"
        for value, m in zip(op.yielded, op.outs, strict=True)
    ]
    clears = [f"{here[op.ins[k]]} = 0;" for k in op.cleared]
    lines = body.statements(*stores, *clears)
    used = words(*lines)
    pointers: list[str] = []
    for memory in operands:
        if here[memory].split("[")[0] not in used:
            continue
        name, const = function.pointer(memory, memory in written), "" if memory in written else "const "
        if memory in starts:
            kind = c_type(c.element_of_memory(memory))
            pointers.append(f"{const}{kind} *restrict {here[memory].split('[')[0]} = {name} + {starts[memory]};")
    start, end = function.bounds(outer[0].size, 1) if outer else function.bounds(inner.size)
    text = function.needs.innermost(loop("j", inner.size if outer else end, *lines, start=0 if outer else start))
    text = "\n".join([*pointers, text])
    for d, axis in reversed(list(enumerate(outer))):
        text = loop(f"i{d}", axis.size if d else end, text, start=0 if d else start)
    function.add(text)


def body_of(function: Function, op: c.LoopOp, here: Mapping[SSAValue, str], narrowest: int) -> Body:
    """Returns the printed body of a loop; `here` are the C expressions of the elements."""
    body = Body(function.needs, narrowest=narrowest)
    needed = needed_in(op.body.block)
    for arg, memory in zip(op.body.block.args, op.ins, strict=True):
        if arg in needed:
            body.load(arg, c.element_of_memory(memory), here[memory])
    body.run(op.body.block)
    return body


def print_clear(function: Function, op: c.ClearOp) -> None:
    name = function.pointer(op.memory, True)
    length, bytes = c.placement_of(op.memory).length, c.element_bytes(c.element_of_memory(op.memory))
    start, end = function.bounds(length)
    if function.is_split:
        function.add(f"memset({name} + {start}, 0, ({end} - {start}) * {bytes});")
    else:
        function.add(f"memset({name}, 0, {length * bytes});")


def print_gather(function: Function, op: c.GatherOp) -> None:
    """Prints the reads of each element from its own row of the ring."""
    length, rows = length_of(op.y), memory_shape(op.ring)[0]
    ring, ticks, y = function.pointer(op.ring), function.pointer(op.ticks), function.pointer(op.y, True)
    cursor = function.pointer(op.cursor)
    start, end = function.bounds(length)
    function.add(
        loop(
            "j",
            end,
            f"const int32_t late = {cursor}[0] - (int32_t){ticks}[j];",
            f"{y}[j] = {ring}[(size_t)(late < 0 ? late + {rows} : late) * {length} + j];",
            start=start,
        )
    )


def print_past(function: Function, op: c.PastOp) -> None:
    """Prints the shift of the past by one tick for every neuron; the oldest bits are dropped."""
    x, bits = function.pointer(op.x), function.pointer(op.bits, True)
    kind = c_type(c.element_of_memory(op.bits))
    wide = "uint64_t" if kind == "uint64_t" else "uint32_t"
    start, end = function.bounds(length_of(op.x))
    function.add(loop("j", end, f"{bits}[j] = ({kind})(({wide}){bits}[j] << 1 | ({x}[j] != 0));", start=start))


def print_advance(function: Function, op: c.AdvanceOp) -> None:
    cursor, rows = function.pointer(op.cursor, True), op.rows.value.data
    function.add(f"{cursor}[0] = {cursor}[0] + 1 < {rows} ? {cursor}[0] + 1 : 0;")


def print_pool(function: Function, op: c.PoolOp) -> None:
    """Prints a window over each channel; taps outside are omitted. A max pool keeps NaN, as the reference does."""
    x, y = function.pointer(op.x), function.pointer(op.y, True)
    at, to = c.placement_of(op.x), c.placement_of(op.y)
    (_, height, width), (channels, rows, columns) = memory_shape(op.x), memory_shape(op.y)
    (ky, kx), (sy, sx), (by, bx) = ([int(k) for k in a.values] for a in (op.kernel, op.stride, op.before))
    element = c.element_of_memory(op.y)
    kind = sum_type(element)
    inside = not by and not bx and (rows - 1) * sy + ky <= height and (columns - 1) * sx + kx <= width
    target = total(to.start, product("c", to.strides[0]), product("y", to.strides[1]), product("x", to.strides[2]))
    zero = "0.0f" if kind == "float" else "0.0" if kind == "double" else "0"
    corner = [f"const size_t r = y * {sy};", f"const size_t q = x * {sx};"]
    if op.is_greatest is None and inside and ky * kx <= 16:
        offsets = [dy * at.strides[1] + dx * at.strides[2] for dy in range(ky) for dx in range(kx)]
        terms = [
            f"({kind})p[{product('c', at.strides[0]) if not o else total(product('c', at.strides[0]), o)}]"
            for o in offsets
        ]
        terms = [zero, *terms] if kind in ("float", "double") else terms
        base = total(at.start, product("r", at.strides[1]), product("q", at.strides[2]))
        over = total(to.start, product("y", to.strides[1]), product("x", to.strides[2]))
        pointers = [
            f"const {c_type(c.element_of_memory(op.x))} *restrict p = {x} + {base};",
            f"{c_type(element)} *restrict o = {y} + {over};",
        ]
        line = f"o[{product('c', to.strides[0])}] = ({c_type(element)})({' + '.join(terms)});"
        inner = loop("c", channels, line)
        start, end = function.bounds(rows, 1)
        function.add(loop("y", end, loop("x", columns, *corner, *pointers, inner), start=start))
        return
    tests = [
        *([f"r >= {by}"] if by else []),
        *([f"q >= {bx}"] if bx else []),
        f"r < {by + height}",
        f"q < {bx + width}",
    ]
    row, column = (f"({name} - {before})" if before else name for name, before in (("r", by), ("q", bx)))
    source = total(at.start, product("c", at.strides[0]), product(row, at.strides[1]), product(column, at.strides[2]))
    corners = f"const size_t r = y * {sy} + ky, q = x * {sx} + kx;"
    if op.is_greatest is None:
        tap = [corners, block(f"if ({' && '.join(tests)})", f"sum += ({kind}){x}[{source}];")]
        taps = [
            f"{kind} sum = {zero};",
            loop("ky", ky, loop("kx", kx, *tap)),
            f"{y}[{target}] = ({c_type(element)})sum;",
        ]
    else:
        own = c_type(element)
        is_greater = "best == best && !(next <= best)" if kind in ("float", "double") else "next > best"
        lines = [
            f"const {own} next = {x}[{source}];",
            block(f"if (first || ({is_greater}))", "best = next;"),
            "first = 0;",
        ]
        taps = [
            f"{own} best = 0;",
            "int first = 1;",
            loop("ky", ky, loop("kx", kx, corners, block(f"if ({' && '.join(tests)})", *lines))),
            f"{y}[{target}] = best{f' + {zero}' if kind in ('float', 'double') else ''};",
        ]
    order = (
        (("y", rows), ("x", columns), ("c", channels))
        if to.strides[0] == 1
        else (("c", channels), ("y", rows), ("x", columns))
    )
    text = "\n".join(taps)
    (outermost, length), *inner_loops = order
    for name, size in reversed(inner_loops):
        text = loop(name, size, text)
    start, end = function.bounds(length, 1)
    text = loop(outermost, end, text, start=start)
    function.add(text)
