"""Sets the ranges of the converters of every layer, from sample input or for the worst case.

    memxbar.tile 0 {…}   =>   memxbar.tile 0 {…, adc_range = #nopt.array<[412.0] : tensor<1xf64>>}

1. The converters of a tile have one range for each slice: the greatest magnitude of a sum of the tile, times `share`. Without data it is that of
   the worst case: all inputs at their largest, with the weights of one sign.
2. The converters of rows represent the largest input of the layer. Binary inputs have none.
3. A column whose sums of the calibration exceed the range is reported with its layer: its converter saturates. So is one whose sums are all below half
   a step of the converter, which reads 0.

Options:
    data: a file as `nopt run --input` takes it; default none, the worst case.
    share [1]: range of a converter, as a share of the greatest sum; default 1. Less makes steps finer, and rare sums saturate.

Exactness: exact; only manufactured chips use the ranges. Errors: MXB008 a share out of range; those of reading data. Warnings: MXB007 a
converter that saturates; MXB010 one that reads 0. Remarks: MXB009 inputs that are coarser than their integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from attrs import define, field
from xdsl.context import Context
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f64

from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.device.named_device import device_of
from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.help_text import Option, Phrase
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import shape_of, texts_of
from ....core.ir.pipeline import NoptPass
from ....dialects import memxbar
from ....simulation.runs import convert_window
from ....simulation.stimuli import stimulus
from ..arrays import IdealArrays, cell_differences
from ..converters import convert
from ..running import Program, RunningChip

MXB007 = Code("MXB007", "converter-saturates", "a converter saturates in the calibration")
MXB009 = Code("MXB009", "layer-inputs-too-coarse", "inputs of a layer are coarser than their integers")
MXB010 = Code("MXB010", "converter-reads-zero", "a converter reads 0 in the calibration")
MXB008 = Code("MXB008", "range-share-not-positive", "the share of a range is not positive", exit_code=ExitCode.MISUSED)

FULL_RANGE = "--set preferences.adc_share=1"
SAMPLE = "--set preferences.calibration=x.npy"


@dataclass(frozen=True)
class MemxbarCalibrateConvertersPass(NoptPass):
    """Calibrates the converters of every `memxbar.network`."""

    name = "memxbar-calibrate-converters"
    data: str = ""
    share: float = 1.0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.share > 0:
            help = f"{self.name}{{share=1.0}}"
            refuse(MXB008, at="share", expected="more than 0", found=f"{self.share:g}", help=help)
        for network in op.ops:
            if isinstance(network, memxbar.NetworkOp):
                seen = {layer: ObservedArrays(layer) for layer in network.layers}
                if self.data:
                    run_data(network, op, seen, self.data, diagnostics_of(ctx))
                for arrays in seen.values():
                    crossbar = memxbar.Crossbar.of(device_of(network))
                    arrays.set_ranges(self.share, crossbar.adc_bits, diagnostics_of(ctx), is_observed=bool(self.data))
                    if not self.data:
                        arrays.report_steps(crossbar.dac_bits, diagnostics_of(ctx))


@define
class ObservedTile:
    """The sums of a tile. Shapes: greatest [outputs, slices]."""

    op: memxbar.TileOp
    layer: memxbar.LayerBase
    greatest: Reals = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.greatest = np.zeros((self.op.span("columns")[1], self.layer.slices.value.data))

    @property
    def cells(self) -> Reals:
        """Returns the level differences that the converters read, not kept: those of all tiles are large. Shapes: [rows, outputs, slices]."""
        return cells_of(self.layer, self.op)

    def observe(self, rows: Reals) -> None:
        outputs, slices = self.greatest.shape
        sums = np.abs(rows @ self.cells.reshape(-1, outputs * slices))
        self.greatest = np.maximum(self.greatest, sums.max(axis=0, initial=0).reshape(outputs, slices))

    def worst(self, largest: int, *, is_signed: bool) -> Reals:
        """Returns the greatest magnitudes of all sums. Shapes: [outputs, slices]."""
        cells = self.cells
        if is_signed:
            return largest * np.abs(cells).sum(axis=0)
        return largest * np.maximum(np.maximum(cells, 0).sum(axis=0), np.maximum(-cells, 0).sum(axis=0))


class ObservedArrays(IdealArrays):
    """The arrays of a layer, whose sums are observed."""

    def __init__(self, op: memxbar.LayerBase):
        super().__init__(op)
        self.op, self.largest = op, 0.0
        self.tiles = [ObservedTile(tile, op) for tile in op.tiles]

    def __call__(self, rows: AnyArray) -> Ints:
        flat = rows.astype(np.float64)
        self.largest = max(self.largest, float(np.abs(flat).max(initial=0)))
        for tile in self.tiles:
            group, row, _ = tile.op.part
            tile.observe(flat[:, :, group, row].reshape(-1, tile.op.span("rows")[1]))
        return super().__call__(rows)

    def set_ranges(self, share: float, bits: int, diagnostics: Diagnostics, *, is_observed: bool) -> None:
        """Sets the ranges of converters with `bits` bits. Reports converters that saturate and columns that are always read as 0. Warnings: MXB007, MXB010."""
        op, largest = self.op, self.op.largest_input
        if not op.is_binary:
            op.dac_range = FloatAttr(max(1.0, self.largest) if is_observed else float(max(1, largest)), f64)
        for tile in self.tiles:
            found = tile.greatest if is_observed else tile.worst(largest, is_signed=op.is_signed)
            tile.op.adc_range = ArrayAttr.of(np.maximum(share * found.max(axis=0), 1.0))
            if is_observed:
                self.report(tile, diagnostics)
                self.report_zeros(tile, bits, diagnostics)

    def report_steps(self, bits: int, diagnostics: Diagnostics) -> None:
        """Reports inputs with a converter step larger than 1, which follows from the range of the input type. Remarks: MXB009."""
        op = self.op
        if op.dac_range is None or bits <= 1 or (step := 2 * op.dac_range.value.data / (2**bits - 2)) <= 1:
            return
        diagnostics.remark(
            MXB009,
            op=op,
            node=op.node.data,
            expected=f"inputs up to {2 ** (bits - 1) - 1}, which {bits} bits represent",
            found=f"a type up to {op.largest_input}, in steps of {step:.3g}",
            help=Phrase(Option(f"compile the network with {SAMPLE}", SAMPLE, is_of_device=True)),
        )

    def report(self, tile: ObservedTile, diagnostics: Diagnostics) -> None:
        """Reports the columns that saturate. Warnings: MXB007."""
        assert tile.op.adc_range is not None  # set before
        ratio = tile.greatest / tile.op.adc_range.values
        columns = np.flatnonzero((ratio > 1).any(axis=1))
        if not len(columns):
            return
        worst = int(ratio.max(axis=1).argmax())
        piece = int(ratio[worst].argmax())
        diagnostics.warning(
            MXB007,
            op=self.op,
            node=self.op.node.data,
            expected=f"sums up to {tile.op.adc_range.values[piece]:g} in column {tile.op.span('columns')[0] + worst}",
            found=f"{tile.greatest[worst, piece]:g}; {len(columns)} of {len(ratio)} columns of array {tile.op.array.value.data} saturate",
            help=Phrase(Option(f"compile the network with {FULL_RANGE}", FULL_RANGE, is_of_device=True)),
        )

    def report_zeros(self, tile: ObservedTile, bits: int, diagnostics: Diagnostics) -> None:
        """Reports the columns whose sums are rounded to 0 in all slices. Warnings: MXB010."""
        assert tile.op.adc_range is not None  # set before
        is_there = tile.greatest.any(axis=1)
        lost = np.flatnonzero(is_there & ~convert(tile.greatest, tile.op.adc_range.values, bits).any(axis=1))
        if not len(lost):
            return
        first, half = int(lost[0]), tile.op.adc_range.values / (2**bits - 2)
        piece = int(np.argmax(tile.greatest[first] / half))
        smallest = float((tile.greatest[lost] / tile.op.adc_range.values).max(axis=1).min())
        enough = f"--set features.adc_bits={int(np.log2(1 / smallest + 2)) + 1}"
        diagnostics.warning(
            MXB010,
            op=self.op,
            node=self.op.node.data,
            expected=f"sums above half a step, {half[piece]:.4g}, in column {tile.op.span('columns')[0] + first}",
            found=f"at most {tile.greatest[first, piece]:g}; {len(lost)} of {np.count_nonzero(is_there)} columns of array {tile.op.array.value.data} are read as 0",
            help=Phrase(Option(f"compile the network with {enough}", enough, is_of_device=True)),
        )


def cells_of(op: memxbar.LayerBase, tile: memxbar.TileOp) -> Reals:
    """Returns the level differences that the converters of a tile read for an input of 1. Shapes: [rows, outputs, slices]."""
    levels = tile.levels.values.astype(np.float64)
    return cell_differences(levels, tile.span("columns")[1], op.encoding.data, op.slices.value.data)


def run_data(
    network: memxbar.NetworkOp,
    module: ModuleOp,
    arrays: dict[memxbar.LayerBase, ObservedArrays],
    data: Any,
    diagnostics: Diagnostics,
) -> None:
    """Runs a network with sample input."""
    values = dict(zip(texts_of(network.input_names), network.body.block.args, strict=True))
    given = stimulus(data, {name: shape_of(x) for name, x in values.items()}, network.tick_ns.value.data, diagnostics)
    program = Program.of(network, module, arrays)
    for some in program.blocks(given.samples):
        running = RunningChip(program, some.stop - some.start)
        for t in range(given.ticks):
            windows = {name: signal.window(some, slice(t, t + 1)) for name, signal in given.signals.items()}
            running.tick([convert_window(name, windows[name], x, t) for name, x in values.items()])
