"""Fields of layers in the vendor's JSON form, by the version of the processors. The emitter writes them, and the loader reads them.

The processors of version 2 support more than the layers of `akida2`; the parameters for the rest have the vendor's default: no shift of the input,
and the greatest limit of an activation. The vendor's x and width are the first axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.arrays.numeric import AnyArray
from ...dialects.akida.layer_bases import DenseBase, LayerBase, WindowBase
from ...dialects.akida.layers import LayerOp
from ...dialects.akida.parts import AVERAGE, MAX, NO_POOL, SAME, VALID
from ...dialects.akida2 import DepthwiseConv2dOp
from ...dialects.akida2.layers import ENTRIES, Layer2Op

PADDINGS = {VALID: 0, SAME: 1}
POOLS = {NO_POOL: 0, MAX: 1, AVERAGE: 2}
ABSENT = (-1, -1)
"""The vendor's numbers for a pool that a layer lacks."""
BUFFER_BITS, IMAGE_BUFFER_BITS, POST_BITS = 28, 32, 32
"""Bits of accumulators, of those of an input convolution, and of products with a scale."""
POTENTIAL_BITS, DENSE_POTENTIAL_BITS = 28, 32
"""Bits of an output without activation."""
PAIRS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "v1": {
        "kernel": ("kernel_width", "kernel_height"),
        "kernel_stride": ("stride_x", "stride_y"),
        "pool_size": ("pooling_width", "pooling_height"),
        "pool_stride": ("pooling_stride_x", "pooling_stride_y"),
    },
    "v2": {
        "kernel": ("kernel_size", "kernel_size"),
        **{name: (name, name) for name in ("kernel_stride", "pool_size", "pool_stride")},
    },
}
"""The vendor's names for both axes of a property."""
BITS = {"v1": "act_bits", "v2": "output_bits"}
"""The vendor's name for the bits of an activation."""
DTYPES: Mapping[str, Mapping[str, str]] = {
    "v1": {"weights": "int8", "weights_pw": "int8", "threshold": "int32", "act_step": "float32"},
    "v2": {
        "weights": "int8",
        "bias": "int8",
        "bias_shift": "uint8",
        "output_scales": "uint8",
        "output_shift": "int8",
        "input_shift": "uint8",
        "padding_value": "uint8",
        "max_value": "uint8",
        "max_value_shift": "uint8",
    },
}
"""The arrays of layers and the types of their numbers."""
CONSTANTS = {"input_shift": 0, "padding_value": 0, "max_value": 127, "max_value_shift": 31}
"""Arrays of version 2 with one value: the limit of an activation limits none."""
NO_ACTIVATION = {"output_scales": 1, "output_shift": 0}
"""The value of the arrays of version 2 that a layer without activation does not use."""


def version_of(layer: LayerBase) -> str:
    return "v2" if isinstance(layer, Layer2Op) else "v1"


def parameters_of(layer: LayerBase) -> dict[str, Any]:
    """Returns the parameters of a layer by the vendor's names."""
    version = version_of(layer)
    bits = layer.activation_bits
    fields: dict[str, Any] = {"activation": int(bits is not None), "weights_bits": layer.bits}
    if version == "v1":
        fields |= {BITS[version]: bits or 1}
    else:
        potentials = DENSE_POTENTIAL_BITS if layer.is_dense else POTENTIAL_BITS
        buffer = IMAGE_BUFFER_BITS if layer.is_image else BUFFER_BITS
        fields |= {BITS[version]: bits or potentials, "buffer_bits": buffer, "post_op_buffer_bits": POST_BITS}
    if isinstance(layer, WindowBase):
        size, stride = layer.pool or (ABSENT, ABSENT)
        pairs = {"kernel": layer.kernel, "kernel_stride": layer.stride, "pool_size": size, "pool_stride": stride}
        for name, pair in pairs.items():
            fields |= dict(zip(PAIRS[version][name], pair, strict=True))
        fields |= {"padding": PADDINGS[layer.padding.data], "pool_type": POOLS[layer.pool_type.data]}
    if not isinstance(layer, DepthwiseConv2dOp):
        fields["units" if layer.is_dense else "filters"] = layer.filters
    if layer.is_image:
        height, width, channels = layer.shape
        fields["input_channels"] = channels
        if version == "v1":
            fields |= {"input_height": width, "input_width": height, "padding_value": 0}
        else:
            fields |= {"input_x": height, "input_y": width}
    return dict(sorted(fields.items())) | {"layer_type": layer.TYPE}


def variables_of(layer: LayerBase) -> dict[str, AnyArray]:
    """Returns the arrays of a layer by the vendor's names."""
    if isinstance(layer, LayerOp):
        arrays = layer.stored_weights()
        if layer.threshold is not None and layer.act_step is not None:
            arrays |= {"threshold": layer.threshold.values, "act_step": layer.act_step.values}
        return arrays
    assert isinstance(layer, Layer2Op)  # the layers of both models
    arrays = {name: layer.array(name) for name in ("weights", *ENTRIES) if name in layer.properties}
    inputs = layer.inputs if isinstance(layer, DenseBase) else layer.shape[2]
    sizes = {"padding_value" if layer.is_image else "input_shift": inputs}
    if layer.act_bits is not None:
        sizes |= {"max_value": layer.filters, "max_value_shift": layer.filters}
    arrays |= {name: np.full(size, CONSTANTS[name]) for name, size in sizes.items()}
    arrays = {name: np.full(layer.filters, value) for name, value in NO_ACTIVATION.items()} | arrays
    return {name: arrays[name].astype(DTYPES["v2"][name]) for name in sorted(arrays)}
