"""Runs every help line of the goldens as it is typed: `make helps`.

python tests/help_lines.py [SHARED]

The goldens run once more, in the format `lit-tests/help_format.py`. It tries the help of every error and warning in the verb that
was typed, and checks that the finding is gone. The run takes minutes, so it is not part of `make test`.

| kind of help | tried |
| --- | --- |
| a command, an option, a pass, options of a pass, `--set` | yes |
| a form with a place that only the user can fill, such as FILE | no |
| prose, such as an edit of a device file | no |
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

TRIED = ("command", "option", "passes", "options", "set")
"""Kinds of help that are run."""
KNOWN = {
    "CLO001": "the option of compile is printed for textual IR",
    "CLO004": "the option of compile is printed for textual IR",
    "CPR002": "the option of compile is printed for textual IR",
    "FIT002": "compile does not take --target auto, and check takes it without fields of another device",
    "MPL001": "the plan that the help changes was made before the IR that was given",
    "NCD006": "--target auto does not take the place of --device",
    "NEU025": "the module of the golden holds no network",
    "NIF027": "the help continues in words after the option, and a second limit can follow the first",
    "NTN002": "the help continues in words after the option",
    "NTN003": "the help continues in words after the option",
    "NTN004": "the help continues in words after the option",
    "PLN003": "the help names an option of a device for a pipeline that sets it in another pass",
    "REX007": "the help continues in words after the option",
    "RUN001": "the option of run is printed for textual IR",
    "RUN004": "the number of ticks that fits depends on the memory that is free at the time",
    "RUN009": "the pass works before the discretisation and is offered after it",
    "TIM002": "the suggested time step is meant for one population, and another one has a shorter time constant",
}
"""Codes whose help leaves the finding of some golden, with the reason. The table only becomes shorter."""
CODES_THAT_RUN = 146
"""Codes with a help that removed a finding: never fewer."""
CODES_IN_PROSE = 151
"""Codes with a help that cannot be run: never more."""


def records(folder: Path, shared: str) -> list[dict[str, Any]]:
    """Returns what became of the help of every finding of the goldens."""
    log = folder / "helps.jsonl"
    lit = [Path(sys.executable).parent / "lit", "-q", "-j1", "-D", f"helps={log}", "-D", f"shared={shared}"]
    done = subprocess.run([*lit, ROOT / "lit-tests"], capture_output=True, text=True, check=False)
    if not log.is_file():
        raise RuntimeError(done.stdout + done.stderr)
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def failures(found: Iterable[dict[str, Any]]) -> list[str]:
    """Returns the helps that were run and left their finding, a line each."""
    return [
        f"{record['golden']}: {record['code']}: {record['help']}: {record['outcome']}"
        for record in found
        if record["kind"] in TRIED and record["outcome"] != "solved" and record["code"] not in KNOWN
    ]


def judge(found: list[dict[str, Any]]) -> int:
    """Prints the counts of each kind and every failure, and returns the exit code."""
    for (kind, outcome), count in sorted(Counter((r["kind"], r["outcome"].partition(":")[0]) for r in found).items()):
        print(f"{kind:8} {outcome:8} {count}")
    solved = len({record["code"] for record in found if record["outcome"] == "solved"})
    prose = len({record["code"] for record in found if record["kind"] not in TRIED})
    print(f"codes with a help that runs: {solved} (at least {CODES_THAT_RUN})")
    print(f"codes with a help that cannot be run: {prose} (at most {CODES_IN_PROSE})")
    left = failures(found)
    print(*left, sep="\n")
    return int(bool(left) or solved < CODES_THAT_RUN or prose > CODES_IN_PROSE)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(judge(records(Path(folder), *sys.argv[1:])))
