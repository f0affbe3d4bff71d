"""Inputs of verbs as options of passes, as files, and independent of the working directory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import numpy as np
from attrs import evolve
from xdsl.passes import ModulePass

from ..core.device.records import Device
from ..core.files import read_bytes
from ..passes.pipelines import calibrate
from ..simulation.axes import OrderedInput, parse_axes
from ..simulation.generated_inputs import is_generated
from ..simulation.signals import DenseSignal, EventSignal
from .running.array_writers import Origin, write_npz

SAMPLE_FILE = "calib.npz"
"""File in a build with the sample input, if that is not in a file."""


def calibration_pass(
    calib: Any, axes: str | tuple[str, ...] | None, device: Device | None = None, later: Sequence[ModulePass] = ()
) -> list[ModulePass]:
    """Returns the calibration pass for a sample input, for a device if it is known, and for the passes of the user after it; an empty list without an input. Errors: SIM012."""
    if isinstance(calib, OrderedInput):
        calib, axes = calib.given, calib.axes
    order = None if axes is None else parse_axes(axes)
    return [] if calib is None else [calibrate(calib, order, SAMPLE_FILE, device, later)]


def sample_bytes(calib: Any, axes: str | tuple[str, ...] | None, inputs: Sequence[str]) -> bytes | None:
    """Serialises a sample input to the content of a `.npz` with the same order of axes; None if the input is a file or missing."""
    if isinstance(calib, OrderedInput):
        calib, axes = calib.given, calib.axes
    if calib is None or isinstance(calib, str | Path):
        return None
    order = None if axes is None else parse_axes(axes)
    entries = cast("Mapping[str, Any]", calib) if isinstance(calib, Mapping) else {inputs[0]: calib}
    arrays = {key: part for name, entry in entries.items() for key, part in sample_arrays(name, entry, order)}
    content = BytesIO()
    write_npz(content, arrays, Origin(False))
    return content.getvalue()


def sample_arrays(name: str, entry: Any, order: tuple[str, ...] | None) -> Iterator[tuple[str, Any]]:
    """Yields the arrays of one input, by their names in a `.npz`. `order` applies only to arrays: signals are `[samples, ticks, …]`."""
    match entry:
        case EventSignal():
            yield from ((f"{name}/{part}", array) for part, array in entry.arrays().items())
        case DenseSignal():
            values = entry.values[0] if order == ("ticks",) else entry.values
            yield name, values.swapaxes(0, 1) if order == ("ticks", "samples") else values
        case Mapping():
            parts = cast("Mapping[str, Any]", entry)
            yield from ((f"{name}/{part}", np.asarray(array)) for part, array in parts.items())
        case _:
            yield name, np.asarray(entry)


def input_bytes(path: str | Path) -> bytes:
    """Returns the bytes that identify an input: the content of a file, or the text of a generated input. Errors: COR008."""
    return str(path).encode() if is_generated(path) else read_bytes(path)


def input_records(sample: bytes | None, **given: Any) -> list[dict[str, str]]:
    """Returns name and hash of each input that is a file, by its role; reports of different inputs differ. The folder is left out.

    A generated input is its text. A sample input of arrays is the file that the build has of it, with the content `sample`.
    """
    written = {} if sample is None else {"calib": sample}
    files = {role: SAMPLE_FILE if role in written else path for role, path in given.items()}
    files = {role: path for role, path in files.items() if isinstance(path, str | Path)}
    contents = {role: written.get(role) or input_bytes(path) for role, path in files.items()}
    return [
        {"role": role, "name": Path(path).name, "sha256": sha256(contents[role]).hexdigest()}
        for role, path in files.items()
    ]


def absolute(given: Any) -> Any:
    """Returns an input with an absolute path if it is a file, else the input itself."""
    if isinstance(given, OrderedInput):
        return evolve(given, given=absolute(given.given))
    if is_generated(given):
        return given
    return str(Path(given).absolute()) if isinstance(given, str | Path) else given
