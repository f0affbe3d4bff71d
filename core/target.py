"""The record that ties a target's rooms together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

API_VERSION = 1
"""Counts incompatible changes of this record; a plug-in built against another number is refused."""


@frozen
class HardwareTarget:
    """One way out of the compiler. Rooms are factories, so that naming a target imports nothing of it.

    `engine` gives a model that runs `ntensor` networks on this machine, for targets that are one (the reference). `emit` gives the
    function that writes a module in the format that the slug names (`-t <slug>`), `emit(module, diagnostics) -> str | bytes`.
    """

    slug: str
    summary: str
    source: str
    """Where its facts come from."""
    engine: Callable[[], Any] | None = None
    emit: Callable[[], Callable[..., str | bytes]] | None = None
    api_version: int = API_VERSION
