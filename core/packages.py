"""Presence of optional packages."""

from __future__ import annotations

from importlib.util import find_spec


def is_installed(module: str) -> bool:
    """Returns whether a module has code. A folder that pip left of a removed package can be imported, too, but has none."""
    spec = find_spec(module)
    return spec is not None and spec.origin is not None
