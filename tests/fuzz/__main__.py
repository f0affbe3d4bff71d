"""Damaged networks in, and what `nopt` says about them: `make fuzz N=1000`.

python tests/fuzz [--count N] [--seed S] [--first K] [--shared DIR] [--keep DIR]

Every case is one file with one command. Case K of a seed is always the same, whatever N is. A case fails if the command ends with
another exit code than 0 or 1, prints a traceback, takes more than 10 s or 1 GiB, or leaves a file where it refused. What failed is
kept in a folder with the command that repeats it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from cases import Suite
from seeds import ROOT, seeds


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/fuzz", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1000, help="cases")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--shared", type=Path, help="folder of the third-party samples")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "fuzz", help="where failing cases are kept")
    args = parser.parse_args()
    shared = args.shared if args.shared is not None and args.shared.is_dir() else None
    suite = Suite(seeds(shared, has_goldens=True), args.seed)
    ended: Counter[int] = Counter()
    failed = 0
    slowest = 0.0
    with tempfile.TemporaryDirectory(prefix="nopt-fuzz-") as folder:
        for number in range(args.first, args.first + args.count):
            case = suite.case(number)
            verdict = suite.tried(case, Path(folder))
            ended[verdict.code] += 1
            slowest = max(slowest, verdict.seconds)
            if verdict.faults:
                failed += 1
                args.keep.mkdir(parents=True, exist_ok=True)
                kept = args.keep / f"{args.seed}-{number}{case.suffix}"
                kept.write_bytes(case.data)
                print(f"case {number} ({case.how}): {'; '.join(verdict.faults)}\n  nopt {case.shown(kept)}")
                print("".join(f"    {line}\n" for line in verdict.errors[-1500:].splitlines()[-8:]), flush=True)
    counts = ", ".join(f"{count} with exit code {code}" for code, count in sorted(ended.items()))
    print(f"{args.count} cases of seed {args.seed}: {counts}; {failed} failed; the slowest took {slowest:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
