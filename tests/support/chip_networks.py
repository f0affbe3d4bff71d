"""Random networks of reals with pooling and recurrence, from a seed, converted to the integer neuron of a chip.

    case = chip_network(7)
    case.network, case.inputs, case.record, case.remedies

An image of spikes passes through a convolution, a population, a sum pool and a dense population that may be recurrent. Biases, decays and widths
are random, too. If the conversion refuses a sum or a threshold, the first help of the refusal replaces the named pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from places import ROOT

import nopt.api as nopt
from nopt.core.diagnostics import Refused
from nopt.dialects.ntensor import NetworkOp, NeuronOp, updates_of

NEURONS = ROOT / "passes" / "legalize" / "neurons"
CHIPS = {"loihi": ("if", "lif", "cuba_lif"), "spinnaker": ("lif", "cuba_lif"), "speck": ("if",)}
WEIGHTS = re.compile(r"ntensor-quantize-weights\{[^}]*\}")


@frozen
class ChipCase:
    network: NetworkOp
    inputs: dict[str, np.ndarray]
    record: list[str]
    """Every population and its states."""
    remedies: list[str]
    """The help lines that were applied."""


def names_of(network: NetworkOp) -> list[str]:
    """Returns every population of a network and its states."""
    updates, found = updates_of(network), list[str]()
    for op in network.body.block.ops:
        if isinstance(op, NeuronOp):
            states = [name.data for name in updates[op.update.root_reference.data].states]
            found += [op.node.data, *(f"{op.node.data}.{state}" for state in states)]
    return found


def reals(values: Any) -> str:
    return array_text(np.asarray(values, "<f4"), "f32")


def whole(values: Any) -> str:
    return array_text(np.asarray(values, "<i8"), "i64")


def array_text(values: np.ndarray, element: str) -> str:
    """Returns an array as its bytes, which are parsed faster than numbers."""
    shape = "".join(f"{n}x" for n in values.shape)
    return f'#nopt.array<"0x{values.tobytes().hex()}" : tensor<{shape}{element}>>'


def population(rng: np.random.Generator, family: str, name: str, x: str, shape: Sequence[int]) -> str:
    def every(value: float) -> str:
        return reals(np.full(shape, value))

    tau = {
        "if": {},
        "lif": {"tau": 0.004},
        "cuba_lif": {"tau_syn": 0.002, "tau_mem": 0.005, "w_in": 1.0},
    }[family]
    entries = {**tau, "r": 1.0, "v_threshold": float(rng.choice([0.5, 1.0, 3.0])), "v_reset": 0.0}
    if family != "if":
        entries["v_leak"] = 0.0
    text = ", ".join(f"{key} = {every(value)}" for key, value in entries.items())
    axes = "x".join(map(str, shape))
    return f'%{name} = nir.{family} "{name}" {x} {{{text}}} : tensor<{axes}xf32> -> tensor<{axes}xi1>'


def network_text(rng: np.random.Generator, families: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    first, second = str(rng.choice(families)), str(rng.choice(families))
    c, n, k, hidden, pool = (int(rng.integers(*ends)) for ends in ((1, 3), (6, 9), (1, 4), (2, 12), (2, 4)))
    side, channels = n - k + 1, int(rng.integers(1, 4))
    side_after = (side - pool) // pool + 1
    flat = channels * side_after**2
    bias = rng.normal(0, 0.2, channels) if rng.random() < 0.5 else np.zeros(channels)
    two, none = whole([pool, pool]), whole([0, 0])
    lines = [
        f'%conv = nir.conv2d "conv" %x {{weight = {reals(rng.normal(0, 1, (channels, c, k, k)))}, bias = {reals(bias)}, stride = {whole([1, 1])}, '
        f"padding = {none}, dilation = {whole([1, 1])}, groups = {whole(1)}}} : tensor<{c}x{n}x{n}xf32> -> tensor<{channels}x{side}x{side}xf32>",
        population(rng, first, "first", "%conv", (channels, side, side)),
        f'%pool = nir.sum_pool2d "pool" %first {{kernel_size = {two}, stride = {two}, padding = {none}}} : '
        f"tensor<{channels}x{side}x{side}xi1> -> tensor<{channels}x{side_after}x{side_after}xf32>",
        f'%flat = nir.flatten "flat" %pool {{start_dim = {whole(0)}, end_dim = {whole(-1)}}} : '
        f"tensor<{channels}x{side_after}x{side_after}xf32> -> tensor<{flat}xf32>",
        f'%fc = nir.linear "fc" %flat {{weight = {reals(rng.normal(0, 1, (hidden, flat)))}}} : tensor<{flat}xf32> -> tensor<{hidden}xf32>',
    ]
    arriving = "%fc"
    if rng.random() < 0.7:
        weight = reals(rng.normal(0, 0.5, (hidden, hidden)))
        lines += [
            f'%rec = nir.linear "rec" %second {{weight = {weight}}} : tensor<{hidden}xi1> -> tensor<{hidden}xf32>',
            f"%sum = nir.sum %fc, %rec : (tensor<{hidden}xf32>, tensor<{hidden}xf32>) -> tensor<{hidden}xf32>",
        ]
        arriving = "%sum"
    lines.append(population(rng, second, "second", arriving, (hidden,)))
    body = "\n  ".join([*lines, f"nir.output %second : tensor<{hidden}xi1>"])
    text = f'nir.graph @net("in" %x: tensor<{c}x{n}x{n}xf32>) -> ("out": tensor<{hidden}xi1>) {{\n  {body}\n}}\n'
    return text, (c, n, n)


def chip_network(seed: int, *, samples: int = 2, ticks: int = 16) -> ChipCase:
    rng = np.random.default_rng(seed)
    chip = list(CHIPS)[seed % len(CHIPS)]
    text, shape = network_text(rng, CHIPS[chip])
    bits = int(rng.choice([4, 8, 12, 16]))
    like = "sinabs" if chip == "speck" else "norse"
    steps = (
        f"convert-nir-to-ntensor{{dt-ns=1000000 like={like}}},ntensor-quantize-inputs{{kind=spike}},"
        f"ntensor-quantize-weights{{bits={bits} per=neuron}},ntensor-quantize-bias,"
        f'ntensor-set-neuron-model{{to="{NEURONS / f"{chip}.neuron"}"}}'
    )
    remedies: list[str] = []
    while True:
        module = nopt.parse(text)
        try:
            nopt.apply(module, steps)
            break
        except Refused as refusal:
            help = WEIGHTS.match(refusal.findings[0].help or "")
            if len(remedies) == 2 or not help:
                raise  # a correct help line is needed only once for sums and once for thresholds
            remedies.append(help[0])
            steps = WEIGHTS.sub(help[0], steps)
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    inputs = {"in": rng.random((samples, ticks, *shape)) < 0.3}
    return ChipCase(network, inputs, names_of(network), remedies)
