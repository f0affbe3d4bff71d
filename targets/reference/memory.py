"""How much memory there is, and how a run is cut so that it needs little of it."""

from __future__ import annotations

from ...core.diagnostics import Code, refuse
from ...core.memory import available_bytes

RUN004 = Code(
    "RUN004",
    "the results of a run do not fit into memory",
    cause="Every output and record is held whole, for all samples and ticks. Together they need more memory than is available now.",
    remedy="Run fewer ticks (`--ticks`) or samples at a time, or record less (`--record`).",
)

BLOCK_BYTES = 64 * 2**20
"""What the values between the ops of a network may take while a block of ticks runs; more made no run faster."""
LEAST_TICKS = 32
"""A block has so many ticks before it has more samples, because ops start once per block, and loops once per tick."""


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
        help=f"--ticks {max(1, ticks * available // needed)}, fewer samples, or fewer records",
    )


def shown(amount: int) -> str:
    """Bytes as people read them."""
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 2**10:
            return f"{amount} {unit}"
        amount = amount // 2**10
    return f"{amount} GiB"


def block_of(row_bytes: int, samples: int, ticks: int) -> tuple[int, int]:
    """Samples and ticks of a block, so that its values take about `BLOCK_BYTES`. Units: row_bytes [bytes per sample and tick]."""
    rows = max(1, BLOCK_BYTES // max(1, row_bytes))
    together = max(1, min(samples, rows // max(1, min(ticks, LEAST_TICKS))))
    return together, max(1, min(ticks, rows // together))
