"""Fuzzing of `nopt` with damaged files and unusual options: `make fuzz N=3000`.

python tests/property/fuzz [--count N] [--seed S] [--first K] [--only KIND,…] [--targets SLUG,…] [--jobs J] [--shared DIR]
    [--keep DIR]

Every case is a folder of files with one command of one verb. Case K of a seed does not depend on N; it depends on the
targets whose builds and device files are damaged. A case fails if the
command ends with another exit code than 0, 1 or 2 (4 after a time budget), prints a traceback, a warning of Python or a control character, takes more than
10 s or 1 GiB, leaves or changes a file after a refusal, prints something other than one document with `--format json` or `sarif`,
or writes C that does not compile. A failed case is kept in a folder with the command that repeats it. Standard error shows the progress.

A fifth of the commands is good: nothing in them is damaged. The run fails if less than 30 % of the good commands of a kind succeed, because damage to
commands that are refused anyway reaches little of their verb.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from cases import Suite, keep, quiet_environment
from material import material
from places import ROOT
from seeds import seeds
from trial import Verdict

SHARE = 25
"""Number of cases that a worker processes at a time."""
STEP = 250
"""Number of cases between two lines of progress."""
_suites: list[Suite] = []
"""The suite, created once before the workers fork."""


LEAST_SHARE = 0.3
"""Share of the good commands of a kind that succeed at least."""
LEAST_CASES = 8
"""Number of good commands from which the share of a kind is judged."""


@dataclass(frozen=True)
class Result:
    """A case that was run."""

    number: int
    kind: str
    command: str
    verdict: Verdict
    is_good: bool
    is_success: bool


def work(numbers: range, kept: Path, kinds: frozenset[str]) -> list[Result]:
    """Runs some cases, of all kinds or of those that are named."""
    found: list[Result] = []
    (suite,) = _suites
    with tempfile.TemporaryDirectory(prefix="nopt-fuzz-") as folder:
        for number in numbers:
            case = suite.case(number)
            if kinds and case.kind not in kinds:
                continue
            verdict = suite.tried(case, Path(folder))
            if verdict.faults:
                keep(case, verdict, kept / f"{suite.seed}-{number}")
            short = replace(verdict, printed=b"", said=verdict.said[-3000:])
            found.append(Result(number, case.kind, case.shown()[:400], short, case.is_good, case.succeeds(verdict)))
    return found


def results(args: argparse.Namespace) -> Iterator[Result]:
    last, kinds = args.first + args.count, frozenset(filter(None, args.only.split(",")))
    shares = [range(start, min(last, start + SHARE)) for start in range(args.first, last, SHARE)]
    if args.jobs == 1:
        for share in shares:
            yield from work(share, args.keep, kinds)
        return
    with ProcessPoolExecutor(args.jobs, get_context("fork")) as pool:
        for made in pool.map(work, shares, repeat(args.keep), repeat(kinds)):
            yield from made


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/property/fuzz", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=3000, help="cases")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument(
        "--only", default="", help="kinds of cases, for example rule,onnx; the others are skipped; default: all"
    )
    parser.add_argument(
        "--targets", default="", help="targets whose builds are damaged, for example c,asic; default: all"
    )
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="cases at a time")
    parser.add_argument("--shared", type=Path, help="folder of the third-party samples")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "fuzz", help="where failing cases are kept")
    args = parser.parse_args()
    shared = args.shared if args.shared is not None and args.shared.is_dir() else None
    targets = args.targets.split(",") if args.targets else None
    quiet_environment(ROOT / "build" / "cache")
    _suites.append(Suite(seeds(shared, has_goldens=True), args.seed, material(targets)))
    made: list[Result] = []
    for result in results(args):
        made.append(result)
        if result.verdict.faults:
            show_failure(result)
        if len(made) % STEP == 0:
            failed = sum(bool(one.verdict.faults) for one in made)
            print(f"{len(made)} of {args.count} cases, {failed} failed", file=sys.stderr, flush=True)
    failed = sum(bool(one.verdict.faults) for one in made)
    poor = show_kinds(made)
    slowest = max((one.verdict.seconds for one in made), default=0.0)
    counts = show_codes(made)
    print(f"{len(made)} cases of seed {args.seed}: {counts}; {failed} failed; the slowest took {slowest:.1f} s")
    if poor:
        print(f"less than {LEAST_SHARE:.0%} of the good commands succeed: {', '.join(poor)}")
    return 1 if failed or poor else 0


def show_failure(result: Result) -> None:
    verdict = result.verdict
    print(f"case {result.number} ({result.kind}): {'; '.join(verdict.faults)}\n  {result.command!a}")
    print("".join(f"    {ascii(line)[:200]}\n" for line in verdict.errors[-1500:].splitlines()[-8:]), flush=True)


def show_codes(made: Sequence[Result]) -> str:
    ended = Counter(one.verdict.code for one in made)
    return ", ".join(f"{count} with exit code {code}" for code, count in sorted(ended.items()))


def show_kinds(made: Sequence[Result]) -> list[str]:
    """Prints the exit codes and the share of successes of each kind of case. Returns the kinds with too few successes."""
    poor: list[str] = []
    for kind in sorted({one.kind for one in made}):
        cases = [one for one in made if one.kind == kind]
        good = [one for one in cases if one.is_good]
        successes = sum(one.is_success for one in good)
        share = f"; {successes} of {len(good)} good ones succeed ({successes / len(good):.0%})" if good else ""
        print(f"{kind:14} {len(cases):5} cases: {show_codes(cases)}{share}")
        if len(good) >= LEAST_CASES and successes < LEAST_SHARE * len(good):
            poor.append(kind)
    return poor


if __name__ == "__main__":
    sys.exit(main())
