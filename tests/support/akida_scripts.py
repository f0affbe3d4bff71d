"""Networks whose scripts for Akida run: rates with a readout on the host, max pools, padded inputs, unrolled ticks, and images."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import nir
import numpy as np
from attrs import frozen
from places import ROOT

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import nir as ops
from nopt.frontends.frameworks.torch_layers import node_class

RULE = {"dt": "1ms", "like": "norse", "reset": "subtract"}


@frozen
class Case:
    """A network, and how it is compiled; it is rebuilt for each test."""

    name: str
    device: str
    choices: dict[str, Any]
    records: tuple[str, ...] = ()
    """The layers that are recorded."""


UNROLL = (
    "ntensor-quantize-inputs{kind=spike},ntensor-unroll-ticks{window=4},ntensor-quantize-weights{bits=4 per=neuron}"
)
RATES = {"approximate": "all"}
CASES = (
    Case("readout", "akd1000", RATES),
    Case("readout", "two_nodes_v2", RATES),
    Case("pools", "akd1000", RATES, ("h", "o")),
    Case("pools", "six_nodes_v2", RATES, ("h", "o")),
    Case("pools", "akd1500", {**RATES, "probe": ["h"]}),
    Case("digits", "akd1000", RATES),
    Case("loop", "akd1500", {"passes": UNROLL}),
)


def neurons(*shape: int) -> nir.LIF:
    one = np.ones(shape, np.float32)
    return nir.LIF(tau=0.02 * one, r=20 * one, v_leak=0 * one, v_threshold=one, v_reset=0 * one)


def convolution(rng: np.random.Generator, outputs: int, inputs: int, side: int) -> nir.Conv2d:
    weights = rng.normal(0.05, 0.25, (outputs, inputs, 3, 3)).astype(np.float32)
    return nir.Conv2d((side, side), weights, (1, 1), (1, 1), (1, 1), 1, np.zeros(outputs, np.float32))


def graph_of(name: str) -> tuple[nir.NIRGraph, tuple[int, ...]]:
    """Returns a network and the shape of its input."""
    rng = np.random.default_rng(7)
    edges: list[tuple[str, str]] = []
    if name == "readout":
        shape: tuple[int, ...] = (2, 16)
        conv = nir.Conv1d(16, rng.normal(0.1, 0.4, (4, 2, 3)).astype(np.float32), 1, 1, 1, 1, np.zeros(4, np.float32))
        flat = nir.Flatten({"input": np.array([4, 16])}, 0, -1)
        one = np.ones(5, np.float32)
        last = nir.Linear(rng.normal(0, 0.3, (5, 64)).astype(np.float32))
        nodes = {
            "conv": conv,
            "h": neurons(4, 16),
            "flat": flat,
            "w": last,
            "li": nir.LI(0.02 * one, 20 * one, 0 * one),
        }
    elif name == "pools":
        shape = (2, 8, 8)
        sides = {"kernel_size": np.array([2, 2]), "stride": np.array([2, 2]), "padding": np.array([0, 0])}
        pool = node_class(ops.MaxPool2dOp)
        flat = nir.Flatten({"input": np.array([4, 2, 2])}, 0, -1)
        nodes = {
            "conv": convolution(rng, 4, 2, 8),
            "pool": pool(**sides),
            "h": neurons(4, 4, 4),
            "conv2": convolution(rng, 4, 4, 4),
            "h2": neurons(4, 4, 4),
            "pool2": pool(**sides),
            "flat": flat,
            "w": nir.Linear(rng.normal(0.1, 0.3, (5, 16)).astype(np.float32)),
            "o": neurons(5),
        }
    else:
        shape = (6,)
        drive, back = (rng.normal(0.2, 0.4, (4, n)).astype(np.float32) for n in (6, 4))
        nodes = {"w": nir.Linear(drive), "h": neurons(4), "back": nir.Linear(back)}
        edges = [("input", "w"), ("w", "h"), ("h", "back"), ("back", "h"), ("h", "output")]
    names = ["input", *nodes, "output"]
    edges = edges or list(pairwise(names))
    last_shape = nodes["h" if "back" in nodes else names[-2]].output_type["output"]
    ends = {"input": nir.Input({"input": np.array(shape)}), "output": nir.Output({"output": np.array(last_shape)})}
    return nir.NIRGraph({**nodes, **ends}, edges, type_check=False), shape


def prepared(case: Case, folder: Path) -> dict[str, np.ndarray]:
    """Compiles a network into `b`, writes its input to `in.npz`, and returns what `nopt run` has for it."""
    if case.name == "digits":
        sys.path.insert(0, str(ROOT / "examples"))
        from encoder import digits

        net, x = ROOT / "examples" / "digits" / "rates.nir", digits(is_test=True)[0][:40]
        x = x.reshape(40, -1, 1, 8, 8)
    else:
        graph, shape = graph_of(case.name)
        net = folder / "net.nir"
        nir.write(net, graph)
        x = np.random.default_rng(1).random((6, 22, *shape)) < 0.3
    options = {**RULE, **case.choices, **({"calib": x} if "approximate" in case.choices else {})}
    nopt.compile(net, target=f"akida/{case.device}", out=folder / "b", diagnostics=Diagnostics(), **options)
    mapping = json.loads((folder / "b" / "artefact" / "mapping.json").read_text(encoding="utf-8"))
    np.savez(folder / "in.npz", **{mapping["input"]: x})
    return nopt.run(folder / "b", x, record=list(case.records))
