"""Inputs and length of a run: signals that match the inputs of a network, converted to their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
from xdsl.ir import SSAValue

from ..core.arrays.numeric import AnyArray
from ..core.diagnostics import Code, Diagnostics, Refused, refuse
from ..core.ir.operation import element_type
from ..dialects.ntensor import interval_of
from .elements import working_dtype
from .signals import Signal

RUN002 = Code("RUN002", "the inputs of a run are not those of the network")
RUN003 = Code("RUN003", "a signal does not fit")
RUN005 = Code("RUN005", "a value is outside of the type of an input")
RUN007 = Code("RUN007", "the number of ticks is not specified")


ModelKind = Literal["chip", "reference"]
"""The network that is run for a compiled directory: the model of the target, or the discretised network."""
CHIP, REFERENCE = MODEL_KINDS = get_args(ModelKind)


class Unsuitable(Refused):
    """Refusal of a network by one engine that other engines can run: `auto` tries the next engine."""


def extent(inputs: Mapping[str, tuple[int, ...]], signals: Mapping[str, Signal], ticks: int | None) -> tuple[int, int]:
    """Returns samples and ticks of a run, from signals that match the inputs.

    Errors: RUN002 a missing or unknown signal; RUN003 a signal that does not fit; RUN007 no number of ticks.
    """
    names = ", ".join(f'"{name}"' for name in inputs) or "none"
    if signals.keys() != inputs.keys():
        given = ", ".join(f'"{name}"' for name in signals) or "none"
        refuse(RUN002, "the inputs of the run are not those of the network", expected=names, found=given)
    findings = Diagnostics()
    for name, signal in signals.items():
        if signal.shape != inputs[name]:
            findings.error(
                RUN003,
                "a signal has another shape than its input",
                at=f'input "{name}"',
                node=name,
                expected=str(inputs[name]),
                found=str(signal.shape),
            )
    sizes = {name: (signal.samples, signal.ticks) for name, signal in signals.items()}
    if len(set(sizes.values())) > 1:
        findings.error(
            RUN003,
            "signals of one run differ in samples or ticks",
            expected="the same number of samples and ticks for each",
            found="; ".join(f'"{name}": {samples} samples of {n} ticks' for name, (samples, n) in sizes.items()),
        )
    findings.check()
    samples, longest = next(iter(sizes.values()), (1, None))
    chosen = longest if ticks is None else ticks
    if chosen is None or chosen < 0:
        found = "no input and no number of ticks" if chosen is None else str(chosen)
        refuse(RUN007, expected="a number of ticks from 0", found=found, help="--ticks N")
    return samples, chosen


def convert_window(
    name: str, window: AnyArray, value: SSAValue, start: int, dtype: np.dtype[Any] | None = None
) -> AnyArray:
    """Returns a window of a signal in the type of its input, with the dtype `dtype` if given. Errors: RUN005 a value that the type cannot
    hold."""
    element = element_type(value)
    held = interval_of(element)
    if held is not None and window.dtype.kind != "b" and window.size:
        fits = (window >= held.low) & (window <= held.high)
        if window.dtype.kind == "f":
            fits &= window == np.floor(window)
        if not fits.all():
            tick, sample, *index = (int(n) for n in np.argwhere(~fits)[0])
            refuse(
                RUN005,
                f"a value is outside of the input's type {element}",
                at=f'input "{name}"',
                node=name,
                expected=f"whole numbers in {held}",
                found=f"{window[tick, sample, *index]} at tick {start + tick}, index {tuple(index)}",
            )
    return window.astype(dtype or working_dtype(element), copy=False)
