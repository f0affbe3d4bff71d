"""Updates as Python statements of the program for Lava, against the evaluator of nopt: random equations, every op of integers, random values."""

from __future__ import annotations

from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import Any

import numpy as np
import pytest
from extent import seeds
from integer_networks import random_update
from xdsl.dialects.builtin import ModuleOp

from nopt.core.ir.context import NoptContext
from nopt.core.ir.operation import texts_of
from nopt.core.ir.source import format_module
from nopt.dialects import fixed
from nopt.dialects.ntensor import UpdateOp
from nopt.simulation.update import Step
from nopt.targets.loihi2.emitter import lava_program

NEURONS, TICKS = 40, 30


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("lava") / "lava_network.py"
    path.write_bytes(lava_program())
    spec = spec_from_loader("lava_network", SourceFileLoader("lava_network", str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(rng: np.random.Generator, type: Any) -> np.ndarray:
    """Returns values of a type, its ends among them."""
    low, high = max(type.lower, -(2**26)), min(type.upper, 2**26)
    return np.where(rng.random(NEURONS) < 0.1, rng.choice([low, high], NEURONS), rng.integers(low, high + 1, NEURONS))


@pytest.mark.parametrize("seed", seeds(40))
def test_statements_compute_what_the_update_defines(seed: int, program: Any) -> None:
    rng = np.random.default_rng([48, seed])
    update = random_update(rng, "drawn", each=False)
    translated = program.Update("drawn", format_module(NoptContext(), ModuleOp([update.clone()])))
    assert translated.states == texts_of(update.states)
    assert translated.records == texts_of(update.records)
    verify_equal(rng, update, program.compiled(translated.statements))


def verify_equal(rng: np.random.Generator, update: UpdateOp, step: Callable[..., Any]) -> None:
    """Runs both for some ticks, from random states."""
    args, count = list(update.step.block.args), len(update.inputs)
    names, params = texts_of(update.states), texts_of(update.params)
    states = [drawn(rng, one.type) for one in args[count : count + len(names)]]
    registers = [drawn(rng, one.type) for one in args[count + len(names) :]]
    shape = (1, NEURONS)
    ours = Step(update, dict(zip(params, registers, strict=True)), shape)
    held = {name: values.reshape(shape).copy() for name, values in zip(names, states, strict=True)}
    for tick in range(TICKS):
        inputs = [drawn(rng, one.type) for one in args[:count]]
        emission = ours([values.reshape(shape) for values in inputs], held)
        spikes, *found = step(*inputs, *states, *registers)
        states, records = found[: len(names)], found[len(names) :]
        assert np.array_equal(np.broadcast_to(spikes, NEURONS), emission.value[0]), tick
        for name, values in zip(names, states, strict=True):
            assert np.array_equal(np.broadcast_to(values, NEURONS), held[name][0]), (tick, name)
        for name, values in zip(texts_of(update.records), records, strict=True):
            assert np.array_equal(np.broadcast_to(values, NEURONS), emission.records[name][0]), (tick, name)


def test_every_op_of_integers_has_a_statement(program: Any) -> None:
    known = {kind.split()[0] for kind in program.OPS}
    reals = {"fixed.constant", "fixed.from_real", "fixed.to_real"}
    assert {op.name for op in fixed.FIXED.operations} - reals == {one for one in known if one.startswith("fixed.")}


@pytest.mark.parametrize("bits", [1, 5, 40, 62, 63, 64])
def test_wraps_of_every_width(bits: int, program: Any) -> None:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    x = np.array([-(2**63), -(2**62) - 3, -1, 0, 1, 2**61 + 7, 2**63 - 1], np.int64)
    expected = [(int(one) - low) % (high - low + 1) + low for one in x]
    assert program.wrap(x, low, high).tolist() == expected
