"""Balanced thresholds of generated networks: never worse on the samples that judge, recorded numbers as a run shows them, and no change without a record."""

from __future__ import annotations

import re
from pathlib import Path

import nir
import numpy as np
import pytest
from converted_networks import activations, constant_input, dense_network, map_network, random_layers
from extent import seeds
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.calibration_records import places_to_judge
from nopt.analysis.output_units import count_unit
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.source import check_module
from nopt.dialects import ntensor

SIZES = (8, 12, 10, 5)
RULES = [("norse", "subtract"), ("norse", "value"), ("snntorch", "subtract"), ("sinabs", "subtract")]
OPTIONS = (
    "",
    "{by=error}",
    "{per=channel}",
    "{per=channel by=error}",
    "{shift=half}",
    "{percentile=80}",
    "{nodes=if1}",
)
TICKS = 40
RESULT = re.compile(r"before the outputs: error (\S+) -> (\S+), decisions of the activations (\d+) -> (\d+) of (\d+)")


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def output_error(module: ModuleOp, x: np.ndarray, wanted: np.ndarray) -> tuple[float, int]:
    """Returns the relative error of the rates of the output, and the number of equal decisions."""
    unit = count_unit(list(network_of(module).populations)[-1])
    rates = unit * np.asarray(nopt.run(module, x, engine="numpy", diagnostics=Diagnostics())["output"]).mean(1)
    same = int((rates.argmax(1) == wanted.argmax(1)).sum())
    return float(np.linalg.norm(rates - wanted) / np.linalg.norm(wanted)), same


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("options", OPTIONS)
def test_balance_is_never_worse(seed: int, options: str, tmp_path: Path) -> None:
    """Gains from 0.2, with which a network is nearly silent, to 5, with which it saturates."""
    rng = np.random.default_rng([73, seed])
    layers = random_layers(seed, SIZES, float(2.0 ** rng.uniform(-2, 2.5)), float(rng.uniform(0, 0.3)))
    like, reset = RULES[seed % len(RULES)]
    file = dense_network(layers, tmp_path / "net.nir")
    x = rng.random((24, SIZES[0]))
    np.save(tmp_path / "x.npy", constant_input(x, TICKS))
    ticks = nopt.apply(
        nopt.read(file),
        f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} reset={reset}}},"
        f'ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep=24}}',
        diagnostics=Diagnostics(),
    )
    found = Diagnostics()
    module = nopt.apply(ticks.clone(), f"ntensor-balance-thresholds{options}", diagnostics=found)
    check_module(module)
    records = network_of(module).approximations.data
    if len(records) == len(network_of(ticks).approximations.data):
        assert [one.code.id for one in found.findings] == ["LEG193"]
        assert str(module) == str(ticks)
        return
    judged = x[places_to_judge(len(x))]
    wanted = activations(layers, judged)[-1]
    before, after = (output_error(one, constant_input(judged, TICKS), wanted) for one in (ticks, module))
    assert after[0] <= before[0] + 1e-12
    assert after[1] >= before[1]
    match = RESULT.search(records[-1].what.data)
    assert match is not None
    recorded = [float(part) for part in match.groups()]
    np.testing.assert_allclose(recorded[:2], [before[0], after[0]], rtol=0.01, atol=1e-9)
    assert recorded[2:] == [before[1], after[1], len(judged)]


@pytest.mark.parametrize("seed", seeds(4))
def test_maps_keep_their_channels(seed: int, tmp_path: Path) -> None:
    """Convolutions, pools, delays, and an output without neurons: the linear output is nearer to that of the trained network."""
    pool = (nir.SumPool2d, nir.AvgPool2d)[seed % 2]
    file = map_network(seed, pool, 1.0, tmp_path / "net.nir")
    x = constant_input(np.random.default_rng([74, seed]).random((16, 2, 6, 6)), TICKS)
    np.save(tmp_path / "x.npy", x)
    results: list[str] = []
    for options in OPTIONS:
        found = Diagnostics()
        module = nopt.apply(
            nopt.read(file),
            "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},"
            f'ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep=16}},ntensor-balance-thresholds{options}',
            diagnostics=found,
        )
        check_module(module)
        match = RESULT.search(network_of(module).approximations.data[-1].what.data)
        assert (match is None) == ("LEG193" in [one.code.id for one in found.findings]), options
        if match is not None:
            before, after, alike, still_alike, _ = (float(part) for part in match.groups())
            assert after <= before, options
            assert still_alike >= alike, options
            results.append(options)
    assert len(results) >= 3, results
