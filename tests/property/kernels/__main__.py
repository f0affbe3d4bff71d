"""`make kernels`: every network in every language, checked by the validators of this machine, and run on its software devices.

A run equals the reference: integers and spikes in every bit, reals in all but `MOST` of the entries. Absent tools and devices are skipped, with the reason.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from cases import Case, benchmarks, examples, generated, inputs_of, published
from machines import MACHINES, AbsentError, Machine, environment, require, run, validate

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

MOST = 1e-4
"""Share of the entries of an output of a network with reals that may differ."""
SOURCES = ("cuda/generic", "metal/generic")
"""Devices whose sources are validated only, because no software device runs them."""


class Tally:
    """Counts of all cases."""

    def __init__(self) -> None:
        self.runs = self.equal = self.entries = self.different = self.refused = 0
        self.failed: list[str] = []
        self.validators: dict[str, int] = {}


def compiled(case: Case, key: str, folder: Path) -> Path | None:
    """Returns the artefact of a case; None if the device refuses the network for a feature that it does not have."""
    try:
        settings = [f"{key.partition('/')[0]}.names=make"]
        options: Any = dict(case.options)
        nopt.compile(case.network, target=key, out=folder, set=settings, diagnostics=Diagnostics(), **options)
    except Refused as refusal:
        if {one.code.id for one in refusal.findings} <= {"KRN003", "KNL001"}:
            return None
        raise
    return folder / "artefact"


def check(case: Case, machine: Machine, python: Path, folder: Path, tally: Tally) -> str:
    """Runs a case on a device; returns the line of its result."""
    artefact = compiled(case, machine.key, folder)
    if artefact is None:
        tally.refused += 1
        return "refused: a feature that the device does not have"
    for name in validate(artefact):
        tally.validators[name] = tally.validators.get(name, 0) + 1
    manifest = json.loads((artefact / "manifest.json").read_text(encoding="utf-8"))
    inputs = inputs_of(case, manifest)
    wanted = nopt.execute(folder, inputs, model="reference", diagnostics=Diagnostics()).arrays
    found, _ = run(python, artefact, machine, inputs)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    entries = different = 0
    for name, values in wanted.items():
        entries += values.size
        different += int(np.count_nonzero(found[name].astype(values.dtype) != values))
    tally.runs += 1
    tally.entries += entries
    tally.different += different
    tally.equal += not different
    is_integer = report_arithmetic(report) == "integers"
    if different > (0 if is_integer else MOST * entries):
        tally.failed.append(f"{case.name} on {machine.key}: {different} of {entries} entries differ")
    return f"{different} of {entries} entries differ; {len(manifest['kernels'])} kernels"


def report_arithmetic(report: Any) -> str:
    """Returns the types of reals of a compiled network, from its report."""
    found: Any = report.get("artefact", report)
    return str(found.get("arithmetic", report.get("arithmetic", "")))


def check_case(case: Case, machines: list[Machine], python: Path, tally: Tally) -> None:
    """Runs a case on all devices, and validates the sources that no device runs."""
    with tempfile.TemporaryDirectory() as folder:
        for machine in machines:
            try:
                line = check(case, machine, python, Path(folder) / machine.key.replace("/", "_"), tally)
            except (RuntimeError, Refused) as error:
                line = f"failed: {error}"
                tally.failed.append(f"{case.name} on {machine.key}: {error}")
            print(f"{case.name:32} {machine.key:16} {line}", flush=True)
        for key in SOURCES:
            try:
                artefact = compiled(case, key, Path(folder) / key.replace("/", "_"))
                for name in validate(artefact) if artefact is not None else ():
                    tally.validators[f"{name} for {key}"] = tally.validators.get(f"{name} for {key}", 0) + 1
            except (RuntimeError, Refused) as error:
                tally.failed.append(f"{case.name} for {key}: {error}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--environment", type=Path, required=True)
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    tally, machines = Tally(), []
    try:
        python = environment(given.environment)
    except AbsentError as absent:
        print(f"skipped: {absent}")
        python = Path(sys.executable)
    else:
        for machine in MACHINES:
            try:
                require(python, machine)
                machines.append(machine)
            except AbsentError as absent:
                print(f"skipped: {absent}")
    with tempfile.TemporaryDirectory() as written:
        every = (
            *examples(),
            *published(given.shared),
            *benchmarks(given.shared, Path(written)),
            *generated(given.networks),
        )
        cases = [case for case in every if given.only in case.name]
        for case in cases:
            check_case(case, machines, python, tally)
    print(f"\n{len(cases)} networks, {tally.runs} runs on {len(machines)} devices, {tally.equal} equal in every bit")
    print(f"{tally.different} of {tally.entries} entries differ; {tally.refused} refused for a feature of the device")
    for name, count in tally.validators.items():
        print(f"accepted by {name}: {count}")
    for line in tally.failed:
        print(f"failed: {line}")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
