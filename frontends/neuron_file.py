"""Reader and writer of files of equations: neurons as `ntensor.update` ops, synapses as `ntensor.rule` ops, and updates as equations.

A neuron or synapse is built with the first value of each of its options, in f64. The switches and families of a preset are not part of the
result. The format shows equations as IR, and IR as equations:

    nopt mine.neuron                       prints the updates
    nopt mine.synapse                      prints the learning rules
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

START = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(preset|neuron|synapse)[ \t]+\w")


def recognises(head: bytes) -> bool:
    """Returns whether the first line that is not a comment starts a preset, a neuron or a synapse."""
    return START.match(head) is not None and not is_hdf5(head)


def read(path: Path, diagnostics: Diagnostics, limits: Limits = DEFAULTS) -> ModuleOp:
    """Reads a file and returns a module with the updates of its neurons, or with the rules of its synapses.

    `limits` is unused: the languages define their own limits.
    Errors: those of the language; the findings of all neurons or synapses are raised together.
    """
    from ..core.ir.source import decode_text

    content = path.read_bytes()
    start = START.match(content)
    build = build_rules if start is not None and start[1] == b"synapse" else build_updates
    found = Diagnostics()
    module = ModuleOp(list(build(decode_text(content, str(path)), str(path), found)))
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


def build_rules(text: str, source: str, found: Diagnostics) -> Iterator[Operation]:
    """Yields the rule of each synapse of a text, and collects the findings."""
    from ..core.synapse.synapse import parse_synapses
    from ..dialects.equations.rules import build_rule

    for synapse in parse_synapses(text, source).synapses:
        with found.collecting():
            yield build_rule(synapse, options={}, precision=f64)


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
