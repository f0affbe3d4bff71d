"""Trees of directed links: the routers that links reach from a start."""

from __future__ import annotations

from ..arrays.numeric import Ints


def follow_tree(tail: Ints, head: Ints, start: int) -> tuple[set[int], tuple[str, int] | None]:
    """Returns the routers that are reachable from `start` over directed links, and the first link that violates the tree property."""
    after: dict[int, list[tuple[int, int]]] = {}
    for k, (a, b) in enumerate(zip(tail.tolist(), head.tolist(), strict=True)):
        after.setdefault(a, []).append((b, k))
    found, waiting, used = {start}, [start], set[int]()
    fault: tuple[str, int] | None = None
    while waiting:
        for b, k in after.get(waiting.pop(), ()):
            used.add(k)
            if b in found:
                fault = fault or ("a core is reached twice", k)
                continue
            found.add(b)
            waiting.append(b)
    if fault is None and len(used) < len(tail):
        fault = "a link is not reachable from the source", next(k for k in range(len(tail)) if k not in used)
    return found, fault
