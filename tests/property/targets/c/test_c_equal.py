"""Generated networks, reference against compiled C: every output, spike, state and record equal in every bit.

There are 12 of them; `make soak NETWORKS=500` runs more, in more forms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from extent import seeds
from integer_networks import integer_network
from nets import same_bits
from programs import needs_compiler
from real_networks import real_network

from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler


def different(network: NetworkOp, inputs: Mapping[str, np.ndarray], record: Sequence[str]) -> list[str]:
    signals = {name: DenseSignal(x) for name, x in inputs.items()}
    wanted = ReferenceModel(network, record=record).run(signals)
    found = NativeModel(network, record=record).run(signals)
    assert list(found) == list(wanted)
    return [name for name, array in wanted.items() if not same_bits(found[name], array)]


# 5017: the shifts of a convolution had another layout than the states of its terms
@pytest.mark.parametrize("seed", [*seeds(3), 5017])
def test_networks_of_integers(seed: int) -> None:
    case = integer_network(seed)
    assert not different(case.network, case.inputs, case.record)


@pytest.mark.parametrize("seed", [400 + seed for seed in seeds(1)])
def test_networks_of_integers_with_tight_types(seed: int) -> None:
    case = integer_network(seed, tight=True)
    assert not different(case.network, case.inputs, case.record)


@pytest.mark.parametrize("seed", seeds(3))
def test_networks_of_reals(seed: int) -> None:
    case = real_network(seed)
    assert not different(case.network, case.inputs, case.record)
