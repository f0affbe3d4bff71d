"""Tables of a sweep: a row for each point, as CSV and as Parquet. The same sweep has the same bytes.

| column | type in Parquet |
| --- | --- |
| `device`, of a sweep over devices | text |
| each key | integer, real or text |
| `best` | boolean |
| `cores`, `memory_bytes`, `frame_ticks`, `latency_ticks`, `weight_bytes` | integer |
| other figures | real |
| `fits`, `per`, `code`, `pipeline` | text |

An unknown figure is empty in CSV and null in Parquet.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from ...core.diagnostics import Code, refuse
from ...core.output import csv_text
from ...core.packages import is_installed
from .points import LOSS_FIGURES, Point, value_of
from .ranges import RANGE_COLUMNS
from .result import Sweep

SWE013 = Code("SWE013", "extra-package-missing", "a package of an extra is missing")

COSINES, WEIGHTS = ("rate_cosine", "bin_cosine"), ("weight_error", "weight_bytes")
MEASURED = ("accuracy", *LOSS_FIGURES, *COSINES, *WEIGHTS)
ON_DEVICE = ("fits", "cores", "memory_bytes", *RANGE_COLUMNS, "per", "frame_ticks", "latency_ticks")
TEXTS, FLAGS = ("device", "fits", "per", "code", "pipeline"), ("best",)
INTEGERS = ("cores", "memory_bytes", "frame_ticks", "latency_ticks", "weight_bytes")


def columns_of(swept: Sweep) -> dict[str, list[Any]]:
    """Returns the columns of a sweep, with an entry for each point."""
    has_devices = bool(swept.devices)
    points = swept.points
    keys = {key: [point.options[key] for point in points] for key in swept.keys}
    figures = (*(ON_DEVICE if has_devices else ()), *MEASURED, "code")
    return {
        **({"device": [point.device for point in points]} if has_devices else {}),
        **keys,
        **{name: [column_value(point, name) for point in points] for name in figures},
        "best": [point.is_best for point in points],
        "pipeline": [point.pipeline for point in points],
    }


def column_value(point: Point, name: str) -> Any:
    """Returns a figure of a point, also one of its loss."""
    return value_of(point, name) if name in LOSS_FIGURES else getattr(point, name)


def csv_table(swept: Sweep) -> bytes:
    """Formats a sweep as CSV; the digits of numbers suffice for an exact round trip."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    columns = columns_of(swept)
    rows.writerow(map(csv_text, columns))
    for k in range(len(swept.points)):
        rows.writerow([entry_text(name, entries[k]) for name, entries in columns.items()])
    return text.getvalue().encode()


def entry_text(name: str, value: Any) -> Any:
    """Returns an entry of CSV. It is empty for an unknown value, and in the column `best` for all other points."""
    if isinstance(value, bool):
        return "yes" if value else "" if name == "best" else "no"
    return "" if value is None else csv_text(value) if isinstance(value, str) else value


def parquet_table(swept: Sweep) -> bytes:
    """Returns a sweep as Parquet. Raises ModuleNotFoundError without pyarrow."""
    arrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    fixed = dict.fromkeys(TEXTS, arrow.string()) | dict.fromkeys(FLAGS, arrow.bool_())
    fixed |= dict.fromkeys(INTEGERS, arrow.int64())
    arrays: dict[str, Any] = {}
    for name, entries in columns_of(swept).items():
        if name in swept.keys:
            kind = {"int": arrow.int64(), "float": arrow.float64(), "str": arrow.string()}[kind_of_values(entries)]
            entries = [str(one) for one in entries] if kind == arrow.string() else entries
        else:
            kind = fixed.get(name, arrow.float64())
        arrays[name] = arrow.array(entries, kind)
    out = io.BytesIO()
    parquet.write_table(arrow.table(arrays), out)
    return out.getvalue()


def kind_of_values(entries: Sequence[Any]) -> str:
    """Returns the type of the values of a key: `int`, `float`, or `str` if one of them is a text."""
    if all(isinstance(one, int) for one in entries):
        return "int"
    return "float" if all(isinstance(one, int | float) for one in entries) else "str"


# ---- files

TABLES: dict[str, Callable[[Sweep], bytes]] = {".csv": csv_table, ".parquet": parquet_table}
"""Formats of a table by the suffix of its file."""
PACKAGES = {".parquet": ("pyarrow", "parquet")}
"""Package and extra of a format, where it needs one."""


def is_table(path: str | Path) -> bool:
    """Returns whether an output is the file of a table, and not a folder."""
    return Path(path).suffix in TABLES and not os.path.isdir(path)


def require_table(path: str | Path) -> None:
    """Refuses a table whose package is not installed. Errors: SWE013."""
    package, extra = PACKAGES.get(Path(path).suffix, ("", "")) if is_table(path) else ("", "")
    if package and not is_installed(package):
        refuse_package(f"-o {path}", package, extra)


def refuse_package(at: str, package: str, extra: str) -> NoReturn:
    """Refuses an option whose package is not installed. Errors: SWE013."""
    refuse(
        SWE013,
        f"{package} is not installed",
        at=at,
        expected=f"{package}, which the extra {extra} brings",
        found="none",
        help=f"pip install 'nopt[{extra}]'",
    )
