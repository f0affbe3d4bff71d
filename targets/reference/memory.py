"""Partition of a run into blocks that need little memory."""

from __future__ import annotations

BLOCK_BYTES = 64 * 2**20
"""Bytes of the values between the ops of a network during a block of ticks; larger blocks were not faster."""
LEAST_TICKS = 32
"""Minimal ticks of a block with several samples, because an op starts once per block, and a cycle once per tick."""


def block_of(row_bytes: int, samples: int, ticks: int) -> tuple[int, int]:
    """Returns samples and ticks of a block, so that its values need about `BLOCK_BYTES`. Units: row_bytes [bytes per sample and tick]."""
    rows = max(1, BLOCK_BYTES // max(1, row_bytes))
    together = max(1, min(samples, rows // max(1, min(ticks, LEAST_TICKS))))
    return together, max(1, min(ticks, rows // together))
