"""Ops of integers beyond 32 bits, computed as two words, equal those of 64 bits for random and extreme integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType, ModuleOp, Region, StringAttr, f32, f64, i64
from xdsl.ir import Attribute, Block, SSAValue

from nopt.core.fixed_point import Interval, Rounding
from nopt.core.ir.context import NoptContext
from nopt.dialects import fixed, kernels
from nopt.dialects.fixed import IntType
from nopt.targets.kernels.building.bodies import Builder, stage
from nopt.targets.kernels.interpreter import Interpreter
from nopt.targets.kernels.passes.kernels_split_integers import KernelsSplitIntegersPass

COUNT = 400
S62, S63, S64, U40, S31 = (
    Interval.signed(62),
    Interval.signed(63),
    Interval.signed(64),
    Interval(0, 2**40),
    Interval.signed(31),
)
AMOUNT, DIVISOR, SMALL = Interval(0, 40), Interval(1, 2**35), Interval(-300, 300)
Build = Callable[[Builder, SSAValue, SSAValue], SSAValue]


def both(make: Callable[[SSAValue, SSAValue], Any]) -> Build:
    return lambda b, x, y: b.add(make(x, y))


def one(make: Callable[[SSAValue], Any]) -> Build:
    return lambda b, x, y: b.add(make(x))


def conversions(into: Interval) -> dict[str, tuple[Build, Interval, Interval]]:
    return {
        f"saturate {into}": (one(lambda x: fixed.SaturateOp(x, into)), S64, S31),
        f"wrap {into}": (one(lambda x: fixed.WrapOp(x, into)), S64, S31),
    }


CASES: dict[str, tuple[Build, Interval, Interval]] = {
    "add": (both(fixed.AddOp), S63, S63),
    "add word": (both(fixed.AddOp), S63, S31),
    "sub": (both(fixed.SubOp), S63, S63),
    "sub word": (both(fixed.SubOp), S31, S63),
    "mul": (both(fixed.MulOp), Interval.signed(44), Interval.signed(20)),
    "mul words": (both(fixed.MulOp), Interval.signed(32), Interval.signed(32)),
    "min": (both(fixed.MinOp), S64, S64),
    "max": (both(fixed.MaxOp), S64, S31),
    "shl": (both(fixed.ShlOp), Interval.signed(23), AMOUNT),
    "shr": (both(fixed.ShrOp), S64, Interval(0, 63)),
    "neg": (one(fixed.NegOp), S63, S31),
    "abs": (one(fixed.AbsOp), S63, S31),
    "sign": (one(fixed.SignOp), S64, S31),
    "real": (one(lambda x: fixed.ToRealOp(x, f32)), S64, S31),
    "double": (one(lambda x: fixed.ToRealOp(x, f64)), S64, S31),
    **conversions(Interval(-5, 2**41)),
    **conversions(Interval(-7, 9)),
    **conversions(Interval(-(2**62) - 1, 2**62 + 5)),
    **conversions(Interval.signed(40)),
    **conversions(Interval.signed(12)),
    **conversions(Interval(2**35, 2**35 + 2**34 + 2)),
    **{f"div {mode}": (both(lambda x, y, m=mode: fixed.DivOp(x, y, m)), S64, DIVISOR) for mode in Rounding},
    **{
        f"div small {mode}": (both(lambda x, y, m=mode: fixed.DivOp(x, y, m)), S63, Interval(-9, -1))
        for mode in Rounding
    },
    **{f"cmp {name}": (both(lambda x, y, r=name: fixed.CmpOp(x, y, r)), S64, S64) for name in fixed.Relation},
    **{f"cmp word {name}": (both(lambda x, y, r=name: fixed.CmpOp(x, y, r)), S63, S31) for name in fixed.Relation},
    "select": (lambda b, x, y: b.add(fixed.SelectOp(b.is_nonzero(y), x, y)), S64, S31),
}


def drawn(interval: Interval, rng: np.random.Generator) -> NDArray[np.int64]:
    """Returns integers of every size, and the extremes of an interval and of words."""
    bits = rng.integers(0, interval.signed_bits, COUNT)
    values = [int(rng.integers(-(2**62), 2**62)) * 2 >> int(63 - n) for n in bits]
    special = [interval.low, interval.high, 0, 1, -1, 2**31 - 1, 2**31, 2**32, -(2**31), -(2**32), 2**32 - 1, 2**24 + 1]
    values[: len(special)] = special
    return np.array([v if interval.holds(v) else interval.low + (v - interval.low) % interval.size for v in values])


def program(build: Build, a: Interval, b: Interval) -> ModuleOp:
    """Returns a program of one op on two inputs of 64 bits."""
    block = Block()

    def buffer(name: str, kind: kernels.Kind, element: Attribute) -> SSAValue:
        properties = {"label": StringAttr(name), "kind": kernels.KindAttr(kind)}
        op = kernels.BufferOp.create(result_types=[MemRefType(element, (COUNT,))], properties=properties)
        block.add_op(op)
        return op.memory

    x, y = buffer("x", kernels.Kind.INPUT, i64), buffer("y", kernels.Kind.INPUT, i64)
    result: list[Attribute] = []

    def body(at: Builder, e: SSAValue) -> None:
        value = build(at, at.load(x, e, IntType.of(a)), at.load(y, e, IntType.of(b)))
        element = value.type if value.type in (f32, f64) else i64
        if not result:
            result.append(element)
            return
        at.store(value, z, e)

    stage(COUNT, body)  # finds the type of the result
    z = buffer("z", kernels.Kind.OUTPUT, result[0])
    one = kernels.KernelOp("step", [stage(COUNT, body)], 64)
    block.add_op(one)
    return ModuleOp([kernels.ProgramOp("net", "net", 1000, Region(block))])


def run(module: ModuleOp, x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    op = next(op for op in module.ops if isinstance(op, kernels.ProgramOp))
    machine = Interpreter(op, 1)
    machine.step({"x": x[None], "y": y[None]})
    return machine.row(op.of_kind(kernels.Kind.OUTPUT)[0])


@pytest.mark.parametrize("name", CASES)
def test_words_equal_64_bits(name: str) -> None:
    build, a, b = CASES[name]
    rng = np.random.default_rng(0)
    x, y = drawn(a, rng), drawn(b, rng)
    module = program(build, a, b)
    module.verify()
    wanted = run(module, x, y)
    KernelsSplitIntegersPass(features=("none",)).apply(NoptContext(), module)
    module.verify()
    op = next(op for op in module.ops if isinstance(op, kernels.ProgramOp))
    assert "int64" not in op.needs()
    np.testing.assert_array_equal(run(module, x, y), wanted)


@pytest.mark.parametrize("mode", Rounding)
@pytest.mark.parametrize("type", [f32, f64])
def test_reals_become_words(mode: Rounding, type: Any) -> None:
    into = Interval(-(2**50), 2**53)
    rng = np.random.default_rng(1)
    values = np.concatenate(
        [
            rng.normal(size=COUNT // 2) * 2.0 ** rng.integers(-3, 60, COUNT // 2),
            [np.nan, np.inf, -np.inf, 2.5, 3.5, -2.5],
        ]
    )
    x = np.zeros(COUNT)
    x[: values.size] = values
    build: Build = lambda b, x, y: b.add(fixed.FromRealOp(x, mode, into))  # noqa: E731
    module = real_program(build, type)
    wanted = run(module, x, x)
    KernelsSplitIntegersPass(features=("none",)).apply(NoptContext(), module)
    module.verify()
    np.testing.assert_array_equal(run(module, x, x), wanted)


def real_program(build: Build, type: Attribute) -> ModuleOp:
    block = Block()
    made = []
    for name, kind, element in (
        ("x", kernels.Kind.INPUT, type),
        ("y", kernels.Kind.INPUT, type),
        ("z", kernels.Kind.OUTPUT, i64),
    ):
        properties = {"label": StringAttr(name), "kind": kernels.KindAttr(kind)}
        op = kernels.BufferOp.create(result_types=[MemRefType(element, (COUNT,))], properties=properties)
        block.add_op(op)
        made.append(op.memory)
    x, _, z = made
    block.add_op(
        kernels.KernelOp("step", [stage(COUNT, lambda b, e: b.store(build(b, b.load(x, e, type), e), z, e))], 64)
    )
    return ModuleOp([kernels.ProgramOp("net", "net", 1000, Region(block))])
