"""Writes a `neurogrid.chip`: `network.json`, arrays, and a script that builds the same network with Brian 2.

| file | content |
| --- | --- |
| `network.json`, `arrays/NNNN.npy` | the `neurogrid.chip` in the form of `dialects/chip_base/codec.py` |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |
| `neurogrid_network.py` | reads these files, and runs the network with Brian 2: `python neurogrid_network.py OUT.json` |

Every decision was made before: the emitter chooses nothing.

Source: the format is our own, since none is published. The script calls Brian 2 in the style of PyNN.
"""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.codec import OpWriter, chip_files
from ...dialects.neurogrid import terminals_of
from ...simulation.host.script_files import script_bytes
from .model import Model

SCRIPT = "neurogrid_network.py"
BRIAN_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t neurogrid`). Errors: CHI018."""
    return OpWriter().text(Model.chip_of(module))


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: CHI018."""
    chip = Model.chip_of(module)
    files = {**chip_files(module, chip, device, OpWriter()), SCRIPT: script_bytes(BRIAN_SCRIPT)}
    each = device.integer("features.terminal_bytes")
    events = sum(int(one.counts.sum()) for _, op in chip.senders() for one in terminals_of(op))
    return Artefact(files=files, memory={"terminals": None if each is None else each * events})
