"""Reads the files of `emitter.py` back into a `dynapse.chip`.

Errors: DSF001 a file that is missing or has another content than the emitter writes; those of the verifier of `dynapse.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Code, Diagnostics
from ...dialects.chip_base.codec import NETWORK, OpReader
from ...dialects.dynapse import ChipOp

DSF001 = Code("DSF001", "dynapse-artefact-unreadable", "an artefact cannot be read")


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: DSF001; those of the verifier of `dynapse.chip`."""
    return OpReader(files, diagnostics, DSF001).read(NETWORK, ChipOp)
