"""Chains of helps over generated networks and all devices: the second part of `make helps`.

python tests/property/help_chains [--networks N] [--seed S] [--devices TEXT,…] [--jobs J] [--seconds T] [--keep DIR] [--any-version]

Every network is compiled for every device of every target. The help of each refusal is typed as it is printed, until the network compiles,
another device is named, a help repeats, or no help can be typed. Results are appended to results.jsonl in the folder, with the networks. A run
with the same package continues where an earlier one ended. The exit code is 1 if a help repeats or fails, or if more than 5 % of the pairs
have no remedy.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from places import ROOT

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # there is a worker for each processor; read as numpy is imported

import nir
import numpy as np
from chain_networks import Network, chain_network
from chains import Search
from forked_commands import JSON, Command, Folder, Reply
from outcomes import exit_code, report
from warm import import_nopt

from nopt.core import registry

RESULTS = "results.jsonl"
SUFFIXES = (".py", ".json", ".neuron", ".toml", ".lark")
SOURCES = (
    *("analysis", "api", "core", "dialects", "frontends", "passes", "simulation", "targets", "tools"),
    *("tests/property/help_chains", "lit-tests/help_trials.py"),
    *(f"tests/support/{name}.py" for name in ("chain_networks", "forked_commands", "structured_networks")),
)


def digest() -> str:
    """Returns a digest of the package and of this tool, on which results depend."""
    total = sha256()
    for source in SOURCES:
        paths = [ROOT / source] if source.endswith(".py") else sorted((ROOT / source).rglob("*"))
        for path in paths:
            if path.suffix in SUFFIXES:
                total.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def devices(filters: Sequence[str]) -> list[str]:
    """Returns every device of every target that has one of the texts in its name."""
    names = [f"{slug}/{name}" for slug, known in sorted(registry.devices().items()) for name in known]
    return [name for name in names if any(text in name for text in filters)]


def first_command(network: Network, device: str) -> Command:
    return ("compile", "net.nir", "--target", device, *network.options, "-o", "build")


def write_network(network: Network, folder: Path) -> None:
    """Writes the files of a user: the network and a sample of its input."""
    folder.mkdir(parents=True, exist_ok=True)
    nir.write(folder / "net.nir", network.graph)
    np.save(folder / "x.npy", network.x)


def examined(seed: int, names: Sequence[str], args: argparse.Namespace, version: str) -> list[dict[str, Any]]:
    """Searches the chains of one network, and appends the result of each device to the file of results."""
    network, found = chain_network(seed), list[dict[str, Any]]()
    kept = args.keep / str(seed)
    write_network(network, kept)
    searches: list[Reply] = []
    """The result of the search for another device, which is typed once."""
    for device in names:
        with tempfile.TemporaryDirectory(prefix="nopt-chains-") as name:
            folder = Path(name)
            shutil.copytree(kept, folder, dirs_exist_ok=True)
            commands = Folder(folder, args.seconds)

            def run(command: Command, commands: Folder = commands) -> Reply:
                if command[0] == "check":
                    if not searches:
                        searches.append(commands.run(command))
                    return searches[0]
                return commands.run(command)

            search = Search(run)
            ending = search.ending((*first_command(network, device), *JSON))
        record = {
            "version": version, "seed": seed, "device": device, "outcome": ending.outcome, "helps": ending.helps,
            "reason": ending.reason, "detail": ending.detail, "typed": search.typed,
            "chain": [[shown(command), label] for command, label in ending.chain],
        }  # fmt: skip
        with open(args.keep / RESULTS, "a", encoding="utf-8") as log:
            log.write(json.dumps(record) + "\n")
        found.append(record)
    return found


def shown(command: Command) -> list[str]:
    """Returns a command without the format in which findings are read."""
    return [word for k, word in enumerate(command) if word != JSON[0] and command[k - 1] != JSON[0]]


def earlier(args: argparse.Namespace, version: str) -> Iterator[dict[str, Any]]:
    """Yields the results of earlier runs that are still valid."""
    path = args.keep / RESULTS
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        record = json.loads(line)
        if args.any_version or record["version"] == version:
            yield record


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python tests/property/help_chains", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0, help="of the first network")
    parser.add_argument("--devices", default="", help="parts of names of devices: loihi2/,asic/edge; default: all")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="networks at a time")
    parser.add_argument("--seconds", type=int, default=30, help="processor time of one command")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "helps", help="folder of networks and results")
    parser.add_argument("--any-version", action="store_true", help="keep results of another version of the package")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    args = parse(argv)
    args.keep.mkdir(parents=True, exist_ok=True)
    version, names = digest(), devices(args.devices.split(","))
    seeds = range(args.seed, args.seed + args.networks)
    results = {(one["seed"], one["device"]): one for one in earlier(args, version)}
    results = {key: one for key, one in results.items() if key[0] in seeds and key[1] in names}
    left = {seed: [name for name in names if (seed, name) not in results] for seed in seeds}
    print(f"{len(seeds)} networks x {len(names)} devices; {len(results)} pairs are from an earlier run", flush=True)
    import_nopt()
    with ProcessPoolExecutor(args.jobs, get_context("fork")) as pool:
        tasks = [pool.submit(examined, seed, missing, args, version) for seed, missing in left.items() if missing]
        for number, task in enumerate(as_completed(tasks), 1):
            results |= {(one["seed"], one["device"]): one for one in task.result()}
            print(f"{number} of {len(tasks)} networks", file=sys.stderr, flush=True)
    records = [results[key] for key in sorted(results)]
    print(report(records))
    return exit_code(records)


if __name__ == "__main__":
    sys.exit(main())
