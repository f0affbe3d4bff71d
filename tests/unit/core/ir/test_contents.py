"""Contents of updates that have verified: equal ones are not verified again, and every change of one is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, StringAttr, f32
from xdsl.ir import Operation

from nopt.api.conformance.networks import generate
from nopt.core.ir import source
from nopt.core.ir.contents import op_contents
from nopt.dialects import ntensor


@pytest.fixture(scope="module")
def network() -> ModuleOp:
    drawn = generate(0, ["lif"])
    assert drawn is not None
    assert not [*source.verify(drawn.module)]
    return drawn.module


def update_of(module: ModuleOp) -> ntensor.UpdateOp:
    return next(op for op in module.ops if isinstance(op, ntensor.UpdateOp))


def first(module: ModuleOp, kind: type[Operation]) -> Operation:
    return next(op for op in update_of(module).walk() if isinstance(op, kind))


def test_equal_updates_are_verified_once(network: ModuleOp, monkeypatch: pytest.MonkeyPatch) -> None:
    visited: list[Operation] = []
    monkeypatch.setattr(source, "refusals_of", lambda op: visited.append(op) or [])
    assert not [*source.verify(network.clone())]
    assert visited
    assert not any(isinstance(op, ntensor.UpdateOp | arith.AddfOp) for op in visited)


def change_kind(module: ModuleOp) -> None:
    update_of(module).properties["emits"] = StringAttr("spike")


def widen_result(module: ModuleOp) -> None:
    first(module, arith.MulfOp).results[0]._type = f32


def drop_terminator(module: ModuleOp) -> None:
    first(module, ntensor.EmitOp).detach()


def add_property(module: ModuleOp) -> None:
    update_of(module).attributes["emitz"] = StringAttr("spike")


def reorder(module: ModuleOp) -> None:
    block = update_of(module).step.block
    op, last = block.first_op, block.last_op
    assert op is not None
    assert last is not None
    op.detach()
    block.insert_op_before(op, last)


@pytest.mark.parametrize("damage", [change_kind, widen_result, drop_terminator, add_property, reorder])
def test_damaged_updates_are_refused(network: ModuleOp, damage: Callable[[ModuleOp], None]) -> None:
    module = network.clone()
    damage(module)
    for _ in range(2):  # a refusal is not kept
        assert [*source.verify(module)]


def test_contents_of_an_op_with_outer_operands_are_unknown(network: ModuleOp) -> None:
    assert op_contents(first(network, arith.MulfOp)) is None
    assert op_contents(update_of(network)) == op_contents(update_of(network.clone())) is not None
