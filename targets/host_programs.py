"""Host programs of artefacts in this process: an engine runs the files that `nopt compile` writes, with the program that runs them elsewhere.

The files are in a private temporary folder for as long as the network is used. The program is imported as a module; it reads the manifest
and the arrays next to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ..core.arrays.numeric import AnyArray
from ..core.target import Pieces
from ..simulation.elements import result_dtype
from ..simulation.records import Watched
from ..simulation.runs import convert_window
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


def rows_of(
    entries: Sequence[Mapping[str, Any]], signals: Mapping[str, Signal], values: Mapping[str, SSAValue]
) -> dict[str, Rows]:
    """Returns the inputs of a manifest as host programs read them."""
    return {one["name"]: Rows(one["name"], signals[one["name"]], values[one["name"]], one["dtype"]) for one in entries}


def results_of(found: Mapping[str, AnyArray], watched: Mapping[str, Watched]) -> dict[str, AnyArray]:
    """Returns results in the order and types of the reference."""
    return {name: found[name].astype(result_dtype(one.type), copy=False) for name, one in watched.items()}
