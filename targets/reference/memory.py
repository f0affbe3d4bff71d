"""How a run is cut so that it needs little memory."""

from __future__ import annotations

BLOCK_BYTES = 64 * 2**20
"""What the values between the ops of a network may take while a block of ticks runs; more made no run faster."""
LEAST_TICKS = 32
"""A block has so many ticks before it has more samples, because ops start once per block, and loops once per tick."""


def block_of(row_bytes: int, samples: int, ticks: int) -> tuple[int, int]:
    """Samples and ticks of a block, so that its values take about `BLOCK_BYTES`. Units: row_bytes [bytes per sample and tick]."""
    rows = max(1, BLOCK_BYTES // max(1, row_bytes))
    together = max(1, min(samples, rows // max(1, min(ticks, LEAST_TICKS))))
    return together, max(1, min(ticks, rows // together))
