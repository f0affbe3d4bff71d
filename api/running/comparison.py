"""Comparison of two sets of arrays: equality, the first difference, and similarity.

| word | meaning |
| --- | --- |
| differing | entries with `|a - b| > tolerance`; NaN equals NaN, -0.0 equals 0.0, bool compares as 0 and 1 |
| first | the first such entry in the order of sample, tick (of a) and flat index of the neuron |
| max_abs | the largest |a - b|, also within the tolerance; infinite where one of them is NaN |
| relative_error | root mean square of the differences, relative to that of a; 0 if both are zero, 1 if only a is; None with infinities or NaN |
| rate_cosine | cosine of the two vectors of counts per neuron, summed over ticks and samples |
| bin_cosine | cosine over all entries; 1 if both are zero, 0 if one of them is |
| best_shift | N in -16..16 with the fewest differences between row t of a and row t + N of b, the smallest |N| on ties; rows without a partner are compared with zeros, so that a short overlap of silent rows does not win |

Files of `run` specify whether an array has an axis of samples. In other files, arrays of rank 3 and 5 are
`[samples, ticks, …]`, all others `[ticks, …]`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Literal, NoReturn, cast

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from ...core.diagnostics import Code, ExitCode, first_of, near_names, near_notes, refuse
from ...core.help_text import Phrase, other_key
from ...core.progress import Progress, report_part, require_progress
from ...simulation.stimuli import SIM006, load_arrays
from ..budgets import MaxTime, with_max_time
from ..json_record import Record
from ..judging.loss_tally import relative
from ..unit_values import refuse_option

RUN013 = Code("RUN013", "array-names-unmatched", "the names of arrays cannot be matched", exit_code=ExitCode.MISUSED)

Shift = int | Literal["auto"]
Arrays = str | Path | Mapping[str, ArrayLike] | NDArray[Any]

LISTED = 20
"""Largest number of names in a message."""
NAMELESS = "array"
"""Name of the array of a `.npy`; the name of the other side's array is used instead if that side has a single array."""

SHIFTS = sorted(range(-16, 17), key=lambda n: (abs(n), -n))
"""Candidate shifts, the smallest first; a positive shift precedes the negative one."""


@frozen
class First(Record):
    """First difference of two arrays."""

    sample: int | None
    tick: int
    index: int
    a: int | float
    b: int | float

    @property
    def place(self) -> str:
        sample = "" if self.sample is None else f"sample {self.sample}, "
        return f"{sample}tick {self.tick}, index {self.index}"


@frozen
class Difference(Record):
    """Comparison of two arrays of one name; only the shapes are known if they differ."""

    equal: bool
    shape_a: tuple[int, ...]
    shape_b: tuple[int, ...]
    differing: int | None = None
    first: First | None = None
    max_abs: float | None = None
    relative_error: float | None = None
    rate_cosine: float | None = None
    bin_cosine: float | None = None
    best_shift: int | None = None


@frozen
class Comparison(Record):
    """Comparison of two files of arrays: the record `nopt.compare/1`."""

    SCHEMA = "nopt.compare/1"

    equal: bool
    tolerance: float
    arrays: dict[str, Difference]
    only_in_a: tuple[str, ...]
    only_in_b: tuple[str, ...]


@with_max_time
def compare(
    a: Arrays,
    b: Arrays,
    *,
    tolerance: float = 0.0,
    shift: Shift = 0,
    samples: bool | None = None,
    names: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
) -> Comparison:
    """Compares two `.npz`, `.npy` or `.h5` files, folders of `.npy` files, mappings of arrays, or arrays.

        nopt.compare("a.npz", "b.npz", tolerance=1e-6).equal

    `tolerance` is absolute. `shift`: row t of a is compared with row t + shift of b, over the overlap; `"auto"` takes the best
    shift of each array. `samples`: whether arrays have an axis of samples, if the files do not specify it. `names` maps names of a to names of b:
    `{"out": "output"}`; the others are compared under their own name. `progress` counts arrays.

    Errors: RUN013 a name that a file does not have, or two arrays of one name; API022 a tolerance that is negative or NaN, or a shift
    that leaves no tick to compare; COR008, SIM005, SIM006 files that cannot be read.
    """
    require_progress(progress)
    if not tolerance >= 0:
        refuse_option("--tolerance", tolerance, "a number of 0 or more", "1e-6")
    arrays_a, marked_a = named_arrays(a)
    arrays_b, marked_b = named_arrays(b)
    if list(arrays_a) == [NAMELESS] and len(arrays_b) == 1:
        arrays_a = {next(iter(arrays_b)): arrays_a[NAMELESS]}
    elif list(arrays_b) == [NAMELESS] and len(arrays_a) == 1:
        arrays_b = {next(iter(arrays_a)): arrays_b[NAMELESS]}
    arrays_a = rename_arrays(arrays_a, arrays_b, names or {})
    marked = marked_a if samples is None and marked_a is not None else marked_b if samples is None else samples
    common = dict[str, Difference]()
    both = [name for name in arrays_a if name in arrays_b]
    for name in both:
        report_part(progress, len(common), len(both))
        require_overlap(name, arrays_a[name], arrays_b[name], shift, marked)
        common[name] = difference(arrays_a[name], arrays_b[name], tolerance, shift, marked)
    only_a = tuple(name for name in arrays_a if name not in arrays_b)
    only_b = tuple(name for name in arrays_b if name not in arrays_a)
    equal = not only_a and not only_b and all(found.equal for found in common.values())
    return Comparison(equal, float(tolerance), common, only_a, only_b)


