"""Folder of a sweep: every finished point, and at the end a table and a plot.

| file | content |
| --- | --- |
| `points.jsonl` | a line for each point, with digests of the network, the input and the labels that it was computed with |
| `sweep.csv` | the points of the last call, in order |
| `sweep.svg` | accuracy, or else the rate cosine, over the first key; a line for each combination of the others; the best points ringed; after a search over the bytes |

Each line is written immediately, so that an interrupted sweep can be resumed. An incomplete last line is dropped.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NoReturn

from ..core.diagnostics import Code, Diagnostics, refuse
from ..core.files import unreadable
from .files import write_whole, writing

SWE003 = Code("SWE003", "a folder holds another sweep")
SWE004 = Code("SWE004", "the plot needs matplotlib")

POINTS, TABLE, PLOT = "points.jsonl", "sweep.csv", "sweep.svg"
FIGURES = ("accuracy", "rate_cosine", "bin_cosine", "weight_error", "weight_bytes", "findings", "code", "message")


class Folder:
    """Finished points of a sweep, and the table and plot of all of them."""

    def __init__(self, path: Path, named: Mapping[str, str | None]):
        self.path, self.named = path, dict(named)
        self.done: dict[str, dict[str, Any]] = {}
        """Figures by the pipeline of their point."""
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
        """Reads one line of an earlier call. Points with other labels are computed again."""
        try:
            entry: Any = json.loads(line)
            found = {what: entry[what] for what in self.named}
            pipeline = str(entry["pipeline"])
            figures = {name: entry["figures"][name] for name in FIGURES if name in entry["figures"]}
        except (ValueError, TypeError, KeyError, RecursionError):
            self.refuse("lines that a sweep wrote", f"line {at} is not such a line")
        if found == self.named:
            if "findings" in figures:
                figures["findings"] = tuple(figures["findings"])
            self.done[pipeline] = figures
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

    def add(self, pipeline: str, options: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
        """Writes a point. Errors: FIL002 the disk is full."""
        assert self.file is not None  # entered
        entry = {**self.named, "pipeline": pipeline, "options": dict(options), "figures": dict(figures)}
        with writing(self.path / POINTS):
            self.file.write(json.dumps(entry).encode() + b"\n")
            self.file.flush()

    def finish(
        self, keys: Sequence[str], points: Sequence[Mapping[str, Any]], diagnostics: Diagnostics, by_bytes: bool = False
    ) -> None:
        """Writes the table and the plot, `by_bytes` over the bytes of weights. Remarks: SWE004 no matplotlib."""
        write_whole(self.path / TABLE, table(keys, points).encode())
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
        write_whole(self.path / PLOT, plot(keys, points, by_bytes))


def table(keys: Sequence[str], points: Sequence[Mapping[str, Any]]) -> str:
    """Formats the points as CSV; numbers have enough digits for an exact round trip."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    columns = ("accuracy", "rate_cosine", "bin_cosine", "weight_error", "weight_bytes", "code")
    rows.writerow([*keys, *columns, "best", "pipeline"])
    for point in points:
        figures = ["" if point[column] is None else point[column] for column in columns]
        options = [point["options"][key] for key in keys]
        rows.writerow([*options, *figures, "yes" if point["best"] else "", point["pipeline"]])
    return text.getvalue()


def plot(keys: Sequence[str], points: Sequence[Mapping[str, Any]], by_bytes: bool = False) -> bytes:
    """Draws the points as SVG; the same points have the same bytes.

    Without `by_bytes` a line joins the points that differ in the first key alone.
    """
    matplotlib: Any = import_module("matplotlib")
    figures: Any = import_module("matplotlib.figure")
    score = "accuracy" if any(point["accuracy"] is not None for point in points) else "rate_cosine"

    def across(point: Mapping[str, Any]) -> Any:
        return point["weight_bytes"] if by_bytes else point["options"][keys[0]]

    values = list(dict.fromkeys(across(point) for point in points if point[score] is not None or not by_bytes))
    is_scaled = all(isinstance(value, int | float) for value in values)
    place = {value: value if is_scaled else k for k, value in enumerate(values)}
    lines: dict[str, list[tuple[float, float]]] = {}
    best: list[tuple[float, float]] = []
    for point in points:
        if point[score] is not None:
            at = (float(place[across(point)]), float(point[score]))
            name = "" if by_bytes else ", ".join(f"{key}={point['options'][key]}" for key in keys[1:])
            lines.setdefault(name, []).append(at)
            best += [at] if point["best"] else []
    out = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "nopt", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot()
        for name, at in lines.items():
            axes.plot(
                *zip(*sorted(at), strict=True),
                marker="o",
                markersize=4,
                linewidth=0 if by_bytes else 1.2,
                label=name or None,
            )
        if best:
            axes.plot(
                *zip(*best, strict=True),
                linestyle="none",
                marker="o",
                markersize=10,
                markerfacecolor="none",
                markeredgecolor="black",
                label="best for its bytes",
            )
            axes.legend(fontsize="small")
        if is_scaled and not by_bytes:
            axes.set_xticks(sorted(map(float, place.values())), [f"{value:g}" for value in sorted(place.values())])
        elif not by_bytes:
            axes.set_xticks(list(range(len(values))), [str(value) for value in values])
        axes.set_xlabel("weight bytes" if by_bytes else keys[0])
        axes.set_ylabel(score.replace("_", " "))
        axes.grid(alpha=0.3)
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
