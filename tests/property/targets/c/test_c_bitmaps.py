"""Compressed synapses as rows of a bitmap: for generated networks, C computes the bits of the reference, and reads no memory of others."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from programs import COMPILERS, SANITIZED, different, library, needs_compiler, reference, run, run_alone
from xdsl.dialects.builtin import FunctionType, IntegerType, ModuleOp, StringAttr, TensorType, f32, f64, i1, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.graph_region import Signature, names
from nopt.dialects import c, ntensor
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.c.source import generate, lower

pytestmark = needs_compiler

PROFILES = ("avx2", "avx512", "sse4")


class Drawn:
    """A network of one or two projections into the same sums, with few weights, and its inputs."""

    def __init__(self, seed: int):
        rng = np.random.default_rng(seed)
        self.rng, self.is_integer = rng, seed % 3 == 2
        self.inputs, self.targets = int(rng.integers(3, 90)), int(rng.integers(64, 300))
        dtype: type = (np.float32, np.float64, np.int64)[seed % 3]
        self.sums: Attribute = (f32, f64, i64)[seed % 3]
        is_spikes = bool(rng.integers(2))
        self.element: Attribute = i1 if is_spikes else IntegerType(4) if self.is_integer else self.sums
        self.factor = 10 ** int(rng.choice([0, 4, 10])) if self.is_integer else 1
        """Sums have 16, 32 or 64 bits."""
        x = TensorType(self.element, [self.inputs])
        y = TensorType(self.sums, [self.targets])
        block = Block(arg_types=[x])
        halves = [self.projection(f"p{k}", block.args[0], y, dtype) for k in range(int(rng.integers(1, 3)))]
        results = [half.results[0] for half in halves]
        block.add_ops(halves)
        block.add_op(ntensor.OutputOp(*results))
        outputs = names([f"y{k}" for k in range(len(halves))])
        signature = Signature(names(["x"]), outputs, FunctionType.from_lists([x], [y] * len(halves)))
        self.network = ntensor.NetworkOp("net", signature, 1000, Region(block))
        ModuleOp([self.network])
        self.network.verify()
        values = rng.random((10, self.inputs)) < 0.4
        if is_spikes:
            self.signal = values
        elif self.is_integer:
            self.signal = values * rng.integers(-7, 8, values.shape)
        else:
            self.signal = (values * rng.standard_normal(values.shape)).astype(dtype)

    def projection(self, name: str, x: SSAValue, y: TensorType[Attribute], dtype: type) -> ntensor.SparseLinearOp:
        rng = self.rng
        exists = rng.random((self.inputs, self.targets)) < rng.choice([0.5, 0.7, 0.95])
        exists[rng.random(self.inputs) < 0.2] = False
        source, target = np.nonzero(exists)
        kind = rng.integers(4)
        values = rng.integers(-9, 10, 5) * self.factor if self.is_integer else rng.standard_normal(5)
        if kind == 0:
            weight = np.full(len(source), values[0])
        elif kind == 1:
            weight = np.where(source < self.inputs // 2, values[0], values[1])
        elif kind == 2:
            weight = np.where(target < self.targets // 2, values[0], values[1]) * np.where(source % 2, 1, 2)
        else:
            weight = rng.choice(values[:2], len(source))
        properties = {
            "node": StringAttr(name),
            "weight": ArrayAttr.of(weight.astype(dtype)),
            "source": ArrayAttr.of(source.astype(np.int32)),
            "target": ArrayAttr.of(target.astype(np.int32)),
        }
        return ntensor.SparseLinearOp.create(operands=[x], result_types=[y], properties=properties)


def kinds_of(network: ntensor.NetworkOp, profile: str) -> list[type]:
    program = lower(network, preferences={"profile": profile})
    return [type(op) for op in program.tick.body.block.ops if isinstance(op, c.ScatterOp)]


@pytest.mark.parametrize("seed", range(18))
def test_bitmaps_equal_the_reference(seed: int) -> None:
    drawn = Drawn(seed)
    inputs = {"x": drawn.signal}
    profile = PROFILES[seed // 3 % (2 if drawn.sums == f64 else 3)]
    assert set(kinds_of(drawn.network, profile)) == {c.BitmapOp}
    source = generate(drawn.network, preferences={"profile": profile})
    wanted = reference(drawn.network, inputs, [])
    assert any(array.any() for array in wanted.values())
    for compiler in COMPILERS:
        found = run(source, library(source, "-O2", compiler=compiler).instance(), inputs)
        assert not different(found, wanted), compiler
    if seed < 6:
        assert not different(run_alone(source, inputs, *SANITIZED), wanted)


@pytest.mark.parametrize("seed", range(3))
def test_other_compilers_add_bit_by_bit(seed: int) -> None:
    drawn = Drawn(seed)
    source = generate(drawn.network, preferences={"profile": "avx2"})
    text = source.files["net.c"].replace('#include "net.h"\n', '#include "net.h"\n#undef __GNUC__\n')
    assert text != source.files["net.c"]
    other = evolve(source, files={**source.files, "net.c": text})
    found = run_alone(other, {"x": drawn.signal}, "-O1")
    assert not different(found, reference(drawn.network, {"x": drawn.signal}, []))


@pytest.mark.parametrize("seed", range(3))
def test_threads_change_no_bit(seed: int) -> None:
    drawn = Drawn(seed)
    signals = {"x": DenseSignal(drawn.signal[None])}
    wanted = NativeModel(drawn.network, threads=1).run(signals)
    for threads in (2, 3):
        found = NativeModel(drawn.network, threads=threads, least_synapses=0).run(signals)
        assert all(np.array_equal(found[name], array) for name, array in wanted.items())