def rename_arrays(
    arrays: dict[str, NDArray[Any]], others: Mapping[str, NDArray[Any]], names: Mapping[str, str]
) -> dict[str, NDArray[Any]]:
    """Returns arrays by the names of the other side. Errors: RUN013."""
    for one, other in names.items():
        for name, known, side in ((one, arrays, "A"), (other, others, "B")):
            if name not in known:
                near = (near_names(name, known) or list(known) or ["NAME"])[0]
                help = (
                    Phrase(other_key("--map", one, near, other)) if side == "A" else f"--map {quote(f'{one}={near}')}"
                )
                message, listed, notes = (
                    f"{side} has no array {name}",
                    first_of(list(known), LISTED),
                    near_notes(name, known),
                )
                refuse_names(message, f"{one}={other}", listed, name, help, notes)
    renamed = {names.get(name, name): array for name, array in arrays.items()}
    if len(renamed) < len(arrays):
        one, twice = next(pair for pair in names.items() if pair[1] in arrays and pair[1] not in names)
        expected = "a different name for each array"
        refuse_names(
            f"two arrays of A have the name {twice}", f"{one}={twice}", expected, twice, f"leave {one}={twice} out"
        )
    return renamed


def refuse_names(message: str, pair: str, expected: str, found: str, help: str, notes: Sequence[str] = ()) -> NoReturn:
    refuse(RUN013, message, at=f"--map {pair}", expected=expected, found=found, help=help, notes=notes)


def named_arrays(given: Arrays) -> tuple[dict[str, NDArray[Any]], bool | None]:
    """Returns arrays by name, and whether they have an axis of samples, if the file specifies it."""
    marked: bool | None = None
    file = None
    found: Any = given
    if isinstance(given, str | Path):
        file = str(given)
        found, marked = load_folder(given) or load_arrays(given)
    arrays = cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {NAMELESS: found}
    gathered = {str(name): np.asarray(array) for name, array in arrays.items()}
    for name, array in gathered.items():
        if array.dtype.kind not in "biuf":
            refuse(
                SIM006,
                at=f'"{name}"',
                file=file,
                expected="bool, integers or floats",
                found=str(array.dtype),
                help="numpy.save('x.npy', x.astype('float32'))",
            )
    return gathered, marked


def load_folder(path: str | Path) -> tuple[dict[str, Any], None] | None:
    """Returns the arrays of the `.npy` files in a folder, as the program of a C artefact writes them; None if there are none."""
    files = sorted(Path(path).glob("*.npy")) if os.path.isdir(path) else []
    return ({file.stem: load_arrays(file)[0] for file in files}, None) if files else None


def has_sample_axis(array: NDArray[Any], samples: bool | None) -> bool:
    """Returns whether the first axis is that of samples. None: decided by the number of axes, `[samples, ticks, neurons]` or with maps."""
    return array.ndim in (3, 5) if samples is None else samples and array.ndim > 1


def require_overlap(name: str, a: NDArray[Any], b: NDArray[Any], shift: Shift, samples: bool | None) -> None:
    """Refuses a shift after which two arrays of the same shape have no common tick: they would be equal. Errors: API022."""
    if shift == "auto" or a.shape != b.shape or not a.size:
        return
    ticks = a.shape[int(has_sample_axis(a, samples))] if a.ndim else 1
    if abs(shift) >= ticks:
        refuse_option("--shift", shift, f'fewer than the {ticks} ticks of "{name}"', "auto")


