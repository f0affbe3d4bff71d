"""Runs many generated networks through C in many forms and compares every bit with the reference: `make soak NETWORKS=500`.

A third of the networks have reals, a third integers. The others have integers whose types are as narrow as their inputs allow, or reals that were
converted to the neuron of a chip. Every network runs in the form of the engine, and in a second form that the seed determines:
other choices of events, fusion, alignment and unrolling, another optimisation level, sometimes sanitizers. The sources of networks
that differ are kept in build/soak.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from time import perf_counter
from traceback import format_exc
from typing import Any

import numpy as np
from chip_networks import chip_network
from integer_networks import integer_network
from places import ROOT
from programs import STRICT, called, different, library, reference, run, run_alone, write
from real_networks import real_network

from nopt.core.diagnostics import Refused
from nopt.targets.c.equivalence_conditions import violations
from nopt.targets.c.source import generate

FOLDER = ROOT / "build" / "soak"
PLAIN = ("-O3", "-march=native")


TIGHT = partial(integer_network, tight=True)
MAKERS = (real_network, integer_network, real_network, TIGHT, chip_network, integer_network)
CHECKED = (integer_network, TIGHT, chip_network)
"""Networks whose sums all fit, which C must accept."""


def form_of(seed: int) -> tuple[dict[str, Any], tuple[str, ...], bool]:
    """Returns preferences of the passes, flags, and whether the program runs in a separate process, with sanitizers."""
    rng = np.random.default_rng(10**6 + seed)
    preferences = {
        "fusion": bool(rng.integers(2)),
        "alignment": int(rng.choice([0, 16, 64])),
        "unroll": int(rng.choice([0, 2, 4, 8])),
    }
    activity = str(rng.choice(["auto", "events", "dense"]))
    level = str(rng.choice(["-O0", "-O1", "-O2", "-Os", "-O3"]))
    if rng.random() < 0.2:
        flags = (level, "-g", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")
        return {"preferences": preferences, "activity": activity}, flags, True
    return {"preferences": preferences, "activity": activity}, (level,), False


def examined(seed: int) -> tuple[int, str, str]:
    """Returns a seed, the outcome of its network, and a description."""
    folder = FOLDER / str(seed)
    try:
        make: Any = MAKERS[seed % len(MAKERS)]
        case = make(seed, samples=1, ticks=24)
        if make in CHECKED and (refusals := list(violations(case.network))):
            return seed, "different", f"C refuses a network whose sums fit: {refusals[0].message}"
        inputs = {name: x[0] for name, x in case.inputs.items()}
        try:
            wanted = reference(case.network, inputs, case.record)
        except Refused as refusal:
            return seed, "refused", str(refusal).split("\n")[0]
        form, flags, is_alone = form_of(seed)
        for k, (chosen, words, alone) in enumerate((({}, PLAIN, False), (form, flags, is_alone))):
            source, place = generate(case.network, record=case.record, **chosen), folder / str(k)
            write(source, place)
            if alone:
                found = run_alone(source, inputs, *words, kept=place)
            else:
                found = run(source, library(source, *words, kept=place).instance(), inputs)
            names = different(found, wanted)
            if names:
                return seed, "different", f"{', '.join(names)} with {chosen} {' '.join(words)}"
    except Exception:  # any failure is reported, and the other networks still run
        return seed, "broken", format_exc(limit=-4)
    called("rm", "-r", folder)
    return seed, "equal", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1000, help="of the first network")
    args = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    start, ended = perf_counter(), Counter[str]()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for seed, how, what in pool.map(examined, range(args.seed, args.seed + args.networks)):
            ended[how] += 1
            if how != "equal":
                print(f"seed {seed}: {how}: {what}", flush=True)
            elif ended["equal"] % 50 == 0:
                print(f"{ended.total()} of {args.networks}, {perf_counter() - start:.0f} s", flush=True)
    counts = ", ".join(f"{count} {how}" for how, count in sorted(ended.items()))
    print(f"soak: {args.networks} networks with {' '.join(STRICT)}: {counts}; {perf_counter() - start:.0f} s")
    return int(bool(ended["different"] or ended["broken"]))


if __name__ == "__main__":
    sys.exit(main())
