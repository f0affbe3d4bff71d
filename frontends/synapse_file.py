"""Reader and writer of files of learning rules: synapses as `ntensor.rule` ops, and rules as equations.

A synapse is built with the first value of each of its options, in f64. The format shows equations as IR, and IR as equations:

    nopt mine.synapse                      prints the learning rules
    nopt net.mlir -t synapse               prints the equations of all rules of the network
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

NIF056 = Code("NIF056", "no-rules-to-write", "the module has no learning rules to write as equations")

SYNAPSE_START = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*synapse[ \t]+\w")


def recognises(head: bytes) -> bool:
    """Returns whether the first line that is not a comment starts a synapse."""
    return SYNAPSE_START.match(head) is not None and not is_hdf5(head)


def read(path: Path, diagnostics: Diagnostics, limits: Limits = DEFAULTS) -> ModuleOp:
    """Reads a file and returns a module with the rules of its synapses.

    `limits` is unused: the language defines its own limits.
    Errors: those of the language; the findings of all synapses are raised together.
    """
    from ..core.ir.source import decode_text

    found = Diagnostics()
    module = ModuleOp(list(build_rules(decode_text(path.read_bytes(), str(path)), str(path), found)))
    found.raise_errors()
    return module


def build_rules(text: str, source: str, found: Diagnostics) -> Iterator[Operation]:
    """Yields the rule of each synapse of a text, and collects the findings."""
    from ..core.synapse.synapse import parse_synapses
    from ..dialects.equations.rules import build_rule

    for synapse in parse_synapses(text, source).synapses:
        with found.collecting():
            yield build_rule(synapse, options={}, precision=f64)


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Formats the learning rules of a module as equations. Errors: SYN008 a rule that the language cannot express; NIF056 no rules."""
    from ..core.synapse.tree import SynapseFile, format_synapses
    from ..dialects.equations.rule_text import synapse_of
    from ..dialects.ntensor import RuleOp

    rules = [op for op in module.walk() if isinstance(op, RuleOp)]
    if not rules:
        is_continuous = any(op.name == "nir.graph" for op in module.ops)
        help = "-p convert-nir-to-ntensor" if is_continuous else "name a file that holds a network that learns"
        refuse(NIF056, "the module has no learning rules", expected="ntensor.rule", found="none", help=help)
    return format_synapses(SynapseFile(tuple(map(synapse_of, rules))))
