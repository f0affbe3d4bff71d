"""Writes an example of a power log. Its powers are chosen, not measured: they show the form of a log and what the report makes of it.

    python examples/power_log.py power.csv

Two rails of a board, read every 2 ms: idle for 20 ms, then 8 samples of 32 ticks of 1 ms, then idle again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

STEP, IDLE, SAMPLES, TICKS = 2, 20, 8, 32
"""Milliseconds between two rows and of an idle phase; samples, and ticks of a sample."""
POWERS = {"idle": (1.5, 240.0), "run": (1.55, 252.0)}
"""Power of the core and of the board [mW]."""


def rows() -> Iterator[str]:
    end = IDLE + SAMPLES * TICKS
    for ms in range(0, end + IDLE + 1, STEP):
        phase = "run" if IDLE <= ms < end else "idle"
        core, board = POWERS[phase]
        yield f"{ms},{core},{board},{phase}"


def main(path: Path) -> None:
    head = [
        "# rail: core supply and input of the board",
        f"# samples: {SAMPLES}",
        f"# ticks: {TICKS}",
        "time [ms],core [mW],board [mW],phase",
    ]
    path.write_text("\n".join([*head, *rows()]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
