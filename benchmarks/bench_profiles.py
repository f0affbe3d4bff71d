"""The CNN of the NIR paper as C with each profile of an instruction set that this processor can execute: time of a tick, one thread.

python benchmarks/bench_profiles.py [--shared DIR] [--rounds N]

300 ticks of one sample, 0.6 % of the 2,312 inputs spike in a tick. Every compiler on the path compiles every profile with `-O3`; the time is the
best of all rounds, in which the profiles take turns. All outputs are equal to the last bit.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from bench_cnn import COMPILERS, DENSITY, REPEATS, ROOT, SAMPLE, STRICT, TICKS, program
from ratios import keep_ratio

import nopt.api as nopt
from nopt.targets.c.instructions.profile import built_in_profiles, unsupported_reason

SCALAR = "scalar"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the folder that holds samples/")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    sample = args.shared / SAMPLE
    if not sample.is_file():
        print(f"bench_profiles: skipped, {SAMPLE} is not there; --shared DIR names its folder")
        return
    profiles = {name: one for name, one in built_in_profiles().items() if unsupported_reason(one) is None}
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        np.save(there / "x.npy", np.random.default_rng(0).random((TICKS, 2, 34, 34)) < DENSITY)
        for rule in ("sinabs", "norse"):
            builds = {name: build(sample, rule, name, there / f"{rule}-{name}") for name in profiles}
            for compiler in COMPILERS:
                for name, artefact in builds.items():
                    files = [artefact / "main.c", artefact / "net.c", "-lm", "-o", there / name]
                    flags = [*STRICT, "-D_POSIX_C_SOURCE=199309L", "-O3", *profiles[name].flags]
                    program([compiler, *flags, *files])
                times = dict.fromkeys(profiles, float("inf"))
                for _ in range(args.rounds):
                    for name in profiles:
                        out = there / f"{name}.npy"
                        printed = program([there / name, "-r", str(REPEATS), "-t", there / "x.npy", out])
                        times[name] = min(times[name], float(printed.split()[0]))
                outputs = [np.load(there / f"{name}.npy") for name in profiles]
                assert all(np.array_equal(outputs[0], other) for other in outputs)
                for name, time in times.items():
                    ratio = times[SCALAR] / time
                    print(
                        f"{rule:8} {compiler:8} {name:8} {time:8.0f} ns a tick, {ratio:5.2f} times as fast as {SCALAR}"
                    )
                    keep_ratio(f"profiles: {SCALAR} / {name}, {rule}, {compiler}", ratio)


def build(sample: Path, rule: str, profile: str, out: Path) -> Path:
    """Returns the folder of the C of the network for a profile."""
    nopt.compile(
        sample, out=out, target="c", dt="1ms", like=rule, set=[f"c.profile={profile}"], diagnostics=nopt.Diagnostics()
    )
    return out / "artefact"


if __name__ == "__main__":
    main()
