"""Writes a `loihi2.chip` for its loader: `network.json`, arrays, and a program that builds the same network with Lava.

| file | content |
| --- | --- |
| `network.json` | the `loihi2.chip` in the form of `dialects/chip_base/codec.py` (`nopt.loihi2/2`) |
| `arrays/NNNN.npy` | arrays with more than 16 elements |
| `updates.mlir` | the updates of the compartments |
| `device.json` | the device |
| `sanafe/architecture.yaml`, `sanafe/network.yaml` | the chip and the network for SANA-FE (`sanafe.py`), unless it cannot read them |
| `lava_network.py` | reads these files and runs the network in Lava: `python lava_network.py IN.npz OUT.npz`; a note of `compile` states if it cannot |

Every decision was made before: the emitter chooses nothing. Source: the format is our own; the names of registers are those of Lava 0.10.0.
"""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, i1

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.codec import OpWriter, chip_files
from ...dialects.fixed import IntType
from ...dialects.loihi2 import ChipOp
from ...simulation.host.script_files import script_text
from . import sanafe
from .model import Model

SCRIPT, PROCESSES = "lava_network.py", "# @PROCESSES@\n"
LAVA_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"
LAVA_PROCESSES = LAVA_SCRIPT.with_name("lava_processes.py.in")
"""The part of the program in place of the line `PROCESSES`: the processes of Lava, and updates as Python statements."""


def lava_program() -> bytes:
    """Returns the program for Lava."""
    before, mark, after = script_text(LAVA_SCRIPT).partition(PROCESSES)
    assert mark  # a template of ours
    return (before + LAVA_PROCESSES.read_text(encoding="utf-8") + after).encode()


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t loihi2`). Errors: CHI018."""
    return OpWriter().text(Model.chip_of(module))


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: CHI018."""
    chip = Model.chip_of(module)
    files = {**chip_files(module, chip, device, OpWriter()), SCRIPT: lava_program()}
    more, reason = sanafe.files_of(chip, device)
    memory = chip.memory(device, synapses="synapse_bytes", neurons="neuron_bytes")
    return Artefact(files={**files, **more}, memory=memory, notes=tuple(filter(None, (lava_obstacle(chip), reason))))


def lava_obstacle(chip: ChipOp) -> str | None:
    """Returns why the program for Lava refuses a chip, as a sentence; None if it runs it."""
    for group in chip.groups:
        for table in group.tables:
            if table.learning_rule is not None:
                return f'{SCRIPT} does not run this network: the weights of "{table.node.data}" learn'
        update = group.definition()
        assert update is not None  # verified
        where = f'@{update.sym_name.data} of "{group.source.data}"'
        if update.accumulators:
            return f"{SCRIPT} does not run this network: {where} adds its input event by event"
        values = [*update.step.block.args, *(result for op in update.step.block.ops for result in op.results)]
        if any(not isinstance(value.type, IntType) and value.type != i1 for value in values):
            return f"{SCRIPT} does not run this network: {where} computes with reals"
    return None
