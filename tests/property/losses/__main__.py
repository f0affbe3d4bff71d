"""Loss records of generated networks on all devices against figures that are recomputed from the arrays of runs: `make losses`.

python tests/property/losses [--networks N] [--seed S] [--devices TEXT,…] [--jobs J] [--seconds T] [--keep DIR]

Every network is compiled for every device of every target with all approximations permitted and a sample input. The exit code is 1 if a figure
differs, or if a warning about loss is missing or too early. Results are in results.jsonl in the folder, with the networks.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from places import ROOT

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # there is a worker for each processor; read as numpy is imported

from attrs import asdict
from bed import Outcome, compare, write_case
from warm import import_nopt

from nopt.core import registry

RESULTS = "results.jsonl"


def devices(filters: Sequence[str]) -> list[str]:
    """Returns every device of every target that has one of the texts in its name."""
    names = [f"{slug}/{name}" for slug, known in sorted(registry.devices().items()) for name in known]
    return [name for name in names if any(text in name for text in filters)]


def examined(seed: int, names: Sequence[str], args: argparse.Namespace) -> list[Outcome]:
    """Compares one network on all devices."""
    case = write_case(seed, args.keep / str(seed))
    return [compare(case, device, args.seconds) for device in names]


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python tests/property/losses", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0, help="of the first network")
    parser.add_argument("--devices", default="", help="parts of names of devices: loihi2/,asic/edge; default: all")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="networks at a time")
    parser.add_argument("--seconds", type=int, default=60, help="processor time of one command")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "losses", help="folder of networks and results")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    args = parse(argv)
    args.keep.mkdir(parents=True, exist_ok=True)
    names, seeds = devices(args.devices.split(",")), range(args.seed, args.seed + args.networks)
    import_nopt()
    counts = Counter[str]()
    with (
        ProcessPoolExecutor(args.jobs, get_context("fork")) as pool,
        open(args.keep / RESULTS, "w", encoding="utf-8") as log,
    ):
        tasks = {pool.submit(examined, seed, names, args): seed for seed in seeds}
        for number, task in enumerate(as_completed(tasks), 1):
            for one in task.result():
                log.write(json.dumps({"seed": tasks[task], **asdict(one)}) + "\n")
                counts["builds" if one.fits else f"does not fit: {one.code}"] += 1
                counts["warned"] += one.is_warned
                counts["faults"] += bool(one.faults)
                for fault in one.faults:
                    print(f"network {tasks[task]} on {one.device}: {fault}", flush=True)
            print(f"{number} of {len(tasks)} networks", file=sys.stderr, flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.most_common()))
    return int(counts["faults"] > 0)


if __name__ == "__main__":
    sys.exit(main())
