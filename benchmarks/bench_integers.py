"""The CNN of the NIR paper in integers (`c/int8` and `c/int4`) compared with nopt's own C in f32: time of a tick and bytes, one thread, the same flags.

python benchmarks/bench_integers.py [--shared DIR]     the table; DIR holds the samples; without them nothing is measured

300 ticks of one sample, 0.6 % of the 2,312 inputs spike in a tick, at random, under the rules of sinabs, for which the network was trained,
and of Norse. Every compiler on the path compiles every device; the time is the best of `REPEATS` runs.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from bench_cnn import COMPILERS, DENSITY, FLAGS, REPEATS, ROOT, SAMPLE, STRICT, TICKS, program
from ratios import keep_ratio

import nopt.api as nopt

DEVICES = {"c": "f32", "c/int8": "f64", "c/int4": "f64"}
"""Devices, and the type of reals before the conversion to integers."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the folder that holds samples/")
    sample = parser.parse_args().shared / SAMPLE
    if not sample.is_file():
        print(f"bench_integers: skipped, {SAMPLE} is not there; --shared DIR names its folder")
        return
    print(
        f"{'rule':8} {'compiler':8} {'flags':20} {'device':8} {'ns/tick':>10} {'f32 / device':>13} {'bytes':>8} {'device / f32':>13}"
    )
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        np.save(there / "x.npy", np.random.default_rng(0).random((TICKS, 2, 34, 34)) < DENSITY)
        for rule in ("sinabs", "norse"):
            builds: dict[str, dict[str, Any]] = {}
            for device, precision in DEVICES.items():
                out = there / f"{rule}-{device.replace('/', '-')}"
                build = nopt.compile(
                    sample,
                    out=out,
                    target=device,
                    dt="1ms",
                    like=rule,
                    precision=precision,
                    calib=there / "x.npy",
                    diagnostics=nopt.Diagnostics(),
                )
                builds[device] = build.report["memory"] | {"artefact": out / "artefact"}
            size = {
                device: sum(one[part] for part in ("constants", "state", "scratch")) for device, one in builds.items()
            }
            for compiler in COMPILERS:
                for flags in FLAGS:
                    shown = " ".join(flags)
                    times = {
                        device: time_of_tick(one["artefact"], compiler, flags, there) for device, one in builds.items()
                    }
                    for device in DEVICES:
                        print(
                            f"{rule:8} {compiler:8} {shown:20} {device:8} {times[device]:10.0f} "
                            f"{times['c'] / times[device]:13.2f} {size[device]:8} {size[device] / size['c']:13.2f}"
                        )
                        keep_ratio(f"integers: f32 / {device}, {rule}, {compiler} {shown}", times["c"] / times[device])
                    keep_ratio(
                        f"integers: c/int8 / c/int4, {rule}, {compiler} {shown}", times["c/int8"] / times["c/int4"]
                    )


def time_of_tick(artefact: Path, compiler: str, flags: tuple[str, ...], there: Path) -> float:
    """Returns the shortest time of a tick of a compiled program [ns]."""
    net = there / "net"
    files = [artefact / "main.c", artefact / "net.c"]
    program([compiler, *STRICT, "-D_POSIX_C_SOURCE=199309L", *flags, *files, "-lm", "-o", net])
    printed = program([net, "-r", str(REPEATS), "-t", there / "x.npy", there / "z.npy"])
    return float(printed.split()[0])


if __name__ == "__main__":
    main()
