"""Ratios of the benchmarks: each run keeps them in a file, and compares them with those of an earlier run.

python benchmarks/ratios.py [--base FILE]

The ratios of a run are in `build/bench/ratios.json`, those of the run before it in `build/bench/earlier.json`. The table has the ratios in both
files, and their quotient. Times are not compared: they differ between machines, and on one machine by its load.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "build" / "bench"
RATIOS, EARLIER = FOLDER / "ratios.json", FOLDER / "earlier.json"


def read_ratios(path: Path) -> dict[str, float]:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def keep_ratio(name: str, ratio: float) -> None:
    """Stores a ratio of this run under a name that no other benchmark has."""
    ratios = read_ratios(RATIOS) | {name: round(ratio, 4)}
    FOLDER.mkdir(parents=True, exist_ok=True)
    RATIOS.write_text(json.dumps(dict(sorted(ratios.items())), indent=2) + "\n", encoding="utf-8")


def compare_ratios(base: dict[str, float], ratios: dict[str, float]) -> list[str]:
    """Returns a row for each ratio of this run, with that of the base and their quotient."""
    rows = [f"{'ratio':60} {'earlier':>10} {'now':>10} {'quotient':>9}"]
    for name, ratio in ratios.items():
        earlier = base.get(name)
        cells = ("-", "-") if not earlier else (f"{earlier:.4g}", f"{ratio / earlier:.2f}")
        rows.append(f"{name:60} {cells[0]:>10} {ratio:10.4g} {cells[1]:>9}")
    return rows + [
        f"{name:60} {earlier:10.4g} {'-':>10} {'-':>9}" for name, earlier in base.items() if name not in ratios
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, default=EARLIER, help="the ratios of an earlier run")
    print(*compare_ratios(read_ratios(parser.parse_args().base), read_ratios(RATIOS)), sep="\n")


if __name__ == "__main__":
    main()
