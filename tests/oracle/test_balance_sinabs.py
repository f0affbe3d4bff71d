"""sinabs normalises the weights of trained networks by the same factors, and its converted networks spike as often."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from converted_networks import constant_input, dense_network, random_layers
from places import TESTS

import nopt.api as nopt
from nopt.analysis.calibration_records import places_to_fit, places_to_judge
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor

TOOL = TESTS / "oracle" / "tools" / "sinabs_balance.py"
NETWORKS, TICKS = 10, 40


@pytest.mark.parametrize("percentile", [100, 99.9, 99, 90])
def test_factors_and_counts_are_those_of_sinabs(
    percentile: float, python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """Networks without biases, which sinabs divides by the factor of their own layer alone. Half of the samples choose factors; the others run.

    Activations are small, so that lower thresholds have more spikes for them: neurons of sinabs spike several times in a tick, and saturate nowhere.
    """
    given: dict[str, np.ndarray] = {"percentile": np.asarray(percentile), "ticks": np.asarray(TICKS)}
    for seed in range(NETWORKS):
        rng = np.random.default_rng([75, seed])
        sizes = (8, *rng.integers(6, 30, rng.integers(1, 4)), 5)
        layers = random_layers(seed, sizes, float(rng.uniform(0.1, 0.4)), 0.0)
        x = rng.random((30, 8))
        dense_network([(weight, 0 * bias) for weight, bias in layers], tmp_path / f"{seed}.nir")
        given |= {f"{seed}.{k}": weight for k, (weight, _) in enumerate(layers)}
        given |= {f"{seed}.samples": x[places_to_fit(30)], f"{seed}.x": x[places_to_judge(30)]}
        np.save(tmp_path / f"{seed}.npy", constant_input(x, TICKS))
    np.savez(tmp_path / "in.npz", **given)
    subprocess.run([python_of("sinabs"), TOOL, tmp_path / "in.npz", tmp_path / "out.npz"], check=True)
    changed = 0
    with np.load(tmp_path / "out.npz") as theirs:
        for seed in range(NETWORKS):
            module = nopt.apply(
                nopt.read(tmp_path / f"{seed}.nir"),
                "convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},"
                f'ntensor-calibrate{{data="{tmp_path / f"{seed}.npy"}" keep=30}},'
                f"ntensor-balance-thresholds{{percentile={percentile}}}",
                diagnostics=Diagnostics(),
            )
            network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
            factors = [float(dict(op.arrays(op.params))["v_threshold"].values) for op in network.populations]
            if 1.0 in factors:  # a threshold that stays
                continue
            changed += 1
            np.testing.assert_allclose(factors, theirs[f"{seed}.factors"], rtol=1e-9, err_msg=str(seed))
            found = np.asarray(
                nopt.run(module, constant_input(given[f"{seed}.x"], TICKS), diagnostics=Diagnostics())["output"]
            ).sum(1)
            np.testing.assert_array_equal(found, theirs[f"{seed}.counts"], str(seed))
            assert found.any()
    assert changed >= NETWORKS // 2, changed
