"""Axes of input arrays: the order in which samples and ticks come before the axes of the input.

| axes | array |
| --- | --- |
| `ticks` | `[ticks, *shape]`, one sample |
| `samples,ticks` | `[samples, ticks, *shape]` |
| `ticks,samples` | `[ticks, samples, *shape]`, as most training frameworks hold it |

Without an order, the rank decides between the first two. A trailing `,…` or `,...` stands for the axes of the input and may be left out.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..core.diagnostics import Code, Diagnostics, ExitCode, refuse

INP008 = Code(
    "INP008",
    "the order of axes cannot be read, or has no effect",
    cause="`--axes` names the axes of an array that come before those of the input: ticks, and samples where there are several. Events and data "
    "files of the `nir` package name their ticks and samples themselves.",
    remedy="Give `--axes samples,ticks` or `--axes ticks,samples`; leave it out for events.",
    exit_code=ExitCode.MISUSED,
)
INP009 = Code(
    "INP009",
    "the first axis of the input may be time",
    cause="An array of several samples is read as `[samples, ticks, …]`. This one has more samples than ticks, and neighbouring ticks "
    "are not more alike than neighbouring samples. Training frameworks often hold `[ticks, samples, …]`, which would run as other samples of another length.",
    remedy="State the order: `--axes ticks,samples`, or `--axes samples,ticks` if it is as it was read.",
)

ORDERS = (("samples", "ticks"), ("ticks", "samples"), ("ticks",))
MORE = ("…", "...")
"""Stands for the axes of the input itself."""
CLEAR = 0.05
"""How much larger the correlation of neighbouring ticks is at most asked to be than that of neighbouring samples."""
LOOKED_AT = 2**22
"""Entries of an array that are looked at."""


@frozen
class OrderedInput:
    """An input with the order of its leading axes."""

    given: Any
    """What a run takes as its input."""
    axes: tuple[str, ...]


def ordered(given: Any, axes: str | tuple[str, ...] | None) -> Any:
    """The input with the order of its axes, where one is given. Errors: INP008."""
    return given if axes is None else OrderedInput(given, parse_axes(axes))


def parse_axes(axes: str | tuple[str, ...]) -> tuple[str, ...]:
    """The leading axes that a text names: `samples,ticks`, `ticks,samples,…`, `ticks`.

    Errors: INP008 another text.
    """
    names = tuple(name.strip() for name in axes.split(",")) if isinstance(axes, str) else axes
    named = names[:-1] if names[-1:] and names[-1] in MORE else names
    if named not in ORDERS:
        given = ",".join(names)
        refuse(
            INP008,
            "--axes cannot be read",
            at=f"--axes {given}",
            expected="one of samples,ticks and ticks,samples and ticks; the axes of the input follow",
            found=given or "nothing",
            help="--axes NAMES, where NAMES is one of samples,ticks or ticks,samples or ticks",
        )
    return named


def refuse_axes(axes: str | tuple[str, ...], found: str, file: str | None = None) -> NoReturn:
    """Refuses an order for an input without arrays. Errors: INP008."""
    refuse(
        INP008,
        "--axes has no effect on this input",
        at=f"--axes {','.join(parse_axes(axes))}",
        file=file,
        expected="an array with axes of ticks and samples",
        found=found,
        help="leave --axes out",
    )


def warn_of_time(array: NDArray[Any], name: str, file: str | None, diagnostics: Diagnostics) -> None:
    """Warns where an array that is read as `[samples, ticks, *shape]` has more samples than ticks, and nothing in it speaks for that order."""
    samples, ticks = array.shape[:2]
    if samples <= ticks or not array.size or has_samples_first(array):
        return
    diagnostics.warning(
        INP009,
        f"the first axis of the input may be time: it is read as {samples} samples x {ticks} ticks",
        at=f'"{name}"',
        file=file,
        expected="the order of axes, or more ticks than samples",
        found=f"shape {list(array.shape)}",
        help="--axes NAMES, where NAMES is one of ticks,samples or samples,ticks",
    )


def has_samples_first(array: NDArray[Any]) -> bool:
    """Whether neighbours on the second axis are more alike than on the first, by their correlation: signals and rates last from tick to tick,
    and samples have no order."""
    samples, ticks = array.shape[:2]
    flat = array.reshape(samples, ticks, -1)
    some = flat[:, :, :: max(1, flat.size // LOOKED_AT)].astype(np.float64)
    some -= some.mean((0, 1))
    scale = float((some * some).mean()) or 1.0
    by_sample = float((some[1:] * some[:-1]).mean()) / scale
    by_tick = float((some[:, 1:] * some[:, :-1]).mean()) / scale if ticks > 1 else 0.0
    return by_tick > by_sample + min(CLEAR, 4 / some.size**0.5)  # four deviations of noise
