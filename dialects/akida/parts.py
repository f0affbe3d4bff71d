"""Parts that the layers of `akida` share: refusals, numbers of the device, and the words of the vendor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ...core.arrays.arrays import ArrayAttr
from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.ir.operation import NoptOperation
from ..chip_base.parts import CHI010, refuse_chip

SAME, VALID = "same", "valid"
"""Paddings. `same`: a window has as many positions as the map divided by the stride, rounded up. The padding is split between both sides, an odd
element after the map, as in TensorFlow."""
NO_POOL, MAX, AVERAGE = "none", "max", "average"
"""Pools."""
WEIGHTS = {1: (0, 1), 2: (-1, 1), 4: (-7, 7), 8: (-128, 127)}
"""The least and the greatest weight, by the bits of the weights."""
ACT_BITS = (1, 2, 4)
"""Bits of an activation."""
STEPS = 16
"""Parts of 1 in which the vendor's tool stores act_step."""
IMAGE_BITS = 8
"""Bits of the input of an input convolution."""
IMAGE_CHANNELS = (1, 3)
"""Channels of an image that an input convolution reads."""

CNP1, FNP2, FNP3, HRC = "CNP1", "FNP2", "FNP3", "HRC"
"""Functions of processors: convolutions, dense layers with external weights, dense layers, and the input convolution."""
KIND_FUNCTIONS = {"cnp1": (CNP1,), "": (CNP1,), "fnp3": (CNP1, FNP3), "fnp2": (CNP1, FNP2)}
"""The functions of the NPs of each kind of `core_kinds`, in the order in which convolutions take them."""

Needs = tuple[int, int, int]
"""Bytes of the input, of the weights, and of weights in external memory."""
Tile = tuple[int, int, int, int]
"""The first h and w of a part of the input, and their numbers."""


def refuse_layer(op: NoptOperation, message: str, expected: str, found: str, code: Code = CHI010) -> NoReturn:
    """Errors: CHI010, or the given code."""
    refuse_chip(op, message, expected, found, code)


def verify_map(op: NoptOperation, shape: ArrayAttr) -> None:
    """Refuses a shape of an input that is not `[h, w, c]`. Errors: CHI010."""
    if shape.shape != (3,) or shape.data.dtype.kind not in "iu" or shape.data.least() < 1:
        refuse_layer(op, "input_shape is not a map", "3 integers from 1", str(shape.values.tolist()))


def feature(device: Device, name: str) -> int | None:
    """Returns the device field `features.NAME`; None if it is unknown, which means no limit."""
    return device.integer(f"features.{name}")


def same_outputs(size: tuple[int, int], stride: tuple[int, int]) -> tuple[int, int]:
    """Returns the positions of a window on both axes."""
    return -(-size[0] // stride[0]), -(-size[1] // stride[1])


def same_margins(
    size: Sequence[int], window: Sequence[int], stride: Sequence[int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Returns the elements before and after the map on both axes."""
    margins: list[tuple[int, int]] = []
    for n, k, s in zip(size, window, stride, strict=True):
        missing = max((-(-n // s) - 1) * s + k - n, 0)
        margins.append((missing // 2, missing - missing // 2))
    return margins[0], margins[1]
