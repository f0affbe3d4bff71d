"""Reader and writer of files of neurons: neurons as `ntensor.update` ops, and updates as equations.

A neuron is built with the first value of each of its options, in f64. The switches and families of a preset are not part of the
result. The format shows equations as IR, and IR as equations:

    nopt mine.neuron                       prints the updates
    nopt net.mlir -t neuron                prints the equations of all updates of the network
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, f64
from xdsl.ir import Operation

from ..core.diagnostics import Code, Diagnostics, refuse
from ..core.files import is_hdf5
from .limits import DEFAULTS, Limits

NIF037 = Code("NIF037", "no-updates-to-write", "the module has no updates to write as equations")

START = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(preset|neuron)[ \t]+\w")


def recognises(head: bytes) -> bool:
    """Returns whether the first line that is not a comment starts a preset or a neuron."""
    return START.match(head) is not None and not is_hdf5(head)


def read(path: Path, diagnostics: Diagnostics, limits: Limits = DEFAULTS) -> ModuleOp:
    """Reads a file and returns a module with the updates of its neurons.

    `limits` is unused: the language defines its own limits.
    Errors: those of the language; the findings of all neurons are raised together.
    """
    from ..core.ir.source import decode_text

    found = Diagnostics()
    module = ModuleOp(list(build_updates(decode_text(path.read_bytes(), str(path)), str(path), found)))
    found.raise_errors()
    return module


def build_updates(text: str, source: str, found: Diagnostics) -> Iterator[Operation]:
    """Yields the update of each neuron of a text, and collects the findings."""
    from ..core.neuron.neuron import check_neuron, parse_neurons
    from ..dialects.equations.build import build_update

    for neuron in parse_neurons(text, source).neurons:
        with found.collecting():
            check_neuron(neuron)
            yield build_update(neuron, options={}, precision=f64)


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
