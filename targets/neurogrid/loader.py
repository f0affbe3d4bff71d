"""Reads the files of `emitter.py` back into a `neurogrid.chip`.

Errors: NGF001 a file that is missing or has another content than the emitter writes; those of the verifier of `neurogrid.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Code, Diagnostics
from ...dialects.chip_base.codec import NETWORK, OpReader
from ...dialects.neurogrid import ChipOp

NGF001 = Code("NGF001", "neurogrid-artefact-unreadable", "an artefact cannot be read")


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: NGF001; those of the verifier of `neurogrid.chip`."""
    return OpReader(files, diagnostics, NGF001).read(NETWORK, ChipOp)
