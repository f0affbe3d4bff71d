"""Reals in a network in ticks."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, ParametrizedAttribute

from ..dialects.ntensor import NetworkOp, updates_of


def has_reals(network: NetworkOp) -> bool:
    """Returns whether a network, or an update that it uses, computes with reals."""
    names = {one.update_name for one in network.populations}
    used = [update for name, update in updates_of(network).items() if name in names]
    values = [*network.body.block.args, *(x for root in (network, *used) for op in root.walk() for x in op.results)]
    steps = [arg for update in used for arg in update.step.block.args]
    return any(contains_reals(value.type) for value in (*values, *steps))


def contains_reals(type: Attribute) -> bool:
    """Returns whether a type is or contains a type of reals."""
    if isinstance(type, AnyFloat):
        return True
    inner: Any = type.parameters if isinstance(type, ParametrizedAttribute) else ()
    return any(map(contains_reals, inner))
