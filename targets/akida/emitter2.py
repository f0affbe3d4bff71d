"""Layers of version 2 in the vendor's JSON form.

The processors of version 2 support more than the layers of `akida2`; the parameters for the rest have the vendor's default: no shift of the input,
and the greatest limit of an activation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.arrays.numeric import AnyArray
from ...dialects.akida.layer_bases import AVERAGE, MAX, NO_POOL, SAME, VALID, WindowBase
from ...dialects.akida2 import Dense1dOp, DepthwiseConv2dOp, InputConv2dOp, Layer2Op

PADDINGS = {VALID: 0, SAME: 1}
POOLS = {NO_POOL: 0, MAX: 1, AVERAGE: 2}
ABSENT = -1
"""The vendor's number for a pool that a layer lacks."""
BUFFER_BITS, IMAGE_BUFFER_BITS, POST_BITS = 28, 32, 32
"""Bits of accumulators, of those of an input convolution, and of products with a scale."""
POTENTIAL_BITS, DENSE_POTENTIAL_BITS = 28, 32
"""Bits of an output without activation."""
MOST_VALUE, MOST_VALUE_SHIFT = 127, 31
"""The limit of an activation, which limits none."""


def parameters2_of(layer: Layer2Op) -> dict[str, Any]:
    """Returns the parameters of a layer by the vendor's names."""
    potentials = DENSE_POTENTIAL_BITS if isinstance(layer, Dense1dOp) else POTENTIAL_BITS
    found: dict[str, Any] = {
        "activation": int(layer.act_bits is not None),
        "buffer_bits": IMAGE_BUFFER_BITS if layer.is_image else BUFFER_BITS,
        "output_bits": layer.activation_bits or potentials,
        "post_op_buffer_bits": POST_BITS,
        "weights_bits": layer.bits,
    }
    if isinstance(layer, WindowBase):
        size, stride = layer.pool or ((ABSENT, ABSENT), (ABSENT, ABSENT))
        found |= {
            "kernel_size": layer.kernel[0],
            "kernel_stride": layer.stride[0],
            "padding": PADDINGS[layer.padding.data],
            "pool_type": POOLS[layer.pool_type.data],
            "pool_size": size[0],
            "pool_stride": stride[0],
        }
        if not isinstance(layer, DepthwiseConv2dOp):
            found["filters"] = layer.filters
    else:
        found["units"] = layer.filters
    if isinstance(layer, InputConv2dOp):
        first, second, channels = layer.shape
        found |= {"input_channels": channels, "input_x": first, "input_y": second}
    return dict(sorted(found.items())) | {"layer_type": layer.TYPE}


def variables2_of(layer: Layer2Op) -> dict[str, AnyArray]:
    """Returns the arrays of a layer by the vendor's names."""
    found: dict[str, AnyArray] = {
        "bias": layer.bias.values.astype(np.int8),
        "bias_shift": layer.bias_shift.values.astype(np.uint8),
    }
    scales = np.ones(layer.filters) if layer.output_scales is None else layer.output_scales.values
    shifts = np.zeros(layer.filters) if layer.output_shift is None else layer.output_shift.values
    found |= {
        "output_scales": scales.astype(np.uint8),
        "output_shift": shifts.astype(np.int8),
        "weights": layer.weights.values,
    }
    if isinstance(layer, InputConv2dOp):
        found["padding_value"] = np.zeros(layer.shape[2], np.uint8)
    elif isinstance(layer, Dense1dOp):
        found["input_shift"] = np.zeros(layer.inputs, np.uint8)
    else:
        found["input_shift"] = np.zeros(layer.shape[2], np.uint8)
    if layer.act_bits is not None:
        found["max_value"] = np.full(layer.filters, MOST_VALUE, np.uint8)
        found["max_value_shift"] = np.full(layer.filters, MOST_VALUE_SHIFT, np.uint8)
    return dict(sorted(found.items()))
