"""Writes `asic/edge` with the neuron of Speck, whose fallback permits another number of spikes in a tick: permitting_device.py EDGE OUT."""

import json
import sys
from pathlib import Path

device = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
device["neuron"]["updates"] = {"speck": {"families": ["if"], "source": "synthetic", "file": "speck"}}
del device["core"]["shared"]
device["fallbacks"] = {
    "weight_bits": device["fallbacks"]["weight_bits"],
    "update": {"passes": "ntensor-set-neuron-model{to=speck approximate=count}"},
}
Path(sys.argv[2]).write_text(json.dumps(device), encoding="utf-8")
