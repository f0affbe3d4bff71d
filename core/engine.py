"""Record of an engine: a program or library that runs `ntensor` networks on this machine.

An engine of nopt is the object `ENGINE` of `targets/<slug>/engine.py`. A package of its own names its record in the entry point group
`nopt.engines` (docs/add-an-engine.md). The functions of a record import what they need when they are called, so that engines can be listed
without their libraries.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol

from attrs import frozen

from .memory import available_bytes, installed_bytes
from .processors import processor_count

API_VERSION = 4
"""Version of the records of targets and engines, raised with each incompatible change; a plug-in with another number is refused (COR020)."""

SumOrder = Literal["index", "fast"]
CPU = "CPU"
INTERFACES = ("CUDA", "ROCm", "Metal", "Vulkan", "D3D12", "OpenCL", CPU)
"""Interfaces of devices, from the fastest to the slowest where no time is known."""


@frozen
class EngineDevice:
    """A processor on which an engine can run networks."""

    name: str
    interface: str
    """One of `INTERFACES`; an engine may name others, which are slower than all of these where no time is known."""
    memory_total_bytes: int | None = None
    memory_free_bytes: int | None = None
    """None if the interface does not report it."""
    is_unified: bool | None = None
    """Whether it shares the memory of the machine."""
    is_software: bool = False
    """Whether it is a program that emulates a device on the processor; `auto` never takes one."""
    is_ieee: bool = True
    """Whether each operation on reals is rounded as IEEE 754 requires: no contraction, correct quotients and roots, subnormal numbers."""
    driver: str | None = None
    """Name and version of its driver."""
    settings: tuple[str, ...] = ()
    """Fields of the device file that its networks are compiled for, as `--set` takes them."""
    key: str = ""
    """Its name for the engine, such as a number."""


@frozen
class EngineState:
    """Usability of an engine on this machine."""

    reason: str | None = None
    """Reason why it cannot be used; None if it can."""
    version: str | None = None
    """Version of its library or compiler."""
    devices: tuple[EngineDevice, ...] = ()
    """Its devices, the preferred one first; an engine that is usable has at least one."""
    help: str | None = None
    """Command or action that makes it usable."""
    is_absent: bool = False
    """Whether its packages are not installed; no remark of a run mentions it then."""


@frozen
class Demand:
    """Memory that an engine needs for a network, besides inputs and results of the run. Units: [bytes]."""

    constant_bytes: int
    """Weights, parameters and the program."""
    sample_bytes: int
    """States and values of one sample."""
    tick_bytes: int = 0
    """Rows of inputs and results of one sample in one tick."""
    window: int = 1
    """The most ticks whose rows are stored at once."""
    most_samples: int | None = None
    """The most samples that are in memory at once; None for all samples of a call."""
    most_row_bytes: int | None = None
    """Limit of all rows that are stored at once; None without a limit."""

    def total(self, samples: int, ticks: int) -> int:
        """Returns the bytes for a call with samples."""
        count = samples if self.most_samples is None else min(samples, self.most_samples)
        rows = count * min(ticks, self.window) * self.tick_bytes
        held = rows if self.most_row_bytes is None else min(rows, self.most_row_bytes)
        return self.constant_bytes + count * self.sample_bytes + held


class Runner(Protocol):
    """A network on an engine. It may run many times; every run starts from the initial states. An attribute `findings` has remarks about the start."""

    def run(
        self,
        signals: Mapping[str, Any],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, Any]:
        """Returns every output and record by name, `[samples, ticks, *shape]`, in the types of the reference."""
        ...


class Start(Protocol):
    """Function that starts an engine with a network. A network that only other engines can run is refused as `Unsuitable`, with node and op."""

    def __call__(
        self,
        network: Any,
        *,
        device: EngineDevice | None = None,
        record: Sequence[str] = (),
        sum_order: SumOrder = "index",
        samples: int = 1,
    ) -> Runner:
        """Returns the network on a device, or on the preferred one. `samples` is how many the run has, for engines that compile for a number."""
        ...


@frozen
class HostEngine:
    """Record of an engine. `docs/add-an-engine.md` describes how to write one."""

    name: str
    """Name for `--engine`."""
    summary: str
    needs: str
    """Its requirements of the machine, in one line."""
    exactness: str
    """Which networks have the bits of the reference on it, in one line."""
    speed: int
    """Priority among engines whose devices have the same interface, and in lists: the highest number first; 0 is the reference, which runs every network."""
    probe: Callable[[], EngineState]
    """Returns whether it can be used on this machine, and its devices. It allocates nothing on them."""
    start: Start
    differs: Callable[[Any, EngineDevice], str | None]
    """Returns the reason why results of a network on a device can differ from the reference in the last bits; None if they never differ."""
    demand: Callable[[Any, EngineDevice, Sequence[str]], Demand]
    """Returns the memory for a network with records on a device. It allocates nothing on a device, and refuses what `start` refuses."""
    api_version: int
    """The `API_VERSION` of the record, as a literal number in a plug-in."""


def unusable_library(modules: Sequence[str], extra: str) -> EngineState | None:
    """Returns why the modules of a library cannot be imported, with the extra of nopt that installs it; None if they can."""
    install = f"pip install 'nopt[{extra}]'"
    for module in modules:
        try:
            loaded = import_module(module)
        except ImportError as error:
            name = error.name or ""
            is_absent = module == name or module.startswith(f"{name}.")
            reason = f"{module} is not installed" if is_absent else f"{module} cannot be imported: {error}"
            return EngineState(reason, help=install, is_absent=is_absent)
        except OSError as error:
            return EngineState(
                f"the library of {module} cannot be loaded: {error}", help=f"{install} --force-reinstall"
            )
        if getattr(loaded, "__file__", "") is None:  # a folder that pip left has no code, but can be imported
            folder = next(iter(loaded.__path__), module)
            return EngineState(f"{module} is not installed: {folder} has no code", help=install, is_absent=True)
    return None


def processor_device(key: str = "") -> EngineDevice:
    """Returns the processor of this machine as a device."""
    name = f"{processor_name()}, {processor_count()} threads"
    return EngineDevice(name, CPU, installed_bytes(), available_bytes(), is_unified=True, key=key)


def processor_name() -> str:
    """Returns the name of the processor, as the system reports it."""
    try:
        lines: list[str] = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    found = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return found or platform.processor() or platform.machine()
