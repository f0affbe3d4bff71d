"""Files of a readout in an artefact, which are stored next to the files of the chip.

| file | content |
| --- | --- |
| `readout.py` | the program that computes the readout from the signals that leave the chip: `python readout.py IN.npz OUT.npz` |
| `readout.npz` | its arrays |
| `readout.mlir` | the readout with its updates, from which `nopt run` computes it |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import evolve
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics, describe_op
from ...core.ir import source
from ...core.ir.context import NoptContext
from ...core.target import Artefact
from ...dialects.ntensor import ReadoutOp, UpdateOp, find_updates
from ...dialects.ntensor.neurons import NeuronOp
from ...dialects.ntensor.readout import readout_of
from .readout_program import ARRAYS, SCRIPT, program_files

TEXT = "readout.mlir"
FILES = (SCRIPT, ARRAYS, TEXT)


def write_artefact(
    write: Callable[[ModuleOp, Device, Diagnostics], Artefact],
    module: ModuleOp,
    device: Device,
    diagnostics: Diagnostics,
) -> Artefact:
    """Returns the artefact of a compiled network, with the files of its readout if it has one. `write`: the emitter of the target."""
    made, readout = write(module, device, diagnostics), readout_of(module)
    if readout is None:
        return made
    files = {**program_files(readout), TEXT: readout_text(readout).encode()}
    nodes = [f'"{node}"' for op in readout.computed if (node := describe_op(op)[1]) is not None]
    note = f"the host computes {', '.join(nodes)}: {SCRIPT} reads the spikes that leave the chip"
    return evolve(made, files={**made.files, **files}, notes=(*made.notes, note))


def readout_text(readout: ReadoutOp) -> str:
    """Returns a module with a readout and its updates."""
    used = {op.update_name for op in readout.computed if isinstance(op, NeuronOp)}
    updates = [op.clone() for name, op in find_updates(readout.parent_op()).items() if name in used]
    return source.format_module(NoptContext(), ModuleOp([*updates, readout.clone()]))


def load_artefact(
    load: Callable[[Mapping[str, bytes], Diagnostics], ModuleOp], files: Mapping[str, bytes], diagnostics: Diagnostics
) -> ModuleOp:
    """Returns the compiled network of the files of an artefact, with its readout. `load`: the loader of the target. Errors: those of both."""
    module = load({name: data for name, data in files.items() if name not in FILES}, diagnostics)
    if TEXT in files:
        held = source.parse_module(NoptContext(diagnostics=diagnostics), files[TEXT].decode(), TEXT)
        known = find_updates(module)
        for op in [*held.ops]:
            op.detach()
            if not isinstance(op, UpdateOp) or op.sym_name.data not in known:
                module.body.block.add_op(op)
    return module
