"""Runs models of nopt's artefacts in BrainChip's akida: the values of every layer, and the neural processors that its mapper takes.

    python akida_models.py run FOLDER OUT.npz      FOLDER/N/model.json, FOLDER/N.npy -> N.LAYER: the values of each layer [frames, c, h, w]
    python akida_models.py map FOLDER OUT.npz      FOLDER/N/model.json -> N: JSON of {"refused": TEXT} or of pass and processors by layer
    python akida_models.py build FOLDER OUT.npz    FOLDER/N/build_model.py, as a program -> as `run`, of the model that it saves;
                                                   N: JSON of what it prints, its model, and the model of FOLDER/N/model.json

The software backend runs; `map` uses the virtual device that FOLDER/N/device names.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import akida
import numpy as np


def models(folder: Path):
    """Yields name and path of each artefact."""
    for path in sorted(folder.glob("*/model.json"), key=lambda one: int(one.parent.name)):
        yield path.parent.name, path.parent


def run(folder: Path) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for name, path in models(folder):
        model = akida.Model.from_json((path / "model.json").read_text())
        found |= values(name, model, np.load(folder / f"{name}.npy"))
    return found


def values(name: str, model: akida.Model, frames: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the values of each layer of a model."""
    x = np.ascontiguousarray(frames.transpose(0, 2, 3, 1)).astype(np.uint8)
    found: dict[str, np.ndarray] = {}
    for k, layer in enumerate(model.layers):
        if layer.parameters.layer_type == akida.LayerType.InputData:
            continue
        part = akida.Model(layers=model.layers[: k + 1])
        found[f"{name}.{layer.name}"] = part.forward(x).transpose(0, 3, 1, 2).astype(np.int64)
    return found


def build(folder: Path) -> dict[str, np.ndarray]:
    """Runs the script of each artefact as a program, and reads the model that it saves."""
    found: dict[str, np.ndarray] = {}
    for name, path in models(folder):
        saved = folder / f"{name}.fbz"
        words = [sys.executable, path / "build_model.py", saved]
        printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        model, given = akida.Model(str(saved)), akida.Model.from_json((path / "model.json").read_text())
        found |= values(name, model, np.load(folder / f"{name}.npy"))
        answer = {"printed": printed, "script": model.to_json(), "json": given.to_json()}
        found[name] = np.frombuffer(json.dumps(answer).encode(), np.uint8)
    return found


def place(folder: Path) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for name, path in models(folder):
        device = getattr(akida, (path / "device").read_text().strip())()
        answer: dict[str, object] = {}
        try:
            model = akida.Model.from_json((path / "model.json").read_text())
            model.map(device, hw_only=True, mode=akida.mapping.MapMode.Minimal)
            for number, layer in passes_of(model):
                if layer.mapping is not None:
                    answer[layer.name] = [
                        [
                            number,
                            str(np_.type).rpartition(".")[2],
                            np_.ident.col,
                            np_.ident.row,
                            np_.ident.id,
                            np_.start_neuron,
                            np_.filters,
                        ]
                        for np_ in layer.mapping.nps
                    ]
        except (RuntimeError, ValueError) as error:
            answer = {"refused": str(error)}
        found[name] = np.frombuffer(json.dumps(answer).encode(), np.uint8)
    return found


def passes_of(model: akida.Model):
    """Yields the pass of each layer, from 0, and the layer."""
    for number, one in enumerate(one for sequence in model.sequences for one in sequence.passes):
        for layer in one.layers:
            yield number, layer


if __name__ == "__main__":
    action = {"run": run, "map": place, "build": build}[sys.argv[1]]
    np.savez(sys.argv[3], **action(Path(sys.argv[2])))
