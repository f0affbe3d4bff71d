"""Runs of every help line of the goldens: `make helps`.

python tests/property/help_lines.py [SHARED]

The goldens run once more, in the format `lit-tests/help_format.py`. It types the help of every error and warning, and checks that the
finding is gone. The run takes minutes. `make property` runs the sample of `lit-tests/help_sample.py`.

| kind of help | typed |
| --- | --- |
| a command | yes |
| a form with a place that only the user can fill, such as FILE | no |
| prose, such as an edit of a device file, and `nopt explain` | no |
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from places import GOLDENS

TRIED = "command"
"""The kind of help that is run."""
CODES_THAT_RUN = 327
"""Minimal number of codes with a help that removed a finding."""
CODES_IN_PROSE = 345
"""Maximal number of codes with a help that cannot be run."""


def records(folder: Path, shared: str, goldens: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Returns the result of the help of every finding of the goldens, or of the sample that some of them contain."""
    log = folder / "helps.jsonl"
    jobs = 1 if goldens else len(os.sched_getaffinity(0))  # a code of the sample is tried once
    lit = [Path(sys.executable).parent / "lit", "-q", f"-j{jobs}", "-D", f"helps={log}", "-D", f"shared={shared}"]
    lit += ["-D", "sample=1"] if goldens else []
    paths = [GOLDENS / golden for golden in goldens or ["."]]
    done = subprocess.run([*lit, *paths], capture_output=True, text=True, check=False)
    if not log.is_file():
        raise RuntimeError(done.stdout + done.stderr)
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def failures(found: Iterable[dict[str, Any]]) -> list[str]:
    """Returns the help lines that were run without removing their finding."""
    return [
        f"{record['golden']}: {record['code']}: {record['help']}: {record['outcome']}"
        for record in found
        if record["kind"] == TRIED and record["outcome"] != "solved"
    ]


def judge(found: list[dict[str, Any]]) -> int:
    """Prints the counts of each kind and every failure, and returns the exit code."""
    for (kind, outcome), count in sorted(Counter((r["kind"], r["outcome"].partition(":")[0]) for r in found).items()):
        print(f"{kind:8} {outcome:8} {count}")
    solved = len({record["code"] for record in found if record["outcome"] == "solved"})
    prose = len({record["code"] for record in found if record["kind"] != TRIED})
    print(f"codes with a help that runs: {solved} (at least {CODES_THAT_RUN})")
    print(f"codes with a help that cannot be run: {prose} (at most {CODES_IN_PROSE})")
    left = failures(found)
    print(*left, sep="\n")
    return int(bool(left) or solved < CODES_THAT_RUN or prose > CODES_IN_PROSE)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(judge(records(Path(folder), *sys.argv[1:])))
