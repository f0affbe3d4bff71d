"""Input arrays: the forms that `--input` and similar options accept.

| input | content |
| --- | --- |
| `.npy`, or an array | one sample `[ticks, *shape]`, several `[samples, ticks, *shape]`; for shape `[1]` also `[ticks]` |
| `.npz`, or a mapping | one such array per input, by the name of its node |
| `.npz` of events | `tick`, `index`, `shape`, `ticks`; `value`; `sample` with `samples`; several inputs: `NAME/tick`, … |
| `.csv` of events | a line for each event (`event_tables.py`) |
| data of the `nir` package | HDF5: one observable per input; its time step must be the tick of the network |
| `poisson:0.1`, `constant:1`, `zeros` | generated for each input (`generated_inputs.py`) |

An input may specify the order of samples and ticks (`axes.py`). The content decides, not the file name; pickled objects are never loaded.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any, cast

import numpy as np
from attrs import evolve, frozen
from numpy.typing import ArrayLike, NDArray

from ..core.arrays.allowance import Oversized
from ..core.arrays.numpy_files import MAGIC, Pickled, Unreadable, load_npy, load_npz
from ..core.counts import LARGEST_COUNT
from ..core.diagnostics import (
    MOST_NAMES,
    Code,
    Diagnostics,
    Refused,
    first_of,
    near_names,
    near_notes,
    quote_names,
    refuse,
)
from ..core.files import is_hdf5, read_head, unreadable
from ..core.help_text import MissingOptions, Phrase
from .axes import OrderedInput, refuse_axes, warn_of_time
from .event_tables import is_table, read_table
from .generated_inputs import generate, is_generated
from .nir_data import nir_arrays, nir_stimulus
from .signals import DenseSignal, EventSignal, Signal

SIM005 = Code("SIM005", "file-without-arrays", "a file holds no arrays")
SIM006 = Code("SIM006", "array-without-numbers", "an array holds no numbers")
SIM007 = Code("SIM007", "arrays-mismatch-inputs", "the arrays do not match the inputs")
SIM008 = Code("SIM008", "array-shape-mismatch", "the shape of an array does not fit its input")
SIM009 = Code("SIM009", "input-lengths-differ", "the inputs do not have equal samples and ticks")
SIM010 = Code("SIM010", "events-incomplete", "the events of a file are not complete")
SIM016 = Code("SIM016", "arrays-exceed-byte-limit", "the arrays of a file exceed the limit of bytes")

EVENT_KEYS = ("tick", "index", "shape", "ticks", "value", "sample", "samples")
MARK = b"nopt.arrays/1"
MARK_SAMPLES = MARK + b" samples"

Given = str | Path | ArrayLike | Signal | Mapping[str, ArrayLike | Signal] | OrderedInput
"""The input of a run: a file, an array, a signal, or one of these per input; or an `OrderedInput` of these."""


@frozen
class Stimulus:
    """All inputs of a run."""

    signals: dict[str, Signal]
    samples: int
    ticks: int
    has_samples: bool
    """Whether the input arrays have an axis of samples; the outputs have one in the same case."""

    def groups(self, sample_bytes: int, room_bytes: int) -> Iterator[tuple[slice, dict[str, DenseSignal]]]:
        """Yields groups of samples that fit into a memory limit, at least one sample each, with their signals over all ticks."""
        together, ticks = max(1, room_bytes // max(1, sample_bytes)), slice(0, self.ticks)
        for start in range(0, self.samples, together):
            some = slice(start, min(start + together, self.samples))
            parts = {name: np.swapaxes(signal.window(some, ticks), 0, 1) for name, signal in self.signals.items()}
            yield some, {name: DenseSignal(part) for name, part in parts.items()}

    def extent(self, ticks: int | None = None) -> str:
        """Formats samples and ticks, `20 samples x 100 ticks`, with the ticks of the run if they differ."""
        size = extent(self.samples, self.ticks if ticks is None else ticks)
        return size if ticks is None or ticks == self.ticks else f"{size} ({self.ticks} in the input)"


def extent(samples: int, ticks: int) -> str:
    """Formats samples and ticks."""
    return f"{samples} sample{'s' * (samples != 1)} x {ticks} tick{'s' * (ticks != 1)}"


def stimulus(
    given: Given,
    inputs: Mapping[str, tuple[int, ...]],
    tick_ns: int | None = None,
    diagnostics: Diagnostics | None = None,
) -> Stimulus:
    """Returns the signals for the inputs of a network, from a file or from arrays.

    Errors: COR008, SIM005, SIM006, SIM007, SIM008, SIM009, SIM010, SIM011, SIM012, SIM014, SIM015, SIM016; SIM027, SIM028 events that do not fit; SIM030 a value that is not finite.
    Warnings: SIM013 the first axis may be time.
    """
    axes = given.axes if isinstance(given, OrderedInput) else None
    given = given.given if isinstance(given, OrderedInput) else given
    file = str(given) if isinstance(given, str | Path) else None
    if axes is not None and is_generated(given):
        refuse_axes(axes, f"{given}, a generated input of [samples, ticks, ...]")
    found: Any = load_stimulus(given, inputs, tick_ns) if isinstance(given, str | Path) else given
    if not isinstance(found, Mapping):
        if len(inputs) != 1:
            refuse(
                SIM007,
                f"one array for {len(inputs)} inputs",
                file=file,
                expected=f"one array for each of {quote_names(inputs)}",
                found="one array without a name",
                help=savez_help(inputs),
            )
        found = {next(iter(inputs)): found}
    signals: dict[str, Signal] = {}
    samples: dict[str, int | None] = {}
    entries = inputs_by_name(cast("Mapping[str, Any]", found), inputs, file)
    if axes is not None and all(has_own_axes(entry) for entry in entries.values()):
        refuse_axes(axes, "events or signals, which name their ticks and samples" if entries else "no input", file)
    for name, entry in entries.items():
        if isinstance(entry, Mapping):
            signals[name], samples[name] = events(cast("Mapping[str, Any]", entry), name, inputs[name], file)
        else:
            signals[name], samples[name] = dense(entry, name, inputs[name], file, axes)
        with locate_refusals(name, file):
            signals[name].require_finite()
        if axes is None and diagnostics is not None and samples[name] is not None and not has_own_axes(entry):
            warn_of_time(np.asarray(entry), name, file, diagnostics)
    for what in ("samples", "ticks"):
        counts = {name: getattr(signal, what) for name, signal in signals.items()}
        if len(set(counts.values())) > 1:
            refuse(
                SIM009,
                f"the inputs do not have equal {what}",
                file=file,
                expected=f"equal {what} for all inputs",
                found=first_of([f"{count} for {name}" for name, count in counts.items()], MOST_NAMES),
                help=savez_help(inputs),
            )
    first = next(iter(signals.values()), None)
    return Stimulus(
        signals,
        first.samples if first else 1,
        first.ticks if first else 0,
        any(count is not None for count in samples.values()),
    )


def savez_help(inputs: Mapping[str, Any]) -> str:
    if len(inputs) > MOST_NAMES:
        return "numpy.savez('x.npz', **arrays), where arrays has an array for each input"
    entries = ", ".join(f"{name!r}: x{k}" for k, name in enumerate(inputs))
    return f"numpy.savez('x.npz', **{{{entries}}})"


# ---- files


def load_stimulus(path: str | Path, inputs: Mapping[str, tuple[int, ...]], tick_ns: int | None) -> Any:
    """Loads the file of an input: one array, arrays by name, or the arrays of events by name."""
    if is_generated(path):
        return generate(str(path), inputs)
    head = read_head(path)
    with within_allowance(path):
        if is_hdf5(head):
            return nir_stimulus(path, inputs, tick_ns)
        if is_table(head, path):
            return read_table(path, inputs)
    return load_arrays(path)[0]


@contextmanager
def within_allowance(path: str | Path) -> Generator[None]:
    """Refuses a file whose arrays are too large. Errors: SIM016."""
    try:
        yield
    except Oversized as failure:
        found, most, name, limit = failure.args
        room = 1 << (found - 1).bit_length()  # further arrays can follow
        refuse(
            SIM016,
            at=f'"{name}"' if name else "",
            file=str(path),
            expected=f"at most {most} bytes in all arrays",
            found=f"{found} bytes or more",
            limit=most,
            value=found,
            help=f"{limit.option}{room}{limit.unit}"
            if limit.option and room <= LARGEST_COUNT
            else "numpy.savez('x.npz', **arrays), which does not compress",
        )


def load_arrays(path: str | Path) -> tuple[NDArray[Any] | dict[str, NDArray[Any]], bool | None]:
    """Returns the array of a `.npy`, or the arrays of a `.npz` or `.h5`, and whether they have an axis of samples, if the file specifies it.

    Errors: COR008; SIM005 not such a file; SIM006 pickled objects; SIM011 another HDF5 file; SIM016 arrays beyond a limit.
    """
    head = read_head(path)
    with within_allowance(path):
        return read_arrays(path, head)


def read_arrays(path: str | Path, head: bytes) -> tuple[NDArray[Any] | dict[str, NDArray[Any]], bool | None]:
    """Reads a file as `load_arrays` does; `head` is the start of its content. Errors: as `load_arrays`; Oversized."""
    if is_hdf5(head):
        return nir_arrays(path)
    try:
        if head.startswith(MAGIC):
            return load_npy(Path(path)), None
        if head.startswith(b"PK"):
            arrays, comment = load_npz(Path(path))
            return arrays, {MARK: False, MARK_SAMPLES: True}.get(comment)
        found, key = f"the first bytes are {head[:8].hex(' ') or 'none'}", ""
    except Pickled as failure:
        key = failure.args[1] if len(failure.args) > 1 else ""
        refuse(
            SIM006,
            "an array holds Python objects",
            at=f'"{key}"' if key else "",
            file=str(path),
            expected="numbers; pickled objects are never loaded",
            found="an array of objects",
            help="numpy.save('x.npy', x.astype('float32'))",
        )
    except Oversized:
        raise
    except Unreadable as failure:
        found, key = failure.args[0], failure.args[1] if len(failure.args) > 1 else ""
    except OSError as failure:
        unreadable(path, failure)
    refuse(
        SIM005,
        "the file holds no arrays that can be read",
        at=f'"{key}"' if key else "",
        file=str(path),
        expected="a .npy or .npz file of NumPy, or a data file of the nir package",
        found=str(found),
        help="numpy.save('x.npy', x)",
    )


# ---- entries


def inputs_by_name(found: Mapping[str, Any], inputs: Mapping[str, tuple[int, ...]], file: str | None) -> dict[str, Any]:
    """Returns the entries by input, in the order of the network: an array, a signal, or the arrays of its events."""
    entries: dict[str, Any] = {}
    stray: list[str] = []
    for key, value in found.items():
        name, slash, part = key.rpartition("/")
        if key in inputs:
            entries[key] = value
            continue
        if not slash and len(inputs) == 1:
            (name,) = inputs
        if name in inputs and part in EVENT_KEYS and name not in found:
            entries.setdefault(name, {})[part] = value
        else:
            stray.append(key)
    missing = [name for name in inputs if name not in entries]
    if stray or missing:
        near = near_names(stray[0], missing or list(inputs)) if stray else []
        refuse(
            SIM007,
            f'"{stray[0]}" is not an input of the network' if stray else f'the input "{missing[0]}" has no array',
            at=f'"{(stray or missing)[0]}"',
            file=file,
            expected=f"one array for each of {quote_names(inputs)}"
            if found
            else first_of([f'"{name}": {layouts(shape)}' for name, shape in inputs.items()], MOST_NAMES, "; "),
            found=quote_names(found),
            help=f'call it "{near[0]}"' if near else savez_help(inputs) if found or file else without_input(inputs),
            notes=near_notes(stray[0], inputs) if stray else (),
        )
    return {name: entries[name] for name in inputs}


def without_input(inputs: Mapping[str, tuple[int, ...]]) -> Phrase:
    """Returns the help of a run without an input: the command with a generated one."""
    return Phrase(MissingOptions(savez_help(inputs), (("input", "poisson:0.1"), ("ticks", "100"))))


def has_own_axes(entry: Any) -> bool:
    """Returns whether an entry defines its own samples and ticks: events, or a signal."""
    return isinstance(entry, (Mapping, EventSignal, DenseSignal))


def dense(
    entry: Any,
    name: str,
    shape: tuple[int, ...],
    file: str | None,
    axes: tuple[str, ...] | None = None,
) -> tuple[Signal, int | None]:
    """Converts an entry to a signal. Returns the signal, and its number of samples if the entry has an axis of samples."""
    if isinstance(entry, EventSignal | DenseSignal):
        if entry.shape != shape:
            refuse_shape(name, shape, file, f"a signal of shape {list(entry.shape)}", "")
        return entry, entry.samples
    array = np.asarray(entry)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        refuse(
            SIM006,
            "an array holds no numbers that a network can take",
            at=f'"{name}"',
            file=file,
            expected="bool, integers, float16, float32 or float64",
            found=str(array.dtype),
            help="numpy.save('x.npy', x.astype('float32'))",
        )
    if shape == (1,) and array.ndim == 1:
        array = array[:, None]
    rank, tail = len(shape), array.shape[array.ndim - len(shape) :]
    ranks = (rank + 1, rank + 2) if axes is None else (rank + len(axes),)
    if array.ndim not in ranks or tail != shape:
        refuse_shape(name, shape, file, f"shape {list(array.shape)}", reshape_help(array.shape, shape, axes), axes)
    if array.ndim == rank + 1:
        return DenseSignal(array[None]), None
    signal = DenseSignal(array.swapaxes(0, 1) if axes == ("ticks", "samples") else array)
    return signal, signal.samples


@contextmanager
def locate_refusals(name: str, file: str | None) -> Generator[None]:
    """Adds the input and its file to refusals of a signal."""
    try:
        yield
    except Refused as refusal:
        findings = [evolve(finding, node=name, file=file, at=f'"{name}", {finding.at}') for finding in refusal.findings]
        raise Refused(*findings) from None


def reshape_help(given: tuple[int, ...], shape: tuple[int, ...], axes: tuple[str, ...] | None) -> str:
    """Suggests the shape that keeps samples and ticks and splits the axes of the input, if they were flattened; else returns an empty text."""
    leads = (1, 2) if axes is None else (len(axes),)
    for lead in leads:
        if len(given) > lead and prod(given[lead:]) == prod(shape):
            return f"numpy.save('x.npy', x.reshape({', '.join(map(str, (*given[:lead], *shape)))}))"
    return ""


def layouts(shape: tuple[int, ...], axes: tuple[str, ...] | None = None) -> str:
    """Returns the axes of an array for an input: `[ticks, 64] or [samples, ticks, 64]`."""
    leads = [axes] if axes else [("ticks",), ("samples", "ticks")]
    return " or ".join(f"[{', '.join(map(str, (*lead, *shape)))}]" for lead in leads)


def refuse_shape(
    name: str, shape: tuple[int, ...], file: str | None, found: str, help: str, axes: tuple[str, ...] | None = None
) -> None:
    sizes = ", ".join(map(str, shape))
    refuse(
        SIM008,
        "the shape of the array does not fit the input",
        at=f'"{name}"',
        file=file,
        expected=layouts(shape, axes),
        found=found,
        help=help or f"give the last axes the sizes of the input: {sizes or 'none'}",
    )


def events(parts: Mapping[str, Any], name: str, shape: tuple[int, ...], file: str | None) -> tuple[Signal, int | None]:
    """Returns events as a signal, and the number of samples if it is given."""

    def incomplete(key: str, expected: str, found: str) -> None:
        help = f"numpy.savez('x.npz', tick=…, index=…, shape={list(shape)}, ticks=…)"
        refuse(
            SIM010,
            "the events are not complete",
            at=f'"{name}", {key}',
            file=file,
            expected=expected,
            found=found,
            help=help,
        )

    for key in ("tick", "index", "shape", "ticks"):
        if key not in parts:
            incomplete(key, "tick, index, shape and ticks", ", ".join(parts))
    if ("sample" in parts) != ("samples" in parts):
        incomplete("samples" if "sample" in parts else "sample", "sample and samples together", ", ".join(parts))
    for key, rank in (("shape", 1), ("ticks", 0), ("samples", 0)):
        if key in parts:
            array = np.asarray(parts[key])
            is_empty = key == "shape" and array.size == 0
            if array.ndim != rank or (array.dtype.kind not in "iu" and not is_empty) or (array < 0).any():
                what = "integers of one axis" if rank else "one integer, 0-d"
                incomplete(key, f"{what}, not negative", f"{array.dtype} of shape {list(array.shape)}")
    given = tuple(int(n) for n in np.asarray(parts["shape"]))
    if given != shape:
        refuse_shape(name, shape, file, f"events of shape {list(given)}", f"shape={list(shape)}")
    samples = int(parts["samples"]) if "samples" in parts else None
    with locate_refusals(name, file):
        signal = EventSignal(
            parts["tick"],
            parts["index"],
            shape=shape,
            ticks=int(parts["ticks"]),
            sample=parts.get("sample"),
            value=parts.get("value"),
            samples=1 if samples is None else samples,
        )
    return signal, samples
