"""Makes layers of the sum pools and average pools of a network of counts, for devices whose layers have no such pools.

    %s = ntensor.sum_pool2d "pool" %z {kernel = [2, 2], stride = [2, 2]} : tensor<8x4x4x!ntensor.count<4>> -> tensor<8x2x2xf32>
    =>
    %a = ntensor.conv2d "pool.sum" %z {weight = 1, stride = [2, 2], groups = 8} : tensor<8x4x4x!ntensor.count<4>> -> tensor<8x2x2xf32>
    %s = ntensor.neuron "pool" @activation_15(%a) {threshold = u / 2, level = u} : (tensor<8x2x2xf32>) -> tensor<8x2x2x!ntensor.count<4>>

1. The pool reads counts. A count of the new population stands for u of the sum, rounded to the nearest; the readers take over u, and 1 / size of an
   average pool (`_count_units.py`).
2. `u` is `top / (2^bits - 1)`, and at least 1. `top` is the greatest sum, or that of a calibration. With `data`, u is the one with the least
   squared error over all sums of the data, and large sums may saturate.
3. `kernel` pads the kernel with zeros at the bottom and at the right: a device whose kernels with a stride of 2 have 3 x 3 weights sums
   2 x 2 with a block of ones. Padding at the same sides keeps the output.
4. With `dense` every channel of the convolution reads all channels, with weights of 0 for the others.
5. The result of a pool that an output reads stays as it is, since it would lose its unit.

Exactness: recorded, if u is not 1. The errors are those of all sums from 0 to `top`; with `data` the mean is that of the sums of the data.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG005 bits; LEG006 a kernel that does not hold that of the pool; those of
reading `data`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import find_observation
from ....analysis.node_selection import check_names, choose_ops, name_of
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, ExitCode, refuse_op
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....core.number_texts import counted_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..relays._relays import NodeNames
from ._activations import build_activation, change_events
from ._count_units import add_errors, check_option, fitted_unit, multiply_readers, unit_of
from ._frame_errors import count_numbers

LEG005 = Code(
    "LEG005", "pool-bits-out-of-range", "the bits of the counts of a pool are out of range", exit_code=ExitCode.MISUSED
)
LEG006 = Code("LEG006", "pool-kernel-too-small", "a kernel is smaller than that of a pool", exit_code=ExitCode.MISUSED)


def is_pool(op: Operation) -> bool:
    """Returns whether an op is a pool of counts that no output reads."""  # 1, 5
    return (
        isinstance(op, ntensor.PoolOp)
        and isinstance(element_type(op.x), ntensor.CountType)
        and not any(isinstance(use.operation, ntensor.OutputOp) for use in op.y.uses)
    )


def mean_size(op: Operation) -> float:
    """Returns the divisor of a pool's sum: the kernel size of an average pool, 1 for any other pool."""
    return float(prod(op.kernel.values.tolist())) if isinstance(op, ntensor.AvgPool2dOp) else 1.0


def greatest_sum(op: ntensor.PoolOp) -> float:
    """Returns the greatest sum of a pool: the greatest observed sum of a calibration, else the bound from the type of its operand."""
    held, seen = ntensor.interval_of(element_type(op.x)), find_observation(op, "y")
    assert held is not None  # a count
    top = float(held.high * prod(op.kernel.values.tolist()))
    if isinstance(seen, ArrayAttr) and seen.shape == (2,):
        return max(1.0, min(top, round(float(seen.values[1]) * mean_size(op))))
    return top


