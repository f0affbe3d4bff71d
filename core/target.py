"""The record that ties a target's rooms together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from .device.device import Device
    from .diagnostics import Diagnostics

API_VERSION = 2
"""Counts incompatible changes of this record; a plug-in that states another number is refused (PLG002)."""


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
class HostEngine:
    """A model that runs `ntensor` networks on this machine."""

    name: str
    """As `--engine` takes it."""
    load: Callable[[], Any]
    """Returns the class of the model; it has `probe` and `differs`."""
    speed: int
    """Engines of a higher number are tried first; 0 is the reference, which runs every network."""


@frozen
class HardwareTarget:
    """The record of one target. Every room is a factory, so that a target is listed without importing its rooms."""

    slug: str
    summary: str
    source: str
    """Where its facts come from."""
    api_version: int
    """The `API_VERSION` that the record was written for, as a number: a plug-in that imports the constant states nothing."""
    engine: HostEngine | None = None
    """For a target that runs `ntensor` on this machine."""
    emit: Callable[[], Callable[..., str | bytes]] | None = None
    """Returns the function that writes a module in the format of the target, `emit(module, diagnostics) -> str | bytes`."""
    pipeline: Callable[[Device], str] | None = None
    """Returns every pass from discretised `ntensor` to the exit dialect, for a device with all settings; empty where the device offers
    no path."""
    artefact: Callable[[], Callable[[ModuleOp, Device, Diagnostics], Artefact]] | None = None
    """Returns the function that writes the exit dialect for the loader."""
    model: Callable[[], Any] | None = None
    """Returns the class that runs the exit dialect: `Model(exit, ntensor, device, record=…)`, with the `inputs` and `run` of an engine."""
