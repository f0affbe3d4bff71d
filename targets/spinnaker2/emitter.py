"""Writes a `spinnaker2.chip`: `network.json`, arrays, and a script that builds the same network with py-spinnaker2.

| file | content |
| --- | --- |
| `network.json`, `arrays/NNNN.npy` | the `spinnaker2.chip` in the form of `dialects/chip_base/codec.py` |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |
| `spinnaker2_network.py` | reads these files, builds the network with py-spinnaker2, runs and records it: `python spinnaker2_network.py IN.npz OUT.npz` |

Every decision was made before: the emitter chooses nothing.

Source: the format is our own; the script calls the interface of py-spinnaker2 as of the NIR paper (2024).
"""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.codec import OpWriter, chip_files
from ...simulation.host.script_files import script_bytes
from .model import Model

SCRIPT = "spinnaker2_network.py"
PY_SPINNAKER2_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t spinnaker2`). Errors: CHI018."""
    return OpWriter().text(Model.chip_of(module))


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: CHI018."""
    chip = Model.chip_of(module)
    files = {**chip_files(module, chip, device, OpWriter()), SCRIPT: script_bytes(PY_SPINNAKER2_SCRIPT)}
    memory = chip.memory(device, synapses="synapse_bytes", neurons="neuron_bytes")
    return Artefact(files=files, memory=memory)
