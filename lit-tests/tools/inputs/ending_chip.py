"""Writes a target called as a pass of a sweep: the asic target, whose artefact ends the process if the preference `bits` is 1.

python ending_chip.py DIR
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TARGET = """
import os
import signal
from typing import Any

from attrs import evolve

from nopt.targets.asic.target import TARGET as ASIC


def artefact() -> Any:
    return end_or_write


def end_or_write(module: Any, device: Any, diagnostics: Any) -> Any:
    if device.preferred["bits"] == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if device.preferred["bits"] == 2:
        raise MemoryError("Unable to allocate 8.00 EiB")
    return ASIC.artefact()(module, device, diagnostics)


TARGET = evolve(ASIC, slug="weights", summary="a chip that ends a process", device="edge", artefact=artefact)
"""


def main(folder: Path) -> None:
    asic = ROOT / "targets" / "asic" / "devices"
    device = json.loads((asic / "edge.json").read_text())
    text = (asic / "edge.neuron").read_text().splitlines()
    device["neuron"]["updates"]["edge_lif"] = {"families": ["if", "lif"], "source": "synthetic", "text": text}
    bits = {"value": 4, "source": "synthetic", "note": "1 ends the process, 2 has no memory"}
    devices = folder / "devices"
    devices.mkdir(parents=True)
    (folder / "target.py").write_text(TARGET)
    (devices / "edge.json").write_text(json.dumps(device | {"target": "weights", "preferences": {"bits": bits}}))


main(Path(sys.argv[1]))
