"""Networks of reals through the devices of integers: the C program equals the network of integers in every bit; some run under sanitizers.

Generated networks have biases, delays, recurrence, convolutions, pools, several presets and reset rules; others have each family of NIR.
`nopt conform c --networks 500` compares more.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from extent import some
from numpy.typing import NDArray
from programs import SANITIZED, different, library, needs_compiler, reference, run, run_alone
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.api.capability.probe_networks import PROBED_FAMILIES, Layers
from nopt.api.compiling.device_fit import fit
from nopt.api.compiling.integer_records import integer_records
from nopt.api.conformance.networks import FAMILIES, generate
from nopt.api.modules import apply, only_network, parent_module
from nopt.api.running.run import discretise
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.passes.pipelines import observe
from nopt.targets.c.source import generate as c_source

pytestmark = needs_compiler

DEVICES = ("int16", "int8", "int4")


def equal_in_c(module: ModuleOp, device: str, x: NDArray[np.bool_], is_sanitized: bool) -> None:
    """Compiles a network in ticks for a device of integers, and compares its C program with it. Shapes: x [samples, ticks, ...].

    The network may spike at the threshold, and the neurons of the device above it: the comparison is approximated.
    """
    chosen, module = find_device("c", device), module.clone()
    observe(module, chosen, x, Diagnostics())
    apply(module, f"ntensor-legalize{{device=c/{device} approximate=comparison}}", diagnostics=Diagnostics())
    fitted = fit(module, chosen)
    assert fitted.is_fitting, [str(one) for one in fitted.findings]
    assert fitted.network is not None
    network = only_network(fitted.network)
    records = integer_records(fitted.network)
    assert records is not None
    assert all(one["overflow"] != "wraps" for one in records["states"])
    source = c_source(network, preferences={"packing": chosen.preferred["packing"]})
    assert "float" not in source.files["net.c"]
    assert "double" not in source.files["net.c"]
    inputs = {name.data: x[0] for name in network.input_names}
    found = (
        run_alone(source, inputs, *SANITIZED)
        if is_sanitized
        else run(source, library(source, "-O1").instance(), inputs)
    )
    assert not different(found, reference(network, inputs, []))


@pytest.mark.parametrize("seed", some(range(20), 7))
def test_generated_networks(seed: int) -> None:
    drawn = generate(seed, list(FAMILIES))
    if drawn is not None:
        equal_in_c(drawn.module, DEVICES[seed % len(DEVICES)], drawn.x, seed % 7 == 0)


@pytest.mark.parametrize(
    ("family", "device"), [*((family, "int8") for family in PROBED_FAMILIES), ("cuba_lif", "int4"), ("i", "int4")]
)
def test_every_family(family: str, device: str) -> None:
    module = Layers(family, bias=0.5).module(1)
    reset = {"reset": "subtract"} if "v_reset" in PROBED_FAMILIES[family][1] else {}
    discrete = parent_module(discretise(module, {"dt": "1ns", "like": "euler", **reset}, Diagnostics()))
    x = np.random.default_rng(0).random((1, 24, 3)) < 0.4
    equal_in_c(discrete, device, x, family in ("cuba_lif", "cuba_li"))


@pytest.mark.parametrize(
    "lines",
    [
        # the product of v, which has 40 bits, would have 70
        "w = v if v < 1000 else 0\nw = w if w > -1000 else 0\nu: s50 saturate = (w * 1073741824 + v) >> 30",
        "s = v if v >= 0 and v < 4 else 1\nu: s50 saturate = 1 << s",  # v has other values than 0 to 3
        "d = v if v > 5 else 7\nu: s50 saturate = floor(v / d)",  # v is 0
    ],
)
def test_selected_refinements_keep_their_intervals(lines: str, tmp_path: Path) -> None:
    """An op that reads a selected value is defined for the values that are selected, not for all values of the operands of the select."""
    (tmp_path / "one.neuron").write_text(
        "neuron one for if\nstate v: s40 saturate = 0\ninput a: s16 saturate\nv = v + a * 1000\n"
        f"{lines}\nemit spike u > 3\nrecord u = u\n",
        encoding="utf-8",
    )
    module = Layers("if", bias=0.5).module(1)
    to = f'ntensor-set-neuron-model{{to="{tmp_path}/one.neuron" approximate=dynamics,refractory}}'
    steps = (
        f"convert-nir-to-ntensor{{dt-ns=1 like=norse}},ntensor-quantize-weights{{bits=8}},ntensor-quantize-bias,{to}"
    )
    nopt.apply(module, steps, diagnostics=Diagnostics())
    network, record = only_network(module), ["one.u", "two.u"]
    inputs = {name.data: np.random.default_rng(0).random((24, 3)) < 0.4 for name in network.input_names}
    source = c_source(network, record=record)
    assert not different(run_alone(source, inputs, *SANITIZED), reference(network, inputs, record))
