"""The scan of a signal that finds its events: the list of neurons that are not silent."""

from __future__ import annotations

from ....dialects import c
from ....dialects.c import Layout, memory_shape
from .functions import Function
from .text import block, c_type, loop


def print_events(function: Function, op: c.EventsOp) -> None:
    """Prints the scan of words of 8 bytes; only nonzero words are examined byte by byte."""
    x, lists, counts = function.pointer(op.x), function.pointer(op.list, True), function.pointer(op.count, True)
    planes, each = memory_shape(op.list)
    entry = c_type(c.element_of_memory(op.list))
    element = c.element_of_memory(op.x)
    size = c.element_bytes(element)
    per_word = 8 // size
    is_last = c.layout_of(c.base_of(op.x)) is Layout.CHANNELS_LAST and planes > 1

    def found(m: str) -> list[str]:
        if is_last:
            plane, position = f"({m}) % {planes}", f"({m}) / {planes}"
            return [
                f"const size_t plane = {plane};",
                f"{lists}[plane * {each} + {counts}[plane]++] = ({entry})({position});",
            ]
        return [f"{lists}[{'plane * ' + str(each) + ' + ' if planes > 1 else ''}n++] = ({entry})({m});"]

    def look(source: str) -> str:
        """Returns the code that finds the spikes in one word of `source`."""
        if size > 1:
            here = loop("b", per_word, block(f"if ({source}[k + b] != 0)", *found("k + b")))
            return block("if (word != 0)", here)
        first, without = function.needs.helper("first_byte"), function.needs.helper("without_byte")
        return block(
            "while (word != 0)",
            f"const unsigned b = {first}(word);",
            *found("k + b"),
            f"word = {without}(word, b);",
        )

    def scan(source: str, length: int) -> list[str]:
        lines: list[str] = []
        if end := length // per_word * per_word:
            word = ["uint64_t word;", f"memcpy(&word, {source} + k, 8);", look(source)]
            lines.append(block(f"for (size_t k = 0; k < {end}; k += {per_word})", *word))
        if length > end:
            lines.append(loop("k", length, block(f"if ({source}[k] != 0)", *found("k")), start=end))
        return lines

    if is_last:
        function.add(f"memset({counts}, 0, {planes * c.element_bytes(c.element_of_memory(op.count))});")
        function.add(*scan(x, planes * each))
    elif planes == 1:
        function.add("size_t n = 0;", *scan(x, each), f"{counts}[0] = (uint32_t)n;")
    else:
        here = f"const {c_type(element)} *restrict here = {x} + plane * {each};"
        function.add(
            loop("plane", planes, here, "size_t n = 0;", *scan("here", each), f"{counts}[plane] = (uint32_t)n;")
        )
