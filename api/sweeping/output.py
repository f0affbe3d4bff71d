"""Output of a sweep: every finished point, and at the end a table and a plot.

| file | content |
| --- | --- |
| `points.jsonl` | a line for each point, with digests of the network, the input and the labels that it was computed with |
| `sweep.csv` | the points of the last call, in order |
| `sweep.svg` | the plot of `plotting.py` |

If the output is a file `NAME.csv` or `NAME.parquet`, it is the table, and the points are next to it in `NAME.csv.points.jsonl`.

Each line is written immediately, so that an interrupted sweep can be resumed. An incomplete last line is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NoReturn

from attrs import frozen

from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.files import unreadable
from ...core.packages import is_installed
from ..atomic_files import write_whole, writing
from ..json_record import json_value
from ..judging.loss import Loss
from .plotting import plot
from .result import Sweep
from .tables import COSINES, ON_DEVICE, TABLES, WEIGHTS, is_table

SWE003 = Code("SWE003", "folder-holds-other-sweep", "a folder holds another sweep")
SWE004 = Code("SWE004", "plot-needs-matplotlib", "the plot needs matplotlib")

POINTS, TABLE, PLOT = "points.jsonl", "sweep.csv", "sweep.svg"
FIGURES = ("accuracy", "loss", *COSINES, *WEIGHTS, *ON_DEVICE, "recipe", "unpublished", "findings", "code", "message")


@frozen
class Name:
    """Identity of a point in the sweep of a network."""

    pipeline: str
    device: str | None = None
    digest: str | None = None
    """Digest of the device, including overrides that all points share, and of the network that the points start from."""
    settings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        own = {"device": self.device, "sha256": self.digest, "settings": list(self.settings)}
        return {"pipeline": self.pipeline, **({} if self.device is None else own)}

    @staticmethod
    def of(entry: Mapping[str, Any]) -> Name:
        """Returns the name in a line of the folder. Raises KeyError or TypeError for a line of another kind."""
        own = entry.get("device"), entry.get("sha256"), tuple(entry.get("settings", ()))
        return Name(str(entry["pipeline"]), *own)


class Folder:
    """Finished points of a sweep, and the table and plot of all of them, in a folder or next to the file of a table."""

    def __init__(self, path: Path, named: Mapping[str, str | None]):
        self.path, self.named = path, dict(named)
        self.table = path if is_table(path) else path / TABLE
        self.points = path.with_name(f"{path.name}.{POINTS}") if is_table(path) else path / POINTS
        self.done: dict[Name, dict[str, Any]] = {}
        """Figures by the name of their point."""
        self.file: IO[bytes] | None = None
        self.new_folder: Path | None = None
        """The folder of the points, if this sweep creates it."""

    def __enter__(self) -> Folder:
        """Errors: API012 the folder cannot be written; SWE003 a folder of another sweep."""
        points = self.points
        with writing(self.path):
            self.new_folder = None if points.parent.exists() else points.parent
            points.parent.mkdir(parents=True, exist_ok=True)
        try:
            data = points.read_bytes() if points.exists() else b""
        except OSError as failure:
            unreadable(points, failure)
        if not points.exists() and self.table != self.path:
            for file in (self.table, self.path / PLOT):
                if os.path.lexists(file):
                    self.refuse(f"no {file.name}, or the {POINTS} that it shows", file.name)
        whole = data.rfind(b"\n") + 1
        start = json.dumps(self.named)[:-1].partition(":")[0].encode()
        if data[whole:] and not data[whole:].startswith(start[: len(data) - whole]):
            self.refuse("lines that a sweep wrote", "a last line that no sweep began")
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
        with suppress(OSError):  # of a full disk, which is refused
            if self.file is not None:
                self.file.close()
        with suppress(OSError):
            if kind is not None and not self.points.stat().st_size:
                self.points.unlink()
                if self.new_folder is not None:
                    self.new_folder.rmdir()

    def take(self, at: int, line: bytes) -> None:
        """Reads one line of an earlier call. Points of other labels or of another version of nopt are computed again."""
        try:
            entry: Any = json.loads(line)
            found = {what: entry[what] for what in self.named}
            name = Name.of(entry)
            figures = {name: entry["figures"][name] for name in FIGURES if name in entry["figures"]}
            if figures.get("loss") is not None:
                figures["loss"] = Loss.of_json(figures["loss"])
        except (ValueError, TypeError, KeyError, RecursionError):
            self.refuse("lines that a sweep wrote", f"line {at} is not such a line")
        if found == self.named:
            lists = {what: tuple(figures[what]) for what in ("findings", "unpublished") if what in figures}
            self.done[name] = figures | lists
        for what in ("network", "input"):
            if found[what] != self.named[what]:
                self.refuse(f"points of this {what}, {str(self.named[what])[:12]}…", f"{str(found[what])[:12]}…")

    def refuse(self, expected: str, found: str) -> NoReturn:
        path, is_file = self.path, self.table == self.path
        other = path.with_name(f"{path.stem}-2{path.suffix}") if is_file else f"{path}-2"
        refuse(
            SWE003,
            "the folder holds another sweep",
            at=f"-o {self.path}",
            file=str(self.points),
            expected=expected,
            found=found,
            help=f"-o {other}",
        )

    def add(self, name: Name, options: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
        """Writes a point. Errors: API012 the disk is full."""
        assert self.file is not None  # entered
        entry = {**self.named, **name.as_json(), "options": dict(options), "figures": json_value(figures)}
        with writing(self.points):
            self.file.write(json.dumps(entry).encode() + b"\n")
            self.file.flush()

    def finish(self, swept: Sweep, diagnostics: Diagnostics) -> None:
        """Writes the table, and in a folder the plot. Remarks: SWE004 no matplotlib."""
        has_plot = self.table != self.path
        if has_plot and not is_installed("matplotlib"):
            has_plot = False
            diagnostics.remark(
                SWE004,
                f"{PLOT} is not drawn: matplotlib is not installed",
                file=str(self.path / PLOT),
                expected="matplotlib, which the extra plot brings",
                found="none",
                help="pip install 'nopt[plot]', then the same command again",
            )
        diagnostics.settle()
        write_whole(self.table, TABLES[self.table.suffix](swept))
        if has_plot:
            write_whole(self.path / PLOT, plot(swept))
