"""Learning rules that are lowered to integers: the reference, the engine `native` and a sanitized program have equal bits, and windows are near.

The networks are those of `learning_networks.py` in reals, with weights of 8 bits; a rule that observes a membrane has no form in integers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from extent import seeds
from learning_networks import Case, learning_network
from nets import same_bits
from programs import needs_compiler
from sanitized_learning import results_of_own_program

import nopt.api as nopt
from nopt.dialects.fixed import IntType
from nopt.dialects.ntensor import NetworkOp, find_rules
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler
WEIGHTS = "ntensor-quantize-weights{bits=8 per=population}"


def lowered(case: Case, rounding: str) -> Case | None:
    """Returns a network whose rules are integers; None if a rule has no such form."""
    rules = f"ntensor-quantize-rules{{device=c/int8 rounding={rounding}}}"
    try:
        module = nopt.apply(case.module, f"{WEIGHTS},{rules}")
    except nopt.Refused as refused:
        if any(finding.code.id not in ("ANA050", "QUA072") for finding in refused.findings):
            raise
        return None
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    assert all(isinstance(rule.weight_type, IntType) for rule in find_rules(module).values())
    return evolve(case, module=module, network=network)


@pytest.mark.parametrize("seed", [seed for seed in seeds(18) if seed % 3 != 1])
def test_rules_of_integers_have_equal_bits(seed: int, tmp_path: Path) -> None:
    case = lowered(learning_network(seed), ("stochastic", "nearest")[seed % 2])
    if case is None:
        return
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    found = NativeModel(case.network, record=case.record).run(signals)
    assert [name for name, array in wanted.items() if not same_bits(found[name], array)] == []
    own = results_of_own_program(case, tmp_path)
    assert [name for name, array in wanted.items() if not same_bits(own[name].astype(array.dtype), array[0])] == []
    weights = [array for name, array in wanted.items() if name.endswith(".weight")]
    assert all(array.dtype.kind == "i" for array in weights)
    assert any((np.diff(array, axis=1) != 0).any() for array in weights) or seed not in (0, 2, 5)


def test_some_networks_are_lowered() -> None:
    assert sum(lowered(learning_network(seed), "nearest") is not None for seed in (0, 2, 3, 5, 6, 8)) >= 2
