"""Option for the longest delay of a device."""

from __future__ import annotations

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, ExitCode, refuse

LGD001 = Code("LGD001", "the longest delay is less than one tick", exit_code=ExitCode.MISUSED)


def verify_most(most: int, step: str) -> None:
    """Refuses a longest delay below one tick. Errors: LGD001."""
    if most < 1:
        refuse(
            LGD001,
            "the longest delay is at least one tick",
            at=f"most={most}",
            expected="1 or more",
            found=str(most),
            help=f"{step}{{most=1}}",
        )


def is_long(ticks: ArrayAttr, most: int) -> bool:
    """Returns whether some delays are longer than `most`."""
    return bool(ticks.data.size) and int(ticks.data.greatest()) > most
