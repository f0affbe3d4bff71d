"""Window arithmetic: the number of positions of a kernel on each axis, for convolutions and pools of all levels."""

from __future__ import annotations

from collections.abc import Sequence


def window_outputs(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[Sequence[int]],
    dilation: Sequence[int],
) -> tuple[int, ...]:
    """Returns the positions of a window over each axis: `floor((n + before + after - d (k - 1) - 1) / s) + 1`.

    The number is not positive if the kernel is larger than the padded axis.
    """
    return tuple(
        (n + before + after - d * (k - 1) - 1) // s + 1
        for n, k, s, (before, after), d in zip(sizes, kernel, stride, padding, dilation, strict=True)
    )


def same_padding(kernel: Sequence[int], dilation: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Returns the zeros before and after each axis that keep its size at stride 1; an odd zero comes after."""
    missing = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
    return tuple((n // 2, n - n // 2) for n in missing)
