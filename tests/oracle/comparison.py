"""Networks of a framework in nopt: every spiking layer, entry by entry, in both precisions, and the findings about missing content of a file."""

from __future__ import annotations

import io
import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from places import TESTS

from nopt.tools.main import main as nopt

HERE = TESTS / "oracle"
PRECISIONS = ("f64", "f32")
MINUTES = 20
"""Time limit of a framework for its networks."""


@dataclass
class Verdict:
    """Result of one network.

    `failure`: the reason why the exporter wrote no file. `gaps`: the missing content of the file. `untold`: gaps that no finding names. `different`:
    for each precision that is not equal, the first entry that differs.
    """

    number: int
    layers: str
    options: str
    failure: str = ""
    gaps: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    different: dict[str, str] = field(default_factory=dict)

    @property
    def is_exported(self) -> bool:
        return not self.failure

    @property
    def is_complete(self) -> bool:
        """Returns whether the file holds the numbers of the network."""
        return self.is_exported and not self.gaps

    @property
    def is_rounded(self) -> bool:
        """Returns whether one precision differs and the other is equal: the rule is the same, and a value is at its threshold."""
        return self.is_complete and len(self.different) == 1

    @property
    def is_wrong(self) -> bool:
        """Returns whether nopt computes other results without a finding about it."""
        return bool(self.untold) or (self.is_complete and len(self.different) == len(PRECISIONS))


@dataclass
class Table:
    """The networks of one framework."""

    versions: dict[str, str]
    verdicts: list[Verdict]

    def notes(self) -> Iterator[str]:
        """Yields the failures with their counts."""
        exported = Counter(v.failure for v in self.verdicts if v.failure)
        yield from (f"its exporter refuses {n}: {failure}" for failure, n in exported.most_common())
        gaps = Counter(gap for v in self.verdicts for gap in v.gaps)
        yield from (f"the file lacks {gap}: {n}" for gap, n in gaps.most_common())
        untold = Counter(gap for v in self.verdicts for gap in v.untold)
        yield from (f"NOT REPORTED: {gap}: {n}" for gap, n in untold.most_common())
        for v in self.verdicts:
            if v.is_complete and v.different:
                head = "rounding" if v.is_rounded else "DIFFERENT"
                yield f"{head}: network {v.number} ({v.layers}; {v.options}): {v.different}"


def call(*words: object) -> tuple[int, str, str]:
    """Runs a command of nopt in this process. Returns its exit code and its output."""
    printed, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(errors):
        code = nopt([str(word) for word in words])
    return code, printed.getvalue(), errors.getvalue()


def find_difference(wanted: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> str:
    """Returns the earliest entry that differs, over all layers; empty if all are equal."""
    first: tuple[int, str] | None = None
    for name, spikes in wanted.items():
        ours = np.asarray(found[name]).astype(np.float64).reshape(spikes.shape)
        places = np.argwhere(ours != spikes)
        if len(places):
            place = min(places, key=lambda p: p[1])
            tick = int(place[1])
            text = f"{name} at tick {tick}: {ours[tuple(place)]:g} for {spikes[tuple(place)]:g}, {len(places)} of {ours.size}"
            first = min(first or (tick, text), (tick, text))
    return first[1] if first else ""


def examine(folder: Path, number: int) -> Verdict:
    """Runs network `number` of a folder and compares."""
    told: dict[str, Any] = json.loads((folder / f"{number}.json").read_text(encoding="utf-8"))
    verdict = Verdict(number, told["layers"], told["options"], told["failure"])
    if verdict.failure:
        return verdict
    verdict.gaps = tuple(told["gaps"])
    with np.load(folder / f"{number}.npz") as arrays:
        wanted = {name: arrays[name] for name in arrays.files}
    np.save(folder / f"{number}.npy", wanted.pop("x"))
    file, arguments = folder / f"{number}.nir", told["arguments"]
    verdict.untold = tuple(find_untold(file, arguments, told["gaps"]))
    for precision in PRECISIONS:
        result = folder / f"{number}-{precision}.npz"
        record = ["--input", folder / f"{number}.npy", "--record", ",".join(wanted), "-o", result]
        code, _, errors = call("run", file, *record, "--precision", precision, *arguments)
        if code:
            refused = [line for line in errors.splitlines() if line.startswith("error")]
            verdict.different[precision] = next(iter(refused), errors.strip())
            continue
        with np.load(result) as arrays:
            difference = find_difference(wanted, {name: arrays[name] for name in wanted})
        if difference:
            verdict.different[precision] = difference
    return verdict


def find_untold(file: Path, arguments: Sequence[str], gaps: dict[str, str]) -> Iterator[str]:
    """Yields the gaps that no finding of `nopt check` names."""
    if gaps:
        _, printed, _ = call("check", file, *arguments, "--format", "json")
        report: dict[str, Any] = json.loads(printed or "{}")
        findings = [(finding["code"], json.dumps(finding)) for finding in report.get("findings", [])]
        for gap, code in gaps.items():
            if not any(code == found and gap in text for found, text in findings):
                yield gap


def compare(python: Path, script: Path, folder: Path, networks: int, seed: int) -> Table:
    """Runs a framework to write its networks into `folder`, and examines each."""
    command = [python, HERE / "tools" / script, folder, "--networks", str(networks), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=MINUTES * 60, check=False)
    if done.returncode:
        raise RuntimeError(f"{script} ended with {done.returncode}: {done.stderr[-2000:]}")
    versions: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return Table(versions, [examine(folder, number) for number in range(networks)])
