"""The CNN of the NIR paper, 300 ticks: nopt's C and engines compared with hand-written C, and with Norse, snnTorch, sinabs and torch.

python benchmarks/bench_cnn.py [--shared DIR]     the table; DIR holds the samples; without them nothing is measured

All programs run one sample on one thread in the same run. 0.6 % of the 2,312 inputs spike in a tick, at random. C is compiled by GCC and clang, as far as
they are on the path, twice, with the same flags on both sides; a program's time is the best of `REPEATS` runs. The hand-written C is also compared
in its best compilation, because GCC -O3 makes it slower than -O2 does. Missing frameworks are skipped with the
reason; `make train` installs them. The rule is Norse's, in f32; sinabs uses another rule, so its spikes differ.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from ratios import keep_ratio

import nopt.api as nopt
from nopt.dialects import ntensor

ROOT = Path(__file__).parent.parent
SAMPLE = Path("samples/nir_paper/cnn/cnn_sinabs.nir")
PEERS = ("torch", "sinabs", "norse", "snntorch")
FLAGS = (("-O2",), ("-O3", "-march=native"))
COMPILERS = tuple(filter(shutil.which, ("gcc", "clang")))
STRICT = ("-std=c99", "-ffp-contract=off")
TICKS, DENSITY, REPEATS = 300, 0.006, 30
CONVERSION = "convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32}"


def program(command: list[str | Path]) -> str:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def yardstick_tables(module: Any, path: Path) -> None:
    """Returns the weights of the network in the order in which the hand-written program reads them."""
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    ops = {op.properties["node"].data: op for op in network.body.block.ops if "node" in op.properties}
    weight = {name: ops[name].weight.values for name in ("0", "2", "5", "9", "11")}
    limits = [
        float(dict(ops[name].arrays(ops[name].params))["v_threshold"].values) for name in ("1", "3", "6", "10", "12")
    ]
    parts = [
        *(weight[name].transpose(1, 2, 3, 0) for name in ("0", "2", "5")),
        weight["9"].T,
        ops["9"].bias.values,
        weight["11"].T,
        np.array(limits),
    ]
    np.concatenate([np.ascontiguousarray(part, np.float32).ravel() for part in parts]).tofile(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the folder that holds samples/")
    sample = parser.parse_args().shared / SAMPLE
    if not sample.is_file():
        print(f"bench_cnn: skipped, {SAMPLE} is not there; --shared DIR names its folder")
        return
    quiet = nopt.Diagnostics()
    x = np.random.default_rng(0).random((TICKS, 2, 34, 34)) < DENSITY
    rows: list[tuple[str, float, int | None]] = []
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        np.save(there / "x.npy", x)
        x.astype(np.uint8).tofile(there / "x.bin")
        module = nopt.read(sample, diagnostics=quiet)
        nopt.apply(module, CONVERSION, diagnostics=quiet)
        yardstick_tables(module, there / "w.bin")
        nopt.compile(module, target="c", out=there / "build", diagnostics=quiet)
        artefact = there / "build" / "artefact"
        for compiler in COMPILERS:
            for flags in FLAGS:
                shown = f"{compiler} {' '.join(flags)}"
                build = [compiler, *STRICT, "-D_POSIX_C_SOURCE=199309L", *flags]
                peer, net = there / "peer", there / "net"
                program([*build, ROOT / "benchmarks/peers/cnn_event.c", "-o", peer])
                best = program([peer, there / "w.bin", there / "x.bin", str(TICKS), str(REPEATS), there / "out.bin"])
                z = np.fromfile(there / "out.bin", np.uint8)[: TICKS * 10]
                rows.append((f"by hand in C, {shown}", float(best), int(z.sum())))
                program([*build, *sorted(artefact.glob("*.c")), "-lm", "-o", net])
                said = program([net, "-r", str(REPEATS), "-t", there / "x.npy", there / "z.npy"])
                spikes = int(np.load(there / "z.npy").sum())
                rows.append((f"nopt, C, {shown}", float(said.split()[0]) * TICKS * 1e-9, spikes))
        for engine in ("native", "numpy"):
            found = [nopt.execute(module, x, engine=engine, diagnostics=quiet) for _ in range(3)]
            best = min(found, key=lambda result: result.seconds)
            rows.append((f"nopt, engine {engine}", best.seconds, int(best.total("output"))))
        python = ROOT / ".venv-train" / "bin" / "python"
        for peer in PEERS:
            if not python.exists():
                print(f"bench_cnn: {peer} is skipped, .venv-train is not there (make train)")
                continue
            script = ROOT / "benchmarks" / "peers" / "cnn_frameworks.py"
            try:
                said = program([python, script, sample, there / "x.npy", peer, "5"])
            except subprocess.CalledProcessError as failure:
                print(f"bench_cnn: {peer} is skipped, {failure.stderr.strip().splitlines()[-1]}")
                continue
            result = json.loads(said.splitlines()[-1])
            rows.append((result["peer"], result["seconds"], result["spikes"]))
    show(rows)


def show(rows: list[tuple[str, float, int | None]]) -> None:
    times = {name: seconds for name, seconds, _ in rows}
    fastest = min(seconds for name, seconds in times.items() if name.startswith("nopt, C"))
    print(f"\n{'300 ticks, one sample, one thread':40} {'ms':>9} {'spikes':>7} {'x best nopt':>14}")
    for name, seconds, spikes in rows:
        print(f"{name:40} {seconds * 1e3:9.3f} {spikes if spikes is not None else '':>7} {seconds / fastest:14.2f}")
        keep_ratio(f"cnn: {name} / best nopt, C", seconds / fastest)
    for compiler in COMPILERS:
        for flags in map(" ".join, FLAGS):
            ratio = times[f"nopt, C, {compiler} {flags}"] / times[f"by hand in C, {compiler} {flags}"]
            keep_ratio(f"cnn: nopt / C by hand, {compiler} {flags}", ratio)
            print(f"{compiler} {flags}: {ratio:.2f} of the time of the hand-written C")
    best = fastest / min(seconds for name, seconds in times.items() if name.startswith("by hand"))
    keep_ratio("cnn: nopt / C by hand, the best of each", best)
    print(f"the best compilation of each: {best:.2f} of the time of the hand-written C")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
