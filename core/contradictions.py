"""Contradictions: names with two different values in a list of choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def find_contradiction(choices: Iterable[tuple[str, T]]) -> tuple[str, T, T] | None:
    """Returns the first name with two different values, and these values; None if each name has one value.

    find_contradiction([("a", 1), ("b", 2), ("a", 3)]) == ("a", 1, 3)
    """
    values: dict[str, T] = {}
    for name, value in choices:
        if (first := values.setdefault(name, value)) != value:
            return name, first, value
    return None