def difference(
    a: NDArray[Any], b: NDArray[Any], tolerance: float, shift: Shift, samples: bool | None = None
) -> Difference:
    """Compares two arrays, `[samples, ticks, …]` or `[ticks, …]`."""
    if a.shape != b.shape:
        return Difference(False, a.shape, b.shape)
    shape = a.shape
    has_samples = has_sample_axis(a, samples)
    if not has_samples:
        a, b = a[None], b[None]
    a, b = (x.reshape(*(*x.shape, 1)[:2], -1) if x.size else x.reshape(*(*x.shape, 1)[:2], 0) for x in (a, b))
    best = 0
    if differs(a, b, tolerance).any():
        best = min((n for n in SHIFTS if abs(n) < a.shape[1]), key=lambda n: count_misfits(a, b, n, tolerance))
    n = best if shift == "auto" else shift
    a, b = overlapping_rows(a, b, n)
    wrong = differs(a, b, tolerance)
    first = first_difference(wrong, a, b, 0 if has_samples else None, max(-n, 0))
    apart = differs(a, b, 0.0)
    distance = np.abs(as_float64(a[apart]) - as_float64(b[apart]))
    return Difference(
        equal=first is None,
        shape_a=shape,
        shape_b=shape,
        differing=int(wrong.sum()),
        first=first,
        max_abs=float(np.where(np.isnan(distance), np.inf, distance).max(initial=0.0)),
        relative_error=relative(
            float(np.square(distance).sum()), float(np.square(as_float64(a)).sum()), bool(np.isfinite(distance).all())
        ),
        rate_cosine=cosine(a.sum((0, 1), np.float64), b.sum((0, 1), np.float64)),
        bin_cosine=cosine(as_float64(a).reshape(-1), as_float64(b).reshape(-1)),
        best_shift=best,
    )


def first_difference(
    wrong: NDArray[np.bool_], a: NDArray[Any], b: NDArray[Any], sample: int | None, tick: int = 0
) -> First | None:
    """Returns the first of the wrong entries of `[samples, ticks, neurons]`; `sample` and `tick` are the indices of the first row."""
    if not wrong.any():
        return None
    place = tuple(int(n) for n in np.unravel_index(int(wrong.argmax()), wrong.shape))
    values = [x[place].item() for x in (a, b)]
    numbers = [int(value) if isinstance(value, bool) else value for value in values]
    return First(None if sample is None else sample + place[0], tick + place[1], place[2], *numbers)


def overlapping_rows(a: NDArray[Any], b: NDArray[Any], n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns the ticks in which `a` and `b`, shifted by n, overlap: row t of `a` with row t + n of `b`."""
    rows = max(a.shape[1] - abs(n), 0)
    return a[:, max(-n, 0) :][:, :rows], b[:, max(n, 0) :][:, :rows]


def count_misfits(a: NDArray[Any], b: NDArray[Any], n: int, tolerance: float) -> int:
    """Returns the number of differences at a shift; rows without a partner are compared with zeros."""
    rows = a.shape[1] - abs(n)
    alone = (a[:, rows:], b[:, :n]) if n >= 0 else (a[:, :-n], b[:, rows:])
    pairs = [overlapping_rows(a, b, n), *((x, np.zeros_like(x)) for x in alone)]
    return sum(int(differs(x, y, tolerance).sum()) for x, y in pairs)


def as_float64(x: NDArray[Any]) -> NDArray[np.float64]:
    return x.astype(np.float64)


def differs(a: NDArray[Any], b: NDArray[Any], tolerance: float) -> NDArray[np.bool_]:
    """Returns a mask of the entries that differ by more than the tolerance."""
    exact = {a.dtype.kind, b.dtype.kind} <= set("biu")
    unequal = a != b
    if not exact:
        unequal &= ~(np.isnan(a) & np.isnan(b))
    if tolerance and unequal.any():
        with np.errstate(invalid="ignore"):
            unequal &= ~(np.abs(as_float64(a) - as_float64(b)) <= tolerance)
    return unequal


def cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float | None:
    """Returns the cosine of two vectors; None if it is not a number."""
    top = max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0))
    if not np.isfinite(top):
        return None
    if not a.any() or not b.any():
        return float(a.any() == b.any())
    if np.array_equal(a, b):
        return 1.0
    a, b = a / np.abs(a).max(), b / np.abs(b).max()  # squares neither overflow nor vanish
    return float(np.clip(a @ b / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))
