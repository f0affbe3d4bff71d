"""Networks on the integer neurons of chips: C computes every output, spike and state of the reference, and of a plain loop.

The trained examples have 8 bits, generated networks 4 to 16. `make soak` runs more of them.
"""

from __future__ import annotations

import numpy as np
import pytest
import scalar_loop
from chip_networks import chip_network, names_of
from extent import some
from nets import same_bits
from places import EXAMPLES
from programs import needs_compiler

import nopt.api as nopt
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler

SINABS = "dt-ns=1000000 like=sinabs"
CASES = [
    ("digits/fc", "dt-ns=1000000 like=norse", "loihi", ""),
    ("digits/fc", "dt-ns=1000000 like=norse", "spinnaker", ""),
    ("digits/conv", SINABS, "loihi", " approximate=bound,count,comparison,reset"),
    ("digits/conv", SINABS, "speck", ""),
    ("order/order", "dt-ns=100000 like=snntorch reset=subtract_next", "loihi", " approximate=reset"),
    ("order/order", "dt-ns=100000 like=snntorch reset=subtract_next", "spinnaker", " approximate=reset"),
    ("bars/bars", SINABS, "loihi", " approximate=bound,count,comparison,reset"),
    ("bars/bars", SINABS, "speck", ""),
]
"""SpiNNaker's neuron serves no integrate-and-fire, Speck's nothing else. The last entry lists the properties that the rule of the chip may change."""


@pytest.mark.parametrize(
    ("example", "rule", "chip", "approximate"), CASES, ids=[f"{example}-{chip}" for example, _, chip, _ in CASES]
)
def test_examples_on_chips(example: str, rule: str, chip: str, approximate: str) -> None:
    module = nopt.read(EXAMPLES / f"{example}.nir")
    nopt.apply(
        module,
        f"convert-nir-to-ntensor{{{rule}}},ntensor-quantize-inputs{{kind=spike}},ntensor-quantize-weights{{bits=8 per=neuron}},"
        f"ntensor-quantize-bias,ntensor-set-neuron-model{{to={chip}{approximate}}}",
    )
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    record = names_of(network)
    shape = network.body.block.args[0].type.get_shape()
    x = np.random.default_rng(1).random((3, 40, *shape)) < 0.2
    signals = {network.input_names.data[0].data: DenseSignal(x)}
    wanted = ReferenceModel(network, record=record).run(signals)
    found = NativeModel(network, record=record).run(signals)
    assert [name for name, array in wanted.items() if not same_bits(found[name], array)] == []
    assert any(array.any() for array in wanted.values())


@pytest.mark.parametrize("seed", some(range(10), 4))
def test_generated_networks_on_chips(seed: int) -> None:
    case = chip_network(seed)
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    found = NativeModel(case.network, record=case.record).run(signals)
    assert [name for name, array in wanted.items() if not same_bits(found[name], array)] == []
    if seed < 3:
        loop = scalar_loop.run(case.network, {name: x[:1, :6] for name, x in case.inputs.items()})
        for name, array in wanted.items():
            np.testing.assert_array_equal(array[:1, :6], loop[name], err_msg=name)


def test_help_of_a_sum_that_does_not_fit_works() -> None:
    """Some generated networks are refused at first; the number of bits in the refusal is sufficient."""
    assert any(chip_network(seed).remedies for seed in range(12))
