"""Generated networks that learn: the reference, the compiled C in this process, and a sanitized program of its own have equal bits.

Weights are recorded in every tick, so that a difference is seen where it begins. There are 10 networks; `make soak` runs 100 and more.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from extent import seeds
from learning_networks import learning_network
from nets import same_bits
from plastic_networks import network_in_ticks, network_text
from programs import needs_compiler
from sanitized_learning import results_of_own_program
from xdsl.dialects.builtin import f64

from nopt.core.registry import synapses
from nopt.core.synapse.synapse import parse_synapses
from nopt.core.synapse.tree import Synapse
from nopt.dialects.equations.rules import build_rule
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler


@pytest.mark.parametrize("seed", seeds(10))
def test_networks_that_learn(seed: int, tmp_path: Path) -> None:
    case = learning_network(seed)
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    found = NativeModel(case.network, record=case.record).run(signals)
    assert list(found) == list(wanted)
    assert [name for name, array in wanted.items() if not same_bits(found[name], array)] == []
    own = results_of_own_program(case, tmp_path)
    assert sorted(own) == sorted(wanted)
    assert [name for name, array in wanted.items() if not same_bits(own[name].astype(array.dtype), array[0])] == []


NUMBERS = {
    "w_min": 0.0,
    "w_max": 1.0,
    "target": 10.0,
    "use": 0.4,
    "v_threshold": 1.0,
    "baseline": 0.1,
    "dampening": 0.3,
}


@pytest.mark.parametrize("name", sorted(synapses()))
@pytest.mark.parametrize("last", [False, True], ids=["first options", "last options"])
def test_shipped_rules(name: str, last: bool) -> None:
    """Every shipped rule, with the first and with the last value of each option; a rule whose events use `exp` or `log` is near, as in other libraries."""
    rule = next(one for one in parse_synapses(synapses()[name].read_text(), name).synapses if one.name == name)
    options = {option: values[-1 if last else 0] for option, values in rule.options.items()}
    network = network_of_rule(rule, options)
    rng = np.random.default_rng(5)
    signals = {"in": DenseSignal(rng.random((2, 60, 5)) < 0.3)}
    signals |= {one: DenseSignal(rng.random((2, 60, 1)) * (rng.random((2, 60, 1)) < 0.4)) for one in rule.modulators}
    record = ["lif", "fc.weight"]
    wanted = ReferenceModel(network, record=record).run(signals)
    found = NativeModel(network, record=record).run(signals)
    assert wanted["lif"].any()
    if NativeModel.differs(network) is not None:
        np.testing.assert_allclose(found["fc.weight"], wanted["fc.weight"], rtol=1e-12)
        return
    assert [one for one, array in wanted.items() if not same_bits(found[one], array)] == []


def network_of_rule(rule: Synapse, options: dict[str, str]) -> NetworkOp:
    """Returns a network in ticks whose layer has a rule, with the parameters that these options use."""
    rng = np.random.default_rng(4)
    built = build_rule(rule, options=options, precision=f64)
    values = {one.data: NUMBERS.get(one.data, 0.02) for one in built.raw}
    entries = {**values, **options}
    inputs = "".join(f', "{one}" %{one}: tensor<1xf32>' for one in rule.modulators)
    weight, late = rng.uniform(0.2, 0.8, (4, 5)), rng.integers(1, 4, (4, 5))
    return network_in_ticks(network_text(weight, rule.name, entries, delay_ms=late, inputs=inputs))


def test_generated_networks_learn() -> None:
    """Most weights of the networks change, and they cover all rules and both meanings of a delay."""
    cases = [learning_network(seed) for seed in range(40)]
    texts = "\n".join(case.text for case in cases)
    names = ("pair", "triplet", "reward", "observed", "random", "short", "shifts", "rounded", "halved")
    assert all(f"@{name}.{delay}" in texts for name in names for delay in ("axonal", "dendritic"))
    changed: list[bool] = []
    for case in cases[:6]:
        found = ReferenceModel(case.network, record=case.record).run(
            {name: DenseSignal(x) for name, x in case.inputs.items()}
        )
        changed += [bool((found[name][:, -1] != found[name][:, 0]).any()) for name in found if name.endswith(".weight")]
    assert sum(changed) > len(changed) / 2
