"""Trained networks whose weights are rounded to few bits, by each method: `make rounding`.

python tests/property/rounding [--networks NAME,…] [--methods NAME;…] [--shared DIR] [--seconds T] [--keep DIR] [--record FILE]

`nopt run NETWORK -p 'ntensor-quantize-weights{…}'` on samples that neither a calibration nor the training saw, compared with the network of
reals. Networks of the folder of samples need --shared. The folders of the networks stay; the record is what the docs show.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from places import ROOT

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read as numpy is imported

from rounding_networks import EXAMPLE_NETWORKS, SAMPLE_NETWORKS, write_network
from rounding_rows import DEVICE, METHODS, line, measured, reference, rows_of
from warm import import_nopt

SCHEMA = "nopt.rounding/1"
RECORD = ROOT / "docs" / "reference" / "rounding.json"


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python tests/property/rounding", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--networks", default="", help="parts of names, separated by commas; default: all")
    parser.add_argument(
        "--methods", default=";".join((*METHODS, DEVICE)), help=f"default: {';'.join((*METHODS, DEVICE))}"
    )
    parser.add_argument("--shared", type=Path, help="the folder of samples, for the networks of others")
    parser.add_argument("--seconds", type=int, default=600, help="processor time of one command")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "rounding", help="folder of networks and outputs")
    parser.add_argument(
        "--record", type=Path, help=f"write the record that the docs show, for example {RECORD.relative_to(ROOT)}"
    )
    return parser.parse_args(argv)


def networks(shared: Path | None) -> tuple[str, ...]:
    """Returns the names of the networks that are there."""
    has_samples = shared is not None and (shared / "samples").is_dir()
    return (*EXAMPLE_NETWORKS, *(SAMPLE_NETWORKS if has_samples else ()))


def main(argv: Sequence[str] | None = None) -> int:
    args = parse(argv)
    import_nopt()
    parts, methods = args.networks.split(","), args.methods.split(";")
    rows: list[dict[str, Any]] = []
    for name in (name for name in networks(args.shared) if any(part in name for part in parts)):
        case = write_network(args.keep / name, name, args.shared or Path())
        before = reference(case, args.seconds)
        for row in rows_of(name, methods):
            start = time.monotonic()
            rows.append(measured(case, row, before, args.seconds))
            print(f"{line(rows[-1])} ({time.monotonic() - start:.1f} s)", flush=True)
    if args.record:
        text = ",\n".join(json.dumps(row) for row in rows)
        args.record.write_text(f'{{\n"schema": "{SCHEMA}",\n"rows": [\n{text}\n]\n}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
