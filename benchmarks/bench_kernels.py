"""Kernels on software devices, compared with the engine `native`: one sample and many of the CNN of the NIR paper and of the digits.

python benchmarks/bench_kernels.py [--shared DIR] [--environment DIR] [--samples N] [--ticks N] [--only WORD]

The time of a device is that of uploads, launches, kernels and downloads, without the compilation of the kernels, for one sample the best of `REPEATS` runs. Launches: the
time on the host until all dispatches are in the queue; a driver that computes while it enqueues counts there. The time of `native` is that of its run,
with its threads. `make kernels` makes the environment with wgpu and pyopencl. Absent tools and devices are skipped, with the reason.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from ratios import keep_ratio

import nopt.api as nopt

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "property" / "kernels"))
from machines import MACHINES, AbsentError, Machine, require, run  # noqa: E402

CNN = Path("samples/nir_paper/cnn/cnn_sinabs.nir")
REPEATS = 3


@frozen
class Case:
    """A network, the shape of its input, the share of inputs that spike in a tick, and the options of its conversion."""

    name: str
    path: Path
    shape: tuple[int, ...]
    density: float
    options: dict[str, str]


def cases(shared: Path) -> list[Case]:
    norse = {"dt": "1ms", "like": "norse", "precision": "f32"}
    digits = ROOT / "examples" / "digits" / "fc.nir"
    found = [Case("digits/fc", digits, (64,), 0.1, norse)]
    if (shared / CNN).is_file():
        return [*found, Case("cnn", shared / CNN, (2, 34, 34), 0.006, norse)]
    print(f"bench_kernels: the CNN is skipped, {CNN} is not there; --shared DIR names its folder")
    return found


def native_seconds(case: Case, x: np.ndarray) -> float:
    options: Any = case.options
    runs = [
        nopt.execute(case.path, x, engine="native", choices=options, diagnostics=nopt.Diagnostics())
        for _ in range(REPEATS)
    ]
    return min(result.seconds for result in runs)


def device_seconds(case: Case, x: np.ndarray, machine: Machine, python: Path, folder: Path) -> dict[str, float]:
    """Returns the seconds of each part of a run."""
    build = folder / f"{machine.key} {case.name}".replace("/", "_")
    if not build.exists():
        options: Any = case.options
        nopt.compile(case.path, target=machine.key, out=build, diagnostics=nopt.Diagnostics(), **options)
    repeats = REPEATS if len(x) == 1 else 1
    _, times = run(python, build / "artefact", machine, {"input": x}, "--repeats", str(repeats))
    return {name: value for name, value in times.items() if name != "device"}


def devices(python: Path) -> list[Machine]:
    """Returns the devices of this machine."""
    found: list[Machine] = []
    if not python.exists():
        print(f"bench_kernels: all devices are skipped, {python.parent.parent} is not there (make kernels)")
        return found
    for machine in MACHINES:
        try:
            require(python, machine)
            found.append(machine)
        except AbsentError as absent:
            print(f"bench_kernels: skipped: {absent}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the folder that holds samples/")
    parser.add_argument("--environment", type=Path, default=ROOT / ".venv-kernels")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--ticks", type=int, default=16)
    parser.add_argument("--only", default="", help="a part of the names of networks or devices")
    given = parser.parse_args()
    python = given.environment / "bin" / "python"
    machines = devices(python)
    if not machines:
        return
    head = ("network", "samples", "device", "ms", "x native", "transfers", "launches")
    print(("{:10} {:>7} {:15} {:>10} {:>9} {:>9} {:>8}").format(*head))
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(given.shared):
            for samples in (1, given.samples):
                x = rng.random((samples, given.ticks, *case.shape)) < case.density
                chosen = [one for one in machines if given.only in f"{case.name} {one.key}"]
                native = native_seconds(case, x) if chosen else 0.0
                for machine in chosen:
                    try:
                        times = device_seconds(case, x, machine, python, Path(folder))
                    except subprocess.TimeoutExpired as expired:
                        print(
                            f"{case.name:10} {samples:7} {machine.key:15} skipped: over {expired.timeout:.0f} s",
                            flush=True,
                        )
                        continue
                    total = sum(times.values())
                    moved, launched = (times["upload"] + times["download"]) / total, times["launches"] / total
                    name = f"{case.name:10} {samples:7} {machine.key:15}"
                    shares = f"{moved:9.0%} {launched:8.0%}"
                    print(f"{name} {total * 1e3:10.2f} {total / native:9.2f} {shares}", flush=True)
                    keep_ratio(f"kernels: {case.name}, {samples} samples, {machine.key} / native", total / native)


if __name__ == "__main__":
    main()
