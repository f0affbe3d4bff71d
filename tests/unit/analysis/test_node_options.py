"""Options of a network: two values of one option are refused, whichever way they are given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import GOLDENS

import nopt
from nopt.analysis.node_options import network_options
from nopt.core.diagnostics import Refused

NETWORK = GOLDENS / "tools" / "inputs" / "lif.mlir"


def test_equal_values_are_one() -> None:
    assert network_options("reset=zero, reset=zero", "zero") == {"reset": "zero"}
    assert network_options(None) == {}


@pytest.mark.parametrize(
    "choices",
    [
        {"options": "reset=zero", "reset": "subtract"},
        {"options": "reset=zero,reset=subtract"},
        {"options_at": "lif.reset=zero,lif.reset=subtract"},
    ],
    ids=str,
)
@pytest.mark.parametrize("verb", ["run", "compile"])
def test_two_values_are_refused(tmp_path: Path, choices: dict[str, Any], verb: str) -> None:
    given: dict[str, Any] = {"dt": "1ms", "like": "norse", **choices}
    start = {
        "run": lambda: nopt.run(NETWORK, np.zeros((3, 2)), **given),
        "compile": lambda: nopt.compile(NETWORK, target="c", out=tmp_path / "b", **given),
    }[verb]
    with pytest.raises(Refused, match="ANA025"):
        start()
