"""Fuzzing of `nopt` with damaged files and unusual options: `make fuzz N=3000`.

python tests/fuzz [--count N] [--seed S] [--first K] [--jobs J] [--shared DIR] [--keep DIR]

Every case is a folder of files with one command of one verb. Case K of a seed does not depend on N. A case fails if the
command ends with another exit code than 0, 1 or 2, prints a traceback, a warning of Python or a control character, takes more than
10 s or 1 GiB, leaves a file after a refusal, prints something other than one document with `--format json` or `sarif`,
or writes C that does not compile. A failed case is kept in a folder with the command that repeats it. Standard error shows the progress.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from cases import Suite, keep, quiet_environment
from material import material
from seeds import ROOT, seeds
from trial import Verdict

SHARE = 25
"""Number of cases that a worker processes at a time."""
STEP = 250
"""Number of cases between two lines of progress."""
_suites: list[Suite] = []
"""The suite, created once before the workers fork."""


def work(numbers: range, kept: Path) -> list[tuple[int, str, str, Verdict]]:
    """Runs some cases. Returns number, kind, command, and verdict of each."""
    found: list[tuple[int, str, str, Verdict]] = []
    (suite,) = _suites
    with tempfile.TemporaryDirectory(prefix="nopt-fuzz-") as folder:
        for number in numbers:
            case = suite.case(number)
            verdict = suite.tried(case, Path(folder))
            if verdict.faults:
                keep(case, verdict, kept / f"{suite.seed}-{number}")
            found.append(
                (
                    number,
                    case.how.split()[0],
                    case.shown()[:400],
                    replace(verdict, printed=b"", said=verdict.said[-3000:]),
                )
            )
    return found


def results(args: argparse.Namespace) -> Iterator[tuple[int, str, str, Verdict]]:
    last = args.first + args.count
    shares = [range(start, min(last, start + SHARE)) for start in range(args.first, last, SHARE)]
    if args.jobs == 1:
        for share in shares:
            yield from work(share, args.keep)
        return
    with ProcessPoolExecutor(args.jobs, get_context("fork")) as pool:
        for made in pool.map(work, shares, [args.keep] * len(shares)):
            yield from made


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/fuzz", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=3000, help="cases")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="cases at a time")
    parser.add_argument("--shared", type=Path, help="folder of the third-party samples")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "fuzz", help="where failing cases are kept")
    args = parser.parse_args()
    shared = args.shared if args.shared is not None and args.shared.is_dir() else None
    quiet_environment(ROOT / "build" / "cache")
    _suites.append(Suite(seeds(shared, has_goldens=True), args.seed, material()))
    ended: Counter[int] = Counter()
    kinds: Counter[str] = Counter()
    failed = 0
    slowest = 0.0
    for done, (number, kind, command, verdict) in enumerate(results(args), 1):
        ended[verdict.code] += 1
        kinds[kind] += 1
        slowest = max(slowest, verdict.seconds)
        if verdict.faults:
            failed += 1
            print(f"case {number} ({kind}): {'; '.join(verdict.faults)}\n  {command!a}")
            print(
                "".join(f"    {ascii(line)[:200]}\n" for line in verdict.errors[-1500:].splitlines()[-8:]), flush=True
            )
        if done % STEP == 0:
            print(f"{done} of {args.count} cases, {failed} failed", file=sys.stderr, flush=True)
    counts = ", ".join(f"{count} with exit code {code}" for code, count in sorted(ended.items()))
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    print(f"{args.count} cases of seed {args.seed}: {counts}; {failed} failed; the slowest took {slowest:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
