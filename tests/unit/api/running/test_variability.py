"""Manufactured chips: noise in groups of samples, and times since programming."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.running import level_comparison as levelling
from nopt.api.running.variability import Draw, age_of, measure_chips
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Refused
from nopt.core.ir.operation import shape_of
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.elements import result_dtype
from nopt.simulation.imperfections import Imperfections
from nopt.simulation.records import Records
from nopt.simulation.runs import extent
from nopt.simulation.signals import Signal

SAMPLES = 4


class RandomChip:
    """A chip whose outputs are noise; it keeps the noise of each run, and what its elements draw."""

    def __init__(
        self,
        runs: list[tuple[Any, float]],
        network: NetworkOp,
        *,
        record: Sequence[str],
        imperfections: Imperfections | None = None,
    ):
        records = Records(network)
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        self.watched, self.runs, self.imperfections = records.watched(record), runs, imperfections

    def run(self, signals: Mapping[str, Signal], *, ticks: int | None = None, progress: Any = None) -> dict[str, Any]:
        samples, ticks = extent(self.inputs, signals, ticks)
        found = {
            name: np.zeros((samples, ticks, *one.shape), result_dtype(one.type)) for name, one in self.watched.items()
        }
        if self.imperfections is not None:
            for array in found.values():
                array[...] = self.imperfections.noise("output").random(array.shape) < 0.5
            self.runs.append((found["output"], self.imperfections.generator("element").random()))
        return found


@pytest.mark.parametrize("room", [levelling.ROOM_BYTES, 1])
def test_samples_have_different_noise_on_the_same_chip(root: Path, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levelling, "ROOM_BYTES", room)
    lif = nopt.read(root / "lit-tests" / "tools" / "inputs" / "noisy.mlir")
    module = nopt.apply(lif, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    runs: list[tuple[Any, float]] = []
    x = np.zeros((SAMPLES, 50, 2), np.bool_)
    measure_chips(module, partial(RandomChip, runs), find_device("asic", "edge"), Draw(1, 3), x)
    assert len(runs) == (1 if room > 1 else SAMPLES)
    samples = np.concatenate([noise for noise, _ in runs])
    assert len(np.unique(samples.reshape(SAMPLES, -1), axis=0)) == SAMPLES
    assert len({element for _, element in runs}) == 1


@pytest.mark.parametrize("text", ["", "1", "h", "-1h", "1 week", "9" * 400 + "y"])
def test_a_time_is_a_finite_number_with_a_unit(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        age_of(text)
    assert str(refusal.value.findings[0].code) == "API022"
