"""Axes of input arrays: the order of samples and ticks before the axes of the input.

| axes | array |
| --- | --- |
| `ticks` | `[ticks, *shape]`, one sample |
| `samples,ticks` | `[samples, ticks, *shape]` |
| `ticks,samples` | `[ticks, samples, *shape]`, the order of most training frameworks |

Without an order, the rank decides between the first two. A trailing `,…` or `,...` denotes the axes of the input and is optional.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ..core.help_text import Phrase, WithoutOptions

SIM012 = Code(
    "SIM012", "axes-order-invalid", "the order of axes cannot be read, or has no effect", exit_code=ExitCode.MISUSED
)
SIM013 = Code("SIM013", "first-axis-may-be-time", "the first axis of the input may be time")

ORDERS = (("samples", "ticks"), ("ticks", "samples"), ("ticks",))
MORE = ("…", "...")
"""The axes of the input itself."""
CLEAR = 0.05
"""Upper bound on the required difference between the correlation of neighbouring ticks and the correlation of neighbouring samples."""
LOOKED_AT = 2**22
"""Number of entries of an array that are examined."""


@frozen
class OrderedInput:
    """An input with the order of its leading axes."""

    given: Any
    """The input of a run."""
    axes: tuple[str, ...]


def order_axes(given: Any, axes: str | tuple[str, ...] | None) -> Any:
    """Returns the input with the order of its axes, if one is given. Errors: SIM012."""
    return given if axes is None else OrderedInput(given, parse_axes(axes))


def parse_axes(axes: str | tuple[str, ...]) -> tuple[str, ...]:
    """Parses the names of leading axes: `samples,ticks`, `ticks,samples,…`, `ticks`.

    Errors: SIM012 another text.
    """
    names = tuple(name.strip() for name in axes.split(",")) if isinstance(axes, str) else axes
    named = names[:-1] if names[-1:] and names[-1] in MORE else names
    if named not in ORDERS:
        given = ",".join(names)
        refuse(
            SIM012,
            "--axes cannot be read",
            at=f"--axes {given}",
            expected="one of samples,ticks and ticks,samples and ticks; the axes of the input follow",
            found=given or "nothing",
            help="--axes NAMES, where NAMES is one of samples,ticks or ticks,samples or ticks",
        )
    return named


def refuse_axes(axes: str | tuple[str, ...], found: str, file: str | None = None) -> NoReturn:
    """Refuses an order for an input without arrays. Errors: SIM012."""
    refuse(
        SIM012,
        "--axes has no effect on this input",
        at=f"--axes {','.join(parse_axes(axes))}",
        file=file,
        expected="an array with axes of ticks and samples",
        found=found,
        help=Phrase(WithoutOptions(("--axes",))),
    )


def warn_of_time(array: NDArray[Any], name: str, file: str | None, diagnostics: Diagnostics) -> None:
    """Warns about an array that is read as `[samples, ticks, *shape]` with more samples than ticks and no evidence for that order."""
    samples, ticks = array.shape[:2]
    if samples <= ticks or not array.size or has_samples_first(array):
        return
    diagnostics.warning(
        SIM013,
        f"the first axis of the input may be time: it is read as {samples} samples x {ticks} ticks",
        at=f'"{name}"',
        file=file,
        expected="the order of axes, or more ticks than samples",
        found=f"shape {list(array.shape)}",
        help="--axes NAMES, where NAMES is one of ticks,samples or samples,ticks",
    )


def has_samples_first(array: NDArray[Any]) -> bool:
    """Returns whether neighbours on the second axis correlate more than on the first: signals and rates persist from tick to tick, and
    samples have no order."""
    samples, ticks = array.shape[:2]
    flat = array.reshape(samples, ticks, -1)
    some = flat[:, :, :: max(1, flat.size // LOOKED_AT)].astype(np.float64)
    some -= some.mean((0, 1))
    scale = float((some * some).mean()) or 1.0
    by_sample = float((some[1:] * some[:-1]).mean()) / scale
    by_tick = float((some[:, 1:] * some[:, :-1]).mean()) / scale if ticks > 1 else 0.0
    return by_tick > by_sample + min(CLEAR, 4 / some.size**0.5)  # four standard deviations of noise
