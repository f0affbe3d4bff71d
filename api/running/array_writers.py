"""Files of arrays that `run -o` writes. The suffix of the file determines the format.

| suffix | file |
| --- | --- |
| `.npz` | one array for each name; the same bytes for the same arrays |
| `.npy` | the only array |
| `.csv` | one line for each tick of each sample, one column for each neuron: `NAME[index]`, as `csv_text` writes names |
| `.h5` | HDF5, a data file of the `nir` package (`simulation/nir_data.py`) |

Leading axes are as in the input. An existing file that is not regular, such as a pipe, gets a `.npz`.
"""

from __future__ import annotations

import csv
import io
import os
import zipfile
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from itertools import product
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...core.diagnostics import Code, ExitCode, quote_names, refuse
from ...core.output import csv_text
from ...simulation.nir_data import write_nir_data
from ...simulation.stimuli import MARK, MARK_SAMPLES
from ..atomic_files import whole

RUN022 = Code("RUN022", "output-suffix-unknown", "unknown suffix of the output", exit_code=ExitCode.MISUSED)
RUN023 = Code("RUN023", "format-holds-single-array", "the format contains a single array")
RUN024 = Code("RUN024", "h5-cannot-hold-arrays", "a .h5 cannot contain the arrays")

Arrays = Mapping[str, NDArray[Any]]


@frozen
class Origin:
    """Properties of a run that its arrays do not contain."""

    has_samples: bool
    tick_ns: int | None = None
    nodes: Collection[str] | None = None
    """Array names that are nodes; all other arrays are states. None: all arrays are nodes."""


ArrayWriter = Callable[[IO[bytes], Arrays, Origin], None]


def write_npz(file: IO[bytes], arrays: Arrays, origin: Origin) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.comment = MARK_SAMPLES if origin.has_samples else MARK
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")  # its date is 1980, always
            entry.external_attr, entry.create_system = 0o644 << 16, 3
            with archive.open(entry, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)


def write_npy(file: IO[bytes], arrays: Arrays, origin: Origin) -> None:
    """Errors: RUN023 several arrays, or none."""
    if len(arrays) != 1:
        refuse(
            RUN023,
            f"a .npy contains one array, not {len(arrays)}",
            at="-o",
            expected="one output and no record",
            found=quote_names(arrays) if arrays else "no output",
            help="-o out.npz",
        )
    (array,) = arrays.values()
    np.lib.format.write_array(file, np.asarray(array, order="C"), allow_pickle=False)


def write_csv(file: IO[bytes], arrays: Arrays, origin: Origin) -> None:
    has_samples = origin.has_samples
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    lines = csv.writer(text, lineterminator="\n")
    columns = [
        csv_text(f"{name}[{','.join(map(str, place))}]")
        for name, array in arrays.items()
        for place in product(*(range(size) for size in array.shape[1 + has_samples :]))
    ]
    lines.writerow([*(["sample"] if has_samples else []), "tick", *columns])
    stacked = [array if has_samples else array[None] for array in arrays.values()]
    flat = [array.reshape(*array.shape[:2], prod(array.shape[2:])) for array in stacked]
    samples, ticks = flat[0].shape[:2] if flat else (0, 0)
    for sample, tick in product(range(samples), range(ticks)):
        values = [value for array in flat for value in cell_values(array[sample, tick])]
        lines.writerow([*([sample] if has_samples else []), tick, *values])
    text.detach()


def cell_values(array: NDArray[Any]) -> list[Any]:
    """Returns the values of an array for CSV: spikes are 0 and 1."""
    return (array.astype(np.int8) if array.dtype.kind == "b" else array).tolist()


def write_h5(file: IO[bytes], arrays: Arrays, origin: Origin) -> None:
    """Errors: RUN024 no tick, or a name that HDF5 does not have."""
    if origin.tick_ns is None:
        expected = "the time step of the arrays"
        refuse(RUN024, "a .h5 contains the time step", at="tick_ns", expected=expected, found="none", help="-o out.npz")
    if (wrong := next((name for name in arrays if "/" in name or name == "."), None)) is not None:
        refuse(
            RUN024,
            f'HDF5 has no name "{wrong}"',
            at=f'"{wrong}"',
            expected="names without /",
            found=wrong,
            help="-o out.npz",
        )
    nodes = arrays if origin.nodes is None else origin.nodes
    file.write(write_nir_data(arrays, nodes, origin.tick_ns, has_samples=origin.has_samples))


WRITERS: dict[str, ArrayWriter] = {
    ".npz": write_npz,
    ".npy": write_npy,
    ".csv": write_csv,
    ".h5": write_h5,
}


def writer_of(path: str | Path) -> ArrayWriter:
    """Returns the writer for a file by its suffix. Errors: RUN022 an unknown suffix."""
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix in WRITERS:
        return WRITERS[suffix]
    if os.path.exists(target) and not os.path.isfile(target):
        return write_npz
    near = get_close_matches(suffix, WRITERS, 1)
    refuse(
        RUN022,
        f"unknown format {suffix} of arrays" if suffix else "the output has no suffix, which names its format",
        at=f"-o {path}",
        expected=f"one of {', '.join(WRITERS)}",
        found=suffix or "no suffix",
        help=f"-o {target.with_suffix(near[0] if near else '.npz') if target.name else 'out.npz'}",
    )


def save(
    path: str | Path,
    arrays: Arrays,
    *,
    has_samples: bool,
    tick_ns: int | None = None,
    nodes: Collection[str] | None = None,
) -> None:
    """Writes arrays in the format that the suffix of the file names: `.npz`, `.npy`, `.csv` or `.h5`.

        save("out.npz", {"output": spikes}, has_samples=False)
        save("out.h5", {"lif": spikes, "lif.v": v}, has_samples=False, tick_ns=1_000_000, nodes=["lif"])

    The bytes depend on the arguments alone, and a `.npz` contains whether the arrays have an axis of samples. A `.h5` is a data file of the
    `nir` package with the time step `tick_ns`; `nodes` are the names of arrays that are nodes, by default all; the others are states, `NODE.STATE`.

    Errors: RUN022 another suffix; RUN023 a `.npy` of several arrays; RUN024 a `.h5` without a time step; API012 it cannot be written.
    """
    write = writer_of(path)
    with whole(path) as file:
        write(file, arrays, Origin(has_samples, tick_ns, nodes))
