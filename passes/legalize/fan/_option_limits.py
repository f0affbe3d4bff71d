"""Limits of the options `max-…` of passes."""

from __future__ import annotations

from ....core.diagnostics import Code, ExitCode, refuse

LEG019 = Code("LEG019", "fan-out-limit-too-small", "the fan-out limit is too small", exit_code=ExitCode.MISUSED)
LEG022 = Code(
    "LEG022", "longest-delay-too-short", "the longest delay is less than one tick", exit_code=ExitCode.MISUSED
)
LEG040 = Code("LEG040", "fan-in-limit-too-small", "a neuron has at least two synapses", exit_code=ExitCode.MISUSED)


def verify_most(option: str, most: int, least: int, code: Code, message: str, step: str) -> None:
    """Refuses an option `max-…` of a pass below its least value. Errors: LEG019, LEG022, LEG040."""
    if most < least:
        expected, help = f"{least} or more", f"{step}{{{option}={least}}}"
        refuse(code, message, at=f"{option}={most}", expected=expected, found=str(most), help=help)