@dataclass(frozen=True)
class NtensorLowerPoolsPass(NoptPass):
    """Makes layers of the pools of every `ntensor.network`.

    Options:
        bits: width of the counts, 1 to 16, default 4.
        kernel: the side of the kernel of the convolution; default that of the pool.
        dense: a convolution over all channels, in place of one for each channel; default false. It has more weights, most of them 0.
        data: a file as `nopt run --input` takes it, whose sums choose the unit; default none.
        samples: number of samples of the data, from the first; default all.
        axes: the order of the axes of the data before those of the input, `samples,ticks` or `ticks,samples`; default the first.
        nodes: the pools; default all that read counts.
    """

    name = "ntensor-lower-pools"
    APPROXIMATES = ("precision",)
    bits: int = 4
    kernel: int | None = None
    dense: bool = False
    data: str | None = None
    samples: int | None = None
    axes: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_option(self, LEG005, "bits")
        check_names(op, self.nodes, is_pool, self.name)
        for network in networks(op):
            names, errors, units = NodeNames(network), Errors(), [1.0]
            pools = [pool for pool in choose_ops(network, self.nodes, is_pool) if isinstance(pool, ntensor.PoolOp)]
            for pool in pools:
                self.check_kernel(pool)
            numbers: dict[str, Reals] = {}
            if self.data is not None:
                data = self.data, self.axes or None, self.samples
                numbers = count_numbers(
                    network, data, {name_of(op): mean_size(op) for op in pools}, diagnostics_of(ctx)
                )
            units += [self.convert(pool, numbers.get(name_of(pool)), names, errors) for pool in pools]
            what = f"pools as layers, counts of {counted_text(self.bits, 'bit')} in units of up to {max(units):.4g}"
            errors.record(network, pass_text(self), what)

    def check_kernel(self, op: ntensor.PoolOp) -> None:
        """Refuses a kernel that does not hold the pool. Errors: LEG006."""
        side = max(op.kernel.values.tolist())
        if self.kernel is not None and self.kernel < side:
            help = suggest_pass(replace(self, kernel=side))
            refuse_op(op, LEG006, expected=f"kernel={side} or more", found=f"kernel={self.kernel}", help=help)

    def convert(self, op: ntensor.PoolOp, numbers: Reals | None, names: NodeNames, errors: Errors) -> float:
        """Makes a layer of a pool, and returns the unit of its counts."""
        mean, node = mean_size(op), op.node.data
        conv = self.convolution(op, names.take(f"{node}.sum"), shape_of(op.x)[0])
        Rewriter.insert_op(conv, InsertPoint.before(op))
        top = greatest_sum(op) if numbers is None else float(len(numbers) - 1)  # 2
        unit = unit_of(top, self.bits) if numbers is None else fitted_unit(numbers, self.bits)
        made = build_activation(
            names, node, conv.results[0], 2**self.bits - 1, self.bits, np.asarray(unit / 2), np.asarray(unit)
        )
        made.location = op.location
        if unit != 1:
            add_errors(errors, node, top, unit, self.bits, numbers)
        multiply_readers(op.y, unit / mean, names, conv.results[0])
        change_events(op.y, element_type(made.z))
        Rewriter.replace_op(op, made)
        return unit

    def convolution(self, op: ntensor.PoolOp, node: str, channels: int) -> ntensor.Conv2dOp:
        """Returns the convolution that computes the sums of a pool."""
        height, width = op.kernel.values.tolist()
        side = self.kernel or 0
        more = max(side, height) - height, max(side, width) - width  # 3
        kernel = np.zeros((height + more[0], width + more[1]), dtype_of(element_type(op.y)))
        kernel[:height, :width] = 1
        if self.dense:  # 4
            weight = np.eye(channels, dtype=kernel.dtype)[:, :, None, None] * kernel
        else:
            weight = np.broadcast_to(kernel, (channels, 1, *kernel.shape)).copy()
        padding = op.padding.values + np.array([[0, more[0]], [0, more[1]]])
        conv = ntensor.Conv2dOp.create(
            operands=[op.x],
            result_types=[op.y.type],
            properties={
                "node": StringAttr(node),
                "weight": ArrayAttr.of(weight),
                "stride": op.stride,
                "padding": ArrayAttr.of(padding),
                "dilation": ArrayAttr.of(np.ones(2, np.int64)),
                "groups": IntegerAttr(1 if self.dense else channels, i64),
            },
        )
        conv.location = op.location
        assert isinstance(conv, ntensor.Conv2dOp)
        return conv
