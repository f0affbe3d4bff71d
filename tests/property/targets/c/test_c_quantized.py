"""Quantized weights of real sums in C: integers times a scale, equal to the reference, and to the same reals, in every bit."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from extent import some
from nets import same_bits
from programs import SANITIZED, different, library, needs_compiler, reference, run, run_alone
from real_networks import Case, real_network
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import c
from nopt.dialects.ntensor import NetworkOp, SynapseOpInterface
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.c.source import generate, lower
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler

OPTIONS = [
    "bits=8",
    "bits=8 per=row",
    "bits=5 per=neuron",
    "bits=12 per=row",
    "bits=3 per=column",
    "bits=1",
    "scale=power-of-two",
    "bits=8 per=row grid=asymmetric",
    "bits=4 grid=asymmetric",
]
SEEDS = range(8)


@cache
def quantized(seed: int, options: str) -> Case:
    """Returns a generated network of all kinds of synapses with quantized weights."""
    case = real_network(seed)
    module = case.network.parent_op()
    assert isinstance(module, ModuleOp)
    nopt.apply(module, f"ntensor-quantize-weights{{{options}}}", diagnostics=Diagnostics())
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    return Case(network, case.inputs, case.record)


def with_reals(network: NetworkOp) -> NetworkOp:
    """Returns the network with reals as weights: the values of its quantized weights."""
    module = network.parent_op()
    assert isinstance(module, ModuleOp)
    other = next(op for op in module.clone().ops if isinstance(op, NetworkOp))
    for op in other.body.block.ops:
        if isinstance(op, SynapseOpInterface) and op.quantized_weights is not None:
            op.replace_weights(op.weight_values(), None)
    return other


def tables(network: NetworkOp) -> list[c.ScatterOp]:
    program = lower(network, record=[], preferences={})
    return [op for op in program.tick.body.block.ops if isinstance(op, c.ScatterOp)]


# every seventh pair: all options, and all seeds
@pytest.mark.parametrize(("seed", "options"), some([*product(SEEDS, OPTIONS)], 7))
def test_networks(seed: int, options: str) -> None:
    case = quantized(seed, options)
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    same = ReferenceModel(with_reals(case.network), record=case.record).run(signals)
    found = NativeModel(case.network, record=case.record).run(signals)
    assert [name for name, array in wanted.items() if not same_bits(found[name], array)] == []
    assert [name for name, array in wanted.items() if not same_bits(same[name], array)] == []


FORMS: list[dict[str, Any]] = [
    {"activity": "events"},
    {"activity": "dense"},
    {"preferences": {"fusion": False}},
    {"preferences": {"layout": "c"}},
    {"preferences": {"alignment": 64, "unroll": 4}},
]


FORMED = [
    (2, "bits=8"),
    (2, "bits=8 per=row"),
    (4, "bits=8 per=row"),
    (4, "bits=8"),
    (7, "bits=8"),
    (7, "bits=8 per=row"),
]


@pytest.mark.parametrize(("seed", "options"), some(FORMED, 2))
def test_forms(seed: int, options: str) -> None:
    case = quantized(seed, options)
    inputs = {name: x[0] for name, x in case.inputs.items()}
    wanted = reference(case.network, inputs, case.record)
    for form in FORMS:
        source = generate(case.network, record=case.record, **form)
        assert not different(run(source, library(source, "-O1").instance(), inputs), wanted), form
    assert not different(run_alone(generate(case.network, record=case.record), inputs, *SANITIZED), wanted)


SIZES = [("bits=8", 1), ("bits=12", 2), ("bits=8 per=row", 1), ("bits=8 per=row grid=asymmetric", 1)]
"""Options, and the bytes of a weight."""


def test_storage() -> None:
    """Every kind of table holds integers, of one byte up to 8 bits and of two beyond; an output with several scales needs reals."""
    kinds: set[type[c.ScatterOp]] = set()
    zeros: set[type[c.ScatterOp]] = set()
    several: list[int] = []
    total = np.zeros(2, np.int64)
    for seed in some(SEEDS, 2):
        for options, width in SIZES:
            for op in tables(quantized(seed, options).network):
                element = c.element_of_memory(op.table)
                if op.scale is not None:
                    assert not c.is_real(element)
                    assert c.element_bytes(element) <= width
                    kinds.add(type(op))
                    several.append(c.length_of(op.scale))
                if op.zero is not None:
                    zeros.add(type(op))
        sizes = [generate(with_reals(quantized(seed, "bits=8").network)), generate(quantized(seed, "bits=8").network)]
        total += [source.manifest["bytes"]["constants"] for source in sizes]
    assert total[1] < total[0]
    assert kinds == zeros == {c.RowsOp, c.WindowOp, c.CompressedOp}
    assert min(several) == 1
    assert max(several) > 1
    columns = [op for seed in SEEDS for op in tables(quantized(seed, "bits=3 per=column").network)]
    assert any(c.is_real(c.element_of_memory(op.table)) for op in columns)


def test_inexact_products_stay_reals() -> None:
    """A scale that f32 does not represent makes products of f32 that differ from the weights: the table holds reals."""
    text = """
ntensor.network @net("input" %x: tensor<9xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2, 3, 4, 5, 6, 7, -8, 9], [9, 8, 7, 6, 5, 4, 3, 2, 1]] : tensor<2x9xi8>>, quantized = #ntensor.quantized<8, #nopt.array<SCALE : tensor<f64>>>} : tensor<9xi1> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}
"""
    for scale, is_integer in (("0.125", True), ("0.1", False), ("1.0e+308", False)):
        module = nopt.parse(text.replace("SCALE", scale))
        network = next(op for op in module.ops if isinstance(op, NetworkOp))
        (op,) = tables(network)
        assert (op.scale is not None) == is_integer
        x = np.random.default_rng(0).random((3, 9)) < 0.5
        found = NativeModel(network).run({"input": DenseSignal(x[None])})
        assert same_bits(found["output"], ReferenceModel(network).run({"input": DenseSignal(x[None])})["output"])
