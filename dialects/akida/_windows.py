"""Windows on maps whose padding is `same`: as many positions as the map divided by the stride, rounded up.

The padding is split between both sides, an odd element after the map, as in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Sequence


def same_outputs(size: tuple[int, int], stride: tuple[int, int]) -> tuple[int, int]:
    """Returns the positions of a window on both axes."""
    return -(-size[0] // stride[0]), -(-size[1] // stride[1])


def same_margins(
    size: Sequence[int], window: Sequence[int], stride: Sequence[int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Returns the elements before and after the map on both axes."""
    found: list[tuple[int, int]] = []
    for n, k, s in zip(size, window, stride, strict=True):
        missing = max((-(-n // s) - 1) * s + k - n, 0)
        found.append((missing // 2, missing - missing // 2))
    return found[0], found[1]
