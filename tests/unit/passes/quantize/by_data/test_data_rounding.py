"""Rounding by data on random networks: weights on their grids, and outputs that are at least as good as those of nearest integers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from rate_networks import rate_network
from weighted import SIZE, Maker, applied, network, records, weighted
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.calibration_records import thue_morse
from nopt.core.arrays.numeric import Reals
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor
from nopt.passes.quantize.weights.by_data._layer_inputs import MOST_INPUTS, missing_blocks

CALIBRATE = 'ntensor-calibrate{data="poisson:0.3,ticks=12,samples=8" keep=8}'
OPTIONS = (
    "bits=3",
    "bits=4 per=row method=adaround",
    "bits=4 per=column",
    "bits=3 per=neuron fit=error",
    "bits=4 per=population method=adaround",
    "bits=5 scale=power-of-two per=row",
    "bits=4 per=neuron classes=2",
    "bits=3 grid=unsigned per=row method=adaround",
    "bits=1 per=row",
    "bits=6 clip=95",
)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", OPTIONS)
def test_weights_are_on_their_grid(seed: int, options: str) -> None:
    text = options if "method" in options else f"{options} method=gptq"
    module = Maker(seed).module()
    once, _ = applied(module, f"{CALIBRATE},ntensor-quantize-weights{{{text}}}")
    again, _ = applied(module, f"{CALIBRATE},ntensor-quantize-weights{{{text}}}")
    bits = int(options.split("bits=")[1].split()[0])
    low = 0 if "unsigned" in options else -max(1, 2 ** (bits - 1) - 1)
    high = 2**bits - 1 if "unsigned" in options else -low
    for name, op in weighted(once).items():
        steps = op.weights.values
        assert low <= steps.min(initial=0)
        assert steps.max(initial=0) <= high
        assert np.array_equal(steps, weighted(again)[name].weights.values)  # deterministic
        assert (op.quantized_weights.scale.values > 0).all()
    (record,) = [one for one in records(once) if one.step.data.startswith("ntensor-quantize-weights")]
    assert record.what.data.count(" on 4 samples: ") == 1


def test_classes_stay_few() -> None:
    module = Maker(3).module()
    options = "bits=4 per=row classes=2 method=gptq"
    found, _ = applied(module, f"{CALIBRATE},ntensor-quantize-weights{{{options}}}")
    for op in weighted(found).values():
        assert len(np.unique(op.quantized_weights.scale.values)) <= 2


@pytest.mark.parametrize("seed", range(4))
def test_counts_of_held_back_samples_are_no_worse(seed: int, tmp_path: Path) -> None:
    """The errors in the record are those of a run: the samples that judge are half of those that are kept."""
    reals = nopt.apply(
        nopt.read(rate_network(seed, tmp_path / "net.nir")), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
    )
    x = np.random.default_rng(seed).random((16, 60, 8)) < 0.2
    np.save(tmp_path / "x.npy", x)
    calibrate, weights = f'ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep=16}}', "ntensor-quantize-weights{bits=3"
    errors: dict[str, float] = {}

    def counts_of(module: ModuleOp) -> Reals:
        emitted = nopt.run(module, x[thue_morse(len(x))], engine="numpy").values()
        return np.concatenate([spikes.sum(1, dtype=np.float64) for spikes in emitted], axis=1)

    wanted = counts_of(reals)
    for method in ("nearest", "gptq", "adaround"):
        module = nopt.apply(reals.clone(), f"{calibrate},{weights} method={method}}}", diagnostics=Diagnostics())
        errors[method] = float(np.abs(counts_of(module) - wanted).sum() / wanted.sum())
        text = network(module).approximations.data[-1].what.data
        if method == "nearest":
            assert "count error" not in text
            continue
        told = [float(n) for n in re.findall(r"count error ([0-9.e+-]+),", text)]
        assert told[-1] == pytest.approx(errors["nearest"], rel=0.01)
        assert told[0] == pytest.approx(errors[method], rel=0.01)
        assert errors[method] <= errors["nearest"]
        assert ("does not improve on them" in text) == (told == told[-1:])


def test_layers_correct_errors_of_earlier_ones(tmp_path: Path) -> None:
    """The candidate with corrections has the least errors in some networks; the record names them."""
    texts = []
    for seed in (3, 4):
        reals = nopt.apply(
            nopt.read(rate_network(seed, tmp_path / "net.nir")), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
        )
        np.save(tmp_path / "x.npy", np.random.default_rng(seed).random((32, 60, 8)) < 0.2)
        passes = (
            f'ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep=32}},ntensor-quantize-weights{{bits=3 method=gptq}}'
        )
        module = nopt.apply(reals, passes, diagnostics=Diagnostics())
        texts.append(network(module).approximations.data[-1].what.data)
    assert any("inputs filtered by decays, errors of earlier ops corrected; on 16 samples" in text for text in texts)


def test_ops_without_blocks_have_reasons() -> None:
    """Ops whose weights meet no common inputs, and blocks of too many inputs, keep nearest integers."""
    maker = Maker(0)
    flat = maker.flat(maker.block.args[0], (SIZE,))
    ones = {"weight": np.ones(2), "source": np.array([0, 1]), "target": np.array([0, 1])}
    wide = maker.add(ntensor.LinearOp, [flat], (MOST_INPUTS + 1,), weight=np.ones((MOST_INPUTS + 1, SIZE)))
    values = {
        None: maker.add(ntensor.LinearOp, [flat], (1,), weight=np.ones((1, SIZE))),
        "one input for each weight": maker.add(ntensor.ScaleOp, [flat], (SIZE,), scale=np.ones(SIZE)),
        "unequal delays": maker.add(ntensor.SparseLinearOp, [flat], (2,), delay=np.array([1, 2]), **ones),
        f"{MOST_INPUTS + 1} inputs, more than {MOST_INPUTS}": maker.add(
            ntensor.LinearOp, [wide], (1,), weight=np.ones((1, MOST_INPUTS + 1))
        ),
    }
    for reason, value in values.items():
        assert isinstance(value.owner, ntensor.SynapseOpInterface)
        assert missing_blocks(value.owner) == reason
