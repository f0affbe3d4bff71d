"""Networks that fit on a device differ from the float network only by their records: 30 networks of `legalised.py`, and a mutant of the pass."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from extent import seeds

sys.path.insert(0, str(Path(__file__).parent))

from legalised import Broken, cases, examine

from nopt.passes.legalize.updates import _update_options as choices
from nopt.passes.legalize.updates._update_comparison import Differences


def test_what_fits_differs_by_its_records() -> None:
    ended = [examine(seed) for seed in seeds(30)]
    lacking = {"refused LEG016", "refused LEG032"}  # a family, a reset, or delays after synapses that the device lacks
    served = [how for how in ended if how not in lacking]
    assert len(served) >= 12, ended
    fits = sum(how.startswith("fits") for how in ended)
    assert fits >= 15, ended
    assert fits >= 3 / 4 * len(served), ended
    assert "fits with approximate" in ended


def test_rules_that_are_not_compared_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Integrators of sinabs send several spikes in a tick, which some devices do not support."""

    def alike(ops: Any, *_: Any) -> list[Differences]:
        return [Differences() for _ in ops]

    monkeypatch.setattr(choices, "rules_differ", alike)

    def defect(seed: int) -> str:
        try:
            return examine(seed)
        except Broken as broken:
            return str(broken)

    drawn = (k for k, (preset, family, *_) in enumerate(cases()) if (preset, family) == ("sinabs", "if"))
    assert any("nothing differs on record, and the spikes do" in text for text in map(defect, drawn))
