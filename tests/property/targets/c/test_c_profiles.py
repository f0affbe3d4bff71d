"""Generated networks with every profile of an instruction set: the loops differ, and no bit of a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from extent import seeds
from integer_networks import integer_network
from nets import same_bits
from programs import needs_compiler
from real_networks import real_network

from nopt.simulation.signals import DenseSignal
from nopt.targets.c.instructions.profile import built_in_profiles
from nopt.targets.c.model import CompiledModel
from nopt.targets.c.source import generate

pytestmark = needs_compiler


@pytest.mark.parametrize("make_network", [integer_network, real_network])
@pytest.mark.parametrize("seed", seeds(2))
def test_no_bit_differs(make_network: Callable[[int], Any], seed: int) -> None:
    case = make_network(seed)
    signals = {name: DenseSignal(x[:1]) for name, x in case.inputs.items()}

    def run(profile: str) -> dict[str, Any]:
        model = CompiledModel(
            case.network,
            lambda names: generate(case.network, record=names, preferences={"profile": profile}),
            case.record,
        )
        return model.run(signals)

    wanted = run("")
    for profile in built_in_profiles():
        found = run(profile)
        assert all(same_bits(found[name], array) for name, array in wanted.items()), profile
