"""Chooses how many neighbouring results of a convolution one product computes: im2col, or sliding rows.

    positions = 1 : i64   =>   positions = 8 : i64

With one position, the columns hold each filter once, and the product is repeated at each position of the map (im2col). With P positions
the columns hold P copies of each filter, each shifted by the stride. The rows are the inputs of the P windows, which overlap. Rows and columns that
im2col leaves unused compute further positions in the same read.

    reads       = height * ceil(width / P)              one after the other on the same arrays
    arrays      = ceil(rows(P) / array rows) * ceil(outputs(P) / array outputs) * groups
    conversions = reads * outputs(P) * ceil(rows(P) / array rows) * groups * slices

The pass takes the number of positions with the fewest reads among those with at most `growth` times the arrays of im2col, then the one with the fewest
conversions, then the smallest. The report of the target has the work of the choice.

Options:
    growth [1]: arrays of a convolution, in multiples of those of im2col; default 1, which takes no further array. 0 is im2col alone.

Exactness: exact. Errors: MXB004 parameters of the device; DEV023 no device is specified.
Source: im2col after Chellapilla et al., High performance convolutional neural networks for document processing (2006); shifted copies of a filter are a Toeplitz
matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from attrs import frozen
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from ....core.device.named_device import device_of
from ....core.ir.pipeline import NoptPass
from ....dialects import memxbar


@dataclass(frozen=True)
class MemxbarChoosePositionsPass(NoptPass):
    """Chooses the positions of every convolution with weights."""

    name = "memxbar-choose-positions"
    growth: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in op.ops:
            if isinstance(network, memxbar.NetworkOp):
                crossbar = memxbar.Crossbar.of(device_of(network))
                for layer in network.layers:
                    if (
                        isinstance(layer, memxbar.ConvolutionOp)
                        and layer.weight is not None
                        and prod(layer.weight.shape)
                    ):
                        layer.positions = IntegerAttr(choose(layer, crossbar, self.growth), i64)


@frozen
class MappingCost:
    """Cost of a convolution with some positions."""

    positions: int
    reads: int
    arrays: int
    conversions: int


def choose(layer: memxbar.ConvolutionOp, crossbar: memxbar.Crossbar, growth: int) -> int:
    """Returns the positions of a convolution."""
    _, (_, _, width) = layer.maps
    first = cost_of(layer, crossbar, 1)
    every = [cost_of(layer, crossbar, k) for k in range(1, max(1, width) + 1)] if growth else [first]
    allowed = [one for one in every if one.arrays <= max(1, growth) * first.arrays]
    return min(allowed, key=lambda one: (one.reads, one.conversions, one.positions)).positions


def cost_of(layer: memxbar.ConvolutionOp, crossbar: memxbar.Crossbar, positions: int) -> MappingCost:
    """Returns the cost of a convolution with some positions."""
    (channels, _, _), (outputs, height, width) = layer.maps
    groups, slices = layer.groups.value.data, layer.slices.value.data
    high, wide = (int(n) for n in layer.numbers("kernel"))
    step, spread = (int(layer.numbers(name)[1]) for name in ("stride", "dilation"))
    rows = channels // groups * high * len(memxbar.sliding_offsets(positions, wide, step, spread))
    columns = outputs // groups * positions
    most = columns
    if crossbar.columns is not None:
        most = memxbar.most_outputs(crossbar.columns, layer.encoding.data, slices)
    down = -(-rows // (crossbar.rows or rows))
    reads = height * -(-width // positions)
    return MappingCost(positions, reads, down * -(-columns // most) * groups, reads * columns * down * groups * slices)
