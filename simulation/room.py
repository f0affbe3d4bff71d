"""Memory requirements of a run, checked before any memory is allocated."""

from __future__ import annotations

from ..core.diagnostics import Code, refuse
from ..core.memory import available_bytes

RUN004 = Code("RUN004", "the results of a run do not fit into memory")


def require_room(parts: dict[str, int], ticks: int, samples: int) -> None:
    """Refuses results that do not fit into memory, before the first is allocated. Units: parts [bytes]."""
    needed, available = sum(parts.values()), available_bytes()
    if available is None or needed <= available:
        return
    largest = max(parts, key=parts.__getitem__)
    refuse(
        RUN004,
        "the results of this run do not fit into memory",
        expected=f"at most {format_bytes(available)}, which is available now",
        found=f"{format_bytes(needed)} for {samples} samples of {ticks} ticks; {format_bytes(parts[largest])} of them for {largest}",
        help=f"--ticks {rounded_down(max(1, ticks * available // needed // 2))}",
    )


def rounded_down(number: int) -> int:
    """Returns the first digit of a number followed by zeros, so that the suggested run still fits when its command is typed."""
    size = 10 ** (len(str(number)) - 1)
    return number // size * size


def format_bytes(amount: int) -> str:
    """Formats a number of bytes."""
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 2**10:
            return f"{amount} {unit}"
        amount = amount // 2**10
    return f"{amount} GiB"
