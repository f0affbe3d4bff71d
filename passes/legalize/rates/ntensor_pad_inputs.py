"""Moves the padding of the first convolutions into the inputs, and adds channels of zeros, for devices whose first layer has neither.

    ntensor.network @net("in" %x: tensor<2x4x4x!ntensor.count<4>>) -> …
      %a = ntensor.conv2d "conv" %x {weight : tensor<8x2x3x3xf32>, padding = [[1, 1], [1, 1]]} : … -> tensor<8x4x4xf32>
    =>
    ntensor.network @net("in" %x: tensor<3x6x6x!ntensor.count<4>>) -> … attributes {ntensor.input_padding = {in = [[0, 1], [1, 1], [1, 1]]}}
      %a = ntensor.conv2d "conv" %x {weight : tensor<8x3x3x3xf32>, padding = [[0, 0], [0, 0]]} : … -> tensor<8x4x4xf32>

1. The input is a map `[channels, y, x]`, and convolutions in two axes alone read it, all with the same padding, without groups and scales of each
   input channel.
2. With `channels`, the map gets that many channels, and the weights of those added are 0.
3. The data stay as they are: a run pads them (`ntensor.input_padding`), and so does the host of a chip.

An input that 1 does not hold for, and one that needs neither, stays. Exactness: bit for bit, since a product with zero is added where padding was.

Errors: ANA031 a name in `inputs`; NTE009 a network in continuous time; LEG071 fewer channels than the input has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, TensorType
from xdsl.ir import Attribute, SSAValue

from ....core.arrays.arrays import ArrayAttr
from ....core.diagnostics import Code, ExitCode, refuse
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..numbers._integer_synapses import retype

LEG071 = Code(
    "LEG071", "input-channels-exceeded", "an input has more channels than it shall have", exit_code=ExitCode.MISUSED
)


@dataclass(frozen=True)
class NtensorPadInputsPass(NoptPass):
    """Pads the inputs of every `ntensor.network`.

    Options:
        channels: the channels of the padded map, from those of the input on; default those of the input.
    """

    name = "ntensor-pad-inputs"
    channels: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            added = {
                name.data: rows
                for name, arg in zip(network.input_names, network.body.block.args, strict=True)
                if (rows := self.padding(name.data, arg)) is not None and rows.any()
            }
            for name, arg in zip(network.input_names, network.body.block.args, strict=True):
                if name.data in added:
                    pad_input(arg, added[name.data])
            if added:
                before = network.input_padding
                whole = {**before, **{name: rows + before.get(name, 0) for name, rows in added.items()}}
                entries: dict[str, Attribute] = {name: ArrayAttr.of(rows) for name, rows in whole.items()}
                network.attributes[ntensor.INPUT_PADDING] = DictionaryAttr(entries)
                network.update_signature()

    def padding(self, name: str, x: SSAValue) -> NDArray[np.int64] | None:
        """Returns the zeros around the axes of an input; None where its readers do not permit any. Errors: LEG071."""
        readers = [use.operation for use in x.uses]
        convs = [op for op in readers if isinstance(op, ntensor.Conv2dOp) and op.groups.value.data == 1]
        if not readers or len(convs) < len(readers):  # 1
            return None
        scales = [one.scale.shape for op in convs if (one := op.quantized_weights) is not None]
        if any(len(shape) > 1 and shape[1] > 1 for shape in scales):
            return None
        edges = convs[0].padding.values.astype(np.int64)
        if any(not np.array_equal(op.padding.values, edges) for op in convs):
            return None
        channels = shape_of(x)[0]
        more = 0 if self.channels is None else self.channels - channels
        if more < 0:
            help = suggest_pass(replace(self, channels=channels))
            at = f'input "{name}"'
            refuse(LEG071, at=at, node=name, expected=f"{channels} or more", found=str(self.channels), help=help)
        return np.concatenate([[[0, more]], edges])


def pad_input(x: SSAValue, rows: NDArray[np.int64]) -> None:
    """Pads an input, and removes the padding of its readers."""
    for use in list(x.uses):
        conv = use.operation
        assert isinstance(conv, ntensor.Conv2dOp)  # padding
        assert conv.weights is not None
        weight = np.pad(conv.weights.values, [(0, 0), (0, int(rows[0, 1])), (0, 0), (0, 0)])  # 2
        quantized = conv.quantized_weights
        conv.replace_weights(ArrayAttr.of(weight), quantized)
        conv.padding = ArrayAttr.of(np.zeros((2, 2), np.int64))
    shape = tuple(int(n) for n in np.array(shape_of(x)) + rows.sum(1))
    retype(x, TensorType(element_type(x), shape))
