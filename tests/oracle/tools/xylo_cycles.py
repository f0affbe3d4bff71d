"""Writes the cycles of rockpool's model for drawn configurations: xylo_cycles.py IN.json OUT.json

IN.json has `model`, `syns61201` or `syns63300`, and `configurations`: weights of the layers, the alias of each hidden neuron (or null), and the shares of inputs,
hidden and output neurons that spike. The model reads plain attributes of a configuration, so that the vendor's drivers are not needed.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import rockpool


def load_model(name: str) -> ModuleType:
    """Returns the module of the model, whose package imports the drivers."""
    sys.modules.setdefault("samna", MagicMock())
    path = Path(rockpool.__file__).parent / "devices" / "xylo" / name / "power_cycles_model.py"
    spec = importlib.util.spec_from_file_location("power_cycles_model", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(given: str, out: str) -> None:
    data = json.loads(Path(given).read_text(encoding="utf-8"))
    model = load_model(data["model"])
    found = [cycles_of(model, one) for one in data["configurations"]]
    Path(out).write_text(json.dumps(found), encoding="utf-8")


def cycles_of(model: ModuleType, one: dict[str, Any]) -> float:
    hidden = SimpleNamespace(
        weights=one["recurrent"], neurons=[SimpleNamespace(alias_target=alias) for alias in one["aliases"]]
    )
    configuration = SimpleNamespace(
        input=SimpleNamespace(weights=one["input"]),
        hidden=hidden,
        reservoir=hidden,
        readout=SimpleNamespace(weights=one["output"]),
        synapse2_enable=False,
    )
    found = model.cycles_model(configuration, *one["shares"])
    return float(found[0] if isinstance(found, tuple) else found)


main(*sys.argv[1:])
