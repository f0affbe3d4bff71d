"""Limits of the option `most` of passes."""

from __future__ import annotations

from ....core.diagnostics import Code, ExitCode, refuse

LFO003 = Code("LFO003", "fan-out-limit-too-small", "the fan-out limit is too small", exit_code=ExitCode.MISUSED)
LGD001 = Code(
    "LGD001", "longest-delay-too-short", "the longest delay is less than one tick", exit_code=ExitCode.MISUSED
)
LGS001 = Code("LGS001", "fan-in-limit-too-small", "a neuron has at least two synapses", exit_code=ExitCode.MISUSED)


def verify_most(most: int, least: int, code: Code, message: str, step: str) -> None:
    """Refuses an option `most` of a pass below its least value. Errors: LFO003, LGD001, LGS001."""
    if most < least:
        expected, help = f"{least} or more", f"{step}{{most={least}}}"
        refuse(code, message, at=f"most={most}", expected=expected, found=str(most), help=help)
