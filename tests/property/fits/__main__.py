"""Common networks on all devices, each as a user would check them: `make fits`.

python tests/property/fits [--networks NAME,…] [--devices TEXT,…] [--shared DIR] [--seconds T] [--keep DIR] [--record FILE]

`nopt check NETWORK --target auto --approximate all --input X` of each network of `common_networks`, and with `--shared` of each one of
`benchmark_networks`: which devices take it, with which approximations, and the loss on the sample input. With `--devices`, each of those devices is
checked alone. The commands, with their documents, stay in the folder; the record is what the docs show, and has no network of the samples. It keeps
the rows of networks and devices that are not checked.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from places import ROOT

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read as numpy is imported

from benchmark_networks import benchmark_names, write_benchmark
from common_networks import NAMES, Case, write_network
from fits_record import SCHEMA, entry, merged, row, summary
from forked_commands import JSON, Folder
from warm import import_nopt

from nopt.core import registry

RECORD = ROOT / "docs" / "reference" / "network-fits.json"


def checked(case: Case, name: str, target: str, seconds: int) -> Mapping[str, Any]:
    """Returns the document of a check. A command that fails is an error with its text."""
    command = ("check", *case.arguments, "--target", target, "--approximate", "all", *JSON)
    reply = Folder(case.folder, seconds).run(command)
    if reply.code not in (0, 1) or reply.document is None:
        raise SystemExit(f"{name}: nopt {' '.join(command)} ended with {reply.label}\n{reply.said}")
    file = case.folder / f"check-{target.replace('/', '-')}.json"
    file.write_text(json.dumps(reply.document, indent=1), encoding="utf-8")
    return reply.document


def ranking(case: Case, name: str, chosen: Sequence[str], seconds: int) -> list[dict[str, Any]]:
    """Returns the entries of the chosen devices for one network; those of all devices in the order of the ranking if none is chosen."""
    if not chosen:
        return checked(case, name, "auto", seconds)["ranking"]
    return [entry(checked(case, name, device, seconds)) for device in chosen]


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python tests/property/fits", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--networks", default="", help="parts of names; default: all")
    parser.add_argument("--devices", default="", help="parts of names of devices; default: all, in one check")
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


def devices(parts: Sequence[str]) -> list[str]:
    """Returns the devices that have one of the texts in their names."""
    known = [f"{slug}/{name}" for slug, names in sorted(registry.devices().items()) for name in names]
    return [name for name in known if any(part in name for part in parts)]


def main(argv: Sequence[str] | None = None) -> int:
    args = parse(argv)
    import_nopt()
    parts, rows = args.networks.split(","), []
    chosen = devices(args.devices.split(",")) if args.devices else []
    for name in (name for name in names(args.shared) if any(part in name for part in parts)):
        ranked = ranking(written(args.shared, args.keep / name, name), name, chosen, args.seconds)
        found = [row(name, one) for one in ranked]
        rows += found
        print(summary(name, found), flush=True)
    for title, is_common in (("all", True), ("benchmark", False)):
        if group := [one for one in rows if (one["network"] in NAMES) == is_common]:
            print(summary(title, group))
    if args.record:
        earlier = json.loads(args.record.read_text(encoding="utf-8"))["fits"] if args.record.exists() else []
        whole = set() if chosen else {one["network"] for one in rows}
        kept = [one for one in earlier if one["network"] not in whole]
        lines = ",\n".join(json.dumps(one) for one in merged(kept, rows, NAMES))
        args.record.write_text(f'{{\n"schema": "{SCHEMA}",\n"fits": [\n{lines}\n]\n}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
