"""Logs of power, energy and time of a real machine: tables of text, with a unit in each header.

    # rail: core supply, INA226 on VDD
    # samples: 64
    time_s,power_mW,phase
    0.000,12.1,idle
    0.001,15.4,run

| header | meaning |
| --- | --- |
| a name with a unit of time: `time_s`, `time [ms]`, `t (us)` | the clock of a trace, or the duration of a sample |
| a name with a unit of power: `power_mW`, `vdd_core [W]` | the power of a rail, which the name denotes |
| a name with a unit of energy: `energy_uJ` | the energy of a sample on a rail |
| `phase` | `idle` or `run`; default: all rows are of a run |
| `sample` | the number or name of the sample that a row is of |

1. A trace has a clock, which never falls, and a column of power for each rail. `measured.py` adds it up.
2. A table of samples has a column `sample`, and columns of energy, of time, or of both. It has no power.
3. Lines that start with `#` are comments. `# rail: TEXT`, `# samples: N` and `# ticks: N`, the ticks of a sample, are read.
4. Cells are separated by commas, semicolons or tabs; the header decides.

Units: those of `core/units.py`. Values are converted to s, W and J.
Errors: MEA001 to MEA006, with line and column; COR008 a file that cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import NoReturn

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray

from ...core.arrays.numeric import Reals
from ...core.diagnostics import Code, Diagnostics, Finding, choices_text, refuse
from ...core.files import read_bytes
from ...core.units import UNITS, convert_value, unit

MEA001 = Code("MEA001", "measured-log-empty", "a log of a machine has no measurement")
MEA002 = Code("MEA002", "measured-column-missing", "a log of a machine has no clock, power or energy")
MEA003 = Code("MEA003", "measured-unit-unknown", "a column of a log has no unit of time, power or energy")
MEA004 = Code("MEA004", "measured-value-invalid", "a cell of a log has no possible value")
MEA005 = Code("MEA005", "measured-time-unsorted", "the clock of a log falls")
MEA006 = Code("MEA006", "measured-comment-invalid", "a comment of a log has no possible value")

BASES = {"time": "s", "power": "W", "energy": "J"}
"""The dimensions that a log has, each with the unit of the results."""
POWER = "power"
KNOWN = [name for name, one in UNITS.items() if one.dimension in BASES]
HEADER = re.compile(r"(?P<name>.*?)\s*(?:\[(?P<square>[^]]*)\]|\((?P<round>[^)]*)\))")
DELIMITERS = ",;\t"
SAMPLE, PHASE = "sample", "phase"
PHASES = IDLE, RUN = "idle", "run"
COMMENT = re.compile(r"#\s*(?P<key>rail|samples|ticks)\s*:\s*(?P<value>.*?)\s*")
MOST_ERRORS = 10
"""The most cells that are reported."""


@frozen
class LogCell:
    """A cell of a log."""

    path: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@frozen
class Column:
    """A column of a log. `dimension` is None for samples and phases."""

    name: str
    unit: str = ""
    dimension: str | None = None

    def value(self, text: str) -> float | None:
        """Returns a number in the unit of the results; None for another text. Only power can be negative, as readings around 0 are."""
        try:
            number = float(text)
        except ValueError:
            return None
        if not isfinite(number) or self.dimension is None or (number < 0 and self.dimension != POWER):
            return None
        return float(convert_value(number, self.unit, BASES[self.dimension]))

    @property
    def expected(self) -> str:
        """Returns what a cell holds, for messages."""
        if self.name == PHASE:
            return choices_text(PHASES)
        return f"a number{'' if self.dimension == POWER else ' from 0'} ({self.name}, {self.unit})"

    def holds(self, text: str) -> bool:
        """Returns whether a text is a value of the column."""
        return text.lower() in PHASES if self.name == PHASE else self.name == SAMPLE or self.value(text) is not None


@frozen(eq=False)
class PowerLog:
    """The content of a log. Shapes: each array [rows]."""

    path: str
    sha256: str
    time: Reals | None
    """The clock of a trace, or the duration of each sample [s]."""
    power: dict[str, Reals]
    """By rail [W]."""
    energy: dict[str, Reals]
    """By rail [J]."""
    is_run: NDArray[np.bool_]
    """Whether a row is of a run, not idle."""
    labels: tuple[str, ...]
    """The sample of each row; none without the column."""
    rail: str | None = None
    """The measured rail, in the words of the log."""
    samples: int | None = None
    """The samples that `# samples:` or the column names."""
    ticks: int | None = None
    """The ticks of a sample, as `# ticks:` states them."""

    @property
    def is_trace(self) -> bool:
        return bool(self.power)


def read_log(path: str | Path) -> PowerLog:
    """Returns the content of a log. Errors: MEA001 to MEA006; COR008."""
    content = read_bytes(Path(path))
    return LogReader(str(path), content.decode("utf-8-sig", "replace"), sha256(content).hexdigest()).read()


def cells_of(line: str, delimiter: str) -> Iterator[tuple[int, str]]:
    """Yields the column of the first character and the text of each cell of a line."""
    start = 0
    for cell in line.split(delimiter):
        text = cell.strip()
        yield start + 1 + len(cell) - len(cell.lstrip()), text
        start += len(cell) + 1


@define
class LogReader:
    """Reader of one log."""

    path: str
    text: str
    sha256: str
    facts: dict[str, str] = field(factory=dict[str, str])
    found: Diagnostics = field(factory=Diagnostics)

    def read(self) -> PowerLog:
        header, *rows = self.lines()
        delimiter = max(DELIMITERS, key=header.text.count)
        columns = [
            self.column(evolve(header, column=at, text=text)) for at, text in cells_of(header.text, delimiter) if text
        ]
        self.found.raise_errors()
        self.require_columns(header, columns)
        if not rows:
            self.refuse_empty("a row below the header", "a header alone")
        cells = [[evolve(row, column=at, text=text) for at, text in cells_of(row.text, delimiter)] for row in rows]
        for row, one in zip(rows, cells, strict=True):
            if len(one) < len(columns) or any(cell.text for cell in one[len(columns) :]):
                self.error(MEA004, row, f"{len(columns)} cells", f"{len(one)} cells")
        self.found.raise_errors()
        log = self.log(columns, cells)
        self.found.raise_errors()
        return log

    def lines(self) -> list[LogCell]:
        """Returns the header and the rows. Comments are read. Errors: MEA001, MEA006."""
        found: list[LogCell] = []
        for number, line in enumerate(self.text.splitlines(), 1):
            place = LogCell(self.path, number, 1, line)
            if line.lstrip().startswith("#"):
                self.comment(place)
            elif line.strip():
                found.append(place)
        self.found.raise_errors()
        if not found:
            self.refuse_empty("a header and rows", "no line other than comments")
        return found

    def comment(self, place: LogCell) -> None:
        """Reads a comment. Errors: MEA006 another number than an integer from 1."""
        if (match := COMMENT.fullmatch(place.text.strip())) is None:
            return
        key, value = match["key"], match["value"]
        if key != "rail" and not (value.isdecimal() and int(value)):
            expected = f"# {key}: N, an integer from 1"
            self.error(MEA006, place, expected, place.text.strip(), help=f"# {key}: 64")
        self.facts[key] = value

    def column(self, place: LogCell) -> Column:
        """Returns the column of a header. Errors: MEA003, a finding."""
        if place.text.lower() in (SAMPLE, PHASE):
            return Column(place.text.lower())
        match = HEADER.fullmatch(place.text)
        if match is not None:
            name, name_unit = match["name"], match["square"] or match["round"] or ""
        else:
            name, _, name_unit = place.text.rpartition("_")
        given = unit(name_unit.strip().replace("\N{GREEK SMALL LETTER MU}", "\N{MICRO SIGN}"))
        if given is None or given.dimension not in BASES or given.name not in UNITS:
            near: list[str] = get_close_matches(name_unit, KNOWN, 1)
            is_bare = not name_unit or (match is None and not name)
            likely = near[0] if near and not is_bare else "s" if place.text.lower().startswith("t") else "mW"
            shown = f"{place.text if is_bare else name}_{likely}"
            found = f"{place.text}, without a unit" if is_bare else place.text
            expected = f"NAME_UNIT or NAME [UNIT], with a unit of {', '.join(KNOWN)}"
            self.error(MEA003, place, expected, found, help=f"name the column {shown}")
            return Column(place.text)
        return Column(name.strip() or given.dimension, given.name, given.dimension)

    def require_columns(self, header: LogCell, columns: Sequence[Column]) -> None:
        """Refuses a log that is neither a trace nor a table of samples, and one with a column twice. Errors: MEA002."""
        kinds = [one.dimension for one in columns]
        names = [(one.name, one.dimension) for one in columns]
        has_samples = any(one.name == SAMPLE for one in columns)
        is_trace = kinds.count("time") == 1 and "power" in kinds and "energy" not in kinds
        is_table = has_samples and "power" not in kinds and kinds.count("time") <= 1 and {"energy", "time"} & {*kinds}
        if (is_trace or is_table) and len(set(names)) == len(names):
            return
        refuse(
            MEA002,
            at=self.path,
            place=str(header),
            expected="one clock and columns of power, as time_s,power_mW; or sample with energy or time, as sample,energy_uJ,time_ms",
            found=header.text.strip(),
            help="time_s,power_mW,phase" if "power" in kinds else "sample,energy_uJ,time_ms",
        )

    def log(self, columns: Sequence[Column], cells: Sequence[Sequence[LogCell]]) -> PowerLog:
        """Returns the log of cells. Errors: MEA001, MEA004, MEA005."""
        for column, cell in ((column, cell) for row in cells for column, cell in zip(columns, row, strict=False)):
            if not column.holds(cell.text):
                self.error(MEA004, cell, column.expected, cell.text or "an empty cell")
        self.found.raise_errors()
        numbers = {
            (one.dimension, one.name): np.array([one.value(row[k].text) for row in cells], np.float64)
            for k, one in enumerate(columns)
            if one.dimension is not None
        }
        texts = {one.name: [row[k] for row in cells] for k, one in enumerate(columns) if one.dimension is None}
        phases = texts.get(PHASE)
        is_run = np.array([cell.text.lower() == RUN for cell in phases] if phases else [True] * len(cells), np.bool_)
        times = [(k, one) for k, one in enumerate(columns) if one.dimension == "time"]
        power = {name: values for (kind, name), values in numbers.items() if kind == "power"}
        clock = numbers["time", times[0][1].name] if times else None
        if power and clock is not None:
            self.require_sorted(clock, [row[times[0][0]] for row in cells])
            self.found.raise_errors()
            if not (is_run[:-1] & (np.diff(clock) > 0)).any():
                self.refuse_empty(
                    "two rows of a run, the second later", f"{len(cells)} rows, {int(is_run.sum())} of a run"
                )
        labels = tuple(cell.text for cell in texts.get(SAMPLE, ()))
        named = len({label for label, one in zip(labels, is_run, strict=True) if one and label}) if labels else None
        stated = int(self.facts["samples"]) if self.facts.get("samples", "").isdecimal() else None
        ticks = int(self.facts["ticks"]) if self.facts.get("ticks", "").isdecimal() else None
        energy = {name: values for (kind, name), values in numbers.items() if kind == "energy"}
        samples = (stated or named) if power else len(cells)
        rows = (clock, power, energy, is_run, labels)
        return PowerLog(self.path, self.sha256, *rows, self.facts.get("rail"), samples, ticks)

    def require_sorted(self, clock: Reals, cells: Sequence[LogCell]) -> None:
        """Refuses a clock that falls. Errors: MEA005, a finding."""
        falling = np.flatnonzero(np.diff(clock) < 0)
        if len(falling):
            cell, before = cells[int(falling[0]) + 1], cells[int(falling[0])]
            self.error(MEA005, cell, f"at least {before.text}, the clock of line {before.line}", cell.text)

    def error(self, code: Code, place: LogCell, expected: str, found: str, help: str | None = None) -> None:
        if len(self.found.errors) < MOST_ERRORS:
            self.found.add(
                Finding(
                    code,
                    at=self.path,
                    place=str(place),
                    expected=expected,
                    found=found,
                    help=help or f"nopt explain {code}",
                    file=self.path,
                )
            )

    def refuse_empty(self, expected: str, found: str) -> NoReturn:
        """Errors: MEA001."""
        refuse(MEA001, at=self.path, file=self.path, expected=expected, found=found, help="nopt explain MEA001")
