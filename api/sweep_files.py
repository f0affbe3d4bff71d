"""Folder of a sweep: every finished point, and at the end a table and a plot.

| file | content |
| --- | --- |
| `points.jsonl` | a line for each point, with digests of the network, the input and the labels that it was computed with |
| `sweep.csv` | the points of the last call, in order |
| `sweep.svg` | the plot of `sweep_plot.py` |

Each line is written immediately, so that an interrupted sweep can be resumed. An incomplete last line is dropped.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, NoReturn

from attrs import frozen

from ..core.diagnostics import Code, Diagnostics, refuse
from ..core.files import unreadable
from .files import write_whole, writing
from .sweep_plot import plot

if TYPE_CHECKING:
    from .sweeping import Sweep

SWE003 = Code("SWE003", "a folder holds another sweep")
SWE004 = Code("SWE004", "the plot needs matplotlib")

POINTS, TABLE, PLOT = "points.jsonl", "sweep.csv", "sweep.svg"
MEASURED = ("accuracy", "rate_cosine", "bin_cosine", "weight_error", "weight_bytes")
ON_DEVICE = ("fits", "cores", "memory_bytes", "energy_pj", "latency_ns", "latency_ticks")
FIGURES = (*MEASURED, *ON_DEVICE, "unpublished", "findings", "code", "message")


@frozen
class Name:
    """Identity of a point in the sweep of a network."""

    pipeline: str
    device: str | None = None
    digest: str | None = None
    """That of the device, with the overrides of all points."""
    settings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        own = {"device": self.device, "device_sha256": self.digest, "settings": list(self.settings)}
        return {"pipeline": self.pipeline, **({} if self.device is None else own)}

    @staticmethod
    def of(entry: Mapping[str, Any]) -> Name:
        """Returns the name in a line of the folder. Raises KeyError or TypeError for a line of another kind."""
        own = entry.get("device"), entry.get("device_sha256"), tuple(entry.get("settings", ()))
        return Name(str(entry["pipeline"]), *own)


class Folder:
    """Finished points of a sweep, and the table and plot of all of them."""

    def __init__(self, path: Path, named: Mapping[str, str | None]):
        self.path, self.named = path, dict(named)
        self.done: dict[Name, dict[str, Any]] = {}
        """Figures by the name of their point."""
        self.file: IO[bytes] | None = None

    def __enter__(self) -> Folder:
        """Errors: FIL002 the folder cannot be written; SWE003 a folder of another sweep."""
        points = self.path / POINTS
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        try:
            data = points.read_bytes() if points.exists() else b""
        except OSError as failure:
            unreadable(points, failure)
        whole = data.rfind(b"\n") + 1
        for at, line in enumerate(data[:whole].splitlines(), 1):
            self.take(at, line)
        with writing(points):
            self.file = open(points, "r+b" if points.exists() else "xb")
            self.file.truncate(whole)
            self.file.seek(whole)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.file is not None:
            self.file.close()

    def take(self, at: int, line: bytes) -> None:
        """Reads one line of an earlier call. Points of other labels or of another version of nopt are computed again."""
        try:
            entry: Any = json.loads(line)
            found = {what: entry[what] for what in self.named}
            name = Name.of(entry)
            figures = {name: entry["figures"][name] for name in FIGURES if name in entry["figures"]}
        except (ValueError, TypeError, KeyError, RecursionError):
            self.refuse("lines that a sweep wrote", f"line {at} is not such a line")
        if found == self.named:
            lists = {what: tuple(figures[what]) for what in ("findings", "unpublished") if what in figures}
            self.done[name] = figures | lists
        for what in ("network", "input"):
            if found[what] != self.named[what]:
                self.refuse(f"points of this {what}, {str(self.named[what])[:12]}…", f"{str(found[what])[:12]}…")

    def refuse(self, expected: str, found: str) -> NoReturn:
        refuse(
            SWE003,
            "the folder holds another sweep",
            at=f"-o {self.path}",
            file=str(self.path / POINTS),
            expected=expected,
            found=found,
            help=f"-o {self.path}-2",
        )

    def add(self, name: Name, options: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
        """Writes a point. Errors: FIL002 the disk is full."""
        assert self.file is not None  # entered
        entry = {**self.named, **name.as_json(), "options": dict(options), "figures": dict(figures)}
        with writing(self.path / POINTS):
            self.file.write(json.dumps(entry).encode() + b"\n")
            self.file.flush()

    def finish(self, swept: Sweep, diagnostics: Diagnostics) -> None:
        """Writes the table and the plot. Remarks: SWE004 no matplotlib."""
        points = [point.as_json() for point in swept.points]
        write_whole(self.path / TABLE, table(swept.keys, points, has_devices=bool(swept.devices)).encode())
        if find_spec("matplotlib") is None:
            diagnostics.remark(
                SWE004,
                f"{PLOT} is not drawn: matplotlib is not installed",
                file=str(self.path / PLOT),
                expected="matplotlib, which the extra plot brings",
                found="none",
                help="pip install 'nopt[plot]', then the same command again",
            )
            return
        write_whole(self.path / PLOT, plot(swept))


def columns_of(has_devices: bool) -> tuple[str, ...]:
    """Returns the columns of figures."""
    return (*(ON_DEVICE if has_devices else ()), *MEASURED, "code")


def table(keys: Sequence[str], points: Sequence[Mapping[str, Any]], *, has_devices: bool) -> str:
    """Formats the points as CSV; numbers have enough digits for an exact round trip."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    columns = columns_of(has_devices)
    rows.writerow([*(["device"] if has_devices else []), *keys, *columns, "best", "pipeline"])
    for point in points:
        figures = [entry_text(point[column]) for column in columns]
        options = [point["options"][key] for key in keys]
        place = [point["device"]] if has_devices else []
        rows.writerow([*place, *options, *figures, "yes" if point["best"] else "", point["pipeline"]])
    return text.getvalue()


def entry_text(value: Any) -> Any:
    """Returns an entry of a table; unknown ones are empty."""
    return "" if value is None else {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
