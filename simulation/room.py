"""How much memory a run needs, said before any of it is taken."""

from __future__ import annotations

from ..core.diagnostics import Code, refuse
from ..core.memory import available_bytes

RUN004 = Code(
    "RUN004",
    "the results of a run do not fit into memory",
    cause="Every output and record is held whole, for all samples and ticks. Together they need more memory than is available now.",
    remedy="Run fewer ticks (`--ticks`) or samples at a time, or record less (`--record`).",
)


def require_room(parts: dict[str, int], ticks: int, samples: int) -> None:
    """Refuses results that do not fit, before the first of them is made. Units: parts [bytes]."""
    needed, available = sum(parts.values()), available_bytes()
    if available is None or needed <= available:
        return
    largest = max(parts, key=parts.__getitem__)
    refuse(
        RUN004,
        "the results of this run do not fit into memory",
        expected=f"at most {shown(available)}, which is available now",
        found=f"{shown(needed)} for {samples} samples of {ticks} ticks; {shown(parts[largest])} of them for {largest}",
        help=f"--ticks {rounded_down(max(1, ticks * available // needed // 2))}",
    )


def rounded_down(number: int) -> int:
    """The first digit of a number, and zeros: half of the memory that is free now is still free when the line is typed."""
    size = 10 ** (len(str(number)) - 1)
    return number // size * size


def shown(amount: int) -> str:
    """Bytes as people read them."""
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 2**10:
            return f"{amount} {unit}"
        amount = amount // 2**10
    return f"{amount} GiB"
