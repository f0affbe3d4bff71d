"""Mapping of common networks against file order, the plan alone, and Mt-KaHyPar with annealing, in one run.

python benchmarks/mapping/bench.py OUT [--samples DIR] [--partitioner PYTHON] [--only EXPRESSION]      writes OUT/map.json and OUT/map.md

All methods share the device (cores with a number of neurons on a square mesh), the cost (links per tick, every neuron active once) and the number of slices.
Hops and remote pairs do not depend on the machine; seconds, which are those of the processor, do. EXPRESSION is a regular expression that selects networks by
name, or by name and mesh (`balanced 20000 on 16 x 16`); rows of other networks in OUT are kept. The files are written after each network.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from math import ceil, prod
from pathlib import Path
from typing import Any

from methods import compared
from networks import networks
from square import mesh_device

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import ntensor

METHODS = ("nopt", "plan", "file order", "mtkahypar")
NEAR = 1.01
"""A cost that counts as best: at most 1 % above the least."""


def rows(samples: Path | None, python: Path | None, only: str) -> Iterator[dict[str, Any]]:
    """Yields the figures of each network on each of its meshes."""
    for one in networks(samples):
        for side, room in one.meshes:
            if not any(re.search(only, text) for text in (one.name, f"{one.name} on {side} x {side}")):
                continue
            with tempfile.TemporaryDirectory() as folder:
                module = one.read(Path(folder))
                sizes = [prod(shape_of(op.z)) for op in module.walk() if isinstance(op, ntensor.NeuronOp)]
                room = room or max(1, ceil(sum(sizes) / (side * side - len(sizes))))
                path = Path(folder) / "square.json"
                path.write_text(json.dumps(mesh_device(side, room)), encoding="utf-8")
                steps = f'ntensor-plan-cores{{device="{path}"}},convert-ntensor-to-machine'
                nopt.apply(module, steps, diagnostics=Diagnostics())
                figures = compared(module, Path(folder), python)
            print(one.name, side, {m: figures[m] and figures[m]["hops"] for m in METHODS}, file=sys.stderr, flush=True)
            yield {"network": one.name, "side": side, "core_neurons": room, **figures}


def merge(kept: list[dict[str, Any]], new: list[dict[str, Any]], samples: Path | None) -> list[dict[str, Any]]:
    """Returns the rows in the order of the networks, where a new row replaces that of the same network and mesh."""
    by_key = {(row["network"], row["side"]): row for row in [*kept, *new]}
    order = [(one.name, side) for one in networks(samples) for side, _ in one.meshes]
    return [by_key[key] for key in [*order, *(key for key in by_key if key not in order)] if key in by_key]


def page(found: list[dict[str, Any]]) -> str:
    """Returns the page of the figures."""

    def text(figures: dict[str, float] | None) -> str:
        return "" if figures is None else f"{figures['hops']:,.0f} ({figures['seconds']:g} s)"

    lines = [
        "# Mapping, method by method",
        "",
        "Links per tick with every neuron active once; in brackets the processor seconds of the method.",
        "",
    ]
    lines += [
        f"| network | mesh | {' | '.join(METHODS)} | nopt / mtkahypar | any partition at least |",
        "| --- | --- " + "| --: " * (len(METHODS) + 2) + "|",
    ]
    for row in found:
        cells = [text(row[method]) for method in METHODS]
        mesh = f"{row['side']} x {row['side']} of {row['core_neurons']}"
        ratio = "" if row["mtkahypar"] is None else f"{row['nopt']['hops'] / row['mtkahypar']['hops']:.3f}"
        lines.append(
            f"| {row['network']} | {mesh} | {' | '.join(cells)} | {ratio} | {row['nopt']['network_bound']:,.0f} |"
        )
    near = sum(is_near(row) for row in found)
    lines += ["", f"nopt is best or within 1 % of the best in {near} of {len(found)} rows."]
    return "\n".join(lines) + "\n"


def is_near(row: dict[str, Any]) -> bool:
    least = min(row[method]["hops"] for method in METHODS if row[method] is not None)
    return row["nopt"]["hops"] <= NEAR * least + 1e-9


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--samples", type=Path, default=None)
    parser.add_argument("--partitioner", type=Path, default=None)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    figures = given.out / "map.json"
    found: list[dict[str, Any]] = (
        json.loads(figures.read_text(encoding="utf-8")) if given.only and figures.exists() else []
    )
    for row in rows(given.samples, given.partitioner, given.only):
        found = merge(found, [row], given.samples)  # files are complete up to here if the run is stopped
        figures.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        (given.out / "map.md").write_text(page(found), encoding="utf-8")
    print(page(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
