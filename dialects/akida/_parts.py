"""Parts that the layers of `akida` share: refusals, numbers of the device, and the words of the vendor."""

from __future__ import annotations

from typing import NoReturn

from ...core.device.records import Device
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import NoptOperation
from ..chip_base.parts import CHI010

HELP_RECOMPILE = "compile the network again"

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
    invalid(op, code, message, expected=expected, found=found, help=HELP_RECOMPILE)


def feature(device: Device, name: str) -> int | None:
    """Returns a number of the device; None if it is unknown, which means no limit."""
    return device.whole(f"features.{name}")
