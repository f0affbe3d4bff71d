"""Reader and writer of files of the neuron language: neurons as `ntensor.update` ops, and updates as equations.

A neuron is built with the first value of each of its options, in f64. The switches and families of a preset are not part of the
result. The format shows equations as IR, and IR as equations:

    nopt mine.neuron                       prints the updates
    nopt net.mlir -t neuron                prints the equations of all updates of the network
"""

from __future__ import annotations

import re
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, f64

from ..core.diagnostics import Code, Diagnostics, refuse
from ..core.files import is_hdf5
from .limits import DEFAULTS, Limits

NIF037 = Code("NIF037", "no-updates-to-write", "the module has no updates to write as equations")

START = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:preset|neuron)[ \t]+\w")


def recognises(head: bytes) -> bool:
    """Returns whether the first line that is not a comment starts a preset or a neuron."""
    return START.match(head) is not None and not is_hdf5(head)


def read(path: Path, diagnostics: Diagnostics, limits: Limits = DEFAULTS) -> ModuleOp:
    """Reads a file and returns a module with the updates of all its neurons. `limits` is unused: the language defines its own limits.

    Errors: NEU001 to NEU022; the findings of all neurons are raised together.
    """
    from ..core.ir.source import decode_text
    from ..core.neuron.neuron import check_neuron, parse_neurons
    from ..dialects.equations.build import build_update

    found = Diagnostics()
    module = ModuleOp([])
    for neuron in parse_neurons(decode_text(path.read_bytes(), str(path)), str(path)).neurons:
        with found.collecting():
            check_neuron(neuron)
            module.body.block.add_op(build_update(neuron, options={}, precision=f64))
    found.raise_errors()
    return module


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Formats the updates of a module as equations. Errors: NEU024 an update that the language cannot express; NIF037 no updates."""
    from ..core.neuron.tree import NeuronFile, format
    from ..dialects.equations.text import neuron_of
    from ..dialects.ntensor import UpdateOp

    updates = [op for op in module.walk() if isinstance(op, UpdateOp)]
    if not updates:
        is_continuous = any(op.name == "nir.graph" for op in module.ops)
        help = "-p convert-nir-to-ntensor" if is_continuous else "name a file that holds a network"
        refuse(NIF037, "the module has no updates", expected="ntensor.update", found="none", help=help)
    return format(NeuronFile(None, tuple(map(neuron_of, updates))))
