"""Memory requirements of a run, checked before any memory is allocated."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from ..core.arrays.numeric import AnyArray
from ..core.diagnostics import Code, refuse
from ..core.memory import available_bytes
from .elements import result_dtype
from .records import Watched

SIM020 = Code("SIM020", "results-exceed-memory", "the results of a run do not fit into memory")

SMALL_BYTES = 2**20
"""Maximum size of results that are allocated without a query for free memory; the query takes as long as a tick of a small network."""


def allocate_results(
    watched: Mapping[str, Watched], samples: int, ticks: int, others: Mapping[str, int] | None = None
) -> dict[str, AnyArray]:
    """Returns an array for each result by name, `[samples, ticks, *shape]`. Units: others [bytes]. Errors: SIM020 results beyond the memory."""
    check_results(watched, samples, ticks, others)
    return {
        name: np.empty((samples, one.rows(ticks), *one.shape), result_dtype(one.type)) for name, one in watched.items()
    }


def check_results(
    watched: Mapping[str, Watched], samples: int, ticks: int, others: Mapping[str, int] | None = None
) -> None:
    """Refuses results that do not fit into memory, before the first is allocated. Units: others [bytes]. Errors: SIM020."""
    sizes = {
        name: samples * one.rows(ticks) * prod(one.shape) * result_dtype(one.type).itemsize
        for name, one in watched.items()
    }
    check_memory({**sizes, **(others or {})}, ticks, samples)


def check_memory(parts: dict[str, int], ticks: int, samples: int) -> None:
    """Refuses results that do not fit into memory, before the first is allocated. Units: parts [bytes]."""
    needed = sum(parts.values())
    available = None if needed <= SMALL_BYTES else available_bytes()
    if available is None or needed <= available:
        return
    largest = max(parts, key=parts.__getitem__)
    refuse(
        SIM020,
        "the results of this run do not fit into memory",
        expected=f"at most {format_bytes(available)}, which is available now",
        found=f"{format_bytes(needed)} for {samples} samples of {ticks} ticks; {format_bytes(parts[largest])} of them for {largest}",
        help=f"--ticks {rounded_down(max(1, ticks * available // needed // 2))}",
    )


def rounded_down(number: int) -> int:
    """Rounds a number down to its first digit followed by zeros. The margin lets a suggested run fit even if free memory shrinks."""
    size = 10 ** (len(str(number)) - 1)
    return number // size * size


def format_bytes(amount: int) -> str:
    """Formats a number of bytes."""
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 2**10:
            return f"{amount} {unit}"
        amount = amount // 2**10
    return f"{amount} GiB"
