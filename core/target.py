"""The record that ties a target's rooms together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from .device import Device
    from .diagnostics import Diagnostics

API_VERSION = 1
"""Counts incompatible changes of this record; a plug-in built against another number is refused."""


@frozen
class Pieces:
    """A file that is made piece by piece while it is written, because it is large."""

    make: Callable[[], Iterable[bytes]]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.make())


@frozen
class Artefact:
    """What the loader of a target takes, and what is known of it without running it."""

    files: Mapping[str, bytes | Pieces]
    """By their paths below `artefact/`."""
    memory: dict[str, int | None]
    """Bytes by region, as the report says them; None where a number could not be measured here."""
    latency_ticks: dict[str, int] = field(factory=dict[str, int])
    """Per output of the network, how many ticks later than in `ntensor` it leaves."""
    facts: dict[str, Any] = field(factory=dict[str, Any])
    """What else the report says of it: the compiler's version and the like."""


@frozen
class HardwareTarget:
    """One way out of the compiler. Rooms are factories, so that naming a target imports nothing of it.

    `engine` gives a model that runs `ntensor` networks on this machine, for targets that are one (the reference). `emit` gives the
    function that writes a module in the format that the slug names (`-t <slug>`), `emit(module, diagnostics) -> str | bytes`.

    What `nopt compile` needs: `pipeline` gives the passes from legalised `ntensor` to the exit dialect, for a device with everything
    that was set; `artefact` writes that exit dialect for the loader; `model` gives the class that runs the exit dialect of a
    compiled directory: `Model(exit, ntensor, device, record=…)`, with the `inputs` and `run` of an engine.
    """

    slug: str
    summary: str
    source: str
    """Where its facts come from."""
    engine: Callable[[], Any] | None = None
    emit: Callable[[], Callable[..., str | bytes]] | None = None
    pipeline: Callable[[Device], str] | None = None
    artefact: Callable[[], Callable[[ModuleOp, Device, Diagnostics], Artefact]] | None = None
    model: Callable[[], Any] | None = None
    api_version: int = API_VERSION
