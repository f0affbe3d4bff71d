"""Leaky networks for `truenorth/ranc` in RANC's own simulator: the script of the artefact runs it, and its spikes are those of `nopt run`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ranc_networks import WITHIN_BITS, Leaky, compare_with_model, compile_leaky, run_script


@pytest.mark.parametrize("leaky", WITHIN_BITS, ids=lambda leaky: leaky.name)
def test_leaky_networks_have_the_spikes_of_the_model(
    leaky: Leaky, python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    simulator = python_of("ranc")
    build, _ = compile_leaky(leaky, tmp_path)
    done = run_script(build, simulator)
    assert done.returncode == 0, done.stderr
    code, text, spikes = compare_with_model(build)
    assert code == 0, text
    assert spikes > 10
