"""Records of targets and of the engines and artefacts that they provide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from attrs import Factory, field, frozen

from .engine import API_VERSION as API_VERSION
from .engine import HostEngine

if TYPE_CHECKING:
    from pathlib import Path

    from xdsl.dialects.builtin import ModuleOp

    from .device.records import Device
    from .diagnostics import Diagnostics


@frozen
class Pieces:
    """Content of a large file, generated piece by piece while it is written."""

    make: Callable[[], Iterable[bytes]]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.make())


@frozen
class Artefact:
    """Input of a target's loader, and its properties that are known without running it."""

    files: Mapping[str, bytes | Pieces]
    """File contents by their paths below `artefact/`."""
    memory: dict[str, int | None]
    """Bytes by region for the report; None if a number could not be measured on this machine."""
    arithmetic: str | None = None
    """Number types of a tick's computation, such as `f32` or `integers`, if the target supports several."""
    storage: Mapping[str, str] = field(factory=dict[str, str])
    """Storage types of `weights` and `states`, if the target supports several."""
    latency_ticks: dict[str, int] = field(factory=dict[str, int])
    """Latency of each output of the network in ticks, relative to `ntensor`."""
    notes: tuple[str, ...] = ()
    """Lines of the summary about the files."""
    facts: dict[str, Any] = field(factory=dict[str, Any])
    """Further entries of the report, such as the compiler's version."""


Rows = Mapping[str, Any]
"""Arrays by the name of an input or output, `[ticks, *shape]`."""


@frozen
class Sample:
    """The first sample of a sample input."""

    ticks: int
    run: Callable[[int], tuple[Rows, Rows]]
    """Returns the first rows of each input, and the outputs of the network that the target compiled, as the reference computes them."""


@frozen
class Emulation:
    """Cost of an artefact on an emulated core. Units: [instructions], [bytes]."""

    core: str
    board: str
    ticks: int
    """Ticks of the test vectors."""
    equal_ticks: int
    """Ticks before the first output that differs from the model."""
    instructions_per_tick: float
    longest_tick: int
    stack_bytes: int
    """Depth of the stack that the ticks have reached."""
    ram_bytes: int
    """All memory that the program writes: the network, its data, and the stack."""
    rom_bytes: int | None
    """Code and constants of the network; None if the compiler writes no ELF."""
    ops: Mapping[str, float]
    """Instructions of each op of a tick, in order."""


def room(module: str, name: str) -> Any:
    """Returns the default of a field: a factory of an object in a module next to the record; None if the package has no such module."""

    def find(target: HardwareTarget) -> Callable[[], Any] | None:
        path = f"{target.package}.{module}"
        return (lambda: getattr(import_module(path), name)) if target.package and find_spec(path) else None

    return Factory(find, takes_self=True)


@frozen
class HardwareTarget:
    """Record of one target. Its rooms are modules next to it, and are imported when they are used, not when targets are listed.

    | field | object |
    | --- | --- |
    | `emit`, `artefact` | the functions of these names in `emitter.py` |
    | `load` | the function of that name in `loader.py` |
    | `model` | the class `Model` in `model.py` |
    | `counts` | the function `event_counts` in `counts.py` |
    """

    slug: str
    summary: str
    source: str
    """Origin of its facts."""
    api_version: int
    """The `API_VERSION` of the record, as a literal number: a plug-in that imports the constant would match every version."""
    package: str | None = None
    """`__package__` of the module of the record, whose rooms the fields below take; None if it has none."""
    device: str = "generic"
    """Name of the default device of `--target SLUG`, if the target has a device of this name."""
    engine: HostEngine | None = None
    """For a target that runs `ntensor` on this machine."""
    emit: Callable[[], Callable[..., str | bytes]] | None = field(default=room("emitter", "emit"))
    """Returns the function that writes a module in the format of the target, `emit(module, diagnostics) -> str | bytes`."""
    pipeline: Callable[[Device], str] | None = None
    """Returns every pass from discretised `ntensor` to the exit dialect, for a device with all settings; empty if the device cannot be reached."""
    precision: Callable[[ModuleOp, Device], Literal["f32", "f64"] | None] | None = None
    """Returns the default real type for a network in continuous time; None for the default of the conversion."""
    artefact: Callable[[], Callable[[ModuleOp, Device, Diagnostics], Artefact]] | None = field(
        default=room("emitter", "artefact")
    )
    """Returns the function that writes the exit dialect for the loader."""
    vectors: Callable[[], Callable[[ModuleOp, Device, Sample | None], Artefact]] | None = None
    """Returns the function that writes test vectors for the exit dialect: further files of the artefact; none without a sample input."""
    emulate: Callable[[], Callable[[Path, str], Emulation]] | None = None
    """Returns the function that runs the test vectors of a written artefact on an emulated core, `emulate(folder, core)`."""
    load: Callable[[], Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]] | None = field(
        default=room("loader", "load")
    )
    """Returns the function that reads the files of an artefact back into the exit dialect."""
    model: Callable[[], Any] | None = field(default=room("model", "Model"))
    """Returns the class that runs the exit dialect: `Model(exit, ntensor, device, record=…)`, with the `inputs` and `run` of an engine.

    A class with `is_imperfect` also takes `imperfections=`, the manufactured chip that it simulates; with `ages`, their age matters.
    """
    counts: Callable[[], Callable[[ModuleOp, Device, Mapping[str, Any] | None], Mapping[str, float]]] | None = field(
        default=room("counts", "event_counts")
    )
    """Returns the function that counts what the exit dialect does in a tick, by the coefficients of cost that a mapping does not count."""
    oracles: Mapping[str, str] = field(factory=dict[str, str])
    """External tools that can check the target, each with the path of its tests in the target's tree (a file or a folder)."""
