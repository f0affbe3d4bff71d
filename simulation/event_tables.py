"""Events as a table: a `.csv` with one line for each event.

| column | content |
| --- | --- |
| `tick` | the tick, from 0 |
| `index` | the flat index of the neuron of the input |
| `value` | optional: the value of the event, 1 by default |
| `sample` | optional: the sample, from 0; without it there is one sample |
| `input` | the name of the input, for a network with several |

The first line names the columns, in any order. The table ends at the tick of the last event; `--ticks` extends it.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ..core.arrays.allowance import Allowance
from ..core.counts import LARGEST_COUNT, count_of
from ..core.diagnostics import Code, refuse
from ..core.files import is_hdf5, unreadable
from ..core.output import shortened

SIM015 = Code("SIM015", "event-table-unreadable", "a table of events cannot be read")

REQUIRED, OPTIONAL = ("tick", "index"), ("value", "sample", "input")


def is_table(head: bytes, path: str | Path) -> bool:
    """Returns whether a file is a table: a `.csv` whose first bytes match no other format."""
    return Path(path).suffix.lower() == ".csv" and not head.startswith((b"PK", b"\x93NUMPY")) and not is_hdf5(head)


def read_table(path: str | Path, inputs: Mapping[str, tuple[int, ...]]) -> dict[str, Any]:
    """Returns the events of each input as the arrays of a `.npz` of events. Errors: SIM015; COR008 it cannot be read."""
    try:
        Allowance(path).take(Path(path).stat().st_size)
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = [(number, row) for number, row in enumerate(csv.reader(file), 1) if row]
    except OSError as failure:
        unreadable(path, failure)
    except (UnicodeDecodeError, csv.Error) as failure:
        refuse_table(path, "", "text in UTF-8 with commas", str(failure))
    names = [name.strip() for name in lines[0][1]] if lines else []
    needed = (*REQUIRED, *(("input",) if len(inputs) != 1 else ()))
    if set(names) - {*REQUIRED, *OPTIONAL} or len(set(names)) != len(names) or not set(needed) <= set(names):
        expected = f"a first line with {', '.join(needed)}, and optionally {', '.join(one for one in OPTIONAL if one not in needed)}"
        refuse_table(path, "line 1", expected, ",".join(names[:8]) or "no line")
    (only,) = inputs if len(inputs) == 1 else (None,)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in inputs}
    for line, cells in lines[1:]:
        place = f"line {line}"
        if len(cells) != len(names):
            refuse_table(path, place, f"{len(names)} entries", f"{len(cells)} entries")
        row = dict(zip(names, (cell.strip() for cell in cells), strict=True))
        name = row.pop("input", only)
        if name not in rows:
            refuse_table(path, place, f"an input of the network: {', '.join(inputs)}", str(name))
        rows[name].append({key: cell_value(path, place, key, text) for key, text in row.items()})
    every = [row for some in rows.values() for row in some]
    sizes = {key: 1 + max((row[key] for row in every), default=-1) for key in ("tick", "sample") if key in names}
    return {name: event_columns(some, names, sizes, inputs[name]) for name, some in rows.items()}


def cell_value(path: str | Path, place: str, key: str, text: str) -> int | float:
    """Returns the number in a cell: a count, or the value of an event. Errors: SIM015."""
    found = shortened(text) or "an empty cell"
    if key != "value":
        count = count_of(text)
        if count is None or count >= LARGEST_COUNT:
            refuse_table(path, f"{place}, {key}", f"an integer from 0 to {LARGEST_COUNT - 1}", found)
        return count
    try:
        return float(text)
    except ValueError:
        refuse_table(path, f"{place}, {key}", "a number", found)


def event_columns(
    rows: list[dict[str, Any]], names: list[str], sizes: Mapping[str, int], shape: tuple[int, ...]
) -> dict[str, Any]:
    """Returns the events of one input by column, with their shape, ticks and samples."""
    found = {
        key: np.array([row[key] for row in rows], np.float64 if key == "value" else np.int64)
        for key in ("tick", "index", "value", "sample")
        if key in names
    }
    found |= {"shape": np.array(shape, np.int64), "ticks": np.array(sizes["tick"])}
    return found | ({"samples": np.array(sizes["sample"])} if "sample" in names else {})


def refuse_table(path: str | Path, at: str, expected: str, found: str) -> NoReturn:
    refuse(
        SIM015,
        "the table of events cannot be read",
        at=at,
        file=str(path),
        expected=expected,
        found=found,
        help=f"printf 'tick,index\\n0,0\\n3,1\\n' > {Path(path).name}",
    )
