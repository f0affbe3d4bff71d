"""Networks of one primitive with one extreme parameter, through the verbs: `python tests/property/extremes.py [--count N] [--first K] [--seed S]`.

Every parameter of every primitive has every extreme value, in one entry or in all, under every preset and time step. A network may be
refused. Any other exception, or a warning of NumPy, is a defect.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise, product
from random import Random
from time import process_time
from typing import Any, NamedTuple

import nir
import numpy as np

import nopt.api as nopt
from nopt.api.running.run import discretise
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.targets.c.source import generate

VALUES = (0.0, 5e-324, 1e-300, 1e300, 1.7e308, np.inf)
EXTREMES = (*VALUES, *(-value for value in VALUES), np.nan)
STEPS = ("1ns", "1ms", "9000000000s")
"""Time steps; the longest is near the maximum of 64 bits."""


class Primitive(NamedTuple):
    """A node with typical parameters, and the shapes before and after it."""

    kind: Any
    parameters: dict[str, Any]
    shape: tuple[int, ...] = (2,)
    result: tuple[int, ...] = (2,)
    fixed: dict[str, Any] = {}

    def graph(self, name: str, value: float, is_whole: bool) -> nir.NIRGraph:
        """Returns the network, with an additional population if the node is not one."""
        given = {key: np.array(one, np.float64) for key, one in self.parameters.items()}
        given[name][... if is_whole else (0,) * given[name].ndim] = value
        nodes: dict[str, Any] = {
            "in": nir.Input(np.array(self.shape)),
            "node": self.kind(**given, **self.fixed),
            "out": nir.Output(np.array(self.result)),
        }
        path = ["in", "node", "out"]
        if "r" not in given:
            ones = np.ones(self.result)
            nodes["lif"] = nir.LIF(tau=0.02 * ones, r=ones, v_leak=0 * ones, v_threshold=ones, v_reset=0 * ones)
            path.insert(2, "lif")
        return nir.NIRGraph(nodes, list(pairwise(path)))


TWO = np.ones(2)
LEAKY = {"r": TWO, "v_leak": 0 * TWO}
FIRING = {"v_threshold": TWO, "v_reset": 0 * TWO}
CURRENT = {"tau_mem": 0.02 * TWO, "tau_syn": 0.01 * TWO, "w_in": TWO}
WINDOW = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}
PRIMITIVES = {
    "LIF": Primitive(nir.LIF, {"tau": 0.02 * TWO, **LEAKY, **FIRING}),
    "CubaLIF": Primitive(nir.CubaLIF, {**CURRENT, **LEAKY, **FIRING}),
    "IF": Primitive(nir.IF, {"r": TWO, **FIRING}),
    "LI": Primitive(nir.LI, {"tau": 0.02 * TWO, **LEAKY}),
    "CubaLI": Primitive(nir.CubaLI, {**CURRENT, **LEAKY}),
    "I": Primitive(nir.I, {"r": TWO}),
    "Affine": Primitive(nir.Affine, {"weight": np.ones((2, 2)), "bias": TWO}),
    "Linear": Primitive(nir.Linear, {"weight": np.ones((2, 2))}),
    "Scale": Primitive(nir.Scale, {"scale": TWO}),
    "Delay": Primitive(nir.Delay, {"delay": 0.002 * TWO}),
    "Threshold": Primitive(nir.Threshold, {"threshold": TWO}),
    "Conv1d": Primitive(
        nir.Conv1d, {"weight": np.ones((2, 1, 2)), "bias": TWO}, (1, 3), (2, 2), {"input_shape": 3, **WINDOW}
    ),
    "Conv2d": Primitive(
        nir.Conv2d,
        {"weight": np.ones((2, 1, 2, 2)), "bias": TWO},
        (1, 3, 3),
        (2, 2, 2),
        {"input_shape": (3, 3), **WINDOW},
    ),
}


class Case(NamedTuple):
    primitive: str
    parameter: str
    value: float
    is_whole: bool
    preset: str
    dt: str

    def attempt(self) -> Iterator[tuple[str, Exception]]:
        """Yields every verb that ends without a result or a refusal, with its exception."""
        primitive = PRIMITIVES[self.primitive]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the package computes with the parameters, too
                graph = primitive.graph(self.parameter, self.value, self.is_whole)
            module = nopt.from_nir(graph, diagnostics=Diagnostics())
        except Refused:
            return
        choices: Any = {"dt": self.dt, "like": self.preset}
        spikes = np.ones((1, 2, *primitive.shape), np.float32)
        verbs: dict[str, Any] = {
            "check": lambda: nopt.check(module.clone(), target="all", **choices),
            "run": lambda: nopt.run(
                module.clone(), {"in": spikes}, engine="numpy", diagnostics=Diagnostics(), **choices
            ),
            "c": lambda: generate(discretise(module.clone(), choices, Diagnostics())),
        }
        for verb, call in verbs.items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", RuntimeWarning)
                    call()
            except Refused:
                continue
            except Exception as defect:
                yield verb, defect


def cases(seed: int) -> list[Case]:
    """Returns all cases, in a random order of the seed."""
    presets = nopt.presets()
    found = [
        Case(primitive, parameter, value, is_whole, preset.name, dt)
        for primitive, given in PRIMITIVES.items()
        for parameter in given.parameters
        for value, is_whole, preset, dt in product(EXTREMES, (False, True), presets, STEPS)
    ]
    Random(seed).shuffle(found)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=None, help="cases; default all")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=0, help="another seed, another order")
    args = parser.parse_args()
    every, failed, started = cases(args.seed), 0, process_time()
    last = len(every) if args.count is None else args.first + args.count
    chosen = every[args.first : last]
    for case in chosen:
        for verb, defect in case.attempt():
            failed += 1
            print(f"{verb} {case}: {type(defect).__name__}: {defect}", flush=True)
    print(f"{len(chosen)} of {len(every)} cases of seed {args.seed}: {failed} failed; {process_time() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
