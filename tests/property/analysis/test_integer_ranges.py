"""Integer ranges on generated networks: they contain every value of a run, and tight types are recognised as sufficient."""

from __future__ import annotations

import numpy as np
import pytest
from extent import seeds
from integer_networks import integer_network

from nopt.analysis.integer_ranges import IntegerRanges
from nopt.core.fixed_point import Interval
from nopt.core.ir.operation import element_type
from nopt.dialects.ntensor import NeuronOp, TermsType, interval_of
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.equivalence_conditions import violations
from nopt.targets.reference.model import ReferenceModel


@pytest.mark.parametrize("tight", [False, True], ids=["by_type", "by_what_arrives"])
@pytest.mark.parametrize("seed", [300 + seed for seed in seeds(4)])
def test_ranges_hold_what_a_run_shows(seed: int, tight: bool) -> None:
    case = integer_network(seed, samples=1, ticks=12, tight=tight)
    ranges = IntegerRanges(case.network)
    ops = [op for op in case.network.body.block.ops if "node" in op.properties]
    values = {
        op.properties["node"].data: op.results[0]
        for op in ops
        if not isinstance(element_type(op.results[0]), TermsType)
    }
    found = ReferenceModel(case.network, record=list(values)).run({k: DenseSignal(x) for k, x in case.inputs.items()})
    assert values
    for name, value in values.items():
        held = ranges[value]
        assert held is not None
        assert held.holds(Interval(int(np.min(found[name])), int(np.max(found[name])))), name


@pytest.mark.parametrize("seed", [300 + seed for seed in seeds(12)])
def test_tight_types_are_enough_for_c(seed: int) -> None:
    case = integer_network(seed, samples=1, ticks=1, tight=True)
    assert not list(violations(case.network))


def test_populations_emit_less_than_their_type() -> None:
    """Some ranges of emissions are narrower than their types; otherwise the test above would prove little."""
    narrowed = 0
    for seed in range(300, 304):
        case = integer_network(seed, samples=1, ticks=1, tight=True)
        ranges = IntegerRanges(case.network)
        for op in case.network.body.block.ops:
            narrowed += isinstance(op, NeuronOp) and ranges[op.z] != interval_of(element_type(op.z))
    assert narrowed
