"""Common networks on all devices, each as a user would check them: `make fits`.

python tests/property/fits [--networks NAME,…] [--devices TEXT,…] [--shared DIR] [--seconds T] [--keep DIR] [--record FILE]

`nopt check NETWORK --target auto --approximate all --input X` of each network of `common_networks`, and with `--shared` of each one of
`benchmark_networks`: which devices take it, with which approximations, and the loss on the sample input. The commands, with their
documents, stay in the folder; the record is what the docs show, and has no network of the samples.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from places import ROOT

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read as numpy is imported

from benchmark_networks import benchmark_names, write_benchmark
from common_networks import NAMES, Case, write_network
from fits_record import SCHEMA, row, summary
from forked_commands import JSON, Folder
from warm import import_nopt

RECORD = ROOT / "docs" / "reference" / "network-fits.json"


def ranking(case: Case, name: str, seconds: int) -> list[dict[str, Any]]:
    """Returns the ranking of devices for one network. A command that fails is an error with its text."""
    command = ("check", *case.arguments, "--target", "auto", "--approximate", "all", *JSON)
    reply = Folder(case.folder, seconds).run(command)
    if reply.code not in (0, 1) or reply.document is None:
        raise SystemExit(f"{name}: nopt {' '.join(command)} ended with {reply.label}\n{reply.said}")
    (case.folder / "check.json").write_text(json.dumps(reply.document, indent=1), encoding="utf-8")
    return reply.document["ranking"]


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python tests/property/fits", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--networks", default="", help="parts of names; default: all")
    parser.add_argument("--devices", default="", help="parts of names of devices, for the summary; default: all")
    parser.add_argument("--shared", type=Path, help="the folder of samples, for networks whose names start with bench")
    parser.add_argument("--seconds", type=int, default=600, help="processor time of one command")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "fits", help="folder of networks and documents")
    parser.add_argument(
        "--record", type=Path, help=f"write the record that the docs show, for example {RECORD.relative_to(ROOT)}"
    )
    return parser.parse_args(argv)


def names(shared: Path | None) -> tuple[str, ...]:
    return NAMES if shared is None else (*NAMES, *benchmark_names(shared))


def written(shared: Path | None, folder: Path, name: str) -> Case:
    return write_network(folder, name) if shared is None or name in NAMES else write_benchmark(shared, folder, name)


def main(argv: Sequence[str] | None = None) -> int:
    args = parse(argv)
    import_nopt()
    parts, rows = args.networks.split(","), []
    for name in (name for name in names(args.shared) if any(part in name for part in parts)):
        ranked = ranking(written(args.shared, args.keep / name, name), name, args.seconds)
        found = [row(name, one) for one in ranked if any(text in one["device"] for text in args.devices.split(","))]
        rows += found
        print(summary(name, found), flush=True)
    for title, is_common in (("all", True), ("benchmark", False)):
        if group := [one for one in rows if (one["network"] in NAMES) == is_common]:
            print(summary(title, group))
    if args.record:
        lines = ",\n".join(json.dumps(one) for one in rows if one["network"] in NAMES)
        args.record.write_text(f'{{\n"schema": "{SCHEMA}",\n"fits": [\n{lines}\n]\n}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
