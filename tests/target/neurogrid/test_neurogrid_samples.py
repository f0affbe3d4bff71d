"""A trained network has weights of its own: it is refused, and each remedy of the refusal compiles, with the accuracy that the page of the target states."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from both_models import run_both
from places import EXAMPLES

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

CHOICES = {"dt": "1ms", "like": "norse"}
SPIKES = "ntensor-quantize-inputs{kind=spike}"
REMEDIES = re.compile(r"(ntensor-replace-biases,[^']*?\})")
ACCURACY = {1: 515, 7: 274}
"""Right answers of 599 by the events of a weight; 577 in reals."""
CLUSTERED = 322
"""The same with two values of each sign."""


@pytest.fixture(scope="module")
def digits(encoded: Callable[[str], tuple[Path, Path]]) -> tuple[Path, np.ndarray, np.ndarray]:
    x, y = (np.load(path) for path in encoded("fc"))
    return EXAMPLES / "digits" / "fc.nir", x, y


def remedies(net: Path, folder: Path) -> list[str]:
    """Returns the passes that the refusal of a network names."""
    with pytest.raises(Refused) as refusal:
        nopt.compile(net, target="neurogrid", out=folder, passes=SPIKES, diagnostics=Diagnostics(), **CHOICES)
    (finding,) = refusal.value.findings
    assert str(finding.code) == "NGR012"
    assert "different weights" in str(finding.found)
    return REMEDIES.findall(str(finding.help))


def test_a_trained_network_is_refused_with_remedies_that_compile(digits: tuple, tmp_path: Path) -> None:
    net, x, y = digits
    named = remedies(net, tmp_path / "refused")
    assert len(named) == 2
    for passes in named:
        most = int(re.findall(r"max-events=(\d+)", passes)[0])
        folder = tmp_path / str(most)
        steps = f"{SPIKES},{passes},ntensor-approximate-somas"
        given = {"passes": steps, **CHOICES}
        if most > 1:  # more events than a table has entries: the second refusal names the option
            with pytest.raises(Refused) as refusal:
                nopt.compile(net, target="neurogrid", out=folder, diagnostics=Diagnostics(), **given)
            (finding,) = refusal.value.findings
            assert str(finding.code) == "NGR007"
            (entries,) = re.findall(r"--set (features.terminals=\d+)", str(finding.help))
            given["set"] = [entries]
        nopt.compile(net, target="neurogrid", out=folder, diagnostics=Diagnostics(), **given)
        counts = nopt.run(folder, x, diagnostics=Diagnostics())["output"].sum(axis=1)
        assert int((counts.argmax(axis=1) == y).sum()) == ACCURACY[most]


def test_weights_clustered_into_four_synapse_populations(digits: tuple, tmp_path: Path) -> None:
    net, x, y = digits
    passes = f"{SPIKES},ntensor-replace-biases,ntensor-cluster-synapses"
    nopt.compile(net, target="neurogrid", out=tmp_path / "b", passes=passes, diagnostics=Diagnostics(), **CHOICES)
    counts = nopt.run(tmp_path / "b", x, diagnostics=Diagnostics())["output"].sum(axis=1)
    assert int((counts.argmax(axis=1) == y).sum()) == CLUSTERED
    record = ["1", "1.g_exc_2", "3.v"]
    chip, reference = run_both(tmp_path / "b", x[:10], record)
    for name in record:
        np.testing.assert_allclose(chip[name], reference[name], rtol=1e-9, atol=1e-9)
    assert chip["1.g_exc_2"].any()
