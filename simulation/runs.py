"""Inputs and length of a run: signals that match the inputs of a network, converted to their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NoReturn, get_args

import numpy as np
from xdsl.ir import Attribute, SSAValue

from ..core.arrays.numeric import AnyArray
from ..core.diagnostics import MOST_NAMES, Code, Diagnostics, Refused, first_of, quote_names, refuse
from ..core.ir.operation import element_type
from ..dialects.ntensor import interval_of
from .elements import working_dtype
from .signals import Signal, is_finite

SIM018 = Code("SIM018", "run-inputs-mismatch", "the inputs of a run are not those of the network")
SIM019 = Code("SIM019", "signal-mismatch", "a signal does not fit")
SIM021 = Code("SIM021", "input-value-out-of-type", "a value is outside of the type of an input")
SIM023 = Code("SIM023", "tick-count-missing", "the number of ticks is not specified")


ModelKind = Literal["chip", "reference"]
"""The network that is run for a compiled directory: the model of the target, or the discretised network."""
CHIP, REFERENCE = MODEL_KINDS = get_args(ModelKind)


class Unsuitable(Refused):
    """Refusal of a network by one engine that other engines can run: `auto` tries the next engine."""


def extent(inputs: Mapping[str, tuple[int, ...]], signals: Mapping[str, Signal], ticks: int | None) -> tuple[int, int]:
    """Returns samples and ticks of a run, from signals that match the inputs.

    Errors: SIM018 a missing or unknown signal; SIM019 a signal that does not fit; SIM023 no number of ticks.
    """
    if signals.keys() != inputs.keys():
        expected, found = quote_names(inputs), quote_names(signals)
        refuse(SIM018, "the inputs of the run are not those of the network", expected=expected, found=found)
    findings = Diagnostics()
    for name, signal in signals.items():
        if signal.shape != inputs[name]:
            findings.error(
                SIM019,
                "a signal has another shape than its input",
                at=f'input "{name}"',
                node=name,
                expected=str(inputs[name]),
                found=str(signal.shape),
            )
    sizes = {name: (signal.samples, signal.ticks) for name, signal in signals.items()}
    if len(set(sizes.values())) > 1:
        findings.error(
            SIM019,
            "signals of one run differ in samples or ticks",
            expected="the same number of samples and ticks for each",
            found=first_of(
                [f'"{name}": {samples} samples of {n} ticks' for name, (samples, n) in sizes.items()], MOST_NAMES, "; "
            ),
        )
    findings.raise_errors()
    samples, longest = next(iter(sizes.values()), (1, None))
    chosen = longest if ticks is None else ticks
    if chosen is None or chosen < 0:
        found = "no input and no number of ticks" if chosen is None else str(chosen)
        refuse(SIM023, expected="a number of ticks from 0", found=found, help="--ticks N")
    return samples, chosen


def convert_window(
    name: str, window: AnyArray, value: SSAValue, start: int, dtype: np.dtype[Any] | None = None
) -> AnyArray:
    """Returns a window of a signal in the type of its input, with the dtype `dtype` if given.

    Errors: SIM021 a value that the type cannot hold: another than its integers, or a number that is or becomes infinite.
    """
    element = element_type(value)
    held = interval_of(element)
    if held is not None and window.dtype.kind != "b" and window.size:
        fits = (window >= held.low) & (window <= held.high)
        if window.dtype.kind == "f":
            fits &= window == np.floor(window)
        if not fits.all():
            refuse_value(name, window, ~fits, start, element, f"whole numbers in {held}")
    with np.errstate(over="ignore"):
        converted = window.astype(dtype or working_dtype(element), copy=False)
    if converted.dtype.kind == "f" and not is_finite(converted):
        expected = f"numbers within +-{np.finfo(converted.dtype).max:g}"
        overflows = np.isfinite(window) & ~np.isfinite(converted)
        help = "--precision f64" if overflows.any() else None
        refuse_value(name, window, ~np.isfinite(converted), start, element, expected, help)
    return converted


def refuse_value(
    name: str,
    window: AnyArray,
    wrong: AnyArray,
    start: int,
    element: Attribute,
    expected: str,
    help: str | None = None,
) -> NoReturn:
    """Refuses the first wrong value of a window. Errors: SIM021."""
    tick, sample, *index = (int(n) for n in np.argwhere(wrong)[0])
    refuse(
        SIM021,
        f"a value is outside of the input's type {element}",
        at=f'input "{name}"',
        node=name,
        expected=expected,
        found=f"{window[tick, sample, *index]} at tick {start + tick}, index {tuple(index)}",
        help=help,
    )
