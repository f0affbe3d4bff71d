"""Reads the files of `emitter.py` back into a `neurogrid.chip`.

Errors: NGR014 a file that is missing or has another content than the emitter writes; those of the verifier of `neurogrid.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Code, Diagnostics
from ...dialects.chip_base.codec import NETWORK, OpReader
from ...dialects.neurogrid import ChipOp

NGR014 = Code("NGR014", "neurogrid-artefact-unreadable", "an artefact cannot be read")


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: NGR014; those of the verifier of `neurogrid.chip`."""
    return OpReader(files, diagnostics, NGR014).read(NETWORK, ChipOp)
