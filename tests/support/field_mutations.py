"""Mutations of JSON values: one part has another value, or is missing."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

VALUES: tuple[Any, ...] = (None, -1, 2**40, "../x", "", [], {}, True, 1.5, "nothing")
"""Values that replace a part of a file."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the path of every part of a JSON value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


def mutated(value: Any, rng: np.random.Generator) -> Any:
    """Returns a copy in which one part has another value, or is missing."""
    made = copy.deepcopy(value)
    paths = list(places(made))
    *path, key = paths[rng.integers(len(paths))]
    place = made
    for step in path:
        place = place[step]
    if isinstance(place, dict) and rng.random() < 0.3:
        del place[key]
    else:
        place[key] = VALUES[rng.integers(len(VALUES))]
    return made
