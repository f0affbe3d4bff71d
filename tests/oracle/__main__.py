"""Frameworks against nopt: `make frameworks NETWORKS=30 SEED=0`.

python tests/oracle [--networks N] [--seed S] [--only NAME,…] [--part PART] [--oracles DIR]

Every framework draws its own random networks, runs them and exports them with its own exporter. nopt runs the files, and every
spiking layer is compared entry by entry, in f64 and in f32. If a file does not hold the numbers of its network, `nopt check` has
to report the gap. The exit code is 1 if a complete file differs in both precisions, a gap is not reported or a framework cannot be
installed. The files are kept in build/frameworks.

`--part files` is this alone. Each other part is the module of tests of its name, as `--part imports`: the command only creates the environment with all
frameworks, if the module runs in it. Without --part, all are done.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from time import perf_counter

from comparison import PRECISIONS, Table, compare
from environments import FRAMEWORKS, HERE, IMPORTS, Tool, UnavailableError, prepare
from places import ROOT

NETWORKS = 30
PARTS = ("files", *sorted(path.stem.removeprefix("test_") for path in HERE.glob("test_*.py")))
ALL_FRAMEWORKS = ("imports", "state_dicts", "tutorials")
"""Parts that run in the environment with all frameworks."""
HEADER = (
    "framework",
    "files from its exporter",
    "complete files",
    *(f"equal in {p}" for p in PRECISIONS),
    "gaps reported",
)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/oracle", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--networks", type=int, default=NETWORKS, help=f"networks of each framework, at most {NETWORKS}"
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed, other networks")
    parser.add_argument("--only", default="", help="names of frameworks, with commas between them")
    parser.add_argument("--part", default="", choices=("", *PARTS), help="a part alone")
    parser.add_argument("--oracles", type=Path, default=ROOT / ".venv-oracles", help="folder of the environments")
    args = parser.parse_args()
    names = args.only.split(",") if args.only else list(FRAMEWORKS)
    if unknown := [name for name in names if name not in FRAMEWORKS]:
        parser.error(f"no framework {', '.join(unknown)}; known are {', '.join(FRAMEWORKS)}")
    is_wrong = False
    rows: list[tuple[str, ...]] = [HEADER]
    notes: list[str] = []
    for name in names if args.part in ("", "files") else ():
        tool, started = FRAMEWORKS[name], perf_counter()
        folder = ROOT / "build" / "frameworks" / name
        rmtree(folder, ignore_errors=True)
        try:
            python = prepare(tool, args.oracles.resolve())
        except UnavailableError as reason:
            rows.append((tool.title, *("not installed",) * (len(HEADER) - 1)))
            notes.append(f"{tool.title}: not installed: {reason}")
            is_wrong = True
            continue
        table = compare(python, tool.script, folder, min(args.networks, NETWORKS), args.seed)
        rows.append(row_of(f"{tool.title} {table.versions[name]}", table))
        notes += [f"{tool.title}: {note}" for note in table.notes()]
        is_wrong |= any(verdict.is_wrong for verdict in table.verdicts)
        print(f"{tool.title}: {perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    for tool in environments_of_imports(names) if args.part in ("", *ALL_FRAMEWORKS) else ():
        try:
            prepare(tool, args.oracles.resolve())
        except UnavailableError as reason:
            notes.append(f"{tool.title}: not installed: {reason}")
            is_wrong = True
    if args.part in ("", "files"):
        print_table(rows)
    print(*notes, sep="\n")
    return int(is_wrong)


def environments_of_imports(names: Sequence[str]) -> list[Tool]:
    """Returns the environments of the tests of `nopt import`: that of Spyx, and one for all frameworks of PyTorch."""
    tools = [FRAMEWORKS["spyx"]] if "spyx" in names else []
    return [*tools, IMPORTS] if set(names) - {"spyx"} else tools


def row_of(title: str, table: Table) -> tuple[str, ...]:
    verdicts = table.verdicts
    exported, complete = sum(v.is_exported for v in verdicts), [v for v in verdicts if v.is_complete]
    equal = (sum(p not in v.different for v in complete) for p in PRECISIONS)
    gaps = [v for v in verdicts if v.gaps]
    return (
        title,
        f"{exported} of {len(verdicts)}",
        f"{len(complete)} of {exported}",
        *(f"{n} of {len(complete)}" for n in equal),
        f"{sum(not v.untold for v in gaps)} of {len(gaps)}",
    )


def print_table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for number, row in enumerate(rows):
        print("| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |")
        if not number:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


if __name__ == "__main__":
    sys.exit(main())
