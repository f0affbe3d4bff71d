"""Generated networks on several threads: every output, spike, state and record has the bits of one thread."""

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

pytestmark = needs_compiler


def different(network: NetworkOp, inputs: Mapping[str, np.ndarray], record: Sequence[str]) -> list[str]:
    signals = {name: DenseSignal(x[:1]) for name, x in inputs.items()}
    wanted = NativeModel(network, record=record, threads=1).run(signals)
    found: list[str] = []
    for threads in (2, 3, 7):
        model = NativeModel(network, record=record, threads=threads, least_synapses=0)
        arrays = model.run(signals)
        found += [f"{name}, {threads} threads" for name, array in wanted.items() if not same_bits(arrays[name], array)]
    return found


@pytest.mark.parametrize("seed", [*seeds(3), 5017])
def test_networks_of_integers(seed: int) -> None:
    case = integer_network(seed)
    assert not different(case.network, case.inputs, case.record)


@pytest.mark.parametrize("seed", seeds(5))
def test_networks_of_reals(seed: int) -> None:
    case = real_network(seed)
    assert not different(case.network, case.inputs, case.record)
