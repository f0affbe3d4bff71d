"""Prints the integer ranges of a network; the network stays as it is.

    remark[MAP018]: integer ranges of @net
      note: ntensor.conv2d "detect": sums in -960..1024, i16

One line for every value in the order of the network: the integers that it can be whatever arrives, and its element type. `sums in` is the range of
sums before the type of the result cuts it, so that a sum which can leave its type shows. Values of reals are left out.

Errors: NTE009 a network in continuous time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...analysis.integer_ranges import IntegerRanges
from ...core.diagnostics import Code, describe_op
from ...core.ir.operation import element_type
from ...dialects import ntensor
from ._remarks import PrintPass

MAP018 = Code("MAP018", "integer-ranges-printed", "the integer ranges of a network")


@dataclass(frozen=True)
class PrintIntegerRangesPass(PrintPass):
    """Prints which integers every value of each `ntensor.network` can be, as a remark."""

    name = "print-integer-ranges"
    remark = MAP018
    subject = "integer ranges"

    def lines(self, network: ntensor.NetworkOp) -> Iterator[str]:
        """Yields a line for every value that is an integer."""
        ranges = IntegerRanges(network)
        for name, arg in zip(network.input_names, network.body.block.args, strict=True):
            if (found := ranges[arg]) is not None:
                yield f'input "{name.data}": {found}, {element_type(arg)}'
        for op in network.body.block.ops:
            sums = ranges.sums(op) if op.results else None
            found = ranges[op.results[0]] if op.results else None
            if sums is not None:
                yield f"{describe_op(op)[0]}: sums in {sums.result}, {element_type(op.results[0])}"
            elif found is not None:
                yield f"{describe_op(op)[0]}: {found}, {element_type(op.results[0])}"
