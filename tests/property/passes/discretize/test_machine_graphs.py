"""A machine graph of any generated network computes the same, or the network is refused with a reason."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from places import GOLDENS
from test_random_graphs import QUIET, convert, graphs, module_of

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.dialects.ntensor import NetworkOp, NeuronOp

REASONS = ("ANA038", "ANA039", "ANA040")
GRID = GOLDENS / "passes" / "place" / "inputs" / "grid.json"


@QUIET
@given(graphs(), st.integers(1, 3))
def test_machine_graphs_compute_the_same(ops: list[str], most: int) -> None:
    last = [op for op in ops if op.endswith("tensor<2xi1>")] or ops
    before: Any = convert(module_of(ops, last[-1]), "like=norse")
    after = before.clone()
    plan = f'ntensor-plan-cores{{device="{GRID}" set="core.neurons={most}"}}'
    try:
        nopt.apply(after, f"{plan},convert-ntensor-to-machine", diagnostics=Diagnostics())
    except Refused as refusal:
        if refusal.findings[0].code.id in REASONS:
            return
        raise
    nopt.apply(after, "convert-machine-to-ntensor")
    network = next(op for op in before.ops if isinstance(op, NetworkOp))
    x = {name.data: np.random.default_rng(0).random((12, 2)) for name in network.input_names}
    record = [op.node.data for op in network.body.block.ops if isinstance(op, NeuronOp)]
    with np.errstate(all="ignore"):
        one, other = (nopt.run(module, x, record=record, engine="numpy") for module in (before, after))
    assert one.keys() == other.keys()
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)
