"""An independent reader of the artefact computes the spikes of the model, and the loader returns the network, with structures that several passes serve."""

from __future__ import annotations

import re
from pathlib import Path

import memxbar_interpreter as interpreter
import pytest
from extent import seeds
from structured_networks import STYLES, outcome, structured

from nopt.core.diagnostics import Diagnostics
from nopt.core.ir import source
from nopt.core.ir.context import NoptContext
from nopt.core.ir.graph_region import are_equivalent
from nopt.targets.memxbar.loader import load

DEVICES = ("array128", "aihwkit", "crosssim", "mnsim", "neurosim", "offset128", "sliced128")
REFUSED = {
    "LEG048": "a threshold is less than half a step of its sums",
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("seed", seeds(2))
def test_reader_computes_the_same_spikes(seed: int, device: str, tmp_path: Path) -> None:
    made, root = structured(seed, STYLES["integers"]), tmp_path / "build" / "artefact"
    found = outcome(made, f"memxbar/{device}", tmp_path / "build", interpreter.run, is_calibrated=True)
    assert found in ("equal", "silent") or found in REFUSED, found
    if found not in REFUSED:
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        last = max((tmp_path / "build" / "ir").glob("*.mlir"))
        arrays = tmp_path / "build" / "ir" / "arrays"
        emitted = source.parse_module(NoptContext(), last.read_text(), str(last), arrays=arrays)
        assert are_equivalent(load(files, Diagnostics()), emitted)


def test_reader_is_independent() -> None:
    text = Path(interpreter.__file__).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(?:import|from) nopt", text, re.MULTILINE)
