"""Host programs of artefacts in this process: an engine runs the files that `nopt compile` writes, with the program that runs them elsewhere.

The files are in a private temporary folder for as long as the network is used. The program is imported as a module; it reads the manifest
and the arrays next to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np
from xdsl.ir import SSAValue

from ..core.arrays.numeric import AnyArray
from ..core.diagnostics import Code, Finding
from ..core.engine import EngineDevice
from ..core.ir.operation import shape_of
from ..core.target import Pieces
from ..dialects.ntensor import NetworkOp
from ..simulation.elements import result_dtype
from ..simulation.memory_budget import check_results
from ..simulation.records import Records
from ..simulation.runs import Unsuitable, convert_window, extent
from ..simulation.signals import Signal

PROGRAM = "run.py"
NUMBERS = count()


class HostProgram:
    """The files of an artefact, and its host program as the module `module`."""

    def __init__(self, files: Mapping[str, bytes | Pieces]):
        self._folder = TemporaryDirectory(prefix="nopt-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        for name, content in files.items():
            (folder / name).write_bytes(content if isinstance(content, bytes) else b"".join(content))
        spec = spec_from_file_location(f"nopt_host_{next(NUMBERS)}", folder / PROGRAM)
        assert spec is not None  # the name of a file of Python
        assert spec.loader is not None
        self.module: Any = module_from_spec(spec)
        spec.loader.exec_module(self.module)


class HostedRunner(ABC):
    """Runs one network on a device with the host program of an artefact. It may run many times; every run starts from the initial states.

    Errors: those of making the artefact; as a reason to choose another engine `CODE`, if the device does not run the network.
    """

    CODE: ClassVar[Code]
    manifest: Any
    """The manifest of the program."""
    machine: Any
    """The device, as the program opens it."""
    entries: Sequence[Mapping[str, Any]]
    """The entries of the inputs in the manifest."""
    failures: tuple[type[Exception], ...]
    """The exceptions of the library of the device."""

    def __init__(self, network: NetworkOp, device: EngineDevice, record: Sequence[str]):
        records = Records(network)
        self._arguments, self._watched = records.arguments, records.watched(record)
        self._inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        self._device = device
        self._files = self.files(network, record)
        self._program = HostProgram(self._files)
        self._host = self._program.module
        problems: tuple[type[Exception], ...] = (self._host.Problem,)
        try:
            self.open()
        except problems as problem:
            raise self.unsuitable(problem) from problem

    # ---- what an engine defines

    @abstractmethod
    def files(self, network: NetworkOp, record: Sequence[str]) -> Mapping[str, bytes | Pieces]:
        """Returns the files of the artefact of a network, with the records as outputs."""

    @abstractmethod
    def open(self) -> None:
        """Sets `manifest`, `entries`, `failures` and `machine`."""

    def execute(self, rows: Mapping[str, Rows], samples: int, ticks: int) -> dict[str, Any]:
        """Runs the program, and returns its results."""
        return self._host.run(self.machine, self.manifest, rows, samples, ticks)

    @abstractmethod
    def problem_text(self, text: str) -> str:
        """Returns the line with the cause in the text of a problem."""

    @abstractmethod
    def refusal(self) -> tuple[str, str]:
        """Returns the message of a device that does not run the network, and what was expected of it."""

    # ---- run

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`. Errors: SIM018 to SIM023 as every engine; `CODE`."""
        samples, ticks = extent(self._inputs, signals, ticks)
        check_results(self._watched, samples, ticks)
        values = self._arguments
        rows = {
            one["name"]: Rows(one["name"], signals[one["name"]], values[one["name"]], one["dtype"])
            for one in self.entries
        }
        problems: tuple[type[Exception], ...] = (self._host.Problem, *self.failures)
        try:
            found = self.execute(rows, samples, ticks)
        except problems as problem:
            raise self.unsuitable(problem) from problem
        if progress is not None:
            progress(samples * ticks, samples * ticks)
        return {name: found[name].astype(result_dtype(one.type), copy=False) for name, one in self._watched.items()}

    def unsuitable(self, problem: Exception) -> Unsuitable:
        """Returns the refusal of a network that the device does not run. Errors: `CODE`."""
        message, expected = self.refusal()
        at = f"{self._device.interface} device {self._device.name}"
        found = self.problem_text(str(problem)) or type(problem).__name__
        return Unsuitable(Finding(self.CODE, message, at=at, expected=expected, found=found, help="--engine auto"))


class Rows:
    """An input as host programs read it: slices `[samples, ticks]`, in the type of the manifest. A long recording is never stored densely as a whole."""

    def __init__(self, name: str, signal: Signal, value: SSAValue, dtype: str):
        self.name, self.signal, self.value, self.dtype = name, signal, value, np.dtype(dtype)

    def __getitem__(self, place: tuple[slice, slice]) -> AnyArray:
        """Returns the values of a window. Errors: SIM021."""
        samples, ticks = place
        window = self.signal.window(samples, ticks)
        found = convert_window(self.name, window, self.value, ticks.start, self.dtype)
        return np.ascontiguousarray(np.swapaxes(found, 0, 1))
