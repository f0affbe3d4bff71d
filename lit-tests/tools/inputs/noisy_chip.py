"""Writes targets whose chips differ: the asic target with outputs that lose spikes, the more the older the chip is; and an input with labels.

`late_chip` has a model that is wrong: its outputs are a tick late.

python noisy_chip.py DIR
"""

import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[3]
TARGET = '''
from typing import Any

from attrs import evolve

from nopt.targets.asic.model import Model
from nopt.targets.asic.target import TARGET as ASIC


class NoisyModel(Model):
    """Loses a share of the spikes, another for each neuron of each chip."""

    is_imperfect, ages = True, True

    def __init__(self, *given: Any, device: Any, imperfections: Any = None, **more: Any):
        super().__init__(*given, device=device, **more)
        self.imperfections = imperfections
        self.loss = device.number("imperfections.loss")

    def run(self, signals: Any, **more: Any) -> Any:
        found = super().run(signals, **more)
        if self.imperfections is None:
            return found
        days = (self.imperfections.age or 0) / 86400
        loss = self.loss * (1 + days)
        for name, array in found.items():
            draw = self.imperfections.generator(name).random(array.shape)
            array[draw < loss] = 0
        return found


class SteadyModel(NoisyModel):
    """Does not age."""

    ages = False


class LateModel(NoisyModel):
    """Computes outputs a tick late."""

    def run(self, signals: Any, **more: Any) -> Any:
        found = super().run(signals, **more)
        for name, array in found.items():
            array[:, 1:], array[:, :1] = array[:, :-1].copy(), 0
        return found


def model() -> Any:
    return KIND


TARGET = evolve(ASIC, slug="noisy_chip", summary="a chip that loses spikes", device="noisy", model=model)
'''


def main(folder: Path) -> None:
    asic = ROOT / "targets" / "asic" / "devices"
    device = json.loads((asic / "edge.json").read_text())
    text = (asic / "edge.neuron").read_text().splitlines()
    device["neuron"]["updates"]["edge_lif"] = {"families": ["if", "lif"], "source": "synthetic", "text": text}
    loss = {"value": 0.1, "source": "synthetic", "confidence": "assumed"}
    window = {"value": 5, "unit": "ticks", "source": "synthetic", "confidence": "assumed"}
    device["fidelity"] = {"tier": "windowed", "window": window, "source": "synthetic"}
    device |= {"target": "noisy_chip", "name": "noisy", "imperfections": {"loss": loss}}
    for name, kind in (("noisy_chip", "NoisyModel"), ("steady_chip", "SteadyModel"), ("late_chip", "LateModel")):
        devices = folder / name / "devices"
        devices.mkdir(parents=True)
        made = TARGET.replace("KIND", kind)
        (devices.parent / "target.py").write_text(made.replace("noisy_chip", name))
        (devices / "noisy.json").write_text(json.dumps(device | {"target": name}))
    x = np.random.default_rng(0).random((8, 50, 2)) < 0.5
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", np.zeros(8, np.int64))


main(Path(sys.argv[1]))
