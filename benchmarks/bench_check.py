"""Processor time of `nopt --version`, of `nopt check` on every recorded sample, of the choice of a device, and of a chain of layers that becomes C, against a Python program that only imports `nir`.

python benchmarks/bench_check.py [--shared DIR]

Each command is a process of its own. The least time of three is printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

import nir
from growth import NETWORKS
from ratios import keep_ratio

ROOT = Path(__file__).parent.parent
DIGITS = ROOT / "examples" / "digits" / "fc.nir"
REPEATS = 3
LAYERS = 300
"""Layers of the chain."""
NOPT = (sys.executable, "-m", "nopt.tools.main")
PEER = (sys.executable, "-c", "import nir")


def seconds(*command: str) -> float:
    """Returns the least processor time of a command [s]."""
    found: list[float] = []
    for _ in range(REPEATS):
        start = sum(getrusage(RUSAGE_CHILDREN)[:2])
        subprocess.run(command, capture_output=True, check=True)
        found.append(sum(getrusage(RUSAGE_CHILDREN)[:2]) - start)
    return min(found)


def chain_seconds() -> float:
    """Returns the processor time of the compilation of a chain of linear layers to C [s]."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "chain.nir"
        nir.write(path, NETWORKS["chain of linear layers"](LAYERS))
        options = ("--dt", "1ms", "--like", "norse", "--target", "c", "-o", str(Path(folder) / "build"))
        return seconds(*NOPT, "compile", str(path), *options)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the folder that holds samples/")
    args = parser.parse_args()
    own, peer = seconds(*NOPT, "--version"), seconds(*PEER)
    print(f"import nir: {peer:.2f} s")
    print(f"nopt --version: {own:.2f} s, {own / peer:.1f} times")
    keep_ratio("check: nopt --version / import nir", own / peer)
    own = seconds(*NOPT, "check", str(DIGITS), "--dt", "1ms", "--like", "snntorch", "--target", "auto")
    print(f"nopt check {DIGITS.name} --target auto: {own:.2f} s, {own / peer:.1f} times")
    keep_ratio("check: nopt check --target auto / import nir", own / peer)
    own = chain_seconds()
    print(f"nopt compile of {LAYERS} layers to C: {own:.2f} s, {own / peer:.1f} times")
    keep_ratio(f"check: nopt compile of {LAYERS} layers to C / import nir", own / peer)
    paths = sorted((args.shared / "samples").rglob("*.nir"))
    if not paths:
        print("bench_check: skipped, samples/ is not there; --shared DIR names its folder")
        return
    for path in paths:
        own = seconds(*NOPT, "check", str(path))
        print(f"nopt check {path.name}: {own:.2f} s, {own / peer:.1f} times")
        keep_ratio(f"check: nopt check {path.relative_to(args.shared)} / import nir", own / peer)


if __name__ == "__main__":
    main()
