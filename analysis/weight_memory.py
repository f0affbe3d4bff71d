"""Weight memory: how wide weights are, how wide a device stores them, and what one stored weight takes of its memory.

The checks of a network, the plan of its slices and the machine graph count by these functions, so that they agree.
"""

from __future__ import annotations

import re

from xdsl.ir import Operation

from ..core.device.checks import bits_of
from ..core.device.records import Device, Format
from ..dialects.ntensor import QuantizedAttr, SynapseOpInterface

REAL = re.compile(r"f\d+")


def weight_bits(op: Operation) -> int:
    """Returns the bits of the widest weight of an op, 0 where it has none."""
    array = op.weights if isinstance(op, SynapseOpInterface) else None
    if array is None or not array.data.size:
        return 0
    if isinstance(quantized := op.properties.get("quantized"), QuantizedAttr):
        return int(quantized.bits.data)
    if array.data.dtype.kind not in "iu":
        return 8 * array.data.dtype.itemsize if array.data.dtype.kind == "f" else 1
    low, high = int(array.data.least()), int(array.data.greatest())
    if (low, high) in ((0, 0), (0, 1), (1, 1)):
        return 1
    return 1 + max(max(high, 0).bit_length(), (~min(low, 0)).bit_length())


def weight_limit(device: Device) -> tuple[str, int] | None:
    """Returns the bits that a device advises for weights, else the bits that it holds, and the field that declares them.

    None where it holds reals and advises nothing.
    """
    if (advised := device.whole("quantization.weight_bits")) is not None:
        return "quantization.weight_bits", advised
    has_reals = device.synapse is not None and any(REAL.fullmatch(dtype) for dtype in device.synapse.dtypes)
    held = device.whole("synapse.bits")
    return None if held is None or has_reals else ("synapse.bits", held)


def stored_bits(device: Device, bits: int) -> int:
    """Returns the width in which a device stores weights of some width: wider ones have to be quantised to its limit first."""
    limit = weight_limit(device)
    return bits if limit is None else min(bits, limit[1])


def formats_for(device: Device, bits: int) -> dict[str, Format]:
    """Returns the synapse formats whose type holds weights of some width.

    Where none does, which a limit of its own refuses, those that hold the width in which the device would store them, else all.
    """
    formats = device.synapse.formats if device.synapse is not None else {}
    for width in (bits, stored_bits(device, bits)):
        if wide := {name: one for name, one in formats.items() if (bits_of(one.dtype) or 0) >= width}:
            return wide
    return formats


def entry_bits(device: Device, bits: int) -> int:
    """Returns the memory of one stored weight in the format that takes least; its own bits where the device does not publish one."""
    entries = [device.whole(f"synapse.formats.{name}.entry_bits") for name in formats_for(device, bits)]
    return min((entry for entry in entries if entry is not None), default=bits)
