"""Modes of learning, and the refusals of engines and models without learning."""

from __future__ import annotations

import pytest
from learning_networks import learning_network

from nopt.api.running.learning import copy_to_learn, set_learning
from nopt.core.diagnostics import Refused
from nopt.simulation.chip_model import ChipModel


@pytest.mark.parametrize("engine", ["auto", "any", "numpy", "native"])
def test_engines_that_continue(engine: str) -> None:
    network = copy_to_learn(learning_network(0).network, None)
    set_learning(network, "continue", engine)
    assert network.learns_on
    assert not network.keeps_weights


def test_an_engine_without_rules_is_refused() -> None:
    network = copy_to_learn(learning_network(0).network, None)
    with pytest.raises(Refused) as refused:
        set_learning(network, "continue", "iree")
    (finding,) = refused.value.findings
    assert (finding.code.id, finding.expected, finding.found) == ("API031", "--engine numpy or native", "iree")
    assert "--learn continue --engine numpy" in str(finding.help)


def test_a_model_without_learning_is_refused() -> None:
    network = learning_network(0).network
    with pytest.raises(Refused, match="the model of the chip changes no weights"):
        copy_to_learn(network, ChipModel)
